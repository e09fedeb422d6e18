"""Weights from keras-hub: a `BertBackbone`, or the name or folder of a preset of one."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import keras
import numpy as np

from course.encoder import BertEncoder
from course.weights.parameters import WeightsError, assign, parameter_paths, parameters

if TYPE_CHECKING:
    from keras_hub.models import BertBackbone

_LAYERS = {
    "embedding.token_embedding": "token_embedding",
    "embedding.position_embedding": "position_embedding",
    "embedding.segment_embedding": "segment_embedding",
    "embedding.norm": "embeddings_layer_norm",
    "attention.query_dense": "_self_attention_layer.query_dense",
    "attention.key_dense": "_self_attention_layer.key_dense",
    "attention.value_dense": "_self_attention_layer.value_dense",
    "attention.output_dense": "_self_attention_layer.output_dense",
    "attention_norm": "_self_attention_layer_norm",
    "feed_forward.intermediate_dense": "_feedforward_intermediate_dense",
    "feed_forward.output_dense": "_feedforward_output_dense",
    "feed_forward_norm": "_feedforward_layer_norm",
    "pooler": "pooled_dense",
}


def load_keras_hub(
    backbone_or_preset: BertBackbone | str, encoder_class: type[BertEncoder] = BertEncoder
) -> BertEncoder:
    """Loads an encoder with the weights of keras-hub's BERT, which approximates GELU.

    Args:
        backbone_or_preset: a `keras_hub.models.BertBackbone`, or an argument of its `from_preset`: a name such as
            "bert_tiny_en_uncased", which is downloaded, or a folder.
        encoder_class: the class to load them into, such as your own `BertEncoder`.

    Returns:
        The encoder, built.

    Raises:
        WeightsError: another kind of backbone.
    """
    import keras_hub  # takes seconds, and only this function needs it

    backbone = backbone_or_preset
    if isinstance(backbone, str):
        backbone = keras_hub.models.Backbone.from_preset(backbone)
    if not isinstance(backbone, keras_hub.models.BertBackbone):
        raise WeightsError(
            f"The backbone is of another architecture. Given: {type(backbone).__name__}. Wanted: BertBackbone."
        )
    encoder = encoder_class(
        vocabulary_size=backbone.vocabulary_size,
        num_layers=backbone.num_layers,
        num_heads=backbone.num_heads,
        hidden_dim=backbone.hidden_dim,
        intermediate_dim=backbone.intermediate_dim,
        max_length=backbone.max_sequence_length,
        num_segments=backbone.num_segments,
        dropout=backbone.dropout,
        approximate_gelu=True,
    )
    encoder.build((None, None))
    # keras-hub's kernels have a separate axis for the heads; ours have the heads side by side.
    shapes = {path: array.shape for path, array in parameters(encoder).items()}
    assign(
        encoder,
        {path: _parameter(backbone, path).reshape(shapes[path]) for path in parameter_paths(backbone.num_layers)},
    )
    return encoder


def _parameter(backbone: BertBackbone, path: str) -> np.ndarray:
    layer, _, kind = path.rpartition(".")
    owner = backbone
    if layer.startswith("blocks."):
        _, index, layer = layer.split(".", 2)
        owner = backbone.get_layer(f"transformer_layer_{index}")
    if layer == "embedding.position_embedding":
        kind = "position_embeddings"
    return keras.ops.convert_to_numpy(operator.attrgetter(f"{_LAYERS[layer]}.{kind}")(owner))
