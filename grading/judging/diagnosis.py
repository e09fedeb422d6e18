"""Why checks failed: the known mistake that gives the same, or what the code was seen to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from grading.errors import GradingError
from grading.judging.behaviour.arrangement import ABOUT_MISSING, EXACTLY_WHERE
from grading.judging.behaviour.failing_calls import in_the_check
from grading.judging.behaviour.observation import Kind, Observation, Observations, Observed, parts
from grading.judging.behaviour.observe import observe
from grading.judging.comparison import compare
from grading.judging.exercise import Check, Exercise, Mistake
from grading.judging.expectations import Expectations
from grading.judging.probing import ENDED_BADLY, Outcome, agree
from grading.judging.tiers import shows_in_some_cases, shows_mistake
from grading.judging.trial import CheckResult, Trial
from grading.messages import Message
from grading.sandbox.errors import NotAllowed

_SEVERAL = 2  # failed checks
# No known mistake ends so; to look for one would make them all run for nothing.
_NEVER_KNOWN = {*ENDED_BADLY, NotAllowed.__name__}


class Diagnosis(NamedTuple):
    """What is said of why checks failed; each as in `ExerciseResult`."""

    mistakes: Sequence[Mistake] = ()
    perhaps: Sequence[Mistake] = ()
    observed: Sequence[Observation] = ()


def diagnose(exercise: Exercise, results: list[CheckResult], trial: Trial) -> Diagnosis:
    """The known mistake that gives what the student's code gave in every check; failing that, what the code does."""
    outcomes, expectations = trial.outcomes, trial.place.expectations
    failed = [result.check for result in results if not result.passed and trial.failed(result.check)]
    passed = [result.check for result in results if result.passed]
    if all(one.failure and one.failure.kind in _NEVER_KNOWN for check in failed for one in outcomes[check.key]):
        return Diagnosis()

    def explains(mistake: Mistake, check: Check, unknown: bool = False) -> bool:
        wrong = expectations.mistaken(exercise, mistake, check)
        return unknown if wrong is None else any(agree(check, outcome, wrong) for outcome in outcomes[check.key])

    def fits(mistake: Mistake) -> bool:
        return not any(expectations.shows(exercise, mistake, check) for check in passed)

    def shows(mistake: Mistake) -> bool:
        found = [_shows(exercise, mistake, check, trial) for check in failed]
        return any(found) and False not in found

    # One that explains everything is looked for first: most others are out after one check.
    for mistake in expectations.mistakes(exercise):
        if all(explains(mistake, check, unknown=True) for check in failed) and fits(mistake):
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
    shown = [mistake for mistake in expectations.mistakes(exercise) if shows(mistake) and fits(mistake)]
    if len(shown) == 1:  # where several do, it is a guess
        return Diagnosis(shown)
    first = {key: tried[0] for key, tried in outcomes.items()}
    # One wrong answer may be that of a known mistake for another reason.
    is_single = sum(_wrong_parts(exercise, check, first[check.key], expectations) for check in failed) == 1
    titles = {check.key: check.title for check in failed}
    try:
        observed = observe(exercise, failed, first, trial.place.session, expectations, trial.layout_search, passed)
        found = _weigh(partial, at_times, observed, titles, is_single)
    except GradingError:
        raise
    except Exception:  # what comes from a student may be anything; to have nothing to say of it costs nothing
        found = _weigh(partial, at_times, Observations(()), titles, is_single)
    has_meaning = any(one.failure and one.failure.meaning for one in first.values())
    if has_meaning and not passed:  # the error comes in every call, so one of them shows nothing more
        found = found._replace(observed=[one for one in found.observed if not one.is_example])
    return found if any(found) or has_meaning else Diagnosis(observed=_what_a_check_says(results, failed))


def _wrong_parts(exercise: Exercise, check: Check, outcome: Outcome, expectations: Expectations) -> int:
    if check.judge is not None or outcome.failure:
        return 1
    pairs = parts(outcome.value, expectations.reference(exercise, check).value)
    return sum(compare(given, wanted, check.tolerance) is not None for _, given, wanted in pairs)


def _what_a_check_says(results: Sequence[CheckResult], failed: Sequence[Check]) -> list[Observation]:
    """Of the first failed check, if nothing is known but what it says itself."""
    said = (result for result in results if result.check in failed and result.difference)
    return [in_the_check(one.check.title, one.difference.message) for one in said if one.difference][:1]


def _explains_but_for_verdicts(
    exercise: Exercise, mistake: Mistake, keys: frozenset[str], failed: Sequence[Check], expectations: Expectations
) -> bool:
    """Whether a mistake gives all arrays that came back, and fails where there is a verdict, whatever that says."""
    left_open = [check for check in failed if check.key not in keys]
    return any(check.judge is None and check.key in keys for check in failed) and all(
        check.judge is not None and expectations.shows(exercise, mistake, check) for check in left_open
    )


def _shows(exercise: Exercise, mistake: Mistake, check: Check, trial: Trial) -> bool | None:
    """Whether a failed check shows a mistake, as in `shows_mistake`; a bad verdict on both says nothing against it."""
    expectations, tried = trial.place.expectations, trial.outcomes[check.key]
    wrong = expectations.mistaken(exercise, mistake, check)
    if wrong is None:
        return None
    if check.judge is not None:
        return None if expectations.shows(exercise, mistake, check) else False
    right = expectations.reference(exercise, check)
    found = [shows_mistake(check, outcome, wrong, right) for outcome in tried]
    return True if True in found else None if None in found else any(agree(check, outcome, wrong) for outcome in tried)


