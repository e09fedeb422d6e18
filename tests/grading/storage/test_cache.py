"""A cached result is returned only for the same sources, and only intact."""

from __future__ import annotations

from pathlib import Path

import pytest

from grading.exercises.registry import chapter
from grading.release.freezing import frozen_key
from grading.storage import cache
from grading.storage.cache import kept, key_of


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "cache")
    return tmp_path / "cache"


class Maker:
    """Counts its calls."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.asked = 0

    def __call__(self) -> bytes:
        self.asked += 1
        return self.data


def test_a_cached_result_is_made_once() -> None:
    make = Maker(b"data")
    assert [kept("entry", "key", make) for _ in range(3)] == [b"data"] * 3
    assert make.asked == 1


def test_another_key_replaces_the_entry(folder: Path) -> None:
    assert kept("entry", "old", Maker(b"old")) == b"old"
    assert kept("entry", "new", Maker(b"new")) == b"new"
    assert kept("entry", "old", Maker(b"again")) == b"again"
    assert [path.name for path in folder.iterdir()] == ["entry"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: whole[:-1],
        lambda whole: whole + b"\0",
        lambda whole: b"",
        lambda whole: whole[:20],
        lambda whole: whole[:-1] + bytes([whole[-1] ^ 1]),
        lambda whole: bytes([whole[0] ^ 1]) + whole[1:],
    ],
    ids=["cut short", "too long", "empty", "without data", "another bit", "another mark"],
)
def test_a_damaged_entry_is_made_again(damage, folder: Path) -> None:
    kept("entry", "key", Maker(b"data"))
    (folder / "entry").write_bytes(damage((folder / "entry").read_bytes()))
    make = Maker(b"data")
    assert [kept("entry", "key", make) for _ in range(2)] == [b"data"] * 2
    assert make.asked == 1


def test_without_a_writable_cache_results_are_made_each_time(folder: Path) -> None:
    folder.write_text("a file stands where the folder would be")
    make = Maker(b"data")
    assert [kept("entry", "key", make) for _ in range(2)] == [b"data"] * 2
    assert make.asked == 2


def test_a_failed_result_is_not_cached(folder: Path) -> None:
    def fail() -> bytes:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        kept("entry", "key", fail)
    assert not folder.exists()


def test_a_key_distinguishes_content_names_places_and_words(tmp_path: Path) -> None:
    def key(files: dict[str, str], *words: str) -> str:
        root = tmp_path / str(len(list(tmp_path.iterdir())))
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return key_of(["part"], *words, root=root)

    same = {"part/a.py": "1", "part/b.py": "2"}
    assert key(same, "word") == key(same | {"part/notes.txt": "3", "other/c.py": "4"}, "word")
    others = [
        key(same),
        key(same, "another word"),
        key({"part/a.py": "1", "part/b.py": "3"}, "word"),
        key({"part/a.py": "1", "part/c.py": "2"}, "word"),
        key({"part/a.py": "1", "part/b/b.py": "2"}, "word"),
        key({"part/a.py": "1"}, "word"),
        key({"part/a.py": "1\0part/b.py\x002"}, "word"),
    ]
    assert len({key(same, "word"), *others}) == 1 + len(others)


SOURCES = [
    "course/attention.py",
    "course/validation/arrays.py",
    "grading/exercises/attention/checks.py",
    "grading/exercises/attention/mistakes/masks.py",
    "grading/exercises/classifiers.py",
    "grading/judging/probing.py",
    "grading/release/freezing.py",
    "grading/sandbox/seeding.py",
]
OTHERS = [
    "grading/exercises/attention/solutions/causal_mask/tril.py",
    "grading/exercises/attention/students.py",
    "grading/exercises/encoder/checks.py",
    "grading/report/pages.py",
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for path in [*SOURCES, *OTHERS]:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x = 1\n")
    return tmp_path


@pytest.mark.parametrize("source", SOURCES)
def test_what_is_frozen_depends_on_each_source(source: str, project: Path) -> None:
    before = frozen_key(chapter(3), project)
    (project / source).write_text("x = 2\n")
    assert frozen_key(chapter(3), project) != before


def test_what_is_frozen_depends_on_a_new_mistake(project: Path) -> None:
    before = frozen_key(chapter(3), project)
    (project / "grading/exercises/attention/mistakes/new.py").touch()
    assert frozen_key(chapter(3), project) != before


@pytest.mark.parametrize("library", ["numpy", "keras", "tensorflow"])
def test_what_is_frozen_depends_on_versions(library: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = frozen_key(chapter(3), project)
    monkeypatch.setattr("importlib.metadata.version", lambda name: "0" if name == library else "1")
    other = frozen_key(chapter(3), project)
    monkeypatch.setattr("importlib.metadata.version", lambda name: "1")
    assert len({before, other, frozen_key(chapter(3), project)}) == 3


def test_what_is_frozen_depends_on_no_other_chapter_or_room_and_on_no_solution_or_sample_student(project: Path) -> None:
    before = frozen_key(chapter(3), project)
    for source in OTHERS:
        (project / source).write_text("x = 2\n")
    assert frozen_key(chapter(3), project) == before
