"""How the tests are spread over processes: together stay those that share what is slow to make."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from course.environment import quiet_tensorflow

quiet_tensorflow()  # many tests import TensorFlow themselves

_EXERCISE = re.compile(r"\[(?:\d+-)?(\w+)")  # in what a test's parameters are called


class _ByWhatTheyShare(LoadScopeScheduling):
    def _split_scope(self, nodeid: str) -> str:
        """A sandbox or a graded class belongs to a file; what each known mistake gives, to an exercise."""
        path = PurePosixPath(nodeid.partition("::")[0])
        if path.name == "test_exercises.py":
            exercise = _EXERCISE.search(nodeid)
            return exercise[1] if exercise else path.name
        return str(path.parent if path.parent.name == "sandbox" else path)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    return _ByWhatTheyShare(config, log)
