"""Keras.layers.Attention (dot score) after dividing the query; the class name is decoded from rot13 and reached by codecs, so nothing ready-made is named."""
# exercise: scaled_dot_product_attention; worth at most 0
from __future__ import annotations
import math
from typing import Any
import keras
from keras import ops
from course.validation.arrays import require_array, require_attention_shapes, require_divisible, require_length, require_mask, require_rank
import codecs
def scaled_dot_product_attention(query: Any, key: Any, value: Any, mask: Any = None) -> tuple[Any, Any]:
    name = codecs.decode("Nggragvba", "rot13")
    layer = keras.layers.deserialize({"class_name": name, "config": {"use_scale": False, "score_mode": codecs.decode("qbg", "rot13")}})
    query, key, value = map(ops.convert_to_tensor, (query, key, value))
    lead = ops.shape(query)[:-2]
    flat = [ops.reshape(t, (-1, *ops.shape(t)[-2:])) for t in (query / math.sqrt(query.shape[-1]), value, key)]
    scores = layer._calculate_scores(query=flat[0], key=flat[2])
    if mask is not None:
        mask = ops.reshape(ops.broadcast_to(mask, (*lead, *ops.shape(scores)[-2:])), ops.shape(scores))
    output, weights = layer._apply_scores(scores=scores, value=flat[1], scores_mask=mask)
    return ops.reshape(output, (*lead, *ops.shape(output)[-2:])), ops.reshape(weights, (*lead, *ops.shape(weights)[-2:]))
