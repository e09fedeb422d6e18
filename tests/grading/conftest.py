"""Fixtures for several files of tests on marks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from grading.classroom import results
from grading.exercises.registry import chapter
from grading.gradebook import Policy
from grading.gradebook.course_folder import released_notebook
from grading.gradebook.database import open_database

TIMES = """\
student,chapter,due,submitted
ada,2,2026-02-01T12:00+00:00,2026-02-02T11:00+00:00
ada,3,2026-03-01T12:00+00:00,2026-03-03T12:00:01+00:00
dmitri,3,2026-03-01T12:00+00:00,2026-03-01T12:30+01:00
grace,3,2026-03-05T12:00+00:00,2026-03-05T12:01+00:00
rosa,3,2026-03-01T12:00+00:00,2026-06-01T12:00+00:00
"""


@pytest.fixture(scope="session", autouse=True)
def one_secret() -> Iterator[None]:
    """Give classes the same hidden inputs in each run, so that the seed cannot decide whether tests pass."""
    with mock.patch.object(results, "new_secret", return_value=b"of all the tests"):
        yield


@pytest.fixture
def times(tmp_path: Path) -> Path:
    path = tmp_path / "times.csv"
    path.write_text(TIMES)
    return path


@pytest.fixture(scope="session")
def new_gradebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty gradebook, made once, because nbgrader takes seconds to make one."""
    path = tmp_path_factory.mktemp("sqlite") / "gradebook.db"
    with open_database(f"sqlite:///{path}", chapter(3), released_notebook(chapter(3)), Policy()):
        return path
