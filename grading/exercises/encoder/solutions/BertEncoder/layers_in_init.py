"""__init__ creates all parts without names, the pooler first; they are built from the last to the first."""

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

        self.pooler = keras.layers.Dense(hidden_dim, dtype=self.dtype_policy)
        self.embedding = BertEmbedding(
            vocabulary_size, hidden_dim, max_length, num_segments, dropout, epsilon=epsilon, dtype=self.dtype_policy
        )
        self.blocks = [
            EncoderBlock(
                self.hidden_dim,
                self.num_heads,
                self.intermediate_dim,
                self.dropout,
                attention_dropout=self.attention_dropout,
                approximate_gelu=self.approximate_gelu,
                epsilon=self.epsilon,
                dtype=self.dtype_policy,
            )
            for _ in range(num_layers)
        ]

    def build(self, token_ids_shape):
        self.pooler.build((None, self.hidden_dim))
        for layer in reversed(self.blocks):
            layer.build((*token_ids_shape, self.hidden_dim))
        self.embedding.build(token_ids_shape)

    def call(self, token_ids, segment_ids=None, padding_mask=None, return_layers=False):
        mask = ops.not_equal(token_ids, self.padding_id) if padding_mask is None else ops.not_equal(padding_mask, 0)
        pairwise = ops.broadcast_to(
            mask[:, None, :], (ops.shape(token_ids)[0], ops.shape(token_ids)[1], ops.shape(token_ids)[1])
        )
        hidden = (self.embedding(token_ids, segment_ids=segment_ids),)
        for layer in self.blocks:
            hidden = (*hidden, layer(hidden[-1], attention_mask=pairwise))
        outputs = dict(sequence_output=hidden[-1], pooled_output=ops.tanh(self.pooler(hidden[-1][:, 0, :])))
        return dict(outputs, layer_outputs=list(hidden)) if return_layers else outputs

    def get_config(self):
        names = """vocabulary_size num_layers num_heads hidden_dim intermediate_dim max_length num_segments dropout
        attention_dropout approximate_gelu epsilon padding_id"""
        return {**super().get_config(), **{name: getattr(self, name) for name in names.split()}}
