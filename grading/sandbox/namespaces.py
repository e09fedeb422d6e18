"""Namespaces: views of users, processes, mounts, network and more that hold nothing but the sandbox."""

from __future__ import annotations

import os

from grading.sandbox import kernel

# The user that owns nothing: what the sandbox's processes are, from the inside.
NOBODY = 65534

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
        descriptor = os.open(f"self/{name}", os.O_WRONLY, dir_fd=proc)
        try:
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)
