"""The first process of a sandbox: makes namespaces and a root, and starts the zygote there without rights."""

from __future__ import annotations

import os
import signal
import socket
import sys
from pathlib import Path
from typing import NoReturn

from grading.sandbox import kernel, mounts, namespaces
from grading.sandbox.orders import Orders, say


def main() -> NoReturn:
    """Starts the zygote as the orders on the standard input say, and stays until it ends."""
    text = sys.stdin.read()
    orders = Orders.from_json(text)
    assert orders.tree is not None and orders.proc is not None
    os.umask(0o022)
    try:
        namespaces.enter_sandbox(orders.proc)
        mounts.enter(orders.tree, Path(orders.mount_point))
        zygote = os.fork()
        if zygote == 0:
            _become_zygote(orders, text)
    except OSError as error:
        say(socket.socket(fileno=orders.control), failed=str(error))
        sys.exit(1)
    os.close(orders.control)  # or the grader would wait for an answer from a zygote that has gone
    _, status = os.waitpid(zygote, 0)
    sys.exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _become_zygote(orders: Orders, text: str) -> NoReturn:
    namespaces.leave_privileges()
    # After the change of user, which would undo it. When the launcher ends, so does everything in here.
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    os.setsid()
    orders_again = os.memfd_create("orders")
    os.write(orders_again, text.encode())
    os.lseek(orders_again, 0, os.SEEK_SET)
    os.dup2(orders_again, 0)
    for descriptor in (orders.control, orders.proc):
        assert descriptor is not None
        os.set_inheritable(descriptor, True)
    os.execv(orders.command[0], orders.command)
