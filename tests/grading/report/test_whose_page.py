"""No page of a student holds a sentence that is for the instructor."""

from __future__ import annotations

import ast
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.full_marks import FullMarks
from benchmarks.submissions.layouts import LAYOUTS, notebook
from grading.classroom import grader, run
from grading.classroom.reading import TRIPPED, read_submission
from grading.classroom.reasons import reasons
from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.classroom.submission_record import SubmissionRecord, unreadable
from grading.exercises.registry import chapter
from grading.gradebook import marks, plain_csv
from grading.report.pages import student_page, write_pages
from grading.storage.project import PROJECT
from grading.submission import find_submissions

# What only an instructor can do.
INSTRUCTORS = re.compile(
    r"leave one|rename|grade (?:it|again|.* by itself)|by hand|roster|git lfs pull|--\w|submission's name|may be by",
    re.IGNORECASE,
)


def troubled_class(to: Path) -> Path:
    """Submissions with all troubles of which a submission can tell."""
    to.mkdir()
    for name in ("zo\u00eb", "Zo\u00eb", "Alice Smith", "asmith"):
        (to / f"{name}.ipynb").write_bytes(notebook(name))
    (to / "pointer.ipynb").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    (to / "link.ipynb").symlink_to(to / "asmith.ipynb")
    (to / "empty.ipynb").write_bytes(b"")
    (to / "class.zip").write_bytes(LAYOUTS["Moodle"].archive())
    with zipfile.ZipFile(to / "two.zip", "w") as archive:
        for name in ("a", "b"):
            archive.writestr(f"{name}.ipynb", notebook(name))
    (to / "both").mkdir()
    (to / "both" / "03.ipynb").write_bytes(notebook("both"))
    (to / "both" / "other.ipynb").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    return to


def test_no_page_of_a_student_holds_a_sentence_for_the_instructor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "Grader", FullMarks)
    (tmp_path / "class.csv").write_text("id,name\nasmith,Alice Smith\nz1,Zo\u00eb\nz2,Zo\u00eb\n")
    results = Results(tmp_path / "results", 3)
    records = grade_class(troubled_class(tmp_path / "in"), results, roster=tmp_path / "class.csv")
    write_pages(results.folder, chapter(3), records)
    said = {text for record in records for text in record.get("for_instructor", [])}
    assert len(said) >= 6
    pages = [path.read_text() for path in (results.folder / "students").iterdir()]
    assert len(pages) == len(records)
    for page in pages:
        assert not any(sentence in page for sentence in said)
        assert not INSTRUCTORS.search(re.sub(r"(?s)<head>.*</head>|<[^>]*>", "", page))
    reviews = "".join(path.read_text() for path in (results.folder / "review").iterdir()).replace("&#39;", "'")
    assert all(sentence in reviews for sentence in said)
    assert all(any(reason.text == text for reason in reasons(record)) for record in records for text in said_of(record))
    assert "leave one" in plain_csv(chapter(3), marks(chapter(3), records))


def said_of(record: SubmissionRecord) -> list[str]:
    return record.get("for_instructor", [])


def test_a_submission_on_which_the_grader_fails_asks_the_instructor_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ada.ipynb").write_bytes(notebook("ada"))
    (file,) = find_submissions(tmp_path)
    read = read_submission(file, 3)

    def fail(*_: object) -> None:
        raise KeyError("x")

    graded = grader.Grader(b"secret", True)
    monkeypatch.setattr(graded, "_grade", fail)
    record = graded.grade_read(file, read, 3)
    assert record["problem"].startswith(TRIPPED) and record.get("for_instructor") == ["check it by hand"]
    assert "by hand" not in student_page(record)
    assert "by hand" not in student_page(unreadable(file, 3, read._replace(problem="it is empty", to_do="by hand")))


def reasons_in_code() -> Iterator[tuple[str, str]]:
    """The texts that become the reason of a damaged submission, or the problem of an exercise or a submission."""
    for package in ("submission", "classroom", "extraction", "sandbox", "judging"):
        for path in (PROJECT / "grading" / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                parts: list[ast.AST] = []
                if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("DamagedSubmission", "Message")):
                    parts = [*node.args[:1]]
                elif isinstance(node, ast.keyword) and node.arg in {"problem", "notes"}:
                    parts = [node.value]
                for part in parts:
                    for text in ast.walk(part):
                        if isinstance(text, ast.Constant) and isinstance(text.value, str):
                            yield path.name, text.value


def test_no_reason_in_the_code_tells_a_student_what_the_instructor_must_do() -> None:
    found = list(reasons_in_code())
    assert len(found) > 15
    assert not [(file, text) for file, text in found if INSTRUCTORS.search(text)]
