"""Runs an exercise's checks on a student's definition: points, what differs, and the mistake by its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from grading.judging.behaviour.observation import Observation
from grading.judging.comparison import Difference
from grading.judging.diagnosis import Diagnosis, diagnose, meanings
from grading.judging.error_meanings import unwritten
from grading.judging.exercise import Check, Exercise, Mistake
from grading.judging.expectations import Expectations
from grading.judging.probing import (
    Failure,
    Outcome,
    Own,
    problem,
    run_layouts,
    run_probe,
    same,
    shows_dependence,
)
from grading.judging.proxies import Session
from grading.judging.trial import CheckResult, Place, Trial, Way
from grading.messages import Message
from grading.sandbox.errors import COMPILED, SubmissionError

NOT_WRITTEN = "NotImplementedError"
_SAME_FOR_ALL = Message("gives the same for other inputs; wanted an answer that depends on them")
_PROPERTY_ALONE = Message("counts only once one of the other checks shows that the values are right")
_NOT_EXPLAINED = Message("fails; why cannot be said without the hidden inputs")
_MAY_FOLLOW = Message("fails, too; that may follow from the mistake that was named")
_ONLY_KNOWN_INPUTS = Message("right for the inputs of the check in the notebook, and wrong for others")


@dataclass(frozen=True, eq=False)
class ExerciseResult:
    """All checks of one exercise.

    Attributes:
        problem: why there was nothing to check, "" where there was.
        mistakes: the known mistakes that explain what failed, the likeliest first.
        perhaps: a known mistake that explains some of what failed, where nothing explains all of it.
        observed: what the code was seen to do, where no known mistake explains all that failed.
        meanings: what errors mean that none of these explains.
    """

    exercise: Exercise
    checks: list[CheckResult]
    problem: str = ""
    mistakes: list[Mistake] = field(default_factory=list)
    perhaps: list[Mistake] = field(default_factory=list)
    observed: list[Observation] = field(default_factory=list)
    meanings: list[Mistake] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return all(result.passed for result in self.checks)

    @property
    def earned(self) -> float:
        return sum(result.earned for result in self.checks)

    @property
    def beside(self) -> tuple[str, ...]:
        """The earlier exercises that had to be the course's own for some check to pass."""
        return next((result.beside for result in self.checks if result.beside), ())


def judge_exercise(exercise: Exercise, session: Session, expectations: Expectations) -> ExerciseResult:
    """Runs every check of an exercise on the definition of its name in a session, where nothing is hidden."""
    return judge_ways(exercise, [Way(lambda: Place(session, expectations))])


def judge_ways(exercise: Exercise, ways: Sequence[Way]) -> ExerciseResult:
    """Runs every check of an exercise on a definition, in one way after the other until all have passed.

    A check counts that passes in one of them; of one that passes in none, what is said is what the last way shows.

    Raises:
        SubmissionError: the definition could not be run in any way.
    """
    passed: dict[str, CheckResult] = {}
    tried: tuple[Trial, Way] | None = None
    for place, way in enumerate(ways, start=1):
        try:
            trial = try_checks(exercise, exercise.checks, way.place())
        except SubmissionError:
            if tried is None and place == len(ways):
                raise
            continue
        for key, result in trial.results.items():
            trial.results[key] = passed.get(key) or (replace(result, beside=way.given) if result.passed else result)
        passed = {key: result for key, result in trial.results.items() if result.passed}
        tried = trial, way
        if trial.passed:
            break
    assert tried
    trial, way = tried
    return _told(exercise, trial, _explain(exercise, trial, way.public) if way.public else trial)


def _told(exercise: Exercise, trial: Trial, explained: Trial) -> ExerciseResult:
    """What became of the checks, and why: as `explained` shows on inputs that students know."""
    if trial.is_not_written:
        return _not_written(exercise, explained)
    results = [_in_words(check, trial, explained) for check in exercise.checks]
    found = Diagnosis() if trial.hopeless else diagnose(exercise, results, explained)
    if found.mistakes and any(not result.passed and result.check.judge is None for result in results):
        results = [_as_a_consequence(result) for result in results]
    found_meanings = meanings(exercise, [*found.mistakes, *found.perhaps], explained)
    return ExerciseResult(
        exercise,
        results,
        mistakes=list(found.mistakes),
        perhaps=list(found.perhaps),
        observed=list(found.observed),
        meanings=found_meanings,
    )


def _as_a_consequence(result: CheckResult) -> CheckResult:
    """Without what a judge says: it looks at one property, as if the values were right, and here they are not."""
    if result.passed or result.check.judge is None:
        return result
    return replace(result, difference=Difference(_MAY_FOLLOW))


