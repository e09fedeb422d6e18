"""Puts a fault into a scratch copy of the project, and runs tests on it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchmarks.faults.fault import Fault
from grading.errors import GradingError
from grading.judging.changes import changed_sources

_FAULTY = ("course", "grading")
_KINDS_OF_FILES = (".py", ".html")
_QUOTING = {"mistakes", "solutions", "answers", "students.py"}  # whose files quote the code that they change
_SECONDS = 900  # for one run; a fault may cause an endless loop
_WITHOUT = ("KERAS_BACKEND", "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTHONDONTWRITEBYTECODE")
# As in the Makefile, so that parallel runs do not compete for threads.
_ENVIRONMENT = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_NUM_INTRAOP_THREADS": "1", "OMP_NUM_THREADS": "1"}
NEVER_ENDED = f"(the tests did not end within {_SECONDS} seconds)"


@dataclass(frozen=True)
class Trial:
    """The result of a trial.

    Attributes:
        run: the number of tests that were run.
        failed: the node ids of those that did not pass.
        quick: those of them that `make test` runs.
        seconds: how long they took.
    """

    run: int
    failed: list[str]
    quick: list[str]
    seconds: float


class Tree:
    """A checkout.

    Args:
        folder: its root.
        python: an interpreter with the packages that the tests need.
    """

    def __init__(self, folder: Path, python: Path) -> None:
        self.folder = folder.resolve()
        self.python = python
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=self.folder,
            capture_output=True,
            check=True,
        )
        names = sorted(set(os.fsdecode(listed.stdout).split("\0")) - {""})
        self.files = [Path(name) for name in names if (self.folder / name).is_file()]

    def digest(self) -> str:
        """A hash of all files, so that results are reused for the same code only."""
        digest = hashlib.sha256()
        for file in self.files:
            digest.update(f"{file}\0".encode() + hashlib.sha256((self.folder / file).read_bytes()).digest())
        return digest.hexdigest()

    def tests(self, fault: Fault) -> list[str]:
        """The paths of a fault's test files, wherever they are in tests/."""
        paths: list[str] = []
        for alternatives in fault.tests:
            named = next(filter(None, map(self._named, alternatives.split("|"))), None)
            if named is None:
                raise GradingError(f"the fault {fault.name!r}: there is no {alternatives} in tests")
            paths += named
        return paths

    def _named(self, name: str) -> list[str]:
        return [file.as_posix() for file in self.files if file.parts[0] == "tests" and file.name == name]

    @cached_property
    def _code(self) -> dict[str, str]:
        """The texts of the files that a fault can change, by their paths."""
        code = [file for file in self.files if file.parts[0] in _FAULTY and file.suffix in _KINDS_OF_FILES]
        code = [file for file in code if not _QUOTING & {*file.parts}]
        return {file.as_posix(): (self.folder / file).read_text(encoding="utf-8") for file in code}

    def with_fault(self, fault: Fault) -> dict[str, str]:
        """The texts of the files that the fault changes, with it, by their paths."""
        return changed_sources(self._code, fault.change, f"the fault {fault.name!r}")

    def try_tests(self, fault: Fault, *, with_it: bool = True) -> Trial:
        """Runs the tests of a fault on a copy, with or without the fault.

        Raises:
            GradingError: a text or a test file is missing, or pytest itself fails.
        """
        tests, faulty = self.tests(fault), self.with_fault(fault)
        with self._copy() as copy:
            for path, code in faulty.items() if with_it else ():
                (copy / path).write_text(code, encoding="utf-8")
            # By default, only a third of the mistakes is tested, and the fault may show in another one.
            every = ["--every-mistake"] if any(Path(test).name == "test_exercises.py" for test in tests) else []
            return self._run(copy, [*tests, *every, *(["-k", fault.only] if fault.only else [])])

    @contextlib.contextmanager
    def _copy(self) -> Iterator[Path]:
        with tempfile.TemporaryDirectory(prefix="fault-") as scratch:
            copy = Path(scratch, "project")
            for file in self.files:
                (copy / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(self.folder / file, copy / file)
            Path(scratch).chmod(0o755)  # some tests run as an unprivileged user
            yield copy.resolve()

    def _run(self, copy: Path, arguments: list[str]) -> Trial:
        notes, output = copy.parent / "notes.json", copy.parent / "said.txt"
        environment = {name: value for name, value in os.environ.items() if name not in _WITHOUT}
        started = time.monotonic()
        with output.open("wb") as log:
            process = subprocess.Popen(
                # -P: keeps the script's folder off the import path; its modules have the names of packages
                [self.python, "-P", Path(__file__).with_name("run_pytest.py"), notes, *arguments],
                cwd=copy,
                env={**environment, **_ENVIRONMENT, "PYTHONPATH": str(copy)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                code = process.wait(_SECONDS)
            except subprocess.TimeoutExpired:
                return Trial(0, [NEVER_ENDED], [NEVER_ENDED], time.monotonic() - started)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        seconds = time.monotonic() - started
        if code < 0:
            failures = [f"(the tests ended by signal {-code})"]
            return Trial(0, failures, failures, seconds)
        if code or not notes.exists():
            raise GradingError(f"pytest {' '.join(arguments)} ended with code {code}: {_last_words(output)}")
        return Trial(seconds=seconds, **json.loads(notes.read_text(encoding="utf-8")))


def _last_words(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace").strip()[-1000:]
