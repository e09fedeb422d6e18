"""The first process of a sandbox: makes namespaces and a root, and starts the zygote there without rights."""

from __future__ import annotations

import os
import signal
import socket
import sys
from pathlib import Path
from typing import NoReturn

from grading.sandbox import kernel, mounts, namespaces
from grading.sandbox.control import ZygoteSettings, send_message


def main() -> NoReturn:
    """Starts the zygote as the settings on the standard input say, and stays until it ends."""
    text = sys.stdin.read()
    settings = ZygoteSettings.from_json(text)
    assert settings.tree is not None and settings.proc is not None
    os.umask(0o022)
    try:
        namespaces.enter_sandbox(settings.proc)
        mounts.enter(settings.tree, Path(settings.mount_point))
        zygote = os.fork()
        if zygote == 0:
            _become_zygote(settings, text)
    except OSError as error:
        send_message(socket.socket(fileno=settings.control), failed=str(error))
        sys.exit(1)
    os.close(settings.control)  # or the grader would wait for an answer from a zygote that has gone
    _, status = os.waitpid(zygote, 0)
    sys.exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _become_zygote(settings: ZygoteSettings, text: str) -> NoReturn:
    namespaces.leave_privileges()
    # After the change of user, which would undo it. When the launcher ends, so does everything in here.
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    os.setsid()
    settings_again = os.memfd_create("settings")
    os.write(settings_again, text.encode())
    os.lseek(settings_again, 0, os.SEEK_SET)
    os.dup2(settings_again, 0)
    for descriptor in (settings.control, settings.proc):
        assert descriptor is not None
        os.set_inheritable(descriptor, True)
    os.execv(settings.command[0], settings.command)
