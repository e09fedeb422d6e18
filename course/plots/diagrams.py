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
DATA, WEIGHTS, STEP = "tensor", "layer with weights", "operation"
_FILL = {DATA: "#FFFFFF", WEIGHTS: "#CFE4F3", STEP: "#F6E7C1"}
_STYLE = {DATA: "round,pad=0.02,rounding_size=0.16", WEIGHTS: "square,pad=0.02", STEP: "round4,pad=0.02"}
_LINE = "#333333"


@dataclass(frozen=True)
class Box:
    """A box of a diagram, with its middle at (x, y); x grows to the right, y upwards."""

    x: float
    y: float
    text: str
    kind: str = STEP
    width: float = 1.5
    height: float = 0.52


@dataclass(frozen=True)
class Arrow:
    """An arrow from one box to another.

    Attributes:
        by: the corners of an arrow that goes around something.
        straight: whether it goes straight up although one of the boxes is wide and has its middle elsewhere.
    """

    start: str
    end: str
    by: tuple[tuple[float, float], ...] = ()
    dashed: bool = False
    straight: bool = False


def draw_attention() -> Picture:
    """How scaled dot-product attention flows, from the tokens to its output, with the shape of each tensor."""
    boxes = {
        "x": Box(3, 0, "tokens X\n(length, d)", DATA, 1.8, 0.7),
        "wq": Box(1, 1.1, "query: X W$^Q$", WEIGHTS, 1.7),
        "wk": Box(3, 1.1, "key: X W$^K$", WEIGHTS, 1.7),
        "wv": Box(5, 1.1, "value: X W$^V$", WEIGHTS, 1.7),
        "scores": Box(2, 2.2, "scores: Q K$^T$\n(query, key)", STEP, 1.9, 0.7),
        "scale": Box(2, 3.2, "divide by √d$_k$", STEP, 1.9),
        "mask": Box(2, 4.05, "mask", STEP, 1.9),
        "softmax": Box(2, 4.9, "softmax: weights\n(query, key)", STEP, 1.9, 0.7),
        "mix": Box(3.5, 6, "weights × V: mean of the values\n(query, d$_v$)", STEP, 3.4, 0.7),
        "out": Box(3.5, 7.05, "output projection: W$^O$", WEIGHTS, 2.6),
    }
    arrows = [
        *(Arrow("x", name) for name in ("wq", "wk", "wv")),
        *(Arrow("wq", "scores"), Arrow("wk", "scores")),
        *(Arrow("scores", "scale"), Arrow("scale", "mask"), Arrow("mask", "softmax")),
        *(Arrow("softmax", "mix"), Arrow("wv", "mix"), Arrow("mix", "out")),
    ]
    sentences = [
        "Tokens X go through three layers: query X W^Q, key X W^K and value X W^V.",
        "Queries and keys give the scores Q K^T, one for each query and key, which are divided by √d_k.",
        "The mask takes out what must not be seen, and a softmax makes weights of the rest.",
        "Weights × V is a mean of the values for each query; the output projection W^O comes last.",
    ]
    return draw_diagram([("", boxes, arrows)], "How attention flows", sentences, (6.6, 6.6))


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
    return draw_diagram(columns, "A block, with its norm after the sum or before the part", sentences, (7.6, 6.2))


def _stack(parts: str, around: Mapping[str, str]) -> tuple[dict[str, Box], list[Arrow]]:
    """Parts above one another, and paths around them.

    Args:
        parts: from bottom to top; each is named with its place, such as "norm 3".
        around: for each sum, the box where the path that ends in it begins.
    """
    boxes = {"input": Box(2, 0, "input", DATA)}
    for place, part in enumerate(parts.split(), 1):
        kind, width = (STEP, 0.9) if part == "add" else (WEIGHTS, 1.7)
        boxes[f"{part} {place}"] = Box(2, 0.95 * place, part, kind, width)
    boxes["output"] = Box(2, 0.95 * len(boxes), "output", DATA)
    arrows = [Arrow(start, end) for start, end in itertools.pairwise(boxes)]
    for end, start in around.items():
        leaves = boxes[start].y + 0.46  # between two boxes
        arrows.append(Arrow(start, end, ((2, leaves), (3.3, leaves), (3.3, boxes[end].y))))
    return boxes, arrows


