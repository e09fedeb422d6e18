"""What TensorFlow is told before it begins, and what is done about what it says then."""

from __future__ import annotations

import os
from functools import cache

from course.environment.around_import import around_import
from course.environment.greetings import without_greetings

_EVERYTHING = "0"


@cache
def quiet_tensorflow() -> None:
    """Makes TensorFlow start without a word in this process. Whoever sets TF_CPP_MIN_LOG_LEVEL hears what they want."""
    if os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3") != _EVERYTHING:
        around_import("tensorflow", without_greetings)


def prepare_tensorflow() -> None:
    """Lets TensorFlow keep its memory. What the user has set stays.

    On a CPU it asks the system for memory at every operation and gives it back, and the system clears it each time. A
    training of BERT-mini on two cores spends 40% of its time so. With a pool of its own it is 1.8 times as fast.
    """
    os.environ.setdefault("TF_CPU_ALLOCATOR_USE_BFC", "true")
