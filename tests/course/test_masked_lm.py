"""The head and the loss of masked language modelling agree with Hugging Face, and with numbers computed by hand."""

from __future__ import annotations

from typing import Any

import keras
import numpy as np
import pytest
from keras import ops

from course.masked_lm import MaskedLMHead, gather_masked, masked_lm_loss, masked_positions
from tests.closeness import assert_close
from tests.course.gradients import gradient
from tests.course.masked_texts import FISH, LENGTH, PAD, VOCABULARY_SIZE, corrupt, texts


def test_gather_masked_takes_the_vectors_at_the_positions() -> None:
    sequence_output = np.random.default_rng(0).normal(size=(3, 7, 5)).astype("float32")
    positions = np.array([[6, 0], [3, 3], [1, 5]])
    gathered = ops.convert_to_numpy(gather_masked(sequence_output, positions))
    for row in range(3):
        np.testing.assert_array_equal(gathered[row], sequence_output[row, positions[row]])


class TestMaskedLMHead:
    @pytest.fixture(scope="class")
    def published(self) -> Any:
        """Hugging Face's model with random weights of a size at which every part matters."""
        import torch
        from transformers import BertConfig, BertForPreTraining

        config = BertConfig(
            vocab_size=VOCABULARY_SIZE,
            hidden_size=12,
            num_hidden_layers=1,
            num_attention_heads=3,
            intermediate_size=17,
            max_position_embeddings=LENGTH,
        )
        torch.manual_seed(0)
        model = BertForPreTraining(config).eval()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.add_(0.3 * torch.randn_like(parameter))
        return model

    @staticmethod
    def head_of(published: Any) -> tuple[MaskedLMHead, np.ndarray]:
        state = {name: array.detach().numpy().copy() for name, array in published.state_dict().items()}
        head = MaskedLMHead(VOCABULARY_SIZE, 12)
        head.build((None, None, 12), (VOCABULARY_SIZE, 12))
        transform = "cls.predictions.transform."
        head.dense.set_weights([state[transform + "dense.weight"].T, state[transform + "dense.bias"]])
        head.norm.set_weights([state[transform + "LayerNorm.weight"], state[transform + "LayerNorm.bias"]])
        head.output_bias.assign(state["cls.predictions.bias"])
        return head, state["bert.embeddings.word_embeddings.weight"]

    def test_agrees_with_hugging_face_in_logits_and_loss(self, published: Any) -> None:
        import torch

        token_ids = texts(seed=10, rows=4)
        masked_ids, selected = corrupt(token_ids, seed=1)
        not_next = torch.tensor([1, 0, 0, 1])
        with torch.no_grad():
            output = published(
                torch.tensor(masked_ids),
                attention_mask=torch.tensor(token_ids != PAD),
                labels=torch.tensor(np.where(selected, token_ids, -100)),  # -100 is what it ignores
                next_sentence_label=not_next,
                output_hidden_states=True,
            )
            pairs_loss = torch.nn.functional.cross_entropy(output.seq_relationship_logits, not_next)
        head, embeddings = self.head_of(published)
        sequence_output = output.hidden_states[-1].numpy()

        everywhere = ops.convert_to_numpy(head(sequence_output, embeddings))
        np.testing.assert_allclose(everywhere, output.prediction_logits.numpy(), atol=1e-5, rtol=1e-5)

        positions, weights = masked_positions(selected)
        logits = head(sequence_output, embeddings, positions)
        labels = np.take_along_axis(token_ids, ops.convert_to_numpy(positions), axis=1)
        loss = ops.convert_to_numpy(masked_lm_loss(labels, logits, weights))
        assert float(loss) == pytest.approx(float(output.loss - pairs_loss), abs=1e-5)

    def test_gathering_first_gives_the_same_logits(self) -> None:
        generator = np.random.default_rng(1)
        sequence_output = generator.normal(size=(3, 11, 6)).astype("float32")
        embeddings = generator.normal(size=(13, 6)).astype("float32")
        positions = np.array([[1, 9], [0, 4], [10, 2]])
        head = MaskedLMHead(13, 6)
        everywhere = ops.convert_to_numpy(head(sequence_output, embeddings))
        gathered = ops.convert_to_numpy(head(sequence_output, embeddings, positions))
        assert gathered.shape == (3, 2, 13)
        assert_close(gathered, np.take_along_axis(everywhere, positions[..., None], 1), 1e-6)

    def test_trains_the_embeddings_that_it_is_given(self) -> None:
        """With u = h Eᵀ + b, the sum of all scores of one word has the sum of all h as its gradient."""
        generator = np.random.default_rng(6)
        sequence_output = generator.normal(size=(3, 11, 6)).astype("float32")
        embeddings = generator.normal(size=(13, 6)).astype("float32")
        head = MaskedLMHead(13, 6)
        scores_of_word = gradient(lambda e: ops.sum(head(sequence_output, e)[..., 4]), embeddings)
        hidden = ops.convert_to_numpy(head(sequence_output, np.vstack([np.eye(6), np.zeros((7, 6))])))[..., :6]
        assert_close(scores_of_word[4], hidden.sum(axis=(0, 1)), 1e-4)
        assert not np.delete(scores_of_word, 4, axis=0).any()

    def test_survives_its_config(self) -> None:
        head = MaskedLMHead(13, 6, epsilon=1e-7, name="words")
        again = MaskedLMHead.from_config(head.get_config())
        assert (again.vocabulary_size, again.hidden_dim, again.epsilon, again.name) == (13, 6, 1e-7, "words")

    @pytest.mark.parametrize("policy", ["mixed_float16", "mixed_bfloat16"])
    def test_half_precision_stays_close(self, policy: str) -> None:
        generator = np.random.default_rng(2)
        sequence_output = generator.normal(size=(2, 7, 6)).astype("float32")
        embeddings = generator.normal(size=(13, 6)).astype("float32")
        exact, half = MaskedLMHead(13, 6), MaskedLMHead(13, 6, dtype=policy)
        expected = ops.convert_to_numpy(exact(sequence_output, embeddings))
        half(sequence_output, embeddings)
        half.set_weights(exact.get_weights())
        logits = half(sequence_output, embeddings)
        assert keras.backend.standardize_dtype(logits.dtype) == policy.removeprefix("mixed_")
        np.testing.assert_allclose(ops.convert_to_numpy(ops.cast(logits, "float32")), expected, atol=0.1)

    @pytest.mark.parametrize(
        ("sequence_shape", "embeddings_shape", "message"),
        [
            ((2, 6), (13, 6), r"\(batch, length, 6\)"),
            ((2, 7, 5), (13, 6), r"Received: sequence_output.shape=\(2, 7, 5\)"),
            (
                (2, 7, 6),
                (6, 13),
                r"must be \(13, 6\), a row for each word. Received: embeddings.shape=\(6, 13\)",
            ),
        ],
    )
    def test_refuses_wrong_shapes(self, sequence_shape: tuple, embeddings_shape: tuple, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            MaskedLMHead(13, 6)(np.zeros(sequence_shape, "float32"), np.zeros(embeddings_shape, "float32"))


class TestMaskedLMLoss:
    def test_is_the_mean_over_the_three_words_of_the_textbook(self) -> None:
        """so [long] and [thanks] for all [the] fish: -(log P(long) + log P(thanks) + log P(the)) / 3."""
        probabilities = np.full((1, 8, 8), 0.02)
        for position, share in ((1, 0.5), (3, 0.25), (6, 0.125)):
            probabilities[0, position] = (1 - share) / 7
            probabilities[0, position, position] = share
        weights = np.array([[0.0, 1, 0, 1, 0, 0, 1, 0]])
        loss = masked_lm_loss(np.arange(len(FISH))[None], np.log(probabilities), weights)
        assert float(loss) == pytest.approx(np.log(2) * (1 + 2 + 3) / 3, abs=1e-6)

    def test_each_masked_word_counts_the_same_in_any_row(self) -> None:
        generator = np.random.default_rng(3)
        logits = generator.normal(size=(2, 5, 7))
        labels = generator.integers(0, 7, size=(2, 5))
        weights = np.array([[1.0, 1, 1, 1, 0], [0, 0, 0, 0, 1]])
        probabilities = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
        losses = -np.log(np.take_along_axis(probabilities, labels[..., None], axis=-1)[..., 0])
        expected = (losses[0, :4].sum() + losses[1, 4]) / 5
        assert float(masked_lm_loss(labels, logits, weights)) == pytest.approx(expected, abs=1e-6)

    def test_ignores_unmasked_positions(self) -> None:
        generator = np.random.default_rng(4)
        logits = generator.normal(size=(3, 5, 7))
        labels = generator.integers(0, 7, size=(3, 5))
        weights = generator.random((3, 5)) < 0.5
        elsewhere = np.where(weights[..., None], logits, 1000.0 * generator.normal(size=logits.shape))
        other_labels = np.where(weights, labels, (labels + 3) % 7)
        assert float(masked_lm_loss(other_labels, elsewhere, weights)) == pytest.approx(
            float(masked_lm_loss(labels, logits, weights)), abs=1e-6
        )

    def test_gradient_is_the_probabilities_minus_the_labels(self) -> None:
        generator = np.random.default_rng(5)
        logits = generator.normal(size=(3, 5, 7))
        labels = generator.integers(0, 7, size=(3, 5))
        weights = np.arange(15).reshape(3, 5) % 4 == 1
        probabilities = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
        expected = weights[..., None] * (probabilities - np.eye(7)[labels]) / weights.sum()
        given = gradient(lambda logits: masked_lm_loss(labels, logits, weights), logits)
        assert_close(given, expected, 1e-6)

    def test_is_zero_where_nothing_is_masked(self) -> None:
        labels, logits, weights = np.array([[1, 2]]), np.ones((1, 2, 3)), np.zeros((1, 2))
        assert float(masked_lm_loss(labels, logits, weights)) == 0.0
        assert not gradient(lambda logits: masked_lm_loss(labels, logits, weights), logits).any()

    def test_is_computed_in_float32(self) -> None:
        """A vocabulary of equal scores: log 30,522, which neither float16 nor bfloat16 can hold."""
        for dtype in ("float16", "bfloat16"):
            logits = ops.zeros((1, 2, 30_522), dtype=dtype)
            loss = masked_lm_loss(np.array([[0, 5]]), logits, np.ones((1, 2)))
            assert keras.backend.standardize_dtype(loss.dtype) == "float32"
            assert float(loss) == pytest.approx(np.log(30_522), abs=1e-5)

    @pytest.mark.parametrize(
        ("labels", "weights", "message"),
        [
            ((2, 3), (2,), "weights must be"),
            ((2,), (2, 3), "labels must be"),
            (
                (2, 1),
                (2, 3),
                r"labels must have one number .* labels.shape=\(2, 1\), logits.shape=\(2, 3, 5\)",
            ),
            ((2, 3), (1, 3), r"weights must have one number .* Received: weights.shape=\(1, 3\)"),
        ],
    )
    def test_refuses_wrong_shapes(self, labels: tuple, weights: tuple, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            masked_lm_loss(np.zeros(labels, int), np.zeros((2, 3, 5)), np.ones(weights))