def draw_bert(num_layers: int = 12) -> Picture:
    """BERT as a whole: inputs, layers, outputs, and the output that each head reads.

    Args:
        num_layers: how many blocks it has.
    """
    boxes = {
        "ids": Box(1, 0, "token ids", DATA),
        "positions": Box(3, 0, "positions", DATA),
        "segments": Box(5, 0, "segments", DATA),
        "tokens": Box(1, 1, "token table", WEIGHTS),
        "places": Box(3, 1, "position table", WEIGHTS),
        "texts": Box(5, 1, "segment table", WEIGHTS),
        "sum": Box(3, 2, "add, norm, dropout", WEIGHTS, 2.2),
        "first": Box(3, 3, "block 1: attention, feed-forward", WEIGHTS, 3.4),
        "more": Box(3, 3.85, "· · ·", DATA, 1.0, 0.4),
        "last": Box(3, 4.7, f"block {num_layers}: attention, feed-forward", WEIGHTS, 3.4),
        "sequence": Box(3, 5.75, "sequence output\n(length, d)", DATA, 2.0, 0.7),
        "pooler": Box(5.3, 6.8, "pooler: tanh of [CLS]", WEIGHTS, 2.2),
        "pooled": Box(5.3, 7.75, "pooled output (d)", DATA, 2.0),
        "words": Box(1, 6.8, "masked-word head", WEIGHTS, 2.2),
        "next": Box(5.3, 8.7, "next-sentence head,\nor a classifier", WEIGHTS, 2.2, 0.7),
    }
    arrows = [
        *(Arrow("ids", "tokens"), Arrow("positions", "places"), Arrow("segments", "texts")),
        *(Arrow(table, "sum") for table in ("tokens", "places", "texts")),
        *(Arrow("sum", "first"), Arrow("first", "more"), Arrow("more", "last"), Arrow("last", "sequence")),
        *(Arrow("sequence", "pooler"), Arrow("pooler", "pooled"), Arrow("pooled", "next")),
        Arrow("sequence", "words"),
        Arrow("tokens", "words", ((-0.35, 1), (-0.35, 6.8)), dashed=True),
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
    return draw_diagram([("", boxes, arrows)], "BERT as a whole", sentences, (7.2, 7.8))


_Column = tuple[str, Mapping[str, Box], Iterable[Arrow]]


def draw_diagram(
    columns: Sequence[_Column], title: str, sentences: Iterable[str], size: tuple[float, float]
) -> Picture:
    """Draws one diagram or several side by side, the flow from bottom to top.

    Args:
        columns: for each diagram its name, its boxes and its arrows.
        title: the title above the figure.
        sentences: what is to be seen; the alternative text is made of them.
        size: width and height in inches.
    """
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


def _draw_box(axes: Axes, box: Box) -> None:
    corner = box.x - box.width / 2, box.y - box.height / 2
    axes.add_patch(
        FancyBboxPatch(
            corner, box.width, box.height, boxstyle=_STYLE[box.kind], facecolor=_FILL[box.kind], edgecolor=_LINE
        )
    )
    axes.text(box.x, box.y, box.text, ha="center", va="center", fontsize=9)


def _draw_arrow(axes: Axes, start: Box, end: Box, arrow: Arrow) -> None:
    """Draws a straight arrow upwards or to the side, or one through its corners to the side of the box."""
    style: dict[str, Any] = {"color": _LINE, "linewidth": 1.1, "linestyle": "--" if arrow.dashed else "-"}
    if not arrow.by and start.y == end.y:
        side = 1 if end.x > start.x else -1
        ends = (start.x + side * start.width / 2, start.y), (end.x - side * end.width / 2, end.y)
    elif not arrow.by:
        narrow = min(start, end, key=lambda box: box.width)
        from_x, to_x = (narrow.x, narrow.x) if arrow.straight else (start.x, end.x)
        ends = (from_x, start.y + start.height / 2), (to_x, end.y - end.height / 2)
    else:
        *_, last = arrow.by
        side = 1 if last[0] > end.x else -1
        first = (start.x - start.width / 2, start.y) if arrow.dashed else arrow.by[0]
        axes.plot(*zip(first, *arrow.by, strict=True), **style)
        ends = last, (end.x + side * end.width / 2, end.y)
    axes.annotate("", ends[1], ends[0], arrowprops={"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 3, **style})
