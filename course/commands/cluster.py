"""--scheduler: connect to a Dask cluster, whose workers do the work of a command."""

from __future__ import annotations

from typing import Any

from course.errors import CourseError, how_to_install


def cluster(scheduler: str) -> Any:
    """Return a client of a Dask cluster. Its workers need the same version of this project, but no files from here."""
    try:
        import distributed
    except ImportError as error:
        raise CourseError(f"--scheduler needs Dask. {how_to_install('cluster')}") from error
    try:
        return distributed.Client(scheduler, timeout=20, set_as_default=False)
    except (OSError, ValueError) as error:
        raise CourseError(f"no Dask scheduler answers at {scheduler} ({error}); is its address right?") from error
