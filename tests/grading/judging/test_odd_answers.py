"""An odd answer costs its check and nothing else, and a right cell may be written with all that Python has."""

from __future__ import annotations

import textwrap
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from grading.exercises.registry import chapter
from grading.judging.expectations import LiveExpectations
from grading.judging.verdict import ExerciseResult, judge_exercise
from grading.sandbox.interpreter import Interpreter
from grading.sandbox.wire import decode, encode

_TOP = """
import collections, datetime, decimal, enum, fractions, types
import keras, numpy as np, tensorflow as tf

Pair = collections.namedtuple("Pair", "one other")
cyclic = []
cyclic.append(cyclic)
deep = []
for _ in range(500):
    deep = [deep]


class Raises:
    def _refuse(self, *args, **kwargs):
        raise RuntimeError("no")

    __len__ = __iter__ = __eq__ = __bool__ = __array__ = __repr__ = __str__ = __getitem__ = _refuse
    dtype = shape = property(_refuse)


class Lies:
    dtype, shape = np.dtype("bool"), (3, 1, 1, 7)

    def __array__(self, *args, **kwargs):
        return np.array([object()])

    def __len__(self):
        return 1 << 70

    def __eq__(self, other):
        return True


class Numbers(list):
    pass


class Array(np.ndarray):
    def __array_finalize__(self, other):
        self.mine = Raises()


@tf.function
def traced(x):
    return x


"""
ODD = {
    "a ragged list": "[[1, 2], [3]]",
    "a ragged list of arrays": "[np.ones((2, 3)), np.ones((3, 2))]",
    "a list with layers": "[keras.layers.Dense(2)] * 3",
    "a list with a layer in it": "[[1, 2], [keras.layers.Dense(2), 3]]",
    "layers in the answer's shape": "np.full((3, 1, 1, 7), None).tolist() and [[[[keras.layers.Dense(2)] * 7]]] * 3",
    "texts in the answer's shape": "[[[['True'] * 7]]] * 3",
    "a tuple of odd things": "(Raises(), Lies(), traced, type)",
    "a dictionary of odd things": "{'a': Raises(), 'b': [Lies()]}",
    "a dictionary with odd keys": "{Lies(): 1, 2: 3}",
    "a set": "{True, False}",
    "a generator in a list": "[(i for i in range(3))]",
    "a range": "range(7)",
    "bytes": "b'True'",
    "a memory view": "memoryview(b'True')",
    "a complex number": "1j",
    "a complex array": "np.ones((3, 1, 1, 7)) * 1j",
    "a huge number": "10 ** 5000",
    "huge numbers in the answer's shape": "[[[[10 ** 400] * 7]]] * 3",
    "a fraction": "fractions.Fraction(1, 3)",
    "a decimal": "decimal.Decimal('1e999999')",
    "a date": "np.datetime64('2026-01-01')",
    "an enumeration": "enum.Enum('E', 'a b').a",
    "a whole enumeration": "enum.IntEnum('E', 'a b').a",
    "a named tuple": "Pair([1], Raises())",
    "a list of its own kind": "Numbers([1, 2])",
    "an array of its own kind": "np.ones((3, 1, 1, 7)).view(Array)",
    "a masked array": "np.ma.masked_all((3, 1, 1, 7))",
    "a matrix": "np.matrix([[1, 2], [3, 4]])",
    "no axes": "np.array(True)",
    "no elements": "np.zeros((0, 1 << 40, 7), bool)",
    "many axes": "np.ones((1,) * 32)",
    "bytes in another order": "np.ones((3, 1, 1, 7), '>f8')",
    "a sparse tensor": "tf.sparse.from_dense([[1, 0], [0, 1]])",
    "a ragged tensor": "tf.ragged.constant([[1, 2], [3]])",
    "a tensor of texts": "tf.constant(['True'])",
    "a symbolic tensor": "keras.Input((7,))",
    "a data set": "tf.data.Dataset.range(3)",
    "a variable": "keras.Variable(np.ones(3))",
    "a tensor array": "tf.TensorArray('float32', 3)",
    "a list in itself": "cyclic",
    "a deep list": "deep",
    "what raises wherever it is touched": "Raises()",
    "what lies about itself": "Lies()",
    "what is not implemented": "NotImplemented",
    "a module": "types",
    "half a character": "'\\ud800'",
}


class OverTheWire(Interpreter):
    """As in the sandbox, only what passes the wire comes back."""

    def perform(self, operation: dict[str, Any], timeout: float | None = None) -> Any:
        return decode(encode(super().perform(operation)))


@cache
def live(number: int) -> LiveExpectations:
    return LiveExpectations(chapter(number))


