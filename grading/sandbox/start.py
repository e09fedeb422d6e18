"""Starts a zygote: in namespaces that the kernel gives, in ones that bubblewrap makes, or without any."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from grading.errors import GradingError
from grading.sandbox import layout
from grading.sandbox.control import ZygoteSettings, receive_message
from grading.sandbox.host import Backend
from grading.sandbox.limits import Limits
from grading.sandbox.mounts import Tree, bubblewrap_arguments
from grading.sandbox.namespaces import HOST_NAME
from grading.sandbox.ready_made import source_files
from grading.storage.project import PROJECT
from grading.storage.temporary import temporary_folder

_START_SECONDS = 180  # a cold disk takes long to read TensorFlow
_END_SECONDS = 5
_RUN = "import sys; sys.path[:0] = sys.argv[1:]; from grading.sandbox.{} import main; main()"


class SandboxFailed(GradingError):
    """The sandbox could not be started, or ended and could not be started again."""


class Zygote:
    """A running zygote.

    Args:
        library: folder that holds the `course` which submissions may import.
        ready_made: dotted names of answers to take away.
        limits: what each child may use.
        backend: what isolates it; None runs it as an ordinary process.

    Attributes:
        control: each byte sent here, with two sockets, makes a child.
        nested: whether each child has namespaces of its own, and in them a scratch folder; all others share one.

    Raises:
        SandboxFailed: it did not start.
    """

    def __init__(self, library: Path, ready_made: Sequence[str], limits: Limits, backend: Backend | None) -> None:
        with ExitStack() as resources:
            folder = resources.enter_context(temporary_folder())
            self._log = resources.enter_context(tempfile.TemporaryFile())
            self.control, theirs = socket.socketpair()
            resources.enter_context(self.control)
            with ExitStack() as until_started:
                until_started.enter_context(theirs)
                proc = None
                if sys.platform == "linux":
                    proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
                    until_started.callback(os.close, proc)
                settings = _settings(folder, library, ready_made, limits, backend, theirs.fileno(), proc)
                self._process = _launch(settings, backend, self._log)
            resources.callback(self._end)
            self.nested = self._wait_until_ready()
            self._resources = resources.pop_all()

    def close(self) -> None:
        """Ends it, with every child that is still there."""
        self._resources.close()

    @property
    def alive(self) -> bool:
        """Whether it still listens."""
        try:
            return self.control.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) != b""
        except BlockingIOError:
            return True
        except OSError:
            return False

    def _wait_until_ready(self) -> bool:
        """Waits, and returns whether children are nested."""
        try:
            answer = receive_message(self.control, _START_SECONDS)
        except TimeoutError:
            raise SandboxFailed(f"the sandbox was not ready within {_START_SECONDS} seconds") from None
        if not answer.get("ready"):
            self._log.seek(0)
            said = answer.get("failed") or _last_words(self._log)
            raise SandboxFailed(f"the sandbox did not start: {said or 'it ended without a word'}")
        return answer["nested"]

    def _end(self) -> None:
        self.control.close()  # which tells it to end
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _last_words(log: IO[bytes]) -> str:
    """The end of what a process wrote, without what TensorFlow says whenever it is loaded."""
    from course.environment.native_log_filter import without_known

    return without_known(log.read().decode(errors="replace")).strip()[-2000:]


def _settings(
    folder: Path,
    library: Path,
    ready_made: Sequence[str],
    limits: Limits,
    backend: Backend | None,
    control: int,
    proc: int | None,
) -> ZygoteSettings:
    hidden = source_files(ready_made) if backend else {}
    mount_point = folder / "root"
    mount_point.mkdir()
    tree = None
    places = layout.Places([str(PROJECT), str(library), *sys.path], [], [])
    if backend == "landlock":
        places = layout.host_places(folder, library, hidden.values())
    elif backend:
        tree = layout.make_tree(folder, library, hidden.values(), limits)
        readable = [item.target for item in tree.mounts if not item.device]
        places = layout.Places(layout.IMPORT_PATH, readable, [])
    return ZygoteSettings(
        isolated=backend is not None,
        tree=tree,
        mount_point=str(mount_point),
        scratch=tree.scratch if tree else str(mount_point),
        readable=places.readable,
        listable=places.listable,
        nested=backend == "namespaces",
        ready_made=list(ready_made),
        sources={module: file.read_text() for module, file in hidden.items()},
        limits=limits,
        command=_python(layout.interpreter() if backend else sys.executable, "zygote", places.import_path),
        control=control,
        proc=proc,
    )


def _python(program: str, module: str, import_path: Sequence[str]) -> list[str]:
    """Runs a module's main without anything that the user's environment or site-packages would add."""
    return [program, "-I", "-S", "-c", _RUN.format(module), *import_path]


def _launch(settings: ZygoteSettings, backend: Backend | None, log: IO[bytes]) -> subprocess.Popen:
    command = settings.command
    if backend == "namespaces":
        command = _python(sys.executable, "launcher", [str(PROJECT)])
    elif backend == "bubblewrap":
        assert settings.tree is not None
        command = _bubblewrap(settings.tree, command)
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=log,
        env=_environment(settings.scratch),
        pass_fds=[settings.control, *([] if settings.proc is None else [settings.proc])],
        start_new_session=True,  # an interrupt from the keyboard is the grader's to handle
    )
    assert process.stdin is not None
    try:
        process.stdin.write(settings.to_json().encode())
        process.stdin.close()
    except BrokenPipeError:
        pass  # it has ended already, and its end of the control socket tells that
    return process


def _bubblewrap(tree: Tree, command: list[str]) -> list[str]:
    program = shutil.which("bwrap")
    assert program is not None
    nobody = ["--uid", "65534", "--gid", "65534", "--hostname", HOST_NAME, "--cap-drop", "ALL"]
    return [program, "--unshare-all", *nobody, *bubblewrap_arguments(tree), "--chdir", "/", *command]


def _environment(scratch: str) -> dict[str, str]:
    """Everything that is in a submission's environment, made from nothing: no secret gets in."""
    one_thread = ("TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    return {
        "HOME": scratch,
        "TMPDIR": scratch,
        "MPLCONFIGDIR": scratch,
        "KERAS_HOME": scratch,
        "USER": "student",
        "LANG": "C.UTF-8",
        "KERAS_BACKEND": "tensorflow",
        "MPLBACKEND": "Agg",
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "-1",
        # Arrays are small here: to prepare oneDNN's kernels for them takes longer than they take to compute.
        "TF_ENABLE_ONEDNN_OPTS": "0",
        # Children run beside one another, so each computes on one thread; that also starts fastest.
        **dict.fromkeys(one_thread, "1"),
        "HDF5_USE_FILE_LOCKING": "FALSE",  # Keras's files of weights; no submission may lock one
        "MALLOC_ARENA_MAX": "2",  # an arena a thread would use up the address space
    }
