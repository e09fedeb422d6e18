"""Ctrl-C in a long training: the first asks it to stop where it can resume, the second ends it at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from course.commands.terminal import errors


class Interrupt:
    """Whether somebody has pressed Ctrl-C."""

    def __init__(self) -> None:
        self.asked = False

    def __call__(self) -> bool:
        return self.asked


@contextmanager
def interruptible(until: str) -> Iterator[Interrupt]:
    """In this block the first Ctrl-C only sets a flag and prints a message; the second acts as usual.

    Args:
        until: at the end of what the training stops, in words.
    """
    interrupt = Interrupt()
    if threading.current_thread() is not threading.main_thread():  # only the main thread can handle signals
        yield interrupt
        return
    before = signal.getsignal(signal.SIGINT)

    def note(number: int, frame: Any) -> None:
        interrupt.asked = True
        signal.signal(signal.SIGINT, before)
        errors.print(f"Stopping at the end of {until}, with a checkpoint. Ctrl-C again stops at once.")

    signal.signal(signal.SIGINT, note)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, before)
