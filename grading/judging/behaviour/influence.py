"""What the student's answer depends on and the reference's does not, or the other way round, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from grading.judging.behaviour.axes import argument_name, axes_of
from grading.judging.behaviour.dependence import ROW, Moves, place_changed
from grading.judging.behaviour.observation import ENOUGH, Observation, Seen
from grading.judging.exercise import Exercise


def influences(
    exercise: Exercise, given: Moves, wanted: Moves, names: Sequence[str], inputs: Mapping[str, Any]
) -> Seen:
    """What two answers' dependence differs in.

    Args:
        exercise: whose docstring names arguments and axes.
        given: where the student's answer moves under each change.
        wanted: where the reference's does.
        names: what the parts of the answer are called.
        inputs: what the code was called with, by name.
    """
    both = {change: (given[change], moved) for change, moved in wanted.items() if moved and given.get(change)}
    found = [*_without_effect(exercise, both, names), *_rows_elsewhere(both), *_elsewhere(exercise, both, inputs)]
    return dict.fromkeys(found, ENOUGH)


_Both = Mapping[str, tuple[list[np.ndarray], list[np.ndarray]]]


def _without_effect(exercise: Exercise, both: _Both, names: Sequence[str]) -> Iterator[Observation]:
    dead = []
    for change, (moved, matters) in both.items():
        what, _, how = change.partition("/")
        pairs = [(name, part, right) for name, part, right in zip(names, moved, matters, strict=False) if part.size]
        still = [name for name, part, right in pairs if right.any() and not part.any()]
        if what == "row":
            continue
        if not still:
            if how == "all" and any(part.any() for part in moved) and not any(right.any() for right in matters):
                name = argument_name(exercise, what)
                yield Observation(
                    f"`{name}` changes what is returned, and should not.", f"Where does `{name}` come in?"
                )
            continue
        everywhere = len(still) == sum(right.any() for _, _, right in pairs)
        if what == "weights":
            if everywhere:
                dead.append(how)
        elif how == "twice" and everywhere and _has_effect(both, f"{what}/all"):
            name = argument_name(exercise, what)
            yield Observation(
                f"How large `{name}` is has no effect: twice as large, it gives the same.",
                f"Where is `{name}` divided by its own size, or only its sign or its order looked at?",
            )
        elif how == "all":
            name = argument_name(exercise, what)
            where = "" if everywhere or not still[0] else f" on {still[0]}"
            yield Observation(
                f"`{name}` has no effect{where}: whatever it is, the same comes back.",
                f"What should `{name}` change, and in which line?",
            )
    if dead:
        named = " and ".join(f"`{name}`" for name in dead)
        yield Observation(
            f"The weights of {named} have no effect: whatever they are, the same comes back.",
            "Is each part called, is what it returns used, and does no other stand in its place?",
        )


def _rows_elsewhere(both: _Both) -> Iterator[Observation]:
    """A row of a table stands for something, such as a position; it is to show where that is."""
    for change, (moved, matters) in both.items():
        what, _, table = change.partition("/")
        if what != "row":
            continue
        pairs = [(part, right) for part, right in zip(moved, matters, strict=False) if part.shape == right.shape]
        if any(part.any() and right.any() and (part != right).any() for part, right in pairs):
            name = table.rpartition("/")[0] or table
            yield Observation(
                f"Row {ROW} of the table `{name}` comes in at other places than it should.",
                f"By what is `{name}` looked up?",
            )


def _has_effect(both: _Both, change: str) -> bool:
    return change in both and any(part.any() for part in both[change][0])


def _elsewhere(exercise: Exercise, both: _Both, inputs: Mapping[str, Any]) -> Iterator[Observation]:
    """A change in one place is seen in other places than it should."""
    for change, (moved, matters) in both.items():
        what, _, how = change.partition("/")
        name = argument_name(exercise, what)
        value = inputs.get(name)
        if not how.isdecimal() or what == "weights" or not isinstance(value, np.ndarray) or int(how) >= value.ndim:
            continue
        for part, right in zip(moved, matters, strict=False):
            if part.shape != right.shape or np.array_equal(part, right):
                continue
            if found := _along_an_axis(exercise, name, int(how), value, part, right):
                yield found
                break


def _along_an_axis(
    exercise: Exercise, name: str, changed: int, value: np.ndarray, part: np.ndarray, right: np.ndarray
) -> Observation | None:
    """What a change at one place of an axis does, and should not, or the other way round."""
    place = place_changed(value, changed)
    axis_name = axes_of(exercise, name, value.ndim)[changed] or ("batch" if changed == 0 else "")
    called = f"`{axis_name}`" if axis_name else f"axis {changed}"
    if not part.any():
        return Observation(
            f"Over {called}, not all places of `{name}` have an effect: with another value at {place}, the same comes "
            "back.",
            "Is every one of them used, or only the first?",
        )
    # The axis that was changed says most, where the answer has it, too.
    for axis in sorted(range(right.ndim), key=lambda axis: axis != changed):
        seen, wanted = (_places_over(axis, moved) for moved in (part, right))
        if seen == wanted or not seen:
            continue
        has_axis = axis == changed and right.shape[axis] == value.shape[changed]
        if has_axis and wanted <= {place} and not seen <= {place}:
            return _influence(name, called)
        if found := _reach(name, called, seen, wanted):
            return found
    return None


def _places_over(axis: int, moved: np.ndarray) -> set[int]:
    others = tuple(other for other in range(moved.ndim) if other != axis)
    return set(np.flatnonzero(moved.any(axis=others)).tolist())


def _influence(name: str, called: str) -> Observation:
    if called == "`batch`":
        return Observation(
            f"The samples of a batch influence each other: another one in `{name}` changes what comes back for the "
            "others.",
            "Which operation reaches over the first axis?",
        )
    return Observation(
        f"Over {called}, the places of `{name}` influence each other: another value at one of them changes what comes "
        "back at others, and should not.",
        "Over which axis does each operation reach, and which places may look at each other?",
    )


def _reach(name: str, called: str, seen: set[int], wanted: set[int]) -> Observation | None:
    if seen > wanted:
        return Observation(
            f"Over {called}, one place of `{name}` changes what comes back where it should not matter.",
            "Over which axis does each operation reach, and which places may look at each other?",
        )
    if not seen <= wanted:
        return Observation(
            f"Over {called}, another value at one place of `{name}` changes what comes back at other places than it "
            "should.",
            "Which places are to look at this one, and which do?",
        )
    # Where an activation is flat, a change may well be lost here and there; half of the places it is not.
    if 2 * len(seen) <= len(wanted):
        return Observation(
            f"Over {called}, one place of `{name}` changes less of what comes back than it should.",
            "Which places should look at each other, and what keeps them apart?",
        )
    return None
