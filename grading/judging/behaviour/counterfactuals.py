"""What if one thing were otherwise: with which other inputs, flags or weights is the result right?"""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from grading.judging.behaviour.calls import (
    Arrays,
    ChangedInputs,
    ChangedWeights,
    InvertedFlag,
    WatchedSession,
    argument_name,
    arrays_in,
    axes_of,
    change_where,
    scaled,
    sizes_of,
)
from grading.judging.behaviour.observation import Observation, is_float
from grading.judging.exercise import Check, Exercise
from grading.judging.probing import Outcome, run_probe
from grading.judging.proxies import Session
from grading.judging.weight_layouts import LayoutSearch
from grading.messages import Message

_MOST = 40


@dataclass(frozen=True, eq=False)
class Counterfactual:
    """A change of inputs, weights or a flag.

    Attributes:
        observation: what is true if the result is right after the change.
        inputs: the change of the inputs.
        weights: the two groups of parameters that are swapped.
        rescaled: the group of parameters that is multiplied, and the factor.
        flag: the flag that is inverted, and its default.
    """

    observation: Observation
    inputs: Callable[[Arrays], Arrays] | None = None
    weights: tuple[str, str] | None = None
    rescaled: tuple[str, float] | None = None
    flag: tuple[str, bool] | None = None

    def run(self, exercise: Exercise, check: Check, session: Session, secret: bytes, search: LayoutSearch) -> Outcome:
        """What the student's code returns after the change."""
        if self.flag:
            return run_probe(exercise, check, InvertedFlag(session, exercise.name, *self.flag), secret, search)
        if self.inputs:
            return run_probe(exercise, check, ChangedInputs(session, self.inputs), secret, search)
        changed = ChangedWeights(search, self._with_group_rescaled if self.rescaled else self._with_groups_swapped)
        return run_probe(exercise, check, session, secret, changed)

    def _with_group_rescaled(self, parameters: Arrays) -> Arrays:
        group, factor = self.rescaled  # type: ignore[misc]
        return change_where(lambda name: name.partition("/")[0] == group, partial(scaled, factor))(parameters)

    def _with_groups_swapped(self, parameters: Arrays) -> Arrays:
        first, second = self.weights  # type: ignore[misc]
        swap = {first: second, second: first}

        def source(name: str) -> str:
            group, slash, rest = name.partition("/")
            return swap.get(group, group) + slash + rest

        return {name: parameters[source(name)] for name in parameters}


def counterfactuals(exercise: Exercise, watched: WatchedSession, parameters: Arrays) -> list[Counterfactual]:
    """All counterfactuals to try for a check, the likeliest first."""
    if not watched.calls:
        return []
    arrays = dict(arrays_in(watched.fullest_call()))
    candidates = [
        *_inverted_flags(exercise),
        *_changed_masks(exercise, arrays),
        *_swapped_arguments(exercise, arrays),
        *_swapped_weights(parameters),
        *_rescaled_weights(parameters),
        *_stepped_arguments(exercise, arrays),
        *_rescaled_arguments(exercise, arrays),
        *_reversed_arguments(exercise, arrays),
    ]
    return candidates[:_MOST]


def _only(place: str, change: Callable[[np.ndarray], np.ndarray]) -> Callable[[Arrays], Arrays]:
    return change_where(lambda name: name == place, change)


def _inverted_flags(exercise: Exercise) -> Iterator[Counterfactual]:
    """Flags that a function is called with, or a layer is made with."""
    for name, parameter in inspect.signature(exercise.reference).parameters.items():
        if isinstance(parameter.default, bool):
            yield Counterfactual(
                Observation(
                    Message(
                        "`{name}` is used the wrong way round: with True and False swapped, the result is right.",
                        name=name,
                    ),
                    Message("What should happen if `{name}` is True?", name=name),
                ),
                flag=(name, parameter.default),
            )


def _plus(step: int, x: np.ndarray) -> np.ndarray:
    return (x + step).astype(x.dtype)


def _reversed(axis: int, x: np.ndarray) -> np.ndarray:
    return np.flip(x, axis).copy()


def _swapped(first: str, second: str, arrays: Arrays) -> Arrays:
    if first not in arrays or second not in arrays:
        return arrays
    return {**arrays, first: arrays[second], second: arrays[first]}


def _changed_masks(exercise: Exercise, arrays: Arrays) -> Iterator[Counterfactual]:
    for place, value in arrays.items():
        name = argument_name(exercise, place)
        if value.dtype.kind != "b":
            continue
        yield Counterfactual(
            Observation(
                Message(
                    "`{name}` is used the wrong way round: with True and False swapped in it, the result is right.",
                    name=name,
                ),
                Message("What does True mean in `{name}`?", name=name),
            ),
            _only(place, np.logical_not),
        )
        if value.ndim >= 2 and value.shape[-1] == value.shape[-2] > 1:
            yield Counterfactual(
                Observation(
                    Message(
                        "`{name}` is used with its axes mixed up: with its last two axes swapped, the result is right.",
                        name=name,
                    ),
                    Message("What does each axis of `{name}` stand for?", name=name),
                ),
                _only(place, lambda mask: np.swapaxes(mask, -1, -2)),
            )


