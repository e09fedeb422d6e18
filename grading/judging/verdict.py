"""Runs an exercise's checks on a student's definition: points, what differs, and the mistake by its name."""

from __future__ import annotations

from dataclasses import dataclass, field

from grading.definitions import ready_made_names
from grading.judging.comparison import Difference
from grading.judging.error_meanings import unwritten
from grading.judging.exercise import Check, Exercise, Mistake
from grading.judging.expectations import Earlier, Expectations
from grading.judging.probing import DIED, TIMEOUT, Outcome, agree, problem, run_layouts
from grading.judging.proxies import Session
from grading.judging.weight_layouts import LayoutSearch
from grading.sandbox.errors import NotAllowed

NOT_WRITTEN = "NotImplementedError"
# No known mistake ends so; to look for one would make them all run for nothing.
_NEVER_KNOWN = {TIMEOUT, DIED, NotAllowed.__name__}


@dataclass(frozen=True, eq=False)
class CheckResult:
    """One check: what it was worth, what it earned, and what is wrong where it earned nothing.

    Attributes:
        follows: whether what came back is right for the student's own earlier definitions, which were marked
            already: one mistake is paid for once.
    """

    check: Check
    difference: Difference | None
    follows: bool = False

    @property
    def passed(self) -> bool:
        return self.difference is None

    @property
    def earned(self) -> float:
        return self.check.points if self.passed else 0.0


@dataclass(frozen=True, eq=False)
class ExerciseResult:
    """All checks of one exercise.

    Attributes:
        problem: why there was nothing to check, "" where there was.
        mistakes: the known mistakes that explain what failed, the likeliest first.
        meanings: what errors mean that none of these explains.
        ready_made: ready-made things that the solution calls where it must be written.
    """

    exercise: Exercise
    checks: list[CheckResult]
    problem: str = ""
    mistakes: list[Mistake] = field(default_factory=list)
    meanings: list[Mistake] = field(default_factory=list)
    ready_made: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return all(result.passed for result in self.checks)

    @property
    def earned(self) -> float:
        return sum(result.earned for result in self.checks)


def judge_exercise(
    exercise: Exercise,
    session: Session,
    expectations: Expectations,
    *,
    source: str = "",
    earlier: Earlier | None = None,
) -> ExerciseResult:
    """Runs every check of an exercise on the definition of its name in a session.

    Args:
        exercise: what is checked.
        session: where the definition is.
        expectations: what to compare with.
        source: the definition's text, in which ready-made things are looked for.
        earlier: exercises that this one may build on and that were got wrong in a known way.
    """
    results: list[CheckResult] = []
    outcomes: dict[str, list[Outcome]] = {}
    hopeless: Difference | None = None
    layout_search = LayoutSearch()
    for check in exercise.checks:
        if hopeless:
            results.append(CheckResult(check, hopeless))
            continue
        wanted = expectations.reference(exercise, check)
        tried = run_layouts(exercise, check, session, expectations.secret, wanted, layout_search)
        outcomes[check.key] = tried
        if problem(check, tried[-1], wanted) is None:
            results.append(CheckResult(check, None))
        elif earlier and _follows(exercise, check, tried, expectations, earlier):
            results.append(CheckResult(check, None, follows=True))
        else:
            # Of several layouts that all fail, the first is the likeliest to be what the student meant.
            results.append(CheckResult(check, problem(check, tried[0], wanted)))
        hopeless = _hopeless(tried[-1])
        if len(results) == 1 and _is_not_written(tried[-1]):
            return _not_written(exercise, tried[-1])
    mistakes = [] if hopeless else _diagnose(exercise, results, outcomes, expectations)
    meanings = _meanings(exercise, results, outcomes, mistakes, expectations)
    return ExerciseResult(
        exercise, results, mistakes=mistakes, meanings=meanings, ready_made=_ready_made(exercise, source)
    )


