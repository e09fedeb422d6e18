"""A student's definitions in the sandbox, through crashes and time-outs: a session that does not end."""

from __future__ import annotations

import time
from collections.abc import Hashable
from contextlib import ExitStack

from grading.sandbox.client import Child, Sandbox
from grading.sandbox.errors import StudentDied, StudentTimeout
from grading.sandbox.values import Object, Value

_OPERATION_SECONDS = 10.0


class SandboxSession:
    """Runs one exercise after the other in a child of the sandbox, and in a new one where a child was lost.

    Args:
        sandbox: makes the children.
        seconds: wall time for all operations together, without the grader's own work between them; what comes
            later times out at once.

    Attributes:
        crashes: how many children were lost: ended, or hung and were ended.
        kept: objects of the present child that later checks of the exercise use again.
    """

    def __init__(self, sandbox: Sandbox, seconds: float) -> None:
        self.crashes = 0
        self.kept: dict[Hashable, Object] = {}
        self._sandbox = sandbox
        self._seconds = seconds
        self._left = seconds
        self._child: Child | None = None
        self._stack = ExitStack()
        self._definition: dict[str, Value] | None = None

    def define(self, source: str, origin: str) -> None:
        """Runs the source of an exercise, and runs it again in each new child.

        Raises:
            SubmissionError: the source itself raises, hangs or ends its process.
        """
        self._definition = None
        self.kept.clear()
        operation = {"op": "define", "source": source, "origin": origin}
        self.perform(operation)
        self._definition = operation

    def perform(self, operation: dict[str, Value], timeout: float | None = None) -> Value:
        if self._left <= 0:
            raise StudentTimeout(self._seconds)
        limit = min(self._left, timeout or _OPERATION_SECONDS)
        started = time.monotonic()
        try:
            return self._living_child(limit).perform(operation, timeout=limit)
        except (StudentTimeout, StudentDied):
            self.crashes += 1
            self.close()
            raise
        finally:
            self._left -= time.monotonic() - started

    def _living_child(self, limit: float) -> Child:
        if self._child is None:
            self._child = self._stack.enter_context(self._sandbox.child())
            if self._definition:
                self._child.perform(self._definition, timeout=limit)
        return self._child

    def close(self) -> None:
        """Ends the child. The next operation gets a new one."""
        self._stack.close()
        self._child = None
        self.kept.clear()

    def __enter__(self) -> SandboxSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
