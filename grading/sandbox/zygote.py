"""A process that has imported TensorFlow and Keras and has run nothing, and forks a child whenever it is asked to.

A fork after TensorFlow has run anything can hang, because the threads that it started are not there in the child.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import secrets
import select
import signal
import socket
import stat
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

from grading.sandbox import mounts, namespaces
from grading.sandbox.attribute_names import guard_libraries
from grading.sandbox.child import ChildSetup, run_child
from grading.sandbox.clock import usage_of
from grading.sandbox.control import ZygoteSettings, send_message
from grading.sandbox.frozen_classes import freeze_classes
from grading.sandbox.memory_addresses import guard_arrays, refuse_addresses
from grading.sandbox.ready_made import SourceImporter, disarm
from grading.sandbox.sources import keep_sources_in_memory

# What answers import besides, or Keras for them; where it is missing, they do without.
_CONVENIENCES = ("pandas", "scipy.optimize", "scipy.special")
# What libraries have of their own to run a text as code.
_RUN_TEXTS = ("keras.src.utils.python_utils.func_load", "pandas.eval")
_WORKS_IN_A_CHILD = tuple(f"grading.sandbox.{name}" for name in ("interpreter", "building", "saving", "small_training"))
_SIZES_IN_STATM = {"address space": 0, "data": 5}


def main() -> None:
    """Imports everything, says so, and serves until the grader closes its end; the standard input has the settings."""
    settings = ZygoteSettings.from_json(sys.stdin.read())
    control = socket.socket(fileno=settings.control)
    nested = settings.nested and settings.proc is not None and _can_nest(settings.proc)
    try:
        _import_everything(settings)
    except Exception as error:
        send_message(control, failed=f"{type(error).__name__}: {error}")
        raise
    # A child can look at all that this process holds, and so must not find there what was taken away.
    settings = replace(settings, sources={})
    gc.collect()
    gc.freeze()  # or the collector would write to, and so copy, every page that the children share
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how a supervisor ended
    send_message(control, ready=True, nested=nested)
    _serve(control, settings, nested)


def _import_everything(settings: ZygoteSettings) -> None:
    with SourceImporter(settings.sources):
        importlib.import_module("tensorflow")
        importlib.import_module("keras")
        for name in _WORKS_IN_A_CHILD:
            importlib.import_module(name)
        for name in _CONVENIENCES:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
        disarm((*settings.ready_made, *_RUN_TEXTS))
    _keep_backend()
    keep_sources_in_memory()
    refuse_addresses()
    guard_arrays()
    guard_libraries()
    freeze_classes()


def _keep_backend() -> None:
    """Gives Keras's seed generators, which keep a whole module, only what they use of it."""
    from keras.src.random import seed_generator

    backend = seed_generator.backend
    used = ("Variable", "convert_to_tensor", "name_scope", "random_seed_dtype")
    seed_generator.backend = SimpleNamespace(
        numpy=SimpleNamespace(add=backend.numpy.add), **{name: getattr(backend, name) for name in used}
    )


def _serve(control: socket.socket, settings: ZygoteSettings, nested: bool) -> None:
    for number in count(1):
        # Each request is one byte with two sockets: the child's connection, and its supervisor's lifeline.
        request, descriptors, _, _ = socket.recv_fds(control, 1, 2)
        if not request:
            return
        if os.fork() == 0:
            control.close()
            connection, lifeline = descriptors
            _supervise(connection, lifeline, settings, nested, number)
        for descriptor in descriptors:
            os.close(descriptor)


