"""A student's definitions in the sandbox, through crashes and time-outs: a session that does not end."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from contextlib import ExitStack

from grading.sandbox.client import Child, Sandbox
from grading.sandbox.clock import Deadline, WallTime
from grading.sandbox.errors import StudentDied, StudentTimeout, SubmissionTimeout
from grading.sandbox.values import Object, Value

_OPERATION_SECONDS = 10.0
_BEGINNINGS = ("define", "seed")  # of what is tried once more where the machine was busy


class SandboxSession:
    """Runs one exercise after the other in a child of the sandbox, and in a new one where a child was lost.

    A new one begins, too, where an answer may use other things than the one before it: what it may not use is switched
    off until the child ends, and it could else use what the other has kept, such as a graph of just that.

    Args:
        sandbox: makes the children.
        seconds: the children's own time (see `clock`) for all operations together; what comes later times out at once.
        operation_seconds: the same for each operation, where `perform` is given no other.
        wall_time: by the clock on the wall, for all operations of a submission, in whichever session; none by default.

    Attributes:
        crashes: how many children were lost by what they did: ended, or hung and were ended.
        kept: objects of the present child that later checks of the exercise use again.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        seconds: float,
        *,
        operation_seconds: float = _OPERATION_SECONDS,
        wall_time: WallTime | None = None,
    ) -> None:
        self.crashes = 0
        self.kept: dict[Hashable, Object] = {}
        self._sandbox = sandbox
        self._seconds = seconds
        self._operation_seconds = operation_seconds
        self._wall_time = wall_time or WallTime(math.inf)
        self._used = 0.0  # by children that are gone
        self._missed = False  # the last try, because the machine was busy
        self._again = False  # this is tried for the second time
        self._child: Child | None = None
        self._stack = ExitStack()
        self._ready_made: list[str] | None = None  # what the present child's answers may not use
        self._gift: dict[str, Value] | None = None
        self._definition: dict[str, Value] | None = None
        self._seed: dict[str, Value] | None = None

    def define(
        self,
        source: str,
        origin: str,
        ready_made: Sequence[str] | None = None,
        library: str = "",
        given: Sequence[str] = (),
    ) -> None:
        """Runs the source of an exercise, and runs it again in each new child.

        Args:
            source: Python that `grading.judging.language` has nothing against.
            origin: what it is called in messages.
            ready_made: dotted names that it may not use; None for a text that is no student's, which may use all.
            library: the text of a module of the course.
            given: names that are taken from it before the source is run.

        Raises:
            SubmissionError: the source itself raises, hangs or ends its process.
        """
        names = None if ready_made is None else list(ready_made)
        # What a child has kept is not for an answer with other rules, nor what it was given for any other answer.
        if names != self._ready_made or given or self._gift:
            self.close()
        self._ready_made = names
        self._gift = {"op": "give", "library": library, "names": list(given)} if given else None
        self._definition = None
        self.kept.clear()
        operation: dict[str, Value] = {"op": "define", "source": source, "origin": origin, "ready_made": names}
        try:
            self.perform(operation)
        except StudentTimeout as timeout:
            if not timeout.machine_was_busy:
                raise
            self.perform(operation)
        self._definition = operation

    def perform(self, operation: dict[str, Value], timeout: float | None = None) -> Value:
        """Has one operation performed, and returns its answer.

        Raises:
            SubmissionTimeout: the submission has used up its time on the wall, in this operation or before it.
            SubmissionError: the operation failed otherwise (see `Child.perform`).
        """
        if self._wall_time.left <= 0:
            raise SubmissionTimeout(self._wall_time.seconds)
        with self._wall_time.passing() as deadline:
            return self._perform(operation, timeout, deadline)

    def _perform(self, operation: dict[str, Value], timeout: float | None, deadline: Deadline) -> Value:
        if operation["op"] in _BEGINNINGS:
            self._again, self._missed = self._missed, False
        if operation["op"] == "seed":
            self._seed = operation
        if operation["op"] == "load":  # in a process that knows nothing of what was saved but the file
            self.close()
        left = self._seconds - self._used - (self._child.seconds_used if self._child else 0.0)
        if left <= 0:
            raise StudentTimeout(self._seconds)
        limit = min(left, timeout or self._operation_seconds)
        try:
            return self._living_child(limit, deadline).perform(operation, limit, deadline)
        except (StudentTimeout, StudentDied) as error:
            is_late = isinstance(error, StudentTimeout) and deadline.is_over
            is_busy = isinstance(error, StudentTimeout) and error.machine_was_busy
            first_of_two = is_busy and not is_late and not self._again
            self.crashes += not first_of_two
            self._missed = first_of_two
            self.close()
            if is_late:
                raise SubmissionTimeout(self._wall_time.seconds) from None
            if isinstance(error, StudentTimeout) and limit == left:
                # What was left is never twice the same, and a student's marks and messages are.
                raise StudentTimeout(self._seconds, error.machine_was_busy) from None
            raise

    def _living_child(self, limit: float, deadline: Deadline) -> Child:
        if self._child is None:
            self._child = self._stack.enter_context(self._sandbox.child())
            for beginning in filter(None, (self._gift, self._definition, self._seed)):
                self._child.perform(beginning, limit, deadline)
        return self._child

    def close(self) -> None:
        """Ends the child. The next operation gets a new one."""
        self._stack.close()
        self._used += self._child.seconds_used if self._child else 0.0
        self._child = None
        self.kept.clear()

    def __enter__(self) -> SandboxSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
