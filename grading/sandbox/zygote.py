"""A process that has imported TensorFlow and Keras and has run nothing, and forks a child whenever it is asked to.

A fork after TensorFlow has run anything can hang, because the threads that it started are not there in the child.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import select
import shutil
import signal
import socket
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import NoReturn

from grading.sandbox import mounts, namespaces
from grading.sandbox.inmate import Inmate, live
from grading.sandbox.orders import Orders, say
from grading.sandbox.ready_made import Given, disarm

# What submissions import, besides TensorFlow and Keras; where it is missing, they do without.
_CONVENIENCES = ("tensorflow_text", "pandas", "matplotlib.pyplot")
_SIZES_IN_STATM = {"address space": 0, "data": 5}


def main() -> None:
    """Imports everything, says so, and serves until the grader closes its end; the standard input has the orders."""
    orders = Orders.from_json(sys.stdin.read())
    control = socket.socket(fileno=orders.control)
    nested = orders.nested and orders.proc is not None and _can_nest(orders.proc)
    try:
        _import_everything(orders)
    except Exception as error:
        say(control, failed=f"{type(error).__name__}: {error}")
        raise
    # A child can look at all that this process holds, and so must not find there what was taken away.
    orders = replace(orders, sources={})
    gc.collect()
    gc.freeze()  # or the collector would write to, and so copy, every page that the children share
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how a keeper ended
    say(control, ready=True, nested=nested)
    _serve(control, orders, nested)


def _import_everything(orders: Orders) -> None:
    with Given(orders.sources):
        importlib.import_module("tensorflow")
        importlib.import_module("keras")
        importlib.import_module("grading.sandbox.interpreter")
        for name in _CONVENIENCES:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
        disarm(orders.ready_made)


def _serve(control: socket.socket, orders: Orders, nested: bool) -> None:
    for number in count(1):
        # Each request is one byte with two sockets: the child's connection, and its keeper's leash.
        request, descriptors, _, _ = socket.recv_fds(control, 1, 2)
        if not request:
            return
        if os.fork() == 0:
            control.close()
            connection, leash = descriptors
            _keep(connection, leash, orders, nested, number)
        for descriptor in descriptors:
            os.close(descriptor)


def _keep(connection: int, leash: int, orders: Orders, nested: bool, number: int) -> NoReturn:
    """A child's keeper: gives it a place of its own, kills it when the leash is dropped, says how it ended."""
    with socket.socket(fileno=leash) as tether:
        try:
            # A byte on this pipe for each signal lets one `select` wait for the child and for the grader.
            ended, notify = os.pipe()
            os.set_blocking(notify, False)
            signal.set_wakeup_fd(notify)
            signal.signal(signal.SIGCHLD, lambda *_: None)
            folder = _make_place(orders, nested, number)
            sizes = _sizes(orders.proc)
            child = os.fork()
            if child == 0:
                live(Inmate(connection, folder, orders, nested, sizes))
            os.close(connection)
            select.select([ended, tether.fileno()], [], [])
            _end(child)
            _, status = os.waitpid(child, 0)
            shutil.rmtree(folder, ignore_errors=True)
            say(tether, status=status)
        except BrokenPipeError:
            pass  # the grader does not want to know any more
        except Exception as error:
            say(tether, failed=f"{type(error).__name__}: {error}")
        finally:
            os._exit(0)


def _make_place(orders: Orders, nested: bool, number: int) -> Path:
    """The child's own folder, in namespaces of its own where that can be."""
    if nested:
        assert orders.proc is not None
        if not namespaces.enter_child(orders.proc):
            raise RuntimeError("a child gets no namespaces any more")
        mounts.mount_scratch(Path(orders.scratch), orders.limits.scratch_bytes, orders.limits.scratch_files)
    folder = Path(orders.scratch, str(number))
    folder.mkdir(mode=0o700)
    return folder


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
