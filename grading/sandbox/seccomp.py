"""The system calls that a child may make, as a filter that the kernel runs before each of them.

Everything that is not named here fails with EPERM: sockets, new processes, programs, mounts, keys, tracing, io_uring,
performance counters, shared memory and whatever a later kernel adds. Calls that are harmless only with some arguments
are looked at more closely.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Collection, Iterable, Iterator

from grading.sandbox import kernel

# fmt: off
# name: (number on x86_64, number on aarch64)
_ALLOWED: dict[str, tuple[int, int | None]] = {
    # files and folders
    "read": (0, 63), "write": (1, 64), "pread64": (17, 67), "pwrite64": (18, 68), "readv": (19, 65),
    "writev": (20, 66), "preadv": (295, 69), "pwritev": (296, 70), "lseek": (8, 62), "open": (2, None),
    "openat": (257, 56), "close": (3, 57), "close_range": (436, 436), "stat": (4, None), "fstat": (5, 80),
    "lstat": (6, None), "newfstatat": (262, 79), "statx": (332, 291), "access": (21, None),
    "faccessat": (269, 48), "faccessat2": (439, 439), "readlink": (89, None), "readlinkat": (267, 78),
    "getdents": (78, None), "getdents64": (217, 61), "getcwd": (79, 17), "chdir": (80, 49),
    "fchdir": (81, 50), "mkdir": (83, None), "mkdirat": (258, 34), "rmdir": (84, None),
    "unlink": (87, None), "unlinkat": (263, 35), "rename": (82, None), "renameat": (264, 38),
    "renameat2": (316, 276), "symlink": (88, None), "symlinkat": (266, 36), "chmod": (90, None),
    "fchmod": (91, 52), "fchmodat": (268, 53), "truncate": (76, 45), "ftruncate": (77, 46),
    "fallocate": (285, 47), "fsync": (74, 82), "fdatasync": (75, 83),
    "umask": (95, 166), "utimensat": (280, 88), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24),
    "pipe": (22, None), "pipe2": (293, 59), "sendfile": (40, 71), "copy_file_range": (326, 285),
    "statfs": (137, 43), "fstatfs": (138, 44), "fadvise64": (221, 223), "getxattr": (191, 8),
    "lgetxattr": (192, 9), "fgetxattr": (193, 10), "listxattr": (194, 11), "llistxattr": (195, 12),
    "flistxattr": (196, 13),
    # memory
    "mmap": (9, 222), "munmap": (11, 215), "mremap": (25, 216), "mprotect": (10, 226),
    "madvise": (28, 233), "msync": (26, 227), "brk": (12, 214), "membarrier": (324, 283),
    # threads and waiting
    "futex": (202, 98), "set_robust_list": (273, 99), "set_tid_address": (218, 96), "rseq": (334, 293),
    "sched_yield": (24, 124), "sched_getaffinity": (204, 123), "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120), "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126), "getcpu": (309, 168), "exit": (60, 93), "exit_group": (231, 94),
    "restart_syscall": (219, 128), "poll": (7, None), "ppoll": (271, 73), "select": (23, None),
    "pselect6": (270, 72), "pause": (34, None), "nanosleep": (35, 101), "clock_nanosleep": (230, 115),
    # signals to itself
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "rt_sigpending": (127, 136), "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133),
    "sigaltstack": (131, 132), "alarm": (37, None), "getitimer": (36, 102), "setitimer": (38, 103),
    # who and when
    "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178), "getuid": (102, 174),
    "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177), "getresuid": (118, 148),
    "getresgid": (120, 150), "getgroups": (115, 158), "getpgrp": (111, None), "capget": (125, 90),
    "uname": (63, 160), "sysinfo": (99, 179), "times": (100, 153), "getrusage": (98, 165),
    "getrlimit": (97, 163), "setrlimit": (160, 164), "gettimeofday": (96, 169), "time": (201, None),
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "getrandom": (318, 278), "wait4": (61, 260),
    "waitid": (247, 95),
    # the one connection
    "sendto": (44, 206), "recvfrom": (45, 207), "getsockname": (51, 204), "getpeername": (52, 205),
    "getsockopt": (55, 209), "shutdown": (48, 210),
}
# Allowed only with some arguments.
_CHECKED: dict[str, tuple[int, int | None]] = {
    "clone": (56, 220), "clone3": (435, 435), "kill": (62, 129), "tgkill": (234, 131), "prlimit64": (302, 261),
    "prctl": (157, 167), "ioctl": (16, 29), "fcntl": (72, 25), "arch_prctl": (158, None),
}
# fmt: on
# What Landlock does not guard: without a user of its own, a child would change files of the grader's with them.
_OF_THE_OWNER = ("chmod", "fchmod", "fchmodat", "utimensat", "truncate")
_MACHINES = {"x86_64": 0, "aarch64": 1}
_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_CLONE_THREAD = 0x10000
_CLONE_NEW_NAMESPACE = 0x7E020080
# A file's end of line mode (is it a terminal?), bytes waiting, close-on-exec, non-blocking.
_IOCTLS = (0x5401, 0x541B, 0x5450, 0x5451, 0x5421)
# Duplicates and flags; not F_SETOWN, which sends signals, nor the size of pipes, nor locks: what a submission locks,
# another one that runs at the same time finds locked, and so they talk.
_FCNTLS = (0, 1, 2, 3, 4, 1030)
# A thread's name, and a mapping's name.
_PRCTLS = (15, 16, 0x53564D41)
# Wide registers of the processor, which matrix libraries ask for.
_ARCH_PRCTLS = (0x1021, 0x1022, 0x1023)

_LOAD, _JUMP_EQUAL, _AND, _RETURN = 0x20, 0x15, 0x54, 0x06
_NUMBER, _ARCHITECTURE = 0, 4
_ALLOW, _ERRNO, _KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
_SET_MODE_FILTER = 1

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, operand


def install(*, owns_files_outside: bool) -> None:
    """Puts this process, and all its threads to come, under the filter, for good.

    Args:
        owns_files_outside: whether its user owns files that it may not change, so that calls which only the owner of a
            file may make are refused, too.
    """
    refused = _OF_THE_OWNER if owns_files_outside else ()
    program = b"".join(struct.pack("<HBBI", *instruction) for instruction in _filter(os.getpid(), refused))
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.call("seccomp", _SET_MODE_FILTER, 0, header)


def supported() -> bool:
    """Whether this machine is known here and its kernel has filters."""
    if kernel.MACHINE not in _MACHINES:
        return False
    try:
        kernel.call("seccomp", _SET_MODE_FILTER, 0, None)
    except OSError as error:
        return error.errno == errno.EFAULT  # it looked for the filter, and there was none
    return True


def _filter(own_pid: int, refused: Collection[str]) -> list[Instruction]:
    """The whole program for this machine."""
    machine = _MACHINES[kernel.MACHINE]
    # Some calls are there on one machine only.
    allowed = [
        number for name, numbers in _ALLOWED.items() if name not in refused and (number := numbers[machine]) is not None
    ]
    checked = {name: number for name, numbers in _CHECKED.items() if (number := numbers[machine]) is not None}
    conditions: dict[str, list[Instruction]] = {
        "clone": _masked(0, _CLONE_THREAD | _CLONE_NEW_NAMESPACE, _CLONE_THREAD),
        "clone3": [_answer(_ERRNO | errno.ENOSYS)],  # its flags are out of a filter's sight; libraries then use clone
        "kill": _one_of(0, [own_pid]),
        "tgkill": _one_of(0, [own_pid]),
        "prlimit64": _one_of(0, [0, own_pid]),
        "prctl": _one_of(0, _PRCTLS),
        "ioctl": _one_of(1, _IOCTLS),
        "fcntl": _one_of(1, _FCNTLS),
        "arch_prctl": _one_of(0, _ARCH_PRCTLS),
    }
    program: list[Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, _AUDIT_ARCH[kernel.MACHINE]),
        _answer(_KILL_PROCESS),
        (_LOAD, 0, 0, _NUMBER),
    ]
    for number in allowed:
        program += [(_JUMP_EQUAL, 0, 1, number), _answer(_ALLOW)]
    for name, number in checked.items():
        program += [(_JUMP_EQUAL, 0, len(conditions[name]), number), *conditions[name]]
    return [*program, _answer(_ERRNO | errno.EPERM)]


def _one_of(argument: int, values: Iterable[int]) -> list[Instruction]:
    """Allows a call whose argument's lower half is one of these values; the kernel reads these as 32 bits, too."""
    return [_load_argument(argument), *_allow_equal(values), _answer(_ERRNO | errno.EPERM)]


def _masked(argument: int, mask: int, wanted: int) -> list[Instruction]:
    """Allows a call of whose argument these bits are as wanted."""
    return [
        _load_argument(argument),
        (_AND, 0, 0, mask),
        *_allow_equal([wanted]),
        _answer(_ERRNO | errno.EPERM),
    ]


def _allow_equal(values: Iterable[int]) -> Iterator[Instruction]:
    for value in values:
        yield (_JUMP_EQUAL, 0, 1, value)
        yield _answer(_ALLOW)


def _load_argument(index: int) -> Instruction:
    return (_LOAD, 0, 0, 16 + 8 * index)


def _answer(action: int) -> Instruction:
    return (_RETURN, 0, 0, action)
