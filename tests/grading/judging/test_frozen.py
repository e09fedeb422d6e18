"""The file that a release's checks compare with: what goes in comes out, and each array is in it once."""

from __future__ import annotations

import gzip
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from grading.judging.frozen import packed, unpacked
from grading.sandbox.errors import BadAnswer
from grading.sandbox.wire import decode, encode

VALUES: list[Any] = [
    [1, 2, 3, 4, -5],
    [True, False, True, True],
    [1.0, -0.0, float("inf"), 1e-300, 0.1],
    [1, 2.0, True, 3, None],  # of several kinds
    [[101, 7, 8, 102], [101, 102], []],
    (1, 2, 3, 4),
    [2**63, 1, 2, 3],  # more than an array's integers hold
    {"ids": [7, 7, 7, 7], "text": "a", "nothing": None},
    ["[CLS]", "a", "b", "[SEP]"],
]
ARRAYS = [
    np.arange(6, dtype="int32").reshape(2, 3),
    np.arange(6, dtype="int32").reshape(3, 2),  # the same bytes in another shape
    np.zeros(3, "float32"),
    np.zeros(3, "int32"),  # the same bytes of another kind
    np.ones((2, 2), ml_dtypes.bfloat16),
    np.zeros((0, 4), bool),
    np.array(1.5, "float16"),
]


def kinds(value: Any) -> Any:
    """A value beside the types of all its parts, since 1 == 1.0 == True."""
    if isinstance(value, list | tuple):
        return (type(value), [kinds(item) for item in value])
    return {key: kinds(item) for key, item in value.items()} if isinstance(value, dict) else (type(value), repr(value))


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_values_come_back_as_they_were(value: Any) -> None:
    assert kinds(unpacked(packed({"of": [value, value]}))) == kinds({"of": [value, value]})


def test_arrays_come_back_as_they_were() -> None:
    back = unpacked(packed(ARRAYS))
    for array, one in zip(ARRAYS, back, strict=True):
        assert (one.dtype, one.shape, one.tobytes()) == (array.dtype, array.shape, array.tobytes())


def test_an_array_is_stored_once_however_many_outcomes_hold_it() -> None:
    array = np.random.default_rng(1).random(50_000)  # more than the compression looks back
    ids = np.random.default_rng(2).integers(0, 2**60, 50_000).tolist()
    once, often = packed([array, ids]), packed([array, ids, {"again": (array, ids)}] * 20)
    assert len(often) < 1.01 * len(once)


def test_our_own_file_may_be_larger_than_a_strangers_frame() -> None:
    texts = [f"{number:064d}" for number in range(20_000)]
    data = packed(texts)
    assert unpacked(data) == texts
    with pytest.raises(BadAnswer, match="bytes; 1,048,576 may pass"):
        encode(texts)
    with pytest.raises(BadAnswer, match="bytes is announced; 1,048,576 may pass"):
        decode(gzip.decompress(data))
