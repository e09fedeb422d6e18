"""Diagrams of what a student builds: the flow of attention, the block with its norms, and BERT as a whole.

A diagram consists of boxes with places, and arrows between them. Its alternative text names every box.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from course.plots.picture import Picture, joined, set_title

# The kinds of boxes: a tensor, a layer with weights, or a step without. They differ in shape as well as colour.
_DATA, _WEIGHTS, _STEP = "tensor", "layer with weights", "operation"
_FILL = {_DATA: "#FFFFFF", _WEIGHTS: "#CFE4F3", _STEP: "#F6E7C1"}
_STYLE = {_DATA: "round,pad=0.02,rounding_size=0.16", _WEIGHTS: "square,pad=0.02", _STEP: "round4,pad=0.02"}
_LINE = "#333333"


@dataclass(frozen=True)
class _Box:
    """A box of a diagram, with its middle at (x, y); x grows to the right, y upwards."""

    x: float
    y: float
    text: str
    kind: str = _STEP
    width: float = 1.5
    height: float = 0.52


@dataclass(frozen=True)
class _Arrow:
    """An arrow from one box to another; `by` has the corners of an arrow that goes around something."""

    start: str
    end: str
    by: tuple[tuple[float, float], ...] = ()
    dashed: bool = False


def draw_attention() -> Picture:
    """How scaled dot-product attention flows, from the tokens to its output, with the shape of each tensor."""
    boxes = {
        "x": _Box(3, 0, "tokens X\n(length, d)", _DATA, 1.8, 0.7),
        "wq": _Box(1, 1.1, "query: X W$^Q$", _WEIGHTS, 1.7),
        "wk": _Box(3, 1.1, "key: X W$^K$", _WEIGHTS, 1.7),
        "wv": _Box(5, 1.1, "value: X W$^V$", _WEIGHTS, 1.7),
        "scores": _Box(2, 2.2, "scores: Q K$^T$\n(query, key)", _STEP, 1.9, 0.7),
        "scale": _Box(2, 3.2, "divide by √d$_k$", _STEP, 1.9),
        "mask": _Box(2, 4.05, "mask", _STEP, 1.9),
        "softmax": _Box(2, 4.9, "softmax: weights\n(query, key)", _STEP, 1.9, 0.7),
        "mix": _Box(3.5, 6, "weights × V: mean of the values\n(query, d$_v$)", _STEP, 3.4, 0.7),
        "out": _Box(3.5, 7.05, "output projection: W$^O$", _WEIGHTS, 2.6),
    }
    arrows = [
        *(_Arrow("x", name) for name in ("wq", "wk", "wv")),
        *(_Arrow("wq", "scores"), _Arrow("wk", "scores")),
        *(_Arrow("scores", "scale"), _Arrow("scale", "mask"), _Arrow("mask", "softmax")),
        *(_Arrow("softmax", "mix"), _Arrow("wv", "mix"), _Arrow("mix", "out")),
    ]
    sentences = [
        "Tokens X go through three layers: query X W^Q, key X W^K and value X W^V.",
        "Queries and keys give the scores Q K^T, one for each query and key, which are divided by √d_k.",
        "The mask takes out what must not be seen, and a softmax makes weights of the rest.",
        "Weights × V is a mean of the values for each query; the output projection W^O mixes what the heads found.",
    ]
    return _draw([("", boxes, arrows)], "How attention flows", sentences, (6.6, 6.6))


def draw_blocks() -> Picture:
    """A block of the encoder in its two forms, side by side: the norm after the sum, and the norm before the part."""
    after = _stack("attention add norm feed-forward add norm", {"add 2": "input", "add 5": "norm 3"})
    before = _stack("norm attention add norm feed-forward add", {"add 3": "input", "add 6": "add 3"})
    sentences = [
        "Post-LN, from input to output: attention, add, norm, feed-forward, add, norm.",
        "The path around a part ends in its add, and every norm stands on the way through.",
        "Pre-LN: norm, attention, add, norm, feed-forward, add.",
        "The path around leaves before the norm, so from input to output there is a way that passes no norm.",
    ]
    columns = [("post-LN: BERT", *after), ("pre-LN: most models since", *before)]
    return _draw(columns, "A block, with its norm after the sum or before the part", sentences, (7.6, 6.2))


def _stack(parts: str, around: Mapping[str, str]) -> tuple[dict[str, _Box], list[_Arrow]]:
    """Parts above one another, and paths around them.

    Args:
        parts: from bottom to top; each is named with its place, such as "norm 3".
        around: for each sum, the box where the path that ends in it begins.
    """
    boxes = {"input": _Box(2, 0, "input", _DATA)}
    for place, part in enumerate(parts.split(), 1):
        kind, width = (_STEP, 0.9) if part == "add" else (_WEIGHTS, 1.7)
        boxes[f"{part} {place}"] = _Box(2, 0.95 * place, part, kind, width)
    boxes["output"] = _Box(2, 0.95 * len(boxes), "output", _DATA)
    arrows = [_Arrow(start, end) for start, end in itertools.pairwise(boxes)]
    for end, start in around.items():
        leaves = boxes[start].y + 0.46  # between two boxes
        arrows.append(_Arrow(start, end, ((2, leaves), (3.3, leaves), (3.3, boxes[end].y))))
    return boxes, arrows


def draw_bert(num_layers: int = 12) -> Picture:
    """BERT as a whole: inputs, layers, outputs, and the output that each head reads.

    Args:
        num_layers: how many blocks it has.
    """
    boxes = {
        "ids": _Box(1, 0, "token ids", _DATA),
        "positions": _Box(3, 0, "positions", _DATA),
        "segments": _Box(5, 0, "segments", _DATA),
        "tokens": _Box(1, 1, "token table", _WEIGHTS),
        "places": _Box(3, 1, "position table", _WEIGHTS),
        "texts": _Box(5, 1, "segment table", _WEIGHTS),
        "sum": _Box(3, 2, "add, norm, dropout", _WEIGHTS, 2.2),
        "first": _Box(3, 3, "block 1: attention, feed-forward", _WEIGHTS, 3.4),
        "more": _Box(3, 3.85, "· · ·", _DATA, 1.0, 0.4),
        "last": _Box(3, 4.7, f"block {num_layers}: attention, feed-forward", _WEIGHTS, 3.4),
        "sequence": _Box(3, 5.75, "sequence output\n(length, d)", _DATA, 2.0, 0.7),
        "pooler": _Box(5.3, 6.8, "pooler: tanh of [CLS]", _WEIGHTS, 2.2),
        "pooled": _Box(5.3, 7.75, "pooled output (d)", _DATA, 2.0),
        "words": _Box(1, 6.8, "masked-word head", _WEIGHTS, 2.2),
        "next": _Box(5.3, 8.7, "next-sentence head,\nor a classifier", _WEIGHTS, 2.2, 0.7),
    }
    arrows = [
        *(_Arrow("ids", "tokens"), _Arrow("positions", "places"), _Arrow("segments", "texts")),
        *(_Arrow(table, "sum") for table in ("tokens", "places", "texts")),
        *(_Arrow("sum", "first"), _Arrow("first", "more"), _Arrow("more", "last"), _Arrow("last", "sequence")),
        *(_Arrow("sequence", "pooler"), _Arrow("pooler", "pooled"), _Arrow("pooled", "next")),
        _Arrow("sequence", "words"),
        _Arrow("tokens", "words", ((-0.35, 1), (-0.35, 6.8)), dashed=True),
    ]
    sentences = [
        "Token ids, positions and segments each choose rows of a table: token table, position table, segment table.",
        "The rows are added, normed, and dropped out now and then: add, norm, dropout.",
        f"Then come {num_layers} blocks above one another, from block 1 to block {num_layers}, "
        "each with attention and feed-forward.",
        "The last one's sequence output has a vector for each token.",
        "The masked-word head reads it, and shares the token table.",
        "The pooler takes the tanh of [CLS] alone, which gives the pooled output.",
        "The next-sentence head, or a classifier in its place, reads that.",
    ]
    return _draw([("", boxes, arrows)], "BERT as a whole", sentences, (7.2, 7.8))


_Column = tuple[str, Mapping[str, _Box], Iterable[_Arrow]]


def _draw(columns: Sequence[_Column], title: str, sentences: Iterable[str], size: tuple[float, float]) -> Picture:
    """Draws one diagram or several side by side, the flow from bottom to top."""
    figure = Figure(size, layout="constrained")
    for axes, (name, boxes, arrows) in zip(figure.subplots(1, len(columns), squeeze=False)[0], columns, strict=True):
        for arrow in arrows:
            _draw_arrow(axes, boxes[arrow.start], boxes[arrow.end], arrow)
        for box in boxes.values():
            _draw_box(axes, box)
        axes.set(aspect="equal", title=name)
        axes.autoscale_view()
        axes.set_axis_off()
    used = {box.kind for _, boxes, _ in columns for box in boxes.values()}
    kinds = [
        FancyBboxPatch((0, 0), 1, 1, facecolor=color, edgecolor=_LINE, label=kind)
        for kind, color in _FILL.items()
        if kind in used
    ]
    figure.legend(handles=kinds, loc="outside lower center", ncols=len(kinds), frameon=False)
    set_title(figure, title)
    return Picture(figure, joined(title, sentences))


def _draw_box(axes: Axes, box: _Box) -> None:
    corner = box.x - box.width / 2, box.y - box.height / 2
    axes.add_patch(
        FancyBboxPatch(
            corner, box.width, box.height, boxstyle=_STYLE[box.kind], facecolor=_FILL[box.kind], edgecolor=_LINE
        )
    )
    axes.text(box.x, box.y, box.text, ha="center", va="center", fontsize=9)


def _draw_arrow(axes: Axes, start: _Box, end: _Box, arrow: _Arrow) -> None:
    """Draws a straight arrow upwards, or one through its corners to the side of the box."""
    style: dict[str, Any] = {"color": _LINE, "linewidth": 1.1, "linestyle": "--" if arrow.dashed else "-"}
    if not arrow.by:
        ends = (start.x, start.y + start.height / 2), (end.x, end.y - end.height / 2)
    else:
        *_, last = arrow.by
        side = 1 if last[0] > end.x else -1
        first = (start.x - start.width / 2, start.y) if arrow.dashed else arrow.by[0]
        axes.plot(*zip(first, *arrow.by, strict=True), **style)
        ends = last, (end.x + side * end.width / 2, end.y)
    axes.annotate("", ends[1], ends[0], arrowprops={"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 3, **style})
