"""The grader's side of the sandbox: `Sandbox` holds the zygote, and each `Child` runs one student's definitions."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import socket
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from grading.sandbox import wire
from grading.sandbox.answers import check_answer
from grading.sandbox.clock import Deadline, OwnTime, Patience, Usage
from grading.sandbox.control import receive_message
from grading.sandbox.errors import BadAnswer, StudentDied, StudentError, StudentTimeout
from grading.sandbox.host import choose_backend, describe_host
from grading.sandbox.limits import Limits
from grading.sandbox.start import SandboxFailed, Zygote
from grading.sandbox.values import Value
from grading.untrusted import shown

_SECONDS_TO_SAY_HOW_IT_ENDED = 2.0
_SECONDS_TO_ANSWER = 30.0  # on a busy machine a supervisor waits for its turn, too
_LIMITS: dict[int, str] = {
    signal.SIGKILL: "the process was ended: out of processor time or memory, or killed by its own hand",
    signal.SIGXFSZ: "the process was ended, because a file grew too large",
}


class Sandbox:
    """A place in which a submission can read, keep and break nothing but its own.

    Args:
        library: folder that holds the `course` which submissions may import.
        ready_made: dotted names, such as `keras.layers.MultiHeadAttention`, that raise NotAllowed in it.
        limits: what each child may use.
        without_isolation: runs submissions as the grader itself, with limits alone. Only for those that you trust
            as you trust yourself.
        alone: see `choose_backend`.

    Attributes:
        backend: what isolates submissions; None if nothing does.

    Raises:
        SandboxUnavailable: this host cannot isolate.
        SandboxFailed: it could, but the sandbox did not start.

    Example:
        with Sandbox(library=folder) as sandbox, sandbox.child() as child:
            child.perform({"op": "define", "source": source, "origin": "cell 7"})
    """

    def __init__(
        self,
        *,
        library: Path,
        ready_made: Sequence[str] = (),
        limits: Limits | None = None,
        without_isolation: bool = False,
        alone: bool = False,
    ) -> None:
        self._library = Path(library)
        self._ready_made = tuple(ready_made)
        self._limits = limits or Limits()
        self.backend = None if without_isolation else choose_backend(describe_host(), alone)
        self._zygote: Zygote | None = None
        self._lock = threading.Lock()
        self._turn = threading.Lock()

    def __enter__(self) -> Sandbox:
        self._zygote = self._start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            zygote, self._zygote = self._zygote, None
        if zygote is not None:
            zygote.close()

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """The time of one submission. Where children share a scratch folder, others wait until it is over."""
        is_shared = self.backend is not None and not self._running().nested
        with self._turn if is_shared else contextlib.nullcontext():
            yield

    @contextlib.contextmanager
    def child(self) -> Iterator[Child]:
        """A fresh process, for one submission at most. Several threads may hold one each at the same time.

        Raises:
            SandboxFailed: no child can be had, not even from a restarted zygote.
        """
        child = self._new_child()
        try:
            yield child
        finally:
            child.close()

    def _new_child(self) -> Child:
        zygote = self._running()
        try:
            return self._ask(zygote)
        except (OSError, EOFError, TimeoutError) as first:
            # Most likely the zygote is gone: once more, and with another if so.
            try:
                return self._ask(self._running(instead_of=zygote))
            except (OSError, EOFError, TimeoutError) as second:
                raise SandboxFailed(
                    f"the sandbox gives no process any more, not even after a restart ({first!r}, then {second!r})"
                ) from second

    def _running(self, instead_of: Zygote | None = None) -> Zygote:
        with self._lock:
            if self._zygote is None:
                raise SandboxFailed("the sandbox is closed; use it inside its `with` block")
            if self._zygote is instead_of and not self._zygote.alive:
                self._zygote.close()
                self._zygote = self._start()
            return self._zygote

    def _start(self) -> Zygote:
        return Zygote(self._library, self._ready_made, self._limits, self.backend)

    def _ask(self, zygote: Zygote) -> Child:
        connection, its_connection = socket.socketpair()
        lifeline, their_lifeline = socket.socketpair()
        child = Child(connection, lifeline, self._limits)
        try:
            with its_connection, their_lifeline, self._lock:
                zygote.control.settimeout(self._limits.start_seconds)
                socket.send_fds(zygote.control, [b"1"], [its_connection.fileno(), their_lifeline.fileno()])
            child.wait_until_ready()
        except BaseException:
            child.close()
            raise
        return child


class Child:
    """A session (see `Interpreter`) whose student code runs in a process of its own in the sandbox.

    Args:
        connection: operations go out here and answers come in.
        lifeline: the process is killed when this is closed; how it ended is said here.
        limits: what it may use.

    Attributes:
        seconds_used: of its own time, by all operations so far.
    """

    def __init__(self, connection: socket.socket, lifeline: socket.socket, limits: Limits) -> None:
        self.seconds_used = 0.0
        self._connection = connection
        self._lifeline = lifeline
        self._limits = limits
        self._ended: str | None = None
        self._status: int | None = None

    def perform(
        self, operation: dict[str, Value], timeout: float | None = None, deadline: Deadline | None = None
    ) -> Value:
        """Has one operation performed, and returns its answer.

        Args:
            operation: as `Interpreter.perform` takes it.
            timeout: seconds of the child's own time (see `grading.sandbox.clock`); the limits' own where it is None.
            deadline: when it is ended on the wall, whatever it has had of its own time; never where it is None.

        Raises:
            StudentError: the student's code raised.
            StudentTimeout: there was no answer in time; the process is killed.
            StudentDied: the process ended, now or in an earlier operation.
            BadAnswer: what came back is not a value.
        """
        if self._ended is not None:
            raise StudentDied(self._ended)
        seconds = self._limits.operation_seconds if timeout is None else timeout
        own_time = OwnTime(seconds, self._usage, deadline or Deadline(math.inf))
        try:
            reply = self._exchange(operation, own_time)
        except TimeoutError:
            busy = own_time.machine_was_busy
            self._end(f"the process was ended, because it gave no answer within {seconds:g} seconds")
            raise StudentTimeout(seconds, machine_was_busy=busy) from None
        except (EOFError, OSError):
            self._end(self._how_it_ended())
            raise StudentDied(str(self._ended)) from None
        finally:
            self.seconds_used += own_time.used()
        return _unpacked(reply, self._limits.answer_bytes)

    def wait_until_ready(self) -> None:
        """Waits until the process has locked itself in.

        Raises:
            SandboxFailed: it could not.
            EOFError, OSError, TimeoutError: there is no process.
        """
        try:
            reply = wire.receive(self._connection, Deadline(self._limits.start_seconds))
        except EOFError:
            failure = receive_message(self._lifeline, _SECONDS_TO_SAY_HOW_IT_ENDED)
            if "failed" in failure:
                raise SandboxFailed(f"a process could not be isolated: {failure['failed']}") from None
            raise
        if reply != {"ready": True}:
            raise SandboxFailed(f"a process could not be isolated: {reply}")

    def close(self) -> None:
        """Ends the process."""
        self._end("the process was ended by the grader")

    def _exchange(self, operation: dict[str, Value], patience: Patience) -> Value:
        wire.send(self._connection, operation, patience)
        try:
            return wire.receive(self._connection, patience, self._limits.answer_bytes)
        except (TimeoutError, EOFError, OSError):
            raise
        except Exception as error:  # whatever a hostile frame has found to trip the reader up with
            bad = error if isinstance(error, BadAnswer) else BadAnswer("the reply is none that the sandbox gives")
            # What follows on this connection cannot be told apart from what was bad.
            self._end("the process was ended, because an answer before was not valid")
            raise bad from None

    def _end(self, reason: str) -> None:
        self._ended = self._ended or reason
        self._connection.close()
        with contextlib.suppress(OSError):
            self._lifeline.shutdown(socket.SHUT_WR)
            while receive_message(self._lifeline, _SECONDS_TO_ANSWER):
                pass  # its supervisor speaks last when the process and its folder are gone
        self._lifeline.close()

    def _usage(self) -> Usage | None:
        """What the process has had of the machine, as its supervisor says."""
        if self._ended is not None:
            return None
        try:
            self._lifeline.sendall(b"?")
            said = receive_message(self._lifeline, _SECONDS_TO_ANSWER)
        except OSError:
            return None
        self._status = said.get("status", self._status)
        return Usage(*said["usage"]) if said.get("usage") else None

    def _how_it_ended(self) -> str:
        """What became of a process that does not talk any more."""
        try:
            while self._status is None:
                said = receive_message(self._lifeline, _SECONDS_TO_SAY_HOW_IT_ENDED)
                if not said:
                    break
                self._status = said.get("status")
        except TimeoutError:
            return "the process closed its connection, and was ended for that"
        except OSError:
            pass
        return _in_words(self._status)


def _unpacked(reply: Value, answer_bytes: int) -> Value:
    """A reply of the student's process, which may say anything, as an answer or an error."""
    match reply:
        case {"answer": value, **rest} if not rest:
            check_answer(value, answer_bytes)
            return value
        case {"error": [str(kind), str(message), str(line)]}:
            raise StudentError(*(shown(text) for text in (kind, message, line)))
        case {"bad answer": str(reason)}:
            raise BadAnswer(shown(reason))
    raise BadAnswer("the reply is none that the sandbox gives")


def _in_words(status: int | None) -> str:
    """How a process ended, from its wait status.

    Students read this of checks on hidden inputs, and an exit code, or one signal of many, could tell of those.
    """
    if status is None:
        return "the process ended together with the sandbox that held it"
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return "the process ended itself, as os._exit does"
    return _LIMITS.get(-code, "the process crashed in compiled code, or aborted")
