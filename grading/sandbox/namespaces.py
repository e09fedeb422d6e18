"""Namespaces: views of users, processes, mounts, network and more that hold nothing but the sandbox."""

from __future__ import annotations

import contextlib
import os
import socket
import time

from grading.sandbox import kernel

# The user that owns nothing: what the sandbox's processes are, from the inside.
NOBODY = 65534
HOST_NAME = "sandbox"

_FOR_THE_SANDBOX = (
    kernel.CLONE_NEWNS
    | kernel.CLONE_NEWNET
    | kernel.CLONE_NEWPID
    | kernel.CLONE_NEWIPC
    | kernel.CLONE_NEWUTS
    | kernel.CLONE_NEWCGROUP
)
_FOR_A_CHILD = kernel.CLONE_NEWUSER | kernel.CLONE_NEWNS | kernel.CLONE_NEWPID | kernel.CLONE_NEWIPC


def enter_sandbox(proc: int) -> None:
    """Moves this process into namespaces in which it may mount; the next process that it forks is the first in them.

    A privileged user needs no user namespace for that. Everybody else gets the rights by being in one.

    Args:
        proc: descriptor of the host's /proc.

    Raises:
        OSError: the kernel, or what guards it, does not let this user have them.
    """
    try:
        kernel.unshare(_FOR_THE_SANDBOX)
    except PermissionError:
        user, group = os.geteuid(), os.getegid()
        kernel.unshare(_FOR_THE_SANDBOX | kernel.CLONE_NEWUSER)
        _map_user(proc, user, group)
    socket.sethostname(HOST_NAME)
    with contextlib.suppress(OSError):  # a kernel before 5.6, or one without it: the host's clocks are seen as they are
        _forget_when_the_host_started(proc)


def _forget_when_the_host_started(proc: int) -> None:
    """For the processes that this one forks from now on, the machine has just been started."""
    kernel.unshare(kernel.CLONE_NEWTIME)
    clocks = {"monotonic": time.CLOCK_MONOTONIC, "boottime": time.CLOCK_BOOTTIME}
    offsets = "".join(f"{name} -{int(time.clock_gettime(clock))} 0\n" for name, clock in clocks.items())
    _write(proc, "timens_offsets", offsets)


def leave_privileges() -> None:
    """Makes this process an ordinary one, for good: nobody, without any capability."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    kernel.drop_capabilities()
    # Changing user has made the process undumpable, and with that its own user map unwritable.
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)


def enter_child(proc: int) -> bool:
    """Moves this process into namespaces of its own; the process that it forks is alone in them.

    Args:
        proc: descriptor of the host's /proc.

    Returns:
        False where the host lets nobody nest namespaces; seccomp, Landlock and limits then do the work.
    """
    user, group = os.geteuid(), os.getegid()
    try:
        kernel.unshare(_FOR_A_CHILD)
        _map_user(proc, user, group)
    except OSError:
        return False
    return True


def _map_user(proc: int, user: int, group: int) -> None:
    """Inside, the user and group that were outside are called nobody."""
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{NOBODY} {user} 1"),
        ("gid_map", f"{NOBODY} {group} 1"),
    ):
        _write(proc, name, text)


def _write(proc: int, name: str, text: str) -> None:
    """Writes to a file in which the kernel says something of this process."""
    descriptor = os.open(f"self/{name}", os.O_WRONLY, dir_fd=proc)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
