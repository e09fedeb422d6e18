"""A student's definitions in the sandbox, through crashes and time-outs: a session that does not end."""

from __future__ import annotations

import time
from contextlib import ExitStack

from grading.sandbox.client import Child, Sandbox
from grading.sandbox.errors import StudentDied, StudentTimeout
from grading.sandbox.values import Value

_OPERATION_SECONDS = 10.0


class SandboxSession:
    """Runs one exercise after the other in a child of the sandbox, and in a new one where a child was lost.

    Args:
        sandbox: makes the children.
        seconds: wall time for all operations together; what comes later times out at once.
    """

    def __init__(self, sandbox: Sandbox, seconds: float) -> None:
        self._sandbox = sandbox
        self._ends = time.monotonic() + seconds
        self._seconds = seconds
        self._child: Child | None = None
        self._stack = ExitStack()
        self._definition: dict[str, Value] | None = None

    def define(self, source: str, origin: str) -> None:
        """Runs the source of an exercise, and runs it again in each new child.

        Raises:
            SubmissionError: the source itself raises, hangs or ends its process.
        """
        self._definition = None
        operation = {"op": "define", "source": source, "origin": origin}
        self.perform(operation)
        self._definition = operation

    def perform(self, operation: dict[str, Value], timeout: float | None = None) -> Value:
        left = self._ends - time.monotonic()
        if left <= 0:
            raise StudentTimeout(self._seconds)
        limit = min(left, timeout or _OPERATION_SECONDS)
        try:
            return self._living_child(limit).perform(operation, timeout=limit)
        except (StudentTimeout, StudentDied):
            self.close()
            raise

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

    def __enter__(self) -> SandboxSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
