"""Runs a command as a container without privileges runs it: as root who may mount nothing and make no namespaces.

    python -m tests.grading.sandbox.plain_container COMMAND ...

The container is a user namespace that allows no other in it, and whose root has lost CAP_SYS_ADMIN.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from grading.sandbox import kernel

_USERS = "0 0 65534"
_LOST = "-sys_admin,-sys_ptrace,-dac_read_search"


def main() -> None:
    """Replaces this process by the command."""
    inside, made = os.pipe(), os.pipe()
    parent = os.getpid()
    if os.fork() == 0:
        os.read(inside[0], 1)
        for name in ("uid_map", "gid_map"):
            Path(f"/proc/{parent}/{name}").write_text(_USERS)
        os.write(made[1], b"1")
        os._exit(0)
    kernel.unshare(kernel.CLONE_NEWUSER)
    os.write(inside[1], b"1")
    os.read(made[0], 1)
    os.wait()
    Path("/proc/sys/user/max_user_namespaces").write_text("0")
    os.execvp("setpriv", ["setpriv", f"--bounding-set={_LOST}", f"--inh-caps={_LOST}", *sys.argv[1:]])


if __name__ == "__main__":
    main()
