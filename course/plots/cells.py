"""Rows of cells with a text in each, on a sheet that is measured in inches from its upper left corner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

WHITE, BLUE, YELLOW, GREY = "#FFFFFF", "#CFE4F3", "#F6E7C1", "#E3E3E3"
STRONG = "#D55E00"
_LINE = "#333333"
_HEIGHT = 0.3


def sheet(width: float, height: float) -> tuple[Figure, Axes]:
    """An empty figure, and axes that cover it."""
    figure = Figure((width, height))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    return figure, axes


def draw_row(
    axes: Axes,
    corner: tuple[float, float],
    texts: Sequence[Any],
    fills: Sequence[str],
    widths: Sequence[float],
    strong: Sequence[int] = (),
) -> None:
    """Draws cells beside each other.

    Args:
        axes: of `sheet`.
        corner: the upper left corner of the first cell.
        texts: the text of each cell.
        fills: the colour of each cell.
        widths: the width of each cell, in inches.
        strong: the numbers of the cells with a thick frame.
    """
    left, top = corner
    for number, (text, fill, width) in enumerate(zip(texts, fills, widths, strict=True)):
        thick = number in strong
        line: dict[str, Any] = {"edgecolor": STRONG if thick else _LINE, "linewidth": 2.2 if thick else 0.8}
        axes.add_patch(Rectangle((left, top), width, _HEIGHT, facecolor=fill, zorder=3 if thick else 2, **line))
        say(axes, left + width / 2, top + _HEIGHT / 2, str(text))
        left += width


def say(axes: Axes, x: float, y: float, text: str, align: str = "center", **style: Any) -> None:
    """Writes a text with its middle at a height; `align` says which part of it is at x."""
    axes.text(x, y, text, ha=align, va="center", parse_math=False, zorder=4, **{"fontsize": 9, **style})


def draw_bracket(axes: Axes, left: float, right: float, y: float, text: str) -> None:
    """Draws a bracket above cells, with a text over it."""
    axes.plot([left, left, right, right], [y, y - 0.07, y - 0.07, y], color=_LINE, linewidth=1)
    say(axes, (left + right) / 2, y - 0.18, text)
