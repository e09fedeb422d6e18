"""Heat maps of a student's array, the expected one and their difference, which need no library to show."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from grading.judging.comparison import Difference
from grading.messages import Message

_MAX_SIDE = 24


class Panel(NamedTuple):
    """One heat map.

    Attributes:
        title: what it shows.
        rows: for each row and column, the colour and the number as text.
        description: a summary in words, for readers who cannot see it.
    """

    title: str
    rows: list[list[list[str]]]
    description: str


def panels(difference: Difference) -> list[Panel]:
    """Heat maps of the given and the expected array and their difference, in the 2-D slice where they differ most.

    Empty if there is nothing to draw: shapes differ, the arrays are not matrices, or have too many rows or columns.
    """
    given, expected = difference.given, difference.wanted
    if given is None or expected is None or given.ndim < 2 or max(given.shape[-2:]) > _MAX_SIDE:
        return []
    given, expected = given.astype(np.float64), expected.astype(np.float64)
    same = (given == expected) | (np.isnan(given) & np.isnan(expected))  # as for the verdict
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.where(same, 0.0, np.abs(given - expected))
    worst = np.unravel_index(np.nan_to_num(apart, nan=np.inf).argmax(), apart.shape)[:-2]
    highest = np.max(apart[worst], initial=0.0, where=np.isfinite(apart[worst]))
    finite = expected[worst][np.isfinite(expected[worst])]
    low, high = (finite.min(), finite.max()) if finite.size else (0.0, 1.0)
    place = f"[{', '.join(map(str, worst))}]"
    return [
        _panel(Message("Yours {place}", place=place) if worst else Message("Yours"), given[worst], low, high),
        _panel(Message("Expected {place}", place=place) if worst else Message("Expected"), expected[worst], low, high),
        _panel(Message("Difference"), apart[worst], 0.0, highest),
    ]


def _panel(title: str, values: np.ndarray, low: float, high: float) -> Panel:
    import matplotlib  # takes half a second, so only if there is something to draw

    # Cividis also works for the colour-blind; values that are not numbers are red-orange.
    ramp = matplotlib.colormaps["cividis"]
    scaled = np.clip((values - low) / ((high - low) or 1.0), 0, 1)
    rows = [
        [
            [matplotlib.colors.to_hex(ramp(shade)) if np.isfinite(value) else "#d1495b", f"{value:.3g}"]
            for value, shade in zip(row, shades, strict=True)
        ]
        for row, shades in zip(values, np.nan_to_num(scaled), strict=True)
    ]
    finite = values[np.isfinite(values)]
    spread = (
        Message("from {low} to {high}", low=f"{finite.min():.3g}", high=f"{finite.max():.3g}")
        if finite.size
        else Message("no number")
    )
    if finite.size < values.size:
        spread = Message("{spread}, {missing} not a number", spread=spread, missing=values.size - finite.size)
    height, width = values.shape
    description = Message(
        "{title}: {rows} rows, {columns} columns, {spread}", title=title, rows=height, columns=width, spread=spread
    )
    return Panel(title, rows, description)
