"""Which known mistakes are named where none explains all that is wrong."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from grading.judging.behaviour.arrangement import ABOUT_MISSING
from grading.judging.behaviour.observation import Kind, Observation, Observations, Observed
from grading.judging.diagnosis import _explains_but_for_verdicts, _weigh
from grading.judging.exercise import Check, Exercise, Mistake
from grading.judging.probing import Outcome
from grading.judging.tiers import shows_in_some_cases
from grading.judging.verdict import ExerciseResult, judge_exercise
from grading.sandbox.errors import StudentTimeout
from grading.sandbox.values import Value

EXPECTED, FIRST, SECOND, THIRD = (np.full((2, 3), number) for number in (0.0, 1.0, 2.0, 3.0))
COUNTED = np.arange(1.0, 13.0).reshape(3, 4)


class Session:
    """Where nothing is run: what probes give is fixed."""

    def __init__(self) -> None:
        self.kept: dict[Any, Any] = {}

    def perform(self, operation: dict[str, Value], timeout: float | None = None) -> Value:
        return None


class Known:
    """Mistakes, and what each gives in some checks; in the others it gives what is expected, or nobody knows what."""

    secret = b"tests"

    def __init__(
        self, gives: dict[str, dict[str, np.ndarray]], unknown: frozenset[tuple[str, str]] = frozenset()
    ) -> None:
        self._gives = gives
        self._unknown = unknown

    def reference(self, exercise: Exercise, check: Check, replay: int = 0) -> Outcome:
        return Outcome(COUNTED if check.key.startswith("counts") else EXPECTED)

    def mistakes(self, exercise: Exercise) -> list[Mistake]:
        return [Mistake(sentence, sentence, "") for sentence in self._gives]

    def mistaken(self, exercise: Exercise, mistake: Mistake, check: Check) -> Outcome | None:
        if (mistake.sentence, check.key) in self._unknown:
            return None
        value = self._gives[mistake.sentence].get(check.key)
        return self.reference(exercise, check) if value is None else Outcome(value)

    def shows(self, exercise: Exercise, mistake: Mistake, check: Check) -> bool:
        return (mistake.sentence, check.key) not in self._unknown and check.key in self._gives[mistake.sentence]

    def moves(self, exercise: Exercise, check: Check, replay: int = 0) -> dict[str, Any]:
        return {}


def judge(
    given: dict[str, np.ndarray],
    known: dict[str, dict[str, np.ndarray]],
    unknown: frozenset[tuple[str, str]] = frozenset(),
) -> ExerciseResult:
    """What is said of what a student's code gives in each check."""
    exercise = Exercise("gelu", "course.encoder")
    for key, value in given.items():

        def probe(implementation: object, random: object, value: np.ndarray = value) -> np.ndarray:
            return value

        probe.__name__ = key
        exercise.check(f"is right in {key}", points=1)(probe)
    return judge_exercise(exercise, Session(), Known(known, unknown))


def named(given: dict[str, np.ndarray], known: dict[str, dict[str, np.ndarray]]) -> list[str]:
    """The sentences of what is named."""
    return [mistake.sentence for mistake in judge(given, known).mistakes]


def check_of(key: str, judge: Any = None) -> Check:
    return Check(key, f"is right in {key}", 1, lambda *_: None, judge, 1e-5)


def test_a_mistake_is_the_same_where_machines_round_differently() -> None:
    rounded = COUNTED + 1 + 5e-5
    assert named({"one": rounded}, {"not rounded": {"one": COUNTED + 1}}) == ["not rounded"]
    assert not judge({"counts": COUNTED + 1e-4}, {}).passed


def test_what_explains_more_is_named_first() -> None:
    given = {"one": FIRST, "two": SECOND, "three": THIRD}
    known = {"explains one": {"one": FIRST}, "explains two": {"two": SECOND, "three": THIRD}}
    assert named(given, known) == ["explains two", "explains one"]


def test_what_explains_all_is_named_alone() -> None:
    given = {"one": FIRST, "two": SECOND}
    known = {"explains one": {"one": FIRST}, "explains both": {"one": FIRST, "two": SECOND}}
    assert named(given, known) == ["explains both"]


