"""A class on a busy machine: chapter 3's sample class, quietly and beside four burners a processor.

Limits count processor time, so the marks must be the same. The table has the time that grading took, and the students
whose marks or messages differ.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.sample_class.make import submissions

SUBMISSIONS = submissions(3)
BURNERS_EACH = 4


def measure() -> list[dict[str, Any]]:
    """A row for the quiet run and one for the busy one."""
    with tempfile.TemporaryDirectory() as folder:
        secret = Results(Path(folder) / "quiet", 3).secret.hex()
        (Path(folder) / "busy").mkdir()
        (Path(folder) / "busy" / "secret").write_text(secret)
        quiet, quiet_seconds = _grade(Path(folder) / "quiet")
        with burners(BURNERS_EACH * (os.cpu_count() or 1)):
            busy, busy_seconds = _grade(Path(folder) / "busy")
    differ = sorted(student for student in quiet if quiet[student] != busy[student])
    return [
        {"machine": "quiet", "submissions": len(quiet), "seconds": quiet_seconds, "differ": ""},
        {"machine": "busy", "submissions": len(busy), "seconds": busy_seconds, "differ": ", ".join(differ) or "nobody"},
    ]


@contextlib.contextmanager
def burners(count: int) -> Iterator[None]:
    """Runs this number of busy processes, each in its own session, like other users' work."""
    burning = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True) for _ in range(count)
    ]
    try:
        yield
    finally:
        for process in burning:
            process.kill()
            process.wait()


def _grade(folder: Path) -> tuple[dict[str, str], float]:
    """Grades the class. Returns each student's record as text, and the seconds."""
    start = time.perf_counter()
    records = grade_class(SUBMISSIONS, Results(folder, 3))
    return {record["student"]: json.dumps(record, sort_keys=True) for record in records}, time.perf_counter() - start
