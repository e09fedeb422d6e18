"""A plot of the quality of rankers against their latency."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from course.plots.picture import COLORS, Picture, joined, set_title

_MARKERS = "os^Dvp"
_COLUMNS = ["nDCG@10", "from", "to", "ms a query"]


def plot_trade_off(rankers: pd.DataFrame, best: tuple[str, float] | None = None, title: str | None = None) -> Picture:
    """Plot quality against the time of a query, on a logarithmic axis, with the names beside it, the best at the top.

    Args:
        rankers: a row for each, by its name, with the columns `nDCG@10`, `from` and `to`, its interval, and
            `ms a query`.
        best: name and nDCG@10 of the upper bound of all rankers.
        title: above the plot.

    Raises:
        ValueError: no rankers, a missing column, or a time that is not positive.

    Example:
        >>> plot_trade_off(load_rankers())
    """
    if missing := [column for column in _COLUMNS if column not in rankers]:
        raise ValueError(f"rankers must have the columns {', '.join(_COLUMNS)}. Missing: {', '.join(missing)}")
    if rankers.empty or not (rankers["ms a query"] > 0).all():
        raise ValueError(
            "there must be rankers, and each must take some time (ms a query). "
            f"Received: {rankers['ms a query'].to_dict()}"
        )
    figure = Figure((7.6, max(3.4, 1.2 + 0.3 * len(rankers))), layout="constrained")
    axes = figure.subplots()
    sentences: list[str] = []
    order = rankers.sort_values("nDCG@10", kind="stable")
    for number, (name, value, low, high, ms) in enumerate(order[_COLUMNS].itertuples(name=None)):
        color, marker = COLORS[number % len(COLORS)], _MARKERS[number % len(_MARKERS)]
        axes.errorbar(ms, value, [[value - low], [high - value]], fmt=marker, color=color, capsize=4)
        axes.annotate(
            name,
            (ms, value),
            (1.04, (number + 0.5) / len(order)),
            textcoords="axes fraction",
            va="center",
            arrowprops={"arrowstyle": "-", "color": color, "alpha": 0.6, "relpos": (0, 0.5)},
        )
        sentences.insert(0, f"{name}: {value:.3f} ({low:.3f} to {high:.3f}) at {ms:.1f} ms.")
    if best:
        axes.axhline(best[1], color="gray", linestyle="--", linewidth=1)
        axes.text(0.02, best[1], best[0], transform=axes.get_yaxis_transform(), va="bottom", color="dimgray")
        sentences.append(f"{best[0]}: {best[1]:.3f}.")
    axes.set(xscale="log", xlabel="milliseconds a query", ylabel="nDCG@10")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.margins(y=0.1)
    axes.grid(alpha=0.3)
    set_title(figure, title)
    return Picture(figure, joined(title or "nDCG@10 over milliseconds a query, with intervals of 95%", sentences))
