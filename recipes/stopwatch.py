"""Measures how long each part of a recipe takes, over all starts."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from course.storage.outputs import write_json

SECONDS_BETWEEN_NOTES = 20.0


class Stopwatch:
    """Runs the parts, and records in a file how long each has taken and which are finished.

    A killed run loses only the time since its last note.

    Attributes:
        seconds: how long each part has taken.
        finished: the parts that have succeeded.
    """

    def __init__(self, path: Path) -> None:
        notes = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"seconds": {}, "finished": []}
        self.seconds: dict[str, float] = notes["seconds"]
        self.finished: list[str] = notes["finished"]
        self._path = path
        self._since = 0.0

    def run(self, part: str, command: Sequence[str]) -> bool:
        """Runs the command of a part that is not finished. Returns whether it succeeded."""
        with subprocess.Popen(command) as process:
            self._since = time.perf_counter()
            try:
                while not _has_ended(process):
                    self._count(part)
            except BaseException:
                process.kill()
                raise
            finally:
                self._count(part)
        if process.returncode == 0:
            self.finished.append(part)
            self._note()
        return process.returncode == 0

    def _count(self, part: str) -> None:
        """Adds the time since the last count, and writes a note."""
        now = time.perf_counter()
        self.seconds[part] = self.seconds.get(part, 0.0) + now - self._since
        self._since = now
        self._note()

    def _note(self) -> None:
        write_json(self._path, {"seconds": self.seconds, "finished": self.finished})


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Waits until it is time for a note or the process has ended; returns whether it has ended."""
    try:
        process.wait(SECONDS_BETWEEN_NOTES)
    except subprocess.TimeoutExpired:
        return False
    return True
