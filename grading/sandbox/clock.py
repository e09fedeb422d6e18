"""How much of the time that passes is a child's own, and not spent in waiting for a processor that others use.

What a child takes is its processor time, or the time for which it sleeps or waits by its own will, whichever is more.
On a busy machine the same work takes longer on the wall; it takes no more of the child's own time.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

_LOOK_AFTER = 0.25  # seconds; most operations are over by then, and nobody has to look
_LEAST_PAUSE = 0.02
_FAR = 12.0  # times as long, on the wall, ends whatever the host cannot tell of
_SCHEDULED = 2  # of the kernel's clocks of a process, the one of the time for which it ran


class Patience(Protocol):
    """How long to wait for the other side."""

    def remaining(self) -> float:
        """Seconds to wait before this is asked again.

        Raises:
            TimeoutError: there are none left.
        """
        ...


class Deadline:
    """A moment on the wall, so many seconds from now."""

    def __init__(self, seconds: float) -> None:
        self._moment = time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self._moment

    def remaining(self) -> float:
        left = self._moment - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


class WallTime:
    """Seconds on the wall that operations may take together. What passes between them does not count.

    Own time grows slowly where threads wait for a processor, even if they wait for each other. This bounds the rest.

    Attributes:
        seconds: all of them.
        left: those that no operation has taken yet.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = self.left = seconds

    @contextlib.contextmanager
    def passing(self) -> Iterator[Deadline]:
        """Takes what passes meanwhile from what is left; gives the moment at which nothing will be."""
        began = time.monotonic()
        try:
            yield Deadline(self.left)
        finally:
            self.left -= time.monotonic() - began


@dataclass(frozen=True)
class Usage:
    """What a process has had of the machine so far, in seconds.

    Attributes:
        processor: for which it ran, all threads together.
        waited: for which threads that are still there were ready to run and others ran instead; None where the host
            does not say.
    """

    processor: float
    waited: float | None

    def since(self, earlier: Usage, elapsed: float) -> float:
        """How much of the time that has passed since then was the process's own."""
        processor = self.processor - earlier.processor
        if self.waited is None or earlier.waited is None:
            return processor
        return max(processor, elapsed - max(self.waited - earlier.waited, 0))


class OwnTime:
    """Patience with a child until it has used up its own time.

    Args:
        seconds: how much it may take. Of its first quarter of a second, nobody asks whose it was.
        usage: looks at what the child has had; None where that cannot be known, and then the wall's time is its own.
        deadline: ends the patience, however little of the time was the child's own.
    """

    def __init__(self, seconds: float, usage: Callable[[], Usage | None], deadline: Deadline) -> None:
        self._seconds = seconds
        self._deadline = deadline
        self._usage = usage
        self._began = time.monotonic()
        self._first: Usage | None = None
        self._looked = False
        self._known = 0.0

    def remaining(self) -> float:
        return min(self._own_remaining(), self._deadline.remaining())

    def _own_remaining(self) -> float:
        elapsed = self._elapsed()
        look_after = min(_LOOK_AFTER, self._seconds)
        if elapsed < look_after:
            return look_after - elapsed
        self._look()
        if elapsed < self._seconds:
            return self._seconds - elapsed
        left = self._seconds - self.used()
        if left <= 0 or elapsed > _FAR * self._seconds:
            raise TimeoutError
        return max(left, _LEAST_PAUSE)

    def used(self) -> float:
        """Seconds of its own that the child has taken by now."""
        elapsed = self._elapsed()
        if self._first is None:
            return elapsed
        now = self._usage()
        if now is not None:  # it has not ended yet
            self._known = now.since(self._first, elapsed)
        return self._known

    @property
    def machine_was_busy(self) -> bool:
        """Whether much of the time was not the child's."""
        return self._elapsed() > 1.5 * max(self.used(), self._seconds)

    def _look(self) -> None:
        if not self._looked:
            self._looked = True
            self._first = self._usage()

    def _elapsed(self) -> float:
        return time.monotonic() - self._began


def usage_of(child: int, proc: int | None) -> Usage | None:
    """What a child of this process has had; None where this system does not say.

    Args:
        child: its number as this process knows it.
        proc: descriptor of the host's /proc.
    """
    try:
        processor = time.clock_gettime((~child << 3) | _SCHEDULED)
    except OSError:
        return None
    return Usage(processor, None if proc is None else _waited(proc))


def _waited(proc: int) -> float | None:
    """For how long the threads of this process's only child have waited for a processor."""
    try:
        # The host knows the child by another number.
        number = _read(proc, "thread-self/children").split()[0]
        tasks = os.open(f"{number}/task", os.O_RDONLY | os.O_DIRECTORY, dir_fd=proc)
        try:
            ran, waited, _ = zip(*(map(int, stat.split()) for stat in _scheduling(tasks)), strict=True)
        finally:
            os.close(tasks)
    except (OSError, IndexError, ValueError):
        return None
    return sum(waited) / 1e9 if any(ran) else None  # zeros stand there where the kernel does not count


def _scheduling(tasks: int) -> Iterator[str]:
    """What the kernel says of each thread: for how long it ran, for how long it waited, and how often it ran."""
    for thread in os.listdir(tasks):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it may have ended meanwhile
            yield _read(tasks, f"{thread}/schedstat")


def _read(folder: int, path: str) -> str:
    descriptor = os.open(path, os.O_RDONLY, dir_fd=folder)
    try:
        return os.read(descriptor, 4096).decode()
    finally:
        os.close(descriptor)