def _is_not_written(outcome: Outcome) -> bool:
    return outcome.failure is not None and outcome.failure.kind == NOT_WRITTEN


def _not_written(exercise: Exercise, outcome: Outcome) -> ExerciseResult:
    said = outcome.failure.message if outcome.failure else ""
    failed = [CheckResult(check, Difference("")) for check in exercise.checks]
    missing = unwritten(said)
    if missing and missing.partition(".")[0] != exercise.name:
        problem = f"It needs `{missing}`, which is not written yet. Write that first, and run its check."
    else:
        problem = f"Not written yet. {said}".strip()
    return ExerciseResult(exercise, failed, problem=problem)


def _ready_made(exercise: Exercise, source: str) -> list[str]:
    """What the text refers to of that which the exercise asks to write."""
    in_any_exercise = set(ready_made_names(source, ()))
    named = ready_made_names(source, (*exercise.ready_made, *exercise.pointed_out))
    return [name for name in named if name not in in_any_exercise]


def _follows(
    exercise: Exercise, check: Check, tried: list[Outcome], expectations: Expectations, earlier: Earlier
) -> bool:
    wanted = expectations.following(exercise, check, earlier)
    return wanted is not None and any(problem(check, outcome, wanted) is None for outcome in tried)


def _hopeless(outcome: Outcome) -> Difference | None:
    """Why no further check of this exercise is run: each would only wait in the same way."""
    if outcome.failure is None or outcome.failure.kind != TIMEOUT:
        return None
    return Difference("not run, because the check before it never ended")


def _diagnose(
    exercise: Exercise,
    results: list[CheckResult],
    outcomes: dict[str, list[Outcome]],
    expectations: Expectations,
) -> list[Mistake]:
    """The known mistake that gives what the student's code gave in every check, or failing that, in some."""
    failed = [result.check for result in results if not result.passed]
    passed = [result.check for result in results if result.passed and not result.follows]
    if all(one.failure and one.failure.kind in _NEVER_KNOWN for check in failed for one in outcomes[check.key]):
        return []

    def explains(mistake: Mistake, check: Check) -> bool:
        wrong = expectations.mistaken(exercise, mistake, check)
        return any(agree(check, outcome, wrong) for outcome in outcomes[check.key])

    def fits(mistake: Mistake) -> bool:
        return all(_shows_nothing(exercise, mistake, check, expectations) for check in passed)

    # One that explains everything is looked for first: most others are out after one check.
    for mistake in expectations.mistakes(exercise):
        if all(explains(mistake, check) for check in failed) and fits(mistake):
            return [mistake]
    explained = [
        (sum(explains(mistake, check) for check in failed), mistake) for mistake in expectations.mistakes(exercise)
    ]
    partial = [(count, mistake) for count, mistake in explained if count and fits(mistake)]
    partial.sort(key=lambda pair: -pair[0])
    return [mistake for _, mistake in partial[:2]]


def _meanings(
    exercise: Exercise,
    results: list[CheckResult],
    outcomes: dict[str, list[Outcome]],
    mistakes: list[Mistake],
    expectations: Expectations,
) -> list[Mistake]:
    """What the errors mean that are shown and that no named mistake explains, each once."""
    found: list[Mistake] = []
    for check in (result.check for result in results if not result.passed and result.check.key in outcomes):
        outcome = outcomes[check.key][0]
        meaning = outcome.failure.meaning if outcome.failure else None
        if meaning is None or meaning.mistake in found:
            continue
        known = (expectations.mistaken(exercise, mistake, check) for mistake in mistakes)
        if not any(agree(check, outcome, wrong) for wrong in known):
            found.append(meaning.mistake)
    return found


def _shows_nothing(exercise: Exercise, mistake: Mistake, check: Check, expectations: Expectations) -> bool:
    """Whether code with this mistake would pass the check all the same."""
    wanted = expectations.reference(exercise, check)
    return problem(check, expectations.mistaken(exercise, mistake, check), wanted) is None
