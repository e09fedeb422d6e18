"""How the tests are spread over processes."""

from __future__ import annotations

from pathlib import Path

import pytest

# Its tests are many and share nothing that is slow to make, so any process takes the next one.
_SPREAD = "test_exercises.py"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of a file stay together, because they share what is slow to make: a sandbox, a graded class."""
    for item in items:
        if item.path.name != _SPREAD:
            together = item.path.parent if item.path.parent.name == "sandbox" else item.path
            item.add_marker(pytest.mark.xdist_group(str(together.relative_to(Path(__file__).parent))))
