"""How much of the machine one child may use, and the kernel's resource limits that hold it to that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_MIB = 1 << 20
# By the clock on the wall, for all that runs of one submission, whatever the reason: a class has to go on. It is five
# times what a submission has of its own time, which is far more than right solutions take.
SUBMISSION_WALL_SECONDS = 300.0


@dataclass(frozen=True)
class Limits:
    """What one child may use.

    The defaults are several times what building, calling and saving small layers takes.

    Attributes:
        operation_seconds: the child's own time (see `clock`) for one operation, where `perform` is given no other.
        start_seconds: wall time for a child to be ready, on the busiest machine.
        cpu_seconds: processor time of the child's life, over all its threads.
        memory_bytes: memory that it may allocate over what the zygote has.
        threads: threads, where it has a user namespace of its own. Elsewhere they are not limited: the kernel would
            count those of all processes of the same user.
        open_files: file descriptors.
        scratch_bytes: size of its scratch folder, which children without namespaces of their own share.
        scratch_files: files and folders in it. Bubblewrap cannot limit them.
        answer_bytes: arrays in one answer. The grader keeps the answers of an exercise until it has judged them all.
    """

    operation_seconds: float = 10.0
    start_seconds: float = 120.0
    cpu_seconds: int = 120
    memory_bytes: int = 2048 * _MIB
    threads: int = 128
    open_files: int = 128
    scratch_bytes: int = 64 * _MIB
    scratch_files: int = 2000
    answer_bytes: int = 4 * _MIB


def apply(limits: Limits, sizes: Mapping[str, int], *, own_user_namespace: bool) -> None:
    """Limits this process.

    Args:
        limits: what it may use.
        sizes: bytes of "address space" that it has already, and of private writable "data" among them; empty
            where the host does not say, and its memory then is not limited.
        own_user_namespace: whether the kernel counts its threads apart from other processes' of the same user.
    """
    import resource

    def limit(kind: int, value: int) -> None:
        _, hard = resource.getrlimit(kind)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))

    limit(resource.RLIMIT_CPU, limits.cpu_seconds)
    if sizes:
        # Libraries map address space that they never touch, so private memory is counted apart, more tightly.
        limit(resource.RLIMIT_DATA, sizes["data"] + limits.memory_bytes)
        limit(resource.RLIMIT_AS, sizes["address space"] + 2 * limits.memory_bytes)
    limit(resource.RLIMIT_NOFILE, limits.open_files)
    limit(resource.RLIMIT_FSIZE, limits.scratch_bytes)
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_MEMLOCK, 0)
    if own_user_namespace:
        limit(resource.RLIMIT_NPROC, limits.threads)
