"""Runs an exercise's checks on a student's definition: points, what differs, and the mistake by its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from grading.definitions import ready_made_names
from grading.errors import GradingError
from grading.judging.behaviour.observation import Observation
from grading.judging.behaviour.observe import observe
from grading.judging.behaviour.ranking import Kind, Observed
from grading.judging.comparison import Difference
from grading.judging.error_meanings import unwritten
from grading.judging.exercise import Check, Exercise, Mistake
from grading.judging.expectations import Earlier, Expectations
from grading.judging.named_parts import missing_parts
from grading.judging.probing import (
    DIED,
    TIMEOUT,
    Failure,
    Outcome,
    agree,
    problem,
    run_layouts,
    run_on_other_inputs,
    same,
    shows_dependence,
)
from grading.judging.proxies import Session
from grading.judging.some_cases import IN_SOME_CASES, shows_in_some_cases
from grading.judging.weight_layouts import LayoutSearch
from grading.sandbox.errors import NotAllowed, SubmissionError

NOT_WRITTEN = "NotImplementedError"
# No known mistake ends so; to look for one would make them all run for nothing.
_NEVER_KNOWN = {TIMEOUT, DIED, NotAllowed.__name__}
# What is said of these is the grader's own.
_WITHOUT_WORDS = {TIMEOUT, DIED}
_SAME_FOR_ALL = "gives the same for other inputs; wanted an answer that depends on them"
_NOT_EXPLAINED = "fails; why cannot be said without the hidden inputs"
_ONLY_KNOWN_INPUTS = "right for the inputs of the check in the notebook, and wrong for others"


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
        perhaps: a known mistake that explains some of what failed, where nothing explains all of it.
        observed: what the code was seen to do, where no known mistake explains all that failed.
        meanings: what errors mean that none of these explains.
        ready_made: ready-made things that the solution calls where it must be written.
    """

    exercise: Exercise
    checks: list[CheckResult]
    problem: str = ""
    mistakes: list[Mistake] = field(default_factory=list)
    perhaps: list[Mistake] = field(default_factory=list)
    observed: list[Observation] = field(default_factory=list)
    meanings: list[Mistake] = field(default_factory=list)
    ready_made: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return all(result.passed for result in self.checks)

    @property
    def earned(self) -> float:
        return sum(result.earned for result in self.checks)


class Place(NamedTuple):
    """Where checks run, and what they compare with there."""

    session: Session
    expectations: Expectations


@dataclass
class _Trial:
    """What became of the checks of one exercise in one place."""

    place: Place
    layout_search: LayoutSearch = field(default_factory=LayoutSearch)
    results: dict[str, CheckResult] = field(default_factory=dict)
    outcomes: dict[str, list[Outcome]] = field(default_factory=dict)
    hopeless: Difference | None = None
    is_not_written: bool = False


def judge_exercise(
    exercise: Exercise,
    session: Session,
    expectations: Expectations,
    *,
    ready_made: Sequence[str] = (),
    earlier: Earlier | None = None,
    public: Callable[[], Place] | None = None,
) -> ExerciseResult:
    """Runs every check of an exercise on the definition of its name in a session.

    Args:
        exercise: what is checked.
        session: where the definition is.
        expectations: what to compare with.
        ready_made: what `ready_made_in` finds in the definition's text.
        earlier: exercises that this one may build on and that were got wrong in a known way.
        public: gives the place where failed checks run once more, on the inputs that students know, so that what is
            said of them holds nothing of the hidden ones; None where `expectations` has no others.
    """
    trial = _try(exercise, exercise.checks, Place(session, expectations), earlier)
    explained = _explain(exercise, trial, public) if public else trial
    if trial.is_not_written:
        return _not_written(exercise, explained)
    results = [_in_words(check, trial, explained) for check in exercise.checks]
    found = Diagnosis() if trial.hopeless else _diagnose(exercise, results, explained)
    meanings = _meanings(exercise, [*found.mistakes, *found.perhaps], explained)
    return ExerciseResult(
        exercise,
        results,
        mistakes=list(found.mistakes),
        perhaps=list(found.perhaps),
        observed=list(found.observed),
        meanings=meanings,
        ready_made=list(ready_made),
    )


def _try(exercise: Exercise, checks: Sequence[Check], place: Place, earlier: Earlier | None = None) -> _Trial:
    """Runs checks, up to one that never ends."""
    session, expectations = place
    trial = _Trial(place)
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
        elif earlier and _follows(exercise, check, tried, expectations, earlier):
            trial.results[check.key] = CheckResult(check, None, follows=True)
            has_looked = True
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


def _require_a_look(exercise: Exercise, trial: _Trial) -> None:
    """Takes back what judges gave for answers that are the same whatever the inputs: zeros have no NaN.

    A judge looks at one property of the answers. That these are answers at all is shown by any check in which they
    agree with the reference; where there is none, by other inputs, for which they must differ. Which parts a layer has
    is the same for all inputs, so there the answers to any other check may show it, however wrong.
    """
    passed = [result.check for result in trial.results.values() if result.passed and result.check.judge]
    if any(_depends_on_inputs(exercise, trial, check) for check in passed):
        return
    of_parts = [check for check in passed if check.judge is missing_parts]
    failed = [result.check for result in trial.results.values() if not result.passed]
    if of_parts and any(_depends_on_inputs(exercise, trial, check) for check in failed):
        passed = [check for check in passed if check not in of_parts]
    for check in passed:
        trial.results[check.key] = CheckResult(check, Difference(_SAME_FOR_ALL))


