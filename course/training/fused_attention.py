"""Attention on a GPU by one fused kernel, which never stores the attention weights.

Chapter 3's layer keeps its weights, (batch, heads, query, key), until the gradients are computed. A fused kernel keeps
only queries, keys and values, and recomputes the weights in small parts when it needs them. For 64 rows of 512 tokens
with 12 heads of 64 features, in bfloat16, JAX keeps 2,474 MB of the layer, before XLA simplifies it, and 342 MB with
the kernel.

The kernel cannot return or drop weights. If either is needed, the layer computes as in the lesson.

Reference: Dao et al., "FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness", 2022,
https://arxiv.org/abs/2205.14135.
"""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

from course.attention import MultiHeadAttention
from course.encoder import BertEncoder
from course.validation.arrays import require_mask


def fused_attention(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    """Compute the output of `scaled_dot_product_attention` with the backend's fused kernel.

    Args:
        query: (batch, heads, query_length, head_dim).
        key, value: (batch, heads, key_length, head_dim).
        mask: boolean, True where attention is allowed, of four axes that broadcast to (batch, heads, query_length,
            key_length). None allows everything.

    Returns:
        (batch, heads, query_length, head_dim).

    Raises:
        ValueError: the mask is not boolean, or does not fit.
    """
    lengths = (query.shape[2], key.shape[2])
    if mask is not None:
        require_mask(mask, (*query.shape[:2], *lengths))
        # JAX's kernel wants a row for each query. For a mask over keys alone, Keras would log an error and not use it.
        mask = ops.broadcast_to(mask, (*mask.shape[:2], *lengths))
    query, key, value = (
        ops.transpose(x, (0, 2, 1, 3)) for x in (query, key, value)
    )  # (batch, length, heads, head_dim)
    return ops.transpose(ops.dot_product_attention(query, key, value, mask=mask), (0, 2, 1, 3))


class FusedAttention(MultiHeadAttention):
    """A `MultiHeadAttention` that uses the kernel if its weights are not needed. `fuse_attention` makes it."""

    def call(
        self,
        inputs: Any,
        context: Any = None,
        attention_mask: Any = None,
        training: bool | None = None,
        return_weights: bool = False,
    ) -> Any:
        self._weights_needed = return_weights or bool(self.dropout and training)
        return super().call(inputs, context, attention_mask, training, return_weights)

    def _attend(self, query: Any, key: Any, value: Any, mask: Any) -> tuple[Any, Any]:
        odd = query.shape[2] % 2 or key.shape[2] % 2  # JAX's kernel has no gradients for such lengths
        as_in_the_lesson = self._weights_needed or odd
        attend = super()._attend if as_in_the_lesson else _fused
        return attend(query, key, value, mask)


def _fused(query: Any, key: Any, value: Any, mask: Any) -> tuple[Any, None]:
    """The output, without weights."""
    return fused_attention(query, key, value, mask), None


def fuse_attention(encoder: BertEncoder) -> None:
    """Let the blocks of an encoder use the kernel. Its weights, and its saved form, do not change."""
    for block in encoder.blocks:
        if type(block.attention) is MultiHeadAttention:
            block.attention.__class__ = FusedAttention


def has_kernel() -> bool:
    """Return whether there is a GPU, and the backend has a kernel for it."""
    if keras.backend.backend() == "jax":
        import jax

        return jax.default_backend() == "gpu"
    if keras.backend.backend() == "torch":
        import torch

        return torch.cuda.is_available()
    return False
