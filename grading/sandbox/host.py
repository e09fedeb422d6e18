"""Which protections this host offers, and whether they are enough to run a stranger's code."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import Literal

from grading.errors import GradingError
from grading.storage.project import PROJECT

Backend = Literal["namespaces", "bubblewrap", "landlock"]
_TRIAL_SECONDS = 20
# Landlock's version since Linux 6.2. Before it, the owner of a file that may be read can empty it.
_GUARDS_LENGTH = 3


class SandboxUnavailable(GradingError):
    """This host cannot isolate a submission, so none is run."""


@dataclass(frozen=True)
class Layer:
    """One protection.

    Attributes:
        name: what it is called.
        present: whether this host has it.
        matters: what it keeps a submission from.
    """

    name: str
    present: bool
    matters: str


def describe_host() -> list[Layer]:
    """Every layer of the sandbox, each tried out where it can be."""
    on_linux = sys.platform == "linux"
    return [
        Layer("Linux", on_linux, "all that follows is Linux's own"),
        Layer(
            "namespaces",
            on_linux and _trial_of_namespaces(),
            "the submission sees no network, no other process and no file but those it is shown",
        ),
        Layer(
            "bubblewrap",
            on_linux and _trial_of_bubblewrap(),
            "makes the same namespaces where an ordinary user may not",
        ),
        Layer(
            "seccomp",
            on_linux and _seccomp(),
            "the submission can open no socket, start no process and call nothing unusual of the kernel",
        ),
        Layer(
            "Landlock",
            on_linux and _landlock() > 0,
            "a second lock on every file, and one between submissions that run at the same time",
        ),
        Layer(
            "Landlock of Linux 6.2",
            on_linux and _landlock() >= _GUARDS_LENGTH,
            "a lock on every file that needs no namespaces, for one submission in a container of its own",
        ),
    ]


def choose_backend(layers: list[Layer], alone: bool = False) -> Backend:
    """What isolates a submission here.

    Args:
        layers: what the host offers.
        alone: whether one submission runs in a container of its own. Then it may do without namespaces: it could fill
            the disk, which harms nobody else, and see the names of files.

    Raises:
        SandboxUnavailable: the host offers too little.
    """
    present = {layer.name for layer in layers if layer.present}
    if {"Linux", "namespaces", "seccomp"} <= present:
        return "namespaces"
    # Children made by bubblewrap share its namespaces, so something else must keep them apart.
    if {"Linux", "bubblewrap", "seccomp", "Landlock"} <= present:
        return "bubblewrap"
    if alone and {"Linux", "seccomp", "Landlock of Linux 6.2"} <= present:
        return "landlock"
    raise SandboxUnavailable(_what_to_do(layers))


def _what_to_do(layers: list[Layer]) -> str:
    missing = "\n".join(f"  - {layer.name}: {layer.matters}" for layer in layers if not layer.present)
    if not layers[0].present:
        advice = "Run the grader in a Linux container (Docker or Podman)."
    else:
        advice = (
            "Do one of these: allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, and on Ubuntu "
            "kernel.apparmor_restrict_unprivileged_userns=0); install bubblewrap on a kernel that has Landlock (5.13 "
            "or later); or, in a container, start it with `--security-opt seccomp=unconfined --security-opt "
            "apparmor=unconfined --cap-add SYS_ADMIN`."
        )
    return (
        f"no submission was run, because this host cannot isolate one. It lacks:\n{missing}\n{advice}\n"
        "Only if you trust every submission as you trust yourself, grade without isolation, by saying so."
    )


def _trial_of_namespaces() -> bool:
    """Makes the namespaces and a mount in a process that then ends, because they cannot be left again."""
    trial = (
        "import os, sys; sys.path.insert(0, sys.argv[1])\n"
        "from grading.sandbox import kernel, namespaces\n"
        "namespaces.enter_sandbox(os.open('/proc', os.O_PATH))\n"
        "kernel.mount('none', '/', None, kernel.MS_REC | kernel.MS_PRIVATE)\n"
        "kernel.mount('trial', sys.argv[2], 'tmpfs', kernel.MS_NOSUID)\n"
        "kernel.set_mount_attributes(sys.argv[2], kernel.MOUNT_ATTR_RDONLY, recursive=True)\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        return _succeeds([sys.executable, "-I", "-S", "-c", trial, str(PROJECT), folder])


def _trial_of_bubblewrap() -> bool:
    program = shutil.which("bwrap")
    return bool(program) and _succeeds([str(program), "--unshare-all", "--ro-bind", "/", "/", "true"])


def _succeeds(command: list[str]) -> bool:
    try:
        done = subprocess.run(command, capture_output=True, timeout=_TRIAL_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _seccomp() -> bool:
    from grading.sandbox import seccomp

    return seccomp.supported()


def _landlock() -> int:
    from grading.sandbox import landlock

    return landlock.version()
