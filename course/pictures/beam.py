"""A picture of beam search: three steps with two beams, on the table of words that chapter 10 searches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.decoder import beam_search
from course.plots import Picture
from course.plots.cells import BLUE, GREY, YELLOW, draw_row, say, sheet
from course.plots.picture import joined

_START, _END = "[START]", "[END]"
# What follows each word, and how probable it is.
_FOLLOWING: Mapping[str, Mapping[str, float]] = {
    _START: {"the": 0.5, "a": 0.4, "grey": 0.1},
    "the": {"dog": 0.4, "grey": 0.35, "house": 0.25},
    "a": {"house": 0.9, "grey": 0.1},
    "dog": {_END: 0.8, "grey": 0.2},
    "grey": {"dog": 0.5, "house": 0.5},
    "house": {_END: 0.9, "grey": 0.1},
}
_WORDS = [*_FOLLOWING, _END]
_FATES = {BLUE: "goes on", YELLOW: "finished", GREY: "forgotten"}
_Text = tuple[str, ...]


def beam() -> Picture:
    """What a search with two beams extends, finishes and forgets, with the probability of each text."""
    went_on, best = _search()
    figure, axes = sheet(7.2, 2.75)
    probabilities: dict[_Text, float] = {(): 1.0}
    places: dict[_Text, tuple[float, float]] = {}
    sentences = []
    for depth, (left, width) in enumerate(zip((0.2, 2.1, 4.4), (0.6, 1.0, 1.6), strict=True)):
        say(axes, left, 0.2, f"after {depth + 1} word{'s' * (depth > 0)}", "left", fontweight="bold")
        grown = {
            (*text, word): probabilities[text] * share
            for text in went_on[depth]
            for word, share in _FOLLOWING[text[-1] if text else _START].items()
        }
        ranked = sorted(grown, key=lambda text: -grown[text])
        probabilities |= grown
        for rank, text in enumerate(ranked):
            fill = BLUE if text in went_on[depth + 1] else YELLOW if text[-1] == _END and rank < 2 else GREY
            top = 0.4 + 0.4 * rank
            if text[:-1]:
                axes.plot(
                    [places[text[:-1]][0], left], [places[text[:-1]][1], top + 0.15], color="#333333", linewidth=1
                )
            said = " ".join(text), f"{grown[text]:.3f}".rstrip("0")
            draw_row(axes, (left, top), said, [fill] * 2, [width, 0.55], [0, 1] if text == best else [])
            places[text] = left + width + 0.55, top + 0.15
            sentences.append(f"{said[0]}, {said[1]}, {'the best, is ' * (text == best)}{_FATES[fill]}.")
    for left, (fill, fate) in zip((0.2, 2.1, 4.4), _FATES.items(), strict=True):
        draw_row(axes, (left, 2.4), [""], [fill], [0.3])
        say(axes, left + 0.4, 2.55, fate, "left")
    return Picture(figure, joined("A beam search after 1, 2 and 3 words, with two beams and probabilities", sentences))


def _search() -> tuple[list[list[_Text]], _Text]:
    """The texts that go on after each step, by their number of words, and the best text."""
    went_on: list[list[_Text]] = []

    def step(prefixes: Any) -> np.ndarray:
        texts = [tuple(_WORDS[number] for number in row) for row in np.asarray(prefixes).tolist()]
        went_on.append([text[1:] for text in texts])
        shares = [[_FOLLOWING[text[-1]].get(word, 0.0) for word in _WORDS] for text in texts]
        return np.log(np.maximum(shares, 1e-9))

    ids, _ = beam_search(step, _WORDS.index(_START), _WORDS.index(_END), beams=2, max_length=4)
    return went_on, tuple(_WORDS[number] for number in ids)
