"""Every picture shows what it is given, and describes in words what it shows."""

from __future__ import annotations

import base64
import io
import re

import matplotlib.image
import numpy as np
import pytest
from keras import ops

from course.attention import causal_mask, padding_mask
from course.plots import (
    Picture,
    plot_attention,
    plot_confusion,
    plot_curves,
    plot_guesses,
    plot_mask,
    plot_reliability,
)

TOKENS = ["the", "animal", "was", "tired"]
KEYS = ["das", "Tier", "$1", "##de", "<b>"]


def pixels(picture: Picture) -> np.ndarray:
    """The image that a notebook would show."""
    encoded = re.search(r'src="data:image/png;base64,([^"]+)"', picture._repr_html_())[1]
    return matplotlib.image.imread(io.BytesIO(base64.b64decode(encoded)))


def names_on(axes) -> tuple[list[str], list[str]]:
    return [label.get_text() for label in axes.get_yticklabels()], [
        label.get_text() for label in axes.get_xticklabels()
    ]


def shown_on(axes) -> np.ndarray:
    return np.asarray(axes.images[0].get_array())


def weights_of(random, *shape: int) -> np.ndarray:
    scores = np.exp(random.normal(size=shape))
    return scores / scores.sum(axis=-1, keepdims=True)


@pytest.fixture
def pictures(random) -> dict[str, Picture]:
    return {
        "one head": plot_attention(weights_of(random, 4, 5), TOKENS, KEYS),
        "heads": plot_attention(weights_of(random, 6, 4, 4), TOKENS),
        "guesses": plot_guesses({"it": [("strain", 0.6), ("$1", 0.1)], "another": [("the", 0.2)]}, title="a gap in"),
        "mask": plot_mask(causal_mask(4), TOKENS),
        "curves": plot_curves({"loss": [3.0, 1.5, 1.0], "val_loss": [3.1, 2.0, 2.5]}),
        "panels": plot_curves({"loss": [3.0, 1.5, 1.0], "accuracy": [0.1, 0.2, 0.9]}, panels=True),
        "seeds": plot_curves({"loss": [[3.0, 1.5, 1.0], [3.1, 1.9, 0.5]]}),
        "confusion": plot_confusion([[8, 1, 0], [0, 7, 2], [0, 0, 9]], ["world", "sport", "business"]),
        "reliability": plot_reliability(np.array([0.3, 0.8]), np.array([0.2, 0.9]), np.array([5, 20])),
    }


def test_no_picture_is_empty_and_all_have_alt_texts(pictures):
    for name, picture in pictures.items():
        image = pixels(picture)[..., :3]
        colours = (255 * image).astype("uint32") @ np.array([1, 256, 256**2], "uint32")
        assert len(np.unique(colours)) > 20, name
        assert (image.std(axis=(0, 1)) > 0.05).all(), name
        assert len(picture.alt.split()) >= 10, name
        assert repr(picture) == f"Picture: {picture.alt}"


def test_all_axes_are_labelled(pictures):
    for name, picture in pictures.items():
        axes = picture.figure.axes[0]
        assert axes.get_xlabel() or name == "panels", name  # of panels, the lowest has it for all
        assert axes.get_ylabel(), name


def test_drawing_is_deterministic(random):
    weights = weights_of(random, 4, 4)
    assert plot_attention(weights, TOKENS)._repr_html_() == plot_attention(weights, TOKENS)._repr_html_()


def test_words_are_escaped_in_html():
    markup = plot_mask(np.eye(2, dtype=bool), ['"><script>', "b"])._repr_html_()
    assert "<script>" not in markup
    assert 'alt="Attention mask. &quot;&gt;&lt;script&gt; may attend to' in markup


def test_attention_of_one_head():
    weights = [[0.1, 0.6, 0.1, 0.1, 0.1], [0.2, 0.2, 0.5, 0.1, 0], [0, 0, 0, 1, 0], [0.1, 0.1, 0.1, 0.1, 0.6]]
    picture = plot_attention(ops.convert_to_tensor(weights, "bfloat16"), TOKENS, KEYS, title="Head 3")
    axes = picture.figure.axes[0]
    assert names_on(axes) == (TOKENS, KEYS)
    np.testing.assert_allclose(shown_on(axes), weights, atol=2e-3)
    assert [text.get_text() for text in axes.texts][:5] == ["0.10", "0.60", "0.10", "0.10", "0.10"]
    assert picture.figure.get_suptitle() == "Head 3"
    assert picture.alt == (
        "Head 3. the attends most to Tier (0.60). animal attends most to $1 (0.50). "
        "was attends most to ##de (1.00). tired attends most to <b> (0.60)."
    )


