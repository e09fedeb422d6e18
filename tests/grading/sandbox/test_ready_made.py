"""What an exercise asks students to write cannot be had ready-made in the sandbox, and all else works."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Callable
from typing import Any

import keras
import pytest

from grading.exercises.registry import chapters
from grading.sandbox.client import Child, Sandbox
from grading.sandbox.errors import NotAllowed, StudentError
from grading.sandbox.ready_made import disarmed
from tests.grading.sandbox.conftest import BACKENDS
from tests.grading.sandbox.hostile import run

_WAYS = {
    "the layer": "import keras\ndef attack(): keras.layers.MultiHeadAttention(2, 3)",
    "TensorFlow's name for it": "import tensorflow as tf\ndef attack(): tf.keras.layers.MultiHeadAttention(2, 3)",
    "its method, past its constructor": (
        "import keras\nM = keras.layers.MultiHeadAttention\n"
        "def attack(): M._compute_attention(object.__new__(M), 1, 2, 3)"
    ),
    "a subclass": (
        "import keras\nclass Mine(keras.layers.MultiHeadAttention): pass\ndef attack(): Mine(num_heads=2, key_dim=3)"
    ),
    "its cousin": "import keras\ndef attack(): keras.layers.GroupQueryAttention(4, 2, 2)",
    "the function": "import keras\ndef attack(): keras.ops.dot_product_attention(1, 2, 3)",
    "the function's operation": (
        "from keras.src.ops.nn import DotProductAttention\ndef attack(): DotProductAttention().call(1, 2, 3, 4)"
    ),
    "the backend's function": (
        "from keras.src.backend.tensorflow.nn import dot_product_attention as f\ndef attack(): f(1, 2, 3)"
    ),
}


@pytest.mark.parametrize("kind", ["none", *BACKENDS])
@pytest.mark.parametrize("way", _WAYS)
def test_it_is_not_allowed(sandboxes: Callable[[str], Sandbox], kind: str, way: str) -> None:
    with sandboxes(kind).child() as child, pytest.raises(StudentError) as caught:
        run(child, _WAYS[way])
    assert caught.value.kind == "NotAllowed"
    assert caught.value.message.endswith("is what this exercise asks you to write")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("module", "word"),
    [
        ("keras.src.layers.attention.multi_head_attention", "MultiHeadAttention"),
        ("keras.src.ops.nn", "dot_product_attention"),
        ("keras.src.backend.tensorflow.nn", "dot_product_attention"),
        ("keras.src.backend.numpy.nn", "dot_product_attention"),
        ("keras.src.backend.jax.nn", "dot_product_attention"),
    ],
)
def test_its_source_cannot_be_read_or_run_again(
    sandboxes: Callable[[str], Sandbox], backend: str, module: str, word: str
) -> None:
    source = """
    import glob, importlib, os, sys, keras
    def attack(module, word):
        path = os.path.dirname(keras.__file__) + module.removeprefix('keras').replace('.', '/')
        compiled = glob.glob(os.path.dirname(path) + '/__pycache__/' + os.path.basename(path) + '.*')
        def text(name):
            try:
                return open(name, 'rb').read()
            except PermissionError:
                return b''
        texts = [text(name) for name in [path + '.py', *compiled]]
        sys.modules.pop(module, None)
        try:
            runs_again = hasattr(importlib.import_module(module), word)
        except (ImportError, PermissionError):
            runs_again = False
        return [len(texts), word.encode() in b''.join(texts), runs_again]
    """
    with sandboxes(backend).child() as child:
        count, readable, runs_again = run(child, source, module, word)
    assert count >= 1 and not readable and not runs_again


def test_the_loader_keeps_no_source(child: Child) -> None:
    source = """
    import keras.src.ops.nn as nn
    def attack():
        return nn.__spec__.loader.get_source('keras.src.ops.nn')
    """
    with pytest.raises(StudentError, match="ImportError"):
        run(child, source)


def test_what_is_not_ready_made_still_works(child: Child) -> None:
    source = """
    import keras
    def attack():
        scores = keras.ops.softmax(keras.ops.ones((2, 3)))
        return [float(keras.ops.sum(scores)), list(keras.layers.Dense(4)(scores).shape)]
    """
    assert run(child, source) == [2.0, [2, 4]]


@pytest.mark.parametrize(
    "text",
    [
        "pandas.eval('1 + 1')",
        "pandas.DataFrame({'a': [1]}).query('a == 1')",
        "__import__('timeit').timeit('1')",
        "__import__('typing').ForwardRef('1 + 1')._evaluate(None, None, recursive_guard=frozenset())",
        "__import__('inspect').get_annotations(type('C', (), {'__annotations__': {'x': '1 + 1'}}), eval_str=True)",
        "keras.layers.Lambda.from_config({'function': {'class_name': '__lambda__', 'config': {'code': 'eA==',"
        " 'defaults': None, 'closure': None}}}, safe_mode=False)",
    ],
    ids=["an expression", "a query", "a timer", "a forward reference", "an annotation", "a marshalled function"],
)
def test_no_library_runs_a_text(child: Child, text: str) -> None:
    with pytest.raises(StudentError, match="NotAllowed"):
        run(child, f"import keras, pandas\ndef attack(): {text}", timeout=30)


def test_what_writes_its_own_code_still_works(child: Child) -> None:
    source = """
    import collections, dataclasses, typing
    import tensorflow as tf
    @dataclasses.dataclass(frozen=True)
    class Point:
        x: int
    class Pair(typing.NamedTuple):
        a: int
    @tf.function
    def positive(x):
        if x > 0:
            return x
        return -x
    def attack():
        import colorsys
        return [Point(1).x, Pair(2).a, collections.namedtuple('N', 'b')(3).b, int(positive(tf.constant(-4)))]
    """
    assert run(child, source) == [1, 2, 3, 4]


@pytest.mark.parametrize("way", ["type('C', (), named)()", "types.SimpleNamespace(**named)", "Named()"])
def test_no_array_is_made_at_an_address(child: Child, way: str) -> None:
    source = f"""
    import types
    import numpy as np
    class Named:
        pass
    def attack():
        held = np.zeros(3)
        data = {{'data': (held.ctypes.data, False), 'shape': (3,), 'typestr': '<f8', 'version': 3}}
        Named.__array_interface__ = data
        named = {{'__array_interface__': data}}
        made = np.asarray({way})
        shown = np.lib.stride_tricks.sliding_window_view(held, 2)
        return [made.dtype == object, list(shown.shape)]
    """
    assert run(child, source) == [True, [2, 2]]


def test_a_seed_generator_holds_no_module(child: Child) -> None:
    source = """
    import keras
    def attack():
        seeds = keras.random.SeedGenerator(1)
        drawn = [float(keras.random.uniform((), seed=seeds)) for _ in range(2)]
        layer = keras.layers.Dropout(0.5)
        dropped = layer(keras.ops.ones((2, 3)), training=True)
        return [type(seeds.backend).__name__, drawn[0] != drawn[1], list(dropped.shape)]
    """
    assert run(child, source) == ["SimpleNamespace", True, [2, 3]]


_READY_MADE_FUNCTIONS = sorted(
    {
        name
        for of in chapters().values()
        for exercise in of.exercises.values()
        for name in exercise.ready_made
        if name.startswith("keras.ops.")
    }
)
_MORE_ARGUMENTS = {
    "keras.ops.batch_normalization": lambda vector: (vector, vector, -1),
    "keras.ops.dot_product_attention": lambda vector: (_tensor(2, 3, 4, 5), _tensor(2, 3, 4, 5)),
}


def _tensor(*shape: int) -> Any:
    return keras.KerasTensor(shape)


@pytest.mark.parametrize("name", _READY_MADE_FUNCTIONS)
def test_the_operation_behind_a_function_is_taken_away_with_it(name: str) -> None:
    more = _MORE_ARGUMENTS.get(name, lambda _: ())(_tensor(5))
    given = [_tensor(2, 3, 4, 5), *more]
    operation = getattr(keras.ops, name.rpartition(".")[2])(*given)._keras_history.operation
    arrays = [keras.ops.ones(tensor.shape) if keras.utils.is_keras_tensor(tensor) else tensor for tensor in given]
    with disarmed([name]):
        with pytest.raises(NotAllowed):
            operation.call(*arrays)
        with pytest.raises(NotAllowed):
            type(operation)()
    operation.call(*arrays)


_PRIVATE = {
    "an operation": '{"module": "keras.src.ops.nn", "class_name": "LayerNorm", "config": {}}',
    "an operation of an unlisted function": '{"module": "keras.src.ops.nn", "class_name": "CTCLoss", "config": {}}',
    "a base of metrics": (
        '{"module": "keras.src.metrics.iou_metrics", "class_name": "_IoUBase", "config": {"num_classes": 3}}'
    ),
}


@pytest.mark.parametrize("what", _PRIVATE)
def test_keras_makes_nothing_from_a_configuration_that_has_no_public_name(child: Child, what: str) -> None:
    source = f"import keras\ndef attack(): return keras.activations.get({_PRIVATE[what]})"
    with pytest.raises(StudentError, match=r"NotAllowed: `keras\.src\."):
        _run_answer(child, source, ["keras.ops.layer_normalization"])


def test_models_are_still_made_of_operations(child: Child) -> None:
    source = """
    import keras
    def attack():
        given = keras.Input((3,))
        model = keras.Model(given, keras.activations.relu(keras.ops.abs(given[:, :2] - 1)) * 2)
        same = keras.models.Model.from_config(model.get_config())
        outer = keras.models.clone_model(keras.Sequential([keras.Input((3,)), model]))
        return [type(same).__name__, same(keras.ops.zeros((1, 3))), outer(keras.ops.zeros((1, 3)))]
    """
    name, *results = _run_answer(child, source, ["keras.ops.layer_normalization"])
    assert name == "Functional"
    assert [result.tolist() for result in results] == [[[2, 2]]] * 2


def test_an_answer_may_be_a_layer_where_all_of_keras_layers_is_ready_made(child: Child) -> None:
    source = """
    import keras
    class Own(keras.Layer):
        def call(self, x):
            return 2 * x
    def attack():
        return Own()(keras.ops.ones((1, 3)))
    """
    assert _run_answer(child, source, ["keras.layers", "keras.activations"]).tolist() == [[2, 2, 2]]


def test_nothing_comes_within_reach_between_operations(child: Child) -> None:
    """A data set that is read ahead runs on while the process waits for the grader."""
    source = """
    import keras
    import tensorflow as tf
    outcomes = []
    def tries():
        for _ in range(100_000):
            try:
                keras.activations.get({"module": "keras.activations", "class_name": "function", "config": "gelu",
                                       "registered_name": "gelu"})
                outcomes.append("reached")
            except Exception as error:
                outcomes.append(type(error).__name__)
            yield 0
    def attack():
        data = tf.data.Dataset.from_generator(tries, output_signature=tf.TensorSpec([], "int32")).prefetch(100_000)
        outcomes.append(iter(data))
        next(outcomes[0])
        return len(outcomes)
    def seen():
        return [len(outcomes), sorted({outcome for outcome in outcomes if type(outcome) is str})]
    """
    before = _run_answer(child, source, ["keras.activations.gelu"])
    for _ in range(1200):  # its thread tries on and on
        number, kinds = child.perform({"op": "call", "target": "seen", "args": [], "kwargs": {}})
        if number > before + 10:
            break
        time.sleep(0.05)
    assert number > before + 10
    assert kinds == ["NotAllowed"]


def test_an_errors_text_is_made_under_the_same_rules(child: Child) -> None:
    source = """
    import keras
    class Later(Exception):
        def __str__(self):
            return keras.activations.get({"module": "keras.activations", "class_name": "function", "config": "gelu",
                                          "registered_name": "gelu"}).__name__
    def attack():
        raise Later
    """
    with pytest.raises(StudentError) as caught:
        _run_answer(child, source, ["keras.activations.gelu"])
    assert caught.value.message == "(this error's message cannot be shown)"


def test_texts_of_an_answers_own_class_become_plain_ones(child: Child) -> None:
    source = """
    import keras
    asked = []
    class Text(str):
        def __iter__(self):
            asked.append(1)
            return super().__iter__()
        def __getitem__(self, place):
            asked.append(2)
            return self
        def encode(self, *args, **kwargs):
            asked.append(3)
            return super().encode(*args, **kwargs)
    class Says(Exception):
        def __str__(self):
            return Text("said")
    class Named(keras.layers.Layer):
        def build(self, shape):
            self.kernel = self.add_weight(shape=(2,), name=Text("kernel"))
        def get_config(self):
            return {Text("size"): 2}
    def made():
        layer = Named(name=Text("named"))
        layer.build(None)
        return layer
    def fails():
        raise Says
    def attack():
        return asked
    """
    child.perform({"op": "define", "source": textwrap.dedent(source), "origin": "<cell>"})

    def call(target: str) -> Any:
        return child.perform({"op": "call", "target": target, "args": [], "kwargs": {}})

    layer = call("made")
    before = call("attack")
    ((path, _),) = child.perform({"op": "weights", "target": layer})
    assert path == "named/kernel"
    assert child.perform({"op": "config", "target": layer}) == {"size": 2}
    with pytest.raises(StudentError, match="said"):
        call("fails")
    assert call("attack") == before


def test_tensorflow_keeps_the_code_that_it_writes_in_memory(child: Child) -> None:
    source = """
    import os
    import tensorflow as tf
    @tf.function
    def positive(x):
        if x > 0:
            return x
        return -x
    def attack():
        return [int(positive(tf.constant(-4))), os.listdir()]
    """
    assert run(child, source) == [4, []]


def test_a_file_does_not_become_an_answers_text(child: Child) -> None:
    source = """
    import tensorflow as tf
    __file__ = "cell 7"
    @tf.function
    def positive(x):
        if x > 0:
            return x
        return -x
    def attack():
        with open("cell 7", "w") as file:
            file.write(TEXT.replace("return -x", "return 1000 * x"))
        return int(positive(tf.constant(-4)))
    """
    source = textwrap.dedent(source)
    child.perform({"op": "define", "source": f"{source}TEXT = {source!r}\n", "origin": "cell 7"})
    assert child.perform({"op": "call", "target": "attack", "args": [], "kwargs": {}}) == 4


def _run_answer(child: Child, source: str, ready_made: list[str]) -> Any:
    """What `attack` returns in a student's answer that may not use these names."""
    child.perform(
        {"op": "define", "source": textwrap.dedent(source), "origin": "<cell>", "ready_made": ready_made}, timeout=30
    )
    return child.perform({"op": "call", "target": "attack", "args": [], "kwargs": {}}, timeout=30)
