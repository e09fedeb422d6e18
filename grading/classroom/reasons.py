"""Why a submission needs an instructor's look: hints, and no verdicts. Terminal, pages and gradebooks say the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from grading.classroom.grader import MISSING, TWICE, UNKNOWN, SubmissionRecord
from grading.classroom.similarity import Pair

DAMAGED, CRASHED, FLAGGED, ALIKE, NOTED = "damaged", "crashed", "flagged", "alike", "read with care"
# The most pressing first.
ROSTER_KINDS = (TWICE, UNKNOWN, MISSING)
KINDS = (DAMAGED, TWICE, UNKNOWN, CRASHED, FLAGGED, ALIKE, NOTED, MISSING)


class Reason(NamedTuple):
    """Why a submission needs a look.

    Attributes:
        exercise: the one that it is about; "" where it is about all.
        other: the student whom it names; "" where it names none.
    """

    kind: str
    text: str
    exercise: str = ""
    other: str = ""


def reasons(record: SubmissionRecord) -> list[Reason]:
    """What one record gives reason to look at."""
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
            Reason(FLAGGED, f"{exercise['name']} calls {name}", exercise["name"])
            for exercise in record["exercises"]
            for name in exercise["ready_made"]
        ),
        *(Reason(NOTED, note) for note in record["notes"]),
    ]


def reasons_of_class(records: Iterable[SubmissionRecord], pairs: Iterable[Pair] = ()) -> dict[str, list[Reason]]:
    """By student, what each record gives reason to look at, and whose solutions are alike; nobody without a reason.

    Args:
        pairs: those of students without a record are passed over.
    """
    found = {record["student"]: reasons(record) for record in records}
    for pair in pairs:
        for student, other in ((pair.first, pair.second), (pair.second, pair.first)):
            text = f"{pair.exercise} is built like that of {other}, {round(100 * pair.share)} %"
            if student in found:
                found[student].append(Reason(ALIKE, text, pair.exercise, other))
    return {student: some for student, some in found.items() if some}


def kinds(some: Sequence[Reason]) -> list[str]:
    """The kinds of some reasons, the most pressing first, each once."""
    return [kind for kind in KINDS if any(reason.kind == kind for reason in some)]


def by_kind(found: Mapping[str, Sequence[Reason]]) -> dict[str, dict[str, list[Reason]]]:
    """A class's reasons: of the most pressing kind first, and of each kind by student."""
    sorted_out: dict[str, dict[str, list[Reason]]] = {kind: {} for kind in KINDS}
    for student, some in found.items():
        for reason in some:
            sorted_out[reason.kind].setdefault(student, []).append(reason)
    return {kind: students for kind, students in sorted_out.items() if students}


def to_look_at(some: Sequence[Reason], exercises: Sequence[str]) -> set[str]:
    """The exercises in which a person should look; what is about the whole submission is seen in the first one."""
    return {reason.exercise or exercises[0] for reason in some if reason.kind not in (NOTED, MISSING)}
