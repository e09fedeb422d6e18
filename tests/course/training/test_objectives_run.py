"""Each objective trains, resumes after an interruption, and writes an encoder that can be fine-tuned."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import get_args

import keras
import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from typer.testing import CliRunner

from course.classification import TextClassifier, fine_tune
from course.cli import app
from course.commands.pretrain import Objective
from course.data.corpus.token_arrays import Shard, TokenArrays
from course.data.text.vocabulary import Vocabulary
from course.errors import CourseError
from course.tokenization import SPECIAL_TOKENS
from course.training.checkpoint import read_note
from course.training.encoder_source import from_folder
from course.training.history import History
from course.training.pretrainers import OBJECTIVES
from course.training.pretraining import CHECKPOINT, make_pretrainer, pretrain
from course.training.pretraining_settings import Settings
from tests.course.data.corpus.small_corpus import VOCABULARY, small_corpus
from tests.course.training.micro_runs import Killed, Watcher, assert_same_state

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("micro")]

SETTINGS = Settings(
    "micro", 4.0, max_length=16, batch_tokens=192, num_buckets=1, log_every=8, dropout=0.0, learning_rate=6e-3, seed=3
)
# Packed where the objective allows it: no other test makes these runs.
RUNS = [(objective, objective in ("span", "electra")) for objective in OBJECTIVES[1:]]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> TokenArrays:
    """In each sentence, ids count up from a random number, so that a word gives its neighbours."""
    random = np.random.default_rng(11)
    sentences = random.integers(2, 7, 90)
    lengths = random.integers(3, 8, sentences.sum())
    starts = random.integers(0, 20, len(lengths))
    pieces = np.concatenate([start + np.arange(length) for start, length in zip(starts, lengths, strict=True)])
    shard = Shard.of_lengths((pieces + len(SPECIAL_TOKENS)).astype("uint16"), lengths, sentences)
    return small_corpus(tmp_path_factory.mktemp("counting") / "corpus", [shard], key="counting")


@pytest.mark.parametrize(("objective", "packed"), RUNS)
def test_an_objective_learns_resumes_and_can_be_fine_tuned(
    objective: str, packed: bool, corpus: TokenArrays, tmp_path: Path
) -> None:
    settings = replace(SETTINGS, objective=objective, packed=packed)
    encoder_file = pretrain(corpus, tmp_path / "whole", settings, Watcher())
    rows = History(tmp_path / "whole", until=10_000).rows
    name = "loss" if objective == "electra" else "masked_lm_loss"
    assert rows[-1][name] < rows[0][name] - 0.3
    assert ("discriminator_loss" in rows[0]) == (objective == "electra")
    assert "next_sentence_loss" not in rows[0]
    assert (tmp_path / "whole" / "curves.png").exists()

    with pytest.raises(Killed):
        pretrain(corpus, tmp_path / "killed", settings, Watcher(killed_at=13), save_every=8)
    rest = Watcher()
    pretrain(corpus, tmp_path / "killed", settings, rest)
    assert rest.done == 8
    assert_same_state(tmp_path / "whole", tmp_path / "killed")

    source = from_folder(encoder_file.parent)
    classifier = TextClassifier(source.make("float32"), num_classes=2)
    token_ids = np.random.default_rng(1).integers(5, 30, (16, 9)).astype("int32")
    inputs = {"token_ids": token_ids, "segment_ids": np.zeros_like(token_ids), "padding_mask": token_ids > 0}
    labels = (token_ids[:, 1] > 17).astype("int32")
    examples = (inputs, labels)
    history = fine_tune(classifier, examples, examples, epochs=2, batch_size=8, learning_rate=5e-3)
    assert all(np.isfinite(values).all() for values in history.values())


def test_another_objective_is_another_run(corpus: TokenArrays, tmp_path: Path) -> None:
    settings = replace(SETTINGS, objective="mlm", epochs=0.2)
    pretrain(corpus, tmp_path, settings, Watcher())
    with pytest.raises(CourseError, match="other settings: objective mlm and not span"):
        pretrain(corpus, tmp_path, replace(settings, objective="span"), Watcher())
    with pytest.raises(CourseError, match="other settings: packed False and not True"):
        pretrain(corpus, tmp_path, replace(settings, packed=True), Watcher())


def test_an_older_run_without_objectives_resumes(corpus: TokenArrays, tmp_path: Path) -> None:
    settings = replace(SETTINGS, epochs=0.2)
    pretrain(corpus, tmp_path, settings, Watcher())
    note = read_note(tmp_path / CHECKPOINT)
    assert note is not None
    for name in ("objective", "packed"):
        del note["settings"][name]

    save_file(load_file(tmp_path / CHECKPOINT), tmp_path / CHECKPOINT, {"note": json.dumps(note)})
    again = Watcher()
    pretrain(corpus, tmp_path, settings, again)
    assert (again.done, again.steps) == (again.total, [])


def test_the_pooler_learns_only_from_pairs(corpus: TokenArrays) -> None:
    for objective in OBJECTIVES:
        model = make_pretrainer(VOCABULARY, corpus.word_probabilities(), replace(SETTINGS, objective=objective), 8)
        learns = any("pooler" in variable.path for variable in model.trainable_variables)
        assert learns == (objective == "mlm+nsp")


def test_a_generator_is_half_as_wide() -> None:
    settings = Settings("tiny", objective="electra", layers=1)
    vocabulary = Vocabulary([*SPECIAL_TOKENS, *(f"w{number}" for number in range(40))])
    generator = make_pretrainer(vocabulary, np.full(45, 1 / 45), settings, 8).generator
    assert (generator.hidden_dim, generator.num_heads, generator.intermediate_dim) == (64, 1, 256)


def test_the_command_knows_every_objective(corpus: TokenArrays, tmp_path: Path) -> None:
    assert get_args(Objective) == OBJECTIVES
    if keras.backend.backend() != "tensorflow":
        return
    arguments = ["pretrain", str(corpus.folder), "--preset", "tiny", "--layers", "1", "--to", str(tmp_path / "run")]
    arguments += ["--epochs", "0.1", "--batch-tokens", "256", "--max-length", "32", "--log-every", "1"]
    result = CliRunner().invoke(app, [*arguments, "--objective", "electra", "--packed"])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "run" / "encoder.keras").exists()
    result = CliRunner().invoke(app, [*arguments, "--packed"])
    assert result.exit_code != 0
    assert "packed needs another objective" in str(result.exception)
