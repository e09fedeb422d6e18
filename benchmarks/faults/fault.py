"""A fault: a few words of the code that are replaced by others, and the tests that could notice.

A fault is found by its text, and tests by the names of their files, wherever in the project they lie. So the list
survives a move. What it says of a line has to follow where the line is rewritten, and the command says which one.
"""

from __future__ import annotations

from dataclasses import dataclass

LAYERS, TRAINING, TEXT, STORAGE = "layers", "training", "text and corpus", "files and weights"
CHECKS, DIAGNOSIS, SANDBOX, RELEASE, REPORT = "checks", "diagnosis", "sandbox", "release", "pages and marks"


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong.

    Attributes:
        name: what goes wrong, in a few words.
        kind: in which part of the project.
        old: what stands in the code, once in all of it.
        new: what is put in its place.
        tests: names of files; `one.py|other.py` is whichever there is.
        only: an expression for pytest's -k, where a file has many other tests.
    """

    name: str
    kind: str
    old: str
    new: str
    tests: tuple[str, ...]
    only: str = ""
