"""Writes the pages of a graded class: one for each student, one for reviewing each student, and one of the class."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import markupsafe

from grading.classroom.reasons import Reason, by_kind, kinds, reasons_of_class
from grading.classroom.records import outline
from grading.classroom.results import page_name
from grading.classroom.similarity import Pair
from grading.classroom.submission_record import SubmissionRecord, is_absent, problem_in, said_in, translator_of
from grading.feedback.card import environment
from grading.feedback.record import translated
from grading.judging.exercise import Chapter
from grading.languages import ENGLISH
from grading.messages.stored import by_english
from grading.messages.translator import Translator, translator
from grading.report.statistics import MistakeCount, exercise_statistics, mistake_counts, summary
from grading.storage.files import write_file

_TEMPLATES = Path(__file__).parent / "templates"
_IN_ENGLISH = translator(ENGLISH)
_PAGE = re.compile(r"-[0-9a-f]{32}\.html\Z")  # see `page_name`


class _Student(NamedTuple):
    """A row of the class.

    Attributes:
        mistakes: the indices of the student's mistakes among those of the class.
    """

    record: SubmissionRecord
    kinds: list[str]
    mistakes: list[int]

    @property
    def review(self) -> str:
        return f"review/{file_of(self.record['student'])}"


def write_pages(
    folder: Path,
    chapter: Chapter,
    records: Iterable[SubmissionRecord],
    pairs: Sequence[Pair] = (),
    language: str | None = None,
    counted: Callable[[SubmissionRecord], SubmissionRecord] | None = None,
) -> Path:
    """Write `index.html` and two pages for each student, and return the path of `index.html`.

    A page in `students/` says nothing about anybody else, so you can give it to the student. The page in `review/` is
    for the instructor: it says what needs a look, and links to the next student. Pages of earlier runs about students
    who are not among the records, or have another name now, are removed.

    Args:
        records: read in one pass; only outlines stay in memory.
        pairs: students whose solutions are alike. Only the instructor's pages name them.
        language: of the students' pages; by default, each has that of the student's notebook.
        counted: gives a record with the points that count, for the pages about one student; by default, all count.

    Raises:
        GradingError: a page cannot be written.
    """
    alike = _alike(pairs)
    outlines = []
    for before, record, after in _neighbours(records):
        outlines.append(outline(record))
        file = file_of(record["student"])
        own = counted(record) if counted else record
        write_file(folder / "students" / file, student_page(own, language))
        mine = alike.get(record["student"], ())
        reasons = _unsaid(record, reasons_of_class([record], mine).get(record["student"], ()))
        review = render("review.html", record=own, reasons=reasons, file=file, before=before, after=after)
        write_file(folder / "review" / file, review)
    _remove_others(folder, {file_of(record["student"]) for record in outlines})
    reasons_by_student = reasons_of_class(outlines, pairs)
    mistakes = mistake_counts(outlines)
    index = folder / "index.html"
    write_file(
        index,
        render(
            "class.html",
            chapter=chapter,
            handed_in=sum(not is_absent(record) for record in outlines),
            students=_students(outlines, reasons_by_student, mistakes),
            look=by_kind(reasons_by_student),
            summary=summary(outlines),
            mistakes=mistakes,
            exercises=exercise_statistics(chapter, outlines),
            script=script("class.js"),
        ),
    )
    return index


def student_page(record: SubmissionRecord, language: str | None = None) -> str:
    """The page for a student, which says nothing about anybody else and nothing that is for the instructor.

    Args:
        record: the student's.
        language: of the page; by default, that of the student's notebook, else English.
    """
    said = said_in(language, record) if language else translator_of(record)
    return render("student.html", said, record=_in_language(record, said))


def _in_language(record: SubmissionRecord, said: Translator) -> SubmissionRecord:
    known = by_english(record.get("messages", []))
    return {
        **record,
        "problem": problem_in(record, said),
        "late": said(record.get("late", "")),
        "notes": [said(known.get(note, note)) for note in record["notes"]],
        "exercises": [translated(exercise, said) for exercise in record["exercises"]],
    }


def _remove_others(folder: Path, files: Collection[str]) -> None:
    for name in ("students", "review"):
        for page in (folder / name).glob("*.html"):
            if page.name not in files and _PAGE.search(page.name):
                page.unlink(missing_ok=True)


def file_of(student: str) -> str:
    """The file name of a student's page, the same in each folder of pages."""
    return f"{page_name(student)}.html"


def render(template: str, said: Translator = _IN_ENGLISH, **values: Any) -> str:
    """A page from a template of this package, in a language."""
    environment_ = environment(_TEMPLATES, translator=said)
    return environment_.get_template(template).render(page_of=file_of, **values)


def script(name: str) -> dict[str, Any]:
    """A script for a page, and its hash, by which the page's policy allows it and no other."""
    text = (_TEMPLATES / name).read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return {"text": markupsafe.Markup(text), "policy": f"sha256-{digest}"}


def _neighbours(records: Iterable[SubmissionRecord]) -> Iterator[tuple[str, SubmissionRecord, str]]:
    """Yield each record between the names of the students before and after it; "" stands for nobody."""
    before, record = "", None
    for after in records:
        if record:
            yield before, record, after["student"]
            before = record["student"]
        record = after
    if record:
        yield before, record, ""


def _unsaid(record: SubmissionRecord, reasons: Iterable[Reason]) -> list[Reason]:
    """The reasons that the student's own page does not show."""
    return [reason for reason in reasons if reason.text not in (record["problem"], *record["notes"])]


def _alike(pairs: Iterable[Pair]) -> dict[str, list[Pair]]:
    by_student: dict[str, list[Pair]] = {}
    for pair in pairs:
        for student in (pair.first, pair.second)[: 1 if pair.earlier else 2]:
            by_student.setdefault(student, []).append(pair)
    return by_student


def _students(
    records: Sequence[SubmissionRecord], found: Mapping[str, Sequence[Reason]], mistakes: Sequence[MistakeCount]
) -> list[_Student]:
    own: list[list[int]] = [[] for _ in records]
    for place, mistake in enumerate(mistakes):
        for student in mistake.students:
            own[student].append(place)
    return [
        _Student(record, kinds(found.get(record["student"], ())), made)
        for record, made in zip(records, own, strict=True)
    ]
