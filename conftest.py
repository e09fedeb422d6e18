"""How notebooks are spread over processes: the cells of one stay together, and in their order."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.hookimpl(optionalhook=True, trylast=True)  # that of `tests` knows more
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """By file, whatever `--dist` says; with "each", every process runs everything anyway."""
    from xdist.scheduler import LoadFileScheduling

    return None if config.getoption("dist") == "each" else LoadFileScheduling(config, log)
