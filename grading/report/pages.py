"""The pages of a graded class: one for each student, and one for the instructor."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import markupsafe

from grading.classroom.grader import MISSING, TWICE, UNKNOWN, SubmissionRecord
from grading.classroom.records import outline
from grading.classroom.results import page_name
from grading.classroom.similarity import Pair
from grading.feedback.card import environment
from grading.judging.exercise import Chapter
from grading.report.statistics import exercise_statistics, mistake_counts, summary
from grading.storage.files import write_file

_TEMPLATES = Path(__file__).parent / "templates"

# Why a submission needs a look, as the page's filter offers it.
DAMAGED, CRASHED, FLAGGED, ALIKE, NOTED = "damaged", "crashed", "flagged", "alike", "read with care"
KINDS = (MISSING, TWICE, UNKNOWN, DAMAGED, CRASHED, FLAGGED, ALIKE, NOTED)


class Reason(NamedTuple):
    """Why a submission needs a look; `page` is of the student whom it names, "" where it names none."""

    kind: str
    text: str
    page: str = ""


class _Student(NamedTuple):
    record: SubmissionRecord
    page: str
    reasons: list[Reason]

    @property
    def kinds(self) -> list[str]:
        found = {reason.kind for reason in self.reasons}
        return [kind for kind in KINDS if kind in found]


def write_pages(
    folder: Path, chapter: Chapter, records: Iterable[SubmissionRecord], pairs: Iterable[Pair] = ()
) -> Path:
    """Writes `index.html` and a page for each student, and returns the path of the first.

    Args:
        records: gone through once; of each an outline is kept.
        pairs: of students whose solutions are alike. Only the instructor's page names them.

    Raises:
        GradingError: they cannot be written.
    """
    outlines = []
    for record in records:
        write_file(folder / _page(record["student"]), _render("student.html", record=record))
        outlines.append(outline(record))
    students = _students(outlines, pairs)
    index = folder / "index.html"
    write_file(
        index,
        _render(
            "class.html",
            chapter=chapter,
            students=students,
            look=[student for student in students if student.reasons],
            kinds=[kind for kind in KINDS if any(kind in student.kinds for student in students)],
            summary=summary(outlines),
            mistakes=mistake_counts(outlines),
            exercises=exercise_statistics(chapter, outlines),
            script=_script("class.js"),
        ),
    )
    return index


def _page(student: str) -> str:
    return f"students/{page_name(student)}.html"


def _render(template: str, **values: Any) -> str:
    return environment(_TEMPLATES).get_template(template).render(**values)


def _script(name: str) -> dict[str, Any]:
    """A script for a page, and the word by which the page's policy allows it and no other."""
    text = (_TEMPLATES / name).read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return {"text": markupsafe.Markup(text), "policy": f"sha256-{digest}"}


def _students(records: Sequence[SubmissionRecord], pairs: Iterable[Pair]) -> list[_Student]:
    alike: dict[str, list[Reason]] = {}
    for pair in pairs:
        for student, other in ((pair.first, pair.second), (pair.second, pair.first)):
            text = f"{pair.exercise} is built like that of {other}, {round(100 * pair.share)} %"
            alike.setdefault(student, []).append(Reason(ALIKE, text, _page(other)))
    return [
        _Student(record, _page(record["student"]), [*_reasons(record), *alike.get(record["student"], ())])
        for record in records
    ]


def _reasons(record: SubmissionRecord) -> list[Reason]:
    crashes = record["crashes"]
    times = "once" if crashes == 1 else f"{crashes} times"
    status = record["person"]["status"]
    kind = status if status in (MISSING, TWICE) else DAMAGED
    return [
        *([Reason(UNKNOWN, "nobody on the roster could be meant, or several")] if status == UNKNOWN else []),
        *([Reason(kind, record["problem"])] if record["problem"] else []),
        *([Reason(CRASHED, f"its process ended or hung {times}")] if crashes else []),
        *(Reason(FLAGGED, flag) for flag in record["flags"]),
        *(
            Reason(FLAGGED, f"{exercise['name']} calls {name}")
            for exercise in record["exercises"]
            for name in exercise["ready_made"]
        ),
        *(Reason(NOTED, note) for note in record["notes"]),
    ]
