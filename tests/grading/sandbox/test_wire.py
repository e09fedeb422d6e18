"""The wire carries every value there and back, and nothing else gets through."""

from __future__ import annotations

import json
import math
import socket
import struct
import threading
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from grading.sandbox import wire
from grading.sandbox.clock import Deadline
from grading.sandbox.errors import BadAnswer
from grading.sandbox.values import Object

_NUMPY_DTYPES = [np.dtype(name) for name in wire._DTYPES if name != "bfloat16"]
_ARRAYS = st.sampled_from(_NUMPY_DTYPES).flatmap(
    lambda dtype: arrays.arrays(dtype, arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4))
)
_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats()
    | st.text()
    | st.builds(Object, st.integers(0, 2**31 - 1))
    | _ARRAYS
)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(), inner, max_size=4)
    ),
    max_leaves=12,
)


def _same(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(map(_same, one.values(), other.values()))
    return one == other or (isinstance(one, float) and math.isnan(one) and math.isnan(other))


def _frame(header: Any, data: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


@given(_VALUES)
def test_a_value_comes_back_as_it_was(value: Any) -> None:
    assert _same(wire.decode(wire.encode(value)), value)


def test_bfloat16_comes_back_as_it_was() -> None:
    value = np.array([[1.5, -2.25, 3e30]], ml_dtypes.bfloat16)
    assert _same(wire.decode(wire.encode(value)), value)


def test_an_array_that_came_back_can_be_written_to() -> None:
    decoded = wire.decode(wire.encode(np.zeros((2, 3))))
    decoded[0, 1] = 4
    assert decoded[0, 1] == 4


@given(st.binary(max_size=200))
def test_noise_is_a_bad_answer(noise: bytes) -> None:
    with pytest.raises(BadAnswer):
        wire.decode(noise + b"\xff")


@given(_VALUES, st.data())
def test_a_damaged_frame_is_a_value_or_a_bad_answer(value: Any, data: st.DataObject) -> None:
    frame = bytearray(wire.encode(value))
    position = data.draw(st.integers(0, len(frame) - 1))
    frame[position] = data.draw(st.integers(0, 255))
    try:
        decoded = wire.decode(bytes(frame))
    except BadAnswer:
        return
    wire.encode(decoded)  # what got through is made of nothing but values


@given(_VALUES, st.data())
def test_a_frame_that_is_cut_short_is_a_bad_answer(value: Any, data: st.DataObject) -> None:
    frame = wire.encode(value)
    with pytest.raises(BadAnswer):
        wire.decode(frame[: data.draw(st.integers(0, len(frame) - 1))])


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param(struct.pack("<Q", 1 << 62), id="an endless header"),
        pytest.param(_frame({"array": ["float32", [1 << 40]]}), id="an endless array"),
        pytest.param(_frame([{"array": ["int8", [1 << 25]]}] * 3), id="arrays that are too large together"),
        pytest.param(_frame({"array": ["int8", [0, 1 << 47, 1 << 47]]}), id="axes that no memory holds"),
        pytest.param(_frame({"array": ["float32", [-1, -2]]}, b"12345678"), id="a negative size"),
        pytest.param(_frame({"array": ["float32", [2.0]]}, b"12345678"), id="a size that is no integer"),
        pytest.param(_frame({"array": ["float32", [True]]}, b"1234"), id="a size that is a truth value"),
        pytest.param(_frame({"array": ["float32", [1] * 65]}, b"1234"), id="too many axes"),
        pytest.param(_frame({"array": ["object", [1]]}, b"12345678"), id="an array of objects"),
        pytest.param(_frame({"array": ["float32", [1]], "more": 1}, b"1234"), id="a part with more in it"),
        pytest.param(_frame({"array": ["bool", [1]]}, b"\x02"), id="a truth value that is neither"),
        pytest.param(_frame({"object": -1}), id="a negative object"),
        pytest.param(_frame({"pickle": "gASV"}), id="an unknown kind"),
        pytest.param(_frame(b"[" * 5000), id="deep and unfinished"),
        pytest.param(_frame(b"[" * 40 + b"]" * 40), id="deep"),
        pytest.param(_frame(b"9" * 5000), id="an endless integer"),
        pytest.param(_frame(2**70), id="an integer of 71 bits"),
        pytest.param(_frame(b"\xff\xfe"), id="no UTF-8"),
        pytest.param(_frame(None) + b"x", id="something behind it"),
        pytest.param(_frame(b'["\\ud800"]'), id="half a character"),
        pytest.param(_frame(b'{"dict": {"\\udfff": 1}}'), id="half a character in a key"),
    ],
)
def test_a_hostile_frame_is_a_bad_answer(frame: bytes) -> None:
    with pytest.raises(BadAnswer):
        wire.decode(frame)


@pytest.mark.parametrize(
    "value",
    [{1: 2}, {1}, 1j, b"bytes", np.array([None]), np.array(["text"]), np.zeros(1, "M8[s]"), 2**70, lambda: 0, "\ud800"],
)
def test_nothing_but_values_is_sent(value: Any) -> None:
    with pytest.raises(BadAnswer):
        wire.encode(value)


def test_what_is_too_large_is_not_sent() -> None:
    with pytest.raises(BadAnswer, match="may pass"):
        wire.encode(np.broadcast_to(np.float64(1), (1 << 24,)))
    with pytest.raises(BadAnswer, match="may pass"):
        wire.encode("x" * (1 << 21))


def test_a_byte_now_and_then_does_not_put_off_the_deadline() -> None:
    ours, theirs = socket.socketpair()
    stop = threading.Event()

    def trickle() -> None:
        theirs.sendall(struct.pack("<Q", 1000))
        while not stop.wait(0.02):
            theirs.sendall(b" ")

    with ours, theirs:
        thread = threading.Thread(target=trickle)
        thread.start()
        try:
            with pytest.raises(TimeoutError):
                wire.receive(ours, Deadline(0.2))
        finally:
            stop.set()
            thread.join()


def test_a_reader_that_does_not_read_ends_the_sending() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs, pytest.raises(TimeoutError):
        wire.send(ours, np.zeros(4 << 20, np.uint8), Deadline(0.2))
