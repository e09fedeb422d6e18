"""Runs one probe on one implementation, and holds what came back against what was expected."""

from __future__ import annotations

import hashlib
import itertools
import math
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from grading.errors import GradingError
from grading.judging.comparison import Difference, compare, describe
from grading.judging.error_meanings import Meaning, meaning_of
from grading.judging.exercise import Check, Exercise
from grading.judging.proxies import Proxy, Session
from grading.judging.weight_layouts import LayoutSearch, WeightsMismatch
from grading.messages import Message
from grading.sandbox.errors import (
    BadAnswer,
    StudentDied,
    StudentError,
    StudentTimeout,
    SubmissionError,
    SubmissionTimeout,
)


class Own(Enum):
    """The kinds of failures that the grader itself finds; no class of an exception is equal to one."""

    TIMEOUT = "timeout"
    OVERTIME = "overtime"
    DIED = "died"
    BAD_ANSWER = "bad answer"
    WEIGHTS = "weights"
    SHAPELESS = "unexpected form"


# After these, nothing is run for a closer look, and what is said of them is the grader's own.
ENDED_BADLY = frozenset({Own.TIMEOUT, Own.OVERTIME, Own.DIED})
# How many numbers a judge may make of an answer's arrays by broadcasting; right answers need less than half a million.
_MOST_JUDGED = 1 << 24
# A mistake often makes numbers large, and with them what two machines differ by; two mistakes differ by far more.
SAME_MISTAKE = 1e-4


@dataclass(frozen=True)
class Failure:
    """Why a probe has no arrays to show.

    Attributes:
        kind: the class name of the exception that the student's code raised, or one of the grader's own kinds.
        message: what happened, in words.
        line: the line of the student's code that led to it, where it is known; or three lines, as in `StudentError`.
        mark: tells two failures apart without quoting them; made from kind and message where it is not given.
    """

    kind: str | Own
    message: str
    line: str = ""
    mark: str = ""

    def __post_init__(self) -> None:
        mark = self.mark or hashlib.sha256(f"{self.kind}/{self.message}".encode(errors="replace")).hexdigest()[:16]
        object.__setattr__(self, "mark", mark)

    @classmethod
    def of(cls, error: SubmissionError) -> Failure:
        """The failure that an error of the student's side is."""
        if isinstance(error, StudentError):
            return cls(error.kind, error.message, error.line)
        kinds = {
            StudentTimeout: Own.TIMEOUT,
            SubmissionTimeout: Own.OVERTIME,
            StudentDied: Own.DIED,
            BadAnswer: Own.BAD_ANSWER,
            WeightsMismatch: Own.WEIGHTS,
        }
        return cls(kinds[type(error)], _message(error))

    @property
    def meaning(self) -> Meaning | None:
        """What it means, where that is known."""
        return meaning_of("" if isinstance(self.kind, Own) else self.kind, self.message)

    def sentence(self) -> str:
        """The failure as a student is told it."""
        if self.meaning:
            what = Message.of(self.meaning.short)
        elif isinstance(self.kind, Own):
            what = Message.of(self.message)
        else:
            what = Message("{error}", error=f"{self.kind}: {self.message}" if self.message else self.kind)
        match self.line.split("\n"):
            case [line, deepest, where]:
                return Message(
                    "{what}, at `{line}`, which leads to `{deepest}` in `{where}`",
                    what=what,
                    line=line,
                    deepest=deepest,
                    where=where,
                )
        return Message("{what}, at `{line}`", what=what, line=self.line) if self.line else what


