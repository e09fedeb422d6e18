"""The models of a pretraining, one for each objective, with their metrics."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import keras
import numpy as np
from keras import ops

from course.data.text.vocabulary import Vocabulary
from course.encoder import BertEncoder
from course.given.generator import Generator
from course.pretraining import BertPretrainer
from course.training.devices import share_of_loss

PAIRS, WORDS, SPANS, ELECTRA = "mlm+nsp", "mlm", "span", "electra"
OBJECTIVES = (PAIRS, WORDS, SPANS, ELECTRA)


class MeasuredPretrainer(BertPretrainer):
    """A `BertPretrainer` that also measures the loss of the pairs, and the share of steps with a finite loss."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.mean_pair_loss = keras.metrics.Mean(name="next_sentence_loss")
        self.finite = keras.metrics.Mean(name="finite")

    def compute_loss(self, *args: Any, **kwargs: Any) -> Any:
        loss = super().compute_loss(*args, **kwargs)
        self.mean_pair_loss.update_state(loss - self._word_loss)
        self.finite.update_state(ops.isfinite(loss))
        return loss * share_of_loss()

    def record(self, word_loss: Any, y: Any, y_pred: dict[str, Any]) -> None:
        super().record(word_loss, y, y_pred)
        self._word_loss = word_loss


def pretrainer_of(
    objective: str,
    encoder: BertEncoder,
    vocabulary: Vocabulary,
    word_probabilities: np.ndarray,
    rate: float,
    seed: int,
) -> keras.Model:
    """Return a built model that learns by one of `OBJECTIVES`.

    Args:
        objective: its name.
        encoder: the encoder to pretrain, new or with earlier weights.
        vocabulary: has the special ids.
        word_probabilities: (vocabulary_size,), of random words.
        rate: the share of the words that is hidden.
        seed: of the masks and other draws.
    """
    options: dict[str, Any] = {"rate": rate, "seed": seed, "dtype": encoder.dtype_policy}
    special = (vocabulary.mask_id, vocabulary.special_ids)
    if objective == PAIRS:
        return _pair_pretrainer()(encoder, word_probabilities, *special, **options)
    # Not at the top: a bundle of chapter 7 must not have them, because they do what its exercise asks for.
    from course.training.objective_models import MaskedWordPretrainer, MeasuredElectra

    if not encoder.built:
        encoder.build((None, None))
    encoder.pooler.trainable = False  # without pairs, the pooler of [CLS] has no gradient
    if objective == ELECTRA:
        return MeasuredElectra(encoder, _generator(encoder), *special, **options)
    return MaskedWordPretrainer(encoder, word_probabilities, *special, **options)


def _pair_pretrainer() -> type[MeasuredPretrainer]:
    """Return the fast model where it can be used: a student's own computes as the student wrote it."""
    if BertPretrainer.__module__ == "course.pretraining":
        with suppress(ModuleNotFoundError):  # in a bundle of an early chapter
            from course.training.objective_models import FastPretrainer

            return FastPretrainer
    return MeasuredPretrainer


def _generator(encoder: BertEncoder) -> Generator:
    """Make a generator half as wide as the discriminator, with half the heads if their number allows it."""
    heads = max(1, encoder.num_heads // 2)
    width = encoder.hidden_dim // 2 // heads * heads
    return Generator(
        encoder.num_layers,
        heads,
        width,
        encoder.intermediate_dim // 2,
        encoder.dropout,
        name="generator",
        dtype=encoder.dtype_policy,
    )
