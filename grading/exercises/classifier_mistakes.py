"""Known mistakes that all classifiers on top of an encoder share.

If a chapter words a mistake itself, only the change stands here. The other mistakes are complete.
"""

from __future__ import annotations

from typing import Any

SEGMENTS, MASK = 'inputs.get("segment_ids")', 'inputs.get("padding_mask")'
DROPPED = "self.dropout_layer(outputs["

MASK_FORGOTTEN = {MASK: "None"}
SEGMENTS_FORGOTTEN = {SEGMENTS: "None"}
UNDROPPED = {DROPPED: "(outputs["}
NO_BIAS = {'", dtype=': '", use_bias=False, dtype='}  # after the name of the projection
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
    "sentence": "The encoder gets the inputs in the order of the dictionary instead of by name.",
    "hint": "A dictionary may have any order, and no segments. What does the encoder then use as its segments?",
    "change": {f'inputs["token_ids"], {SEGMENTS}, {MASK}': "*inputs.values()"},
}
MASK_INVERTED: dict[str, Any] = {
    "name": "MaskInverted",
    "sentence": "padding_mask is inverted: tokens attend only to padding.",
    "hint": "True marks tokens, both for the encoder and for the tokenizer.",
    "change": {
        MASK: """
            None if "padding_mask" not in inputs else ops.logical_not(ops.cast(inputs["padding_mask"], "bool"))
        """
    },
}
MASK_OF_ONES: dict[str, Any] = {
    "name": "MaskOfOnes",
    "sentence": "Without a padding_mask, all places count as tokens; the encoder would find the padding itself.",
    "hint": "What does the encoder do if its padding_mask is None?",
    "change": {MASK: 'inputs.get("padding_mask", ops.ones_like(inputs["token_ids"]))'},
}
MASK_OF_ZEROS: dict[str, Any] = {
    "name": "MaskOfZeros",
    "sentence": "Without a padding_mask, id 0 counts as padding, whatever the encoder's own padding_id is.",
    "hint": "What does the encoder do if its padding_mask is None?",
    "change": {MASK: 'inputs.get("padding_mask", ops.not_equal(inputs["token_ids"], 0))'},
}
NEVER_DROPPING: dict[str, Any] = {
    "name": "NeverDropping",
    "sentence": "Dropout is never applied.",
    "hint": "__init__ creates self.dropout_layer. Where do you call it?",
    "change": UNDROPPED,
}
ENCODER_NEVER_DROPPING: dict[str, Any] = {
    "name": "EncoderNeverDropping",
    "sentence": "The encoder never drops anything, not even in training.",
    "hint": "The encoder has dropout of its own. What does your `call` tell it about `training`?",
    # Keras would pass the encoder's `training` on to the layers that are called after it.
    "change": {MASK: f"{MASK}, training=False", '_output"])': '_output"], training=training)'},
}
ENCODER_NOT_BUILT: dict[str, Any] = {
    "name": "EncoderNotBuilt",
    "sentence": "`build` does not build an encoder that is not built yet.",
    "hint": "A checkpoint is loaded after `build`. Which part of the model has no weights by then?",
    "change": {"self.encoder.build((None, None))": "pass"},
}
ENCODER_BUILT_AGAIN: dict[str, Any] = {
    "name": "EncoderBuiltAgain",
    "sentence": "`build` builds an encoder that is built already, so a pretrained one starts again at random.",
    "hint": "An encoder's `built` says whether it has its weights.",
    "change": {"if not self.encoder.built:": "if True:"},
}
ALWAYS_DROPPING: dict[str, Any] = {
    "name": "AlwaysDropping",
    "sentence": "Dropout is always on.",
    "hint": "Two calls outside training must agree. self.dropout_layer knows by itself whether it is in training.",
    "change": {'_output"])': '_output"], training=True)'},
}