def _message(error: SubmissionError) -> str:
    """What happened, in words; the sandbox itself knows no messages."""
    if isinstance(error, SubmissionTimeout):
        return Message(
            "the submission has run for {seconds} seconds by the clock on the wall, the most that one may take,"
            " and this was ended or not begun; start no threads, do not sleep and compute less; if your code does none"
            " of that, ask for it to be graded again on a quieter machine",
            seconds=f"{error.seconds:g}",
        )
    if isinstance(error, StudentTimeout):
        return Message("there was no answer within {seconds} seconds", seconds=f"{error.seconds:g}")
    return error.args[0] if isinstance(error, WeightsMismatch) else str(error)


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one probe gave: arrays, or a failure."""

    value: Any = None
    failure: Failure | None = None

    @property
    def ended_badly(self) -> bool:
        """Whether it hung or died, so that it is not to be run for a closer look."""
        return self.failure is not None and self.failure.kind in ENDED_BADLY


def seed_for(secret: bytes, exercise: Exercise, check: Check, whose: str = "") -> int:
    """The seed of a check's random inputs: 32 bits that only the holder of the secret can know.

    Args:
        whose: "" for the inputs, or the name of another purpose; the seed of one tells nothing of that of another.
    """
    text = f"{exercise.name}/{check.key}{whose and '/'}{whose}".encode()
    return int.from_bytes(hashlib.sha256(secret + b"/" + text).digest()[:4], "little")


REPLAYS = 3


def replay_secret(secret: bytes, replay: int) -> bytes:
    """What seeds the inputs on which an observation must hold again, 1 to `REPLAYS`; 0 is the check itself."""
    return secret + b"/replay %d" % replay if replay else secret


def run_probe(
    exercise: Exercise,
    check: Check,
    session: Session,
    secret: bytes,
    layout_search: LayoutSearch | None = None,
    *,
    inputs: str = "",
) -> Outcome:
    """Runs a check's probe on the definition of that name in a session.

    Args:
        inputs: "" for the check's own inputs, or a name for other ones. The student's own random numbers stay the same.
    """
    try:
        return _run(exercise, check, session, secret, layout_search, inputs)
    except StudentTimeout as timeout:
        if not timeout.machine_was_busy:
            return Outcome(failure=Failure.of(timeout))
    try:  # once more: others have used the machine meanwhile
        return _run(exercise, check, session, secret, layout_search, inputs)
    except StudentTimeout as timeout:
        return Outcome(failure=Failure.of(timeout))


def _run(
    exercise: Exercise,
    check: Check,
    session: Session,
    secret: bytes,
    layout_search: LayoutSearch | None,
    inputs: str,
) -> Outcome:
    """What the probe gives.

    Raises:
        StudentTimeout: it does not end.
    """
    # RandomState's stream is frozen for good, so that arrays in a release fit under any later NumPy.
    random = np.random.RandomState(seed_for(secret, exercise, check, inputs))
    try:
        session.perform({"op": "seed", "seed": seed_for(secret, exercise, check, "student")})
        return Outcome(check.probe(Proxy(session, exercise.name, layout_search), random))
    except StudentTimeout:
        raise
    except SubmissionError as error:
        return Outcome(failure=Failure.of(error))
    except GradingError:
        raise  # the grader's own trouble, such as a sandbox that is gone, is no student's fault
    except Exception as error:
        # Probes unpack answers in good faith; an answer of another form ends here.
        said = Message("returned something of another form than asked for ({error})", error=str(error))
        return Outcome(failure=Failure(Own.SHAPELESS, said))


def run_layouts(
    exercise: Exercise,
    check: Check,
    session: Session,
    secret: bytes,
    wanted: Outcome,
    layout_search: LayoutSearch,
) -> list[Outcome]:
    """Runs a probe under each layout that fits the weights, up to the first that gives what was wanted.

    Where several fit, this settles the layout_search for the checks that follow: on the one that gave what was
    wanted, or on the likeliest.
    """
    outcomes = [run_probe(exercise, check, session, secret, layout_search)]
    several = layout_search.count > 1
    while problem(check, outcomes[-1], wanted) and layout_search.index + 1 < layout_search.count:
        layout_search.index += 1
        outcomes.append(run_probe(exercise, check, session, secret, layout_search))
    if several:
        found = problem(check, outcomes[-1], wanted) is None
        layout_search.settle(layout_search.index if found else 0)
        layout_search.count = 1
    return outcomes


def problem(check: Check, outcome: Outcome, wanted: Outcome) -> Difference | None:
    """What is wrong with an outcome, or None where the check holds."""
    if outcome.failure:
        return Difference(outcome.failure.sentence())
    if check.judge is None:
        return compare(outcome.value, wanted.value, check.tolerance)
    finding = _judge(check, outcome)
    return Difference(finding) if finding else None


def agree(check: Check, outcome: Outcome, other: Outcome) -> bool:
    """Whether two outcomes show the same mistake."""
    if outcome.failure and other.failure:
        return outcome.failure.mark == other.failure.mark
    if outcome.failure or other.failure:
        return False
    if check.judge is not None:
        return _judge(check, outcome) == _judge(check, other)
    return compare(outcome.value, other.value, max(check.tolerance, SAME_MISTAKE)) is None


def shows_dependence(check: Check, outcome: Outcome, wanted: Outcome) -> bool:
    """Whether only what has looked at its inputs can have given this: it agrees with numbers that are not all one."""
    if check.judge is not None or problem(check, outcome, wanted) is not None:
        return False
    return _differ(wanted.value)


def _differ(value: Any) -> bool:
    """Whether an answer holds an array of different values, or a text."""
    if isinstance(value, dict | list | tuple):
        return any(map(_differ, value.values() if isinstance(value, dict) else value))
    if isinstance(value, np.ndarray):
        return bool(value.size and (value != value.flat[0]).any())
    return isinstance(value, str)


def same(one: Outcome, other: Outcome) -> bool:
    """Whether two outcomes are equal to the last bit."""
    if one.failure or other.failure:
        return False
    return compare(one.value, other.value, tolerance=0) is None


def _judge(check: Check, outcome: Outcome) -> str | None:
    assert check.judge is not None
    try:
        if math.prod(_broadcast_together(outcome.value)) <= _MOST_JUDGED:
            return check.judge(_with_names(outcome.value))
    except Exception:  # a judge takes arrays apart in good faith; a student's may be anything
        pass
    return Message("returned {given}, which is something else than asked for", given=describe(outcome.value))


def _broadcast_together(value: Any) -> list[int]:
    """The shape that holds whatever arrays an answer has, its axes from the last to the first.

    NumPy broadcasts arrays of the shapes (n, 1) and (1, n) to n · n numbers, and a judge may compare any two.
    """
    if isinstance(value, dict | list | tuple):
        shapes = map(_broadcast_together, value.values() if isinstance(value, dict) else value)
        return [max(sizes) for sizes in itertools.zip_longest(*shapes, fillvalue=1)]
    return list(reversed(value.shape)) if isinstance(value, np.ndarray) else []


def _with_names(answers: Any) -> Any:
    """What a probe gave, with the names of its parts as messages, since a judge's sentence may quote one."""
    return {Message.of(name): answer for name, answer in answers.items()} if isinstance(answers, dict) else answers
