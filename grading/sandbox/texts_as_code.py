"""Keeps libraries from running texts as code, however an answer has come to the function that would."""

from __future__ import annotations

import sys
from typing import Any

from grading.sandbox.errors import NotAllowed

# What runs code in a child: what defines answers and what TensorFlow makes of them, Python's imports, and what writes
# its code itself from names.
_MAY = ("grading.sandbox.interpreter", "grading.sandbox.sources", "_frozen_importlib", "dataclasses", "collections")


def refuse_texts() -> None:
    """From now on in this process, `exec` and `eval` raise NotAllowed in all modules but a few."""
    places = [vars(sys.modules[name]) for name in _MAY]

    def refuse(event: str, _: Any) -> None:
        if event != "exec":
            return
        names = sys._getframe(1).f_globals  # not `__name__`, which a text can set
        if not any(names is place for place in places):
            raise NotAllowed("a text may not be run as code in an answer")

    sys.addaudithook(refuse)