def _depends_on_inputs(exercise: Exercise, trial: _Trial, check: Check) -> bool:
    session, expectations = trial.place
    first = trial.outcomes[check.key][-1]
    if first.failure:
        return False
    other = run_on_other_inputs(exercise, check, session, expectations.secret, trial.layout_search)
    return not same(first, other)


def _explain(exercise: Exercise, trial: _Trial, public: Callable[[], Place]) -> _Trial:
    """The same for the checks that failed, on inputs that students know."""
    failed = [check for check in exercise.checks if _has_words(trial, check)]
    if not failed:
        return _Trial(trial.place)
    try:
        return _try(exercise, failed, public())
    except SubmissionError as error:  # what could be run beside the hidden inputs cannot be run without them
        told = Difference(Failure.of(error).sentence())
        return _Trial(trial.place, results={check.key: CheckResult(check, told) for check in failed})


def _has_words(trial: _Trial, check: Check) -> bool:
    """Whether what is said of a check may hold anything of the student's or of the inputs."""
    result = trial.results.get(check.key)
    if result is None or result.passed or check.key not in trial.outcomes:
        return False
    told = trial.outcomes[check.key][0].failure
    return told is None or told.kind not in _WITHOUT_WORDS


def _in_words(check: Check, trial: _Trial, explained: _Trial) -> CheckResult:
    """The result of a check, told as it is where it has been explained."""
    result = trial.results[check.key]
    if not _has_words(trial, check):
        return result
    again = explained.results.get(check.key)
    told = Difference(_NOT_EXPLAINED) if again is None else again.difference
    return replace(result, difference=told or Difference(_ONLY_KNOWN_INPUTS))


def _is_not_written(outcome: Outcome) -> bool:
    return outcome.failure is not None and outcome.failure.kind == NOT_WRITTEN


def _not_written(exercise: Exercise, trial: _Trial) -> ExerciseResult:
    failures = (tried[0].failure for tried in trial.outcomes.values())
    said = next((failure.message for failure in failures if failure and failure.kind == NOT_WRITTEN), "")
    failed = [CheckResult(check, Difference("")) for check in exercise.checks]
    missing = unwritten(said)
    if missing and missing.partition(".")[0] != exercise.name:
        problem = f"It needs `{missing}`, which is not written yet. Write that first, and run its check."
    else:
        problem = f"Not written yet. {said}".strip()
    return ExerciseResult(exercise, failed, problem=problem)


def ready_made_in(exercise: Exercise, source: str) -> list[str]:
    """What the text refers to of that which the exercise asks to write."""
    in_any_exercise = set(ready_made_names(source, ()))
    named = ready_made_names(source, (*exercise.ready_made, *exercise.pointed_out))
    return [name for name in named if name not in in_any_exercise]


def _follows(
    exercise: Exercise, check: Check, tried: list[Outcome], expectations: Expectations, earlier: Earlier
) -> bool:
    """Whether a right definition would give the same, or be judged the same, beside the student's earlier ones."""
    wanted = expectations.following(exercise, check, earlier)
    return wanted is not None and any(agree(check, outcome, wanted) for outcome in tried)


def _hopeless(outcome: Outcome) -> Difference | None:
    """Why no further check of this exercise is run: each would only wait in the same way."""
    if outcome.failure is None or outcome.failure.kind != TIMEOUT:
        return None
    return Difference("not run, because the check before it never ended")


class Diagnosis(NamedTuple):
    """What is said of why checks failed; each as in `ExerciseResult`."""

    mistakes: Sequence[Mistake] = ()
    perhaps: Sequence[Mistake] = ()
    observed: Sequence[Observation] = ()


