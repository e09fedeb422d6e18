"""Values as bytes on a socket, in a format that cannot carry code.

A frame is the length of a JSON header (8 bytes, little-endian), the header, and the arrays' bytes in order. In the
header an array stands as {"array": [dtype, shape]}, a tuple as {"tuple": [...]}, a dict as {"dict": {...}}, an
Object as {"object": id}. The reader trusts nothing: it checks every length before it allocates anything.
"""

from __future__ import annotations

import json
import math
import socket
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple, TypeVar

import ml_dtypes
import numpy as np

from grading.sandbox.clock import Patience
from grading.sandbox.errors import BadAnswer
from grading.sandbox.values import Object, Value

_Done = TypeVar("_Done")


class Limits(NamedTuple):
    """How large a frame may be.

    Attributes:
        header_bytes: of its JSON header.
        array_bytes: of all its arrays together.
    """

    header_bytes: int = 1 << 20
    array_bytes: int = 64 << 20


STRANGERS = Limits()
OUR_OWN = Limits(sys.maxsize, sys.maxsize)  # of files that this project wrote itself

MAX_DEPTH = 24
MAX_RANK = 16
MAX_OBJECT_ID = 1 << 31
MAX_INTEGER = 1 << 64

_DTYPES: dict[str, np.dtype] = {
    name: np.dtype(name)
    for name in (
        *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *("float16", "float32", "float64"),
    )
} | {"bfloat16": np.dtype(ml_dtypes.bfloat16)}
_LENGTH = struct.Struct("<Q")


def send(connection: socket.socket, value: Value, patience: Patience | None = None) -> None:
    """Sends one value.

    Args:
        connection: a stream socket.
        value: what passes between grader and student: see `grading.sandbox.values`.
        patience: how long to wait; None waits without end.

    Raises:
        BadAnswer: the value may not pass. Nothing has been sent.
        TimeoutError: the other side did not take it in time.
        OSError: the other side is gone.
    """
    left = memoryview(encode(value))
    while left:
        left = left[_once_ready(connection, patience, partial(connection.send, left)) :]


def receive(
    connection: socket.socket, patience: Patience | None = None, max_array_bytes: int = STRANGERS.array_bytes
) -> Value:
    """Receives one value.

    Args:
        connection: a stream socket.
        patience: how long to wait; None waits without end.
        max_array_bytes: how many bytes the value's arrays may have together.

    Raises:
        BadAnswer: what came is no value. The connection cannot be used any more.
        TimeoutError: the value was not there in time.
        EOFError: the other side closed the connection.
    """

    def read(size: int) -> bytes:
        return _read_exactly(connection, size, patience)

    return _decode(read, STRANGERS._replace(array_bytes=max_array_bytes))


def encode(value: Value, limits: Limits = STRANGERS) -> bytes:
    """One value as a frame.

    Raises:
        BadAnswer: the value may not pass.
    """
    arrays: list[np.ndarray] = []
    header = json.dumps(_describe(value, arrays, 0)).encode()
    if len(header) > limits.header_bytes:
        raise BadAnswer(f"the value without its arrays has {len(header):,} bytes; {limits.header_bytes:,} may pass")
    size = sum(array.nbytes for array in arrays)
    if size > limits.array_bytes:
        raise BadAnswer(f"the arrays have {size:,} bytes; {limits.array_bytes:,} may pass")
    return b"".join([_LENGTH.pack(len(header)), header, *(array.tobytes() for array in arrays)])


def decode(frame: bytes, limits: Limits = STRANGERS) -> Value:
    """The value of a whole frame.

    Raises:
        BadAnswer: it is not exactly one valid frame.
    """
    position = 0

    def read(size: int) -> bytes:
        nonlocal position
        part = frame[position : position + size]
        if len(part) < size:
            raise BadAnswer(f"the frame ends {size - len(part):,} bytes too early")
        position += size
        return part

    value = _decode(read, limits)
    if position != len(frame):
        raise BadAnswer(f"{len(frame) - position:,} bytes follow the frame")
    return value


def require_array(array: np.ndarray) -> None:
    """Raises a BadAnswer unless an array of this dtype and rank may pass."""
    # The byte order must be this machine's, too, which the name does not tell.
    if array.dtype != _DTYPES.get(array.dtype.name):
        raise BadAnswer(f"an array of {array.dtype} may not pass; return one of {', '.join(_DTYPES)}")
    if array.ndim > MAX_RANK:
        raise BadAnswer(f"an array has {array.ndim} axes; {MAX_RANK} may pass")


def _once_ready(connection: socket.socket, patience: Patience | None, work: Callable[[], _Done]) -> _Done:
    """Does some work on a connection as soon as the other side lets it, or until patience ends."""
    while True:
        connection.settimeout(None if patience is None else patience.remaining())
        try:
            return work()
        except TimeoutError:
            continue  # it is patience that says whether this is the end


def _read_exactly(connection: socket.socket, size: int, patience: Patience | None) -> bytes:
    # The buffer grows with what really comes: an announced length alone costs nothing.
    received = bytearray()
    while len(received) < size:
        most = min(size - len(received), 1 << 20)
        part = _once_ready(connection, patience, partial(connection.recv, most))
        if not part:
            raise EOFError
        received += part
    return bytes(received)


