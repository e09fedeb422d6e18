"""What a layer holds that should hold something else is said by shapes, and by the names of what is missing."""

from __future__ import annotations

import numpy as np

from grading.judging.behaviour.held import misfits

WANTED = {name: np.zeros(shape) for name, shape in (("tokens", (17, 8)), ("segments", (2, 8)), ("norm/gamma", (8,)))}


def said(*shapes: tuple[int, ...]) -> list[str]:
    return [one.sentence for one in misfits(WANTED, [(f"weight_{shape}", np.zeros(shape)) for shape in shapes])]


def test_what_is_missing_is_named_and_what_is_too_much_has_its_shape() -> None:
    (sentence,) = said((17, 8), (17, 8), (8,))
    assert "1 weight is not there: 1 of (2, 8), such as `segments`" in sentence
    assert sentence.endswith("of (17, 8) there are too many.")


def test_what_no_parameter_is_for_is_said() -> None:
    assert said((17, 8), (2, 8), (8,), (5,)) == ["There are weights that no parameter is for: 1 of (5,)."]


def test_of_weights_that_fit_nothing_is_said() -> None:
    assert said((2, 8), (8,), (17, 8)) == []


def test_of_several_of_one_shape_the_later_are_taken_for_missing() -> None:
    wanted = {f"block_{number}/kernel": np.zeros((3, 3)) for number in range(4)}
    (seen,) = misfits(wanted, [("a", np.zeros((3, 3))), ("b", np.zeros((3, 3)))])
    assert seen.sentence == "2 weights are not there: 2 of (3, 3), such as `block_2/kernel`, `block_3/kernel`."
