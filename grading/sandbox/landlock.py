"""Landlock: the kernel holds this process to the paths that it names, whatever the file permissions say."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from grading.sandbox import kernel

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1
_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG, _MAKE_SYM = 1 << 4, 1 << 5, 1 << 7, 1 << 8, 1 << 12
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_FOR_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE

READ = _EXECUTE | _READ_FILE | _READ_DIR
LIST = _READ_DIR
# No devices, named pipes or sockets are made, and nothing that was written is executed.
WRITE = (_WRITE_FILE | _READ_FILE | _READ_DIR | _REMOVE_DIR | _REMOVE_FILE) | (
    _MAKE_DIR | _MAKE_REG | _MAKE_SYM | _REFER | _TRUNCATE
)

# What each version of the interface added: file rights, TCP, and the scopes of abstract sockets and signals.
_FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
_BIND_AND_CONNECT_TCP, _TCP_SINCE = 0b11, 4
_SOCKETS_AND_SIGNALS, _SCOPES_SINCE = 0b11, 6


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def version() -> int:
    """The version of Landlock's interface here; 0 where the kernel has none."""
    try:
        return kernel.call(_CREATE_RULESET, None, 0, _VERSION)
    except OSError:
        return 0


def confine(readable: Iterable[Path], writable: Iterable[Path], listable: Iterable[Path] = ()) -> bool:
    """Holds this process, and whatever it starts, to these paths, for good.

    Args:
        readable: files and folders whose content may be read.
        writable: files and folders that may also be changed.
        listable: folders of which only the names in them may be read.

    Returns:
        Whether the kernel could do it.
    """
    abi = version()
    if not abi:
        return False
    handled = max((since, rights) for since, rights in _FILE_RIGHTS.items() if since <= abi)[1]
    attributes = (ctypes.c_uint64 * 3)(
        handled,
        _BIND_AND_CONNECT_TCP if abi >= _TCP_SINCE else 0,
        _SOCKETS_AND_SIGNALS if abi >= _SCOPES_SINCE else 0,
    )
    # An older kernel takes a longer structure where what it does not know is zero.
    ruleset = kernel.call(_CREATE_RULESET, ctypes.byref(attributes), ctypes.sizeof(attributes), 0)
    try:
        for path in readable:
            _allow(ruleset, path, READ & handled)
        for path in writable:
            _allow(ruleset, path, WRITE & handled)
        for path in listable:
            _allow(ruleset, path, LIST)
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        kernel.call(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)
    return True


def _allow(ruleset: int, path: Path, rights: int) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rights = rights if path.is_dir() else rights & _FOR_FILES
        rule = _PathBeneath(rights, descriptor)
        kernel.call(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(descriptor)
