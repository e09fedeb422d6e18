"""Which documents of a corpus are held out, to measure a pretraining by what it has not read."""

from __future__ import annotations

import hashlib
from itertools import pairwise

import numpy as np

from course.data.corpus.token_arrays import Shard
from course.validation.values import require_shares

_DIGEST_BYTES = 8


def held_out_documents(shard: Shard, share: float) -> np.ndarray:
    """Chooses by what a document says, and by nothing else.

    So every run holds the same documents out, whatever its seed; and one that stands in the corpus twice is not
    learned from in one place and measured in the other.

    Args:
        shard: the documents.
        share: how many are held out, from 0 to below 1; about so many, since each is chosen by itself.

    Returns:
        (documents,), boolean.

    Raises:
        ValueError: no share.
    """
    require_shares(share=share)
    bounds = np.asarray(shard.sentence_starts)[shard.document_starts]  # (documents + 1,), among the pieces
    pieces = np.ascontiguousarray(shard.pieces, dtype="<i4")
    digests = b"".join(
        hashlib.blake2b(pieces[start:end].data, digest_size=_DIGEST_BYTES).digest() for start, end in pairwise(bounds)
    )
    return np.frombuffer(digests, "<u8") < share * 256.0**_DIGEST_BYTES
