"""A result as plain values, for cards and pages, for the disk, and for the statistics of the class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NotRequired, TypedDict

from grading.feedback.heatmap import panels
from grading.feedback.own_line import own_line
from grading.judging.behaviour.observation import Observation
from grading.judging.exercise import Exercise
from grading.judging.language import refusals
from grading.judging.trial import CheckResult
from grading.judging.verdict import ExerciseResult
from grading.messages import Message, in_turn
from grading.messages.stored import StoredMessage, by_english, messages_in
from grading.messages.translator import Translator
from grading.sandbox.allowlist import allowlist


class CheckRecord(TypedDict):
    """One check; `message` says what is wrong, or is ""."""

    title: str
    points: float
    earned: float
    passed: bool
    message: str


class RemarkRecord(TypedDict):
    """An observation about code without a diagnosis, or a known mistake that explains only some of the failed checks.

    `mark` says which of the two it is, "Observed" or "Perhaps", and is shown in front.
    """

    mark: str
    sentence: str
    hint: str


class ExerciseRecord(TypedDict):
    """One exercise.

    `problem` says why its code could not be checked at all; "" where it could. `refused` is what it uses that an answer
    may not. `crashes` counts how often the submission's process ended or hung in it. `override` is a sentence on points
    given by hand, where the instructor gave some. `messages` are the parts of its sentences, for pages in other
    languages. Records of older versions have neither crashes nor messages.
    """

    name: str
    points: float
    earned: float
    passed: bool
    problem: str
    checks: list[CheckRecord]
    mistakes: list[dict[str, str]]
    observed: list[RemarkRecord]
    refused: list[str]
    panels: list[dict[str, Any]]
    crashes: NotRequired[int]
    override: NotRequired[str]
    messages: NotRequired[list[StoredMessage]]


def record(result: ExerciseResult, source: str = "") -> ExerciseRecord:
    """The record of an exercise whose checks have run.

    Args:
        result: what became of them.
        source: the code, if an observation may say which of its lines does what was observed.
    """
    wrong = next((check.difference for check in result.checks if check.difference), None)
    shown: ExerciseRecord = {
        "name": result.exercise.name,
        "points": result.exercise.points,
        "earned": result.earned,
        "passed": result.passed,
        "problem": result.problem,
        "checks": [
            {
                "title": check.check.title,
                "points": check.check.points,
                "earned": check.earned,
                "passed": check.passed,
                "message": _message(check),
            }
            for check in result.checks
        ],
        "mistakes": [
            {"sentence": mistake.sentence, "hint": mistake.hint} for mistake in (*result.mistakes, *result.meanings)
        ],
        "observed": _remarks(result, source),
        "refused": [],
        "panels": [panel._asdict() for panel in panels(wrong)] if wrong else [],
    }
    return _with_messages(shown)


def _with_messages(shown: ExerciseRecord) -> ExerciseRecord:
    known = {one["english"]: one for one in [*shown.get("messages", []), *messages_in(shown)]}
    return {**shown, "messages": list(known.values())}


def _remarks(result: ExerciseResult, source: str) -> list[RemarkRecord]:
    observed = [
        RemarkRecord(mark="Observed", sentence=one.sentence, hint=_with_place(one, result, source))
        for one in result.observed
    ]
    return observed + [
        RemarkRecord(mark="Perhaps", sentence=remark.sentence, hint=remark.hint) for remark in result.perhaps
    ]


def _with_place(observed: Observation, result: ExerciseResult, source: str) -> str:
    """The question of an observation, with the line of the code that it is about, if that is known."""
    line = own_line(observed.sentence, source, result.exercise.name)
    if not line:
        return observed.question
    question = Message.of(observed.question)
    return Message("{question} In your code, look at this line: `{line}`", question=question, line=line)


def findings(exercise: ExerciseRecord) -> list[str]:
    """The findings in an exercise, a sentence each: known mistakes, then observations."""
    known = [mistake["sentence"] for mistake in exercise["mistakes"]]
    # Results from an older version have no observations.
    return known + [f"{remark['mark']}: {remark['sentence']}" for remark in exercise.get("observed", [])]


def in_words(exercises: Sequence[str]) -> str:
    """Names as a sentence lists them."""
    *others, last = [f"`{name}`" for name in exercises]
    return Message("{others} and {last}", others=", ".join(others), last=last) if others else last


def with_waiting(shown: ExerciseRecord, unfinished: Sequence[str], is_wrong: bool) -> ExerciseRecord:
    """The record of an exercise that has failed, with the exercises on which it builds and which have not passed.

    Args:
        shown: the record.
        unfinished: their names.
        is_wrong: whether one of them is known to be wrong. That looks as if it were wrong here, so nothing is named.
    """
    waiting: ExerciseRecord = _with_messages({**shown, "problem": _waits_for(unfinished)})
    return {**waiting, "mistakes": [], "observed": []} if is_wrong else waiting


# Of an exercise's record, and of what stands in it, the texts that people read.
_READ = {"title", "message", "problem", "sentence", "hint", "override", "description"}


def translated(shown: ExerciseRecord, translator: Translator) -> ExerciseRecord:
    """A record whose sentences are said in another language. What a student wrote stays as it is."""
    known = by_english(shown.get("messages", []))

    def walked(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: item if name == "messages" else walked(item, name) for name, item in value.items()}
        if isinstance(value, list):
            return [walked(item) for item in value]
        return translator(known.get(value, value)) if key in _READ else value

    return walked(shown)


def _waits_for(exercises: Sequence[str]) -> str:
    if not exercises:
        return ""
    return Message(
        "It builds on {exercises}, which has not passed here yet. Begin there: that may be the only reason why checks "
        "below fail. At grading it is also run with a correct one.",
        plural="It builds on {exercises}, which have not passed here yet. Begin there: that may be the only reason why "
        "checks below fail. At grading it is also run with correct ones.",
        exercises=in_words(exercises),
        count=len(exercises),
    )


def _message(check: CheckResult) -> str:
    if check.beside:
        return Message(
            "right with a correct {exercises}; what is wrong in yours was counted there",
            exercises=in_words(check.beside),
        )
    return check.difference.message if check.difference else ""


def record_unchecked(exercise: Exercise, problem: str, refused: Sequence[str] = ()) -> ExerciseRecord:
    """The record of an exercise of which there is nothing to run."""
    shown: ExerciseRecord = {
        "name": exercise.name,
        "points": exercise.points,
        "earned": 0.0,
        "passed": False,
        "problem": problem,
        "checks": [],
        "mistakes": [],
        "observed": [],
        "refused": list(refused),
        "panels": [],
    }
    return _with_messages(shown)


def record_refused(exercise: Exercise, source: str) -> ExerciseRecord | None:
    """The record of an exercise whose source uses what an answer may not; None where it does not.

    Args:
        source: the definition with all that it refers to.
    """
    found = refusals(source, allowlist().without(exercise.ready_made))
    if not found:
        return None
    problem = Message(
        "Not checked: {refusals}. The names that an answer may use are in grading/sandbox/allowed.toml.",
        refusals=in_turn(refusal.sentence for refusal in found),
    )
    return record_unchecked(exercise, problem, [refusal.name for refusal in found])
