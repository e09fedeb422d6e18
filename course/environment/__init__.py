"""What TensorFlow is told before it begins, and what is done about what it says then."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from course.environment.import_guard import around_import
from course.environment.native_log_filter import without_greetings

_EVERYTHING = "0"


@cache
def quiet_tensorflow() -> None:
    """Makes TensorFlow start without a word in this process. Whoever sets TF_CPP_MIN_LOG_LEVEL hears what they want."""
    if os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3") != _EVERYTHING:
        around_import("tensorflow", without_greetings)


def avoid_wrong_halves() -> None:
    """Leaves out oneDNN on processors that multiply float16 themselves. What the user has set stays.

    There, TensorFlow 2.21's einsum of float16 is not off by its rounding but by several times the result. Everything
    else is right, and takes as long without oneDNN.
    """
    if "avx512_fp16" in _processor():
        os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")


def _processor() -> str:
    """What Linux says of the processors; "" elsewhere."""
    try:
        return Path("/proc/cpuinfo").read_text()
    except OSError:
        return ""


def prepare_tensorflow() -> None:
    """Lets TensorFlow keep its memory. What the user has set stays.

    On a CPU it asks the system for memory at every operation and gives it back, and the system clears it each time. A
    training of BERT-mini on two cores spends 40% of its time so. With a pool of its own it is 1.8 times as fast.
    """
    os.environ.setdefault("TF_CPU_ALLOCATOR_USE_BFC", "true")
