"""Reports why this process ended if compiled code ends it, so that Python can no longer report anything.

A small second process holds the message and waits until this one has ended.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


@contextmanager
def last_words() -> Iterator[Callable[[str], None]]:
    """Yields a function that sets the message to write to standard error if this process ends within the block.

    If Python leaves the block in any way, by an exception too, the message is withdrawn.
    """
    speaker = subprocess.Popen(
        [sys.executable, "-I", "-S", __file__], stdin=subprocess.PIPE, bufsize=0, start_new_session=True
    )
    assert speaker.stdin is not None
    pipe = speaker.stdin

    def set_words(words: str) -> None:
        with suppress(BrokenPipeError):  # if the second process was killed, this one goes on
            pipe.write(words.replace("\n", " ").encode() + b"\n")

    try:
        yield set_words
    finally:
        set_words("")
        pipe.close()
        speaker.wait()


def main() -> None:
    """Reads the input to its end and writes its last line to standard error, unless that line is empty."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the program, not for this process
    words = b""
    for line in sys.stdin.buffer:
        words = line
    sys.stderr.buffer.write(words.strip() and words)


if __name__ == "__main__":
    main()
