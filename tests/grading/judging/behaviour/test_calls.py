"""Arguments, axes and the parts of a layer have the names that the exercise gives them."""

from __future__ import annotations

from typing import Any

import pytest

from grading.judging.behaviour.calls import argument_name, axes_of, axes_returned, groups_of
from grading.judging.exercise import Exercise


def attend(query: Any, mask: Any = None, *, training: bool = False) -> Any:
    """Attends.

    Args:
        query: floats, (..., query_length, head_dim).
        mask: boolean, True where attention is allowed, and of a shape that broadcasts to
            (batch, query_length).
        training: whether to drop.

    Returns:
        (..., query_length, value_dim), and (batch, query_length).
    """


def test_axes_have_the_names_of_the_docstring() -> None:
    exercise = Exercise("attend", "nowhere")
    exercise.__dict__["reference"] = attend
    assert [argument_name(exercise, place) for place in ("0", "1", "mask", "0.token_ids", "7")] == [
        "query",
        "mask",
        "mask",
        "token_ids",
        "an argument",
    ]
    assert axes_of(exercise, "query", 3) == ["", "query_length", "head_dim"]
    assert axes_of(exercise, "mask", 2) == ["batch", "query_length"]
    assert axes_of(exercise, "training", 1) == [""]
    assert axes_returned(exercise, 3, None) == ["", "query_length", "value_dim"]
    assert axes_returned(exercise, 2, None) == ["", ""]  # either of the two
    assert axes_returned(exercise, 2, 1) == ["batch", "query_length"]


@pytest.mark.parametrize(
    ("names", "groups"),
    [
        (["query/kernel", "query/bias", "key/kernel", "value/kernel"], ["query", "key", "value"]),
        (["dense/kernel", "norm/gamma", "bias"], ["dense", "norm", "bias"]),
        (["intermediate/kernel", "output/kernel"], ["intermediate", "output"]),
        (
            ["encoder/embedding/norm/gamma", "encoder/block_0/attention/query/kernel", "logits/kernel"],
            ["encoder/embedding", "encoder/block_0", "logits"],
        ),
        ([], []),
    ],
)
def test_a_layer_is_grouped_into_few_parts(names: list[str], groups: list[str]) -> None:
    assert groups_of(names) == groups
