"""The life of a child: it locks itself in, then performs a grader's operations on one student's definitions."""

from __future__ import annotations

import os
import random
import signal
import socket
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from grading.sandbox import limits as resource_limits
from grading.sandbox import wire
from grading.sandbox.control import ZygoteSettings
from grading.sandbox.errors import BadAnswer, StudentError
from grading.sandbox.texts_as_code import refuse_texts
from grading.sandbox.values import Value

if TYPE_CHECKING:
    from grading.sandbox.interpreter import Interpreter

_DEVICES = (Path("/dev/null"), Path("/dev/zero"), Path("/dev/urandom"))
_COMMAND = Path("/proc/self/cmdline")


@dataclass(frozen=True)
class ChildSetup:
    """One child.

    Attributes:
        connection: descriptor of its socket to the grader.
        folder: its home, working folder and place for temporary files.
        settings: of the whole sandbox.
        own_namespaces: whether it has a user namespace of its own.
        sizes: memory of its parent in bytes, by kind; empty where that is unknown.
    """

    connection: int
    folder: Path
    settings: ZygoteSettings
    own_namespaces: bool
    sizes: dict[str, int]


def run_child(setup: ChildSetup) -> NoReturn:
    """The whole life of the child, in the process that has just been forked for it."""
    try:
        connection = _settle(setup)
        try:
            _lock_in(setup)
        except Exception as error:
            wire.send(connection, {"failed": f"{type(error).__name__}: {error}"})
            os._exit(1)
        wire.send(connection, {"ready": True})
        _serve(connection, setup.folder)
    finally:
        os._exit(0)


def _settle(setup: ChildSetup) -> socket.socket:
    """Makes the process independent of the one it was forked from, up to its descriptors and random numbers."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    os.setsid()
    if setup.settings.proc is not None:
        _volunteer_when_memory_is_short(setup.settings.proc)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(null, standard)
    os.dup2(setup.connection, 3)
    os.closerange(4, os.sysconf("SC_OPEN_MAX"))
    os.environ.update(HOME=str(setup.folder), TMPDIR=str(setup.folder), MPLCONFIGDIR=str(setup.folder))
    tempfile.tempdir = None
    os.chdir(setup.folder)
    random.seed()
    np.random.seed()
    return socket.socket(fileno=3)


def _volunteer_when_memory_is_short(proc: int) -> None:
    """Should the machine run out of memory, it is the child that the kernel ends, not the zygote or the grader."""
    descriptor = os.open("self/oom_score_adj", os.O_WRONLY, dir_fd=proc)
    os.write(descriptor, b"1000")
    os.close(descriptor)


def _lock_in(setup: ChildSetup) -> None:
    resource_limits.apply(setup.settings.limits, setup.sizes, own_user_namespace=setup.own_namespaces)
    if not setup.settings.isolated:
        return
    from grading.sandbox import kernel, landlock, seccomp

    kernel.drop_capabilities()
    settings = setup.settings
    readable = [Path(path) for path in settings.readable]
    if settings.tree is None:
        # TensorFlow ends a process that cannot read its own command. Held open, the file stays the one of the rule.
        os.open(_COMMAND, os.O_PATH)
        readable.append(_COMMAND)
    confined = landlock.confine(readable, [setup.folder, *_DEVICES], map(Path, settings.listable))
    if not confined and not setup.own_namespaces:
        raise RuntimeError("neither namespaces nor Landlock keep this child from the others")
    seccomp.install(owns_files_outside=settings.tree is None)


def _serve(connection: socket.socket, folder: Path) -> None:
    from grading.sandbox.interpreter import Interpreter

    interpreter = Interpreter(folder, for_good=True)
    refuse_texts()
    while True:
        operation = wire.receive(connection)
        if operation["op"] == "stop":
            return
        try:
            wire.send(connection, _answer(interpreter, operation))
        except BadAnswer as error:  # found while it was encoded; nothing has been sent
            wire.send(connection, {"bad answer": str(error)})
        except (TypeError, ValueError, RecursionError, MemoryError) as error:  # so was whatever an odd object raises
            wire.send(connection, {"bad answer": f"the answer cannot be sent ({type(error).__name__})"})


def _answer(interpreter: Interpreter, operation: Value) -> Value:
    """Performs one operation; whatever comes of it is said in one of three ways."""
    try:
        return {"answer": interpreter.perform(operation)}
    except StudentError as error:
        return {"error": [error.kind, error.message, error.line]}
    except BadAnswer as error:
        return {"bad answer": str(error)}
    except BaseException as error:  # KeyboardInterrupt and SystemExit are a student's as well
        return {"error": [str.__str__(type(error).__name__), "", ""]}
