"""Later chapters replace parts of chapters 2 to 4 by subclasses: each can be replaced alone."""

from __future__ import annotations

from typing import Any

import keras
import numpy as np
import pytest
from keras import ops

from course.attention import MultiHeadAttention, scaled_dot_product_attention
from course.embeddings import BertEmbedding
from course.encoder import BertEncoder, EncoderBlock
from tests.closeness import assert_close

BATCH, LENGTH, HIDDEN_DIM, NUM_HEADS, PIECES = 2, 5, 12, 3, 19
SIZES: dict[str, Any] = {
    "vocabulary_size": PIECES,
    "num_layers": 2,
    "num_heads": NUM_HEADS,
    "hidden_dim": HIDDEN_DIM,
    "intermediate_dim": 20,
    "max_length": 7,
}


class Reversed(MultiHeadAttention):
    """Negates the queries, and halves the scores."""

    def _position(self, query: Any, key: Any) -> tuple[Any, Any]:
        return -query, key

    def _attend(self, query: Any, key: Any, value: Any, mask: Any) -> tuple[Any, Any]:
        return scaled_dot_product_attention(0.5 * query, key, value, mask)


class WithoutPositions(BertEmbedding):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.max_length = None

    def _position_table(self) -> None:
        return None


class ReversedBlock(EncoderBlock):
    """Negates the block's output, to distinguish it from that of the course's own block."""

    def call(self, x: Any, attention_mask: Any = None) -> Any:
        return -super().call(x, attention_mask=attention_mask)


class OtherParts(BertEncoder):
    def _make_embedding(self) -> BertEmbedding:
        return WithoutPositions(self.vocabulary_size, self.hidden_dim, 1, dropout=0.0, name="embedding")

    def _make_block(self, index: int) -> EncoderBlock:
        block = super()._make_block(index) if index else ReversedBlock(self.hidden_dim, self.num_heads, 20, 0.0)
        return block

    def _make_pooler(self) -> keras.layers.Dense:
        return keras.layers.Dense(4, name="pooler")


def numbers(tensor: Any) -> np.ndarray:
    return ops.convert_to_numpy(tensor)


@pytest.fixture
def token_ids(random: np.random.Generator) -> np.ndarray:
    return random.integers(1, PIECES, (BATCH, LENGTH))


def test_a_subclass_can_change_queries_and_scores(random: np.random.Generator) -> None:
    x = random.normal(size=(BATCH, LENGTH, HIDDEN_DIM)).astype("float32")
    plain, turned = MultiHeadAttention(HIDDEN_DIM, NUM_HEADS), Reversed(HIDDEN_DIM, NUM_HEADS)
    plain.build(x.shape)
    turned.build(x.shape)
    turned.set_weights(plain.get_weights())
    kernel, bias = plain.query_dense.get_weights()
    plain.query_dense.set_weights([-0.5 * kernel, -0.5 * bias])
    assert_close(numbers(turned(x)), numbers(plain(x)), 1e-6)


def test_an_embedding_without_a_position_table_reads_texts_of_any_length(random: np.random.Generator) -> None:
    embedding = WithoutPositions(PIECES, HIDDEN_DIM, 1, dropout=0.0)
    longer = random.integers(1, PIECES, (BATCH, 40))
    output = numbers(embedding(longer))
    assert len(embedding.weights) == 4  # tokens, segments, γ, β
    # Without positions, a token is the same vector wherever it stands.
    assert_close(numbers(embedding(longer[:, ::-1].copy())), output[:, ::-1], 1e-6)


def test_an_encoder_uses_the_parts_of_a_subclass(token_ids: np.ndarray) -> None:
    encoder = OtherParts(**SIZES, dropout=0.0)
    outputs = encoder(token_ids, return_layers=True)
    embedded, first, second = outputs["layer_outputs"]
    assert outputs["pooled_output"].shape == (BATCH, 4)
    assert_close(numbers(embedded), numbers(encoder.embedding(token_ids)), 1e-6)
    # Post-LN: every token of a block's output has the mean 0; of the marked one, the negative.
    assert_close(numbers(first), -numbers(EncoderBlock.call(encoder.blocks[0], embedded)))
    assert_close(numbers(second), numbers(encoder.blocks[1](first)))
    assert type(encoder.blocks[1]) is EncoderBlock
