"""A pretraining continues from published weights on your own corpus; one that is asked to stop can be resumed."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import keras
import numpy as np
import pytest
import torch
import transformers
from safetensors.numpy import load_file
from typer.testing import CliRunner

from course.cli import app
from course.commands.interrupts import interruptible
from course.data.corpus.token_arrays import TokenArrays
from course.data.text.vocabulary import Vocabulary
from course.errors import CourseError, Stopped
from course.tokenization import SPECIAL_TOKENS
from course.training.checkpoint import value_of
from course.training.encoder_source import EncoderSource, from_folder
from course.training.pretraining import CHECKPOINT, make_pretrainer, pretrain
from course.training.pretraining_settings import Settings
from tests.course.data.corpus.small_corpus import VOCABULARY, random_shard, small_corpus

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("micro")]

SETTINGS = Settings("micro", 0.5, max_length=16, batch_tokens=96, num_buckets=1, log_every=2, dropout=0.3, seed=3)
SPARE_ROWS = 3


class Watcher:
    """Counts rows, and asks to stop at one of them."""

    def __init__(self, stops_at: int | None = None) -> None:
        self.stops_at, self.rows, self.done = stops_at, 0, 0

    def begin(self, total: int, done: int) -> None:
        self.total, self.done = total, done

    def step(self, tokens: int) -> None: ...

    def row(self, row: dict[str, float]) -> None:
        self.rows += 1

    def stop(self) -> bool:
        return self.rows == self.stops_at


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> TokenArrays:
    random = np.random.default_rng(2017)
    return small_corpus(tmp_path_factory.mktemp("data") / "corpus", [random_shard(random, 60)])


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with both heads, whose embedding table has more rows than there are pieces."""
    folder = tmp_path_factory.mktemp("published")
    torch.manual_seed(1)
    sizes = {"hidden_size": 12, "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 20}
    with torch.device("cpu"):
        config = transformers.BertConfig(
            vocab_size=len(VOCABULARY) + SPARE_ROWS,
            max_position_embeddings=24,
            pad_token_id=VOCABULARY.padding_id,
            **sizes,
        )
        transformers.BertForPreTraining(config).save_pretrained(folder)
    VOCABULARY.save(folder / "vocab.txt")
    return folder


def start_from(folder: Path, **change: object) -> EncoderSource:
    return replace(from_folder(folder), **change)


class TestFrom:
    @pytest.mark.parametrize("objective", ["mlm+nsp", "mlm", "electra"])
    def test_begins_with_its_weights_and_heads(self, objective: str, corpus: TokenArrays, published: Path) -> None:
        settings = replace(SETTINGS, objective=objective)
        start = from_folder(published)
        model = make_pretrainer(VOCABULARY, corpus.word_probabilities(), settings, 8, start)
        assert (model.encoder.vocabulary_size, model.encoder.dropout) == (len(VOCABULARY), 0.3)
        for variable, expected in zip(model.encoder.weights, start.weights or [], strict=True):
            np.testing.assert_array_equal(value_of(variable), expected[: variable.shape[0]])
        assert len(start.weights[0]) == len(VOCABULARY) + SPARE_ROWS  # type: ignore[index]
        if objective != "electra":
            kernel = value_of(model.masked_lm_head.dense.kernel)
            np.testing.assert_array_equal(kernel, start.heads["masked_lm_head"]["dense.kernel"])
            np.testing.assert_array_equal(
                value_of(model.masked_lm_head.output_bias),
                start.heads["masked_lm_head"]["output_bias"][: len(VOCABULARY)],
            )
        if objective == "mlm+nsp":
            kernel = value_of(model.next_sentence_head.dense.kernel)
            np.testing.assert_array_equal(kernel, start.heads["next_sentence_head"]["dense.kernel"])

    def test_changes_the_weights_and_is_another_run(self, corpus: TokenArrays, published: Path, tmp_path: Path) -> None:
        start = start_from(published)
        trained: list[keras.Model] = []
        pretrain(corpus, tmp_path / "run", SETTINGS, Watcher(), start=start, saved=trained.append)
        after = from_folder(tmp_path / "run")
        again = make_pretrainer(VOCABULARY, corpus.word_probabilities(), SETTINGS, 8, after)
        for head in ("masked_lm_head", "next_sentence_head"):
            for variable, expected in zip(
                getattr(again, head).weights, getattr(trained[-1], head).weights, strict=True
            ):
                np.testing.assert_array_equal(value_of(variable), value_of(expected), err_msg=variable.path)
        assert after.arguments["num_layers"] == 2
        moved = np.abs(after.weights[0] - start.weights[0][: len(VOCABULARY)]).max()  # type: ignore[index]
        assert 0 < moved < 0.1
        with pytest.raises(CourseError, match=r"holds a run with other settings: start .* and not None"):
            pretrain(corpus, tmp_path / "run", SETTINGS, Watcher())
        assert pretrain(corpus, tmp_path / "again", SETTINGS, Watcher(), start=after).is_file()

    def test_a_corpus_prepared_differently_is_refused(
        self, corpus: TokenArrays, published: Path, tmp_path: Path
    ) -> None:
        for change, settings, message in (
            (
                {"vocabulary": Vocabulary([*SPECIAL_TOKENS, "a"])},
                SETTINGS,
                "another vocabulary, of 65 pieces, than that",
            ),
            ({}, replace(SETTINGS, max_length=25), "reads rows of at most 24 tokens. Given: --max-length 25"),
        ):
            with pytest.raises(CourseError, match=message):
                pretrain(corpus, tmp_path / "run", settings, Watcher(), start=start_from(published, **change))
        lower = small_corpus(tmp_path / "lower", [corpus.shard(0)])
        lower.description["lowercase"] = True
        with pytest.raises(
            CourseError, match=r"prepared with case dropped, and .* reads with case kept. Prepare it again"
        ):
            pretrain(lower, tmp_path / "run", SETTINGS, Watcher(), start=start_from(published, lowercase=False))


class TestStop:
    def test_a_stopped_run_resumes_to_the_same_state(self, corpus: TokenArrays, tmp_path: Path) -> None:
        whole, first, second = Watcher(), Watcher(stops_at=2), Watcher()
        pretrain(corpus, tmp_path / "whole", SETTINGS, whole)
        with pytest.raises(Stopped, match=r"stopped at step 4 of \d+\. The same command resumes from there"):
            pretrain(corpus, tmp_path / "run", SETTINGS, first, stop=first.stop)
        pretrain(corpus, tmp_path / "run", SETTINGS, second)
        assert (second.done, second.rows) == (4, whole.rows - 2)
        expected, actual = (load_file(tmp_path / name / CHECKPOINT) for name in ("whole", "run"))
        for name, value in expected.items():
            np.testing.assert_array_equal(value, actual[name], err_msg=name)

    @pytest.fixture
    def interrupts(self) -> Iterator[None]:
        """Handle SIGINT as in a terminal: a process started in the background may ignore it."""
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
        signal.signal(signal.SIGINT, before)

    @pytest.mark.usefixtures("interrupts")
    def test_is_asked_for_by_the_first_interrupt(self) -> None:
        with interruptible("the row") as interrupt:
            assert not interrupt()
            signal.raise_signal(signal.SIGINT)
            assert interrupt()
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
                time.sleep(1)  # until Python looks
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
            time.sleep(1)


class TestCommands:
    def run(self, *arguments: object) -> BaseException | None:
        return CliRunner().invoke(app, [str(argument) for argument in arguments]).exception

    def test_from_a_folder_of_weights_to_a_run(self, published: Path, tmp_path: Path) -> None:
        """`prepare --vocabulary FOLDER` takes the case setting of the weights, whatever its vocabulary looks like."""
        folder = tmp_path / "published"
        folder.mkdir()
        for file in published.iterdir():
            (folder / file.name).write_bytes(file.read_bytes())
        pieces = [*[*VOCABULARY][:-3], "goal", "Goal", "##l"]
        Vocabulary(pieces).save(folder / "vocab.txt")
        (folder / "tokenizer_config.json").write_text('{"do_lower_case": true}')
        (tmp_path / "a.txt").write_text("Goal goal GOAL. Goal goal.\n\n" * 300)
        prepared = ("prepare", tmp_path / "a.txt", "--vocabulary", folder, "--to", tmp_path / "corpus")
        assert "--cased keeps case, but" in str(self.run(*prepared, "--cased"))
        assert self.run(*prepared) is None
        counts = dict(zip(pieces, TokenArrays(tmp_path / "corpus").counts, strict=True))
        assert (counts["goal"], counts["Goal"]) == (1500, 0)
        small = ("--epochs", 0.1, "--max-length", 12, "--batch-tokens", 48, "--buckets", 1, "--log-every", 2)
        pretraining = ("pretrain", tmp_path / "corpus", "--from", folder, "--to", tmp_path / "run", *small)
        assert self.run(*pretraining, "--mask-rate", 0.3, "--weight-decay", 0.05) is None
        source = from_folder(tmp_path / "run")
        assert (source.lowercase, source.arguments["num_layers"]) == (True, 2)
        assert "other settings: mask_rate 0.3 and not 0.15" in str(self.run(*pretraining, "--weight-decay", 0.05))
        for name, value in (("--layers", 1), ("--preset", "base")):
            assert f"{name} belongs to a new encoder" in str(self.run(*pretraining, name, value))
        history = (tmp_path / "run" / "history.csv").read_text().splitlines()
        assert len(history) > 1
