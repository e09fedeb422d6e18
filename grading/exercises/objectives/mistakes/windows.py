"""What goes wrong in corrupt where words are reordered."""

from __future__ import annotations

from typing import Any

import numpy as np

import course.objectives as right
from grading.exercises.objectives.checks import spoiling
from grading.exercises.objectives.mistakes.noise_steps import Noise


@spoiling.whole_mistake(
    "Windows are filled by drawing with replacement: words are lost, and others doubled.",
    hint="Out of order means each word once. What does `choice` do with words that it has drawn?",
)
def with_replacement(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def order(self, window: np.ndarray) -> np.ndarray:
            return self.random.choice(window, len(window))

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "Windows reach over special tokens, so words of one sentence come into the other.",
    hint="What stands between two windows, where a stretch ends?",
)
def over_borders(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def windows(self) -> list[np.ndarray]:
            return [self.words[start : start + self.window] for start in range(0, len(self.words), self.window)]

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "Special tokens are mixed with the words.",
    hint="[CLS] comes first and [SEP] last, whatever happens to the words. Which places are permuted?",
)
def special_tokens_moved(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def windows(self) -> list[np.ndarray]:
            places = np.arange(len(self.texts))
            return [places[start : start + self.window] for start in range(0, len(places), self.window)]

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "All words of a stretch are mixed, not those of a window.",
    hint="A word is at most two places from where it was. How long is a window?",
)
def whole_stretches(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        window = 10**6

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "Each window is turned round: one order only.",
    hint="Three words have six orders, and each of them is as likely.",
)
def turned_round(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def order(self, window: np.ndarray) -> np.ndarray:
            return window[::-1]

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "Nothing is reordered: the permuted copy is thrown away.",
    hint="`permutation` returns a new array, and `shuffle` changes the one it is given. Which of them is used here?",
)
def not_reordered(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def reorder(self) -> None:
            pass

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "Every window is put out of order, whatever the rate is.",
    hint="Of all windows, `rate` times their number have their words mixed.",
)
def every_window(token_ids: Any, kind: str, rate: float, *args: Any, **options: Any) -> Any:
    return right.corrupt(token_ids, kind, 1.0 if kind == "reorder" and rate else rate, *args, **options)
