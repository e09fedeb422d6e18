"""Ctrl-C, typed into a terminal: one line says what happens, and the same command resumes."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from course.training.checkpoint import read_note
from course.training.pretraining import CHECKPOINT
from tests.course.data.corpus.small_corpus import random_shard, small_corpus

pytestmark = pytest.mark.long

CONTROL_C = b"\x03"
PATIENCE = 900  # seconds until a test gives up
# Typed characters become signals only for processes whose controlling terminal it is.
IN_ITS_TERMINAL = """
import fcntl, runpy, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
runpy.run_module("course", run_name="__main__", alter_sys=True)
"""


def typed_after(sign: str, *command: object) -> tuple[int, str]:
    """Run a command in its own terminal, type Ctrl-C once `sign` appears, and wait for its end.

    Returns:
        The exit status, and the whole output.
    """
    master, slave = pty.openpty()
    environment = {**os.environ, "COLUMNS": "200", "TERM": "xterm"}
    process = subprocess.Popen(
        [sys.executable, "-c", IN_ITS_TERMINAL, *map(str, command)],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment,
        start_new_session=True,
    )
    os.close(slave)
    shown, typed, until = "", False, time.monotonic() + PATIENCE
    try:
        while time.monotonic() < until:
            if select.select([master], [], [], 0.2)[0]:
                try:
                    shown += os.read(master, 4096).decode(errors="replace")
                except OSError:  # the other end is closed
                    break
            elif process.poll() is not None:
                break
            if not typed and sign in shown:
                os.write(master, CONTROL_C)
                typed = True
        return process.wait(timeout=30), re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    finally:
        process.kill()
        process.wait()
        os.close(master)


def lines_with(part: str, shown: str) -> list[str]:
    return [line for line in shown.splitlines() if part in line]


def test_an_interrupted_pretraining_resumes(tmp_path: Path) -> None:
    corpus = small_corpus(tmp_path / "corpus", [random_shard(np.random.default_rng(8), 400)])
    sizes = ("--preset", "tiny", "--layers", 1, "--max-length", 16, "--batch-tokens", 64, "--buckets", 1)
    command = ("pretrain", corpus.folder, "--to", tmp_path / "run", *sizes, "--epochs", 900, "--log-every", 2)
    status, shown = typed_after("Step ", *command)
    assert status == 130, shown[-2000:]
    (line,) = lines_with("The same command resumes from there", shown)
    note = read_note(tmp_path / "run" / CHECKPOINT)
    assert note is not None
    assert f"Stopped at step {note['step']:,} of" in line
    assert "Traceback" not in shown

    status, shown = typed_after("Step ", *command)
    assert status == 130, shown[-2000:]
    assert f"Resuming at step {note['step']}" in shown
    later = read_note(tmp_path / "run" / CHECKPOINT)
    assert later is not None
    assert later["step"] > note["step"]


def test_an_interrupted_fine_tuning_resumes(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    rows = (f"goal {number} scored,sport\nshares fell {number},money\n" for number in range(80))
    table.write_text("text,kind\n" + "".join(rows))
    sizes = ("--preset", "tiny", "--max-length", 8, "--batch-size", 4)
    command = ("finetune", table, "--text", "text", "--label", "kind", *sizes, "--to", tmp_path / "run")
    command += ("--epochs", 900, "--patience", 900)
    status, shown = typed_after("epoch ", *command)
    assert status == 130, shown[-2000:]
    first = stopped_after(shown)

    status, shown = typed_after("epoch ", *command)
    assert status == 130, shown[-2000:]
    # The last epoch is shown again; those before it are not.
    assert min(int(number) for number in re.findall(r"epoch (\d+):", shown)) == first
    assert stopped_after(shown) > first


def stopped_after(shown: str) -> int:
    """Return the epoch after which the fine-tuning says that it stopped."""
    (line,) = lines_with("The same command resumes there", shown)
    epoch = re.search(r"Stopped after epoch (\d+) of seed-1", line)
    assert epoch, line
    assert "Traceback" not in shown
    return int(epoch[1])