def test_attention_of_all_heads(random):
    weights = weights_of(random, 6, 4, 5)
    picture = plot_attention(weights, TOKENS, KEYS)
    *maps, color_bar = picture.figure.axes
    assert [axes.get_title() for axes in maps] == [f"head {number}" for number in range(6)]
    for axes, head in zip(maps, weights, strict=True):
        np.testing.assert_allclose(shown_on(axes), head, rtol=1e-5)
        assert axes.images[0].get_clim() == pytest.approx((0, weights.max()))
    assert color_bar.get_ylabel() == "weight"
    assert "Head 5: the attends most to" in picture.alt


def test_mask():
    mask = padding_mask([[5, 7, 0, 0]])[0, 0]
    picture = plot_mask(mask, ["red", "fox", "[PAD]", "[PAD]"])
    np.testing.assert_array_equal(shown_on(picture.figure.axes[0]), [[True, True, False, False]] * 4)
    assert "red may attend to red, fox." in picture.alt
    legend = [text.get_text() for text in picture.figure.axes[0].get_legend().get_texts()]
    assert legend == ["allowed", "forbidden"]


def test_mask_of_queries_and_keys():
    mask = np.zeros((4, 5), bool)
    mask[1, 2] = True
    picture = plot_mask(mask, TOKENS, KEYS)
    assert names_on(picture.figure.axes[0]) == (TOKENS, KEYS)
    assert picture.alt.startswith("Attention mask. the may attend to nothing. animal may attend to $1.")


def test_curves():
    picture = plot_curves({"loss": [3.0, 0.5, 1.0], "val_loss": [3.1, 2.0]}, title="Training")
    axes = picture.figure.axes[0]
    assert {line.get_label(): list(zip(*line.get_data(), strict=True)) for line in axes.lines} == {
        "loss": [(1, 3.0), (2, 0.5), (3, 1.0)],
        "val_loss": [(1, 3.1), (2, 2.0)],
    }
    assert len({line.get_color() for line in axes.lines}) == len({line.get_linestyle() for line in axes.lines}) == 2
    assert picture.alt.startswith("Training. loss goes from 3 to 1, between 0.5 and 3, over 3 points. val_loss")


def test_curves_are_drawn_at_x():
    (line,) = plot_curves({"gelu": [-0.1, 0.0, 0.8]}, x_label="x", x=[-1.0, 0.0, 1.0]).figure.axes[0].lines
    assert list(line.get_xdata()) == [-1, 0, 1]


def test_doublings_have_equal_widths_and_ticks_at_the_values():
    axes = plot_curves({"loss": [3.0, 4.0, 6.0]}, x=[32, 64, 256], doubling=True).figure.axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["32", "64", "256"]
    places = axes.transData.transform([(32, 3), (64, 3), (256, 3)])[:, 0]
    assert places[2] - places[0] == pytest.approx(3 * (places[1] - places[0]))


def test_a_panel_for_each_curve_has_its_own_scale():
    picture = plot_curves({"words": [9.0, 3.0], "pairs": [0.7, 0.2]}, x_label="step", x=[50, 100], panels=True)
    above, below = picture.figure.axes
    assert [axes.get_ylabel() for axes in (above, below)] == ["words: loss", "pairs: loss"]
    assert below.get_ylim()[1] < 1 < above.get_ylim()[0]
    assert below.get_xlabel() == "step"


def test_runs_are_a_mean_and_a_band_from_the_lowest_to_the_highest():
    picture = plot_curves({"fresh": [[1.0, 4.0], [3.0, 2.0], [2.0, 0.0]]})
    axes = picture.figure.axes[0]
    assert list(axes.lines[0].get_ydata()) == [2, 2]
    band = axes.collections[0].get_paths()[0].vertices
    assert {(float(x), float(y)) for x, y in band} == {(1, 1), (1, 3), (2, 0), (2, 4)}
    assert picture.alt.endswith("over 2 points. 3 runs differ by up to 4.")


def test_legends_cover_no_axes(pictures):
    for name in ("curves", "reliability"):
        figure = pictures[name].figure
        pixels(pictures[name])  # draws it
        (legend,) = figure.legends
        assert not any(legend.get_window_extent().overlaps(axes.get_window_extent()) for axes in figure.axes), name


