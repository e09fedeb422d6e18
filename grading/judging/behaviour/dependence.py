"""What does the answer depend on, and what should it depend on?

The grader changes one thing in the inputs or the weights, and looks where the answer moves. It does the same with the
reference, and keeps only where that moves: True and False, and none of its numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from grading.judging.behaviour.calls import (
    CALLS_TO_TRY,
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
)
from grading.judging.behaviour.observation import ENOUGH, Evidence, Observation, is_float, numbers_of, parts
from grading.judging.comparison import named
from grading.judging.exercise import Check, Exercise
from grading.judging.probing import Outcome, run_probe
from grading.judging.proxies import Session
from grading.judging.weight_layouts import LayoutSearch
from grading.messages import Message, all_of

# For each change, where each part of the answer moves; an empty list if that is unknown.
# A change is called "0/all" if argument 0 is another one, "0/2" if it differs at one place of its axis 2, "0/twice" if
# it is twice as large, "weights/query", or "row/token_embedding/embeddings" for one row of a table.
Moves = dict[str, list[np.ndarray]]

# What is said of how far a change at one place reaches.
_TOO_FAR = "changes the result where it should not matter"
_ELSEWHERE = "changes the result at other places than it should"
_NOT_FAR_ENOUGH = "changes less of the result than it should"

_ROW = 1
_MOST_CHANGES = 20
_MOVED = 1e-6


def moves(
    exercise: Exercise,
    check: Check,
    session: Session,
    secret: bytes,
    search: LayoutSearch | None = None,
    *,
    changes: Iterable[str] | None = None,
    budget: Budget | None = None,
) -> Moves:
    """Where a check's answer moves under each change; empty if the check is slow, fails or has a judge of its own.

    Args:
        exercise: the exercise whose definition is called.
        check: the check whose inputs change.
        session: where the definition is.
        secret: seeds the inputs.
        search: the layout of its weights.
        changes: the changes to try; None for all that there are.
        budget: the calls that may be made; None for as many as any check gets.
    """
    if check.judge is not None:
        return {}
    search = search or LayoutSearch()
    watched, weights = WatchedSession(session), ChangedWeights(search)
    before = run_probe(exercise, check, watched, secret, weights)
    if before.failure or not watched.is_quick:
        return {}
    budget = budget or Budget(CALLS_TO_TRY)
    moved: Moves = {}
    for change in list(_changes(watched, weights.parameters) if changes is None else changes)[:_MOST_CHANGES]:
        if not budget.pays(cost_of(watched, weights.parameters)):
            break
        after = _run_changed(change, exercise, check, session, secret, search)
        if after.ended_badly:
            break
        moved[change] = _moved(before, after)
    return moved


def _changes(watched: WatchedSession, parameters: Iterable[str]) -> Iterator[str]:
    arrays = watched.arrays
    yield from (f"{place}/all" for place in arrays)
    yield from (f"{place}/twice" for place, value in arrays.items() if is_float(value))
    yield from (f"weights/{group}" for group in groups_of(parameters))
    yield from (f"row/{name}" for name in parameters if name.endswith("embeddings"))
    for place, value in arrays.items():
        features = value.ndim - 1 if is_float(value) else value.ndim
        yield from (f"{place}/{axis}" for axis in range(features) if value.shape[axis] > 1 and value.ndim > 1)


def _place_changed(value: np.ndarray, axis: int) -> int:
    """The place along an axis that changes: one in the middle."""
    return value.shape[axis] // 2


def _run_changed(
    change: str, exercise: Exercise, check: Check, session: Session, secret: bytes, search: LayoutSearch
) -> Outcome:
    target, _, how = change.partition("/")
    if target == "row":
        changed = ChangedWeights(search, change_where(lambda name: name == how, _with_row_disturbed))
        return run_probe(exercise, check, session, secret, changed)
    if target == "weights":
        changed = ChangedWeights(search, change_where(lambda name: is_in_group(name, how), _disturbed))
        return run_probe(exercise, check, session, secret, changed)
    disturb = change_where(lambda place: place == target, partial(_changed, how=how))
    return run_probe(exercise, check, ChangedInputs(session, disturb), secret, search)


def _with_row_disturbed(table: np.ndarray) -> np.ndarray:
    changed = table.copy()
    changed[_ROW] = _disturbed(table)[_ROW]
    return changed


def _changed(value: np.ndarray, how: str) -> np.ndarray:
    if how == "twice":
        return value * value.dtype.type(2)
    disturbed = _disturbed(value)
    if how == "all" or int(how) >= value.ndim:
        return disturbed
    index = (slice(None),) * int(how) + (_place_changed(value, int(how)),)
    changed = value.copy()
    changed[index] = disturbed[index]
    return changed


def _disturbed(value: np.ndarray) -> np.ndarray:
    """Other values of the same kind at every place: ids become other ids that also occur."""
    if value.dtype.kind == "b":
        return ~value
    if value.dtype.kind in "iu":
        known, places = np.unique(value, return_inverse=True)
        return known[(places.reshape(value.shape) + 1) % len(known)].astype(value.dtype)
    random = np.random.RandomState(value.size)
    return (value.astype("float64") * 0.7 + random.normal(size=value.shape)).astype(value.dtype)


def _moved(before: Outcome, after: Outcome) -> list[np.ndarray]:
    """Where each part of an answer has moved; empty if the changed run failed."""
    if after.failure:
        return []
    return [_moved_part(*values) for _, *values in parts(after.value, before.value)]


def _moved_part(after: Any, before: Any) -> np.ndarray:
    moved, base = numbers_of(after), numbers_of(before)
    if moved is None or base is None or moved.shape != base.shape:
        return np.zeros(0, bool)
    with np.errstate(invalid="ignore"):
        stays = (np.abs(moved - base) <= _MOVED * (1 + np.abs(base))) | (moved == base)
    # An array even for a single number, because a release's file holds only arrays.
    return np.asarray(~(stays | (np.isnan(moved) & np.isnan(base))))


# By change: where each part of the student's answer moves, and where each part of the reference's does.
_Both = Mapping[str, tuple[list[np.ndarray], list[np.ndarray]]]


def known_to_matter(right: Iterable[Moves]) -> frozenset[str]:
    """The changes under which an answer moves, from what the reference does in checks that the answer passes."""
    return frozenset(change for moved in right for change, of_parts in moved.items() if any(map(np.any, of_parts)))


def telling_changes(given: Moves, expected: Moves) -> list[str]:
    """The changes that have to be made once more if what was observed of them is to be observed again."""
    return [
        change
        for change, moved in expected.items()
        if change in given and (change.endswith("/all") or not _are_equal(given[change], moved))
    ]


def _are_equal(moved: Sequence[np.ndarray], others: Sequence[np.ndarray]) -> bool:
    return len(moved) == len(others) and all(map(np.array_equal, moved, others))


def dependence_differences(
    exercise: Exercise,
    given: Moves,
    expected: Moves,
    names: Sequence[str],
    inputs: Mapping[str, Any],
    known: Collection[str] = (),
) -> Evidence:
    """What the student's answer depends on and the reference's does not, or the other way round.

    Args:
        exercise: the exercise whose docstring names arguments and axes.
        given: where the student's answer moves under each change.
        expected: where the reference's does.
        names: the names of the answer's parts.
        inputs: the arguments of the student's code, by name.
        known: the changes of which it is not said that they have no effect (see `known_to_matter`).
    """
    both = {change: (given[change], moved) for change, moved in expected.items() if moved and given.get(change)}
    observations = [
        *_without_effect(exercise, both, names, known),
        *_rows_elsewhere(both),
        *_inputs_elsewhere(exercise, both, inputs, known),
    ]
    return dict.fromkeys(observations, ENOUGH)


def _without_effect(
    exercise: Exercise, both: _Both, names: Sequence[str], known: Collection[str]
) -> Iterator[Observation]:
    dead = []
    for change, (moved, should_move) in both.items():
        target, _, how = change.partition("/")
        if target == "row" or change in known:
            continue
        pairs = [(name, part, right) for name, part, right in zip(names, moved, should_move, strict=False) if part.size]
        # Of an answer that is too short, what is missing might have moved.
        still = [name for name, part, right in pairs if right.any() and not part.any() and part.shape == right.shape]
        everywhere = len(still) == sum(right.any() for _, _, right in pairs)
        if not still:
            if how == "all" and any(part.any() for part in moved) and not any(right.any() for right in should_move):
                yield _effect_too_many(argument_name(exercise, target))
        elif target == "weights":
            if everywhere:
                dead.append(how)
        elif how == "twice" and everywhere and _has_effect(both, f"{target}/all"):
            name = argument_name(exercise, target)
            yield Observation(
                Message("How large `{name}` is has no effect: twice as large, it gives the same result.", name=name),
                Message(
                    "Where is `{name}` divided by its own size, or where is only its sign or its order used?", name=name
                ),
            )
        elif how == "all":
            name = argument_name(exercise, target)
            yield Observation(
                Message("`{name}` has no effect: whatever it is, the result is the same.", name=name)
                if everywhere or not still[0]
                else Message(
                    "`{name}` has no effect on {part}: whatever it is, the result is the same.",
                    name=name,
                    part=named(still[0]),
                ),
                Message("What should `{name}` change, and in which line?", name=name),
            )
    if dead:
        yield _dead_weights(dead)


def _effect_too_many(name: str) -> Observation:
    return Observation(
        Message("`{name}` changes the result, but should not.", name=name),
        Message("Where does the code use `{name}`?", name=name),
    )


def _dead_weights(groups: Sequence[str]) -> Observation:
    parts_ = all_of(f"`{group}`" for group in groups)
    return Observation(
        Message("The weights of {parts} have no effect: whatever they are, the result is the same.", parts=parts_),
        "Is each part called, is its output used, and is no other part used in its place?",
    )


def _rows_elsewhere(both: _Both) -> Iterator[Observation]:
    """A row of a table stands for something, such as a position, and should show only where that is."""
    for change, (moved, should_move) in both.items():
        target, _, table = change.partition("/")
        if target != "row":
            continue
        pairs = [(part, right) for part, right in zip(moved, should_move, strict=False) if part.shape == right.shape]
        # Far away, a change of some features is too small to be seen.
        seen = [[moved.any(axis=-1) if moved.ndim > 1 else moved for moved in pair] for pair in pairs]
        if any(part.any() and right.any() and (part != right).any() for part, right in seen):
            name = table.rpartition("/")[0] or table
            yield Observation(
                Message("Row {row} of the table `{name}` affects other places than it should.", row=_ROW, name=name),
                Message("What does the code look up in `{name}`?", name=name),
            )


def _has_effect(both: _Both, change: str) -> bool:
    return change in both and any(part.any() for part in both[change][0])


def _inputs_elsewhere(
    exercise: Exercise, both: _Both, inputs: Mapping[str, Any], known: Collection[str]
) -> Iterator[Observation]:
    """A change at one place of an input moves other places of the answer than it should."""
    for change, (moved, should_move) in both.items():
        target, _, how = change.partition("/")
        name = argument_name(exercise, target)
        value = inputs.get(name)
        if not how.isdecimal() or target == "weights" or not isinstance(value, np.ndarray) or int(how) >= value.ndim:
            continue
        for part, right in zip(moved, should_move, strict=False):
            if part.shape != right.shape or np.array_equal(part, right) or (change in known and not part.any()):
                continue
            if observation := _along_an_axis(exercise, name, int(how), value, part, right):
                yield observation
                break


def _along_an_axis(
    exercise: Exercise, name: str, changed: int, value: np.ndarray, part: np.ndarray, right: np.ndarray
) -> Observation | None:
    """What a change at one place along an axis does and should not, or should do and does not."""
    place = _place_changed(value, changed)
    axis_name = axes_of(exercise, name, value.ndim)[changed]
    axis_shown = f"`{axis_name}`" if axis_name else Message("axis {axis}", axis=changed)
    if not part.any():
        return Observation(
            Message(
                "Along {axis_shown}, not all places of `{name}` have an effect: with another value in the middle, the "
                "result is the same.",
                axis_shown=axis_shown,
                name=name,
            ),
            "Does the code use every one of them, or only the first?",
        )
    # If the answer has the axis that changed, that axis says most.
    for axis in sorted(range(right.ndim), key=lambda axis: axis != changed):
        seen, expected = (_places_along(axis, moved) for moved in (part, right))
        if seen == expected or not seen:
            continue
        has_axis = axis == changed and right.shape[axis] == value.shape[changed]
        if has_axis and expected <= {place} and not seen <= {place}:
            return _mutual_influence(name, axis_shown)
        # Of an axis without a name, nobody knows what should be independent along it.
        if axis_name and (observation := _reach(name, axis_shown, seen, expected)):
            return observation
    return None


def _places_along(axis: int, moved: np.ndarray) -> set[int]:
    others = tuple(other for other in range(moved.ndim) if other != axis)
    return set(np.flatnonzero(moved.any(axis=others)).tolist())


def _mutual_influence(name: str, axis_shown: str) -> Observation:
    if axis_shown == "`batch`":
        return Observation(
            Message(
                "The samples of a batch influence each other: another one in `{name}` changes the results of the "
                "others.",
                name=name,
            ),
            "Which operation runs over the first axis?",
        )
    return Observation(
        Message(
            "Along {axis_shown}, the places of `{name}` influence each other: another value at one of them changes "
            "the result at others, and should not.",
            axis_shown=axis_shown,
            name=name,
        ),
        "Which axis does each operation run over, and which places may influence each other?",
    )


def is_about_reach(observation: Observation) -> bool:
    """Whether an observation only says how far a change at one place reaches, which may have many reasons."""
    return observation.sentence.endswith((f"{_TOO_FAR}.", f"{_ELSEWHERE}.", f"{_NOT_FAR_ENOUGH}."))


def _reach(name: str, axis_shown: str, seen: set[int], expected: set[int]) -> Observation | None:
    if seen > expected:
        return Observation(
            Message(
                "Along {axis_shown}, one place of `{name}` changes the result where it should not matter.",
                axis_shown=axis_shown,
                name=name,
            ),
            "Which axis does each operation run over, and which places may influence each other?",
        )
    if not seen <= expected:
        return Observation(
            Message(
                "Along {axis_shown}, another value at one place of `{name}` changes the result at other places than "
                "it should.",
                axis_shown=axis_shown,
                name=name,
            ),
            "Which places should this one influence, and which does it?",
        )
    # Where an activation is flat, a change may get lost here and there, but not at half of the places.
    if 2 * len(seen) <= len(expected):
        return Observation(
            Message(
                "Along {axis_shown}, one place of `{name}` changes less of the result than it should.",
                axis_shown=axis_shown,
                name=name,
            ),
            "Which places should influence each other, and what keeps them apart?",
        )
    return None
