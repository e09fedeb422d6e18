"""Several processes learn what one does; if one is lost, the others end, say so, and can resume."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import keras
import numpy as np
import pytest
from safetensors.numpy import load_file

from course.errors import CourseError
from course.presets import PRESETS
from course.training.checkpoint import read_note
from course.training.history import History
from course.training.pretraining import CHECKPOINT, ENCODER, pretrain
from course.training.pretraining_settings import Settings
from course.training.processes import joined
from tests.course.data.corpus.small_corpus import random_shard, small_corpus
from tests.course.training.micro_runs import MICRO, Watcher

PATIENCE = 240  # seconds until a test gives up
BACKEND = keras.backend.backend()
on_jax = pytest.mark.skipif(BACKEND != "jax", reason="several processes need JAX")

# A command with a micro encoder, which is slowed down, and does not wait long for missing processes.
COMMAND = f"""
import runpy, sys, time
sys.modules["tensorflow"] = None  # its import takes as long as everything else
import course.commands.pretrain as command
from course.presets import PRESETS
from course.training import processes
PRESETS["tiny"] = {MICRO}
processes.SECONDS_TO_JOIN, processes.SECONDS_OF_SILENCE = 120, 30
command.ProgressBar.row = lambda self, row: time.sleep(0.2)
runpy.run_module("course", run_name="__main__", alter_sys=True)
"""
JOIN = """
import sys
sys.modules["tensorflow"] = None
from course.errors import CourseError
from course.training import processes
processes.SECONDS_TO_JOIN = int(sys.argv[4])
try:
    with processes.joined(int(sys.argv[2]), int(sys.argv[3]), sys.argv[1]):
        print("met")
except CourseError as error:
    sys.exit(f"Error: {error}")
"""


def free_address() -> str:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{listener.getsockname()[1]}"


def start(program: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3]), "TF_CPP_MIN_LOG_LEVEL": "3"}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def pair(corpus: Path, folder: Path) -> list[subprocess.Popen[str]]:
    """Start both processes of a run."""
    options = "--preset tiny --epochs 2 --max-length 16 --batch-tokens 96 --buckets 1 --log-every 4 --save-every 4"
    given = ["pretrain", corpus, "--to", folder, *options.split(), "--processes", 2, "--coordinator", free_address()]
    return [start(COMMAND, *given, "--process", number) for number in (0, 1)]


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Wait for a process to end; return its exit status, standard output and standard error."""
    try:
        output, error = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    return process.returncode, output, error


def signalled_after(step: int, folder: Path, processes: list[subprocess.Popen[str]], sent: signal.Signals) -> None:
    """Send a signal to the second of two processes once there is a checkpoint of this step."""
    until = time.monotonic() + PATIENCE
    while (note := read_note(folder / CHECKPOINT)) is None or note["step"] < step:
        assert time.monotonic() < until and all(process.poll() is None for process in processes), [
            ended(process)[2][-2000:] for process in processes
        ]
        time.sleep(0.02)
    processes[1].send_signal(sent)


@on_jax
@pytest.mark.long
def test_after_a_stop_and_a_kill_the_weights_equal_those_of_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(2017)
    corpus = small_corpus(tmp_path / "corpus", [random_shard(random, 60), random_shard(random, 50)])
    together, alone = tmp_path / "together", tmp_path / "alone"
    stopped = pair(corpus.folder, together)
    signalled_after(4, together, stopped, signal.SIGINT)
    assert [ended(process)[0] for process in stopped] == [130, 130]

    left, killed = pair(corpus.folder, together)
    signalled_after(read_note(together / CHECKPOINT)["step"] + 4, together, [left, killed], signal.SIGKILL)
    status, _, error = ended(left)
    assert status not in (0, None)
    assert "The same command in all processes resumes from the last checkpoint." in " ".join(error.split())
    assert "Traceback" not in error
    assert not (together / ENCODER).exists()
    ended(killed)

    first, second = map(ended, pair(corpus.folder, together))
    assert (first[0], second[0]) == (0, 0), first[2][-2000:] + second[2][-2000:]
    assert f"{ENCODER}: the encoder." in " ".join(first[1].split())
    assert "encoder" not in second[1] and "Step" not in second[2]  # only one process shows progress

    monkeypatch.setitem(PRESETS, "tiny", MICRO)
    settings = Settings("tiny", 2.0, max_length=16, batch_tokens=96, num_buckets=1, log_every=4)
    pretrain(corpus, alone, settings, Watcher())
    one, both = load_file(alone / CHECKPOINT), load_file(together / CHECKPOINT)
    assert one.keys() == both.keys()
    for name in one:
        np.testing.assert_allclose(both[name], one[name], atol=1e-5, err_msg=name)
    rows = [[row["step"] for row in History(folder, until=1000).rows] for folder in (alone, together)]
    assert rows[0] == rows[1]


@on_jax
def test_a_missing_process_and_a_wrong_count_are_reported() -> None:
    alone = start(JOIN, free_address(), 2, 1, 2)
    address = free_address()
    counting = [start(JOIN, address, 2, 0, 30), start(JOIN, address, 3, 1, 30)]
    status, output, error = ended(alone)
    assert (status != 0, output) == (True, "")
    assert "Error: Process 1 of 2 has not met the others at 127.0.0.1:" in error
    assert "within 2 seconds" in error
    status, output, error = ended(counting[1])
    counting[0].kill()
    counting[0].communicate()
    assert (status, output) == (1, "")
    assert "--processes is 3 here, and 2 elsewhere" in error


@pytest.mark.parametrize(
    ("count", "number", "coordinator", "message"),
    [
        (2, 2, "node1:4000", "--process 2 does not exist with --processes 2: they are numbered from 0 to 1"),
        (3, None, "node1:4000", "--process and --coordinator belong together"),
        (3, 0, None, "--process and --coordinator belong together"),
        (2, 0, "node1", "--coordinator must be HOST:PORT, such as node1:12345. Received: node1"),
        (2, None, None, "--processes 2 could not be joined .* --coordinator HOST:PORT --process NUMBER"),
    ],
)
def test_invalid_process_options_are_refused_at_once(
    count: int, number: int | None, coordinator: str | None, message: str
) -> None:
    expected = message if BACKEND == "jax" else f"--processes {count} needs JAX. Received: KERAS_BACKEND={BACKEND}"
    with pytest.raises(CourseError, match=expected), joined(count, number, coordinator):
        raise AssertionError("it was joined")


def test_a_single_process_joins_nothing() -> None:
    with joined(1):
        pass
