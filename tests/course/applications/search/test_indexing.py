"""An index on disk: its content, which parts are remade or reused, and the errors of a damaged one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from course.applications.search import indexing
from course.applications.search.bm25 import Bm25
from course.applications.search.document import Document
from course.applications.search.index import LIST, Index
from course.applications.search.indexing import make_index
from course.applications.search.part import Part
from course.applications.search.part_file import open_part, parts_in
from course.errors import CourseError
from tests.course.applications.search.made_texts import random_documents, texts_of

TEXTS = random_documents(np.random.default_rng(9), 23)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "PART_DOCUMENTS", 5)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An index of five parts, the last one with three documents."""
    made = make_index(texts_of(TEXTS), tmp_path / "index")
    assert (made.made, made.kept, made.empty) == (5, 0, TEXTS.count(""))
    return tmp_path / "index"


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_part_knows_where_each_word_is() -> None:
    part = Part.of_documents([Document("a", "Beta", "b a beta"), Document("b", "", ""), Document("c", "", "é a a .")])
    words = [part.words[number] for number in range(4)]
    postings = {word: [array.tolist() for array in part.postings(word)] for word in words}
    assert postings == {"a": [[0, 2], [1, 2]], "b": [[0], [1]], "beta": [[0], [2]], "e": [[2], [1]]}
    assert part.lengths.tolist() == [4, 0, 3]
    assert [array.tolist() for array in part.postings("z")] == [[], []]
    assert part.document(2) == ("c", "", "é a a .")


def test_index_counts_documents_and_words(folder: Path) -> None:
    index = Index(folder)
    assert index.num_documents == 23
    assert index.average_length == pytest.approx(np.mean([len(text.split()) for text in TEXTS]))
    words = ["word0", "word17", "nowhere"]
    assert index.document_frequencies(words).tolist() == [sum(w in t.split() for t in TEXTS) for w in words]
    assert index.document_frequencies(["half\ud83d"]).tolist() == [0]
    assert [index.document(number).text for number in range(23)] == TEXTS
    for number in (-1, 23):
        with pytest.raises(IndexError, match=f"from 0 to 22. Received: {number}"):
            index.document(number)


def test_added_texts_cost_only_their_own_part(folder: Path, tmp_path: Path) -> None:
    more = [*TEXTS, "one more", "and another"]
    done = make_index(texts_of(more), folder)
    assert (done.made, done.kept) == (1, 4)
    make_index(texts_of(more), tmp_path / "scratch")
    assert files(folder) == files(tmp_path / "scratch")  # the part before the addition is gone
    again = make_index(texts_of(more), folder)
    assert (again.made, again.kept) == (0, 5)


def test_a_changed_document_remakes_only_its_part(folder: Path) -> None:
    done = make_index(texts_of([*TEXTS[:7], "another text", *TEXTS[8:]]), folder)
    assert (done.made, done.kept) == (1, 4)
    assert done.index.document(7).text == "another text"


def test_a_killed_indexing_resumes(tmp_path: Path) -> None:
    program = f"""
import os, signal
from course.applications.search import indexing
from tests.course.applications.search.made_texts import texts_of
from tests.course.applications.search.test_indexing import TEXTS
from pathlib import Path
indexing.PART_DOCUMENTS = 5
parts = []
def kill(read):
    parts.append(read)
    if len(parts) == 3:
        (Path({str(tmp_path)!r}) / "index" / ".half.0123abcd.safetensors").write_bytes(b"half")
        os.kill(os.getpid(), signal.SIGKILL)
indexing.make_index(texts_of(TEXTS), Path({str(tmp_path)!r}) / "index", kill)
"""
    project = Path(__file__).resolve().parents[4]
    environment = os.environ | {"PYTHONPATH": str(project)}
    ended = subprocess.run([sys.executable, "-c", program], cwd=project, env=environment, check=False)
    assert ended.returncode == -signal.SIGKILL
    with pytest.raises(CourseError, match=r"has an unfinished index.*course index TEXTS --to"):
        Index(tmp_path / "index")
    done = make_index(texts_of(TEXTS), tmp_path / "index")
    assert (done.made, done.kept) == (2, 3)
    make_index(texts_of(TEXTS), tmp_path / "scratch")
    assert files(tmp_path / "index") == files(tmp_path / "scratch")


