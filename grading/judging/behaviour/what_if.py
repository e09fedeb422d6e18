"""For which other inputs, or other weights, the student's code would give what is wanted."""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from grading.judging.behaviour.answers import is_float
from grading.judging.behaviour.axes import argument_name, axes_of, sizes_of
from grading.judging.behaviour.numbers import times
from grading.judging.behaviour.observation import Observation
from grading.judging.behaviour.sessions import Arrays, ChangedWeights, Changing, Inverting, Watching, places_of
from grading.judging.exercise import Check, Exercise
from grading.judging.probing import Outcome, run_probe
from grading.judging.proxies import Session
from grading.judging.weight_layouts import LayoutSearch

_MOST = 40


@dataclass(frozen=True, eq=False)
class WhatIf:
    """Another input or other weights.

    Attributes:
        observation: what it says if this gives what is wanted.
        inputs: what is given instead.
        weights: which groups of parameters are exchanged.
        scaled: which group of parameters is multiplied, and by what.
        flag: which flag is turned round, and its default.
    """

    observation: Observation
    inputs: Callable[[Arrays], Arrays] | None = None
    weights: tuple[str, str] | None = None
    scaled: tuple[str, float] | None = None
    flag: tuple[str, bool] | None = None

    def run(self, exercise: Exercise, check: Check, session: Session, secret: bytes, search: LayoutSearch) -> Outcome:
        """What the student's code gives then."""
        if self.flag:
            return run_probe(exercise, check, Inverting(session, exercise.name, *self.flag), secret, search)
        if self.inputs:
            return run_probe(exercise, check, Changing(session, self.inputs), secret, search)
        changed = ChangedWeights(search, self._multiplied if self.scaled else self._exchanged)
        return run_probe(exercise, check, session, secret, changed)

    def _multiplied(self, parameters: Arrays) -> Arrays:
        group, factor = self.scaled  # type: ignore[misc]
        return {
            name: times(factor, value) if name.partition("/")[0] == group else value
            for name, value in parameters.items()
        }

    def _exchanged(self, parameters: Arrays) -> Arrays:
        one, other = self.weights  # type: ignore[misc]
        swap = {one: other, other: one}

        def source(name: str) -> str:
            group, slash, rest = name.partition("/")
            return swap.get(group, group) + slash + rest

        return {name: parameters[source(name)] for name in parameters}


def possibilities(exercise: Exercise, watching: Watching, parameters: Arrays) -> list[WhatIf]:
    """All that is tried for a check, the likeliest first."""
    if not watching.calls:
        return []
    first = dict(places_of(max(watching.calls, key=lambda call: len(list(places_of(call))))))
    every = [*_flags(exercise), *_masks(exercise, first), *_exchanges(exercise, first)]
    every += [
        *_weights(parameters),
        *_weight_scales(parameters),
        *_steps(exercise, first),
        *_scales(exercise, first),
        *_orders(exercise, first),
    ]
    return every[:_MOST]


def _only(place: str, change: Callable[[np.ndarray], np.ndarray]) -> Callable[[Arrays], Arrays]:
    return lambda arrays: {name: change(value) if name == place else value for name, value in arrays.items()}


def _flags(exercise: Exercise) -> Iterator[WhatIf]:
    """Flags that the definition is called with, or a layer is made with."""
    for name, parameter in inspect.signature(exercise.reference).parameters.items():
        if isinstance(parameter.default, bool):
            yield WhatIf(
                Observation(
                    f"`{name}` is taken the wrong way round: with True and False exchanged, the right comes back.",
                    f"What is to happen where `{name}` is True?",
                ),
                flag=(name, parameter.default),
            )


def _plus(step: int, x: np.ndarray) -> np.ndarray:
    return (x + step).astype(x.dtype)


def _reversed(axis: int, x: np.ndarray) -> np.ndarray:
    return np.flip(x, axis).copy()


def _swapped(one: str, other: str, arrays: Arrays) -> Arrays:
    if one not in arrays or other not in arrays:
        return arrays
    return {**arrays, one: arrays[other], other: arrays[one]}


def _masks(exercise: Exercise, arrays: Arrays) -> Iterator[WhatIf]:
    for place, value in arrays.items():
        name = argument_name(exercise, place)
        if value.dtype.kind != "b":
            continue
        yield WhatIf(
            Observation(
                f"`{name}` is taken the wrong way round: with True and False exchanged in it, the right comes back.",
                f"What does True mean in `{name}`?",
            ),
            _only(place, np.logical_not),
        )
        if value.ndim >= 2 and value.shape[-1] == value.shape[-2] > 1:
            yield WhatIf(
                Observation(
                    f"`{name}` is taken the wrong way: with its last two axes exchanged, the right comes back.",
                    f"Which axis of `{name}` stands for what?",
                ),
                _only(place, lambda mask: np.swapaxes(mask, -1, -2)),
            )


