"""The intermediate results of an encoder: the vectors after each layer, and the attention scores of each block."""

from __future__ import annotations

import math
from typing import Any

from keras import ops

from course.attention import split_heads
from course.classification import Inputs
from course.encoder import BertEncoder


def read_closely(encoder: BertEncoder, inputs: Inputs) -> dict[str, Any]:
    """Return an encoder's outputs, and what `TinyLoss` compares: all layers, and attention scores before the softmax.

    Args:
        encoder: of post-LN blocks, so that a block's attention reads the output of the layer before it.
        inputs: "token_ids" and, optionally, "segment_ids" and "padding_mask", each (batch, length).

    Returns:
        "sequence_output", "pooled_output" and "layer_outputs" of the encoder, and "attention_scores": for each block
        Q Kᵀ / √d, (batch, num_heads, length, length), without a mask.
    """
    outputs = encoder(inputs["token_ids"], inputs.get("segment_ids"), inputs.get("padding_mask"), return_layers=True)
    scores = []
    for block, x in zip(encoder.blocks, outputs["layer_outputs"], strict=False):
        attention = block.attention
        query, key = (
            split_heads(dense(x), attention.num_heads) for dense in (attention.query_dense, attention.key_dense)
        )
        scores.append(ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(query.shape[-1]))
    return {**outputs, "attention_scores": scores}
