"""Under which conditions a wrong answer is right: a mask that forbids nothing, small numbers, a part without weights.

The reference is run under the same conditions, and what it gives then is held against what the student's code gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from grading.judging.behaviour.answers import Pair, is_float, parts
from grading.judging.behaviour.axes import argument_name, axes_of
from grading.judging.behaviour.budget import CALLS_UNDER_CONDITIONS, Budget, cost_of
from grading.judging.behaviour.dependence import groups_of
from grading.judging.behaviour.numbers import times, varies
from grading.judging.behaviour.observation import ENOUGH, Observation, Seen
from grading.judging.behaviour.sessions import Arrays, ChangedWeights, Changing, Watching, places_of
from grading.judging.exercise import Check, Exercise
from grading.judging.probing import Outcome, run_probe
from grading.judging.proxies import Session
from grading.judging.weight_layouts import LayoutSearch

# What the reference gives under each condition. One is called "0/True", where argument 0 is True everywhere,
# "0/small", "weights/query/none", "weights/query/small", or "batch/2", of sample 2 alone.
Conditional = Mapping[str, Outcome]

_MOST_CONDITIONS = 24
_MOST_SAMPLES = 6  # of a larger batch not all are tried alone, so nothing is said of them
_SMALL = 0.01
_ALL = "all"  # what stands for all parts of a layer
_SAMPLE = "batch/"
# How far from right an answer may be, as a share of what the right one ranges over.
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
    """What a check's probe gives under each condition; nothing where a check is no good for this.

    Args:
        exercise: whose definition is called.
        check: whose inputs are changed.
        session: where the definition is.
        secret: seeds the inputs.
        search: the layout of its weights.
        conditions: those that are tried; None: all that there are.
        budget: what may be spent; None: as much as for any check.
    """
    if check.judge is not None:
        return {}
    search = search or LayoutSearch()
    watching, weights = Watching(session), ChangedWeights(search)
    if run_probe(exercise, check, watching, secret, weights).failure or not watching.is_quick:
        return {}
    budget = budget or Budget(CALLS_UNDER_CONDITIONS)
    found: dict[str, Outcome] = {}
    every = _conditions(exercise, watching, weights.parameters) if conditions is None else conditions
    for condition in list(every)[:_MOST_CONDITIONS]:
        if not budget.pays(cost_of(watching, weights.parameters)):
            break
        outcome = _under(condition, exercise, check, session, secret, search)
        if outcome.ended_badly:
            break
        if not outcome.failure:
            found[condition] = outcome
    return found


def _conditions(exercise: Exercise, watching: Watching, parameters: Arrays) -> Iterator[str]:
    arrays = {place: value for operation in watching.calls for place, value in places_of(operation)}
    for place, value in arrays.items():
        if value.dtype.kind == "b" and not value.all():
            yield f"{place}/True"
    samples = max((len(value) for value in _of_a_batch(exercise, arrays).values()), default=0)
    if 1 < samples <= _MOST_SAMPLES:
        yield from (f"{_SAMPLE}{number}" for number in range(samples))
    groups = groups_of(parameters)
    if len(groups) > 1:
        yield from (f"weights/{group}/none" for group in groups)
    large = [place for place, value in arrays.items() if is_float(value) and value.size >= ENOUGH]
    yield from (f"{place}/{size}" for place in large for size in ("none", "small"))
    yield from (f"weights/{group}/small" for group in ([*groups, _ALL] if len(groups) > 1 else groups))


def _of_a_batch(exercise: Exercise, arrays: Arrays) -> Arrays:
    """Those whose first axis is the batch, as the docstring says."""
    return {
        place: value
        for place, value in arrays.items()
        if value.ndim and axes_of(exercise, argument_name(exercise, place), value.ndim)[0] == "batch"
    }


def _under(
    condition: str, exercise: Exercise, check: Check, session: Session, secret: bytes, search: LayoutSearch
) -> Outcome:
    what, _, how = condition.partition("/")
    if what == "weights":
        group, _, size = how.rpartition("/")
        factor = 0.0 if size == "none" else _SMALL
        weaker = ChangedWeights(
            search,
            lambda parameters: {
                name: times(factor, value) if group == _ALL or f"{name}/".startswith(f"{group}/") else value
                for name, value in parameters.items()
            },
        )
        return run_probe(exercise, check, session, secret, weaker)

    def change(arrays: Arrays) -> Arrays:
        if condition.startswith(_SAMPLE):
            of_batch = _of_a_batch(exercise, arrays)
            return arrays | {place: value[int(how) :][:1] for place, value in of_batch.items() if len(value) > int(how)}
        if what not in arrays:
            return arrays
        value = arrays[what]
        factors = {"none": 0.0, "small": _SMALL}
        return arrays | {what: times(factors[how], value) if how in factors else np.ones_like(value)}

    return run_probe(exercise, check, Changing(session, change), secret, search)


def right_under(
    exercise: Exercise, check: Check, given: Conditional, wanted: Conditional, whole: tuple[Outcome, Outcome]
) -> Seen:
    """Under which conditions the student's answer is right.

    Args:
        exercise: whose docstring names the arguments.
        check: which fails otherwise.
        given: what the student's code gives under each condition.
        wanted: what the reference gives.
        whole: what both give under none.
    """
    right = [
        condition
        for condition in wanted
        if condition in given
        and _is_right(check, (given[condition], wanted[condition]), _nothing(condition, wanted), whole)
    ]
    samples = [condition for condition in wanted if condition.startswith(_SAMPLE)]
    # It may be one of the samples that is wrong, alone as among others.
    alone = samples[:1] if set(samples) <= set(right) else []
    right = [condition for condition in right if condition not in samples or condition in alone]
    of_all = f"weights/{_ALL}/small"
    without = [name.removeprefix("weights/").removesuffix("/none") for name in right if _is_without(name)]
    found = [_said(exercise, name) for name in right if not name.endswith("/none") and name != of_all]
    # That a part is right for small weights says more than that it is right without any, and what all say is little.
    if not any(name.startswith("weights/") and name.endswith("/small") and name != of_all for name in right):
        parts_held = sum(map(_is_without, wanted))
        found += _of_parts(without) if 2 * len(without) <= parts_held else []
    if of_all in right and not found:
        found.append(_said(exercise, of_all))
    return dict.fromkeys(found, ENOUGH)


def _is_without(condition: str) -> bool:
    return condition.startswith("weights/") and condition.endswith("/none")


def _nothing(condition: str, wanted: Conditional) -> Outcome | None:
    """What the reference gives where that which is small is 0, if that was tried."""
    return wanted.get(condition.removesuffix("/small") + "/none") if condition.endswith("/small") else None


def _is_right(
    check: Check, both: tuple[Outcome, Outcome], nothing: Outcome | None, whole: tuple[Outcome, Outcome]
) -> bool:
    """Whether it is what is wanted, where that has many different numbers in it: one number may be right by chance."""
    given, wanted = both
    pairs = [Pair(name, one, other, check.tolerance) for name, one, other in parts(given.value, wanted.value)]
    if not all(pair.agree(pair.given, pair.wanted) for pair in pairs):
        return False
    numbers = [pair.numbers for pair in pairs]
    telling = [both for both in numbers if both is not None and both[1].size >= ENOUGH]
    telling = [both for both in telling if _tells_places_apart(both[1])]
    if nothing is None:
        # Small inputs make small numbers: these are to be right beside what they range over.
        return bool(telling) and all(np.abs(one - other).max() <= _CLOSE * np.ptp(other) for one, other in telling)
    # A part with small weights changes little: that little is to be right, and more so than where it changes much. An
    # error that grows as the change does is no matter of size.
    changes = _changes(given, wanted, nothing)
    worst = max(
        (error / change for error, change, size in _changes(*whole, nothing) if _shows(change, size)), default=0
    )
    shown = [(error - 1e-6 * size, change) for error, change, size in changes if _shows(change, size)]
    return (
        bool(shown)
        and all(error <= 10 * _CLOSE * change + 1e-6 * size for error, change, size in changes)
        and (not worst or all(3 * error < worst * change for error, change in shown))
    )


def _shows(change: float, size: float) -> bool:
    """Whether a change is more than what numbers of this size are rounded by."""
    return change > 1e-5 * size


def _changes(given: Outcome, wanted: Outcome, nothing: Outcome) -> list[tuple[float, float, float]]:
    """Of each part, how far it is off, how much of it comes of what is 0 in `nothing`, and how large it is."""
    if given.failure or wanted.failure:
        return []
    return [
        (float(np.abs(one - other).max()), float(np.abs(other - zero).max()), float(np.abs(other).max()))
        for (_, one, other), (_, _, zero) in zip(
            parts(given.value, wanted.value), parts(nothing.value, nothing.value), strict=False
        )
        if isinstance(other, np.ndarray) and other.size and is_float(other)
        if np.shape(zero) == np.shape(one) == other.shape
    ]


def _tells_places_apart(wanted: np.ndarray) -> bool:
    """Whether there is more in it than one row of features, which is a bias, for all places."""
    rows = wanted.reshape(-1, wanted.shape[-1]) if wanted.ndim > 1 else wanted[:, None] if wanted.ndim else wanted[None]
    return varies(rows - rows[:1]) if len(rows) > 1 else varies(rows)


def _of_parts(groups: list[str]) -> Iterator[Observation]:
    if groups:
        named = " or ".join(f"`{group}`" for group in groups)
        yield Observation(
            f"It is right where the weights of {named} are 0: what is wrong comes of these.",
            "What is done with what this part is given, and with what it gives?",
        )


def _said(exercise: Exercise, condition: str) -> Observation:
    what, _, how = condition.partition("/")
    if condition.startswith(_SAMPLE):
        return Observation(
            "It is right for each sample alone, and wrong for several in a batch.",
            "Over which axis does each operation reach, and which number is one for the whole batch?",
        )
    name = argument_name(exercise, what) if what != "weights" else ""
    if how == "True":
        return Observation(
            f"It is right as long as `{name}` is True everywhere.", f"What is done where `{name}` is False?"
        )
    group = how.rpartition("/")[0]
    whose = "all weights" if group == _ALL else f"the weights of `{group}`"
    return Observation(
        f"It is right while the numbers in {whose if what == 'weights' else f'`{name}`'} are small, and wrong for "
        "larger ones.",
        "Which function on their way bends or cuts off large numbers, or is missing there?",
    )
