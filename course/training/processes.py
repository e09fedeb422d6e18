"""Train in several processes, on one machine or on many: each learns from its share of every batch.

JAX does the work: `jax.distributed` finds the processes, `keras.distribution` spreads the batches.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import sys
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import keras
import numpy as np

from course.environment.crash_reason import last_words
from course.errors import CourseError, Stopped

# The machines of a cluster do not start at the same moment, and read Python from a shared disk.
SECONDS_TO_JOIN = 300
# After this much silence, a process counts as lost.
SECONDS_OF_SILENCE = 60
_RESUME = "The same command in all processes resumes from the last checkpoint."
# Words in JAX's errors after a process that it computes with is gone.
_LOST = re.compile(
    "gloo|nccl|collective|unavailable|deadline exceeded|connection (reset|refused|closed)", re.IGNORECASE
)


def number_of_processes() -> int:
    """Return how many processes train together."""
    if keras.backend.backend() != "jax":
        return 1
    import jax

    return int(jax.process_count())


def is_first_process() -> bool:
    """Return whether this process writes files and shows progress, as a single process always does."""
    if number_of_processes() == 1:
        return True
    import jax

    return bool(jax.process_index() == 0)


@contextmanager
def joined(count: int, number: int | None = None, coordinator: str | None = None) -> Iterator[None]:
    """In this block, this process trains together with others. JAX must not have computed anything before.

    Args:
        count: how many processes there are.
        number: the number of this process, from 0 on. None: SLURM or Open MPI has started it, and sets the number.
        coordinator: host:port of the first process, where all processes meet. None: as with `number`.

    Raises:
        CourseError: the backend is not JAX; the processes have not found each other; or one of them was lost.
    """
    if count == 1 and number is None and coordinator is None:
        yield
        return
    _require_sensible(count, number, coordinator)
    which = "This process" if number is None else f"Process {number} of {count}"
    with last_words() as set_words:
        set_words(
            f"Error: {which} has not met the others{f' at {coordinator}' if coordinator else ''} within "
            f"{SECONDS_TO_JOIN} seconds. Does each of the {count} run, with the same --processes and --coordinator, "
            "and a --process of its own? Is the port free, and can it be reached from the other machines?"
        )
        _join(count, number, coordinator)
        set_words(
            f"Error: {which} cannot continue: it was killed, or another one has ended, or has been silent for "
            f"{SECONDS_OF_SILENCE} seconds. The messages of the others say why. {_RESUME}"
        )
        try:
            yield
        except Stopped:  # all of them, at the same step
            raise
        except (RuntimeError, ValueError) as error:
            _leave_alone()
            if not _LOST.search(str(error)):
                raise
            reason = str(error).strip().splitlines()[0]
            raise CourseError(
                f"another process has ended, and this one cannot continue without it ({reason:.200}). {_RESUME}"
            ) from error
        except BaseException:
            _leave_alone()
            raise


def require_agreement(given: Mapping[str, Any]) -> None:
    """Raise a CourseError in all processes unless each was given the same values. All must call this together."""
    codes = [zlib.crc32(json.dumps(value, sort_keys=True, default=str).encode()) for value in given.values()]
    columns = _gathered(np.array(codes, "uint32")).T  # (names, processes)
    different = [name for name, column in zip(given, columns, strict=True) if len(set(column.tolist())) > 1]
    if different:
        raise CourseError(
            f"the processes do not train the same: they differ in {', '.join(different)}. Give each the same options, "
            "the same corpus, and a folder that all of them see, such as one on a network disk."
        )


def anywhere(answer: bool) -> bool:
    """Return whether `answer` is True in any process. All must call this together."""
    return bool(_gathered(np.array([answer], "uint32")).any())


def own_rows(array: np.ndarray) -> np.ndarray:
    """Return this process's share of the rows of a batch; all shares have the same size."""
    count = number_of_processes()
    if count == 1:
        return array
    import jax

    return np.split(array, count)[jax.process_index()]


def _gathered(values: np.ndarray) -> np.ndarray:
    """(processes, ...), the values of all processes."""
    if number_of_processes() == 1:
        return values[np.newaxis]
    from jax.experimental import multihost_utils

    return np.asarray(multihost_utils.process_allgather(values)).reshape(-1, *values.shape)


def _require_sensible(count: int, number: int | None, coordinator: str | None) -> None:
    if keras.backend.backend() != "jax":
        raise CourseError(
            f"--processes {count} needs JAX. Received: KERAS_BACKEND={keras.backend.backend()}. Set it to jax."
        )
    if (number is None) != (coordinator is None):
        raise CourseError("--process and --coordinator belong together: give both, or neither under SLURM or Open MPI.")
    if number is not None and not 0 <= number < count:
        raise CourseError(
            f"--process {number} does not exist with --processes {count}: they are numbered from 0 to {count - 1}."
        )
    if coordinator is not None and not re.fullmatch(r".+:\d{1,5}", coordinator):
        raise CourseError(f"--coordinator must be HOST:PORT, such as node1:12345. Received: {coordinator}")


def _join(count: int, number: int | None, coordinator: str | None) -> None:
    import jax

    jax.config.update("jax_enable_preemption_service", False)  # it would keep SIGTERM from ending a process
    try:
        jax.distributed.initialize(
            coordinator,
            count,
            number,
            # If everything is given, JAX need not find out what kind of cluster the machine belongs to.
            cluster_detection_method=None if coordinator is None else "deactivate",
            initialization_timeout=SECONDS_TO_JOIN,
            heartbeat_timeout_seconds=SECONDS_OF_SILENCE,
        )
    except (RuntimeError, ValueError) as error:
        raise CourseError(
            f"--processes {count} could not be joined ({str(error).splitlines()[0]:.200}). Outside of SLURM and Open "
            "MPI, say where the processes meet, and which this is: --coordinator HOST:PORT --process NUMBER. Inside, "
            "--processes must be the number of started processes."
        ) from error
    if jax.process_count() != count:
        _leave_alone()
        raise CourseError(
            f"--processes is {count} here, and {jax.process_count()} elsewhere. Give the same number to each process."
        )


def _leave_alone() -> None:
    """Let this process end without JAX's shutdown, which waits for the others while these wait for this one."""

    def leave() -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1)

    atexit.register(leave)
