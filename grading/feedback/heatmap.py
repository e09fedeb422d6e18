"""A student's array beside the expected one and their difference, as a small drawing that needs no library to show."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from grading.judging.comparison import Difference

_MAX_SIDE = 24


class Panel(NamedTuple):
    """One heat map.

    Attributes:
        title: what it shows.
        rows: for each row, for each place: colour and number as text.
        description: the same in words, for those who cannot see it.
    """

    title: str
    rows: list[list[list[str]]]
    description: str


def panels(difference: Difference) -> list[Panel]:
    """Yours, expected, and how far apart: the two-dimensional slice in which they differ most.

    Empty where there is nothing to draw: other shapes, single numbers, or more rows or columns than can be seen.
    """
    given, wanted = difference.given, difference.wanted
    if given is None or wanted is None or given.ndim < 2 or max(given.shape[-2:]) > _MAX_SIDE:
        return []
    given, wanted = given.astype(np.float64), wanted.astype(np.float64)
    apart = np.abs(given - wanted)
    apart = np.where(np.isfinite(apart), apart, np.nanmax(np.where(np.isfinite(apart), apart, 1.0)))
    worst = np.unravel_index(apart.argmax(), apart.shape)[:-2]
    finite = wanted[worst][np.isfinite(wanted[worst])]
    low, high = (finite.min(), finite.max()) if finite.size else (0.0, 1.0)
    slice_name = f" [{', '.join(map(str, worst))}]" if worst else ""
    return [
        _panel(f"Yours{slice_name}", given[worst], low, high),
        _panel(f"Expected{slice_name}", wanted[worst], low, high),
        _panel("Difference", apart[worst], 0.0, apart[worst].max()),
    ]


def _panel(title: str, values: np.ndarray, low: float, high: float) -> Panel:
    import matplotlib  # half a second, and only where there is something to draw

    # Cividis is read alike with and without colour blindness; what is not a number is drawn in red-orange.
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
    spread = f"from {finite.min():.3g} to {finite.max():.3g}" if finite.size else "no number"
    missing = f", {values.size - finite.size} not a number" if finite.size < values.size else ""
    return Panel(title, rows, f"{title}: {values.shape[0]} rows, {values.shape[1]} columns, {spread}{missing}")
