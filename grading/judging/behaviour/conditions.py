"""Under which condition is a wrong answer right: a mask that forbids nothing, small numbers, a part without weights?

The reference runs under the same conditions, and the student's result is compared with the reference's under each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

import numpy as np

from grading.judging.behaviour.calls import (
    CALLS_UNDER_CONDITIONS,
    Arrays,
    Budget,
    ChangedInputs,
    ChangedWeights,
    WatchedSession,
    argument_name,
    axes_of,
    change_where,
    cost_of,
    groups_of,
    is_in_group,
    scaled,
)
from grading.judging.behaviour.observation import ENOUGH, Evidence, Observation, Pair, is_float, parts, varies
from grading.judging.exercise import Check, Exercise
from grading.judging.probing import Outcome, run_probe
from grading.judging.proxies import Session
from grading.judging.weight_layouts import LayoutSearch
from grading.messages import Message, any_of

# What the code returns under each condition. A condition is called "0/True" if argument 0 is True everywhere, "0/none"
# or "0/small" if it is multiplied by 0 or by a small factor, "weights/query/none" or "weights/query/small" if those
# weights are, and "batch/2/5" if sample 2 of 5 is alone.
Conditional = Mapping[str, Outcome]

_MOST_CONDITIONS = 24
_MOST_SAMPLES = 6  # a larger batch gets no observation, because not all of its samples would run alone
_FACTORS = {"none": 0.0, "small": 0.01}
_BENDS = Message("Which function on their way bends or clips large numbers, or is missing there?")
_ALL = "all"  # stands for all parts of a layer
_SAMPLE = "batch/"
# How far from right an answer may be, as a share of the right answer's range.
_CLOSE = 2e-3


def under_conditions(
    exercise: Exercise,
    check: Check,
    session: Session,
    secret: bytes,
    search: LayoutSearch | None = None,
    *,
    conditions: Iterable[str] | None = None,
    budget: Budget | None = None,
) -> dict[str, Outcome]:
    """What a check's probe returns under each condition; empty if the check is slow, fails or has a judge of its own.

    Args:
        exercise: the exercise whose definition is called.
        check: the check whose inputs change.
        session: where the definition is.
        secret: seeds the inputs.
        search: the layout of its weights.
        conditions: the conditions to try; None for all that there are.
        budget: the calls that may be made; None for as many as any check gets.
    """
    if check.judge is not None:
        return {}
    search = search or LayoutSearch()
    watched, weights = WatchedSession(session), ChangedWeights(search)
    if run_probe(exercise, check, watched, secret, weights).failure or not watched.is_quick:
        return {}
    budget = budget or Budget(CALLS_UNDER_CONDITIONS)
    outcomes: dict[str, Outcome] = {}
    candidates = _conditions(exercise, watched, weights.parameters) if conditions is None else conditions
    for condition in list(candidates)[:_MOST_CONDITIONS]:
        if not budget.pays(cost_of(watched, weights.parameters)):
            break
        outcome = _run_under(condition, exercise, check, session, secret, search)
        if outcome.ended_badly:
            break
        if not outcome.failure:
            outcomes[condition] = outcome
    return outcomes


def _conditions(exercise: Exercise, watched: WatchedSession, parameters: Arrays) -> Iterator[str]:
    arrays = watched.arrays
    for place, value in arrays.items():
        if value.dtype.kind == "b" and not value.all():
            yield f"{place}/True"
    samples = max((len(value) for value in _batched(exercise, arrays).values()), default=0)
    if 1 < samples <= _MOST_SAMPLES:
        yield from (f"{_SAMPLE}{number}/{samples}" for number in range(samples))
    groups = groups_of(parameters)
    if len(groups) > 1:
        yield from (f"weights/{group}/none" for group in groups)
    large = [place for place, value in arrays.items() if is_float(value) and value.size >= ENOUGH]
    yield from (f"{place}/{size}" for place in large for size in _FACTORS)
    yield from (f"weights/{group}/small" for group in ([*groups, _ALL] if len(groups) > 1 else groups))


def _batched(exercise: Exercise, arrays: Arrays) -> Arrays:
    """The arrays whose first axis is the batch, according to the docstring."""
    return {
        place: value
        for place, value in arrays.items()
        if value.ndim and axes_of(exercise, argument_name(exercise, place), value.ndim)[0] == "batch"
    }


def _run_under(
    condition: str, exercise: Exercise, check: Check, session: Session, secret: bytes, search: LayoutSearch
) -> Outcome:
    target, _, how = condition.partition("/")
    if target == "weights":
        group, _, size = how.rpartition("/")
        shrink = change_where(lambda name: group == _ALL or is_in_group(name, group), partial(scaled, _FACTORS[size]))
        return run_probe(exercise, check, session, secret, ChangedWeights(search, shrink))

    def change(arrays: Arrays) -> Arrays:
        if condition.startswith(_SAMPLE):
            number = int(how.partition("/")[0])
            batched = _batched(exercise, arrays)
            return arrays | {place: value[number:][:1] for place, value in batched.items() if len(value) > number}
        if target not in arrays:
            return arrays
        value = arrays[target]
        return arrays | {target: scaled(_FACTORS[how], value) if how in _FACTORS else np.ones_like(value)}

    return run_probe(exercise, check, ChangedInputs(session, change), secret, search)


def conditions_met(
    check: Check, given: Conditional, expected: Conditional, whole: tuple[Outcome, Outcome]
) -> list[str]:
    """The conditions under which the student's answer is right; the arguments are those of `right_under`."""
    return [
        condition
        for condition in expected
        if condition in given
        and _is_right(check, (given[condition], expected[condition]), _nothing(condition, expected), whole)
    ]