def test_what_would_fail_a_check_that_passed_is_not_named() -> None:
    given = {"one": FIRST, "two": EXPECTED}
    assert named(given, {"fails both": {"one": FIRST, "two": SECOND}}) == []


def test_a_check_that_was_not_run_on_a_mistake_neither_explains_nor_excludes_it() -> None:
    known = {"shows in one": {"one": FIRST}, "shows in three": {"three": THIRD}}
    unknown = frozenset({("shows in one", "two"), ("shows in three", "two")})
    for passed_or_failed in (EXPECTED, SECOND):
        result = judge({"one": FIRST, "two": passed_or_failed, "three": EXPECTED}, known, unknown)
        assert [mistake.sentence for mistake in result.mistakes] == ["shows in one"]
    alone = judge({"one": EXPECTED, "two": SECOND, "three": EXPECTED}, known, unknown)
    assert (alone.mistakes, alone.perhaps) == ([], [])


def test_a_mistake_that_is_made_in_some_cases_is_said_only_beside_what_these_are() -> None:
    at_times = Observation("In some of the cases: fails both", "")
    where = Observed(Observation("The result is wrong only if `x` is given", ""), frozenset({"one"}), Kind.CALLS)
    said = _weigh([], at_times, Observations((), [where]), {"one": "is right"}, is_single=False)
    assert said.observed == [at_times, where.observation]
    assert not any(_weigh([], at_times, Observations(()), {"one": "is right"}, is_single=False))


def test_of_characters_that_are_missing_only_the_kind_that_explains_most_is_said() -> None:
    """A text whose marks are all beyond ASCII loses all marks, with code that drops what is beyond ASCII."""
    beyond, marks = (Observation(f"All {kind} are missing.", ABOUT_MISSING) for kind in ("letters beyond", "marks"))
    seen = [
        Observed(beyond, frozenset({"one", "two"}), Kind.VALUES),
        Observed(marks, frozenset({"three"}), Kind.VALUES),
    ]
    titles = {"one": "is right", "two": "is so, too", "three": "makes marks tokens"}
    assert _weigh([], None, Observations(seen), titles, is_single=False).observed == [beyond]


def test_what_a_check_says_is_shown_where_nothing_else_is_known() -> None:
    given = {"one": FIRST, "two": EXPECTED}
    guess = judge(given, {"fails both": {"one": FIRST, "two": SECOND}}).observed
    assert [one.sentence.partition(":")[0] for one in guess] == ["In the check “is right in one”"]
    other = judge({"one": FIRST}, {"fails otherwise": {"one": SECOND}}).observed
    assert [one.sentence.partition(":")[0] for one in other] == ["In the check “is right in one”"]
    both = {"fails both": {"one": FIRST, "two": SECOND}, "fails both, too": {"one": FIRST, "two": THIRD}}
    assert not [one for one in judge(given, both).observed if "In some" in one.sentence]


def test_a_mistake_that_is_made_only_in_some_answers_of_a_check_is_said_so() -> None:
    both, mistaken = Outcome({"a": COUNTED, "b": COUNTED}), Outcome({"a": COUNTED + 1, "b": COUNTED + 2})
    two_answers = check_of("two")
    for given, shows in (((1, 0), True), ((0, 2), True), ((0, 0), False), ((1, 1), False), ((1, 2), True)):
        outcome = Outcome({"a": COUNTED + given[0], "b": COUNTED + given[1]})
        assert shows_in_some_cases(two_answers, outcome, mistaken, both) is shows


def test_of_many_that_explain_what_one_leaves_open_none_is_named() -> None:
    given = {"one": FIRST, "two": SECOND, "three": THIRD}
    most = {"explains two": {"one": FIRST, "two": SECOND}}
    known = {**most, "a guess": {"three": THIRD}, "another": {"three": THIRD}}
    result = judge(given, known)
    assert result.mistakes == []
    assert [mistake.sentence for mistake in result.perhaps] == ["explains two"]
    assert named(given, {**most, "the other one": {"three": THIRD}}) == ["explains two", "the other one"]


