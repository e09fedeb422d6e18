"""build and call as the lesson suggests; the first token is taken by its index."""

import keras
from keras import ops

from course.embeddings import BertEmbedding
from course.encoder import EncoderBlock


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
            self.vocabulary_size,
            self.hidden_dim,
            self.max_length,
            self.num_segments,
            self.dropout,
            epsilon=self.epsilon,
            name="embedding",
            dtype=self.dtype_policy,
        )
        self.embedding.build(token_ids_shape)
        self.blocks = []
        for i in range(self.num_layers):
            self.blocks.append(self.make_block(f"block_{i}"))
            self.blocks[-1].build((None, None, self.hidden_dim))
        self.pooler = keras.layers.Dense(self.hidden_dim, activation="tanh", name="pooler", dtype=self.dtype_policy)
        self.pooler.build((None, self.hidden_dim))

    def make_block(self, name):
        return EncoderBlock(
            self.hidden_dim,
            self.num_heads,
            self.intermediate_dim,
            self.dropout,
            attention_dropout=self.attention_dropout,
            approximate_gelu=self.approximate_gelu,
            epsilon=self.epsilon,
            dtype=self.dtype_policy,
            name=name,
        )

    def call(self, token_ids, segment_ids=None, padding_mask=None, return_layers=False):
        if padding_mask is None:
            padding_mask = token_ids != self.padding_id
        padding_mask = ops.cast(padding_mask, "bool")
        mask = ops.expand_dims(padding_mask, axis=(1, 2))
        x = self.embedding(token_ids, segment_ids)
        all_outputs = [x]
        for block in self.blocks:
            x = block(x, mask)
            all_outputs += [x]
        result = {"sequence_output": x, "pooled_output": self.pooler(ops.take(x, 0, axis=1))}
        if return_layers:
            result["layer_outputs"] = all_outputs
        return result

    def get_config(self):
        names = """vocabulary_size num_layers num_heads hidden_dim intermediate_dim max_length num_segments dropout
        attention_dropout approximate_gelu epsilon padding_id"""
        return {**super().get_config(), **{name: getattr(self, name) for name in names.split()}}
