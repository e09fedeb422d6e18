"""No two students share a record, and a record is kept for exactly the bytes that were graded."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from benchmarks.made_class import CAUSAL, LAYER, SPLIT, made_record
from benchmarks.submissions.layouts import notebook
from grading.classroom.reading import read_submission
from grading.classroom.results import Results, fingerprint, page_name
from grading.classroom.submission_record import SubmissionRecord, unreadable, with_exercises
from grading.submission import SubmissionFile, content, find_submissions, read_files


def test_file_names_are_bounded_and_hold_enough_of_the_hash() -> None:
    names = ["", "a", "a" * 10_000, "/" * 300, "..", "\ud800", "ä" * 500]
    shown = [page_name(name) for name in names]
    assert len(set(shown)) == len(names)
    assert all(len(f"{name}.html") <= 100 and "/" not in name for name in shown)
    # A draft has a longer name, and a file system's limit is 255 bytes.
    assert all(len(f".{page_name(letter * 500)}.01234567.html".encode()) <= 255 for letter in "aä魏𠮷")
    assert all(len(name.rpartition("-")[2]) * 4 >= 128 for name in shown)


def test_two_names_with_32_bits_of_their_hash_in_common_keep_two_records() -> None:
    dots = str.maketrans("0123456789", ".,;:!?()[]")  # none of these characters is kept in a file's name
    seen: dict[bytes, str] = {}
    for number in range(100_000, 1_000_000):
        name = str(number).translate(dots)
        other = seen.setdefault(hashlib.sha256(name.encode()).digest()[:4], name)
        if other != name:
            break
    assert other != name and page_name(other)[:14] == page_name(name)[:14]
    assert page_name(other) != page_name(name)


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("王伟 (wwei)", "王伟--wwei--"),
        ("Nguyễn Ánh", "Nguyễn-Ánh-"),
        ("अनिल", "अनिल-"),
        ("../CON", "---CON-"),
        ("ש\u202eב", "ש-ב-"),
    ],
)
def test_file_names_keep_the_letters_of_every_alphabet(name: str, start: str) -> None:
    assert page_name(name).startswith(start)
    assert page_name(unicodedata.normalize("NFD", name)).startswith(start)


def test_a_record_under_an_older_name_is_found_and_not_doubled(tmp_path: Path) -> None:
    folder = tmp_path / "submissions"
    folder.mkdir()
    (folder / "王伟.ipynb").write_bytes(b"{}")
    results = Results(tmp_path / "results", 3)
    (file,) = find_submissions(folder)
    record = unreadable(file, 3, read_submission(file, 3))
    results.write(file, record)
    (path,) = (results.folder / "records" / "03").glob("*.json")
    path.rename(path.with_name(path.name.replace("王伟", "--")))
    assert results.known(file) == record
    results.write(file, {**record, "problem": "again"})
    assert [one["problem"] for one in results.all()] == ["again"]


def test_a_file_that_changes_between_grading_and_writing_is_graded_again(tmp_path: Path) -> None:
    folder = tmp_path / "submissions"
    folder.mkdir()
    (folder / "alice.ipynb").write_bytes(notebook("graded"))
    results = Results(tmp_path / "results", 3)
    (file,) = find_submissions(folder)
    read = read_submission(file, 3)
    (folder / "alice.ipynb").write_bytes(notebook("never graded"))
    results.write(file, unreadable(file, 3, read))
    assert results.known(file) is None
    (folder / "alice.ipynb").write_bytes(notebook("graded"))
    assert results.known(file)


def test_a_file_that_changes_while_it_is_read_is_not_graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "alice.ipynb"
    path.write_bytes(notebook("before"))
    real = content.open_untrusted

    class Slow:
        def __init__(self, file: Any) -> None:
            self.file = file

        def __enter__(self) -> Slow:
            return self

        def __exit__(self, *_: object) -> None:
            self.file.close()

        def fileno(self) -> int:
            return self.file.fileno()

        def read(self, most: int) -> bytes:
            data = self.file.read(most)
            path.write_bytes(notebook("after"))
            os.utime(path, (0, 0))
            return data

    (file,) = find_submissions(tmp_path)
    monkeypatch.setattr(content, "open_untrusted", lambda path: Slow(real(path)))
    assert "changed while it was read" in read_submission(file, 3).problem
    monkeypatch.undo()
    assert read_submission(file, 3).notebook


def test_a_record_depends_on_all_bytes_that_were_read(tmp_path: Path) -> None:
    (tmp_path / "alice.ipynb").write_bytes(notebook("one"))
    (file,) = find_submissions(tmp_path)
    first = read_files(file).sha256
    assert read_files(file).sha256 == first
    with_note = SubmissionFile(file.student, file.path, file.files, None, ("of two attempts, the last counts",))
    assert read_files(with_note).sha256 != first
    (tmp_path / "alice.ipynb").unlink()
    gone = read_files(file)
    assert gone.sha256 != first and "cannot be read" in read_submission(file, 3).problem


def test_a_record_depends_on_the_tables_and_lessons_that_decide_about_points(tmp_path: Path) -> None:
    paths = ("grading/sandbox/allowed.toml", "notebooks/source/03_attention.md", "course/attention.py")
    for path in paths:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("before")
    keys = {fingerprint(tmp_path)}
    for path in paths:
        (tmp_path / path).write_text("after")
        fingerprint.cache_clear()
        keys.add(fingerprint(tmp_path))
    fingerprint.cache_clear()
    assert len(keys) == 1 + len(paths)


def failed(record: SubmissionRecord, name: str) -> str:
    """Let the grader fail on an exercise, and return what the instructor has to do."""
    remark = f"{name}: the grader failed on it; check it by hand"
    next(one for one in record["exercises"] if one["name"] == name)["problem"] = "the grader failed on it (ValueError)"
    record["for_instructor"] = [*record.get("for_instructor", []), remark]
    return remark


def test_a_regrade_renews_the_crashes_and_the_remarks_of_its_exercises_alone() -> None:
    earlier, later = made_record("ada", {SPLIT: 2, CAUSAL: 1}, crashes=3), made_record("ada", {LAYER: 4})
    for before, after in zip(earlier["exercises"], later["exercises"], strict=True):
        before["crashes"], after["crashes"] = {SPLIT: 2, CAUSAL: 1}.get(before["name"], 0), 0
    later["for_instructor"] = ["look at the file"]
    of_split, of_layer = failed(earlier, SPLIT), failed(later, LAYER)
    repaired = with_exercises(earlier, later, [SPLIT])
    assert (repaired["earned"], repaired["crashes"], repaired["for_instructor"]) == (22, 1, ["look at the file"])
    broken = with_exercises(later, earlier, [SPLIT])
    assert (broken["earned"], broken["crashes"]) == (17, 2)
    assert sorted(broken["for_instructor"]) == [of_layer, of_split]


def test_a_regrade_mixes_no_two_attempts() -> None:
    earlier, later = made_record("ada", {SPLIT: 2}), made_record("ada", {CAUSAL: 1})
    later["submission_sha256"] = "another"
    assert with_exercises(earlier, later, [SPLIT]) == later
