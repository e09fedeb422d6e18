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
    "Only the queries are rotated.",
    hint="If only one of them is rotated, can the score of a query at m and a key at n depend on m - n alone?",
    change={"turned(key)": "key"},
)
layer.mistake(
    "OnlyKeys",
    "Only the keys are rotated.",
    hint="If only one of them is rotated, can the score of a query at m and a key at n depend on m - n alone?",
    change={"turned(query)": "query"},
)
layer.mistake(
    "ValuesTurned",
    "The values are rotated, too, so what a token contributes depends on its position.",
    hint="Positions change how well a query fits a key. What a token contributes is the same everywhere.",
    change={PLAIN: "super()._attend(query, key, self._position(value, value)[0], mask)"},
)
layer.mistake(
    "TurnedBeforeSplit",
    "Queries and keys are rotated before they are split into heads, so a pair lies in two heads.",
    hint="Both features of a pair belong to one head. How wide is the array that you rotate?",
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
    hint="Each head uses the full range of frequencies, starting at 1. How wide is a head?",
    change={
        SCALED: f"""
            frequencies, attention_factor = scaled_frequencies(self.hidden_dim, **self.scaling)
            frequencies = frequencies[: {HEAD_DIM} // 2]
        """
    },
)
layer.mistake(
    "PositionsOfHeads",
    "The heads are numbered as positions, instead of the tokens.",
    hint="Queries are (batch, heads, length, head_dim). Which axis counts tokens?",
    change={
        PLACES: "ops.arange(self.num_heads)",
        ROTATED: "rotate(x, attention_factor * cos[:, None], attention_factor * sin[:, None])",
    },
)
layer.mistake(
    "PositionsOfQueries",
    "The keys of a context get the positions of the queries, cut to their length.",
    hint="A context may be longer than the inputs. Count each by its own length.",
    change={PLACES: f"ops.minimum({PLACES}, ops.shape(query)[2] - 1)"},
)
layer.mistake(
    "TurnedBack",
    "Queries and keys are rotated in the opposite direction.",
    hint="Published weights expect the direction of `rotate`. Did you change the sign of the sine?",
    change=OTHER_WAY_ROUND,
)
layer.mistake(
    "TurnedApart",
    "Queries and keys are rotated in opposite directions, so the scores depend on the sum of the positions.",
    hint="Shift the text by a few positions. Do the outputs change?",
    change={
        "turned(x: Any) -> Any:": "turned(x, turn=1):",
        ROTATED: "rotate(x, attention_factor * cos, turn * attention_factor * sin)",
        "turned(key)": "turned(key, turn=-1)",
    },
)
layer.mistake(
    "Interleaved",
    "Neighbouring features are paired instead of the two halves.",
    hint="`rotate` pairs the halves. Use it, or pair as it does.",
    change=INTERLEAVED,
)
layer.mistake(
    "ScalingIgnored",
    "The scaling is ignored: the frequencies are always the unscaled ones.",
    hint="self.scaling holds the arguments of scaled_frequencies that follow the width.",
    change={", **self.scaling": ""},
)
layer.mistake(
    "SomeOptionsLost",
    "Of `scaling`, only the method, the factor and the trained length are passed on.",
    hint="Which arguments does scaled_frequencies take after the width? ** passes on all that there are.",
    change={
        "**self.scaling": """
            **{name: self.scaling[name] for name in ("method", "factor", "trained_length") if name in self.scaling}
        """
    },
)
layer.mistake(
    "AttentionFactorIgnored",
    "The attention factor is ignored.",
    hint="scaled_frequencies returns two things. Which one is not used?",
    change={ROTATED: "rotate(x, cos, sin)"},
)
layer.mistake(
    "AttentionFactorOnce",
    "Only the queries are multiplied by the attention factor, and the keys are not.",
    hint="The scores should contain the square of the factor.",
    change={"turned(key)": "turned(key) / attention_factor"},
)
layer.mistake(
    "BothAtOnce",
    'With "alibi", queries and keys are rotated as well.',
    hint="A layer uses one of the two methods, never both.",
    change={IS_NOT_ROPE: 'if self.positions == "none":'},
)
layer.mistake(
    "AlwaysTurned",
    'With "none", queries and keys are still rotated.',
    hint='`self.positions` may be "none". What must happen then?',
    change={IS_NOT_ROPE: 'if self.positions == "alibi":'},
)
layer.mistake(
    "NoBias",
    'With "alibi", the bias is never added.',
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
    hint="`_attend` receives a mask. Where does it pass it on?",
    change={PLAIN: "super()._attend(query, key, value, None)", BIASED: "biased_attention(query, key, value, bias)"},
)
layer.mistake(
    "BiasDivided",
    "The bias is added before the scores are divided by √d_k, so the bias is divided, too.",
    hint="A slope sets the cost of one step. Should that cost depend on the width of the head?",
    change={BIAS: f"{BIAS} / math.sqrt(query.shape[-1])"},
)
layer.mistake(
    "BiasAfterSoftmax",
    "The bias is added to the weights, after the softmax.",
    hint="Weights are positive and sum to 1. Do they still, after your addition?",
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
    "The bias is computed for hidden_dim heads: features are counted instead of heads.",
    hint="alibi_bias takes the number of heads, then the two lengths.",
    change={BIAS: BIAS.replace("num_heads", "hidden_dim") + "[:, : self.num_heads]"},
)
layer.mistake(
    "FrequenciesAsWeights",
    "The positions are learned: the layer has an additional table of weights.",
    hint="Neither a rotation nor a distance penalty has trainable weights.",
    instead="""
        def build(self, inputs_shape, context_shape=None):
            super().build(inputs_shape, context_shape)
            self.kept = self.add_weight((self.hidden_dim // self.num_heads // 2,), name="frequencies")
    """,
)
layer.mistake(
    "EndsTogether",
    "The queries are placed so that the last query stands where the last key does; both count from 0.",
    hint="Which position has the first query, if there are more keys than queries?",
    change={
        "def turned(x: Any) -> Any:": "def turned(x: Any, start: Any = 0) -> Any:",
        PLACES: f"start + {PLACES}",
        "turned(query), turned(key)": "turned(query, ops.shape(key)[2] - ops.shape(query)[2]), turned(key)",
    },
)
layer.mistake(
    "BiasOfAnotherDtype",
    "In mixed precision, a float32 bias is added to scores in float16, which raises an error.",
    hint="In which dtype does `biased_attention` add the bias to the scores?",
    change={
        f"return {BIASED}": """
            scores = ops.matmul(query / math.sqrt(query.shape[-1]), ops.swapaxes(key, -1, -2)) + bias
            if mask is not None:
                scores = ops.where(mask, scores, -1e9)
            weights = ops.softmax(scores, axis=-1)
            return ops.matmul(weights, value), weights
        """
    },
)
layer.mistake(
    "MethodTakenOut",
    "The first call takes the method out of self.scaling, so the next calls do not scale.",
    hint="dict.pop changes the dictionary, and it is the layer's. What is left for the second call?",
    change={
        SCALED: """
            method = self.scaling.pop("method", "none")
            frequencies, attention_factor = scaled_frequencies(
                self.hidden_dim // self.num_heads, method, **self.scaling
            )
        """
    },
)