def _factors(size: int, axis: str, sizes: Mapping[str, int]) -> Iterator[tuple[float, Message]]:
    """Factors by which an argument may be divided too often or too seldom: its width, another size, their roots."""
    yield 2.0, Message("doubled")
    yield 0.5, Message("halved")
    if size > 1:
        yield math.sqrt(size), Message("multiplied by √{axis}", axis=axis)
        yield 1 / math.sqrt(size), Message("divided by √{axis}", axis=axis)
        yield 1.0 * size, Message("multiplied by {axis}", axis=axis)
    for name, other in sizes.items():
        if 1 < other != size:
            described = Message("multiplied by √{name} and divided by √{axis}", name=name, axis=axis)
            yield math.sqrt(other / size), described


def _rescaled_arguments(exercise: Exercise, arrays: Arrays) -> Iterator[Counterfactual]:
    sizes = sizes_of(exercise, {argument_name(exercise, place): value for place, value in arrays.items()})
    for place, value in arrays.items():
        if not is_float(value) or not value.ndim or value.size < 4:
            continue
        name = argument_name(exercise, place)
        axis = axes_of(exercise, name, value.ndim)[-1] or Message("the size of its last axis")
        for factor, described in _factors(value.shape[-1], axis, sizes):
            yield Counterfactual(
                Observation(
                    Message("The result is right if `{name}` is {described} first.", name=name, described=described),
                    Message("Where does the code divide or multiply `{name}`, by what, and how often?", name=name),
                ),
                _only(place, partial(scaled, factor)),
            )
        yield Counterfactual(
            Observation(
                Message("`{name}` is used with the opposite sign: if it is negated, the result is right.", name=name),
                "Where is something subtracted or negated?",
            ),
            _only(place, np.negative),
        )


def _stepped_arguments(exercise: Exercise, arrays: Arrays) -> Iterator[Counterfactual]:
    """One more or one less, as when counting begins at 1."""
    for place, value in arrays.items():
        if value.dtype.kind in "iu" or (is_float(value) and value.ndim == 1):
            name = argument_name(exercise, place)
            for step, sentence in (
                (
                    -1,
                    Message("`{name}` is used as if it were 1 too large: with 1 less, the result is right.", name=name),
                ),
                (
                    1,
                    Message("`{name}` is used as if it were 1 too small: with 1 more, the result is right.", name=name),
                ),
            ):
                yield Counterfactual(
                    Observation(
                        sentence,
                        "Does something count from 1, or is 1 added on the way?",
                    ),
                    _only(place, partial(_plus, step)),
                )


def _swapped_arguments(exercise: Exercise, arrays: Arrays) -> Iterator[Counterfactual]:
    for (place, value), (other_place, other) in itertools.combinations(arrays.items(), 2):
        if value.ndim != other.ndim or is_float(value) != is_float(other):
            continue
        names = [argument_name(exercise, argument) for argument in (place, other_place)]
        yield Counterfactual(
            Observation(
                Message(
                    "`{first}` and `{second}` are mixed up: with the two swapped, the result is right.",
                    first=names[0],
                    second=names[1],
                ),
                "Which argument goes where?",
            ),
            partial(_swapped, place, other_place),
        )


def _reversed_arguments(exercise: Exercise, arrays: Arrays) -> Iterator[Counterfactual]:
    for place, value in arrays.items():
        name = argument_name(exercise, place)
        axes = axes_of(exercise, name, value.ndim)
        for axis in range(min(value.ndim, 3)):
            if value.shape[axis] > 2 and value.dtype.kind != "b":
                described = Message("its {axis}", axis=axes[axis]) if axes[axis] else Message("axis {axis}", axis=axis)
                yield Counterfactual(
                    Observation(
                        Message(
                            "`{name}` is read from its end: in reverse order along {described}, the result is right.",
                            name=name,
                            described=described,
                        ),
                        "Where does counting begin?",
                    ),
                    _only(place, partial(_reversed, axis)),
                )


def _swapped_weights(parameters: Arrays) -> Iterator[Counterfactual]:
    groups: dict[str, dict[str, tuple[int, ...]]] = {}
    for name, value in parameters.items():
        group, _, rest = name.partition("/")
        groups.setdefault(group, {})[rest] = value.shape
    for (group, shapes), (other_group, other_shapes) in itertools.combinations(groups.items(), 2):
        if shapes == other_shapes:
            yield Counterfactual(
                Observation(
                    Message(
                        "`{group}` and `{other_group}` are mixed up: with their weights swapped, the result is right.",
                        group=group,
                        other_group=other_group,
                    ),
                    "Which of the two belongs where?",
                ),
                weights=(group, other_group),
            )


def _rescaled_weights(parameters: Arrays) -> Iterator[Counterfactual]:
    """One of several parts, such as the queries' projection, whose output may be scaled by mistake."""
    kernels = [name.partition("/")[0] for name in parameters if name.endswith("/kernel") and name.count("/") == 1]
    for group in kernels if len(kernels) > 1 else []:
        for factor, described in ((2.0, Message("doubled")), (0.5, Message("halved"))):
            yield Counterfactual(
                Observation(
                    Message(
                        "The result is right if the weights of `{group}` are {described}.",
                        group=group,
                        described=described,
                    ),
                    Message(
                        "Where does the code divide or multiply the output of `{group}`, by what, and how often?",
                        group=group,
                    ),
                ),
                rescaled=(group, factor),
            )