def test_old_index_stays_searchable_during_indexing(folder: Path) -> None:
    texts = texts_of(["changed", *TEXTS])

    def stop(read: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_index(texts, folder, stop)
    assert Index(folder).document(0).text == TEXTS[0]
    assert len(parts_in(folder)) == 6
    assert make_index(texts, folder).kept == 1
    assert Index(folder).document(0).text == "changed"


def test_next_indexing_removes_parts_that_were_open(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(parts_in(folder))

    def is_open(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "The process cannot access the file", str(path))

    with monkeypatch.context() as on_windows:
        on_windows.setattr(Path, "unlink", is_open)
        on_windows.setattr(indexing, "require_writable", lambda folder: None)
        make_index(texts_of(["changed", *TEXTS]), folder)
    assert Index(folder).document(0).text == "changed"
    assert before < set(parts_in(folder))
    make_index(texts_of(["changed", *TEXTS]), folder)
    assert before.isdisjoint(parts_in(folder))


@pytest.mark.parametrize("damage", ["cut short", "another byte", "no header", "gone", "list"])
def test_damage_is_named_and_repaired(damage: str, folder: Path) -> None:
    whole = files(folder)
    path = sorted(parts_in(folder))[2] if damage != "list" else folder / LIST
    content = path.read_bytes()
    if damage == "gone":
        path.unlink()
    elif damage == "cut short":
        path.write_bytes(content[:-9])
    elif damage == "another byte":
        path.write_bytes(content[:-9] + b"\xff" + content[-8:])
    elif damage == "no header":
        path.write_bytes(b"\xff" * len(content))
    else:
        path.write_text(path.read_text().replace('"made"', '"maid"'))
    open_part.cache_clear()
    if damage != "another byte":  # a search does not notice it: it would have to read the whole file
        with pytest.raises(CourseError, match=rf"{path.name} is damaged: .*repairs the index"):
            Bm25(Index(folder)).rank("word0 word1", 3)
    done = make_index(texts_of(TEXTS), folder)
    assert (done.made, done.kept) == ((0, 5) if damage == "list" else (1, 4))
    assert files(folder) == whole


def test_another_version_is_named_and_rebuilt(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(parts_in(folder))
    for module in ("index", "indexing"):
        monkeypatch.setattr(f"course.applications.search.{module}.VERSION", 2)
    with pytest.raises(CourseError, match=r"has an index of version 1, and this is version 2.*rebuilds it"):
        Index(folder)
    assert make_index(texts_of(TEXTS), folder).made == 5
    assert before.isdisjoint(parts_in(folder))


def test_foreign_files_are_left_alone(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="has an index of made, not of other"):
        make_index(texts_of(TEXTS, "other"), folder)
    weights = tmp_path / "weights"
    weights.mkdir()
    (weights / "model.safetensors").write_bytes(b"weights")
    with pytest.raises(CourseError, match=r"has other files, such as model\.safetensors"):
        make_index(texts_of(TEXTS), weights)
    (weights / LIST).write_text("no list of parts")
    with pytest.raises(CourseError, match=r"has other files, such as model\.safetensors"):
        make_index(texts_of(TEXTS), weights)
    (weights / LIST).write_text(json.dumps({"a": 1}))
    for use in (Index, lambda path: make_index(texts_of(TEXTS), path)):
        with pytest.raises(CourseError, match=r"index\.json is of another program"):
            use(weights)
    with pytest.raises(CourseError, match="is a file"):
        make_index(texts_of(TEXTS), weights / LIST)
    with pytest.raises(CourseError, match=r"nothing has no index.*makes it"):
        Index(tmp_path / "nothing")
    assert sorted(files(weights)) == [LIST, "model.safetensors"]


@pytest.mark.parametrize("texts", [[], ["", " . "]])
def test_texts_without_words_make_no_index(texts: list[str], tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=f"made has {len(texts)} documents, and none has a word"):
        make_index(texts_of(texts), tmp_path / "index")
    with pytest.raises(CourseError):
        Index(tmp_path / "index")


def test_long_documents_fill_a_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "_PART_CHARACTERS", 30)
    progress: list[int] = []
    done = make_index(texts_of(["wing " * 9, "heat", "walls", "a", "b"]), tmp_path / "index", progress.append)
    assert [part.documents for part in done.index.parts] == [1, 4]
    assert progress == [45, 45 + 4 + 5 + 1 + 1]


def test_wrong_types_are_named(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="texts must be a Texts"):
        make_index(["wing"], tmp_path)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="folder must be a Path"):
        Index("index")  # type: ignore[arg-type]
