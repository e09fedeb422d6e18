"""Contains the callables that are tried: no network, no other programs, a temporary folder and a time limit."""

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
    """Run a block in an empty folder, without input or output, network or other programs."""

    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise PermissionError("the hunt does not allow this")

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
    """Raise an error in this block after so many seconds; works only in the main thread."""

    def end(*_: Any) -> NoReturn:
        raise error

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
