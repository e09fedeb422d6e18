"""SST from folders: the loader reads it correctly and refuses wrong files."""

from __future__ import annotations

from pathlib import Path

import pytest

from course.data.datasets import load_sst
from tests.course.local_data import SST

FILES = {
    "sst-train.txt": "4 ||| A film , ||| and a good one .\n0 ||| Na\u00efve \u0085 .\n",
    "sst-dev.txt": "2 ||| So - so .\r\n",
    "sst-test.txt": "1 ||| NA",
}
# The number of sentences, and of each class, as the paper's authors published them.
PUBLISHED = {
    "train": (8544, [1092, 2218, 1624, 2322, 1288]),
    "dev": (1101, [139, 289, 229, 279, 165]),
    "test": (2210, [279, 633, 389, 510, 399]),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three small files in the form of SST."""
    monkeypatch.delenv("SST_DIR", raising=False)
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content.encode())
    return tmp_path


def test_reads_sentences_and_classes(folder: Path):
    assert {name: part.to_numpy().tolist() for name, part in load_sst(folder).items()} == {
        "train": [["A film , ||| and a good one .", 4], ["Na\u00efve \u0085 .", 0]],
        "dev": [["So - so .", 2]],
        "test": [["NA", 1]],
    }


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"3 ||| Good .\n5 ||| Better .\n", "line 2 is '5.*class from 0 to 4"),
        (b"3 | Good .\n", "line 1"),
        (b"3 |||  \n", "line 1"),
        (b"\n", "line 1"),
        (b"", "line 1 is ''"),
        (b"3 ||| \xff\n", "utf-8"),
    ],
)
def test_says_what_is_wrong_with_a_file(folder: Path, content: bytes, message: str):
    (folder / "sst-dev.txt").write_bytes(content)
    with pytest.raises(ValueError, match=message) as caught:
        load_sst(folder)
    assert str(folder / "sst-dev.txt") in str(caught.value)


@pytest.mark.parametrize("source", [SST])
def test_the_original_files(source: Path | None, folder: Path):
    # Where they are not on this machine, the small ones stand in.
    counts = {
        name: (len(part), [int((part["label"] == label).sum()) for label in range(5)])
        for name, part in load_sst(source or folder).items()
    }
    small = {"train": (2, [1, 0, 0, 0, 1]), "dev": (1, [0, 0, 1, 0, 0]), "test": (1, [0, 1, 0, 0, 0])}
    assert counts == (PUBLISHED if source else small)
