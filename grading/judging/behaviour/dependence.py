"""What an answer depends on: one thing is changed in what comes in, and where the answer moves is looked at.

The same is done to the reference, and only where it moves is kept of that: True and False, and no number of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from grading.judging.behaviour.answers import is_float, numbers_of, parts
from grading.judging.behaviour.budget import CALLS_TO_TRY, Budget, cost_of
from grading.judging.behaviour.sessions import ChangedWeights, Changing, Watching, places_of
from grading.judging.exercise import Check, Exercise
from grading.judging.probing import Outcome, run_probe
from grading.judging.proxies import Session
from grading.judging.weight_layouts import LayoutSearch

# For each change, where each part of the answer moves; an empty list where that cannot be said.
# A change is called "0/all", where argument 0 is another one, "0/2", where its axis 2 is in one place,
# "0/twice", where it is twice as large, "weights/query", or "row/token_embedding/embeddings", for one row of a table.
Moves = dict[str, list[np.ndarray]]

ROW = 1
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
    """Where the answer of a check moves under each change; nothing where a check is no good for this.

    Args:
        exercise: whose definition is called.
        check: whose inputs are changed.
        session: where the definition is.
        secret: seeds the inputs.
        search: the layout of its weights.
        changes: those that are looked at; None: all that there are.
        budget: what may be spent; None: as much as for any check.
    """
    if check.judge is not None:
        return {}
    search = search or LayoutSearch()
    watching, weights = Watching(session), ChangedWeights(search)
    before = run_probe(exercise, check, watching, secret, weights)
    if before.failure or not watching.is_quick:
        return {}
    budget = budget or Budget(CALLS_TO_TRY)
    found: Moves = {}
    for change in list(_changes(watching, weights.parameters) if changes is None else changes)[:_MOST_CHANGES]:
        if not budget.pays(cost_of(watching, weights.parameters)):
            break
        after = _under(change, exercise, check, session, secret, search)
        if after.ended_badly:
            break
        found[change] = _moved(before, after)
    return found


def _changes(watching: Watching, parameters: Iterable[str]) -> Iterator[str]:
    arrays = {place: value for operation in watching.calls for place, value in places_of(operation)}
    yield from (f"{place}/all" for place in arrays)
    yield from (f"{place}/twice" for place, value in arrays.items() if is_float(value))
    yield from (f"weights/{group}" for group in groups_of(parameters))
    yield from (f"row/{name}" for name in parameters if name.endswith("embeddings"))
    for place, value in arrays.items():
        features = value.ndim - 1 if is_float(value) else value.ndim
        yield from (f"{place}/{axis}" for axis in range(features) if value.shape[axis] > 1 and value.ndim > 1)


def groups_of(parameters: Iterable[str]) -> list[str]:
    """The parts of a layer, by the paths of their parameters: few, but more than two where there are more."""
    paths = [name.split("/")[:-1] or [name] for name in parameters]
    groups: list[str] = []
    for depth in range(1, max(map(len, paths), default=0) + 1):
        groups = list(dict.fromkeys("/".join(path[:depth]) for path in paths))
        if len(groups) > 2:
            break
    return groups


def place_changed(value: np.ndarray, axis: int) -> int:
    """Which place over an axis is changed: one in the middle."""
    return value.shape[axis] // 2


def _under(
    change: str, exercise: Exercise, check: Check, session: Session, secret: bytes, search: LayoutSearch
) -> Outcome:
    what, _, how = change.partition("/")
    if what == "row":
        changed = ChangedWeights(
            search,
            lambda parameters: {
                name: _in_one_row(value) if name == how else value for name, value in parameters.items()
            },
        )
        return run_probe(exercise, check, session, secret, changed)
    if what == "weights":
        changed = ChangedWeights(
            search,
            lambda parameters: {
                name: _disturbed(value) if f"{name}/".startswith(f"{how}/") else value
                for name, value in parameters.items()
            },
        )
        return run_probe(exercise, check, session, secret, changed)

    def disturb(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {place: _changed(value, how) if place == what else value for place, value in arrays.items()}

    return run_probe(exercise, check, Changing(session, disturb), secret, search)


def _in_one_row(table: np.ndarray) -> np.ndarray:
    changed = table.copy()
    changed[ROW] = _disturbed(table)[ROW]
    return changed


def _changed(value: np.ndarray, how: str) -> np.ndarray:
    if how == "twice":
        return value * value.dtype.type(2)
    disturbed = _disturbed(value)
    if how == "all" or int(how) >= value.ndim:
        return disturbed
    index = (slice(None),) * int(how) + (place_changed(value, int(how)),)
    changed = value.copy()
    changed[index] = disturbed[index]
    return changed


def _disturbed(value: np.ndarray) -> np.ndarray:
    """Other values of the same kind, at every place: ids become other ids that occur, too."""
    if value.dtype.kind == "b":
        return ~value
    if value.dtype.kind in "iu":
        known, places = np.unique(value, return_inverse=True)
        return known[(places.reshape(value.shape) + 1) % len(known)].astype(value.dtype)
    random = np.random.RandomState(value.size)
    return (value.astype("float64") * 0.7 + random.normal(size=value.shape)).astype(value.dtype)


def _moved(before: Outcome, after: Outcome) -> list[np.ndarray]:
    """Where each part of an answer has moved; nowhere, where that cannot be said of it."""
    if after.failure:
        return []
    return [_moved_part(*values) for _, *values in parts(after.value, before.value)]


def _moved_part(after: Any, before: Any) -> np.ndarray:
    one, other = numbers_of(after), numbers_of(before)
    if one is None or other is None or one.shape != other.shape:
        return np.zeros(0, bool)
    with np.errstate(invalid="ignore"):
        # An array even of a single number, which a file of a release can hold.
        return np.asarray(~(np.abs(one - other) <= _MOVED * (1 + np.abs(other))))
