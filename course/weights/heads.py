"""The head of masked words as some publishers have it, with the activation of their config.json."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

from course.encoder import gelu
from course.masked_lm import MaskedLMHead, gather_masked


@keras.saving.register_keras_serializable(package="course")
class ApproximateMaskedLMHead(MaskedLMHead):
    """A `MaskedLMHead` whose transform approximates GELU, as weights with `hidden_act` "gelu_new" were trained.

    Its arguments, inputs and errors are those of `MaskedLMHead`. With the exact GELU its logits are off by up to a
    thousandth.
    """

    def call(self, sequence_output: Any, embeddings: Any, positions: Any = None) -> Any:
        """Logits, (batch, predictions, vocabulary_size)."""
        if positions is not None:
            sequence_output = gather_masked(sequence_output, positions)  # (batch, predictions, hidden_dim)
        hidden = self.norm(gelu(self.dense(sequence_output), approximate=True))  # (batch, predictions, hidden_dim)
        return ops.matmul(hidden, ops.transpose(embeddings)) + self.output_bias
