"""Diagrams describe in words everything that they show, and their texts do not overlap."""

from __future__ import annotations

import itertools
import re

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from course.plots import Picture, draw_attention, draw_bert, draw_blocks

DIAGRAMS = {"attention": draw_attention, "blocks": draw_blocks, "bert": draw_bert}


def labels(picture: Picture) -> list[str]:
    """The texts in the boxes, as plain words."""
    texts = [text.get_text() for axes in picture.figure.axes for text in axes.texts if text.get_text()]
    return [re.sub(r"\$\^(\w)\$", r"^\1", re.sub(r"\$_(\w)\$", r"_\1", text)) for text in texts]


@pytest.mark.parametrize("draw", DIAGRAMS.values(), ids=DIAGRAMS)
def test_every_box_is_in_the_text(draw) -> None:
    picture = draw()
    alt = picture.alt.lower()
    for label in labels(picture):
        words = set(re.findall(r"[a-z]{3,}", label.lower())) - {"length", "query", "key"}
        assert all(word in alt for word in words), label


@pytest.mark.parametrize("draw", DIAGRAMS.values(), ids=DIAGRAMS)
def test_texts_do_not_overlap(draw) -> None:
    figure = draw().figure
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    boxes = [text.get_window_extent() for axes in figure.axes for text in axes.texts if text.get_text()]
    boxes += [text.get_window_extent() for text in figure.legends[0].get_texts()]
    assert not any(first.overlaps(second) for first, second in itertools.combinations(boxes, 2))


def test_paths_go_around_the_norm_only_in_pre_ln() -> None:
    post, pre = draw_blocks().figure.axes
    assert [axes.get_title() for axes in (post, pre)] == ["post-LN: BERT", "pre-LN: most models since"]

    def heights(axes, name: str) -> list[float]:
        return sorted(text.get_position()[1] for text in axes.texts if text.get_text() == name)

    for axes, skips in ((post, False), (pre, True)):
        paths = [(min(line.get_ydata()), max(line.get_ydata())) for line in axes.lines]
        assert [max(path) for path in paths] == heights(axes, "add")
        assert all(any(low < norm < high for norm in heights(axes, "norm")) == skips for low, high in paths)


def test_bert_has_as_many_blocks_as_asked_for() -> None:
    assert "Then come 3 blocks above one another, from block 1 to block 3" in draw_bert(num_layers=3).alt
    assert "block 3: attention, feed-forward" in labels(draw_bert(num_layers=3))
