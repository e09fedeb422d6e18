"""What [CLS] looks at: it speaks for the whole text, so what it attends to is a clue to why a text got its class."""

from __future__ import annotations

import numpy as np

from course.classification import Inputs
from course.encoder import BertEncoder
from course.evaluation.attention_maps import attention_weights


def cls_attention(encoder: BertEncoder, inputs: Inputs) -> np.ndarray:
    """The weights with which [CLS] attends to each token, in the last block.

    They say where the last block looked, and not why: what a token's vector holds has come from other tokens, too.

    Args:
        encoder: built.
        inputs: a batch of texts, as `BertEncoder` takes them.

    Returns:
        float32, (batch, heads, length); 0 at padding, and the sum over a text is 1.

    Raises:
        ValueError: inputs that are not the encoder's.

    Reference: Jain and Wallace, "Attention is not Explanation", 2019, https://arxiv.org/abs/1902.10186, on how little
    it explains.
    """
    return attention_weights(encoder, inputs, slice(-1, None))[0][:, :, 0]