def try_checks(exercise: Exercise, checks: Sequence[Check], place: Place) -> Trial:
    """Runs checks, up to one that never ends."""
    session, expectations = place
    trial = Trial(place)
    layout_search = trial.layout_search
    has_looked = False
    for check in checks:
        if trial.hopeless:
            trial.results[check.key] = CheckResult(check, trial.hopeless)
            continue
        wanted = expectations.reference(exercise, check)
        tried = run_layouts(exercise, check, session, expectations.secret, wanted, layout_search)
        trial.outcomes[check.key] = tried
        if problem(check, tried[-1], wanted) is None:
            trial.results[check.key] = CheckResult(check, None)
            has_looked = has_looked or shows_dependence(check, tried[-1], wanted)
        else:
            # Of several layouts that all fail, the first is the likeliest to be what the student meant.
            trial.results[check.key] = CheckResult(check, problem(check, tried[0], wanted))
        trial.hopeless = _hopeless(tried[-1])
        if len(trial.results) == 1 and _is_not_written(tried[-1]):
            trial.is_not_written = True
            return trial
    if not (has_looked or trial.hopeless):
        _require_a_look(exercise, trial)
    return trial


def _require_a_look(exercise: Exercise, trial: Trial) -> None:
    """Takes back what judges gave for a property alone: zeros have no NaN, and noise depends on its inputs.

    A judge looks at one property of the answers. That these are answers at all is shown by a check in which they agree
    with the reference, and no property earns anything where there is such a check and none has passed. Where an
    exercise has none, as where all is left to chance, the answers must at least differ for other inputs.
    """
    passed = [result.check for result in trial.results.values() if result.passed and result.check.judge]
    compared = any(check.judge is None for check in exercise.checks)
    if compared or not any(_depends_on_inputs(exercise, trial, check) for check in passed):
        for check in passed:
            trial.results[check.key] = CheckResult(check, Difference(_PROPERTY_ALONE if compared else _SAME_FOR_ALL))


def _depends_on_inputs(exercise: Exercise, trial: Trial, check: Check) -> bool:
    session, expectations = trial.place
    first = trial.outcomes[check.key][-1]
    if first.failure:
        return False
    other = run_probe(exercise, check, session, expectations.secret, trial.layout_search, inputs="other inputs")
    return not same(first, other)


def _explain(exercise: Exercise, trial: Trial, public: Callable[[], Place]) -> Trial:
    """The same for the checks that failed, on inputs that students know."""
    failed = [check for check in exercise.checks if _has_words(trial, check)]
    if not failed:
        return Trial(trial.place)
    try:
        return try_checks(exercise, failed, public())
    except SubmissionError as error:  # what could be run beside the hidden inputs cannot be run without them
        told = Difference(Failure.of(error).sentence())
        return Trial(trial.place, results={check.key: CheckResult(check, told) for check in failed})


def _has_words(trial: Trial, check: Check) -> bool:
    """Whether what is said of a check may hold anything of the student's or of the inputs."""
    result = trial.results.get(check.key)
    if result is None or result.passed or check.key not in trial.outcomes:
        return False
    return not trial.outcomes[check.key][0].ended_badly


def _in_words(check: Check, trial: Trial, explained: Trial) -> CheckResult:
    """The result of a check, told as it is where it has been explained."""
    result = trial.results[check.key]
    if not _has_words(trial, check):
        return result
    again = explained.results.get(check.key)
    told = Difference(_NOT_EXPLAINED) if again is None else again.difference
    return replace(result, difference=told or Difference(_ONLY_KNOWN_INPUTS))


def _is_not_written(outcome: Outcome) -> bool:
    failure = outcome.failure
    # TensorFlow, too, raises a NotImplementedError, if NumPy asks for values while a model is compiled.
    return failure is not None and failure.kind == NOT_WRITTEN and COMPILED not in failure.message


def _not_written(exercise: Exercise, trial: Trial) -> ExerciseResult:
    failures = (tried[0].failure for tried in trial.outcomes.values())
    said = next((failure.message for failure in failures if failure and failure.kind == NOT_WRITTEN), "")
    failed = [CheckResult(check, Difference("")) for check in exercise.checks]
    missing = unwritten(said)
    if missing and missing.partition(".")[0] != exercise.name:
        problem = Message(
            "It needs `{name}`, which is not written yet. Write that first, and run its check.", name=missing
        )
    elif missing and said == f"Write {missing}, then run the check below.":
        problem = Message("Not written yet. Write {name}, then run the check below.", name=missing)
    else:
        problem = Message("Not written yet. {said}", said=said) if said else Message("Not written yet.")
    return ExerciseResult(exercise, failed, problem=problem)


def _hopeless(outcome: Outcome) -> Difference | None:
    """Why no further check of this exercise is run: each would only wait in the same way."""
    if outcome.failure is None or outcome.failure.kind is not Own.TIMEOUT:
        return None
    return Difference(Message("not run, because the check before it never ended"))
