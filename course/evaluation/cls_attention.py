"""What [CLS] attends to: it stands for the whole text, so its attention is a clue to why a text got its class."""

from __future__ import annotations

import numpy as np

from course.classification import Inputs
from course.encoder import BertEncoder
from course.evaluation.attention_maps import attention_weights


def cls_attention(encoder: BertEncoder, inputs: Inputs) -> np.ndarray:
    """The weights with which [CLS] attends to each token, in the last block.

    They show where the last block looked, not why: a token's vector also holds what came from other tokens.

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
