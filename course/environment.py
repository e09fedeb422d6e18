"""What TensorFlow is told through its environment. It reads most of this once, when it begins."""

from __future__ import annotations

import os


def prepare_tensorflow() -> None:
    """Makes TensorFlow quiet, and lets it keep its memory. What the user has set stays.

    On a CPU it asks the system for memory at every operation and gives it back, and the system clears it each time. A
    training of BERT-mini on two cores spends 40% of its time so. With a pool of its own it is 1.8 times as fast.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("TF_CPU_ALLOCATOR_USE_BFC", "true")
