"""Runs the code of an attack in a child."""

from __future__ import annotations

import textwrap
from typing import Any

from grading.sandbox.client import Child


def run(child: Child, source: str, *args: Any, timeout: float = 10.0) -> Any:
    """What `attack` in the source returns."""
    child.perform({"op": "define", "source": textwrap.dedent(source), "origin": "<cell>"}, timeout)
    return child.perform({"op": "call", "target": "attack", "args": list(args), "kwargs": {}}, timeout)
