"""The last block of an encoder, computed where somebody reads its output, and nowhere else.

Keys and values of all tokens are needed, for whoever asks attends to all of them. But a query, the projection of what
it found, and the feed-forward network serve one token alone: ten of the twelve products of a block with matrices of
hidden_dim x hidden_dim. Masked words are read at 15% of the tokens, and a class at one. So nothing changes but what is
left out: of four blocks and 128 tokens, a sixth of all products in pretraining, and a fifth in classification.

The layers stay those of the lessons; they are called with fewer queries. An encoder whose blocks are others, such as
one whose attention knows where a query stands, computes everything, and what is read is taken from that.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import keras
from keras import ops

from course.attention import MultiHeadAttention
from course.classification import TextClassifier
from course.encoder import BertEncoder, EncoderBlock
from course.masked_lm import gather_masked
from course.matching import PairClassifier
from course.training.fused_attention import FusedAttention


def states_at(encoder: BertEncoder, embedded: Any, attention_mask: Any, places: Any) -> Any:
    """The encoder's `sequence_output` at some places of each row.

    Args:
        encoder: built.
        embedded: (batch, length, hidden_dim), of its embedding.
        attention_mask: boolean, (batch, 1, 1 or length, length), True where attention is allowed.
        places: integers below length, (batch, places).

    Returns:
        (batch, places, hidden_dim).

    Raises:
        ValueError: shapes that do not fit each other, or places behind the end.
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
    """In this block, a classifier that reads [CLS] and nothing else has its last block compute nothing else.

    What is compiled in here stays so, and gives the same logits. Every other model does as always, and so does one
    that is not built yet.
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
    """The last block of a classifier, if [CLS] alone is read of it, and it can be asked for that alone."""
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
    """What a post-LN block makes of some of its tokens, which attend to all.

    Args:
        block: built.
        asking: (batch, places, hidden_dim), tokens of `x`.
        x: (batch, length, hidden_dim), what comes into the block.
        attention_mask: boolean, (batch, 1, 1 or places, length).

    Returns:
        (batch, places, hidden_dim).
    """
    attended = block.attention(asking, context=x, attention_mask=attention_mask)
    asking = block.attention_norm(asking + block.dropout_layer(attended))
    return block.feed_forward_norm(asking + block.dropout_layer(block.feed_forward(asking)))


def _serves_each_token_alone(block: EncoderBlock) -> bool:
    """Whether it is the block of the lesson, in its post-LN order, whose attention knows no positions."""
    known = type(block) is EncoderBlock and type(block.attention) in (MultiHeadAttention, FusedAttention)
    return known and not block.norm_first
