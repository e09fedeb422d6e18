"""W-NUT 2017 from folders: the loader reads it correctly and refuses wrong files."""

from __future__ import annotations

from pathlib import Path

import pytest

from course.data.datasets import WNUT17_KINDS, load_wnut17
from tests.course.local_data import WNUT17

FILES = {
    # A tab between sentences, a word with a character at which str.splitlines() would end the line, and a URL.
    "wnut17train.conll": "In\tO\nNew\tB-location\nYork\tI-location\n\t\n\t\n\x85\tO\nhttp://a.b\tO\n",
    "emerging.dev.conll": "\nDubbz\ufeff\tB-person\r\nx\tB-creative-work\r\n\r\n\n",
    "emerging.test.annotated": "😂\tO",
}
# Sentences, words and names, as the paper counts them.
PUBLISHED = {"train": (3394, 62730, 1975), "dev": (1009, 15733, 836), "test": (1287, 23394, 1079)}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three small files in the form of W-NUT 2017."""
    monkeypatch.delenv("WNUT17_DIR", raising=False)
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content.encode())
    return tmp_path


def test_reads_words_and_tags(folder: Path):
    parts = load_wnut17(folder)
    assert list(parts) == ["train", "dev", "test"]
    assert all(list(part.columns) == ["words", "tags"] for part in parts.values())
    assert parts["train"].to_numpy().tolist() == [
        [["In", "New", "York"], ["O", "B-location", "I-location"]],
        [["\x85", "http://a.b"], ["O", "O"]],
    ]
    assert parts["dev"].to_numpy().tolist() == [[["Dubbz\ufeff", "x"], ["B-person", "B-creative-work"]]]
    assert parts["test"].to_numpy().tolist() == [[["😂"], ["O"]]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"word\tO\nword\tB-planet\n", r"line 2 is 'word\\tB-planet'.*B- or I- and one of corporation, creative-work"),
        (b"word O\n", "line 1"),
        (b"word\tO\tO\n", "line 1"),
        (b"\tO\n", "line 1"),
        (b"word\tB-pers", "line 1"),
        (b"\n\t\n", "empty"),
        (b"", "empty"),
        (b"\xff\tO\n", "utf-8"),
    ],
)
def test_says_what_is_wrong_with_a_file(folder: Path, content: bytes, message: str):
    (folder / "emerging.dev.conll").write_bytes(content)
    with pytest.raises(ValueError, match=message) as caught:
        load_wnut17(folder)
    assert str(folder / "emerging.dev.conll") in str(caught.value)


@pytest.mark.parametrize("source", [WNUT17])
def test_the_original_files(source: Path | None, folder: Path):
    # Where they are not on this machine, the small ones stand in.
    parts = load_wnut17(source or folder)
    counts = {
        name: (len(part), part["words"].map(len).sum(), part["tags"].explode().str.startswith("B-").sum())
        for name, part in parts.items()
    }
    assert counts == (PUBLISHED if source else {"train": (2, 5, 1), "dev": (1, 2, 2), "test": (1, 1, 0)})
    for part in parts.values():
        assert (part["words"].map(len) == part["tags"].map(len)).all()
        for tags in part["tags"]:  # a name continues only where it has begun
            before = ["O", *tags[:-1]]
            assert all(tag[2:] == last[2:] for last, tag in zip(before, tags, strict=True) if tag[0] == "I")
        assert set(part["tags"].explode().str[2:]) - {""} <= set(WNUT17_KINDS)
