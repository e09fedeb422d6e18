"""Seeds all random numbers of a process, and leaves TensorFlow the kernels that it has prepared.

At each new seed TensorFlow forgets every kernel, because some of them hold random numbers' state. To prepare them again
takes longer than a whole check computes. So they are forgotten only where there can be such a state.
"""

from __future__ import annotations

import contextlib
import random
from unittest import mock


def set_seed(seed: int) -> None:
    """Does what `keras.utils.set_random_seed` does: afterwards the same code draws the same numbers.

    Args:
        seed: 32 bits.
    """
    import keras
    from tensorflow.python import pywrap_tfe

    keeping = mock.patch.object(pywrap_tfe, "TFE_ContextClearCaches", lambda context: None)
    with contextlib.nullcontext() if _has_drawn() else keeping:
        keras.utils.set_random_seed(seed)


def _has_drawn() -> bool:
    """Whether an operation that keeps a state, such as `tf.random.uniform`, has run since the last seed.

    Each takes the seed of its kernel from one generator. Keras's own random operations keep none.
    """
    from tensorflow.python.eager.context import context

    state = vars(context())
    return "_rng" in state and state["_rng"].getstate() != random.Random(state["_seed"]).getstate()
