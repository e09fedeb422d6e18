"""Leaves out what TensorFlow's compiled libraries say each time that they are loaded.

They say it before TensorFlow reads how much it is to say, so no setting keeps them from it. What goes to the standard
error meanwhile therefore passes through a process of its own, which knows these lines and passes on all others: it
lives on where loading ends the program, as on a processor that TensorFlow is not made for, so the reason is still said.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator

_GREETING = re.compile(
    rb"All log messages before absl::InitializeLog\(\) is called are written to STDERR"
    rb"|\bport\.cc:\d+\] oneDNN custom operations are on\."
    rb"|\bcudart_stub\.cc:\d+\] Could not find cuda drivers on your machine"
    rb"|\bcpu_feature_guard\.cc:\d+\] This TensorFlow binary is optimized to use available CPU instructions"
    rb"|^To enable the following instructions: .* rebuild TensorFlow with the appropriate compiler flags\."
    rb"|\bcuda_\w+\.cc:\d+\] Unable to register cu\w+ factory: Attempting to register factory"
)
_SECONDS_TO_END = 5


@contextlib.contextmanager
def without_greetings() -> Iterator[None]:
    """Leaves known greetings out of what is written to the standard error's descriptor in this block."""
    with contextlib.ExitStack() as stack:
        # Where there is no standard error, or no further process, nothing is left out.
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            stack.enter_context(_filtered())
        yield


@contextlib.contextmanager
def _filtered() -> Iterator[None]:
    _flush()
    real = os.dup(2)
    try:
        # An interrupt from the keyboard is for the program; the filter ends when it has nothing more to read.
        passing_on = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__], stdin=subprocess.PIPE, stdout=real, start_new_session=True
        )
        assert passing_on.stdin is not None
        os.dup2(passing_on.stdin.fileno(), 2)
        try:
            yield
        finally:
            _flush()
            os.dup2(real, 2)
            passing_on.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                passing_on.wait(_SECONDS_TO_END)
    finally:
        os.close(real)


def _flush() -> None:
    if sys.stderr is not None:
        sys.stderr.flush()


def without_known(text: str) -> str:
    """A text without the lines that are known greetings."""
    return "".join(line for line in text.splitlines(keepends=True) if not _GREETING.search(line.encode()))


def main() -> None:
    """Passes on what comes in, line by line, and leaves the greetings out."""
    for line in sys.stdin.buffer:
        if not _GREETING.search(line):
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
