"""Compute the last block of an encoder only for the tokens whose output is read.

Every query attends to all tokens, so all keys and values are needed. But the query, the output projection and the
feed-forward network belong to a single token: ten of the twelve products of a block with matrices of
hidden_dim x hidden_dim. Masked words are read at 15% of the tokens, and a class at one. So the results stay the same,
and of four blocks and 128 tokens, pretraining saves a sixth of all products, and classification a fifth.

The layers stay those of the lessons; they are called with fewer queries. An encoder with other blocks, such as those
whose attention knows the position of a query, computes everything, and the read tokens are selected from that.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import keras
from keras import ops

from course.attention import MultiHeadAttention
from course.encoder import BertEncoder, EncoderBlock
from course.masked_lm import gather_masked
from course.training.fused_attention import FusedAttention


def states_at(encoder: BertEncoder, embedded: Any, attention_mask: Any, places: Any) -> Any:
    """Return the encoder's `sequence_output` at some places of each row.

    Args:
        encoder: built.
        embedded: (batch, length, hidden_dim), of its embedding.
        attention_mask: boolean, (batch, 1, 1 or length, length), True where attention is allowed.
        places: integers below length, (batch, places).

    Returns:
        (batch, places, hidden_dim).

    Raises:
        ValueError: shapes do not fit each other, or a place is after the end.
    """
    *blocks, last = encoder.blocks
    x = embedded
    for block in blocks:
        x = block(x, attention_mask=attention_mask)  # (batch, length, hidden_dim)
    if not _serves_each_token_alone(last):
        return gather_masked(last(x, attention_mask=attention_mask), places)
    if attention_mask.shape[2] != 1:  # each query has a row of its own
        attention_mask = ops.take_along_axis(attention_mask, places[:, None, :, None], axis=2)
    return _answer(last, gather_masked(x, places), x, attention_mask)


@contextmanager
def first_token_alone(model: keras.Model) -> Iterator[None]:
    """In this block, a classifier that reads only [CLS] computes its last block only for [CLS].

    Functions compiled here stay that way, and give the same logits. Other models, and models that are not built yet,
    compute as always.
    """
    last = _last_block_of(model)
    if last is None:
        yield
        return
    last.__class__ = _FirstTokenBlock
    try:
        yield
    finally:
        last.__class__ = EncoderBlock


def _last_block_of(model: keras.Model) -> EncoderBlock | None:
    """Return the last block of a classifier if only its [CLS] is read, and it can compute that alone; else None."""
    from course.classification import TextClassifier  # later chapters', without which earlier ones pretrain
    from course.matching import PairClassifier

    reads_first_token = type(model) in (TextClassifier, PairClassifier) and type(model.encoder) is BertEncoder
    if not reads_first_token or not model.encoder.built:
        return None
    last = model.encoder.blocks[-1]
    return last if _serves_each_token_alone(last) else None


class _FirstTokenBlock(EncoderBlock):
    """An `EncoderBlock` that answers for the first token, (batch, 1, hidden_dim). The encoder pools no other."""

    def call(self, x: Any, attention_mask: Any = None) -> Any:
        return _answer(self, x[:, :1], x, attention_mask)


def _answer(block: EncoderBlock, asking: Any, x: Any, attention_mask: Any) -> Any:
    """Return the output of a post-LN block for some of its tokens, which attend to all.

    Args:
        block: built.
        asking: (batch, places, hidden_dim), tokens of `x`.
        x: (batch, length, hidden_dim), the block's input.
        attention_mask: boolean, (batch, 1, 1 or places, length).

    Returns:
        (batch, places, hidden_dim).
    """
    attended = block.attention(asking, context=x, attention_mask=attention_mask)
    asking = block.attention_norm(asking + block.dropout_layer(attended))
    return block.feed_forward_norm(asking + block.dropout_layer(block.feed_forward(asking)))


def _serves_each_token_alone(block: EncoderBlock) -> bool:
    """Return whether it is the lesson's block, in its post-LN order, whose attention knows no positions."""
    known = type(block) is EncoderBlock and type(block.attention) in (MultiHeadAttention, FusedAttention)
    return known and not block.norm_first
