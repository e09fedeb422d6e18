"""What can go wrong with a submission."""

from __future__ import annotations

# Ends the message of what a student's code raised while a model was compiled, when sizes and numbers are not known.
COMPILED = "(while it was compiled)"


class SubmissionError(Exception):
    """One operation on a student's definitions failed, and the student's code is why."""


class StudentError(SubmissionError):
    """The student's code raised.

    Args:
        kind: name of the exception's class, such as `ValueError`.
        message: what the exception said.
        line: the student's own line that led to it, or an empty string. If it stands in another definition than the
            one that was called: the last line of that one, then this line, then the name of where it stands.
    """

    def __init__(self, kind: str, message: str, line: str = "") -> None:
        super().__init__(kind, message, line)
        self.kind = kind
        self.message = message
        self.line = line

    def __str__(self) -> str:
        said = f"{self.kind}: {self.message}" if self.message else self.kind
        lines = self.line.split("\n")
        return f"{said} ({' → '.join(lines[:2])})" if self.line else said


class StudentTimeout(SubmissionError):
    """No answer came in time; the process has been killed.

    Args:
        seconds: of its own time that it had.
        machine_was_busy: whether it had to wait for the machine, too, so that another try may end otherwise.
    """

    def __init__(self, seconds: float, machine_was_busy: bool = False) -> None:
        super().__init__(seconds)
        self.seconds = seconds
        self.machine_was_busy = machine_was_busy

    def __str__(self) -> str:
        return f"there was no answer within {self.seconds:g} seconds"


class SubmissionTimeout(StudentTimeout):
    """All that runs of a submission has taken too long by the clock on the wall, and nothing more of it runs."""

    def __str__(self) -> str:
        return (
            f"the submission has run for {self.seconds:g} seconds by the clock on the wall, the most that one may take,"
            " and this was ended or not begun; start no threads, do not sleep and compute less; if your code does none"
            " of that, ask for it to be graded again on a quieter machine"
        )


class StudentDied(SubmissionError):
    """The student's process ended in the middle of an operation, or before it."""


class BadAnswer(SubmissionError):
    """The answer is not a value: too large, malformed, or of a type that may not pass."""


class NotAllowed(Exception):
    """Raised in the student's process by a ready-made answer that the exercise asks to write."""