def right_under(
    exercise: Exercise, check: Check, given: Conditional, expected: Conditional, whole: tuple[Outcome, Outcome]
) -> Evidence:
    """Under which conditions the student's answer is right.

    Args:
        exercise: the exercise whose docstring names the arguments.
        check: a check that fails without conditions.
        given: what the student's code returns under each condition.
        expected: what the reference returns under each.
        whole: what both return without conditions.
    """
    right = _with_samples_as_one(conditions_met(check, given, expected, whole), expected)
    of_all = f"weights/{_ALL}/small"
    without = [name.removeprefix("weights/").removesuffix("/none") for name in right if _is_without(name)]
    observations = [_described(exercise, name) for name in right if not name.endswith("/none") and name != of_all]
    # That the answer is right for a part's small weights says more than that it is right without any. If it is right
    # without most parts, that says little.
    if not any(name.startswith("weights/") and name.endswith("/small") and name != of_all for name in right):
        part_count = sum(map(_is_without, expected))
        observations += _right_without(without) if 2 * len(without) <= part_count else []
    if of_all in right and not observations:
        observations.append(_described(exercise, of_all))
    return dict.fromkeys(observations, ENOUGH)


def _with_samples_as_one(right: list[str], expected: Conditional) -> list[str]:
    """The conditions, with one sample for all if each of the batch is right alone, and none otherwise.

    If one of the samples is wrong alone, or was not tried, the batch may have nothing to do with it.
    """
    samples = [condition for condition in expected if condition.startswith(_SAMPLE)]
    are_all = bool(samples) and len(samples) == int(samples[0].rpartition("/")[2])
    alone = samples[:1] if are_all and set(samples) <= set(right) else []
    return [condition for condition in right if condition not in samples or condition in alone]


def _is_without(condition: str) -> bool:
    return condition.startswith("weights/") and condition.endswith("/none")


def _nothing(condition: str, expected: Conditional) -> Outcome | None:
    """What the reference returns if what is small is 0 instead; None if that was not tried."""
    return expected.get(condition.removesuffix("/small") + "/none") if condition.endswith("/small") else None


