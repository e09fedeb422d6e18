"""Rows that hold several documents, none of which sees another one."""

from __future__ import annotations

from typing import Any

from keras import ops

from course.encoder import BertEncoder
from course.validation.arrays import require_integers, require_rank, require_same_shapes


def document_mask(document_ids: Any) -> Any:
    """Lets each token attend to those of its own document: block by block along the diagonal.

    Args:
        document_ids: integers, (batch, length), 0 at padding, as `pack_documents` gives them.

    Returns:
        Boolean, (batch, 1, length, length), True where attention is allowed. Padding is allowed to see padding, so
        that no row of a softmax is empty; no word sees it.

    Raises:
        ValueError: another shape or dtype.

    Example:
        >>> document_mask(np.array([[1, 1, 2]]))[0, 0]
        # [[True, True, False], [True, True, False], [False, False, True]]

    Reference: Liu et al., "RoBERTa", 2019, https://arxiv.org/abs/1907.11692, packs rows so, and lets documents see
    each other; Krell et al., "Efficient Sequence Packing without Cross-contamination", 2021,
    https://arxiv.org/abs/2107.02027, section 3.2, do not.
    """
    require_rank(document_ids, "document_ids", ("batch", "length"))
    require_integers(document_ids, "document_ids")
    document_ids = ops.convert_to_tensor(document_ids)
    return ops.equal(document_ids[:, None, :, None], document_ids[:, None, None, :])


def encode(encoder: BertEncoder, token_ids: Any, segment_ids: Any = None, document_ids: Any = None) -> dict[str, Any]:
    """What an encoder makes of rows, in which documents may stand side by side.

    Args:
        encoder: built.
        token_ids, segment_ids: integers, (batch, length), as the encoder takes them.
        document_ids: integers, (batch, length); no token attends to those of another document. None: each row is one.

    Returns:
        "sequence_output" and "pooled_output", as of the encoder. A word knows its place in the row, not in its
        document.

    Raises:
        ValueError: as of the encoder, and document ids of another shape.
    """
    if document_ids is None:
        return encoder(token_ids, segment_ids)
    mask = document_mask(document_ids)  # (batch, 1, length, length)
    require_same_shapes(token_ids=token_ids, document_ids=document_ids)
    x = encoder.embedding(token_ids, segment_ids)  # (batch, length, hidden_dim)
    for block in encoder.blocks:
        x = block(x, attention_mask=mask)
    return {"sequence_output": x, "pooled_output": encoder.pooler(x[:, 0])}
