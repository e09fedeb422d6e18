"""What goes wrong in AdditiveAttention."""

from __future__ import annotations

from grading.exercises.decoder.checks import additive

QUERY, KEYS = "self.query_dense(queries)[:, :, None, :]", "self.key_dense(keys)[:, None, :, :]"
SCORES = "self.score_dense(ops.tanh(projected))[..., 0]"
MASKED = "if key_mask is not None:\n    scores = ops.where(ops.expand_dims(key_mask, 1), scores, -1e9)"
WEIGHTS = "weights = ops.cast(ops.softmax(scores, axis=-1), self.compute_dtype)"
RETURNED = "return (context[:, 0], weights[:, 0]) if is_single else (context, weights)"

additive.mistake(
    "NoTanh",
    "There is no tanh: the scores are a plain sum.",
    hint="Without it, what a query adds is the same for all keys. What happens to it in the softmax?",
    change={"ops.tanh(projected)": "projected"},
)
additive.mistake(
    "TanhOfTheScore",
    "tanh is taken of the score, after v; it belongs before v.",
    hint="score = vᵀ tanh(...). Which comes first?",
    change={SCORES: "ops.tanh(self.score_dense(projected)[..., 0])"},
)
additive.mistake(
    "TanhBeforeTheSum",
    "tanh is taken of each projection by itself, and then they are added.",
    hint="tanh is of the sum. tanh(a) + tanh(b) is something else.",
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
    hint="The weights of one query sum to 1. Which axis is the keys'?",
    change={"softmax(scores, axis=-1)": "softmax(scores, axis=1)"},
)
additive.mistake(
    "NoSoftmax",
    "The scores are used as weights, without a softmax.",
    hint="Weights are positive and sum to 1 over the keys.",
    change={"ops.softmax(scores, axis=-1)": "scores"},
)
additive.mistake(
    "Divided",
    "The scores are divided by √units. Only the dot product needs that.",
    hint="The equation has no root. tanh keeps its numbers small by itself.",
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
    "The score is the sum over the features, without v.",
    hint="v says how much each feature counts. Which layer holds it?",
    change={SCORES: "ops.sum(ops.tanh(projected), axis=-1)"},
)
additive.mistake(
    "WithBias",
    "The projections have a bias each; the equation has none.",
    hint="Which argument of Dense leaves the bias out?",
    change={"use_bias=False, ": ""},
)
additive.mistake(
    "MeanOfKeys",
    "The mean is taken of the keys, although there are values.",
    hint="Keys say how well something fits. What is taken then?",
    change={"ops.cast(values, ": "ops.cast(keys, "},
)
additive.mistake(
    "MeanOfProjectedKeys",
    "The mean is taken of the projected keys instead of the values.",
    hint="U k serves the score alone.",
    change={"ops.cast(values, ": "ops.cast(self.key_dense(keys), "},
)
additive.mistake(
    "MaskIgnored",
    "The mask is ignored.",
    hint="Padding is a key like any other, unless something forbids it.",
    change={MASKED: ""},
)
additive.mistake(
    "MaskInverted",
    "The mask is read the wrong way round: what is allowed gets no weight.",
    hint="True means that a key may be looked at.",
    change={"scores, -1e9": "-1e9, scores"},
)
additive.mistake(
    "MaskedAfterSoftmax",
    "The mask is applied after the softmax, and the weights that are left do not sum to 1.",
    hint="What is forbidden must be out before the softmax shares out the weights.",
    change={
        MASKED: "",
        WEIGHTS: f"{WEIGHTS}\n"
        "if key_mask is not None:\n"
        "    weights = ops.where(ops.expand_dims(key_mask, 1), weights, 0.0)",
    },
)
additive.mistake(
    "MaskedByZero",
    "The scores of forbidden keys become 0 instead of very small; they still get a weight.",
    hint="What does a softmax give for a score of 0?",
    change={"-1e9": "0.0"},
)
additive.mistake(
    "MinusInfinity",
    "Forbidden scores are -infinity: a text without an allowed key gives NaN.",
    hint="Take a number that is very small, and finite.",
    change={"-1e9": "-math.inf"},
)
additive.mistake(
    "AxisLeft",
    "One query for each text gives an axis too many: an axis of 1 is left.",
    hint="For (batch, width), the context is (batch, value_width), and the weights are (batch, key_length).",
    change={RETURNED: "return context, weights"},
)
