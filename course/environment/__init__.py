"""Settings that TensorFlow needs before it is imported, and a filter for its start-up messages."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from course.environment.import_guard import around_import
from course.environment.native_log_filter import without_greetings

_EVERYTHING = "0"


@cache
def quiet_tensorflow() -> None:
    """Silences TensorFlow's start-up messages in this process. If the user has set TF_CPP_MIN_LOG_LEVEL, it stays."""
    if os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3") != _EVERYTHING:
        around_import("tensorflow", without_greetings)


def avoid_wrong_halves() -> None:
    """Turns oneDNN off on processors with float16 instructions. A value that the user has set stays.

    On these processors, oneDNN makes TensorFlow 2.21's float16 einsum wrong by several times the result, far beyond
    rounding. Other operations are right with or without oneDNN, and as fast without it.
    """
    if "avx512_fp16" in _processor():
        os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")


def _processor() -> str:
    """The text of /proc/cpuinfo on Linux; "" on other systems."""
    try:
        return Path("/proc/cpuinfo").read_text()
    except OSError:
        return ""


def prepare_tensorflow() -> None:
    """Makes TensorFlow reuse its memory on a CPU. A value that the user has set stays.

    By default, TensorFlow asks the system for memory at every operation and gives it back, and the system clears it
    each time. Training BERT-mini on two cores spends 40% of its time on this; with a memory pool it is 1.8 times as
    fast.
    """
    os.environ.setdefault("TF_CPU_ALLOCATOR_USE_BFC", "true")
