"""What goes wrong in every classifier that stands on an encoder, whatever it classifies: changes of what all share.

Of some mistakes each chapter says what they mean there, so only the change stands here. Others are told alike.
"""

from __future__ import annotations

from typing import Any

SEGMENTS, MASK = 'inputs.get("segment_ids")', 'inputs.get("padding_mask")'
DROPPED = "self.dropout_layer(outputs["

MASK_FORGOTTEN = {MASK: "None"}
SEGMENTS_FORGOTTEN = {SEGMENTS: "None"}
UNDROPPED = {DROPPED: "(outputs["}
NO_BIAS = {'", dtype=': '", use_bias=False, dtype='}  # behind the name of the projection
HIDDEN_LAYER = {
    "self.encoder.hidden_dim))": """
        self.encoder.hidden_dim))
        self.hidden = keras.layers.Dense(self.encoder.hidden_dim, activation="relu", dtype=self.dtype_policy)
        self.hidden.build((None, self.encoder.hidden_dim))
    """,
    f"= {DROPPED}": f"= self.hidden({DROPPED}",
    '_output"])': '_output"]))',
}

INPUTS_BY_PLACE: dict[str, Any] = {
    "name": "InputsByPlace",
    "sentence": "The encoder gets the inputs in the order of the dictionary, and not by their names.",
    "hint": "A dictionary may come in any order, and without segments. "
    "What does the encoder then take for its segments?",
    "change": {f'inputs["token_ids"], {SEGMENTS}, {MASK}': "*inputs.values()"},
}
MASK_INVERTED: dict[str, Any] = {
    "name": "MaskInverted",
    "sentence": "padding_mask is turned round: only padding is attended.",
    "hint": "True stands at tokens, for the encoder as for the tokenizer.",
    "change": {
        MASK: """
            None if "padding_mask" not in inputs else ops.logical_not(ops.cast(inputs["padding_mask"], "bool"))
        """
    },
}
NEVER_DROPPING: dict[str, Any] = {
    "name": "NeverDropping",
    "sentence": "Dropout is never applied.",
    "hint": "self.dropout_layer was made in __init__. Where is it called?",
    "change": UNDROPPED,
}
ALWAYS_DROPPING: dict[str, Any] = {
    "name": "AlwaysDropping",
    "sentence": "Dropout is always on.",
    "hint": "Two calls outside training must agree. self.dropout_layer knows by itself when it is in training.",
    "change": {'_output"])': '_output"], training=True)'},
}
