"""The kernel's own calls for which Python has no function, through ctypes. Each raises OSError where it fails."""

from __future__ import annotations

import ctypes
import os
import platform
from pathlib import Path

CLONE_NEWTIME = 0x00000080
CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_NOSUID = 0x2
MS_NODEV = 0x4
MS_NOEXEC = 0x8
MS_BIND = 0x1000
MS_REC = 0x4000
MS_PRIVATE = 1 << 18

MOUNT_ATTR_RDONLY = 0x1
MOUNT_ATTR_NOSUID = 0x2
MOUNT_ATTR_NODEV = 0x4

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47

# Calls whose number is the same on every machine that this sandbox knows.
_SYS_MOUNT_SETATTR = 442
# Calls whose number depends on the machine.
_NUMBERS = {
    "x86_64": {"pivot_root": 155, "capset": 126, "seccomp": 317},
    "aarch64": {"pivot_root": 41, "capset": 91, "seccomp": 277},
}
_AT_FDCWD = -100
_AT_RECURSIVE = 0x8000
_MNT_DETACH = 2
_CAPABILITY_VERSION_3 = 0x20080522
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_LAST_CAPABILITY = 63

MACHINE = platform.machine()
_libc = ctypes.CDLL(None, use_errno=True)


def call(number: int | str, *arguments: object) -> int:
    """A system call by its number, or by its name where the number depends on the machine."""
    number = _NUMBERS[MACHINE][number] if isinstance(number, str) else number
    # Everything variadic is passed as a long: an int would leave the upper half of its register undefined.
    as_longs = [ctypes.c_long(item) if isinstance(item, int) else item for item in arguments]
    return _checked(_libc.syscall(ctypes.c_long(number), *as_longs), f"system call {number}")


def unshare(flags: int) -> None:
    _checked(_libc.unshare(flags), "unshare")


def prctl(option: int, argument: int, third: int = 0) -> None:
    longs = (ctypes.c_ulong(argument), ctypes.c_ulong(third), ctypes.c_ulong(0), ctypes.c_ulong(0))
    _checked(_libc.prctl(option, *longs), f"prctl {option}")


def mount(source: str, target: Path | str, kind: str | None, flags: int, data: str | None = None) -> None:
    def text(value: object) -> bytes | None:
        return None if value is None else os.fsencode(str(value))

    result = _libc.mount(text(source), text(target), text(kind), ctypes.c_ulong(flags), text(data))
    _checked(result, f"mount {source} on {target}")


def set_mount_attributes(target: Path | str, attributes: int, *, recursive: bool) -> None:
    """Adds MOUNT_ATTR_... to a mount, and to what is mounted below it."""
    request = (ctypes.c_uint64 * 4)(attributes, 0, 0, 0)  # attr_set, attr_clr, propagation, userns_fd
    flags = _AT_RECURSIVE if recursive else 0
    path = os.fsencode(str(target))
    call(_SYS_MOUNT_SETATTR, _AT_FDCWD, path, flags, ctypes.byref(request), ctypes.sizeof(request))


def change_root(new_root: Path | str) -> None:
    """Makes a mounted folder the root of this mount namespace, and lets go of the old one."""
    os.chdir(new_root)
    call("pivot_root", b".", b".")
    _checked(_libc.umount2(b".", _MNT_DETACH), "umount the old root")
    os.chdir("/")


def drop_capabilities() -> None:
    """Gives up every capability, now and for good."""
    for capability in range(_LAST_CAPABILITY + 1):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:  # unknown to this kernel, or already without the right to drop
            continue
    prctl(PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    call("capset", ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)()))
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result
