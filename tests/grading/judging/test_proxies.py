"""What a handle asks for besides the answer: a batch of one, and what weights are kept in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from course.encoder import FeedForward
from grading.judging.proxies import DTYPES_OF_WEIGHTS, LIST_OF_DTYPES, Proxy, changes, differ, with_dtypes
from grading.sandbox.errors import BadAnswer
from grading.sandbox.interpreter import Interpreter


def sums(x: Any, mask: Any, table: Any) -> list[np.ndarray]:
    values = x["values"] if isinstance(x, dict) else x
    return [np.sum(values, axis=1), np.sum(mask, axis=1), np.sum(table, axis=1)]


@pytest.mark.parametrize("as_dict", [False, True])
def test_what_is_as_long_as_the_first_argument_is_cut_to_a_batch_of_one(as_dict: bool, tmp_path: Path) -> None:
    values, mask, table = np.arange(6.0).reshape(3, 2), np.ones((3, 4)), np.ones((5, 3))
    given = {"values": values} if as_dict else values
    answers = Proxy(Interpreter(tmp_path, {"sums": sums}), "sums").with_one(given, mask, table)
    every, one = answers["the result"], answers["the result for a batch of one"]
    np.testing.assert_array_equal(every[0], [1, 5, 9])
    assert [len(part) for part in every] == [3, 3, 5]
    np.testing.assert_array_equal(one[0], [1])
    assert [len(part) for part in one] == [1, 1, 5]


class InHalves(FeedForward):
    def build(self, x_shape: tuple) -> None:
        self.dtype_policy = self.compute_dtype
        super().build(x_shape)


@pytest.mark.parametrize(("layer", "kept"), [(FeedForward, ["float32"]), (InHalves, ["float16"])])
def test_what_weights_are_kept_in_is_told_beside_what_comes_back(layer: type, kept: list[str], tmp_path: Path) -> None:
    made = Proxy(Interpreter(tmp_path, {"FeedForward": layer}), "FeedForward")(4, 6, dtype="mixed_float16")
    found = with_dtypes(made(np.ones((2, 3, 4), "float32")), made)
    assert (found[LIST_OF_DTYPES], found[DTYPES_OF_WEIGHTS]) == (["float16"], kept)


def test_a_path_of_a_weight_is_not_taken_apart_if_it_is_too_long(tmp_path: Path) -> None:
    session = Interpreter(tmp_path, {"FeedForward": FeedForward})
    made = Proxy(session, "FeedForward")(4, 6, name="_" * 100_000)
    made.build(np.ones((2, 3, 4), "float32"))
    with pytest.raises(BadAnswer, match=r"the path of a weight has 1000\d\d characters; wanted at most 1000: ____"):
        made.load({})


def test_answers_differ_if_no_number_is_the_same() -> None:
    assert differ(np.ones(3), np.zeros(3)) and differ(0.5, np.array(0.25)) and differ(True, False)
    assert not differ(np.ones(3), np.array([0, 0, 1])) and not differ(None, None)


def test_changes_of_weights_have_their_paths() -> None:
    found = changes([("kernel", np.ones((2, 3)))], [("kernel", np.full((2, 3), 3.0))])
    assert found["kernel"].tolist() == [[2.0] * 3] * 2


def test_answers_and_weights_of_other_shapes_are_not_broadcast() -> None:
    long, wide = np.zeros((1 << 20, 1)), np.ones((1, 1 << 20))  # a terabyte of truth values, if they were compared
    assert not differ(long, wide)
    with pytest.raises(ValueError, match="other shapes"):
        changes([("kernel", long)], [("kernel", wide)])
