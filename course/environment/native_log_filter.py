"""Filters out the messages that TensorFlow's compiled libraries write whenever they are loaded.

They write them before TensorFlow reads its log level, so no setting can silence them. During the import, standard error
therefore passes through a separate process, which drops the known lines and passes on all others. That process survives
if loading ends the program, as on a processor that TensorFlow does not support, so the reason is still shown.
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
    """Drops known start-up messages from what is written to standard error's descriptor within the block."""
    with contextlib.ExitStack() as stack:
        # If there is no standard error, or no process can be started, nothing is filtered.
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
    """A text without the lines that are known start-up messages."""
    return "".join(line for line in text.splitlines(keepends=True) if not _GREETING.search(line.encode()))


def main() -> None:
    """Copies the input to the output line by line, without the known start-up messages."""
    for line in sys.stdin.buffer:
        if not _GREETING.search(line):
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