def _in_some_cases(exercise: Exercise, failed: Sequence[Check], trial: Trial) -> Observation | None:
    """A mistake that is made in some cases only, and explains all that is wrong. A verdict alone shows too little."""
    outcomes, expectations = trial.outcomes, trial.place.expectations
    if all(check.judge is not None or outcomes[check.key][0].failure for check in failed):
        return None

    def explains(mistake: Mistake, check: Check) -> bool:
        wrong, right = expectations.mistaken(exercise, mistake, check), expectations.reference(exercise, check)
        return wrong is not None and any(
            shows_in_some_cases(check, outcome, wrong, right) for outcome in outcomes[check.key]
        )

    found = [
        mistake for mistake in expectations.mistakes(exercise) if all(explains(mistake, check) for check in failed)
    ]
    if len(found) != 1:  # where several do, it is a guess
        return None
    said = Message("In some of the cases: {sentence}", sentence=Message.of(found[0].sentence))
    return Observation(said, found[0].hint)


def _weigh(
    partial: Sequence[tuple[Mistake, frozenset[str]]],
    at_times: Observation | None,
    observed: Observations,
    titles: Mapping[str, str],
    is_single: bool,
) -> Diagnosis:
    """What is said where no known mistake explains all: two that do so together, what was observed, and perhaps one."""
    failed = frozenset(titles)
    of_calls = {one.kind: one.observation for one in observed.of_calls}
    best = observed.first()
    if best and best.kind <= Kind.EXCHANGE and best.explains == failed:
        return Diagnosis(observed=[best.observation])
    # That a known mistake is made in some cases is a guess, unless the arguments show which cases these are.
    if at_times and Kind.CALLS in of_calls and not is_single:
        return Diagnosis(observed=[at_times, of_calls[Kind.CALLS]])
    first_two = partial[:2]
    if first_two and frozenset.union(*(keys for _, keys in first_two)) == failed and not _is_one_of_many(partial):
        return Diagnosis([mistake for mistake, _ in first_two])
    rest = best and observed.first(lambda other: _says_more(other, best))
    if not rest and best and best.kind in (Kind.DEPENDENCE, Kind.CONDITION, Kind.REACH):
        rest = observed.first(lambda other: EXACTLY_WHERE in other.observation.sentence)
    shown = [_of_its_check(one, titles) for one in (best, rest) if one]
    # In which calls it happens says as much as what happens, and more than at which places. One of them alone says
    # something where nothing else does.
    is_weak = best is None or 2 * len(best.explains) < len(failed)
    if Kind.CALLS in of_calls:
        comes_first = best is not None and (best.kind is Kind.PLACES or best.explains != failed)
        shown = [of_calls[Kind.CALLS], *shown[:1]] if comes_first else [*shown, of_calls[Kind.CALLS]]
    elif Kind.EXAMPLE in of_calls and is_weak:
        kept = [] if best and best.kind is Kind.PLACES else shown[:1]
        shown = [*kept, of_calls[Kind.EXAMPLE]]
    covered = best.explains if best and best.kind is not Kind.PLACES else frozenset()
    # What explains no more than half is as likely to be something else.
    perhaps = [mistake for mistake, keys in partial[:1] if not keys <= covered and 2 * len(keys) > len(failed)]
    return Diagnosis([], perhaps, shown)


def _says_more(other: Observed, best: Observed) -> bool:
    """Whether an observation explains what the best does not, and is not the same of one part."""
    said, of_part = best.observation.sentence, other.observation.sentence
    if best.observation.question == other.observation.question == ABOUT_MISSING:
        return False  # in a text whose marks are all beyond ASCII, all marks are missing as well
    return not other.explains <= best.explains and said.lower() not in of_part.lower()


def _of_its_check(one: Observed, failed: Mapping[str, str]) -> Observation:
    """An observation as it is said: of one of several failed checks, where it says nothing of the others."""
    if one.observation.is_example or len(one.explains) != 1 or len(failed) < _SEVERAL:
        return one.observation
    (key,) = one.explains
    return replace(one.observation, sentence=in_the_check(failed[key], one.observation.sentence).sentence)


def _is_one_of_many(partial: Sequence[tuple[Mistake, frozenset[str]]]) -> bool:
    """Whether what the first mistake leaves open is explained by others as well as by the second: a guess."""
    if len(partial) < 2:
        return False
    left_open = partial[1][1] - partial[0][1]
    return sum(left_open <= keys for _, keys in partial[1:]) > 1


def meanings(exercise: Exercise, mistakes: list[Mistake], trial: Trial) -> list[Mistake]:
    """What the errors mean that are shown and that no named mistake explains, each once."""
    found: list[Mistake] = []
    for check in (check for check in exercise.checks if trial.failed(check)):
        outcome = trial.outcomes[check.key][0]
        meaning = outcome.failure.meaning if outcome.failure else None
        if meaning is None or meaning.mistake in found:
            continue
        known = (trial.place.expectations.mistaken(exercise, mistake, check) for mistake in mistakes)
        if not any(wrong is not None and agree(check, outcome, wrong) for wrong in known):
            found.append(meaning.mistake)
    return found
