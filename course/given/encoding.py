"""Encodes rows in which documents may stand side by side."""

from __future__ import annotations

from typing import Any

from course.encoder import BertEncoder
from course.given.packed import document_mask
from course.validation.arrays import require_rank, require_same_shapes


def encode(encoder: BertEncoder, token_ids: Any, segment_ids: Any = None, document_ids: Any = None) -> dict[str, Any]:
    """Return an encoder's outputs for rows in which documents may stand side by side.

    Args:
        encoder: built.
        token_ids, segment_ids: integers, (batch, length), as the encoder takes them.
        document_ids: integers, (batch, length); no token attends to those of another document. None: each row is one
            document.

    Returns:
        "sequence_output" and "pooled_output", as of the encoder. Positions count from the start of the row, not of the
        document.

    Raises:
        ValueError: as of the encoder, and document ids of another shape.
    """
    if document_ids is None:
        return encoder(token_ids, segment_ids)
    mask = document_mask(document_ids)  # (batch, 1, length, length)
    require_same_shapes(token_ids=token_ids, document_ids=document_ids)
    return encode_embedded(encoder, encoder.embedding(token_ids, segment_ids), mask)


def encode_embedded(encoder: BertEncoder, embedded: Any, attention_mask: Any) -> dict[str, Any]:
    """Return an encoder's outputs for embeddings, under any attention mask.

    Args:
        encoder: built.
        embedded: (batch, length, hidden_dim), from its embedding or instead of it.
        attention_mask: boolean; it broadcasts to (batch, heads, query, key).

    Returns:
        "sequence_output" and "pooled_output", as of the encoder.

    Raises:
        ValueError: shapes that do not fit each other.
    """
    require_rank(embedded, "embedded", ("batch", "length", "hidden_dim"))
    x = embedded
    for block in encoder.blocks:
        x = block(x, attention_mask=attention_mask)  # (batch, length, hidden_dim)
    return {"sequence_output": x, "pooled_output": encoder.pooler(x[:, 0])}
