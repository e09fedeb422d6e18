"""A fault: a change of the code, and the tests that could notice.

The command finds a fault by its text, and tests by their file names, anywhere in the project. So the list survives
moved files. If a line is rewritten, its fault must be updated, and the command names it.
"""

from __future__ import annotations

from dataclasses import dataclass

from grading.judging.changes import Change

LAYERS, TRAINING, TEXT, STORAGE = "layers", "training", "text and corpus", "files and weights"
CHECKS, DIAGNOSIS, SANDBOX, RELEASE, REPORT = "checks", "diagnosis", "sandbox", "release", "pages and marks"


@dataclass(frozen=True)
class Fault:
    """One fault.

    Attributes:
        name: what goes wrong, in a few words.
        kind: the part of the project.
        change: texts that stand in the code exactly once, and what stands there instead.
        tests: file names; `one.py|other.py` is the first that exists.
        only: an expression for pytest's -k, for files with many other tests.
    """

    name: str
    kind: str
    change: Change
    tests: tuple[str, ...]
    only: str = ""
