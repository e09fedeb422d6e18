"""What goes wrong in PositionedAttention."""

from __future__ import annotations

from grading.exercises.positions.checks import layer
from grading.exercises.positions.mistakes.rotate import INTERLEAVED, OTHER_WAY_ROUND

IS_NOT_ROPE = 'if self.positions != "rope":'
HEAD_DIM = "self.hidden_dim // self.num_heads"
SCALED = f"frequencies, attention_factor = scaled_frequencies({HEAD_DIM}, **self.scaling)"
PLACES = "ops.arange(ops.shape(x)[2])"
ROTATED = "rotate(x, attention_factor * cos, attention_factor * sin)"
PLAIN = "super()._attend(query, key, value, mask)"
BIAS = "alibi_bias(self.num_heads, ops.shape(query)[2], ops.shape(key)[2])"
BIASED = "biased_attention(query, key, value, bias, mask)"

layer.mistake(
    "OnlyQueries",
    "Only the queries are turned.",
    hint="A query at m and a key at n know their distance when both are turned.",
    change={"turned(key)": "key"},
)
layer.mistake(
    "OnlyKeys",
    "Only the keys are turned.",
    hint="A query at m and a key at n know their distance when both are turned.",
    change={"turned(query)": "query"},
)
layer.mistake(
    "ValuesTurned",
    "The values are turned, too: what is taken from a token depends on where it stands.",
    hint="Positions decide how well a query fits a key. What a token gives is the same everywhere.",
    change={PLAIN: "super()._attend(query, key, self._position(value, value)[0], mask)"},
)
layer.mistake(
    "TurnedBeforeSplit",
    "Queries and keys are turned before they are split: pairs reach from one head into another.",
    hint="A pair belongs to one head. How wide is what you turn?",
    change={
        HEAD_DIM: "self.hidden_dim",
        f"return {ROTATED}": """
            x = course.attention.merge_heads(x)
            x = rotate(x, attention_factor * cos, attention_factor * sin)
            return course.attention.split_heads(x, self.num_heads)
        """,
    },
)
layer.mistake(
    "FrequenciesOfTheModel",
    "The frequencies are those of hidden_dim features, cut to the width of a head.",
    hint="Each head has all frequencies, from 1 down. How wide is a head?",
    change={
        SCALED: f"""
            frequencies, attention_factor = scaled_frequencies(self.hidden_dim, **self.scaling)
            frequencies = frequencies[: {HEAD_DIM} // 2]
        """
    },
)
layer.mistake(
    "PositionsOfHeads",
    "Each head stands at a position, instead of each token.",
    hint="Queries are (batch, heads, length, head_dim). Which axis is the text?",
    change={
        PLACES: "ops.arange(self.num_heads)",
        ROTATED: "rotate(x, attention_factor * cos[:, None], attention_factor * sin[:, None])",
    },
)
layer.mistake(
    "PositionsOfQueries",
    "The keys of a context get the positions of the queries, as far as these go.",
    hint="A context may be longer than the inputs. Count each by its own length.",
    change={PLACES: f"ops.minimum({PLACES}, ops.shape(query)[2] - 1)"},
)
layer.mistake(
    "TurnedBack",
    "Everything is turned the other way round.",
    hint="Published weights expect the turn of `rotate`. Did you change the sign of the sine?",
    change=OTHER_WAY_ROUND,
)
layer.mistake(
    "TurnedApart",
    "Queries and keys are turned against each other: the scores know the sum of the positions and not the difference.",
    hint="Shift the text by a few positions. Do the outputs change?",
    change={
        "turned(x: Any) -> Any:": "turned(x, turn=1):",
        ROTATED: "rotate(x, attention_factor * cos, turn * attention_factor * sin)",
        "turned(key)": "turned(key, turn=-1)",
    },
)
layer.mistake(
    "Interleaved",
    "Neighbours are paired instead of halves.",
    hint="`rotate` pairs halves. Use it, or pair as it does.",
    change=INTERLEAVED,
)
layer.mistake(
    "ScalingIgnored",
    "The scaling is ignored: the frequencies are always those of training.",
    hint="self.scaling holds what scaled_frequencies takes after the width.",
    change={", **self.scaling": ""},
)
layer.mistake(
    "AttentionFactorIgnored",
    "The attention factor is ignored.",
    hint="scaled_frequencies returns two things. Which one is not used?",
    change={ROTATED: "rotate(x, cos, sin)"},
)
layer.mistake(
    "AttentionFactorOnce",
    "Only the queries are multiplied by the attention factor; the keys must be, too.",
    hint="The scores are to get the square of it.",
    change={"turned(key)": "turned(key) / attention_factor"},
)
layer.mistake(
    "BothAtOnce",
    'With "alibi", queries and keys are turned as well.',
    hint="There are two ways to know positions, and a layer has one of them.",
    change={IS_NOT_ROPE: 'if self.positions == "none":'},
)
layer.mistake(
    "AlwaysTurned",
    'With "none", queries and keys are turned all the same.',
    hint='`self.positions` may be "none". What must happen then?',
    change={IS_NOT_ROPE: 'if self.positions == "alibi":'},
)
layer.mistake(
    "NoBias",
    'With "alibi", nothing happens: the bias is never added.',
    hint="Which of the two methods is called with query, key, value and mask?",
    change={BIAS: "0.0"},
)
layer.mistake(
    "MaskLostWithBias",
    'With "alibi", the mask is lost.',
    hint="biased_attention takes a mask, as any attention does.",
    change={BIASED: "biased_attention(query, key, value, bias)"},
)
layer.mistake(
    "MaskLost",
    "The mask is lost, whatever the positions are.",
    hint="`_attend` is given a mask. Who gets it from there?",
    change={PLAIN: "super()._attend(query, key, value, None)", BIASED: "biased_attention(query, key, value, bias)"},
)
layer.mistake(
    "BiasDivided",
    "The bias is added to the scores before they are divided by √d_k, so that it is divided, too.",
    hint="A slope says what a step costs. Should that depend on the width of the head?",
    change={BIAS: f"{BIAS} / math.sqrt(query.shape[-1])"},
)
layer.mistake(
    "BiasAfterSoftmax",
    "The bias is added to the weights, after the softmax.",
    hint="Weights are positive and sum to 1. What is added must be added before.",
    change={
        f"return {BIASED}": """
            _, weights = biased_attention(query, key, value, 0.0, mask)
            weights = weights + ops.cast(bias, weights.dtype)
            return ops.matmul(weights, value), weights
        """
    },
)
layer.mistake(
    "SlopesOfOtherHeads",
    "The bias is that of the heads of the whole model's width: the slopes are counted by features.",
    hint="alibi_bias wants the number of heads, then the two lengths.",
    change={BIAS: BIAS.replace("num_heads", "hidden_dim") + "[:, : self.num_heads]"},
)
layer.mistake(
    "FrequenciesAsWeights",
    "The positions are learned: there is a table of weights more.",
    hint="Neither a rotation nor a penalty on distance has anything to learn.",
    instead="""
        def build(self, inputs_shape, context_shape=None):
            super().build(inputs_shape, context_shape)
            self.kept = self.add_weight((self.hidden_dim // self.num_heads // 2,), name="frequencies")
    """,
)
