"""Seeds all random numbers of a process, and leaves TensorFlow the kernels that it has prepared.

At each new seed TensorFlow forgets every kernel, because some of them hold random numbers' state. To prepare them again
takes longer than a whole check computes. So they are forgotten only where there can be such a state.

TensorFlow and Keras are not imported for this: it takes seconds, and much of the course does without them. Where the
code that is checked imports them, they are seeded then.
"""

from __future__ import annotations

import contextlib
import random
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache, wraps
from typing import Any
from unittest import mock

import numpy as np

_latest = {"seed": 0}


def set_seed(seed: int) -> None:
    """Does what `keras.utils.set_random_seed` does: afterwards the same code draws the same numbers.

    Args:
        seed: 32 bits.
    """
    _latest["seed"] = seed
    if "keras" in sys.modules:
        _seed_keras(seed)
        return
    random.seed(seed)
    np.random.seed(seed)
    if "tensorflow" in sys.modules:
        _seed_tensorflow(seed)
    _seed_what_is_imported_later()


def _seed_keras(seed: int) -> None:
    import keras

    with _kernels_kept():
        keras.utils.set_random_seed(seed)


def _seed_tensorflow(seed: int) -> None:
    import tensorflow as tf

    with _kernels_kept():
        tf.random.set_seed(seed)


@cache
def _seed_what_is_imported_later() -> None:
    # The sandbox, where all is imported from the start, need not have the course's own modules.
    from course.environment.import_guard import around_import

    around_import("tensorflow", lambda: _seeded_after(_seed_tensorflow))
    around_import("keras", lambda: _seeded_after(_seed_keras))


@contextlib.contextmanager
def _seeded_after(seed_it: Callable[[int], None]) -> Iterator[None]:
    """Seeds what is imported meanwhile. What Python and NumPy draw next is the same as without the import."""
    ours, numpys = random.getstate(), np.random.get_state()
    yield
    seed_it(_latest["seed"])
    random.setstate(ours)
    np.random.set_state(numpys)


def _kernels_kept() -> contextlib.AbstractContextManager[Any]:
    from tensorflow.python import pywrap_tfe

    if state_is_kept().is_set():
        return contextlib.nullcontext()
    return mock.patch.object(pywrap_tfe, "TFE_ContextClearCaches", lambda context: None)


@cache
def state_is_kept() -> threading.Event:
    """Set as soon as there is an operation that keeps a state, such as `tf.random.uniform`, alone or in a function.

    It stays set: who has traced such an operation may run it at any time. Each asks one function for the seeds of its
    kernel. Keras's own random operations keep no state, and do not ask.
    """
    from tensorflow.python.framework import random_seed

    kept = threading.Event()
    if _has_drawn():
        kept.set()
    ask = random_seed.get_seed

    @wraps(ask)
    def get_seed(op_seed: Any) -> Any:
        kept.set()
        return ask(op_seed)

    random_seed.get_seed = get_seed
    return kept


def _has_drawn() -> bool:
    """Whether such an operation has drawn before anybody looked."""
    from tensorflow.python.eager.context import context

    state = vars(context())
    return "_rng" in state and state["_rng"].getstate() != random.Random(state["_seed"]).getstate()
