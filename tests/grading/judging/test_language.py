"""What an answer may not use is found in its text, and what the text hides is refused where it runs."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

from grading.exercises.registry import chapter, chapters
from grading.feedback.record import record_refused
from grading.judging.language import refusals
from grading.sandbox.allowlist import SAME, allowlist, canonical
from grading.sandbox.errors import StudentError
from grading.sandbox.facades import _module, builtins_for
from grading.sandbox.interpreter import Interpreter

ALLOWED = allowlist().without(["keras.activations.gelu", "keras.ops.gelu"])


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import keras\nkeras.layers.MultiHeadAttention(2, 3)", ["keras.layers.MultiHeadAttention"]),
        ("from keras import layers as L\ndef f(x): return L.MultiHeadAttention", ["keras.layers.MultiHeadAttention"]),
        ("from keras.layers import MultiHeadAttention as A", ["keras.layers.MultiHeadAttention"]),
        ("import tensorflow as tf\ntf.keras.ops.image", ["keras.ops.image"]),
        ("import tensorflow as tf\ntf.keras.ops.nn.gelu", ["keras.ops.gelu"]),
        ("from keras import ops\nops.nn.softmax(ops.numpy.sum(x))", []),
        ("from keras.ops.nn import softmax\nfrom tensorflow.initializers import zeros", []),
        ("import keras.src.ops.nn as m", ["keras.src.ops.nn"]),
        ("import keras_hub", ["keras_hub"]),
        ("from keras_hub.layers import TransformerEncoder as T", ["keras_hub.layers.TransformerEncoder"]),
        ("import numpy as np\nnp.load('x'), np.lib.npyio", ["numpy.load", "numpy.lib.npyio"]),
        ("import tensorflow as tf\ntf.raw_ops.MatMul", ["tensorflow.raw_ops.MatMul"]),
        ("import tensorflow as tf\ntf.compat.v1.train", ["tensorflow.compat.v1.train"]),
        ("import timeit\ntimeit.timeit('x')", ["timeit.timeit"]),
        ("__import__('os').system('ls')", ["__import__"]),
        ("exec('x'); eval('y')", ["exec", "eval"]),
        ("open('x')", ["open"]),
        ("bytearray(9)\nfrom array import array", ["bytearray", "array.array"]),
        ("from scipy.optimize import minimize, root", ["scipy.optimize.root"]),
        ("def f(x):\n x.shape = 2, 3\n del x.dtype\n x.resize(7)\n return x.resize", ["shape", "dtype", "resize"]),
        (
            "import numpy as np\nclass C:\n def f(self, x):\n  self.shape = x\n  self.resize()\n  np.resize(x, 3)",
            [],
        ),
        ("import sys\nsys._getframe()", ["sys._getframe"]),
        ("def f(): raise\ntry: f()\nexcept E as e: e.__traceback__", ["__traceback__"]),
        ("def g(): yield\ng().gi_frame", ["gi_frame"]),
        ("().__class__.__base__", ["__base__"]),
        ("def f(x):\n match x:\n  case object(__globals__=g): return g", ["__globals__"]),
        ("ag__.x", ["ag__"]),
        ("getattr(x, '__dict__', None), hasattr(x, 'gi_frame')", ["__dict__", "gi_frame"]),
        ("setattr(x, '__code__', y); delattr(x, '__closure__')", ["__code__", "__closure__"]),
        ("getattr(x, '__name__'), hasattr(x, name), print(x, '__dict__')", []),
        ("from inspect import signature\nsignature(f).from_callable(f, eval_str=True)", ["from_callable"]),
        ("import typing\ntyping.NamedTuple('N', [('a', 'x')]).__annotations__['a']._evaluate()", ["_evaluate"]),
        ("class C: pass\ndef f(x):\n match x:\n  case C(g): return g", ["C"]),
        ("int = 3\ndef f(x):\n match x:\n  case int(g): return g", ["int"]),
        ("def f(x):\n match x:\n  case int(g) | C(x=g): return g", []),
        ("import numpy as np\nnp.allclose = print", ["numpy.allclose"]),
        ("from keras import ops\ndef gelu(x): return ops.gelu(x)", ["keras.ops.gelu"]),
        ("from keras import layers\nlayers.Dense(3, activation='gelu')", ["keras.activations.gelu"]),
        ("from keras import layers\nlayers.Activation('gelu')(x)", ["keras.activations.gelu"]),
        ("def f(x): return x.graph.create_op('Erf', [x])", ["create_op"]),
        ("import numpy as np\nnp.ones(3).tofile('x'), getattr(np.ones(3), 'dump')('x')", ["tofile", "dump"]),
        ("import tensorflow as tf\ntf.data.Dataset.from_generator(f)", ["from_generator"]),
        ("class C:\n def create_op(self): return C.node", []),
        ("from keras import layers\nlayers.Dense(3, activation='relu'), layers.Activation('tanh')", []),
        ("from . import x", ["."]),
        ("x = x.y\ny = y.x\nimport keras\nkeras = keras.a", []),
        ("(", ["unreadable text"]),
    ],
)
def test_refused_names(source: str, expected: list[str]) -> None:
    assert [refusal.name for refusal in refusals(source, ALLOWED)] == expected


def test_honest_code_is_not_refused() -> None:
    honest = (
        "import dataclasses\nimport keras, numpy as np\nfrom keras import ops\nimport tensorflow as tf\n"
        "@dataclasses.dataclass(frozen=True)\nclass Point:\n    x: int = 1\n"
        "    def __post_init__(self): object.__setattr__(self, 'y', tf.keras.ops.softmax(self.x))\n"
        "class MultiHeadAttention(keras.layers.Layer):\n"
        "    def build(self, shape, open=None):\n"
        "        self.query = keras.layers.Dense(4)\n        self.compile = open(ops.softmax, eval=1)\n"
        "        self.__mine = np.einsum('ij,jk->ik', a, b).query\n"
        "        return getattr(self, 'query'), MultiHeadAttention, super().__init__, self.exec, type(self).__name__\n"
    )
    assert refusals(honest, ALLOWED) == []


HOLDER = "import keras, tensorflow as tf\nholder = keras.random.SeedGenerator(0)\n"
ESCAPES = {
    "a module by another name": "import tensorflow as tf\ndef attack(): return [tf][0].raw_ops",
    "a part of a module": "import tensorflow as tf\nk = tf.keras\ndef attack(): return k.ops.image",
    "an answer by another name": "import tensorflow as tf\nk = tf.keras\ndef attack(): return k.ops.nn.gelu",
    "a module as an argument": "import numpy as np\ndef take(m): return m.load\ndef attack(): return take(np)",
    "a computed attribute": "import keras\ndef attack(): return getattr(keras.layers, 'Multi' + 'HeadAttention')",
    "the inside of a function": "def attack(): return getattr(attack, '__glo' + 'bals__')",
    "an odd text for an attribute": ("class T(str): pass\ndef attack(): return getattr(attack, T('__globals__'))"),
    "what the course has imported": "import course.attention as a\ndef attack(m='ker' + 'as'): return getattr(a, m)",
    "a module inside another": "from functools import reduce\nimport random\n"
    "def attack(): return reduce(getattr, ['_os'], random)",
    "a library is changed": "import numpy as np\ndef attack(): setattr(np, 'allclose', print)",
    "a library's name is deleted": "import numpy as np\ndef attack(): delattr(np, 'allclose')",
    "a listed name for another": "import keras\ndef attack(k='src'): return getattr(keras, k)",
    "an activation by a computed name": (
        "from keras import layers\ndef attack(): return getattr(layers, 'Activation')('ge' + 'lu')"
    ),
    "all names of a library": "from keras.layers import *\ndef attack(): return MultiHeadAttention",
    "a layer by its configuration": (
        "import keras\ndef attack():\n"
        "    layer = {'module': 'keras.layers', 'class_name': 'MultiHeadAttention'}\n"
        "    layers = [{**layer, 'config': {'num_heads': 2, 'key_dim': 3}}]\n"
        "    keras.Sequential.from_config({'name': 'a', 'layers': layers})"
    ),
    "a layer where the cell runs": (
        "import keras\nlayer = {'module': 'keras.layers', 'class_name': 'MultiHeadAttention'}\n"
        "layers = [{**layer, 'config': {'num_heads': 2, 'key_dim': 3}}]\n"
        "attack = keras.Sequential.from_config({'name': 'a', 'layers': layers})"
    ),
    "a layer by its file": (
        "import keras\ndef attack():\n"
        "    module = 'keras.src.layers.normalization.layer_normalization'\n"
        "    layer = {'module': module, 'class_name': 'LayerNormalization'}\n"
        "    keras.Sequential.from_config({'name': 'a', 'layers': [{**layer, 'config': {}}]})"
    ),
    "a module that an object holds": HOLDER + "def attack(): return holder.backend.nn.gelu",
    "the same by a computed name": HOLDER + "def attack(): return getattr(holder, 'back' + 'end')",
    "the same as it is": HOLDER + "def attack(): return [holder.backend]",
    "the same by a class pattern": (
        HOLDER + "def attack():\n    match [holder]:\n        case [object(backend=object(nn=nn))]: return nn"
    ),
    "the same by one step of a class pattern": (
        HOLDER
        + "def attack():\n    match holder:\n        case keras.random.SeedGenerator(backend=found): return found"
    ),
    "the same by a pattern's value": (
        HOLDER + "class Any:\n    def __eq__(self, other): return other\n"
        "def attack():\n    match Any():\n        case holder.backend.nn.gelu: return 1"
    ),
    "the same in what TensorFlow converts": HOLDER + "attack = tf.function(lambda: holder.backend.nn.relu(1.0))",
    "such a module is changed": HOLDER + "def attack(): holder.backend.nn.gelu = print",
    "a given function's activation": (
        "from course.encoder import projection\n"
        "def attack(): return projection(1, 'p', activation='ge' + 'lu').activation(1.0)"
    ),
    "a class that a given layer has": (
        "from course.embeddings import BertEmbedding\n"
        "def attack():\n    layer = BertEmbedding(2, 2, 2)\n    layer.build((1, 2))\n    return type(layer.norm)()"
    ),
    "an attribute that a wrapper takes over": (
        "import functools\nclass Taker:\n    def __setattr__(self, name, value): return 1 / 0\n"
        "def attack(): functools.wraps(functools.reduce, assigned=['__self__'])(Taker())"
    ),
    "code as data": "import keras\ndef attack(): return getattr(keras.layers, 'Lambda')",
}


@pytest.mark.parametrize("way", ESCAPES)
def test_a_hidden_name_is_refused_where_it_runs(way: str, tmp_path: Path) -> None:
    session = Interpreter(tmp_path)
    source = ESCAPES[way]
    assert refusals(source, ALLOWED) == []
    ready_made = list(chapter(4).exercises["gelu"].ready_made)
    with pytest.raises(StudentError, match=r"NotAllowed|NameError"):
        session.perform({"op": "define", "source": source, "origin": "cell", "ready_made": ready_made})
        session.perform({"op": "call", "target": "attack", "args": [], "kwargs": {}})


def test_dir_lists_what_may_be_asked_for() -> None:
    listed = builtins_for(ALLOWED)["dir"]
    assert "append" in listed([]) and "__len__" in listed([])
    assert "__reduce__" not in listed([]) and "gi_frame" not in listed(_ for _ in ())
    assert "listed" in listed()


def test_an_answer_may_be_part_of_another_exercise() -> None:
    source = "from keras import ops\n\n\ndef gelu(x, approximate=False):\n    return ops.gelu(x, approximate)\n"
    refused = record_refused(chapter(4).exercises["gelu"], source)
    assert refused is not None and refused["refused"] == ["keras.ops.gelu"] and refused["earned"] == 0
    assert "`keras.ops.gelu` is what this exercise asks you to write" in refused["problem"]
    assert record_refused(chapter(4).exercises["FeedForward"], source) is None


@pytest.mark.parametrize("number", chapters())
def test_ready_made_answers_are_on_no_list(number: int) -> None:
    for exercise in chapters()[number].exercises.values():
        allowed = allowlist().without(exercise.ready_made)
        assert not [name for name in exercise.ready_made if allowed.allows(name)]


def test_another_name_of_what_is_listed_is_the_same_thing() -> None:
    allowed, compared = allowlist(), 0
    for module, listed in SAME.items():
        try:
            given, known = _module(module), _module(listed)
        except ModuleNotFoundError:  # of another version of Keras
            continue
        for name in dir(given):
            if allowed.has_name(canonical(module), name):
                assert getattr(given, name) is getattr(known, name), f"{module}.{name}"
                compared += 1
    assert compared > 300


def test_no_listed_name_leads_to_a_module() -> None:
    """Attributes of what is listed, two steps deep, as far as an answer may ask for them."""
    allowed = allowlist()
    imported = builtins_for(allowed)["__import__"]
    leads = []
    for module in sorted({*allowed.modules, *allowed.whole}):
        if module.partition(".")[0] in ("scipy", "pandas"):
            continue  # they are not there everywhere
        facade = imported(module, fromlist=("x",))
        for name in facade.__all__:
            leads += [(module, name, *way) for way in _ways_to_modules(getattr(facade, name), allowed, steps=2)]
    assert leads == []


def _ways_to_modules(value: Any, allowed: Any, steps: int) -> list[tuple[str, ...]]:
    ways: list[tuple[str, ...]] = []
    for name in dir(value):
        if not allowed.allows_attribute(name) or (name.startswith("_") and not name.startswith("__")):
            continue
        inner = inspect.getattr_static(value, name, None)
        if isinstance(inner, ModuleType):
            ways.append((name,))
        elif steps > 1 and isinstance(inner, type | FunctionType):
            ways += [(name, *way) for way in _ways_to_modules(inner, allowed, steps - 1)]
    return ways
