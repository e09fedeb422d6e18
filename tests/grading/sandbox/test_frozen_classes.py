"""In the sandbox no class of a library can be changed, and all that a library does for itself still works."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from grading.sandbox.client import Child, Sandbox
from grading.sandbox.errors import StudentError
from tests.grading.sandbox.conftest import BACKENDS
from tests.grading.sandbox.hostile import run

_WAYS = {
    "a method of layers": "import keras\ndef attack(): keras.layers.Layer.__call__ = print",
    "a property of weights": "import keras\ndef attack(): keras.Variable.dtype = 'int8'",
    "a compiled function": (
        "import tensorflow as tf\n"
        "def attack(): type(tf.function(lambda x: x).get_concrete_function(1.0)).__call__ = print"
    ),
    "an array": "import numpy as np\ndef attack(): np.ndarray.mean = print",
    "what runs the student's code": (
        "import gc\ndef attack():\n"
        "    kind, = {type(x) for x in gc.get_objects() if type(x).__name__ == 'Interpreter'}\n"
        "    kind._op_call = print"
    ),
    "with setattr": "import keras\ndef attack(): setattr(keras.Layer, 'weights', [])",
    "with type's own method": "import keras\ndef attack(): type.__setattr__(keras.Layer, 'weights', [])",
}


@pytest.mark.parametrize("backend", ["none", *BACKENDS])
@pytest.mark.parametrize("way", _WAYS)
def test_a_class_cannot_be_changed(sandboxes: Callable[[str], Sandbox], backend: str, way: str) -> None:
    with sandboxes(backend).child() as child, pytest.raises(StudentError, match=r"immutable type"):
        run(child, _WAYS[way])


def test_a_students_own_classes_can_be_changed(child: Child) -> None:
    source = """
    import keras
    class Mine(keras.layers.Layer):
        def call(self, x): return x
    def attack(x):
        Mine.call = lambda self, x: 2 * x
        return Mine()(x)
    """
    np.testing.assert_array_equal(run(child, source, np.ones((2, 3), "float32")), 2 * np.ones((2, 3)))
