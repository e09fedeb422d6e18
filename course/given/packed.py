"""The mask of rows that hold several documents, none of which sees another one."""

from __future__ import annotations

from typing import Any

from keras import ops

from course.validation.arrays import require_ids


def document_mask(document_ids: Any) -> Any:
    """Return the mask that lets each token attend to its own document alone: blocks along the diagonal.

    Args:
        document_ids: integers, (batch, length), 0 at padding, as `pack_documents` gives them.

    Returns:
        Boolean, (batch, 1, length, length), True where attention is allowed. Padding is allowed to see padding, so that
        no row of a softmax is empty; no word sees padding.

    Raises:
        ValueError: another shape or dtype.

    Example:
        >>> document_mask(np.array([[1, 1, 2]]))[0, 0]
        # [[True, True, False], [True, True, False], [False, False, True]]

    Reference: Liu et al., "RoBERTa", 2019, https://arxiv.org/abs/1907.11692, packs rows so, and lets documents see
    each other; Krell et al., "Efficient Sequence Packing without Cross-contamination", 2021,
    https://arxiv.org/abs/2107.02027, section 3.2, do not.
    """
    require_ids(document_ids=document_ids)
    document_ids = ops.convert_to_tensor(document_ids)
    return ops.equal(document_ids[:, None, :, None], document_ids[:, None, None, :])