def _is_right(
    check: Check, both: tuple[Outcome, Outcome], nothing: Outcome | None, whole: tuple[Outcome, Outcome]
) -> bool:
    """Whether an answer is the expected one and has many different numbers; a single one may be right by chance."""
    given, expected = both
    pairs = [Pair(name, value, right, check.tolerance) for name, value, right in parts(given.value, expected.value)]
    if not all(pair.agree(pair.given, pair.expected) for pair in pairs):
        return False
    if nothing is None:
        # Small inputs make small numbers: compare the error with the range of the right numbers.
        numbers = [pair.numbers for pair in pairs]
        telling = [arrays for arrays in numbers if arrays is not None and arrays[1].size >= ENOUGH]
        telling = [arrays for arrays in telling if _tells_places_apart(arrays[1])]
        return bool(telling) and all(np.abs(value - right).max() <= _CLOSE * np.ptp(right) for value, right in telling)
    return _is_small_change_right(_changes(given, expected, nothing), _changes(*whole, nothing))


# Of each part of an answer: its error, how much it changes, and how large it is.
_Changes = list[tuple[float, float, float]]


def _is_small_change_right(small: _Changes, whole: _Changes) -> bool:
    """Whether the little that a small input or weight changes is right, and more so than where it changes much.

    An error that grows with the change has nothing to do with size.
    """
    worst = max((error / change for error, change, size in whole if _shows(change, size)), default=0)
    shown = [(error - 1e-6 * size, change) for error, change, size in small if _shows(change, size)]
    return (
        bool(shown)
        and all(error <= 10 * _CLOSE * change + 1e-6 * size for error, change, size in small)
        and (not worst or all(3 * error < worst * change for error, change in shown))
    )


def _shows(change: float, size: float) -> bool:
    """Whether a change exceeds the rounding of numbers of this size."""
    return change > 1e-5 * size


def _changes(given: Outcome, expected: Outcome, nothing: Outcome) -> _Changes:
    """Of each part: its error, how far the expected part is from that in `nothing`, and the expected part's size."""
    if given.failure or expected.failure:
        return []
    return [
        (float(np.abs(value - right).max()), float(np.abs(right - zero).max()), float(np.abs(right).max()))
        for (_, value, right), (_, _, zero) in zip(
            parts(given.value, expected.value), parts(nothing.value, nothing.value), strict=False
        )
        if isinstance(right, np.ndarray) and right.size and is_float(right)
        if np.shape(zero) == np.shape(value) == right.shape
    ]


def _tells_places_apart(expected: np.ndarray) -> bool:
    """Whether the places differ: if all have the same row of features, that is only a bias."""
    if expected.ndim > 1:
        rows = expected.reshape(-1, expected.shape[-1])
    else:
        rows = expected[:, None] if expected.ndim else expected[None]
    return varies(rows - rows[:1]) if len(rows) > 1 else varies(rows)


def _right_without(groups: list[str]) -> Iterator[Observation]:
    if groups:
        named = any_of(f"`{group}`" for group in groups)
        yield Observation(
            Message("The result is right if the weights of {named} are 0: the error comes from there.", named=named),
            "What does the code do with the input and the output of this part?",
        )


def is_about_size(observation: Observation) -> bool:
    """Whether it says that the result is right for small numbers only, which may have many reasons."""
    return observation.question == _BENDS


def _described(exercise: Exercise, condition: str) -> Observation:
    target, _, how = condition.partition("/")
    if condition.startswith(_SAMPLE):
        return Observation(
            "The result is right for each sample alone, and wrong for several in a batch.",
            "Which axis does each operation run over, and which number is shared by the whole batch?",
        )
    name = argument_name(exercise, target) if target != "weights" else ""
    if how == "True":
        return Observation(
            Message("The result is right as long as `{name}` is True everywhere.", name=name),
            Message("What happens where `{name}` is False?", name=name),
        )
    group = how.rpartition("/")[0]
    whose = Message("all weights") if group == _ALL else Message("the weights of `{group}`", group=group)
    return Observation(
        Message(
            "The result is right while the numbers in {whose} are small, and wrong for larger ones.",
            whose=whose if target == "weights" else f"`{name}`",
        ),
        _BENDS,
    )
