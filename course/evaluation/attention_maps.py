"""The attention weights of a whole encoder, for plots and probes, and those of [CLS]."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from keras import ops

from course.encoder import BertEncoder
from course.validation.arrays import require_inputs

if TYPE_CHECKING:
    from course.classification import Inputs


def attention_weights(encoder: BertEncoder, inputs: Inputs, blocks: slice = slice(None)) -> np.ndarray:
    """The attention weights of all heads, block by block.

    Args:
        encoder: built.
        inputs: a batch of texts, as `BertEncoder` takes them.
        blocks: the blocks to return weights of.

    Returns:
        float32, (layers, batch, heads, query, key); 0 for keys that are padding, and the sum over the keys is 1.

    Raises:
        ValueError: inputs that are not the encoder's.
    """
    require_inputs(inputs, ("token_ids", "padding_mask", "segment_ids"))
    outputs = encoder(inputs["token_ids"], inputs["segment_ids"], inputs["padding_mask"], return_layers=True)
    mask = ops.cast(inputs["padding_mask"], "bool")[:, None, None, :]  # (batch, 1, 1, key)
    weights = []
    for block, x in list(zip(encoder.blocks, outputs["layer_outputs"][:-1], strict=True))[blocks]:
        _, block_weights = block.attention(x, attention_mask=mask, return_weights=True)  # (batch, heads, query, key)
        weights.append(ops.convert_to_numpy(ops.cast(block_weights, "float32")))
    return np.stack(weights)


def cls_attention(encoder: BertEncoder, inputs: Inputs) -> np.ndarray:
    """The weights with which [CLS] attends to each token, in the last block.

    [CLS] stands for the whole text, so its attention is a clue to why the text got its class. It shows where the last
    block looked, not why: a token's vector also holds what came from other tokens.

    Args:
        encoder: built.
        inputs: a batch of texts, as `BertEncoder` takes them.

    Returns:
        float32, (batch, heads, length); 0 at padding, and the sum over a text is 1.

    Raises:
        ValueError: inputs that are not the encoder's.

    Reference: Jain and Wallace, "Attention is not Explanation", 2019, https://arxiv.org/abs/1902.10186.
    """
    return attention_weights(encoder, inputs, slice(-1, None))[0][:, :, 0]
