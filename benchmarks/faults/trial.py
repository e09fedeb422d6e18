"""A fault in a scratch copy of the project, and the tests that are run on it."""

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
from pathlib import Path

from benchmarks.faults.fault import Fault

_FAULTY = ("course", "grading")
_KINDS_OF_FILES = (".py", ".html")
_SECONDS = 900  # of one run; a fault can be that something never ends
_WITHOUT = ("KERAS_BACKEND", "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTHONDONTWRITEBYTECODE")
# As in the Makefile: two runs at a time must not be in one another's way.
_ENVIRONMENT = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_NUM_INTRAOP_THREADS": "1", "OMP_NUM_THREADS": "1"}
NEVER_ENDED = f"(the tests did not end within {_SECONDS} seconds)"


class TrialError(Exception):
    """A trial says nothing: its fault is not in the code, or its tests cannot be run."""


@dataclass(frozen=True)
class Trial:
    """What came of it.

    Attributes:
        run: how many tests were run.
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
        python: the interpreter that has what the tests need.
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
        """Other where any file is: what was found out about other code counts no more."""
        found = hashlib.sha256()
        for file in self.files:
            found.update(f"{file}\0".encode() + hashlib.sha256((self.folder / file).read_bytes()).digest())
        return found.hexdigest()

    def tests(self, fault: Fault) -> list[str]:
        """The files of tests of a fault, wherever they lie by now."""
        found: list[str] = []
        for alternatives in fault.tests:
            named = next(filter(None, map(self._named, alternatives.split("|"))), None)
            if named is None:
                raise TrialError(f"there is no {alternatives} in tests")
            found += named
        return found

    def _named(self, name: str) -> list[str]:
        return [file.as_posix() for file in self.files if file.parts[0] == "tests" and file.name == name]

    def place(self, fault: Fault) -> Path:
        """The file that the fault is put into."""
        code = [file for file in self.files if file.parts[0] in _FAULTY and file.suffix in _KINDS_OF_FILES]
        code = [file for file in code if file.parent.name != "mistakes"]  # which quote the code that they change
        counts = {file: (self.folder / file).read_text(encoding="utf-8").count(fault.old) for file in code}
        places = [file for file, count in counts.items() if count]
        if sum(counts.values()) != 1:
            where = ", ".join(map(str, places)) or "nowhere"
            raise TrialError(f"the text of the fault {fault.name!r} must be in the code once; it is in {where}")
        return places[0]

    def try_tests(self, fault: Fault, *, with_it: bool = True) -> Trial:
        """Runs the tests of a fault on a copy, with the fault in it or without.

        Raises:
            TrialError: there is no such text or file, or pytest itself fails.
        """
        tests, place = self.tests(fault), self.place(fault)
        with self._copy() as copy:
            if with_it:
                code = (copy / place).read_text(encoding="utf-8")
                (copy / place).write_text(code.replace(fault.old, fault.new), encoding="utf-8")
            # A fault may show in a mistake whose turn it is not.
            every = ["--every-mistake"] if any(Path(test).name == "test_exercises.py" for test in tests) else []
            return self._run(copy, [*tests, *every, *(["-k", fault.only] if fault.only else [])])

    @contextlib.contextmanager
    def _copy(self) -> Iterator[Path]:
        with tempfile.TemporaryDirectory(prefix="fault-") as scratch:
            copy = Path(scratch, "project")
            for file in self.files:
                (copy / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(self.folder / file, copy / file)
            Path(scratch).chmod(0o755)  # some tests come as an ordinary user
            yield copy.resolve()

    def _run(self, copy: Path, arguments: list[str]) -> Trial:
        notes, said = copy.parent / "notes.json", copy.parent / "said.txt"
        environment = {name: value for name, value in os.environ.items() if name not in _WITHOUT}
        started = time.monotonic()
        with said.open("wb") as log:
            process = subprocess.Popen(
                # -P: the folder of that script has modules of its own that are called like packages
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
            ended = [f"(the tests ended by signal {-code})"]
            return Trial(0, ended, ended, seconds)
        if code or not notes.exists():
            raise TrialError(f"pytest {' '.join(arguments)} ended with code {code}: {_last_words(said)}")
        return Trial(seconds=seconds, **json.loads(notes.read_text(encoding="utf-8")))


def _last_words(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace").strip()[-1000:]
