"""Choose the documents of a corpus that are held out, to measure a pretraining on text that it has not read."""

from __future__ import annotations

import hashlib
from itertools import pairwise

import numpy as np

from course.data.corpus.token_arrays import Shard
from course.validation.values import require_shares

_DIGEST_BYTES = 8


def held_out_documents(shard: Shard, share: float) -> np.ndarray:
    """Choose documents by a hash of their content alone.

    So every run holds out the same documents, whatever its seed; and a document that occurs twice in the corpus is
    never both trained on and held out.

    Args:
        shard: the documents.
        share: the approximate share to hold out, from 0 to below 1; each document is chosen independently.

    Returns:
        (documents,), boolean.

    Raises:
        ValueError: `share` is not such a number.
    """
    require_shares(share=share)
    bounds = np.asarray(shard.sentence_starts)[shard.document_starts]  # (documents + 1,), among the pieces
    pieces = np.ascontiguousarray(shard.pieces, dtype="<i4")
    digests = b"".join(
        hashlib.blake2b(pieces[start:end].data, digest_size=_DIGEST_BYTES).digest() for start, end in pairwise(bounds)
    )
    return np.frombuffer(digests, "<u8") < share * 256.0**_DIGEST_BYTES
