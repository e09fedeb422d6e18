"""The ways to call a callable with an exercise's arguments: in another order, or with further arguments."""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from grading.hunt.fitting import fits
from grading.hunt.held import Held, arguments_by_name, own_parameters

# Values for parameters for which the exercise has no argument.
_FILLINGS = (0, 1, None)
# Every order of so many arguments, the first ones, is tried.
_MOST_TURNED = 3


@dataclass(frozen=True)
class Way:
    """One way to call a callable in place of an exercise.

    Attributes:
        arguments: pairs of a parameter's index and the exercise's argument that it gets.
        fillings: pairs of a parameter's index and a constant value.
        first: whether the answer is the first item of the result.
        as_it_is: whether the callable takes the exercise's place unchanged, as a class may.
    """

    arguments: tuple[tuple[int, str], ...]
    fillings: tuple[tuple[int, Any], ...] = ()
    first: bool = False
    as_it_is: bool = False

    def values(self, given: Mapping[str, Any]) -> dict[int, Any]:
        """The callable's arguments by index, from the exercise's arguments."""
        return {place: given[name] for place, name in self.arguments if name in given} | dict(self.fillings)

    def written(self, held: Held) -> str:
        """The call as a student would write it."""
        if self.as_it_is:
            return held.name
        known = dict(self.arguments) | {place: repr(value) for place, value in self.fillings}
        shown = ", ".join(f"{one.name}={known[place]}" for place, one in enumerate(held.parameters) if place in known)
        return f"{held.name}({shown}){'[0]' if self.first else ''}"


def ways(held: Held, reference: Any, given: Mapping[str, Any]) -> Iterator[Way]:
    """Yield the ways to call a callable that fit the arguments of one call.

    Args:
        held: the callable.
        reference: the exercise's own function or class.
        given: the arguments by name.
    """
    theirs = held.parameters
    if inspect.isclass(reference):
        yield Way((), as_it_is=True)
    seen = set()
    for way in _all_ways(reference, theirs, len(given)):
        if way not in seen and _is_complete(way, theirs, given):
            yield way
        seen.add(way)


def adapted(held: Held, way: Way, reference: Any) -> Callable[..., Any]:
    """A stand-in for the exercise: takes its arguments, and calls the callable in this way."""
    if way.as_it_is:
        return held.value

    @functools.wraps(reference, updated=())
    def stand_in(*args: Any, **kwargs: Any) -> Any:
        result = called(held, way, reference, arguments_by_name(reference, args, kwargs))
        return result[0] if way.first else result

    return stand_in


def called(held: Held, way: Way, reference: Any, given: Mapping[str, Any]) -> Any:
    """The result of a callable that is called in this way with an exercise's arguments."""
    own = own_parameters(reference)
    return held.call(way.values(given), {name: value for name, value in given.items() if name not in own})


def first_of(way: Way) -> Way:
    """The same way, with the first item of the result as the answer."""
    return replace(way, first=True)


def _all_ways(reference: Any, theirs: Sequence[inspect.Parameter], count: int) -> Iterator[Way]:
    required = {place for place, one in enumerate(theirs) if one.default is inspect.Parameter.empty}
    for arguments in _pairings(reference, theirs, count):
        lacking = sorted(required - dict(arguments).keys())
        for filling in _FILLINGS if lacking else (None,):
            yield Way(arguments, tuple((place, filling) for place in lacking))


def _pairings(reference: Any, theirs: Sequence[inspect.Parameter], count: int) -> Iterator[tuple[tuple[int, str], ...]]:
    """Yield which parameter gets which argument: in order, by name, with one parameter skipped, in another order."""
    names = own_parameters(reference)
    yield tuple(enumerate(names[: len(theirs)]))
    by_name = {place: one.name for place, one in enumerate(theirs) if one.name in names}
    rest = [name for name in names if name not in by_name.values()]
    free = [place for place in range(len(theirs)) if place not in by_name]
    yield tuple(sorted([*by_name.items(), *zip(free, rest, strict=False)]))
    if inspect.isclass(reference):  # a class has many arguments, and takes long to try
        return
    for skipped in range(min(len(names), len(theirs))):
        others = [place for place in range(len(theirs)) if place != skipped]
        yield tuple(zip(others, names, strict=False))
    turned = names[: min(count, _MOST_TURNED, len(theirs))]
    for order in itertools.permutations(turned):
        yield tuple(enumerate([*order, *names[len(turned) :]][: len(theirs)]))


def _is_complete(way: Way, theirs: Sequence[inspect.Parameter], given: Mapping[str, Any]) -> bool:
    """Whether every required parameter gets an argument, and every argument fits its annotation."""
    values = way.values(given)
    return len(values) > len(way.fillings) and all(
        fits(values[place], one.annotation) if place in values else one.default is not inspect.Parameter.empty
        for place, one in enumerate(theirs)
    )
