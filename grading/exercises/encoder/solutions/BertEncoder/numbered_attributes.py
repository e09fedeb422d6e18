"""Blocks as numbered attributes besides their list; a custom pooler with weights made by add_weight."""

import keras

from course.embeddings import BertEmbedding
from course.encoder import EncoderBlock


class Pooler(keras.layers.Layer):
    def build(self, shape):
        self.bias = self.add_weight(shape=(shape[-1],), initializer="zeros", name="pooler_bias")
        self.kernel = self.add_weight(shape=(shape[-1], shape[-1]), name="pooler_kernel")

    def call(self, x):
        return keras.ops.tanh(keras.ops.matmul(x, self.kernel) + self.bias)


class BertEncoder(keras.Model):
    def __init__(
        self,
        vocabulary_size,
        num_layers,
        num_heads,
        hidden_dim,
        intermediate_dim,
        *,
        max_length=512,
        num_segments=2,
        dropout=0.1,
        attention_dropout=None,
        approximate_gelu=False,
        epsilon=1e-12,
        padding_id=0,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.vocabulary_size = vocabulary_size
        self.num_layers = num_layers
        self.num_heads = num_heads
        self.hidden_dim = hidden_dim
        self.intermediate_dim = intermediate_dim
        self.max_length = max_length
        self.num_segments = num_segments
        self.dropout = dropout
        self.attention_dropout = dropout if attention_dropout is None else attention_dropout
        self.approximate_gelu = approximate_gelu
        self.epsilon = epsilon
        self.padding_id = padding_id

    def build(self, token_ids_shape):
        self.embedding = BertEmbedding(
            vocabulary_size=self.vocabulary_size,
            hidden_dim=self.hidden_dim,
            max_length=self.max_length,
            num_segments=self.num_segments,
            dropout=self.dropout,
            epsilon=self.epsilon,
            dtype=self.dtype_policy,
        )
        self.embedding.build(token_ids_shape)
        for i in range(self.num_layers):
            block = self.make_block()
            block.build((None, None, self.hidden_dim))
            setattr(self, f"block_{i}", block)
        self.blocks = [getattr(self, f"block_{i}") for i in range(self.num_layers)]
        self.pooler = Pooler(dtype=self.dtype_policy)
        self.pooler.build((None, self.hidden_dim))

    def make_block(self):
        return EncoderBlock(
            self.hidden_dim,
            self.num_heads,
            self.intermediate_dim,
            self.dropout,
            attention_dropout=self.attention_dropout,
            approximate_gelu=self.approximate_gelu,
            epsilon=self.epsilon,
            dtype=self.dtype_policy,
        )

    def call(self, token_ids, segment_ids=None, padding_mask=None, return_layers=False):
        if padding_mask is None:
            padding_mask = keras.ops.not_equal(token_ids, self.padding_id)
        mask = keras.ops.cast(padding_mask, "bool")[:, None, None, :]
        outputs = [self.embedding(token_ids, segment_ids)]
        for i in range(self.num_layers):
            outputs.append(getattr(self, f"block_{i}")(outputs[-1], attention_mask=mask))
        answer = {"sequence_output": outputs[-1], "pooled_output": self.pooler(outputs[-1][:, 0])}
        if return_layers:
            answer["layer_outputs"] = outputs
        return answer

    def get_config(self):
        names = """vocabulary_size num_layers num_heads hidden_dim intermediate_dim max_length num_segments dropout
        attention_dropout approximate_gelu epsilon padding_id"""
        return {**super().get_config(), **{name: getattr(self, name) for name in names.split()}}
