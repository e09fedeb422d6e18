"""The process that trains the learner's model: it is killed, stopped, started again, and given unfit definitions."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from course import my_model
from course.data.corpus.preparation import prepare
from course.data.corpus.sources import open_corpus
from course.my_model import training
from course.my_model.definitions import Definitions, settle
from course.my_model.folder import FAILED, FINISHED, STOPPED, TRAINS, Progress, read_progress
from course.storage.alone import is_running
from course.training import pretraining
from course.training.pretraining import CHECKPOINT
from grading.storage.project import PROJECT
from tests.course.training.micro_runs import assert_same_state

pytestmark = pytest.mark.long

# Two dozen steps of one block, with a row every 4 steps.
SHORT = {"layers": 1, "epochs": 0.05, "batch_tokens": 1024, "num_buckets": 1, "log_every": 4}
PROGRAM = "import json, sys; from pathlib import Path; from course.my_model.training import run_alone; " + (
    "run_alone(Path(sys.argv[1]), Path(sys.argv[2]) if sys.argv[2] else None, **json.loads(sys.argv[3]))"
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample, prepared as the run prepares it."""
    folder = tmp_path_factory.mktemp("prepared") / "corpus"
    with ThreadPoolExecutor() as executor:
        prepare(open_corpus("sample"), folder, executor, vocabulary_size=4000)
    return folder


@pytest.fixture
def folder(tmp_path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MY_MODEL", raising=False)
    shutil.copytree(corpus, tmp_path / "my_model" / "run" / "corpus")
    return tmp_path / "my_model"


def begin(folder: Path, my_bert: Path | None = None, save_every: int = 4, **how: Any) -> subprocess.Popen[bytes]:
    arguments = [str(folder), str(my_bert or ""), json.dumps({**SHORT, "save_every": save_every})]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "TF_NUM_INTRAOP_THREADS": "1", "TF_CPP_MIN_LOG_LEVEL": "3"}
    return subprocess.Popen([sys.executable, "-c", PROGRAM, *arguments], env=environment, **how)


def run(folder: Path, my_bert: Path | None = None, **how: Any) -> Progress:
    assert begin(folder, my_bert, **how).wait() == 0
    progress = read_progress(folder)
    assert progress is not None
    return progress


def wait_until(reached: Callable[[], bool]) -> None:
    for _ in range(12_000):
        if reached():
            return
        time.sleep(0.1)
    raise AssertionError("it has taken twenty minutes")


def step_of(folder: Path) -> int:
    progress = read_progress(folder)
    return progress.step if progress and progress.state == TRAINS else 0


