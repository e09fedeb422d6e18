"""An encoder as one JSON object for the browser: sizes, vocabulary and weights."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import numpy as np

from course.data.text.wordpiece import WordPieceTokenizer
from course.encoder import BertEncoder
from course.masked_lm import MaskedLMHead
from course.weights.parameters import parameters, values_at

_SIZES = ("num_layers", "num_heads", "hidden_dim", "max_length", "padding_id", "epsilon", "approximate_gelu")
_HEAD = ("dense.kernel", "dense.bias", "norm.gamma", "norm.beta", "output_bias")
# BERT-mini has 11 million; with many more, a page would take longer than a reader waits.
MOST_PARAMETERS = 20_000_000


def packed(encoder: BertEncoder, tokenizer: WordPieceTokenizer, head: MaskedLMHead | None = None) -> dict[str, Any]:
    """The object that `encoder.js` reads.

    If float16 holds all weights exactly, as those of the sample encoder, they are stored so, at half the size.

    Args:
        encoder: built.
        tokenizer: has the vocabulary that the encoder was trained with.
        head: the masked-word head, built, or None.

    Raises:
        ValueError: the encoder has no position table, is too large for a page, or has another vocabulary; the head is
            for another encoder; or a weight is not finite.
        WeightsError: the encoder or the head is not built, or keeps a parameter under another name.
    """
    _require_fitting(encoder, tokenizer)
    tensors = parameters(encoder)
    if head is not None:
        its = values_at(head, _HEAD)
        _require_head_of(encoder, its)
        tensors |= {f"head.{path}": tensor for path, tensor in its.items()}
    numbers = np.concatenate([np.asarray(tensor, "float32").ravel() for tensor in tensors.values()])  # (parameters,)
    if len(numbers) > MOST_PARAMETERS:
        raise ValueError(
            f"encoder must have at most {MOST_PARAMETERS:,} parameters to be explored in a page. "
            f"Received: {len(numbers):,}; `course.plots.plot_attention` draws one head of a larger one"
        )
    if not np.isfinite(numbers).all():
        raise ValueError(
            "encoder and head must have finite weights. Received: some that are not, as after a training that diverged"
        )
    with np.errstate(over="ignore"):  # a number too large for float16 becomes infinite, and differs below
        float16 = numbers.astype("<f2")
    fits_float16 = np.array_equal(float16.astype("float32"), numbers)
    return {
        "sizes": {name: getattr(encoder, name) for name in _SIZES} | {"head_epsilon": getattr(head, "epsilon", None)},
        "vocabulary": list(tokenizer.vocabulary),
        "lowercase": tokenizer.lowercase,
        "tensors": [[name, int(tensor.size)] for name, tensor in tensors.items()],
        "bytes": 2 if fits_float16 else 4,
        "data": base64.b64encode((float16 if fits_float16 else numbers.astype("<f4")).tobytes()).decode(),
    }


def _require_fitting(encoder: BertEncoder, tokenizer: WordPieceTokenizer) -> None:
    if getattr(encoder, "built", False) and encoder.embedding.position_embedding is None:
        raise ValueError(
            "encoder must have a position table, as BERT has. Received: one that encodes positions in another way; "
            "`course.plots.plot_attention` draws its attention"
        )
    if len(tokenizer.vocabulary) != encoder.vocabulary_size:
        raise ValueError(
            f"tokenizer must have the vocabulary that the encoder was trained with, of {encoder.vocabulary_size} "
            f"pieces. Received: one of {len(tokenizer.vocabulary)}"
        )


def _require_head_of(encoder: BertEncoder, head: Mapping[str, np.ndarray]) -> None:
    wanted = (encoder.vocabulary_size, encoder.hidden_dim)
    given = (len(head["output_bias"]), len(head["norm.gamma"]))
    if given != wanted:
        raise ValueError(
            f"head must be made for the encoder, of vocabulary_size and hidden_dim {wanted}. Received: one of {given}"
        )
