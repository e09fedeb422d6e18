"""A preset for models that train in seconds, in the tests that ask for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from course.presets import PRESETS
from tests.course.training.micro_runs import MICRO


@pytest.fixture(scope="module")
def micro() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PRESETS, "micro", MICRO)
        yield