def test_a_killed_run_resumes_to_the_same_model(folder: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    shutil.copytree(folder, whole)
    progress = run(whole)
    assert (progress.state, progress.step, progress.own) == (FINISHED, progress.total, ())  # without my_bert

    process = begin(folder)
    wait_until(lambda: step_of(folder) >= 8)
    assert is_running(folder)
    process.kill()
    process.wait()
    assert not is_running(folder)
    loaded = my_model.load()  # its last checkpoint can be read at once
    assert loaded.is_yours and loaded.encoder.num_layers == 1
    assert run(folder).state == FINISHED
    assert_same_state(whole / "run", folder / "run")
    assert (folder / "model.safetensors").read_bytes() == (whole / "model.safetensors").read_bytes()
    assert f"{progress.total} of {progress.total} steps" in (folder / "README.md").read_text()


def test_a_full_disk_is_reported_and_the_run_resumes(folder: Path) -> None:
    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    progress = run(folder, preexec_fn=fill)
    assert progress.state == FAILED
    assert "cannot write" in progress.message and CHECKPOINT in progress.message
    assert not (folder / "model.safetensors").exists()
    assert run(folder).state == FINISHED


def test_definitions_that_fit_are_trained_and_others_are_left_out(folder: Path, tmp_path: Path) -> None:
    mine = tmp_path / "my_bert"
    mine.mkdir()
    (mine / "masked_lm.py").write_text(
        "from course.masked_lm import *\nfrom course.masked_lm import masked_lm_loss as theirs\n\n\n"
        "def masked_lm_loss(words, logits, weights):\n    return 2.0 * theirs(words, logits, weights)\n\n\n"
        "def unigram_probabilities(*arguments):\n    raise AssertionError('the run does not call it')\n"
    )
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    progress = run(folder, mine)
    assert (progress.state, progress.own, progress.left_out) == (FINISHED, ("masked_lm_loss",), "")
    (mine / "encoder.py").write_text("raise ValueError('no EncoderBlock')\n")  # later: this run keeps its own
    (mine / "pretraining.py").write_text(
        "from course.pretraining import WarmupLinearDecay as Theirs\nfrom my_bert.encoder import BertEncoder\n\n\n"
        "class WarmupLinearDecay(Theirs):\n    def __call__(self, step):\n        return super().__call__(step)\n"
    )
    assert run(folder, mine).own == ("masked_lm_loss",)

    progress = run(other, mine)
    assert (progress.state, progress.own) == (FINISHED, ("WarmupLinearDecay",))  # imports the course's encoder
    assert "EncoderBlock" in progress.left_out


def test_a_head_whose_weights_have_other_names_is_trained(folder: Path, tmp_path: Path) -> None:
    solutions = PROJECT / "grading" / "exercises" / "next_sentence" / "solutions" / "NextSentenceHead"
    mine = tmp_path / "my_bert"
    mine.mkdir()
    own = (solutions / "weights_by_hand.py").read_text(encoding="utf-8")
    (mine / "next_sentence.py").write_text(f"from course.next_sentence import *\n{own}")
    progress = run(folder, mine)
    assert (progress.state, progress.own) == (FINISHED, ("NextSentenceHead",)), progress.message


def test_the_error_of_a_call_is_said(folder: Path, tmp_path: Path) -> None:
    """Keras adds the arguments of the call below the error's own words."""
    mine = tmp_path / "my_bert"
    mine.mkdir()
    (mine / "masked_lm.py").write_text(
        "from course.masked_lm import *\nfrom course.masked_lm import MaskedLMHead as Theirs\n\n\n"
        "class MaskedLMHead(Theirs):\n    def call(self, *arguments):\n        raise ValueError('no such word')\n"
    )
    definitions = settle(folder / "run", mine)
    assert (definitions.modules, definitions.left_out) == ([], "ValueError: no such word")


def test_a_bundle_without_solutions_says_why_definitions_were_left_out(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def pretrain(*arguments: Any, **options: Any) -> None:
        raise NotImplementedError("BertPretrainer has not passed")

    monkeypatch.setattr(training, "settle", lambda run, my_bert: Definitions([], "no gelu"))
    monkeypatch.setattr(pretraining, "pretrain", pretrain)
    training.run_alone(folder, None)
    my_model.look()
    said = capsys.readouterr().out
    assert "failed: no gelu. The course has none to stand in for those of this chapter. To begin again" in said
    assert said.endswith("Left out: no gelu\n")


def test_a_run_without_progress_gives_no_times(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert begin(folder, save_every=4).wait() == 0
    (folder / "progress.json").unlink()
    (folder / "run" / "stop").touch()
    progress = run(folder)
    assert progress.seconds is None
    my_model.look()
    assert f"{progress.total} steps in an unknown time." in capsys.readouterr().out
    assert "steps, an unknown time" in (folder / "README.md").read_text()


def test_a_run_outlives_what_started_it_and_stops_when_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = "from course import my_model; my_model.start()"
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    starter = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert starter.stdout.startswith("Your model begins to read, in my_model/.")
    assert is_running(folder)
    my_model.start()
    assert capsys.readouterr().out.startswith("It is running already.")
    my_model.stop()
    wait_until(lambda: not is_running(folder))
    progress = read_progress(folder)
    assert progress is not None and progress.state == STOPPED and 0 < progress.step < progress.total
    assert my_model.load().is_yours
    assert my_model.look() is not None
    assert f"was stopped, at step {progress.step}" in capsys.readouterr().out


def test_a_run_with_other_settings_is_not_resumed(folder: Path) -> None:
    run(folder)
    command = [sys.executable, "-m", "course.my_model.training", str(folder)]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": str(PROJECT)}, check=True)
    progress = read_progress(folder)
    assert progress is not None and progress.state == FAILED
    assert "holds a run with other settings" in progress.message and "layers 1 and not 4" in progress.message
    assert "Name another folder" not in progress.message and "rename my_model/" in progress.message
