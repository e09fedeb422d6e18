"""Full fine-tuning: each layer has its own rate, batches lose no text, and the best epoch is kept."""

from __future__ import annotations

from collections.abc import Iterator

import keras
import numpy as np
import pytest

from course.classification import accuracy
from course.data.text.vocabulary import Vocabulary
from course.errors import CourseError
from course.pretraining import bert_optimizer
from course.tokenization import SPECIAL_TOKENS
from course.training.classifier_training import Recipe, mean_cross_entropy, train_classifier
from course.training.layerwise_decay import LayerwiseAdamW, rate_share
from course.training.length_batches import batches_in, batches_of_like_lengths
from course.training.logits import predict_logits
from course.training.word_dropout import WordDropout
from tests.closeness import assert_close
from tests.course.arrays import array
from tests.course.training.tiny_classifier import NUM_CLASSES, NUM_LAYERS, PIECES, classifier, texts, uncompiled


@pytest.fixture(name="uncompiled")
def _uncompiled() -> Iterator[None]:
    with uncompiled():
        yield


class Notes:
    """A watcher that records everything."""

    def __init__(self) -> None:
        self.total, self.losses, self.rows = 0, [], []

    def begin(self, seed: int, total: int) -> None:
        self.total = total

    def step(self, loss: float) -> None:
        self.losses.append(loss)

    def row(self, row: dict[str, float]) -> None:
        self.rows.append(row)


