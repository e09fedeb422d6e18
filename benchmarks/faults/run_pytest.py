"""Runs pytest on a scratch copy of the project, and records which tests did not pass.

`trial` runs it by its path, with the copy as working folder and first on the import path. It imports nothing from this
project itself, so that everything is imported from the copy.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

NOTHING_WRONG = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)


class _Notes:
    """A pytest plugin that counts the tests, and records which tests or test files failed."""

    def __init__(self) -> None:
        self.run = 0
        self.failed: dict[str, bool] = {}  # in order of failure: whether `make test` runs the test

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.run += report.when == "call"
        if report.failed:
            self.failed[report.nodeid] = "long" not in report.keywords

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.failed[report.nodeid] = True


def main(to: Path, arguments: list[str]) -> int:
    """Runs the tests. Returns 0 if they ran to the end, whether or not they passed."""
    for package in ("course", "grading"):
        file = importlib.import_module(package).__file__
        if file is None or not Path(file).is_relative_to(Path.cwd()):
            print(f"{package} is {file}, which is not in {Path.cwd()}", file=sys.stderr)
            return 1
    notes = _Notes()
    code = pytest.main(["--quiet", "--tb=line", "-p", "no:cacheprovider", *arguments], plugins=[notes])
    quick = [test for test, is_quick in notes.failed.items() if is_quick]
    to.write_text(json.dumps({"run": notes.run, "failed": list(notes.failed), "quick": quick}), encoding="utf-8")
    return 0 if code in NOTHING_WRONG or notes.failed else int(code)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
