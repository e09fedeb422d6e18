"""The scan for ready-made solutions follows names to what they stand for, and leaves honest code alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from grading.exercises.registry import chapter
from grading.extraction import ready_made_names
from grading.judging.expectations import LiveExpectations
from grading.judging.verdict import judge_exercise, ready_made_in
from grading.sandbox.interpreter import Interpreter

FORBIDDEN = (
    "keras.activations.gelu",
    "keras.layers.MultiHeadAttention",
    "keras.ops.dot_product_attention",
    "keras_hub",
)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import keras\nkeras.layers.MultiHeadAttention(2, 3)", ["keras.layers.MultiHeadAttention"]),
        ("from keras import layers as L\ndef f(x): return L.MultiHeadAttention", ["keras.layers.MultiHeadAttention"]),
        ("from keras.layers import MultiHeadAttention as A", ["keras.layers.MultiHeadAttention"]),
        (
            "import tensorflow as tf\nk = tf.keras\no = k.ops\no.dot_product_attention",
            ["keras.ops.dot_product_attention"],
        ),
        ("from keras.layers import *\nMultiHeadAttention(1, 2)", ["keras.layers.MultiHeadAttention"]),
        (
            "import keras.src.layers.attention.multi_head_attention as m\nm.MultiHeadAttention",
            ["keras.src.layers.attention.multi_head_attention.MultiHeadAttention"],
        ),
        ("import keras_hub", ["keras_hub"]),
        ("from keras_hub.layers import TransformerEncoder as T", ["keras_hub.layers.TransformerEncoder"]),
        (
            'import keras\ngetattr(keras.layers, "MultiHead" "Attention")(2, 3)',
            ["getattr(keras.layers) looks up a name at run time", "keras.layers.MultiHeadAttention"],
        ),
        ("import keras\ngetattr(keras.layers, n)", ["getattr(keras.layers) looks up a name at run time"]),
        ("import importlib as i\ni.import_module('keras_hub').X", ["importlib.import_module", "keras_hub.X"]),
        ("__import__('os').system('ls')", ["__import__", "os.system"]),
        ("exec('x'); eval('y')", ["eval", "exec"]),
        ("import os, subprocess as s\ns.run([])\nos.execv('a', [])", ["os.execv", "subprocess.run"]),
        ("import numpy as np\nnp.allclose = print", ["patches numpy.allclose"]),
        ("import builtins\nbuiltins.abs = print", ["builtins.abs", "patches builtins.abs"]),
        ("import keras\nsetattr(keras.ops, 'softmax', 1)", ["patches keras.ops"]),
        ("import keras\nkeras.layers.__dict__['A']", ["keras.layers.__dict__ looks up a name at run time"]),
        ("import keras\nkeras.layers.deserialize(c)", ["keras.layers.deserialize looks up a name at run time"]),
        ("import keras\nkeras.activations.get('ge' + 'lu')", ["keras.activations.gelu"]),
        ("import keras\nkeras.activations.get(''.join(n))", ["keras.activations looks up a name at run time"]),
        ("from keras import layers\nlayers.Activation('gelu')(x)", ["keras.activations.gelu"]),
        ("from keras import layers\nlayers.Dense(3, activation='gelu')", ["keras.activations.gelu"]),
        ("from keras import layers\nlayers.Dense(3, activation='relu'), layers.Activation('tanh')", []),
        (
            "from keras.src.activations import activations as a\na.ALL_OBJECTS_DICT['gelu']",
            ["keras.src.activations.activations.ALL_OBJECTS_DICT"],
        ),
        ("x = x.y\ny = y.x\nimport keras\nkeras = keras.a", []),
        ("(", ["the text cannot be scanned: '(' was never closed"]),
    ],
)
def test_ready_made_names(source: str, expected: list[str]) -> None:
    assert ready_made_names(source, FORBIDDEN) == expected


def test_honest_code_refers_to_nothing_ready_made() -> None:
    honest = (
        "import keras, numpy as np\nfrom keras import ops\n"
        "class MultiHeadAttention(keras.layers.Layer):\n"
        "    def build(self, shape, open=None):\n"
        "        self.query = keras.layers.Dense(4)\n        self.compile = open(ops.softmax, eval=1)\n"
        "        return getattr(self, 'query'), MultiHeadAttention, super().__init__, self.exec\n"
    )
    assert ready_made_names(honest, FORBIDDEN) == []


def test_a_tool_that_is_fair_elsewhere_works_and_is_flagged(tmp_path: Path) -> None:
    source = "from keras import ops\n\n\ndef gelu(x, approximate=False):\n    return ops.gelu(x, approximate)\n"
    session = Interpreter(tmp_path)
    session.perform({"op": "define", "source": source, "origin": "cell 1"})
    exercise = chapter(4).exercises["gelu"]
    assert judge_exercise(exercise, session, LiveExpectations(chapter(4))).passed
    assert ready_made_in(exercise, source) == ["keras.ops.gelu"]
    assert "keras.ops.gelu" not in chapter(4).ready_made
