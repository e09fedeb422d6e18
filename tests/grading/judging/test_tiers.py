"""A mistake is known again by its float32 values: what follows from them need only be wrong, too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from keras import ops

from course.ranking import TermGating
from grading.exercises.registry import chapters
from grading.judging.exercise import Check
from grading.judging.expectations import LiveExpectations
from grading.judging.probing import Outcome
from grading.judging.proxies import BY_ARGUMENT, LIST_OF_DTYPES
from grading.judging.tiers import shows_mistake
from grading.judging.verdict import judge_exercise
from grading.sandbox.interpreter import Interpreter

RIGHT = np.linspace(-1, 1, 12, dtype="float32")
WRONG, OTHER = RIGHT**2, RIGHT**3
IDS = np.arange(1000, 1012)


def half(array: np.ndarray) -> np.ndarray:
    return array.astype("float16")


@pytest.mark.parametrize(
    ("given", "mistaken", "right", "shown"),
    [
        ({"a": WRONG}, {"a": WRONG}, {"a": RIGHT}, True),
        ({"a": WRONG}, {"a": OTHER}, {"a": RIGHT}, False),
        ({"a": WRONG, "b": half(OTHER)}, {"a": WRONG, "b": half(WRONG)}, {"a": RIGHT, "b": half(RIGHT)}, True),
        ({"a": WRONG, "b": half(RIGHT)}, {"a": WRONG, "b": half(WRONG)}, {"a": RIGHT, "b": half(RIGHT)}, False),
        ({"a": WRONG, "b": half(OTHER)}, {"a": WRONG, "b": half(RIGHT)}, {"a": RIGHT, "b": half(RIGHT)}, False),
        ({"b": half(WRONG)}, {"b": half(WRONG)}, {"b": half(RIGHT)}, None),
        ({"a": WRONG, "b": OTHER}, {"a": WRONG, "b": WRONG}, {"a": RIGHT, "b": RIGHT}, False),
        ({"a": WRONG, "b": 1.003 * WRONG}, {"a": WRONG, "b": WRONG}, {"a": RIGHT, "b": RIGHT}, True),
        ({"a": WRONG, "b": IDS + 1}, {"a": WRONG, "b": IDS + 2}, {"a": RIGHT, "b": 0 * IDS}, False),
        (
            {"a": WRONG, f"{BY_ARGUMENT}x": OTHER, LIST_OF_DTYPES: ["float64"]},
            {"a": WRONG, f"{BY_ARGUMENT}x": WRONG, LIST_OF_DTYPES: ["float32"]},
            {"a": RIGHT, f"{BY_ARGUMENT}x": RIGHT, LIST_OF_DTYPES: ["float16"]},
            True,
        ),
    ],
)
def test_float32_decides_and_the_rest_must_be_wrong(given: Any, mistaken: Any, right: Any, shown: bool | None) -> None:
    check = Check("a", "is right", 1, lambda *_: None, None, 1e-5)
    assert shows_mistake(check, Outcome(given), Outcome(mistaken), Outcome(right)) is shown


class PaddingCompetesInFloat32(TermGating):
    """The library's own mistake casts after the sum, so it rounds the products in half precision."""

    def call(self, vectors: Any, query_mask: Any) -> Any:
        logits = ops.sum(ops.cast(vectors, "float32") * ops.cast(self.kernel, "float32"), axis=-1)
        return ops.where(query_mask, ops.softmax(logits, axis=-1), 0.0)


def test_a_mistake_with_float32_logits_is_named(tmp_path: Path) -> None:
    chapter = chapters()[14]
    session = Interpreter(tmp_path, {"TermGating": PaddingCompetesInFloat32})
    result = judge_exercise(chapter.exercises["TermGating"], session, LiveExpectations(chapter))
    assert [mistake.name for mistake in result.mistakes] == ["PaddingCompetes"]