def _factors(size: int, axis: str, sizes: Mapping[str, int]) -> Iterator[tuple[float, str]]:
    """By what an argument may be divided too often or too seldom: its width, another size, their roots."""
    yield 2.0, "doubled"
    yield 0.5, "halved"
    if size > 1:
        yield math.sqrt(size), f"multiplied by √{axis}"
        yield 1 / math.sqrt(size), f"divided by √{axis}"
        yield 1.0 * size, f"multiplied by {axis}"
    for name, other in sizes.items():
        if 1 < other != size:
            yield math.sqrt(other / size), f"multiplied by √{name} and divided by √{axis}"


def _scales(exercise: Exercise, arrays: Arrays) -> Iterator[WhatIf]:
    sizes = sizes_of(exercise, {argument_name(exercise, place): value for place, value in arrays.items()})
    for place, value in arrays.items():
        if not is_float(value) or not value.ndim or value.size < 4:
            continue
        name = argument_name(exercise, place)
        axis = axes_of(exercise, name, value.ndim)[-1] or "the size of its last axis"
        for factor, written in _factors(value.shape[-1], axis, sizes):
            yield WhatIf(
                Observation(
                    f"The right comes back if `{name}` is {written} first.",
                    f"How often, and by what, is `{name}` divided or multiplied on its way?",
                ),
                _only(place, partial(times, factor)),
            )
        yield WhatIf(
            Observation(
                f"`{name}` is taken with the other sign: with it negated, the right comes back.",
                "Where is something subtracted or negated?",
            ),
            _only(place, np.negative),
        )


def _steps(exercise: Exercise, arrays: Arrays) -> Iterator[WhatIf]:
    """One more or one less, as where counting begins at 1."""
    for place, value in arrays.items():
        if value.dtype.kind in "iu" or (is_float(value) and value.ndim == 1):
            name = argument_name(exercise, place)
            for step, written in ((-1, "too large"), (1, "too small")):
                yield WhatIf(
                    Observation(
                        f"`{name}` is taken 1 {written}: the right comes back if it is that much "
                        f"{'smaller' if step < 0 else 'larger'}.",
                        "Is something counted from 1, or is 1 added on the way?",
                    ),
                    _only(place, partial(_plus, step)),
                )


def _exchanges(exercise: Exercise, arrays: Arrays) -> Iterator[WhatIf]:
    for (one, first), (other, second) in itertools.combinations(arrays.items(), 2):
        if first.ndim != second.ndim or is_float(first) != is_float(second):
            continue
        names = [argument_name(exercise, place) for place in (one, other)]
        yield WhatIf(
            Observation(
                f"`{names[0]}` and `{names[1]}` are taken for each other: with the two exchanged, the right "
                "comes back.",
                "Which argument goes where?",
            ),
            partial(_swapped, one, other),
        )


def _orders(exercise: Exercise, arrays: Arrays) -> Iterator[WhatIf]:
    for place, value in arrays.items():
        name = argument_name(exercise, place)
        named = axes_of(exercise, name, value.ndim)
        for axis in range(min(value.ndim, 3)):
            if value.shape[axis] > 2 and value.dtype.kind != "b":
                called = f"its {named[axis]}" if named[axis] else f"axis {axis}"
                yield WhatIf(
                    Observation(
                        f"`{name}` is read from its end: in reverse order over {called}, the right comes back.",
                        "Where does counting begin?",
                    ),
                    _only(place, partial(_reversed, axis)),
                )


def _weights(parameters: Arrays) -> Iterator[WhatIf]:
    groups: dict[str, dict[str, tuple[int, ...]]] = {}
    for name, value in parameters.items():
        group, _, rest = name.partition("/")
        groups.setdefault(group, {})[rest] = value.shape
    for (one, first), (other, second) in itertools.combinations(groups.items(), 2):
        if first == second:
            yield WhatIf(
                Observation(
                    f"`{one}` and `{other}` are taken for each other: with their weights exchanged, the right "
                    "comes back.",
                    "Which of the two belongs where?",
                ),
                weights=(one, other),
            )


def _weight_scales(parameters: Arrays) -> Iterator[WhatIf]:
    """A part that is one of several, such as the queries' projection, and whose output is scaled on its way."""
    kernels = [name.partition("/")[0] for name in parameters if name.endswith("/kernel") and name.count("/") == 1]
    for group in kernels if len(kernels) > 1 else []:
        for factor, written in ((2.0, "doubled"), (0.5, "halved")):
            yield WhatIf(
                Observation(
                    f"The right comes back if the weights of `{group}` are {written}.",
                    f"By what, and how often, is what `{group}` gives divided or multiplied on its way?",
                ),
                scaled=(group, factor),
            )