def test_confusion():
    counts = np.array([[1008, 1, 0], [0, 7, 2], [0, 0, 0]])
    picture = plot_confusion(counts, ["world", "sport", "business"])
    axes = picture.figure.axes[0]
    np.testing.assert_allclose(shown_on(axes), [[1008 / 1009, 1 / 1009, 0], [0, 7 / 9, 2 / 9], [0, 0, 0]])
    assert [text.get_text() for text in axes.texts] == ["1,008", "1", "0", "0", "7", "2", "0", "0", "0"]
    assert picture.alt == (
        "Confusion matrix. 1,015 of 1,018 are right. The most frequent error: sport taken for business, 2 times."
    )
    assert "error" not in plot_confusion(np.eye(3, dtype=int), ["a", "b", "c"]).alt


def test_a_confusion_of_many_classes_stays_small_enough_to_draw():
    few, many = (plot_confusion(np.eye(count, dtype=int), list(map(str, range(count)))) for count in (4, 400))
    assert [name.get_text() for name in few.figure.axes[0].get_yticklabels()] == ["0", "1", "2", "3"]
    assert many.figure.get_size_inches().max() < 40
    names = [name.get_text() for name in many.figure.axes[0].get_yticklabels()]
    assert len(names) == 400 and len(list(filter(None, names))) <= 90
    assert names[0] == "0" and all(name in ("", str(number)) for number, name in enumerate(names))


def test_reliability():
    confidence, accuracy = np.array([np.nan, 0.4, 0.9]), np.array([np.nan, 0.25, 0.875])
    picture = plot_reliability(confidence, accuracy, np.array([0, 4, 1016]), title="How sure")
    axes = picture.figure.axes[0]
    diagonal, measured = (list(zip(*line.get_data(), strict=True)) for line in axes.lines)
    assert diagonal == [(0, 0), (1, 1)]
    assert measured == [(0.4, 0.25), (0.9, 0.875)]
    few, many = axes.collections[0].get_sizes()
    assert few < many / 10
    assert picture.alt == (
        "How sure. Of 4 texts with a confidence of 0.40, 25% are right. "
        "Of 1,016 texts with a confidence of 0.90, 88% are right."
    )


def test_guesses():
    picture = plot_guesses({"before": [("the", 0.01)], "after": [("strain", 0.7), ("injury", 0.25)]}, title="A gap")
    before, after = picture.figure.axes
    assert [bar.get_width() for bar in after.patches] == [0.7, 0.25]
    assert names_on(after)[0] == ["strain", "injury"]
    assert [text.get_text() for text in before.texts] == ["0.01"]
    assert before.get_xlim() == after.get_xlim()  # so that bars can be compared
    assert picture.alt == "A gap. before: the 0.01. after: strain 0.70, injury 0.25."


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plot_guesses({}), "Received: {}"),
        (lambda: plot_guesses({"it": []}), r"Received: it: \[\]"),
        (lambda: plot_guesses({"it": [("a", 1.5)]}), r"from 0 to 1. Received: it: \[\('a', 1.5\)\]"),
        (lambda: plot_attention(np.ones((5, 4)), TOKENS, KEYS), r"\(\.\.\., 4, 5\).*weights.shape=\(5, 4\)"),
        (lambda: plot_attention(np.ones((2, 3, 4, 4)), TOKENS), r"weights.shape=\(2, 3, 4, 4\)"),
        (lambda: plot_mask(np.ones((3, 4), bool), TOKENS), r"\(4, 4\). Received: mask.shape=\(3, 4\)"),
        (lambda: plot_curves({"loss": [1.0], "val_loss": []}), r"Received: val_loss: \[\]"),
        (lambda: plot_curves({}), "Received: {}"),
        (lambda: plot_curves({"loss": [[[1.0]]]}), r"Received: loss: \[\[\["),
        (lambda: plot_curves({"loss": [1.0, 2.0]}, x=[1]), "a place for each value. Received: 1; loss has 2 values"),
        (lambda: plot_confusion(np.ones((2, 3)), ["a", "b"]), r"of 2 classes.*matrix.shape=\(2, 3\)"),
        (lambda: plot_reliability(np.ones(3), np.ones(2), np.ones(3)), r"Received: \(3,\), \(2,\), \(3,\)"),
        (lambda: plot_reliability(np.ones(3), np.ones(3), np.zeros(3)), "with 0 texts"),
    ],
)
def test_errors_name_what_does_not_fit(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()