def test_a_verdict_that_says_something_else_is_explained_by_a_mistake_that_fails_there_too() -> None:
    mistake, checks = Mistake("one", "is one", ""), [check_of("one")]
    checks += [check_of(key, judge=lambda value: str(value.max())) for key in ("two", "three")]
    known = Known({"is one": {"one": FIRST, "two": SECOND, "three": THIRD}})
    exercise = Exercise("gelu", "course.encoder")
    assert _explains_but_for_verdicts(exercise, mistake, frozenset({"one"}), checks, known)
    assert not _explains_but_for_verdicts(exercise, mistake, frozenset({"two"}), checks[1:], known)
    assert not _explains_but_for_verdicts(exercise, mistake, frozenset({"two", "three"}), checks, known)


def test_what_explains_some_is_said_as_perhaps() -> None:
    given = {"one": FIRST, "two": SECOND, "three": THIRD}
    result = judge(given, {"explains two": {"one": FIRST, "two": SECOND}})
    assert result.mistakes == []
    assert [mistake.sentence for mistake in result.perhaps] == ["explains two"]
    assert judge(given, {"explains one": {"one": FIRST}}).perhaps == []


def test_what_was_observed_throughout_wins_over_what_explains_some() -> None:
    given = {"counts one": 8 * COUNTED, "counts two": 8 * COUNTED}
    result = judge(given, {"explains one": {"counts one": 8 * COUNTED}})
    assert (result.mistakes, result.perhaps) == ([], [])
    assert [one.sentence for one in result.observed] == ["The result is the expected one times 8, everywhere."]


def test_what_is_known_throughout_wins_over_what_was_observed() -> None:
    given = {"counts one": 8 * COUNTED, "counts two": 8 * COUNTED}
    result = judge(given, {"explains both": given})
    assert [mistake.sentence for mistake in result.mistakes] == ["explains both"]
    assert result.observed == []


def test_who_passes_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grading.judging.diagnosis.observe", lambda *_: pytest.fail("what passes costs nothing more"))
    assert judge({"counts one": COUNTED, "two": EXPECTED}, {}).passed


def test_what_cannot_be_looked_at_fails_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def trips(*_: object) -> None:
        raise ValueError("an answer that nobody has thought of")

    monkeypatch.setattr("grading.judging.diagnosis.observe", trips)
    result = judge({"counts one": 8 * COUNTED}, {})
    assert not result.passed
    assert [one.sentence.partition(":")[0] for one in result.observed] == ["In the check “is right in counts one”"]


def test_other_inputs_are_tried_once_more_on_a_busy_machine() -> None:
    exercise = Exercise("gelu", "course.encoder")
    busy = itertools.chain([False, True], itertools.repeat(False))

    @exercise.check("has a property", points=1, judge=lambda *_: None)
    def property_alone(implementation: object, random: object) -> np.ndarray:
        if next(busy):
            raise StudentTimeout(10, machine_was_busy=True)
        return EXPECTED

    assert judge_exercise(exercise, Session(), Known({})).earned == 0


def test_only_what_would_be_said_is_observed_again_on_other_inputs() -> None:
    chance, true, other = (
        Observed(Observation(f"It is {number}.", "Why?"), frozenset({"one"}), Kind.VALUES) for number in range(3)
    )
    asked: list[Observed] = []

    def holds(one: Observed) -> bool:
        asked.append(one)
        return one is not chance

    observed = Observations([chance, true, other], holds=holds)
    assert _weigh([], None, observed, {"one": "is right"}, is_single=False).observed == [true.observation]
    assert asked == [chance, true]


def test_what_was_observed_in_one_of_two_failed_checks_names_the_check() -> None:
    seen = Observed(Observation("It is 0.", "Why?"), frozenset({"one"}), Kind.VALUES)
    (said,) = _weigh([], None, Observations([seen]), {"one": "is right", "two": "is so, too"}, is_single=False).observed
    assert said.sentence == "In the check “is right”: It is 0."
    (alone,) = _weigh([], None, Observations([seen]), {"one": "is right"}, is_single=True).observed
    assert alone.sentence == "It is 0."
