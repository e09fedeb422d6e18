"""A picture of what rankers are worth and what they take: quality against time."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from course.plots.picture import COLORS, Picture, joined, set_title

_MARKERS = "os^Dvp"
_COLUMNS = ["nDCG@10", "from", "to", "ms a query"]


def plot_trade_off(rankers: pd.DataFrame, best: tuple[str, float] | None = None, title: str | None = None) -> Picture:
    """Quality against the time of a query, on a logarithmic axis. The names stand beside it, the best one at the top.

    Args:
        rankers: a row for each, by its name, with the columns `nDCG@10`, `from` and `to`, its interval, and
            `ms a query`.
        best: what no ranker can be better than: what it is called, and its nDCG@10.
        title: what stands above.

    Raises:
        ValueError: no rankers, a column that is not there, or a time that has no logarithm.

    Example:
        >>> plot_trade_off(load_rankers())
    """
    if missing := [column for column in _COLUMNS if column not in rankers]:
        raise ValueError(f"rankers must have the columns {', '.join(_COLUMNS)}. Missing: {', '.join(missing)}")
    if rankers.empty or not (rankers["ms a query"] > 0).all():
        raise ValueError(f"Each ranker must take some time. Received: {rankers['ms a query'].to_dict()}")
    figure = Figure((7.6, max(3.4, 1.2 + 0.3 * len(rankers))), layout="constrained")
    axes = figure.subplots()
    said: list[str] = []
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
        said.insert(0, f"{name}: {value:.3f} ({low:.3f} to {high:.3f}) at {ms:.1f} ms.")
    if best:
        axes.axhline(best[1], color="gray", linestyle="--", linewidth=1)
        axes.text(0.02, best[1], best[0], transform=axes.get_yaxis_transform(), va="bottom", color="dimgray")
        said.append(f"{best[0]}: {best[1]:.3f}.")
    axes.set(xscale="log", xlabel="milliseconds a query", ylabel="nDCG@10")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.margins(y=0.1)
    axes.grid(alpha=0.3)
    set_title(figure, title)
    return Picture(figure, joined(title or "nDCG@10 over milliseconds a query, with intervals of 95%", said))
