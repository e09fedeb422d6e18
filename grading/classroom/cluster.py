"""Spreads the grading of a class over a Dask cluster.

A worker receives a notebook's text and returns a record, so it needs no folder of this machine. It needs the same
version of this project, and a kernel that can isolate submissions. Each worker makes one grader, at its first
submission.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future
from types import TracebackType
from typing import Any

from course.errors import how_to_install
from grading.classroom.grader import Grader
from grading.classroom.reading import Readers, ReadSubmission
from grading.classroom.results import fingerprint
from grading.classroom.submission_record import SubmissionRecord, unreadable
from grading.errors import GradingError
from grading.submission import SubmissionFile

_CONNECT_SECONDS = 20
# Enough to keep the workers busy, and to let an adaptive cluster see that there is work.
_FEWEST_AT_ONCE = 16


class Cluster:
    """A Dask cluster that grades submissions in place of this process.

    Args:
        scheduler: the address of Dask's scheduler, such as "tcp://10.0.0.5:8786".
        secret, number, without_isolation: see `Grader`.

    Raises:
        GradingError: Dask is not installed, nothing answers at the address, or workers keep dying.

    Use it as a context manager; the workers' sandboxes end with it.
    """

    def __init__(self, scheduler: str, secret: bytes, number: int, without_isolation: bool) -> None:
        self._scheduler = scheduler
        self._number = number
        self._terms = (secret, without_isolation)
        self._readers = Readers()
        try:
            import distributed
        except ImportError as error:
            raise GradingError(f"--scheduler needs Dask. {how_to_install('cluster')}") from error
        try:
            self._client: Any = distributed.Client(scheduler, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise GradingError(f"no Dask scheduler answers at {scheduler} ({error}); is its address right?") from error
        self._lost: tuple[type[BaseException], ...] = (distributed.KilledWorker, OSError)
        # Dask gives the task of a lost worker to another one by itself.
        self._executor = self._client.get_executor(pure=False)

    @property
    def at_once(self) -> int:
        """How many submissions are under way at a time."""
        return max(_FEWEST_AT_ONCE, 2 * sum(self._client.nthreads().values()))

    def submit(self, file: SubmissionFile) -> Future[SubmissionRecord]:
        """Read a submission on this machine, and have the cluster grade it."""
        read = self._readers.read(file, self._number)
        if read.notebook is None:
            done: Future[SubmissionRecord] = Future()
            done.set_result(unreadable(file, self._number, read))
            return done
        return self._executor.submit(_grade, fingerprint(), self._terms, file, read, self._number)

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            self._client.run(_end, self._terms)
        except self._lost:
            pass  # no worker is left to be told
        finally:
            self._client.close()
            self._readers.close()
        if isinstance(error, self._lost):
            raise GradingError(
                f"the cluster at {self._scheduler} lost its workers ({error}); run this again"
            ) from error


# On a worker -------------------------------------------------------------------------------------------------

_Terms = tuple[bytes, bool]
_graders: dict[_Terms, Grader] = {}
_lock = threading.Lock()


def _grade(version: str, terms: _Terms, file: SubmissionFile, read: ReadSubmission, number: int) -> SubmissionRecord:
    if version != fingerprint():
        raise GradingError("a worker has another version of this project; install the same version everywhere")
    with _lock:
        grader = _graders.setdefault(terms, Grader(*terms))
    return grader.grade_read(file, read, number)


def _end(terms: _Terms) -> None:
    """Ends the sandboxes of a run."""
    with _lock:
        grader = _graders.pop(terms, None)
    if grader is not None:
        grader.__exit__()
