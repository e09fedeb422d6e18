"""Why a submission needs an instructor's look: hints, not verdicts. Terminal, pages and gradebooks show the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from grading.classroom.similarity import Pair
from grading.classroom.submission_record import MISSING, SAME_NAME, TWICE, UNKNOWN, SubmissionRecord

DAMAGED, CRASHED, FLAGGED, ALIKE, NOTED = "damaged", "crashed", "flagged", "alike", "read with care"
# The most pressing first.
ROSTER_KINDS = (TWICE, SAME_NAME, UNKNOWN, MISSING)
KINDS = (DAMAGED, TWICE, SAME_NAME, UNKNOWN, CRASHED, FLAGGED, ALIKE, NOTED, MISSING)


class Reason(NamedTuple):
    """Why a submission needs a look.

    Attributes:
        exercise: the exercise that it is about; "" for the whole submission.
        other: another student whom it names, or "".
    """

    kind: str
    text: str
    exercise: str = ""
    other: str = ""


def reasons(record: SubmissionRecord) -> list[Reason]:
    """The reasons to look at one record."""
    crashes = record["crashes"]
    times = "once" if crashes == 1 else f"{crashes} times"
    status = record["person"]["status"]
    kind = status if status in (MISSING, TWICE, SAME_NAME) else DAMAGED
    remark = status if status == SAME_NAME else kind if record["problem"] else NOTED
    return [
        *([Reason(UNKNOWN, "it fits nobody on the roster")] if status == UNKNOWN else []),
        *([Reason(kind, record["problem"])] if record["problem"] else []),
        *(Reason(remark, text) for text in record.get("for_instructor", [])),
        *([Reason(CRASHED, f"its process ended or hung {times}")] if crashes else []),
        *(
            Reason(FLAGGED, f"{exercise['name']} uses {', '.join(refused)}", exercise["name"])
            for exercise in record["exercises"]
            if (refused := exercise.get("refused"))  # results of an older version have none
        ),
        *(Reason(NOTED, note) for note in record["notes"]),
    ]


def reasons_of_class(records: Iterable[SubmissionRecord], pairs: Iterable[Pair] = ()) -> dict[str, list[Reason]]:
    """The reasons to look at each record, similar solutions included, by student. Students without a reason are absent.

    Args:
        pairs: similar solutions. Students without a record are skipped.
    """
    found = {record["student"]: reasons(record) for record in records}
    for pair in pairs:
        where = f" in {pair.earlier}" if pair.earlier else ""
        also = f"; they are alike in chapter {' and '.join(map(str, pair.also))}, too" if pair.also else ""
        for student, other in ((pair.first, pair.second), (pair.second, pair.first))[: 1 if pair.earlier else 2]:
            text = f"{pair.exercise} is built like that of {other}{where}, {round(100 * pair.share)} %{also}"
            if student in found:
                found[student].append(Reason(ALIKE, text, pair.exercise, "" if pair.earlier else other))
    return {student: some for student, some in found.items() if some}


def kinds(some: Sequence[Reason]) -> list[str]:
    """The kinds of some reasons, each once, the most pressing first."""
    return [kind for kind in KINDS if any(reason.kind == kind for reason in some)]


def by_kind(found: Mapping[str, Sequence[Reason]]) -> dict[str, dict[str, list[Reason]]]:
    """A class's reasons by kind, the most pressing first, and by student."""
    sorted_out: dict[str, dict[str, list[Reason]]] = {kind: {} for kind in KINDS}
    for student, some in found.items():
        for reason in some:
            sorted_out[reason.kind].setdefault(student, []).append(reason)
    return {kind: students for kind, students in sorted_out.items() if students}


def to_look_at(some: Sequence[Reason], exercises: Sequence[str]) -> set[str]:
    """The exercises that a person should look at. A reason about the whole submission goes to the first one."""
    return {reason.exercise or exercises[0] for reason in some if reason.kind not in (NOTED, MISSING)}
