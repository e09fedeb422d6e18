"""No function that finds the name of an attribute in a value hands out what the text of an answer could not name."""

from __future__ import annotations

import textwrap

import pytest

from grading.sandbox.client import Child
from grading.sandbox.errors import StudentError

_FIELD = """
import dataclasses
@dataclasses.dataclass
class Plain:
    a: int = 0
field = dataclasses.fields(Plain)[0]
"""
WAYS = {
    "a cached property": """
        import functools
        def attack():
            reader = functools.cached_property(len)
            reader.attrname = "__getattribute__"
            return reader.__get__(object, None)
        """,
    "a cached property of the course's or a library's": """
        import course, functools
        def attack():
            reader = functools.cached_property(len)
            again = type(reader)(len)
            again.attrname = "__getattribute__"
            return again.__get__(object, None)
        """,
    "a wrapper's attributes": """
        import functools
        def attack():
            kind = type("K", (), {"__dict__": property(lambda self: {})})
            functools.wraps(object)(kind())
        """,
    "a module of the course": """
        from course.asking import ask
        def attack(): return ask(attack, "__code__")
        """,
    "a module of the course that another one imports when it is called": """
        from course.later import ask
        def attack(): return ask(attack, "__code__")
        """,
    "a copy's state": """
        import copy
        def plain(): pass
        def attack():
            state = None, {"__defaults__": (1,)}
            copy.copy(type("K", (), {"__reduce_ex__": lambda self, version: (lambda: plain, (), state)})())
        """,
    "an attribute that is set": """
        def plain(x=1): return x
        def attack(): object.__setattr__(plain, "__defaults__", (2,))
        """,
    "a name for __setattr__ by another name": """
        def plain(x=1): return x
        def attack():
            set_it = getattr(object, "__set" + "attr__")
            set_it(plain, "__defaults__", (2,))
        """,
    "a call of __setattr__'s own call": """
        def plain(x=1): return x
        def attack(): object.__setattr__.__call__(plain, "__defaults__", (2,))
        """,
    "a pattern that takes __setattr__": """
        def plain(x=1): return x
        def attack():
            match object:
                case object(__setattr__=set_it): set_it(plain, "__defaults__", (2,))
        """,
    "a pattern's value": """
        class Any:
            def __eq__(self, other): other(plain, "__defaults__", (2,))
        def plain(x=1): return x
        def attack():
            match Any():
                case object.__setattr__: pass
        """,
    "an attribute that is deleted": """
        def plain(x=1): return x
        def attack(): object.__delattr__(plain, "__defaults__")
        """,
    "an alias": """
        import typing
        def attack():
            kind = type("K", (), {"__origin__": (_ for _ in ())})
            return type(typing.List[int]).__getattr__(kind, "gi_frame")
        """,
    "the __getattr__ of a table": """
        import pandas
        def attack(): return pandas.DataFrame.__getattr__(attack, "__code__")
        """,
    "a table's function by its name": """
        import pandas
        def attack():
            attack._get_axis_number = lambda axis: 0
            return pandas.Series.agg(attack, "__code__")
        """,
    "attributes that TensorFlow flattens": """
        import types
        import tensorflow as tf
        def attack():
            odd = types.SimpleNamespace(name="__getattribute__")
            kind = type("M", (type,), {"__attrs_attrs__": [odd]})("K", (), {})
            tf.function(lambda kind: 1)(kind)
        """,
    "memory that a view of an array still shows": """
        import numpy as np
        def attack(): (np.zeros(700) + 0)[:].base.resize(1 << 20)
        """,
    "the same by the array's class": """
        import numpy as np
        class Array(np.ndarray): pass
        def attack(): Array.resize(np.zeros(9), 99, refcheck=False)
        """,
    "the same by its name": """
        import numpy as np
        def attack(): getattr(np.zeros(9), "re" + "size")(99)
        """,
    "numbers that an array takes for objects": """
        import numpy as np
        def attack(): return type(np.zeros(1))((1,), object, np.array([id(attack)]))[0]
        """,
    "memory that a copy's state frees": """
        import copy
        import numpy as np
        def attack():
            state = 1, (700,), np.dtype("u8"), False, bytes(5600)
            reduce = lambda self, version: ((lambda: array), (), state)
            array = type("A", (np.ndarray,), {"__copy__": None, "__reduce_ex__": reduce})(700, np.uint64)
            copy.copy(array)
        """,
    "a wider dtype than `flat` counts": """
        import numpy as np
        def attack():
            array = np.zeros(800, "u1")
            flat = array.flat
            array.dtype = "u8"
            return int(flat[799])
        """,
    "another shape while an array is filled": """
        import numpy as np
        class Number:
            def __float__(self):
                np.ndarray.shape.__set__(array, (10, 10))
                return 1.0
        array = np.zeros(100)
        def attack(): array[...] = [Number()] + 99 * [1.0]
        """,
    "the same with setattr": """
        import numpy as np
        def attack(): setattr(np.zeros(4), "shape", (2, 2))
        """,
    "the same with the method of the array": """
        import numpy as np
        def attack(): np.zeros(4).__setattr__("shape", (2, 2))
        """,
    "a random generator's place past its numbers": """
        import numpy as np
        def attack():
            generator = np.random.RandomState(0)
            generator.set_state(("MT19937", generator.get_state()[1], 5000))
        """,
    "a template": """
        def attack(): return "{0.__code__}".format(attack)
        """,
    "a template's width": """
        def attack(): return "{1:{0.__func__}}".format(type("K", (), {"__func__": 3}), 1)
        """,
    "a template by its class": """
        def attack(): return str.format_map("{a[0].__code__}", {"a": [attack]})
        """,
    "a template by an alias": """
        import typing
        def attack():
            kind = type("K", (), {"__origin__": "{0.__code__}"})
            return type(typing.List[int]).__getattr__(kind, "format")(attack)
        """,
    "a field's name": _FIELD + "def attack(): field.name = 'x=().__class__.__base__'",
    "a field's name without its class": (
        _FIELD + "def attack(): object.__setattr__(field, 'name', 'x=().__class__.__base__')"
    ),
    "annotations as code": (
        "import dataclasses\n"
        "def attack(): dataclasses.dataclass(type('C', (), {'__annotations__': {'x=().__class__.__base__': int}}))"
    ),
    "annotations that lie": """
        import dataclasses
        class Lying(dict):
            def items(self): return [("x, ().__class__, self.x", int)]
        def attack(): dataclasses.dataclass(init=False, repr=False)(type("C", (), {"__annotations__": Lying(x=int)}))
        """,
    "an annotation that names an attribute": """
        import dataclasses
        def attack():
            made = type("C", (), {"__annotations__": {"__getattribute__": int}})
            return dataclasses.fields(dataclasses.dataclass(made))[0].default
        """,
    "fields that no dataclass has made": """
        import dataclasses, types
        odd = types.SimpleNamespace(name="x=1", init=True)
        def attack(): dataclasses.dataclass(type("C", (type("B", (), {"__dataclass_fields__": {"x": odd}}),), {}))
        """,
    "fields that a metaclass tells of": _FIELD
    + """
class Meta(type):
    def __getattr__(cls, name):
        if name.endswith("_fields__"): return {"a": odd}
        if name.endswith("_params__"): return types.SimpleNamespace(frozen=False)
        raise AttributeError(name)
class Base(metaclass=Meta): a = 0
import types
odd = types.SimpleNamespace(
    name="a, getattr.__globals__, self.a", _field_type=field._field_type, kw_only=False, compare=True, init=True
)
def attack(): dataclasses.dataclass(init=False, repr=False)(type(Base)("C", (Base,), {}))
""",
    "a field of a class": _FIELD
    + """
import types
odd = types.SimpleNamespace(name="__getattribute__", _field_type=field._field_type)
def attack(): return dataclasses.astuple(type("M", (type,), {"__dataclass_fields__": {"a": odd}})("K", (), {}))
""",
    "a replaced field": _FIELD
    + """
import types
odd = types.SimpleNamespace(name="__getattribute__", _field_type=field._field_type, init=True)
def attack():
    made = property(lambda cls: lambda **values: values["__getattribute__"])
    return dataclasses.replace(type("M", (type,), {"__dataclass_fields__": {"a": odd}, "__class__": made})("K", (), {}))
""",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_name_in_a_value_is_held_to_the_list(child: Child, way: str) -> None:
    child.perform({"op": "define", "source": textwrap.dedent(WAYS[way]), "origin": "cell", "ready_made": []})
    with pytest.raises(StudentError, match="NotAllowed"):
        child.perform({"op": "call", "target": "attack", "args": [], "kwargs": {}})


def test_a_definition_that_is_given_is_held_to_the_list(child: Child) -> None:
    library = "def ask(value, name): return getattr(value, name)"
    child.perform({"op": "give", "library": library, "names": ["ask"]})
    source = "def attack(): return ask(attack, '__code__')"
    child.perform({"op": "define", "source": source, "origin": "cell", "ready_made": []})
    with pytest.raises(StudentError, match="NotAllowed"):
        child.perform({"op": "call", "target": "attack", "args": [], "kwargs": {}})


def test_what_is_honest_still_works(child: Child) -> None:
    source = """
    import copy, dataclasses, enum, functools, typing
    import keras
    import numpy as np

    class Lazy:
        calls = 0
        @functools.cached_property
        def size(self):
            self.calls += 1
            return 3

    class Layer(keras.layers.Layer):
        def __setattr__(self, name, value):
            super().__setattr__(name, value)
        def __getattr__(self, name):
            if name == "missing":
                return 5
            raise AttributeError(name)

    @dataclasses.dataclass(frozen=True)
    class Point:
        x: int
        heads: typing.ClassVar[int] = 4
        scale: dataclasses.InitVar[int] = 2
        _: dataclasses.KW_ONLY
        y: int = 0
        def __post_init__(self, scale):
            object.__setattr__(self, "x", self.x * scale)

    @dataclasses.dataclass(slots=True, order=True)
    class Slotted:
        a: int
        b: list = dataclasses.field(default_factory=list)

    class Kind(enum.Enum):
        FIRST = 1
        SECOND = enum.auto()

    def twice(function):
        @functools.wraps(function)
        def wrapper(*args):
            return 2 * function(*args)
        return wrapper

    @twice
    def plain(x):
        "Says."
        return x

    class Holds:
        def __init__(self):
            self.items = [1]

    def attack():
        lazy, layer, holds = Lazy(), Layer(), Holds()
        layer.size = 7
        copied = copy.deepcopy(holds)
        point = dataclasses.replace(Point(3, y=1), x=10, scale=1)
        return [
            lazy.size + lazy.size + lazy.calls, layer.size, layer.missing, copied.items, copied is holds,
            dataclasses.asdict(point), Point.heads, len(dataclasses.fields(Point)),
            dataclasses.astuple(Slotted(1)), Slotted(1) < Slotted(2), Kind.SECOND.value, Kind["FIRST"].name,
            plain(4), plain.__name__, plain.__doc__, "{0.x:>{1}} {2[0]}".format(point, 3, "a"),
            "{a}".format_map({"a": 1}), list(map("{:.1f}".format, [1, 2])), copy.copy(np.array([1, 2])).tolist(),
            np.resize(np.array([1, 2]), 3).tolist(),
        ]
    """
    child.perform({"op": "define", "source": textwrap.dedent(source), "origin": "cell", "ready_made": []})
    assert child.perform({"op": "call", "target": "attack", "args": [], "kwargs": {}}) == [
        *(7, 7, 5, [1], False, {"x": 10, "y": 1}, 4, 2, (1, []), True, 2, "FIRST"),
        *(8, "plain", "Says.", " 10 a", "1", ["1.0", "2.0"], [1, 2], [1, 2, 1]),
    ]