def _diagnose(exercise: Exercise, results: list[CheckResult], trial: _Trial) -> Diagnosis:
    """The known mistake that gives what the student's code gave in every check; failing that, what the code does."""
    outcomes, expectations = trial.outcomes, trial.place.expectations
    failed = [result.check for result in results if not result.passed and _fails_in(trial, result.check)]
    passed = [result.check for result in results if result.passed and not result.follows]
    if all(one.failure and one.failure.kind in _NEVER_KNOWN for check in failed for one in outcomes[check.key]):
        return Diagnosis()

    def explains(mistake: Mistake, check: Check) -> bool:
        wrong = expectations.mistaken(exercise, mistake, check)
        return any(agree(check, outcome, wrong) for outcome in outcomes[check.key])

    def fits(mistake: Mistake) -> bool:
        return all(_shows_nothing(exercise, mistake, check, expectations) for check in passed)

    # One that explains everything is looked for first: most others are out after one check.
    for mistake in expectations.mistakes(exercise):
        if all(explains(mistake, check) for check in failed) and fits(mistake):
            return Diagnosis([mistake])
    explained = [
        (mistake, frozenset(check.key for check in failed if explains(mistake, check)))
        for mistake in expectations.mistakes(exercise)
    ]
    partial = [(mistake, keys) for mistake, keys in explained if keys and fits(mistake)]
    partial.sort(key=lambda pair: -len(pair[1]))
    at_times = _in_some_cases(exercise, failed, trial)
    if not at_times and partial and _explains_but_for_verdicts(exercise, *partial[0], failed, expectations):
        return Diagnosis([partial[0][0]])
    first = {key: tried[0] for key, tried in outcomes.items()}
    try:
        observed = observe(exercise, failed, first, trial.place.session, expectations, trial.layout_search)
    except GradingError:
        raise
    except Exception:  # what comes from a student may be anything; to have nothing to say of it costs nothing
        observed = []
    return _weigh(partial, at_times, observed, frozenset(check.key for check in failed))


def _explains_but_for_verdicts(
    exercise: Exercise, mistake: Mistake, keys: frozenset[str], failed: Sequence[Check], expectations: Expectations
) -> bool:
    """Whether a mistake gives all arrays that came back, and fails where there is a verdict, whatever that says."""
    left_open = [check for check in failed if check.key not in keys]
    return any(check.judge is None and check.key in keys for check in failed) and all(
        check.judge is not None and not _shows_nothing(exercise, mistake, check, expectations) for check in left_open
    )


def _in_some_cases(exercise: Exercise, failed: Sequence[Check], trial: _Trial) -> Observation | None:
    """A mistake that is made in some cases only, and explains all that is wrong. A verdict alone shows too little."""
    outcomes, expectations = trial.outcomes, trial.place.expectations
    if all(check.judge is not None or outcomes[check.key][0].failure for check in failed):
        return None

    def explains(mistake: Mistake, check: Check) -> bool:
        wrong, right = expectations.mistaken(exercise, mistake, check), expectations.reference(exercise, check)
        return any(shows_in_some_cases(check, outcome, wrong, right) for outcome in outcomes[check.key])

    found = [
        mistake for mistake in expectations.mistakes(exercise) if all(explains(mistake, check) for check in failed)
    ]
    # Where several do, it is a guess.
    return Observation(IN_SOME_CASES + found[0].sentence, found[0].hint) if len(found) == 1 else None


def _weigh(
    partial: Sequence[tuple[Mistake, frozenset[str]]],
    at_times: Observation | None,
    observed: Sequence[Observed],
    failed: frozenset[str],
) -> Diagnosis:
    """What is said where no known mistake explains all: two that do so together, what was observed, and perhaps one."""
    best = observed[0] if observed else None
    if best and best.kind <= Kind.EXCHANGE and best.explains == failed:
        return Diagnosis(observed=[best.observation])
    if at_times:
        return Diagnosis(observed=[at_times])
    first_two = partial[:2]
    if first_two and frozenset.union(*(keys for _, keys in first_two)) == failed and not _is_one_of_many(partial):
        return Diagnosis([mistake for mistake, _ in first_two])
    shown = [best.observation] if best else []
    rest = next((other for other in observed if best and not other.explains <= best.explains), None)
    shown += [rest.observation] if rest else []
    covered = best.explains if best and best.kind is not Kind.PLACES else frozenset()
    # What explains no more than half is as likely to be something else.
    perhaps = [mistake for mistake, keys in partial[:1] if not keys <= covered and 2 * len(keys) > len(failed)]
    return Diagnosis([], perhaps, shown)


def _is_one_of_many(partial: Sequence[tuple[Mistake, frozenset[str]]]) -> bool:
    """Whether what the first mistake leaves open is explained by others as well as by the second: a guess."""
    if len(partial) < 2:
        return False
    left_open = partial[1][1] - partial[0][1]
    return sum(left_open <= keys for _, keys in partial[1:]) > 1


def _meanings(exercise: Exercise, mistakes: list[Mistake], trial: _Trial) -> list[Mistake]:
    """What the errors mean that are shown and that no named mistake explains, each once."""
    found: list[Mistake] = []
    for check in (check for check in exercise.checks if _fails_in(trial, check)):
        outcome = trial.outcomes[check.key][0]
        meaning = outcome.failure.meaning if outcome.failure else None
        if meaning is None or meaning.mistake in found:
            continue
        known = (trial.place.expectations.mistaken(exercise, mistake, check) for mistake in mistakes)
        if not any(agree(check, outcome, wrong) for wrong in known):
            found.append(meaning.mistake)
    return found


def _fails_in(trial: _Trial, check: Check) -> bool:
    return check.key in trial.outcomes and not trial.results[check.key].passed


def _shows_nothing(exercise: Exercise, mistake: Mistake, check: Check, expectations: Expectations) -> bool:
    """Whether code with this mistake would pass the check all the same."""
    wanted = expectations.reference(exercise, check)
    return problem(check, expectations.mistaken(exercise, mistake, check), wanted) is None