def _supervise(connection: int, lifeline: int, settings: ZygoteSettings, nested: bool, number: int) -> NoReturn:
    """A child's supervisor: gives it a place of its own, kills it when the lifeline is dropped, says how it ended."""
    with socket.socket(fileno=lifeline) as lifeline_socket:
        try:
            # A byte on this pipe for each signal lets one `select` wait for the child and for the grader.
            ended, notify = os.pipe()
            os.set_blocking(notify, False)
            signal.set_wakeup_fd(notify)
            signal.signal(signal.SIGCHLD, lambda *_: None)
            folder = _make_place(settings, nested, number)
            sizes = _sizes(settings.proc)
            child = os.fork()
            if child == 0:
                run_child(ChildSetup(connection, folder, settings, nested, sizes))
            os.close(connection)
            _watch(child, ended, lifeline_socket, settings.proc)
            _end(child)
            _, status = os.waitpid(child, 0)
            if not nested:
                _remove(folder)
            send_message(lifeline_socket, status=status)
        except BrokenPipeError:
            pass  # the grader does not want to know any more
        except Exception as error:
            send_message(lifeline_socket, failed=f"{type(error).__name__}: {error}")
        finally:
            os._exit(0)


def _watch(child: int, ended: int, lifeline: socket.socket, proc: int | None) -> None:
    """Waits until the child ends or the grader drops its lifeline; each byte there asks what the child has had."""
    while True:
        ready, _, _ = select.select([ended, lifeline.fileno()], [], [])
        if ended in ready or not lifeline.recv(1):
            return
        usage = usage_of(child, proc)
        send_message(lifeline, usage=usage and [usage.processor, usage.waited])


def _make_place(settings: ZygoteSettings, nested: bool, number: int) -> Path:
    """The child's own folder, in namespaces of its own where that can be."""
    if nested:
        assert settings.proc is not None
        if not namespaces.enter_child(settings.proc):
            raise RuntimeError("a child gets no namespaces any more")
        mounts.mount_scratch(Path(settings.scratch), settings.limits.scratch_bytes, settings.limits.scratch_files)
    folder = Path(settings.scratch, str(number))
    folder.mkdir(mode=0o700)
    return folder


def _remove(folder: Path) -> None:
    """Deletes a child's folder in the shared one, even if it has taken the rights to do so away.

    What cannot be deleted would take room from later children. It goes with the zygote, and the grader starts another.
    """
    with contextlib.suppress(OSError):
        folder.chmod(0o700)
        top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        while names := os.listdir(top):  # noqa: PTH208 - a descriptor is no path
            for name in names:
                _remove_or_unpack(name, top)
        os.close(top)
        folder.rmdir()
    if folder.exists():
        os.kill(os.getppid(), signal.SIGKILL)


def _remove_or_unpack(name: str, top: int) -> None:
    """Deletes a file, or a folder whose own folders move up beside it: they may be deeper than recursion goes."""
    if not _is_folder(name, top):
        os.unlink(name, dir_fd=top)
        return
    os.chmod(name, 0o700, dir_fd=top)
    inside = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
    for part in os.listdir(inside):  # noqa: PTH208 - a descriptor is no path
        if _is_folder(part, inside):
            os.chmod(part, 0o700, dir_fd=inside)
            os.rename(part, secrets.token_hex(8), src_dir_fd=inside, dst_dir_fd=top)
        else:
            os.unlink(part, dir_fd=inside)
    os.close(inside)
    os.rmdir(name, dir_fd=top)


def _is_folder(name: str, place: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=place, follow_symlinks=False).st_mode)


def _end(child: int) -> None:
    """Kills a child that is still there, with whatever it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)


def _sizes(proc: int | None) -> dict[str, int]:
    """How much memory this process has, in bytes, where the host can say it."""
    if proc is None:
        return {}
    descriptor = os.open("self/statm", os.O_RDONLY, dir_fd=proc)
    pages = [int(word) for word in os.read(descriptor, 200).split()]
    os.close(descriptor)
    return {name: pages[index] * os.sysconf("SC_PAGE_SIZE") for name, index in _SIZES_IN_STATM.items()}


def _can_nest(proc: int) -> bool:
    """Whether a process in here may have namespaces of its own; found out in one that ends."""
    probe = os.fork()
    if probe == 0:
        possible = namespaces.enter_child(proc)
        os._exit(0 if possible else 1)
    _, status = os.waitpid(probe, 0)
    return status == 0
