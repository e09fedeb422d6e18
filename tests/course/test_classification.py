"""The classifier agrees with Hugging Face's, the evaluation with scikit-learn's, and fine-tuning must keep
what it promises."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
import sklearn.metrics

from course.classification import (
    Examples,
    TextClassifier,
    accuracy,
    batches,
    confusion_matrix,
    fine_tune,
    mean_loss,
    predict,
    tfidf_baseline,
)
from course.encoder import BertEncoder
from course.pretraining import WarmupLinearDecay
from course.weights import load_hugging_face
from tests.closeness import assert_close
from tests.course.arrays import array

PAD, CLS = 0, 2
VOCABULARY_SIZE, LENGTH, NUM_CLASSES = 23, 9, 3
FIRST_WORD = 5  # word 5 + i is the topic of class i


def classifier(dropout: float = 0.0, **arguments: Any) -> TextClassifier:
    keras.utils.set_random_seed(3)
    encoder = BertEncoder(VOCABULARY_SIZE, 1, 3, 24, 20, max_length=LENGTH, dropout=0.0, **arguments)
    return TextClassifier(encoder, NUM_CLASSES, dropout, **arguments)


def bag_of_words(dropout: float = 0.0) -> keras.Model:
    """The smallest model that can be fine-tuned; it compiles in no time."""
    keras.utils.set_random_seed(3)
    names = {"token_ids": "int32", "segment_ids": "int32", "padding_mask": "bool"}
    inputs = {name: keras.Input((None,), dtype=dtype, name=name) for name, dtype in names.items()}
    words = keras.layers.Embedding(VOCABULARY_SIZE, 7)(inputs["token_ids"])
    words = keras.layers.Add()([words, keras.layers.Embedding(2, 7)(inputs["segment_ids"])])
    mean = keras.layers.GlobalAveragePooling1D()(words, mask=inputs["padding_mask"])
    return keras.Model(inputs, keras.layers.Dense(NUM_CLASSES)(keras.layers.Dropout(dropout)(mean)))


def texts(count: int, seed: int = 0, shortest: int = 4) -> Examples:
    """Texts of random words, in which each text has the topic word of its class at one random place."""
    random = np.random.default_rng(seed)
    labels = random.integers(NUM_CLASSES, size=count)
    token_ids = random.integers(FIRST_WORD + NUM_CLASSES, VOCABULARY_SIZE, (count, LENGTH), dtype="int32")
    token_ids[:, 0] = CLS
    token_ids[np.arange(count), random.integers(1, shortest, count)] = FIRST_WORD + labels
    lengths = random.integers(shortest, LENGTH, size=count)
    lengths[::2] = LENGTH  # most batches have one length, because every other length is compiled again
    padding_mask = np.arange(LENGTH) < lengths[:, None]
    token_ids = np.where(padding_mask, token_ids, PAD).astype("int32")
    return {"token_ids": token_ids, "segment_ids": np.zeros_like(token_ids), "padding_mask": padding_mask}, labels


def cross_entropy(labels: np.ndarray, logits: np.ndarray) -> float:
    shifted = logits - logits.max(axis=1, keepdims=True)
    log_sums = np.log(np.exp(shifted).sum(axis=1))
    return float(np.mean(log_sums - shifted[np.arange(len(labels)), labels]))


class TestTextClassifier:
    @pytest.mark.parametrize("num_classes", [2, 5])
    def test_agrees_with_hugging_face(self, num_classes: int, tmp_path: Path) -> None:
        import torch
        from transformers import BertConfig, BertForSequenceClassification

        config = BertConfig(
            vocab_size=VOCABULARY_SIZE,
            hidden_size=24,
            num_hidden_layers=2,
            num_attention_heads=3,
            intermediate_size=20,
            max_position_embeddings=LENGTH,
            num_labels=num_classes,
        )
        torch.manual_seed(7)
        theirs = BertForSequenceClassification(config).eval()
        theirs.bert.save_pretrained(tmp_path)
        pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *map(str, range(VOCABULARY_SIZE - 5))]
        (tmp_path / "vocab.txt").write_text("\n".join(pieces) + "\n")
        ours = TextClassifier(load_hugging_face(tmp_path), num_classes)
        inputs, _ = texts(7)
        inputs["segment_ids"][:, 3:] = 1
        ours(inputs)
        head = theirs.classifier
        ours.logits_dense.set_weights([head.weight.detach().numpy().T, head.bias.detach().numpy()])
        with torch.no_grad():
            expected = theirs(
                input_ids=torch.tensor(inputs["token_ids"]),
                token_type_ids=torch.tensor(inputs["segment_ids"]),
                attention_mask=torch.tensor(inputs["padding_mask"]),
            ).logits
        assert_close(array(ours(inputs)), expected.numpy())

    def test_needs_nothing_but_token_ids(self) -> None:
        inputs, _ = texts(4)
        model = classifier()
        np.testing.assert_array_equal(array(model({"token_ids": inputs["token_ids"]})), array(model(inputs)))

    def test_drops_out_only_in_training(self) -> None:
        inputs, _ = texts(4)
        model = classifier(dropout=0.5)
        quiet = array(model(inputs))
        np.testing.assert_array_equal(array(model(inputs, training=False)), quiet)
        assert not np.allclose(array(model(inputs, training=True)), quiet)

    def test_comes_back_from_a_file(self, tmp_path: Path) -> None:
        inputs, _ = texts(4)
        model = classifier()
        before = array(model(inputs))
        model.save(tmp_path / "classifier.keras")
        again = keras.saving.load_model(tmp_path / "classifier.keras")
        assert (again.num_classes, again.dropout, again.encoder.hidden_dim) == (NUM_CLASSES, 0.0, 24)
        assert_close(array(again(inputs)), before, 1e-6)

    def test_half_precision_follows_single_precision(self) -> None:
        inputs, _ = texts(4)
        precise, half = classifier(), classifier(dtype="mixed_float16")
        precise(inputs), half(inputs)
        half.set_weights(precise.get_weights())
        assert keras.backend.standardize_dtype(half(inputs).dtype) == "float16"
        np.testing.assert_allclose(array(half(inputs)), array(precise(inputs)), atol=1e-2)

    def test_refuses_a_single_class(self) -> None:
        with pytest.raises(ValueError, match=r"at least 2\. Received: num_classes=1"):
            TextClassifier(BertEncoder(7, 1, 1, 4, 4), 1)


class TestBatches:
    def test_each_example_comes_once_with_its_label(self) -> None:
        inputs, labels = texts(11)
        parts = list(batches(inputs, labels, 4, np.random.default_rng(1)))
        assert [len(part) for _, part in parts] == [4, 4, 3]
        seen = [
            (tuple(row[row != PAD]), label)
            for part, part_labels in parts
            for row, label in zip(part["token_ids"], part_labels, strict=True)
        ]
        expected = [(tuple(row[row != PAD]), label) for row, label in zip(inputs["token_ids"], labels, strict=True)]
        assert seen != expected
        assert sorted(seen) == sorted(expected)

    def test_without_a_generator_the_order_stays(self) -> None:
        inputs, labels = texts(11)
        np.testing.assert_array_equal(np.concatenate([part for _, part in batches(inputs, labels, 4)]), labels)

    def test_are_as_long_as_their_longest_text(self) -> None:
        inputs, labels = texts(11)
        for part, _ in batches(inputs, labels, 1):
            assert part["padding_mask"].sum(axis=1).max() == part["padding_mask"].shape[1]
            assert part["token_ids"].shape == part["segment_ids"].shape == part["padding_mask"].shape

    def test_cutting_off_padding_changes_no_logits(self) -> None:
        inputs, _ = texts(11)
        model = classifier()
        assert_close(predict(model, inputs, batch_size=1), array(model(inputs)), 1e-6)

    def test_mean_loss_counts_each_text_the_same(self) -> None:
        sizes_and_losses = [({}, np.zeros(4)), ({}, np.zeros(1))]
        assert mean_loss(lambda inputs, labels: 7.0 - len(labels), sizes_and_losses) == pytest.approx(18 / 5)


class TestFineTune:
    def test_learns_labels_with_every_weight(self) -> None:
        model = classifier(dropout=0.1)
        training, held_out = texts(96, seed=1), texts(32, seed=2)
        model(training[0])
        before = [array(weight) for weight in model.trainable_weights]
        history = fine_tune(model, training, held_out, learning_rate=5e-3, batch_size=16, epochs=12, patience=3)

        assert set(history) == {"loss", "held_out_loss"}
        assert history["loss"][-1] < 0.3 * history["loss"][0]
        assert accuracy(*evaluated(model, texts(200, seed=3))) > 0.9
        for weight, old in zip(model.trainable_weights, before, strict=True):
            if not weight.path.endswith("key/bias"):  # softmax is blind to it
                assert (array(weight) != old).any(), weight.path

    def test_stops_and_keeps_the_weights_of_the_lowest_held_out_loss(self) -> None:
        """Held-out labels are the next class: the better the texts are learned, the worse they are predicted."""
        model, training = bag_of_words(), texts(32, seed=1)
        held_out = (training[0], (training[1] + 1) % NUM_CLASSES)
        history = fine_tune(model, training, held_out, learning_rate=0.1, batch_size=8, epochs=30, patience=2)
        losses = history["held_out_loss"]
        best = int(np.argmin(losses))
        assert len(losses) == len(history["loss"]) == best + 1 + 2 < 30
        assert cross_entropy(*evaluated(model, held_out)) == pytest.approx(losses[best], abs=1e-5)

    def test_losses_are_means_over_texts_and_without_dropout(self) -> None:
        model, training, held_out = bag_of_words(dropout=0.5), texts(10, seed=1), texts(7, seed=2)
        history = fine_tune(model, training, held_out, learning_rate=1e-12, batch_size=4, epochs=2, patience=2)
        expected = cross_entropy(*evaluated(model, held_out))
        assert history["held_out_loss"] == pytest.approx([expected, expected], abs=1e-5)

    def test_the_learning_rate_rises_and_falls_over_all_epochs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made: list[WarmupLinearDecay] = []
        original = WarmupLinearDecay.__init__

        def remember(schedule: WarmupLinearDecay, *args: Any) -> None:
            original(schedule, *args)
            made.append(schedule)

        monkeypatch.setattr(WarmupLinearDecay, "__init__", remember)
        model = bag_of_words()
        fine_tune(model, texts(10), texts(4), learning_rate=0.5, batch_size=4, epochs=5, warmup=0.25, patience=9)
        assert made[0].get_config() == {"peak": 0.5, "warmup_steps": 3, "total_steps": 15}
        assert int(model.optimizer.iterations) == 15
        assert float(model.optimizer.learning_rate) == 0.0

    def test_the_seed_decides_the_order(self) -> None:
        losses = []
        for seed in (1, 1, 2):
            history = fine_tune(bag_of_words(), texts(16), texts(8), learning_rate=0.1, epochs=1, seed=seed)
            losses.append(history["loss"][0])
        assert losses[0] == pytest.approx(losses[1], abs=1e-6)
        assert losses[0] != pytest.approx(losses[2], abs=1e-4)

    def test_labels_from_1_are_refused(self) -> None:
        inputs, labels = texts(30)
        for training, held_out in itertools.permutations([(inputs, labels), (inputs, labels + 1)]):
            with pytest.raises(ValueError, match=r"must be 0 to 2, .* Received: 1 to 3\. .* subtract 1"):
                fine_tune(bag_of_words(), training, held_out)


class TestEvaluation:
    def test_agrees_with_scikit_learn(self, random: np.random.Generator) -> None:
        labels, logits = random.integers(4, size=61), random.normal(size=(61, 4)).astype("float32")
        predictions = logits.argmax(axis=-1)
        assert accuracy(labels, logits) == pytest.approx(sklearn.metrics.accuracy_score(labels, predictions))
        expected = sklearn.metrics.confusion_matrix(labels, predictions)
        np.testing.assert_array_equal(confusion_matrix(labels, predictions, 4), expected)

    def test_absent_classes_have_rows_and_columns(self) -> None:
        matrix = confusion_matrix(np.array([1, 1, 1]), np.array([3, 1, 3]), num_classes=5)
        assert matrix.shape == (5, 5)
        assert matrix.dtype == np.int64
        assert (matrix[1, 3], matrix[1, 1], matrix.sum()) == (2, 1, 3)

    def test_the_baseline_learns_words(self) -> None:
        training = [
            "the ball and the team",
            "the market and the bank",
            "a team lost the ball",
            "a bank left the market",
        ]
        predictions = tfidf_baseline(training, [1, 2, 1, 2], ["the market", "a ball", "the team of the bank and ball"])
        np.testing.assert_array_equal(predictions, [2, 1, 1])

    @pytest.mark.parametrize(
        ("labels", "logits", "message"),
        [
            (np.zeros(3, int), np.zeros(3), r"logits must be \(texts, num_classes\). Received: logits.shape=\(3,\)"),
            (np.zeros((3, 1), int), np.zeros((3, 2)), r"labels must be \(texts\). Received: labels.shape=\(3, 1\)"),
            (np.zeros(3), np.zeros((3, 2)), "integers. Received: labels.dtype=float64"),
            (np.array([1, 2]), np.zeros((2, 2)), "must be 0 to 1, .* Received: 1 to 2. .* subtract 1"),
            (np.zeros(0, int), np.zeros((0, 2)), "at least one. Received: none"),
            (np.zeros(3, int), np.zeros((4, 2)), "Received: 3 labels and 4 predictions"),
        ],
    )
    def test_accuracy_refuses_bad_input(self, labels: np.ndarray, logits: np.ndarray, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            accuracy(labels, logits)

    def test_confusion_matrix_refuses_predictions_that_are_not_classes(self) -> None:
        with pytest.raises(ValueError, match=r"predictions must be 0 to 2, .* Received: 0 to 3"):
            confusion_matrix(np.array([0, 1]), np.array([0, 3]), num_classes=3)


def evaluated(model: keras.Model, examples: Examples) -> tuple[np.ndarray, np.ndarray]:
    inputs, labels = examples
    return labels, predict(model, inputs)
