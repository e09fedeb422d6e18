"""What goes wrong in AdditiveAttention."""

from __future__ import annotations

from grading.exercises.decoder.checks import additive

QUERY, KEYS = "self.query_dense(queries)[:, :, None, :]", "self.key_dense(keys)[:, None, :, :]"
SCORES = "self.score_dense(ops.tanh(projected))[..., 0]"
MASKED = "if key_mask is not None:\n    scores = ops.where(ops.expand_dims(key_mask, 1), scores, -1e9)"
WEIGHTS = "weights = ops.cast(ops.softmax(scores, axis=-1), self.compute_dtype)"
RETURNED = "return (context[:, 0], weights[:, 0]) if is_single else (context, weights)"

additive.mistake(
    "v_not_built",
    "`build` makes v without its weights, which only the first call makes.",
    hint="A file of weights is loaded before anything is called. What gives `self.score_dense` its kernel?",
    change={"self.score_dense.build((*keys_shape[:-1], self.units))": ""},
)
additive.mistake(
    "NoTanh",
    "The tanh is missing: the scores are a plain sum.",
    hint="Without it, a query adds the same number to the scores of all keys. What does a softmax do with that?",
    change={"ops.tanh(projected)": "projected"},
)
additive.mistake(
    "TanhOfTheScore",
    "tanh is applied to the score, after v instead of before it.",
    hint="score = vᵀ tanh(...). Which comes first?",
    change={SCORES: "ops.tanh(self.score_dense(projected)[..., 0])"},
)
additive.mistake(
    "TanhBeforeTheSum",
    "tanh is applied to each projection separately, before the sum.",
    hint="tanh(a + b) is not tanh(a) + tanh(b).",
    change={QUERY: f"ops.tanh({QUERY})", KEYS: f"ops.tanh({KEYS})", "ops.tanh(projected)": "projected"},
)
additive.mistake(
    "Relu",
    "ReLU is used instead of tanh.",
    hint="Which function does the equation name?",
    change={"ops.tanh(": "ops.relu("},
)
additive.mistake(
    "SoftmaxOverQueries",
    "The softmax runs over the queries instead of the keys.",
    hint="The weights of one query sum to 1. Which axis holds the keys?",
    change={"softmax(scores, axis=-1)": "softmax(scores, axis=1)"},
)
additive.mistake(
    "NoSoftmax",
    "The scores are used as weights, without a softmax.",
    hint="Weights are positive and sum to 1 over the keys.",
    change={"ops.softmax(scores, axis=-1)": "scores"},
)
additive.mistake(
    "PowersOverflow",
    "The softmax divides exp by its sum: above 88, exp is infinite in float32, and the weights are NaN.",
    hint="`ops.softmax` subtracts the highest logit first. Why does that change nothing else?",
    change={
        WEIGHTS: """
            powers = ops.exp(scores)
            weights = powers / (ops.sum(powers, axis=-1, keepdims=True) + 1e-9)
            weights = ops.cast(weights, self.compute_dtype)
        """
    },
)
additive.mistake(
    "Divided",
    "The scores are divided by √units. Only the dot product needs that.",
    hint="The equation has no root. tanh already keeps its numbers small.",
    change={SCORES: f"{SCORES} / math.sqrt(self.units)"},
)
additive.mistake(
    "Multiplied",
    "The projections are multiplied instead of added.",
    hint="The attention of this exercise is called additive.",
    change={f"{QUERY} + {KEYS}": f"{QUERY} * {KEYS}"},
)
additive.mistake(
    "NoV",
    "The features are summed without v.",
    hint="v says how much each feature counts. Which layer holds it?",
    change={SCORES: "ops.sum(ops.tanh(projected), axis=-1)"},
)
additive.mistake(
    "WithBias",
    "The projections have biases; the equation has none.",
    hint="Which argument of Dense leaves the bias out?",
    change={"use_bias=False, ": ""},
)
additive.mistake(
    "MeanOfKeys",
    "The weights average the keys, although values are given.",
    hint="Keys decide how much weight a place gets. What do the weights average?",
    change={"ops.cast(values, ": "ops.cast(keys, "},
)
additive.mistake(
    "MeanOfProjectedKeys",
    "The weights average the projected keys instead of the values.",
    hint="U k is only for the score.",
    change={"ops.cast(values, ": "ops.cast(self.key_dense(keys), "},
)
additive.mistake(
    "MaskIgnored",
    "The mask is ignored.",
    hint="Padding is a key like any other, unless the mask forbids it.",
    change={MASKED: ""},
)
additive.mistake(
    "MaskInverted",
    "The mask is inverted: allowed keys get no weight.",
    hint="True means that a key may be looked at.",
    change={"scores, -1e9": "-1e9, scores"},
)
additive.mistake(
    "MaskedAfterSoftmax",
    "The mask is applied after the softmax, so the remaining weights do not sum to 1.",
    hint="The softmax shares out all the weight. When must a forbidden key be out?",
    change={
        MASKED: "",
        WEIGHTS: f"{WEIGHTS}\n"
        "if key_mask is not None:\n"
        "    weights = ops.where(ops.expand_dims(key_mask, 1), weights, 0.0)",
    },
)
additive.mistake(
    "MaskedByZero",
    "Forbidden keys get a score of 0 instead of a very small one, so they still get weight.",
    hint="What does a softmax give for a score of 0?",
    change={"-1e9": "0.0"},
)
additive.mistake(
    "MinusInfinity",
    "A text without an allowed key gives NaN: its scores are -infinity, or its weights are divided by a sum of 0.",
    hint="-inf - (-inf) is NaN, and so is 0 / 0. What are the scores and the weights of this text, line by line?",
    change={"-1e9": "-math.inf"},
)
additive.mistake(
    "AxisLeft",
    "With one query per text, the result keeps an extra axis of size 1.",
    hint="For (batch, width), the context is (batch, value_width), and the weights are (batch, key_length).",
    change={RETURNED: "return context, weights"},
)
additive.mistake(
    "SoftmaxInFloat16",
    "In mixed precision, the softmax is computed in float16, so the weights of many keys do not sum to 1.",
    hint="float16 has about three digits. In which dtype must the softmax be taken, whatever the layer's is?",
    change={'scores = ops.cast(scores, keras.backend.result_type(scores.dtype, "float32"))': "", "-1e9": "-6e4"},
)
additive.mistake(
    "MinusTenThousand",
    "Forbidden keys get a score of -10,000, which is not the lowest if the scores of all allowed keys are lower still.",
    hint="v can be large. How low can a score be, and how low is -10,000 beside it?",
    change={"-1e9": "-1e4"},
)
additive.mistake(
    "PythonIf",
    "A Python `if` looks at the values of key_mask, which are unknown in a compiled model.",
    hint="If all keys are allowed, the mask changes nothing. What do you need the `if` for?",
    change={"if key_mask is not None:": "if key_mask is not None and not bool(ops.all(key_mask)):"},
)
additive.mistake(
    "DividedByWhatIsLeft",
    "The softmax goes over forbidden keys, too, and little is left for the others if one of those fits best.",
    hint="e^-200 is 0 in float32, and no division brings it back. What can be done to scores before the softmax?",
    change={
        MASKED: "allowed = 1.0 if key_mask is None else ops.cast(ops.expand_dims(key_mask, 1), scores.dtype)",
        WEIGHTS: """
            weights = ops.softmax(scores, axis=-1) * allowed
            weights = ops.cast(weights / (ops.sum(weights, axis=-1, keepdims=True) + 1e-9), self.compute_dtype)
        """,
    },
)
