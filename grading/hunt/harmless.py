"""Keeps what is tried out of harm's way: no network, no other programs, a folder to write in, and an end."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn
from unittest import mock

from grading.storage.temporary import temporary_folder

_FORBIDDEN = (
    (socket, "socket"),
    (subprocess, "Popen"),
    *((os, name) for name in ("_exit", "kill", "fork", "system", "closerange", "dup2", "setsid")),
)


@contextlib.contextmanager
def harmless() -> Iterator[None]:
    """In this block, code works in an empty folder, reads and prints nothing, and cannot reach anything outside."""

    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise PermissionError("what is tried may not do this")

    with temporary_folder() as folder, contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.chdir(folder))
        nothing = stack.enter_context(Path(os.devnull).open("w"))
        stack.enter_context(mock.patch.object(sys, "stdin", stack.enter_context(Path(os.devnull).open())))
        stack.enter_context(contextlib.redirect_stdout(nothing))
        stack.enter_context(contextlib.redirect_stderr(nothing))
        for owner, name in _FORBIDDEN:
            stack.enter_context(mock.patch.object(owner, name, refuse))
        yield


@contextlib.contextmanager
def limited(seconds: float, error: Exception) -> Iterator[None]:
    """Raises an error in this block when so many seconds have passed; for the main thread alone."""

    def end(*_: Any) -> NoReturn:
        raise error

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
