"""A classifier that uses every token of a text, not [CLS] alone."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

from course.classification import TextClassifier
from course.validation.arrays import require_inputs


@keras.saving.register_keras_serializable(package="course")
class AveragingClassifier(TextClassifier):
    """A `TextClassifier` that adds the mean over all tokens to the output for [CLS].

        logits = dropout(pooled_output + mean of sequence_output over the text) W + b

    An encoder that is small, or has read little, has not learned well to gather a text in one token; a mean needs no
    learning. Its arguments, inputs and errors are those of `TextClassifier`.

    Reference: means compared with [CLS]: Reimers and Gurevych, "Sentence-BERT", 2019, https://arxiv.org/abs/1908.10084,
    section 3 and table 6.
    """

    def call(self, inputs: dict[str, Any], training: bool | None = None) -> Any:
        """Return the logits, (batch, num_classes), before the softmax."""
        require_inputs(inputs, ("token_ids",))
        padding_mask = inputs.get("padding_mask")
        if padding_mask is None:
            padding_mask = ops.not_equal(inputs["token_ids"], self.encoder.padding_id)
        outputs = self.encoder(inputs["token_ids"], inputs.get("segment_ids"), padding_mask)
        states = outputs["sequence_output"]
        is_token = ops.cast(padding_mask, states.dtype)[..., None]  # (batch, length, 1)
        mean = ops.sum(states * is_token, axis=1) / ops.sum(is_token, axis=1)  # (batch, hidden_dim)
        return self.logits_dense(self.dropout_layer(outputs["pooled_output"] + mean))
