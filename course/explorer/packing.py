"""An encoder as a browser takes it: sizes, vocabulary and weights in one object of JSON."""

from __future__ import annotations

import base64
from operator import attrgetter
from typing import Any

import numpy as np
from keras import ops

from course.data.text.wordpiece import WordPieceTokenizer
from course.encoder import BertEncoder
from course.masked_lm import MaskedLMHead
from course.weights.parameters import parameters

_SIZES = ("num_layers", "num_heads", "hidden_dim", "max_length", "padding_id", "epsilon", "approximate_gelu")
_HEAD = ("dense.kernel", "dense.bias", "norm.gamma", "norm.beta", "output_bias")
# Of BERT-mini there are 11 million; with many more, a page would take longer than a reader waits.
MOST_PARAMETERS = 20_000_000


def packed(encoder: BertEncoder, tokenizer: WordPieceTokenizer, head: MaskedLMHead | None = None) -> dict[str, Any]:
    """What `encoder.js` reads.

    Where all weights are numbers of half precision, as those of the sample encoder are, they take half the room.

    Args:
        encoder: built.
        tokenizer: of the vocabulary that it was trained with.
        head: that of masked words, built; None where there is none.

    Raises:
        ValueError: an encoder without a position table, one that is too large for a page, or another vocabulary.
        WeightsError: an encoder that is not built, or keeps a parameter under another name.
    """
    _require_fitting(encoder, tokenizer)
    tensors = parameters(encoder)
    if head is not None:
        tensors |= {f"head.{path}": ops.convert_to_numpy(attrgetter(path)(head)) for path in _HEAD}
    numbers = np.concatenate([np.asarray(tensor, "float32").ravel() for tensor in tensors.values()])  # (parameters,)
    if len(numbers) > MOST_PARAMETERS:
        raise ValueError(
            f"encoder must have at most {MOST_PARAMETERS:,} parameters to be explored in a page. "
            f"Received: {len(numbers):,}; `course.plots.plot_attention` draws one head of a larger one"
        )
    with np.errstate(over="ignore"):  # what is too large for half precision is not equal afterwards
        halves = numbers.astype("<f2")
    is_half = np.array_equal(halves.astype("float32"), numbers)
    return {
        "sizes": {name: getattr(encoder, name) for name in _SIZES} | {"head_epsilon": getattr(head, "epsilon", None)},
        "vocabulary": list(tokenizer.vocabulary),
        "lowercase": tokenizer.lowercase,
        "tensors": [[name, int(tensor.size)] for name, tensor in tensors.items()],
        "bytes": 2 if is_half else 4,
        "data": base64.b64encode((halves if is_half else numbers.astype("<f4")).tobytes()).decode(),
    }


def _require_fitting(encoder: BertEncoder, tokenizer: WordPieceTokenizer) -> None:
    if getattr(encoder, "built", False) and encoder.embedding.position_embedding is None:
        raise ValueError(
            "encoder must have a position table, as BERT has. Received: one that knows positions in another way; "
            "its attention is drawn by `course.plots.plot_attention`"
        )
    if len(tokenizer.vocabulary) != encoder.vocabulary_size:
        raise ValueError(
            f"tokenizer must have the vocabulary that the encoder was trained with, of {encoder.vocabulary_size} "
            f"pieces. Received: one of {len(tokenizer.vocabulary)}"
        )