def _describe(value: Value, arrays: list[np.ndarray], depth: int) -> Any:
    """A value -> JSON; its arrays are added to the list."""
    if depth > MAX_DEPTH:
        raise BadAnswer(f"the value is nested more than {MAX_DEPTH} deep")
    if isinstance(value, list):
        return [_describe(item, arrays, depth + 1) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [_describe(item, arrays, depth + 1) for item in value]}
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        _check_texts(value)
        return {"dict": {key: _describe(item, arrays, depth + 1) for key, item in value.items()}}
    if isinstance(value, np.ndarray):
        arrays.append(value)
        return {"array": _describe_array(value)}
    return _describe_scalar(value)


def _describe_array(array: np.ndarray) -> list:
    require_array(array)
    return [array.dtype.name, list(array.shape)]


def _describe_scalar(value: Value) -> Any:
    if isinstance(value, str):
        _check_texts([value])
    if value is None or isinstance(value, str | float | bool):
        return value
    if isinstance(value, int):
        return _checked_integer(value)
    if isinstance(value, Object):
        return {"object": value.id}
    raise BadAnswer(f"a {type(value).__name__} may not pass")


def _decode(read: Callable[[int], bytes], limits: Limits) -> Value:
    (length,) = _LENGTH.unpack(read(_LENGTH.size))
    if length > limits.header_bytes:
        raise BadAnswer(f"a header of {length:,} bytes is announced; {limits.header_bytes:,} may pass")
    try:
        header = json.loads(read(length).decode())
    except (ValueError, RecursionError) as error:
        raise BadAnswer(f"the header is not JSON: {type(error).__name__}") from None
    # The first walk only adds up what the arrays would take.
    size = sum(dtype.itemsize * math.prod(shape) for dtype, shape in _announced(header, 0))
    if size > limits.array_bytes:
        raise BadAnswer(f"arrays of {size:,} bytes are announced; {limits.array_bytes:,} may pass")
    return _build(header, read)


def _announced(node: Any, depth: int) -> Iterator[tuple[np.dtype, tuple[int, ...]]]:
    """Checks a header as a whole, and yields dtype and shape of each array in order."""
    if depth > MAX_DEPTH:
        raise BadAnswer(f"the value is nested more than {MAX_DEPTH} deep")
    if isinstance(node, dict) and len(node) != 1:
        raise BadAnswer(f"the header has an unknown part: {str(node)[:100]}")
    match node:
        case list() | {"tuple": list()} | {"dict": dict()}:
            _check_texts(node.get("dict", ()) if isinstance(node, dict) else ())
            for item in _items(node):
                yield from _announced(item, depth + 1)
        case {"array": [str(name), list(shape)]} if name in _DTYPES:
            if len(shape) > MAX_RANK or not all(_is_size(size) for size in shape):
                raise BadAnswer(f"an array of the shape {str(shape)[:100]} is announced")
            yield _DTYPES[name], tuple(shape)
        case _:
            _check_scalar(node)


def _items(container: Any) -> Iterable[Any]:
    """What a container's description holds."""
    if isinstance(container, list):
        return container
    (content,) = container.values()
    return content.values() if isinstance(content, dict) else content


def _check_scalar(node: Any) -> None:
    match node:
        case str():
            _check_texts([node])
        case None | bool() | float():
            return
        case int():
            _checked_integer(node)
        case {"object": int(number)} if _is_size(number) and number < MAX_OBJECT_ID:
            return
        case _:
            raise BadAnswer(f"the header has an unknown part: {str(node)[:100]}")


def _check_texts(texts: Iterable[str]) -> None:
    """No file can hold half a character, as a surrogate without its other half is."""
    if any("\ud800" <= letter <= "\udfff" for text in texts for letter in text):
        raise BadAnswer("a text holds half a character (a lone surrogate)")


def _is_size(size: Any) -> bool:
    return type(size) is int and 0 <= size < 1 << 48


def _build(node: Any, read: Callable[[int], bytes]) -> Value:
    """A checked header and the bytes that follow it -> the value."""
    if isinstance(node, list):
        return [_build(item, read) for item in node]
    if not isinstance(node, dict):
        return node
    ((kind, content),) = node.items()
    if kind == "tuple":
        return tuple(_build(item, read) for item in content)
    if kind == "dict":
        return {key: _build(item, read) for key, item in content.items()}
    if kind == "object":
        return Object(content)
    name, shape = content
    return _array(_DTYPES[name], shape, read)


def _array(dtype: np.dtype, shape: list[int], read: Callable[[int], bytes]) -> np.ndarray:
    data = np.frombuffer(read(dtype.itemsize * math.prod(shape)), np.uint8)
    if dtype == np.bool_ and data.size and data.max() > 1:
        raise BadAnswer("an array of bool has bytes other than 0 and 1")
    try:
        return data.view(dtype).reshape(shape).copy()  # a copy can be written to
    except ValueError:  # no axis is 0 by chance where the others are longer than any memory
        raise BadAnswer(f"an array of the shape {str(shape)[:100]} is announced") from None


def _checked_integer(number: int) -> int:
    if abs(number) > MAX_INTEGER:
        raise BadAnswer("an integer has more than 64 bits")
    return number
