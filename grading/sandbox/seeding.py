"""Seeds all random numbers of a process, and leaves TensorFlow the kernels that it has prepared.

At each new seed TensorFlow forgets every kernel, because some of them hold random numbers' state. To prepare them again
takes longer than a whole check computes. So they are forgotten only where there can be such a state.
"""

from __future__ import annotations

import contextlib
import random
import threading
from functools import cache, wraps
from typing import Any
from unittest import mock


def set_seed(seed: int) -> None:
    """Does what `keras.utils.set_random_seed` does: afterwards the same code draws the same numbers.

    Args:
        seed: 32 bits.
    """
    import keras
    from tensorflow.python import pywrap_tfe

    keeping = mock.patch.object(pywrap_tfe, "TFE_ContextClearCaches", lambda context: None)
    with contextlib.nullcontext() if state_is_kept().is_set() else keeping:
        keras.utils.set_random_seed(seed)


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