def judge(number: int, name: str, source: str, scratch: Path) -> ExerciseResult:
    session = OverTheWire(scratch)
    session.perform({"op": "define", "source": source, "origin": "cell 1"})
    return judge_exercise(chapter(number).exercises[name], session, live(number))


@pytest.mark.parametrize("what", ODD)
@pytest.mark.parametrize(("number", "name"), [(3, "padding_mask"), (1, "pack_pair")])
def test_an_odd_answer_is_told_what_it_is(number: int, name: str, what: str, tmp_path: Path) -> None:
    result = judge(number, name, f"{_TOP}\ndef {name}(*args, **kwargs):\n    return {ODD[what]}\n", tmp_path)
    assert result.earned == 0
    assert all(check.difference and check.difference.message for check in result.checks)


RIGHT = {
    "a data class": """
        from dataclasses import dataclass, field
        @dataclass(frozen=True)
        class Mask:
            ids: object
            axes: list = field(default_factory=lambda: [1, 2])
            def made(self, padding_id): return keras.ops.expand_dims(self.ids != padding_id, self.axes)
        def padding_mask(token_ids, padding_id=0): return Mask(token_ids).made(padding_id)
    """,
    "annotations as texts": """
        from __future__ import annotations
        from dataclasses import dataclass
        from typing import ClassVar, get_type_hints
        @dataclass
        class Mask:
            axes: ClassVar[tuple[int, ...]] = (1, 2)
            ids: keras.KerasTensor | None = None
        def padding_mask(token_ids, padding_id: int = 0):
            assert get_type_hints(padding_mask) == {"padding_id": int}
            return keras.ops.expand_dims(Mask(token_ids).ids != padding_id, Mask.axes)
    """,
    "enumerations and typed dictionaries": """
        import enum, typing
        class Axis(enum.IntEnum):
            HEAD = 1
            QUERY = enum.auto()
        class Options(typing.TypedDict):
            padding_id: int
        class Given(typing.NamedTuple):
            ids: object
            options: Options
        def padding_mask(token_ids, padding_id=0):
            given = Given(token_ids, Options(padding_id=padding_id))
            return keras.ops.expand_dims(given.ids != given.options["padding_id"], tuple(Axis))
    """,
    "one function for each type": """
        import functools
        @functools.singledispatch
        def padding_mask(token_ids, padding_id=0): return (token_ids != padding_id)[:, None, None, :]
        @padding_mask.register
        def _(token_ids: list, padding_id=0): return padding_mask(keras.ops.array(token_ids), padding_id)
    """,
    "a copy by pickle": """
        import copy, pickle
        class Mask:
            class Axes(tuple): pass
            def __init__(self, ids): self.ids, self.axes = ids, self.Axes((1, 2))
        def padding_mask(token_ids, padding_id=0):
            mask = pickle.loads(pickle.dumps(Mask(keras.ops.convert_to_numpy(token_ids))))
            return keras.ops.expand_dims(copy.deepcopy(mask).ids != padding_id, mask.axes)
    """,
    "decorators and an abstract class": """
        import abc, functools
        def logged(function):
            @functools.wraps(function)
            def inner(*args, **kwargs): return function(*args, **kwargs)
            return inner
        class Base(abc.ABC):
            @abc.abstractmethod
            def __call__(self, ids, padding_id): ...
        class Mask(Base):
            @functools.lru_cache
            def axes(self): return 1, 2
            def __call__(self, ids, padding_id): return keras.ops.expand_dims(ids != padding_id, self.axes())
        @logged
        def padding_mask(token_ids, padding_id=0): return Mask()(token_ids, padding_id)
    """,
    "its own module": """
        import inspect, sys
        def helper(ids, padding_id): return (ids != padding_id)[:, None, None, :]
        def padding_mask(token_ids, padding_id=0):
            assert inspect.getmodule(helper) is sys.modules[__name__] and "!=" in inspect.getsource(helper)
            return sys.modules[__name__].helper(token_ids, padding_id)
    """,
}


@pytest.mark.parametrize("what", RIGHT)
def test_a_right_cell_runs_whatever_of_python_it_uses(what: str, tmp_path: Path) -> None:
    source = cell(RIGHT[what])
    result = judge(3, "padding_mask", source, tmp_path)
    assert [check.difference.message for check in result.checks if check.difference] == []


def cell(source: str) -> str:
    """The source of a cell that has imported Keras, and what has to stand before all else before that."""
    source = textwrap.dedent(source).strip()
    future = "from __future__ import annotations\n"
    return f"{future if source.startswith(future) else ''}import keras\n{source.removeprefix(future)}\n"
