"""Says why this process has ended, where compiled code ends it without asking Python.

What is to be said is known to a small process of its own, which waits until this one is gone.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


@contextmanager
def last_words() -> Iterator[Callable[[str], None]]:
    """Gives a function that sets what is written to the standard error if this process ends within the block.

    Whatever leaves the block as Python does, an exception among it, takes the words back.
    """
    speaker = subprocess.Popen(
        [sys.executable, "-I", "-S", __file__], stdin=subprocess.PIPE, bufsize=0, start_new_session=True
    )
    assert speaker.stdin is not None
    pipe = speaker.stdin

    def set_words(words: str) -> None:
        with suppress(BrokenPipeError):  # who speaks was killed, which is no reason to end
            pipe.write(words.replace("\n", " ").encode() + b"\n")

    try:
        yield set_words
    finally:
        set_words("")
        pipe.close()
        speaker.wait()


def main() -> None:
    """Waits for the end of the input, and writes its last line, unless it is empty."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the program; who speaks for it lives on
    words = b""
    for line in sys.stdin.buffer:
        words = line
    sys.stderr.buffer.write(words.strip() and words)


if __name__ == "__main__":
    main()
