"""Plots of attention, masks, curves, confusion matrices and reliability, each with an alternative text.

The colours (cividis, and Okabe and Ito's) can be distinguished with any colour vision, and in grey.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from keras import ops
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from course.plots.picture import COLORS, Picture, joined, set_title
from course.validation.values import require_texts

_DASHES = ("-", "--", "-.", ":")
_ALLOWED, _FORBIDDEN = "#FDE737", "#00224E"  # the two ends of cividis
_PAGE_WIDTH = 12.0  # inches, of the maps beside each other
_MOST_NUMBERS = 100  # in a map of more cells, numbers could not be read
_MOST_CLASSES, _MOST_CLASS_NAMES = 30, 90  # of a confusion matrix with full-size cells, and beside it
_MOST_MARKERS = 30  # along a curve; more would run into each other


def plot_attention(
    weights: Any, tokens: Sequence[str], key_tokens: Sequence[str] | None = None, title: str | None = None
) -> Picture:
    """Attention as a map: a row for each query token, a column for each key token that it may attend to.

    Args:
        weights: (query, key), or (heads, query, key) for one map per head.
        tokens: the names of the queries.
        key_tokens: the names of the keys; those of the queries if they attend to themselves.
        title: the title above the figure.

    Raises:
        ValueError: the weights do not fit the tokens.

    Example:
        >>> output, weights = attention(x, return_weights=True)
        >>> plot_attention(weights[0], tokens)
    """
    weights = _array(weights)
    tokens, key_tokens = _names(tokens, key_tokens)
    shape = (len(tokens), len(key_tokens))
    if weights.ndim not in (2, 3) or weights.shape[-2:] != shape or not weights.size:
        raise ValueError(
            f"weights must be (query, key) or (heads, query, key), for these tokens (..., {shape[0]}, {shape[1]}). "
            f"Received: weights.shape={weights.shape}"
        )
    if not np.isfinite(weights).all():
        raise ValueError(f"weights must be numbers. Received: {np.sum(~np.isfinite(weights))} that are NaN or infinite")
    heads = weights if weights.ndim == 3 else weights[None]
    width, height = max(3.0, 1.2 + 0.4 * shape[1]), max(2.4, 0.9 + 0.32 * shape[0])
    columns = min(len(heads), max(1, int(_PAGE_WIDTH // width)))
    rows = math.ceil(len(heads) / columns)
    figure = Figure((columns * width, rows * height), layout="constrained")
    numbers = "{:.2f}" if weights.ndim == 2 else None
    for number, head in enumerate(heads):
        axes = figure.add_subplot(rows, columns, number + 1)
        image = _heat_map(axes, head, tokens, key_tokens, highest=heads.max(), numbers=numbers)
        axes.set(ylabel="query: attends", xlabel="key: is attended to")
        if weights.ndim == 3:
            axes.set_title(f"head {number}", fontsize="medium")
    figure.colorbar(image, ax=figure.axes, label="weight")
    set_title(figure, title)
    sentences = (_attends_most(head, tokens, key_tokens) for head in heads)
    if weights.ndim == 3:
        sentences = (f"Head {number}: {text}" for number, text in enumerate(sentences))
    return Picture(figure, joined(title or "Attention weights", sentences))


def plot_mask(
    mask: Any, tokens: Sequence[str], key_tokens: Sequence[str] | None = None, title: str | None = None
) -> Picture:
    """A mask as a map of two colours: which token may attend to which.

    Args:
        mask: boolean, True where attention is allowed, of a shape that broadcasts to (query, key).
        tokens: the names of the queries.
        key_tokens: the names of the keys; those of the queries if they attend to themselves.
        title: the title above the figure.

    Raises:
        ValueError: the mask is not boolean, or does not broadcast to the tokens.

    Example:
        >>> plot_mask(causal_mask(len(tokens)), tokens)
        >>> plot_mask(padding_mask(token_ids)[0, 0], tokens)
    """
    mask = _array(mask)
    tokens, key_tokens = _names(tokens, key_tokens)
    if mask.dtype != bool:
        raise ValueError(f"mask must be boolean, True where attention is allowed. Received: mask.dtype={mask.dtype}")
    shape = (len(tokens), len(key_tokens))
    try:
        mask = np.broadcast_to(mask, shape)
    except ValueError as error:
        raise ValueError(f"mask must broadcast to (query, key) = {shape}. Received: mask.shape={mask.shape}") from error
    figure = Figure((max(4.0, 2.6 + 0.4 * shape[1]), max(2.4, 0.9 + 0.32 * shape[0])), layout="constrained")
    axes = figure.subplots()
    _heat_map(axes, mask, tokens, key_tokens, colors=ListedColormap([_FORBIDDEN, _ALLOWED]))
    axes.set(ylabel="query: attends", xlabel="key: is attended to")
    patches = [Patch(facecolor=_ALLOWED, label="allowed"), Patch(facecolor=_FORBIDDEN, label="forbidden")]
    axes.legend(handles=patches, loc="center left", bbox_to_anchor=(1.02, 0.5), frameon=False)
    set_title(figure, title)
    sentences = (
        f"{query} may attend to {_listed(key for key, allowed in zip(key_tokens, row, strict=True) if allowed)}."
        for query, row in zip(tokens, mask, strict=True)
    )
    return Picture(figure, joined(title or "Attention mask", sentences))


def plot_curves(
    curves: Mapping[str, Any],
    title: str | None = None,
    x_label: str = "epoch",
    y_label: str = "loss",
    *,
    x: Sequence[float] | None = None,
    panels: bool = False,
    beside: Mapping[str, tuple[str, Any]] | None = None,
    doubling: bool = False,
) -> Picture:
    """Curves over the same x, such as `model.fit(...).history`; for several runs, their mean and their spread.

    Args:
        curves: for each name its values: (points,), or (runs, points) for a band from the lowest run to the highest.
        title: the title above the figure.
        x_label: the label of the x axis.
        y_label: the label of the y axis.
        x: the x coordinates of the values; 1, 2, 3, ... by default.
        panels: whether to draw each curve in a panel of its own, with its own scale, one below the other.
        beside: with `panels`, a second curve for a panel: its name and its values, NaN where it has none.
        doubling: whether to draw x on a log2 scale, with a tick at each value.

    Raises:
        TypeError: curves is not a dictionary.
        ValueError: there is no curve, a curve has no values or values that are not numbers, or `x` has another length.

    Example:
        >>> history = model.fit(x, y, validation_split=0.1, epochs=20)
        >>> plot_curves({name: history.history[name] for name in ("loss", "val_loss")})
    """
    if not isinstance(curves, Mapping):
        raise TypeError(f'curves must be a dictionary, such as {{"loss": [2.0, 1.5]}}. Received: {curves!r:.60}')
    runs = {name: _runs(name, values, x) for name, values in curves.items()}
    if not runs:
        raise ValueError("Each curve needs a value. Received: {}")
    figure = Figure((7.6, 1.2 + 2.2 * len(runs) if panels else 3.6), layout="constrained")
    rows = figure.subplots(len(runs) if panels else 1, sharex=True, squeeze=False)[:, 0]
    runs_beside: dict[str, np.ndarray] = {}
    for number, (name, values) in enumerate(runs.items()):
        axes = rows[number] if panels else rows[0]
        _draw_curve(axes, name, values, x, number)
        axes.set_ylabel(f"{name}: {y_label}" if panels else y_label)
        axes.grid(alpha=0.3)
        if beside and name in beside:
            other, more = beside[name]
            runs_beside[other] = _draw_beside(axes, other, more, x, number)
    rows[-1].set_xlabel(x_label)
    if doubling and x is not None:
        rows[-1].set_xscale("log", base=2)
        rows[-1].set_xticks(x, [f"{value:g}" for value in x])
    if x is None:
        rows[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    if len(runs) > 1 and not panels:
        figure.legend(loc="outside right center", frameon=False)
    set_title(figure, title)
    runs |= runs_beside
    return Picture(figure, joined(title or f"{y_label} by {x_label}", map(_course_of, runs, runs.values())))


def _draw_beside(axes: Axes, name: str, values: Any, x: Sequence[float] | None, number: int) -> np.ndarray:
    """Draws a second curve with a marker at each point, and returns its finite values, (1, points)."""
    (runs,) = _runs(name, values, x)
    finite = np.flatnonzero(np.isfinite(runs))
    places = finite + 1 if x is None else np.asarray(x)[finite]
    axes.plot(places, runs[finite], color=COLORS[(number + 3) % len(COLORS)], linestyle="--", marker="o", label=name)
    axes.legend(frameon=False)
    return runs[None, finite]


def _runs(name: str, values: Any, x: Sequence[float] | None) -> np.ndarray:
    """A curve as (runs, points)."""
    array = np.asarray(values) if np.ndim(values) in (1, 2) else np.empty(0)
    if not array.size or not np.issubdtype(array.dtype, np.number):
        raise ValueError(f"Each curve needs a value, and is a list of numbers. Received: {name}: {values!r:.60}")
    if x is not None and len(x) != array.shape[-1]:
        raise ValueError(f"x must have a place for each value. Received: {len(x)}; {name} has {array.shape[-1]} values")
    return np.atleast_2d(array)


def _draw_curve(axes: Axes, name: str, runs: np.ndarray, x: Sequence[float] | None, number: int) -> None:
    points = runs.shape[1]
    places = range(1, points + 1) if x is None else x
    axes.plot(
        places,
        runs.mean(axis=0),
        color=COLORS[number % len(COLORS)],
        linestyle=_DASHES[number % len(_DASHES)],
        marker="o" if points <= _MOST_MARKERS else None,
        label=name,
    )
    if len(runs) > 1:
        axes.fill_between(
            places, runs.min(axis=0), runs.max(axis=0), color=COLORS[number % len(COLORS)], alpha=0.2, linewidth=0
        )


def _course_of(name: str, runs: np.ndarray) -> str:
    values = runs.mean(axis=0)
    spread = f" {len(runs)} runs differ by up to {np.ptp(runs, axis=0).max():.3g}." if len(runs) > 1 else ""
    return (
        f"{name} goes from {values[0]:.3g} to {values[-1]:.3g}, between {values.min():.3g} and {values.max():.3g}, "
        f"over {len(values)} points.{spread}"
    )


def plot_confusion(matrix: Any, class_names: Sequence[str], title: str | None = None) -> Picture:
    """A confusion matrix: a row for each true class, a column for each predicted one. Colours are shares of the row.

    The figure grows up to 30 classes. More have smaller cells, and of more than 90 only some have their names beside
    it.

    Args:
        matrix: counts, (true class, predicted class).
        class_names: the names of the classes.
        title: the title above the figure.

    Raises:
        ValueError: the matrix is not (classes, classes), or does not hold counts.
    """
    counts = _array(matrix)
    if counts.shape != (len(class_names),) * 2 or not counts.size:
        raise ValueError(
            f"matrix must be (true class, predicted class) of {len(class_names)} classes. "
            f"Received: matrix.shape={counts.shape}"
        )
    if (counts < 0).any() or (counts % 1).any():
        raise ValueError(f"matrix must hold counts: whole numbers, 0 or more. Received: {counts.tolist()!s:.60}")
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    drawn, apart = min(len(class_names), _MOST_CLASSES), math.ceil(len(class_names) / _MOST_CLASS_NAMES)
    figure = Figure((3.0 + 0.9 * drawn, 1.8 + 0.6 * drawn), layout="constrained")
    axes = figure.subplots()
    names = [name if number % apart == 0 else "" for number, name in enumerate(class_names)]
    image = _heat_map(axes, shares, names, names, numbers="{:,}", shown=counts)
    if apart > 1:
        axes.grid(visible=False, which="minor")  # its lines would cover the cells
    axes.set(ylabel="true class", xlabel="predicted class")
    figure.colorbar(image, ax=axes, label="share of the true class")
    set_title(figure, title)
    correct, total = int(np.trace(counts)), int(counts.sum())
    sentences = [f"{correct:,} of {total:,} are right."]
    errors = counts - np.diag(np.diag(counts))
    if errors.any():
        true, predicted = np.unravel_index(errors.argmax(), errors.shape)
        sentences.append(
            f"The most frequent error: {class_names[true]} taken for {class_names[predicted]}, "
            f"{int(errors[true, predicted]):,} times."
        )
    return Picture(figure, joined(title or "Confusion matrix", sentences))


def plot_reliability(
    confidence: np.ndarray, accuracy: np.ndarray, counts: np.ndarray, title: str | None = None
) -> Picture:
    """A reliability diagram: accuracy by confidence. On the diagonal, a classifier is as good as it thinks.

    Args:
        confidence: (bins,), the mean probability of the predicted class.
        accuracy: (bins,), the share of texts that are right.
        counts: (bins,), the number of texts in each bin; empty bins are left out.
        title: the title above the figure.

    Raises:
        ValueError: the arrays have different numbers of bins, or all bins are empty.
    """
    bins = tuple(map(np.asarray, (confidence, accuracy, counts)))
    if len({values.shape for values in bins}) > 1 or bins[0].ndim != 1 or not np.any(bins[2]):
        raise ValueError(
            "confidence, accuracy and counts must be (bins,), with a text in some bin. "
            f"Received: {', '.join(str(values.shape) for values in bins)}, with {int(bins[2].sum())} texts"
        )
    sure, right, texts = (values[bins[2] > 0] for values in bins)
    figure = Figure((6.4, 4.4), layout="constrained")
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="gray", linestyle=":", label="as sure as right")
    axes.plot(sure, right, color=COLORS[0], label="measured")
    axes.scatter(sure, right, 20 + 280 * texts / texts.sum(), color=COLORS[0], alpha=0.7)
    axes.set(xlabel="confidence", ylabel="share that is right", xlim=(0, 1.02), ylim=(0, 1.02))
    axes.grid(alpha=0.3)
    figure.legend(loc="outside right center", frameon=False)
    set_title(figure, title)
    sentences = (
        f"Of {count:,} texts with a confidence of {mean:.2f}, {share:.0%} are right."
        for mean, share, count in zip(sure, right, texts, strict=True)
    )
    return Picture(figure, joined(title or "Reliability", sentences))


def plot_guesses(guesses: Mapping[str, Sequence[tuple[str, float]]], title: str | None = None) -> Picture:
    """Guesses as bars, as long as they are likely: a panel for each of several guessers.

    Args:
        guesses: for each name (word, probability), the likeliest first, such as `fill_mask` gives them.
        title: the title above the figure.

    Raises:
        ValueError: there are no guesses, or what is no probability.

    Example:
        >>> gap = "The captain has a hamstring [MASK]."
        >>> plot_guesses({"before": fill_mask(gap, *fresh), "after": fill_mask(gap, *trained)}, title=gap)
    """
    for name, some in guesses.items():
        if not some or not all(0 <= probability <= 1 for _, probability in some):
            raise ValueError(f"Each must have guesses, with probabilities from 0 to 1. Received: {name}: {some!r:.60}")
    if not guesses:
        raise ValueError("There must be guesses of somebody. Received: {}")
    most = max(map(len, guesses.values()))
    figure = Figure((3.2 * len(guesses), 1.0 + 0.32 * most), layout="constrained")
    panels = figure.subplots(1, len(guesses), squeeze=False, sharex=True)[0]
    for axes, (name, some) in zip(panels, guesses.items(), strict=True):
        words, probabilities = zip(*some, strict=True)
        bars = axes.barh(range(len(some)), probabilities, color=COLORS[0])
        axes.bar_label(bars, fmt="%.2f", padding=3)
        axes.set_yticks(range(len(some)), words, parse_math=False)
        axes.set(xlim=(0, 1.15), xlabel="probability", ylabel="guess", ylim=(most - 0.5, -0.5))
        axes.set_title(name, fontsize="medium", parse_math=False)
        axes.spines[["top", "right"]].set_visible(False)
    set_title(figure, title)
    sentences = (
        f"{name}: {_listed(f'{word} {probability:.2f}' for word, probability in some)}."
        for name, some in guesses.items()
    )
    return Picture(figure, joined(title or "Guesses", sentences))


def _heat_map(
    axes: Axes,
    values: np.ndarray,
    row_names: Sequence[str],
    column_names: Sequence[str],
    *,
    highest: float = 1.0,
    colors: Any = "cividis",
    numbers: str | None = None,
    shown: np.ndarray | None = None,
) -> AxesImage:
    """Draws a coloured cell for each value; with `numbers`, a format, also writes `shown`, or the value, into it."""
    image = axes.imshow(values, cmap=colors, vmin=0, vmax=highest, aspect="auto")
    # A token such as $1 is text, not a formula.
    axes.set_yticks(range(len(row_names)), row_names, parse_math=False)
    axes.set_xticks(range(len(column_names)), column_names, parse_math=False, rotation=45, ha="right")
    axes.tick_params(length=0)
    axes.set_xticks(np.arange(0.5, len(column_names) - 1), minor=True)
    axes.set_yticks(np.arange(0.5, len(row_names) - 1), minor=True)
    axes.grid(which="minor", color="white", linewidth=1)
    axes.tick_params(which="minor", length=0)
    if numbers and values.size <= _MOST_NUMBERS:
        for (row, column), number in np.ndenumerate(values if shown is None else shown):
            color = "black" if values[row, column] > highest / 2 else "white"
            axes.text(column, row, numbers.format(number), ha="center", va="center", color=color, fontsize=8)
    return image


def _array(tensor: Any) -> np.ndarray:
    """A NumPy array; other types, such as bfloat16, become float32."""
    array = ops.convert_to_numpy(tensor)
    return array.astype("float32") if array.dtype.kind not in "biu" else array


def _names(tokens: Sequence[str], key_tokens: Sequence[str] | None) -> tuple[list[str], list[str]]:
    tokens = require_texts(tokens, "tokens")
    return tokens, tokens if key_tokens is None else require_texts(key_tokens, "key_tokens")


def _attends_most(weights: np.ndarray, tokens: Sequence[str], key_tokens: Sequence[str]) -> str:
    best = weights.argmax(axis=1)
    return " ".join(
        f"{token} attends most to {key_tokens[key]} ({weights[row, key]:.2f})."
        for row, (token, key) in enumerate(zip(tokens, best, strict=True))
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "nothing"