def trained(layer_decay: float | None, steps: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return the weights before and after some steps; with None, trained by `bert_optimizer`."""
    model = classifier()
    before = {weight.path: array(weight).copy() for weight in model.trainable_weights}
    if layer_decay is None:
        optimizer = bert_optimizer(model, 0.01, weight_decay=0.3)
    else:
        optimizer = LayerwiseAdamW(model, NUM_LAYERS, 0.01, layer_decay=layer_decay, weight_decay=0.3)
    model.compile(optimizer, keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
    inputs, labels = texts(7, seed=1)
    for _ in range(steps):
        model.train_on_batch(inputs, labels)
    return {weight.path: (before[weight.path], array(weight)) for weight in model.trainable_weights}


@pytest.mark.usefixtures("uncompiled")
class TestLayerwise:
    def test_shares_fall_from_the_top_to_the_embedding(self) -> None:
        paths = {
            "logits/kernel": 1.0,
            "encoder/pooler/bias": 1.0,
            "encoder/block_11/attention/query/kernel": 0.5,
            "encoder/block_2/attention_norm/gamma": 0.5**10,
            "encoder/embedding/token_embeddings": 0.5**13,
        }
        assert {path: rate_share(path, 12, 0.5) for path in paths} == pytest.approx(paths)

    def test_without_a_decay_it_is_the_optimizer_of_bert(self) -> None:
        ours, theirs = trained(1.0, steps=4), trained(None, steps=4)
        for path, (_, after) in theirs.items():
            if not path.endswith("key/bias"):  # its gradient is only rounding, which Adam turns into whole steps
                np.testing.assert_allclose(ours[path][1], after, atol=2e-5, err_msg=path)

    def test_a_step_of_a_variable_is_its_share_of_the_whole(self) -> None:
        whole, layerwise = trained(1.0, steps=1), trained(0.5, steps=1)
        moved = set()
        for path, (before, after) in whole.items():
            share = rate_share(path, NUM_LAYERS, 0.5)
            if not path.endswith("key/bias"):
                np.testing.assert_allclose(layerwise[path][1] - before, share * (after - before), atol=2e-6)
                moved.add(share)
        assert moved == {1.0, 0.5, 0.25}

    def test_bad_arguments_are_refused(self) -> None:
        with pytest.raises(ValueError, match=r"above 0 and at most 1\. Received: layer_decay=1\.5"):
            LayerwiseAdamW(classifier(), NUM_LAYERS, 0.1, layer_decay=1.5)
        with pytest.raises(ValueError, match=r"must be built .* not built"):
            LayerwiseAdamW(keras.Sequential([keras.layers.Dense(1)]), 1, 0.1, layer_decay=0.5)


class TestBatchesOfLikeLengths:
    @pytest.mark.parametrize("random", [None, np.random.default_rng(3)], ids=["sorted", "random"])
    def test_every_text_comes_once_and_uncut(self, random: np.random.Generator | None) -> None:
        inputs, _ = texts(103, seed=4)
        batches = list(batches_of_like_lengths(inputs, 5, random))
        assert sorted(np.concatenate([rows for rows, _ in batches])) == list(range(103))
        assert len(batches) == batches_in(103, 5) == 21
        for rows, batch in batches:
            length = batch["token_ids"].shape[1]
            for name, whole in inputs.items():
                np.testing.assert_array_equal(batch[name], whole[rows, :length])
            assert not inputs["padding_mask"][rows, length:].any()

    def test_padding_in_the_middle_of_a_row_cuts_no_token(self) -> None:
        padding_mask = np.array([[1, 0, 0, 1, 0, 0], [1, 1, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0]], bool)
        ((rows, batch),) = batches_of_like_lengths({"padding_mask": padding_mask}, 3)
        assert rows.tolist() == [2, 0, 1]
        np.testing.assert_array_equal(batch["padding_mask"], padding_mask[rows, :5])

    def test_little_of_them_is_padding(self) -> None:
        inputs, _ = texts(400, seed=4)
        drawn = list(batches_of_like_lengths(inputs, 16, np.random.default_rng(3)))
        tokens = inputs["padding_mask"].sum()
        assert sum(batch["token_ids"].size for _, batch in drawn) < 1.15 * tokens < inputs["token_ids"].size

    def test_the_order_differs_each_time(self) -> None:
        inputs, _ = texts(40, seed=4)
        random = np.random.default_rng(3)
        first, second = ([rows.tolist() for rows, _ in batches_of_like_lengths(inputs, 4, random)] for _ in range(2))
        assert first != second

    def test_there_are_few_lengths(self) -> None:
        padding_mask = np.arange(70) < np.arange(1, 71)[:, None]
        drawn = batches_of_like_lengths({"padding_mask": padding_mask}, 1, np.random.default_rng(3))
        assert len({batch["padding_mask"].shape[1] for _, batch in drawn}) == 8

    def test_batches_in_counts_several_pools(self) -> None:
        inputs, _ = texts(211, seed=4)
        assert len(list(batches_of_like_lengths(inputs, 2, np.random.default_rng(3)))) == batches_in(211, 2) == 106

    def test_logits_come_in_the_order_of_the_texts(self) -> None:
        inputs, _ = texts(19, seed=4)
        model = classifier()
        assert_close(predict_logits(model, inputs, batch_size=4), array(model(inputs)))


class TestWordDropout:
    def test_hides_its_share_of_the_words_only(self) -> None:
        vocabulary = Vocabulary(PIECES)
        token_ids = np.random.default_rng(1).integers(len(PIECES), size=(90, 110)).astype("int32")
        given = WordDropout(0.3, vocabulary)(token_ids, np.random.default_rng(2))
        words = token_ids >= len(SPECIAL_TOKENS)
        hidden = given != token_ids
        assert given.dtype == token_ids.dtype
        assert not hidden[~words].any()
        assert set(given[hidden]) == {vocabulary.mask_id}
        error = np.sqrt(0.3 * 0.7 / words.sum())
        assert hidden[words].mean() == pytest.approx(0.3, abs=5 * error)

    def test_hides_different_words_each_time(self) -> None:
        token_ids, random = np.full((3, 40), 7), np.random.default_rng(2)
        hide = WordDropout(0.5, Vocabulary(PIECES))
        assert not np.array_equal(hide(token_ids, random), hide(token_ids, random))


class TestTraining:
    @pytest.mark.parametrize("dtype", ["float32", "mixed_float16"])
    def test_learns_keeps_the_best_epoch_and_reports_each_step(self, dtype: str) -> None:
        model, notes = classifier(dtype=dtype), Notes()
        recipe = Recipe(learning_rate=0.02, layer_decay=0.9, batch_size=8, epochs=4, patience=4)
        held_out = texts(32, seed=8)
        rows = train_classifier(model, texts(88, seed=7), held_out, recipe, 3, notes)
        assert rows == notes.rows
        assert len(notes.losses) == notes.total == 4 * 11
        assert [row["epoch"] for row in rows] == [1, 2, 3, 4]
        assert rows[-1]["loss"] < 0.95 * rows[0]["loss"]
        best = max(rows, key=lambda row: (row["held_out_accuracy"], -row["held_out_loss"]))
        logits = predict_logits(model, held_out[0])
        assert accuracy(held_out[1], logits) == best["held_out_accuracy"]
        assert mean_cross_entropy(held_out[1], logits) == pytest.approx(best["held_out_loss"], abs=1e-5)

    @pytest.mark.usefixtures("uncompiled")
    def test_stops_when_no_epoch_is_better(self) -> None:
        """The held-out labels are wrong by one class, so better learning lowers the held-out accuracy."""
        inputs, labels = texts(24, seed=7)
        recipe = Recipe(learning_rate=0.05, layer_decay=1.0, batch_size=8, epochs=20, patience=2)
        rows = train_classifier(
            classifier(), (inputs, labels), (inputs, (labels + 1) % NUM_CLASSES), recipe, 3, Notes()
        )
        reached = [(row["held_out_accuracy"], -row["held_out_loss"]) for row in rows]
        assert len(rows) == int(np.argmax([value == max(reached) for value in reached])) + 1 + 2 < 20

    @pytest.mark.usefixtures("uncompiled")
    def test_the_loss_is_a_mean_over_texts(self) -> None:
        """The learning rate is practically 0, so the order of the texts does not matter."""
        inputs, labels = texts(10, seed=7)
        model = classifier()
        expected = mean_cross_entropy(labels, array(model(inputs)))
        recipe = Recipe(learning_rate=1e-12, batch_size=4, epochs=1)
        (row,) = train_classifier(model, (inputs, labels), texts(5, seed=8), recipe, 3, Notes())
        assert row["loss"] == pytest.approx(expected, abs=1e-5)

    @pytest.mark.usefixtures("uncompiled")
    def test_words_are_hidden_from_training_only(self) -> None:
        """The learning rate is practically 0, so training and held-out loss differ by the hidden words alone."""
        examples = inputs, labels = texts(10, seed=7)
        model, vocabulary = classifier(), Vocabulary(PIECES)
        kernel = model.logits_dense.kernel  # large enough that the logits differ between texts
        kernel.assign(np.random.default_rng(1).normal(0, 5, kernel.shape))
        first_word, mask_id = 5, 4
        token_ids = np.where(inputs["token_ids"] < first_word, inputs["token_ids"], mask_id)
        masked = inputs | {"token_ids": token_ids.astype("int32")}
        recipe = Recipe(learning_rate=1e-12, batch_size=4, epochs=1)
        (row,) = train_classifier(model, examples, examples, recipe, 3, Notes(), WordDropout(1.0, vocabulary))
        assert row["loss"] == pytest.approx(mean_cross_entropy(labels, array(model(masked))), abs=1e-4)
        assert row["held_out_loss"] == pytest.approx(mean_cross_entropy(labels, array(model(inputs))), abs=1e-4)
        assert abs(row["loss"] - row["held_out_loss"]) > 1e-2

    @pytest.mark.usefixtures("uncompiled")
    def test_a_nan_loss_is_reported_at_once(self) -> None:
        model = classifier()
        model.logits_dense.bias.assign(np.full(NUM_CLASSES, np.nan))
        with pytest.raises(CourseError, match=r"nan in epoch 1 of seed 3\. Try a smaller --learning-rate"):
            train_classifier(model, texts(8, seed=7), texts(5, seed=8), Recipe(), 3, Notes())
