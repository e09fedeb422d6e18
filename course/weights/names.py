"""Translates between the names of Hugging Face's library and ours, for the parameters and sizes of a BERT."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course.encoder import BertEncoder
from course.weights.parameters import WeightsError

# Our argument of BertEncoder: their field of config.json and, for optional fields, its default. Sizes are required.
_REQUIRED = {
    "vocabulary_size": "vocab_size",
    "num_layers": "num_hidden_layers",
    "num_heads": "num_attention_heads",
    "hidden_dim": "hidden_size",
    "intermediate_dim": "intermediate_size",
    "max_length": "max_position_embeddings",
}
_OPTIONAL = {
    "num_segments": ("type_vocab_size", 2),
    "dropout": ("hidden_dropout_prob", 0.1),
    "attention_dropout": ("attention_probs_dropout_prob", 0.1),
    "epsilon": ("layer_norm_eps", 1e-12),
    "padding_id": ("pad_token_id", 0),
}
_APPROXIMATE_GELU = {
    "gelu": False,
    "gelu_python": False,
    "gelu_new": True,
    "gelu_fast": True,
    "gelu_pytorch_tanh": True,
}
# Fields that, if config.json has them, must have these values for a BertEncoder.
_FIXED = {
    "model_type": "bert",
    "position_embedding_type": "absolute",
    "is_decoder": False,
    "add_cross_attention": False,
}

_LAYERS = {
    "embedding.token_embedding": "embeddings.word_embeddings",
    "embedding.position_embedding": "embeddings.position_embeddings",
    "embedding.segment_embedding": "embeddings.token_type_embeddings",
    "embedding.norm": "embeddings.LayerNorm",
    "attention.query_dense": "attention.self.query",
    "attention.key_dense": "attention.self.key",
    "attention.value_dense": "attention.self.value",
    "attention.output_dense": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "feed_forward.intermediate_dense": "intermediate.dense",
    "feed_forward.output_dense": "output.dense",
    "feed_forward_norm": "output.LayerNorm",
    "pooler": "pooler.dense",
}
_KINDS = {"embeddings": "weight", "kernel": "weight", "gamma": "weight", "bias": "bias", "beta": "bias"}

MASKED_LM_HEAD = {
    "dense.kernel": "cls.predictions.transform.dense.weight",
    "dense.bias": "cls.predictions.transform.dense.bias",
    "norm.gamma": "cls.predictions.transform.LayerNorm.weight",
    "norm.beta": "cls.predictions.transform.LayerNorm.bias",
    "output_bias": "cls.predictions.bias",
}
NEXT_SENTENCE_HEAD = {
    "dense.kernel": "cls.seq_relationship.weight",
    "dense.bias": "cls.seq_relationship.bias",
}
CLASSIFIER = {
    "logits_dense.kernel": "classifier.weight",
    "logits_dense.bias": "classifier.bias",
}


def their_name(path: str) -> str:
    """Their name for our parameter, as in a `BertModel`, which has no prefix."""
    layer, _, kind = path.rpartition(".")
    if layer.startswith("blocks."):
        _, index, layer = layer.split(".", 2)
        return f"encoder.layer.{index}.{_LAYERS[layer]}.{_KINDS[kind]}"
    return f"{_LAYERS[layer]}.{_KINDS[kind]}"


def current_name(name: str) -> str:
    """A name without the prefix of a model with heads, and with the names that replaced gamma and beta."""
    name = name.removeprefix("bert.")
    return name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")


def encoder_arguments(config: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a `BertEncoder` from the fields of a config.json.

    Raises:
        WeightsError: a size is missing, or a `BertEncoder` cannot represent the model.
    """
    for field, expected in _FIXED.items():
        if config.get(field, expected) != expected:
            raise WeightsError(
                f"config.json is of another architecture. Given: {field} = {config[field]!r}. Wanted: {expected!r}."
            )
    missing = [field for field in _REQUIRED.values() if field not in config]
    if missing:
        raise WeightsError(
            f"config.json must give the sizes of a BERT as whole numbers. Missing: {', '.join(missing)}."
        )
    for field in _REQUIRED.values():
        if type(config[field]) is not int or config[field] < 1:
            raise WeightsError(
                f"config.json must give the sizes of a BERT as whole numbers, at least 1. "
                f"Given: {field} = {config[field]!r}."
            )
    activation = config.get("hidden_act", "gelu")
    if not isinstance(activation, str) or activation not in _APPROXIMATE_GELU:
        raise WeightsError(
            f"config.json has another activation. Given: hidden_act = {activation!r}. "
            f"Wanted: one of {', '.join(_APPROXIMATE_GELU)}."
        )
    sizes = {ours: config[theirs] for ours, theirs in _REQUIRED.items()}
    given = {ours: config.get(theirs) for ours, (theirs, _) in _OPTIONAL.items()}
    options = {ours: _OPTIONAL[ours][1] if value is None else value for ours, value in given.items()}
    for ours, value in options.items():
        if type(value) not in (int, type(_OPTIONAL[ours][1])) or value < 0:
            field = _OPTIONAL[ours][0]
            raise WeightsError(f"config.json must have a number for {field}, 0 or more. Given: {value!r}.")
    return {**sizes, **options, "approximate_gelu": _APPROXIMATE_GELU[activation]}


def config_of(encoder: BertEncoder) -> dict[str, Any]:
    """The fields of a config.json that describe an encoder."""
    sizes = {theirs: getattr(encoder, ours) for ours, theirs in _REQUIRED.items()}
    options = {theirs: getattr(encoder, ours) for ours, (theirs, _) in _OPTIONAL.items()}
    activation = "gelu_pytorch_tanh" if encoder.approximate_gelu else "gelu"
    return {"architectures": ["BertModel"], "model_type": "bert", "hidden_act": activation, **sizes, **options}
