"""Held-out documents are not trained on, are the same in each run, and measuring them does not change the training."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import keras
import numpy as np
import pytest
from rich.console import Console
from rich.progress import Progress, TextColumn

from course.commands.pretrain import ProgressBar
from course.data.corpus.held_out import held_out_documents
from course.data.corpus.token_arrays import Shard, TokenArrays
from course.errors import CourseError
from course.training.history import History
from course.training.pretraining import CHECKPOINT, make_pretrainer, pretrain
from course.training.pretraining_data import batches_to_measure, rows_to_learn
from tests.course.data.corpus.small_corpus import VOCABULARY, random_shard, small_corpus
from tests.course.training.micro_runs import SETTINGS, Killed, Watcher, assert_same_state

pytestmark = pytest.mark.usefixtures("micro")

SHARE = 0.3


def documents_of(shard: Shard) -> list[bytes]:
    bounds = shard.sentence_starts[shard.document_starts]
    return [np.asarray(shard.pieces[start:end]).tobytes() for start, end in pairwise(bounds)]


def documents_of_40_sentences(count: int) -> Shard:
    pieces = np.random.default_rng(3).integers(5, 60, 120 * count).astype("uint16")
    return Shard.of_lengths(pieces, np.full(40 * count, 3), np.full(count, 40))


def test_a_single_document_gives_no_pairs_but_texts(tmp_path: Path):
    corpus = small_corpus(tmp_path / "corpus", [documents_of_40_sentences(1)])
    with pytest.raises(CourseError, match=r"a single document.* blank lines separate documents.*--objective mlm"):
        rows_to_learn(corpus, SETTINGS)
    assert rows_to_learn(corpus, replace(SETTINGS, objective="mlm")).num_texts > 1


def test_a_single_document_may_be_held_out(tmp_path: Path):
    shard = documents_of_40_sentences(12)
    share = next(share for share in np.linspace(0.01, 0.5, 50) if held_out_documents(shard, share).sum() == 1)
    settings = replace(SETTINGS, held_out=float(share))
    assert batches_to_measure(small_corpus(tmp_path / "corpus", [shard]), settings)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> TokenArrays:
    random = np.random.default_rng(41)
    shards = [random_shard(random, documents) for documents in (130, 70)]
    return small_corpus(tmp_path_factory.mktemp("data") / "corpus", shards)


def test_about_the_share_is_held_out_and_copies_stay_together():
    shard = random_shard(np.random.default_rng(5), 6000, longest=30)
    documents, chosen = documents_of(shard), held_out_documents(shard, SHARE)
    assert abs(chosen.mean() - SHARE) < 4 * np.sqrt(SHARE * (1 - SHARE) / 6000)
    held_out, others = (
        {document for document, is_held_out in zip(documents, chosen, strict=True) if is_held_out == side}
        for side in (True, False)
    )
    assert len(documents) > len(set(documents))  # else the next line would prove nothing
    assert not held_out & others
    assert (held_out_documents(shard, 2 * SHARE) >= chosen).all()  # more of them, and the same ones among these


def test_a_part_of_a_shard_has_whole_documents_in_order():
    shard = random_shard(np.random.default_rng(6), 50)
    chosen = held_out_documents(shard, SHARE)
    part = shard.only(chosen)
    assert documents_of(part) == [text for text, kept in zip(documents_of(shard), chosen, strict=True) if kept]
    lengths = np.split(np.diff(shard.sentence_starts), shard.document_starts[1:-1])
    expected = [length for length, kept in zip(lengths, chosen, strict=True) if kept]
    np.testing.assert_array_equal(np.diff(part.sentence_starts), np.concatenate(expected))


@pytest.mark.parametrize("packed", [False, True])
def test_held_out_documents_are_not_trained_on(tmp_path: Path, packed: bool):
    """Each document repeats a word of its own, which shows where a row comes from."""
    words = np.arange(5, 65)
    shard = Shard.of_lengths(np.repeat(words, 8).astype("uint16"), np.full(120, 4), np.full(60, 2))
    corpus = small_corpus(tmp_path / "corpus", [shard])
    settings = replace(
        SETTINGS, objective="mlm", packed=packed, max_length=12, batch_tokens=24, num_buckets=1, held_out=SHARE
    )
    held_out = set(words[held_out_documents(shard, SHARE)])
    rows = rows_to_learn(corpus, settings)
    batches = rows.batches()
    # Each epoch leaves out a few rows, different ones each time.
    learned = {word for _ in range(9 * rows.batches_per_epoch) for word in np.unique(next(batches).inputs["token_ids"])}
    measured = {word for batch in batches_to_measure(corpus, settings) for word in np.unique(batch.inputs["token_ids"])}
    assert learned - set(range(5)) == set(words) - held_out
    assert measured - set(range(5)) <= held_out
    assert len(measured - set(range(5))) > len(held_out) - 3  # less than a batch is left out


def test_the_measured_batches_do_not_depend_on_the_seed(corpus: TokenArrays):
    batches, others = (batches_to_measure(corpus, replace(SETTINGS, held_out=SHARE, seed=seed)) for seed in (1, 2))
    assert len(batches) == len(others) > 1
    for first, second in zip(batches, others, strict=True):
        np.testing.assert_array_equal(first.inputs["token_ids"], second.inputs["token_ids"])
        np.testing.assert_array_equal(first.labels, second.labels)


@pytest.mark.parametrize("objective", ["mlm+nsp", "electra"])
def test_the_masks_of_measurements_do_not_depend_on_the_seed(corpus: TokenArrays, objective: str):
    settings = replace(SETTINGS, objective=objective, held_out=SHARE)
    inputs = batches_to_measure(corpus, settings)[0].inputs
    words: dict[bool, list[np.ndarray]] = {False: [], True: []}
    for seed in (1, 2):
        model = make_pretrainer(VOCABULARY, corpus.word_probabilities(), replace(settings, seed=seed), 8)
        for training, found in words.items():
            found.append(np.asarray(keras.ops.convert_to_numpy(model(inputs, training=training)["words"])))
    np.testing.assert_array_equal(*words[False])
    assert not np.array_equal(*words[True])


@pytest.mark.long
@pytest.mark.parametrize("objective", ["mlm+nsp", "electra"])  # the other objectives measure a part of the same
def test_a_resumed_run_measures_the_same(tmp_path: Path, corpus: TokenArrays, objective: str):
    settings = replace(SETTINGS, objective=objective, held_out=SHARE, epochs=0.8, learning_rate=0.0)
    pretrain(corpus, tmp_path / "whole", settings, Watcher(), save_every=8)
    with pytest.raises(Killed):
        pretrain(corpus, tmp_path / "killed", settings, Watcher(13), save_every=8)
    rest = Watcher()
    pretrain(corpus, tmp_path / "killed", settings, rest, save_every=8)
    assert rest.done == 8
    assert_same_state(tmp_path / "whole", tmp_path / "killed")

    rows, again = (History(tmp_path / run, until=1000).rows for run in ("whole", "killed"))
    measured = [row for row in rows if "held_out_loss" in row]
    assert [row["step"] for row in measured] == [row["step"] for row in rows if row["step"] % 8 == 0 or row is rows[-1]]
    # The learning rate is 0 and the masks are the same each time, so the loss is the same, too.
    assert len({round(row["held_out_loss"], 5) for row in measured}) == 1
    assert len({round(row["loss"], 5) for row in rows}) > 1
    assert [row.get("held_out_loss") for row in again] == [row.get("held_out_loss") for row in rows]
    assert "held_out_finite" not in measured[0]
    with (tmp_path / "whole" / "history.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert table[0]["held_out_loss"] == ""
    assert float(table[1]["held_out_loss"]) == measured[0]["held_out_loss"]
    assert (
        f"held out goes from {measured[0]['held_out_masked_lm_loss']:.3g}"
        in (tmp_path / "whole" / "curves.txt").read_text()
        or objective == "electra"
    )


@pytest.mark.long
def test_measuring_does_not_change_the_training(tmp_path: Path, corpus: TokenArrays):
    """Compare with the same run on a corpus without the held-out documents."""
    settings = replace(SETTINGS, epochs=0.5)
    shards = [corpus.shard(number) for number in range(corpus.num_shards)]
    rest = [shard.only(~held_out_documents(shard, SHARE)) for shard in shards]
    alone = small_corpus(tmp_path / "rest", rest)
    alone.counts[:] = corpus.counts  # random words are drawn by these
    pretrain(corpus, tmp_path / "measured", replace(settings, held_out=SHARE), Watcher(), save_every=4)
    pretrain(alone, tmp_path / "not", settings, Watcher(), save_every=4)
    assert_same_state(tmp_path / "measured", tmp_path / "not")


@pytest.mark.long
def test_another_share_is_another_run(tmp_path: Path, corpus: TokenArrays):
    settings = replace(SETTINGS, epochs=0.2)
    pretrain(corpus, tmp_path, settings, Watcher())
    assert (tmp_path / CHECKPOINT).exists()
    with pytest.raises(CourseError, match=r"other settings: held_out 0\.0 and not 0\.3"):
        pretrain(corpus, tmp_path, replace(settings, held_out=SHARE), Watcher())


def test_the_progress_line_keeps_the_last_held_out_loss():
    with Progress(TextColumn("{task.fields[losses]}"), console=Console(file=io.StringIO())) as progress:
        bar = ProgressBar(progress)
        bar.begin(total=6, done=0)
        row = {"tokens_per_second": 9.0, "masked_lm_loss": 3.0}
        bar.row({**row, "step": 2, "held_out_masked_lm_loss": 3.25})
        bar.row({**row, "step": 4, "masked_lm_loss": 2.0})
        assert progress.tasks[0].fields["losses"] == "words 2.000; held out at step 2: 3.250"


def test_a_gap_in_a_history_stays_one(tmp_path: Path):
    history = History(tmp_path, until=0)
    for row in ({"step": 2, "masked_lm_loss": 3.0}, {"step": 4, "masked_lm_loss": 2.0, "held_out_masked_lm_loss": 2.5}):
        history.add(row)
    assert History(tmp_path, until=9).rows == history.rows
    picture = history.draw()
    assert picture is not None
    (axes,) = picture.figure.axes
    assert [list(line.get_xdata()) for line in axes.lines] == [[2, 4], [4]]
    assert "masked words, held out goes from 2.5 to 2.5" in picture.alt
