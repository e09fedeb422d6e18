"""Which weights a layer holds, and which it should: where its parameters fit into none of its layouts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from grading.judging.behaviour.observation import ENOUGH, Observation, Seen

_MOST_NAMED = 3


def _latest(wanted: Mapping[str, np.ndarray], missing: Counter[tuple[int, ...]]) -> list[str]:
    """Names for as many weights as are missing. Of several of a shape it is mostly the later ones that are not made."""
    left: Counter[tuple[int, ...]] = missing.copy()
    names: list[str] = []
    for name, array in reversed(list(wanted.items())):
        if left[array.shape] > 0:
            left[array.shape] -= 1
            names.append(name)
    return names[::-1]


def misfits(wanted: Mapping[str, np.ndarray], held: Sequence[tuple[str, np.ndarray]]) -> Seen:
    """Of which shapes a layer has too few weights, and of which too many.

    Args:
        wanted: the parameters, by the library's names.
        held: the weights that are there, by path.
    """
    shapes_wanted = Counter(array.shape for array in wanted.values())
    shapes_held = Counter(array.shape for _, array in held)
    missing, extra = shapes_wanted - shapes_held, shapes_held - shapes_wanted
    if not wanted or not missing + extra:
        return {}
    if missing:
        names = _latest(wanted, missing)
        count = sum(missing.values())
        kinds = ", ".join(f"{number} of {shape}" for shape, number in list(missing.items())[:_MOST_NAMED])
        named = ", ".join(f"`{name}`" for name in names[:_MOST_NAMED])
        said = f"{count} {'weight is' if count == 1 else 'weights are'} not there: {kinds}, such as {named}"
        said += f"; of {next(iter(extra))} there are too many." if extra else "."
        question = "Is each part made, of the sizes that it was asked for, and none of them used for another?"
    else:
        kinds = ", ".join(f"{number} of {shape}" for shape, number in list(extra.items())[:_MOST_NAMED])
        said = f"There are weights that no parameter is for: {kinds}."
        question = "Which layer or weight is one too many, or has a bias that it should not have?"
    return {Observation(said, question): ENOUGH}
