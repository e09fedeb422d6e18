"""Every student in a folder of submissions gets one entry, and one student's bad file is no other's problem."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grading.errors import GradingError
from grading.submission import DamagedSubmission, SubmissionFile, find_submissions, read_notebooks
from tests.grading.submission.test_submission import SOLUTION, WHOLE, sources


def test_each_student_has_one_entry(tmp_path: Path) -> None:
    for name in (
        "alice.ipynb", "bob/notes.txt", "bob/deep/03.ipynb", "bob/04.ipynb", "bob/.ipynb_checkpoints/03.ipynb",
        "carol.tar.gz", "dan.ipynb.txt", "eve.zip", "eve/extra.ipynb", "__MACOSX/x.ipynb", ".hidden.ipynb",
        "grades.csv", "<b>zoe</b>.IPYNB".replace("/", "-"),
    ):  # fmt: skip
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(WHOLE if not name.endswith((".txt", ".csv")) or "ipynb" in name else b"")
    (tmp_path / "frank").write_bytes(WHOLE)
    found = find_submissions(tmp_path)
    assert {each.student: [file.relative_to(tmp_path).as_posix() for file in each.files] for each in found} == {
        "<b>zoe<-b>": ["<b>zoe<-b>.IPYNB"],
        "alice": ["alice.ipynb"],
        "bob": ["bob/04.ipynb", "bob/deep/03.ipynb"],
        "carol": ["carol.tar.gz"],
        "dan": ["dan.ipynb.txt"],
        "eve": ["eve/extra.ipynb", "eve.zip"],
        "frank": ["frank"],
    }
    assert [each.student for each in found] == sorted(each.student for each in found)
    assert all(each.problem is None for each in found)
    assert [book.path_in_submission for book in read_notebooks(found[2])] == ["04.ipynb", "deep/03.ipynb"]


def test_a_file_that_is_no_submission_is_a_problem_of_that_student_alone(tmp_path: Path) -> None:
    secret = tmp_path / "secret.ipynb"
    secret.write_bytes(WHOLE)
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "alice.ipynb").write_bytes(WHOLE)
    (folder / "link.ipynb").symlink_to(secret)
    (folder / "linked").symlink_to(tmp_path)
    (folder / "within").mkdir()
    (folder / "within" / "link.ipynb").symlink_to(secret)
    os.mkfifo(folder / "pipe.ipynb")
    (folder / "essay.pdf").write_bytes(b"%PDF")
    (folder / "empty").mkdir()
    problems = {each.student: each.problem or "" for each in find_submissions(folder)}
    assert problems.pop("alice") == ""
    for student, reason in {
        "link": "symbolic link", "linked": "symbolic link", "within": "no regular files", "pipe": "regular file",
        "essay": "essay.pdf is not", "empty": "no regular files",
    }.items():  # fmt: skip
        assert reason in problems.pop(student)
    assert problems == {}
    # These were put there after the folder had been listed.
    for name, reason in {"link.ipynb": "cannot be read", "pipe.ipynb": "not a regular file"}.items():
        with pytest.raises(DamagedSubmission, match=reason):
            read_notebooks(SubmissionFile("mallory", folder / name, (folder / name,)))


def test_unreadable_files_and_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for student in ("alice", "bob", "carol"):
        (tmp_path / student).mkdir()
        (tmp_path / student / "03.ipynb").write_bytes(WHOLE)

    def refuse(real: Callable[..., Any], forbidden: Path) -> Callable[..., Any]:
        def call(path: Any, *rest: Any) -> Any:
            if Path(path) == forbidden:
                raise PermissionError(13, "Permission denied", str(path))
            return real(path, *rest)

        return call

    monkeypatch.setattr(os, "scandir", refuse(os.scandir, tmp_path / "bob"))
    monkeypatch.setattr(os, "open", refuse(os.open, tmp_path / "carol" / "03.ipynb"))
    alice, bob, carol = find_submissions(tmp_path)
    assert sources(read_notebooks(alice)[0])[1] == SOLUTION
    assert bob.problem == "it cannot be read: Permission denied"
    for unreadable in (bob, carol):
        with pytest.raises(DamagedSubmission, match="Permission denied"):
            read_notebooks(unreadable)


def test_a_folder_without_submissions_is_an_error_that_says_what_was_looked_for(tmp_path: Path) -> None:
    (tmp_path / "grades.csv").write_text("alice,3")
    with pytest.raises(GradingError, match=r"contains no submission.*\.ipynb.*\.zip"):
        find_submissions(tmp_path)
    with pytest.raises(GradingError, match="No such file"):
        find_submissions(tmp_path / "nowhere")
    with pytest.raises(GradingError, match="folder"):
        find_submissions(tmp_path / "grades.csv")


def test_names_that_cannot_be_printed_are_escaped(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/al\nice\xff.ipynb")).write_bytes(WHOLE)
    (submission,) = find_submissions(tmp_path)
    assert submission.student == r"al\nice\xff"
    submission.student.encode()
    assert read_notebooks(submission)[0].path_in_submission == r"al\nice\xff.ipynb"
