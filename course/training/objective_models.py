"""The models that learn by the objectives of chapter 11, and BERT's own with less to compute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import keras
import numpy as np
from keras import ops

from course.attention import padding_mask
from course.encoder import BertEncoder
from course.given.packed import document_mask
from course.masked_lm import MaskedLMHead, mask_tokens, masked_lm_loss, masked_positions
from course.objectives import Electra
from course.training.devices import share_of_loss
from course.training.last_block import states_at
from course.training.pretrainers import MeasuredPretrainer
from course.validation.arrays import require_inputs


class FastPretrainer(MeasuredPretrainer):
    """A `BertPretrainer` that computes the last block for [CLS] and the masked places alone."""

    def call(self, inputs: dict[str, Any], training: bool | None = None) -> dict[str, Any]:
        """Return the same as `BertPretrainer`."""
        require_inputs(inputs, ("token_ids", "segment_ids"))
        hidden = _hide_words(self, inputs, training)
        places = ops.pad(hidden.positions, ((0, 0), (1, 0)))  # (batch, 1 + predictions); [CLS] stands at 0
        states = _states_at(self.encoder, hidden.masked_ids, inputs, places)
        pooled = self.encoder.pooler(states[:, 0])
        return {
            **_guessed_words(self, states[:, 1:], hidden),
            "next_sentence_logits": self.next_sentence_head(pooled),
        }


class MaskedWordPretrainer(keras.Model):
    """Learns masked words alone: words that it masks itself, or spans that were masked before.

    Args:
        encoder: the encoder to pretrain.
        unigram_probabilities, mask_id, special_ids, rate, seed: as for `BertPretrainer`.
        **kwargs: the arguments of every Keras model.
    """

    def __init__(
        self,
        encoder: BertEncoder,
        unigram_probabilities: np.ndarray,
        mask_id: int,
        special_ids: tuple[int, ...],
        *,
        rate: float,
        seed: int,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.encoder = encoder
        self.unigram_probabilities, self.mask_id, self.special_ids = unigram_probabilities, mask_id, special_ids
        self.rate, self.seed = rate, seed
        self.seed_generator = keras.random.SeedGenerator(seed)
        vocabulary_size, hidden_dim, dtype = encoder.vocabulary_size, encoder.hidden_dim, encoder.dtype_policy
        self.masked_lm_head = MaskedLMHead(vocabulary_size, hidden_dim, name="masked_lm_head", dtype=dtype)
        self.mean_word_loss = keras.metrics.Mean(name="masked_lm_loss")
        self.word_accuracy = keras.metrics.Mean(name="masked_lm_accuracy")
        self.finite = keras.metrics.Mean(name="finite")
        if not encoder.built:
            encoder.build((None, None))
        self.masked_lm_head.build((None, None, hidden_dim), (vocabulary_size, hidden_dim))
        self.built = True

    def call(self, inputs: dict[str, Any], training: bool | None = None) -> dict[str, Any]:
        """Return the same as `BertPretrainer`, without pairs.

        Args:
            inputs: "token_ids", and "document_ids" of packed rows; "masked_ids" and "selected" if words are hidden
                already, as by `SpanHiding`.
            training: whether to draw new masks in each call.
        """
        require_inputs(inputs, ("token_ids",))
        hidden = _hide_words(self, inputs, training)
        states = _states_at(self.encoder, hidden.masked_ids, inputs, hidden.positions)
        return _guessed_words(self, states, hidden)

    def compute_loss(
        self,
        x: Any = None,
        y: Any = None,
        y_pred: Any = None,
        sample_weight: Any = None,
        training: bool | None = True,
    ) -> Any:
        """Return `masked_lm_loss`, and update its metrics."""
        words, logits, weights = y_pred["words"], y_pred["word_logits"], y_pred["word_weights"]
        word_loss = masked_lm_loss(words, logits, weights)
        right = ops.equal(ops.argmax(logits, axis=-1), words)
        self.mean_word_loss.update_state(word_loss, sample_weight=ops.sum(weights))
        self.word_accuracy.update_state(right, sample_weight=weights)
        self.finite.update_state(ops.isfinite(word_loss))
        return word_loss * share_of_loss()


class MeasuredElectra(Electra):
    """An `Electra` that also measures the share of steps with a finite loss."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.finite = keras.metrics.Mean(name="finite")

    def compute_loss(self, *args: Any, **kwargs: Any) -> Any:
        return super().compute_loss(*args, **kwargs) * share_of_loss()

    def record(self, word_loss: Any, fake_loss: Any, y_pred: dict[str, Any]) -> None:
        super().record(word_loss, fake_loss, y_pred)
        self.finite.update_state(ops.isfinite(word_loss + fake_loss))


@dataclass(frozen=True)
class _HiddenWords:
    """Rows with hidden words, and the hidden words themselves.

    Attributes:
        masked_ids: (batch, length), the encoder's input.
        positions: (batch, predictions), the positions of the hidden words.
        words: (batch, predictions), the hidden words.
        weights: (batch, predictions), 0 for positions that only pad a row.
    """

    masked_ids: Any
    positions: Any
    words: Any
    weights: Any


def _hide_words(model: Any, inputs: dict[str, Any], training: bool | None) -> _HiddenWords:
    """Hide words as `BertPretrainer` does, unless the inputs have hidden words already."""
    token_ids = ops.cast(inputs["token_ids"], "int32")
    if inputs.get("selected") is None:
        masked_ids, selected = mask_tokens(
            token_ids,
            model.unigram_probabilities,
            model.mask_id,
            model.special_ids,
            rate=model.rate,
            seed=model.seed_generator if training else model.seed,
        )
    else:
        masked_ids, selected = inputs["masked_ids"], ops.cast(inputs["selected"], "bool")
    positions, weights = masked_positions(selected, model.rate)
    words = ops.take_along_axis(token_ids, positions, axis=1)
    return _HiddenWords(masked_ids, positions, words, weights)


def _states_at(encoder: BertEncoder, masked_ids: Any, inputs: dict[str, Any], places: Any) -> Any:
    """Return the encoder's output at these places, (batch, places, hidden_dim), of plain or packed rows."""
    if inputs.get("document_ids") is not None:
        mask = document_mask(inputs["document_ids"])  # (batch, 1, length, length)
    elif inputs.get("padding_mask") is not None:
        mask = ops.cast(inputs["padding_mask"], "bool")[:, None, None, :]  # (batch, 1, 1, length)
    else:
        mask = padding_mask(masked_ids, encoder.padding_id)
    return states_at(encoder, encoder.embedding(masked_ids, inputs.get("segment_ids")), mask, places)


def _guessed_words(model: Any, states: Any, hidden: _HiddenWords) -> dict[str, Any]:
    """Return the head's predictions with their labels and weights."""
    return {
        "word_logits": model.masked_lm_head(states, model.encoder.embedding.token_embeddings),
        "words": hidden.words,
        "word_weights": hidden.weights,
    }
