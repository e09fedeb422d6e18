"""Known mistakes in EncoderBlock."""

from __future__ import annotations

from grading.exercises.encoder.checks import block

# The lines of call, with norm_first.
PRE_ATTENDED = "attended = self.attention(self.attention_norm(x), attention_mask=attention_mask)"
PRE_SUM = "x = x + self.dropout_layer(attended)"
PRE_RETURNED = "return x + self.dropout_layer(self.feed_forward(self.feed_forward_norm(x)))"
# The lines of call, without norm_first.
POST_ATTENDED = "attended = self.attention(x, attention_mask=attention_mask)"
POST_SUM = "x = self.attention_norm(x + self.dropout_layer(attended))"
POST_RETURNED = "return self.feed_forward_norm(x + self.dropout_layer(self.feed_forward(x)))"

NO_PATH_AROUND_ATTENTION = {
    PRE_SUM: "x = self.dropout_layer(attended)",
    POST_SUM: "x = self.attention_norm(self.dropout_layer(attended))",
}
NO_PATH_AROUND_FEED_FORWARD = {"return x + ": "return ", "feed_forward_norm(x + ": "feed_forward_norm("}
TWO_NAMES = {"x = x + ": "attended = x + ", "x = self.attention_norm(": "attended = self.attention_norm("}
ATTENTION_NOT_DROPPED = {PRE_SUM: "x = x + attended", POST_SUM: "x = self.attention_norm(x + attended)"}
FEED_FORWARD_NOT_DROPPED = {
    PRE_RETURNED: "return x + self.feed_forward(self.feed_forward_norm(x))",
    POST_RETURNED: "return self.feed_forward_norm(x + self.feed_forward(x))",
}
# A norm at the wrong place in one equation.
ATTENDED_NORMALIZED = {POST_SUM: "x = x + self.attention_norm(self.dropout_layer(attended))"}
FED_NORMALIZED = {POST_RETURNED: "return x + self.feed_forward_norm(self.dropout_layer(self.feed_forward(x)))"}
NORMALIZED_ATTENDED = {POST_ATTENDED: PRE_ATTENDED}
NORMALIZED_FED = {"self.feed_forward(x)": "self.feed_forward(self.feed_forward_norm(x))"}
NORM_AROUND_ATTENTION = {PRE_ATTENDED: f"x = self.attention_norm(x)\n{POST_ATTENDED}"}
NORM_AROUND_FEED_FORWARD = {
    PRE_RETURNED: "x = self.feed_forward_norm(x)\nreturn x + self.dropout_layer(self.feed_forward(x))"
}
PRE_ATTENDED_NORMALIZED = {
    PRE_ATTENDED: POST_ATTENDED,
    PRE_SUM: "x = x + self.attention_norm(self.dropout_layer(attended))",
}
PRE_FED_NORMALIZED = {PRE_RETURNED: "return x + self.feed_forward_norm(self.dropout_layer(self.feed_forward(x)))"}
HINT = "Compare your line with its equation: what stands in the brackets of norm, and what is added to what?"

block.mistake(
    "NoResiduals",
    "There is no path around the parts: neither adds its input to its output.",
    hint="Each part changes the tokens; it does not replace them. What is x added to?",
    change=NO_PATH_AROUND_ATTENTION | NO_PATH_AROUND_FEED_FORWARD,
)
block.mistake(
    "NoAttentionResidual",
    "There is no path around attention: its input is not added to its output.",
    hint="The block has two sums. One of them has only one term.",
    change=NO_PATH_AROUND_ATTENTION,
)
block.mistake(
    "NoFeedForwardResidual",
    "There is no path around the feed-forward network: its input is not added to its output.",
    hint="The block has two sums. One of them has only one term.",
    change=NO_PATH_AROUND_FEED_FORWARD,
)
block.mistake(
    "AlwaysPostNorm",
    "norm_first is ignored: the block is always post-LN.",
    hint="There are two pairs of equations. Which one does norm_first choose?",
    change={"if self.norm_first:": "if False:"},
)
block.mistake(
    "AlwaysPreNorm",
    "norm_first is ignored: the block is always pre-LN.",
    hint="BERT normalizes the sum. There are two pairs of equations.",
    change={"if self.norm_first:": "if True:"},
)
block.mistake(
    "OrdersExchanged",
    "Pre-LN and post-LN are swapped.",
    hint="With norm_first, is the norm inside the part's brackets, or around the sum?",
    change={"if self.norm_first:": "if not self.norm_first:"},
)
block.mistake(
    "NormBeforeSum",
    "In post-LN, each part's output is normalized before x is added, instead of the sum.",
    hint="In norm_1(...), where does the bracket close?",
    change=ATTENDED_NORMALIZED | FED_NORMALIZED,
)
block.mistake(
    "NoFirstNorm",
    "In post-LN, the sum after attention is not normalized.",
    hint="The block has two norms. Count where you use them.",
    change={POST_SUM: PRE_SUM},
)
block.mistake(
    "NoSecondNorm",
    "In post-LN, the sum after the feed-forward network is not normalized.",
    hint="The block has two norms. Count where you use them.",
    change={POST_RETURNED: "return x + self.dropout_layer(self.feed_forward(x))"},
)
block.mistake(
    "OneNorm",
    "One normalization serves both parts; each has its own.",
    hint="norm_1 and norm_2 have weights of their own. Which one is never used?",
    change={
        "self.feed_forward_norm(x)": "self.attention_norm(x)",
        "self.feed_forward_norm(x + ": "self.attention_norm(x + ",
    },
)
block.mistake(
    "PartsInParallel",
    "The feed-forward network gets the block's input instead of the result of attention.",
    hint="The second equation begins where the first one ends.",
    change={
        **TWO_NAMES,
        "return x + ": "return attended + ",
        "self.feed_forward_norm(x + ": "self.feed_forward_norm(attended + ",
    },
)
block.mistake(
    "SecondPathFromInput",
    "The second path around starts at the block's input instead of after attention.",
    hint="In the second equation, which x is added to feed_forward(x)?",
    change={
        **TWO_NAMES,
        "self.feed_forward_norm(x)": "self.feed_forward_norm(attended)",
        "self.feed_forward(x)": "self.feed_forward(attended)",
    },
)
block.mistake(
    "NormOnThePath",
    "In pre-LN, the path around each part carries the normalized x instead of x.",
    hint="Which x does the equation add to the output of each part?",
    change=NORM_AROUND_ATTENTION | NORM_AROUND_FEED_FORWARD,
)
block.mistake(
    "PreNormOnceOnly",
    "In pre-LN, the input of the feed-forward network is not normalized.",
    hint="With norm_first, which parts get normalized tokens?",
    change={"self.feed_forward(self.feed_forward_norm(x))": "self.feed_forward(x)"},
)
block.mistake(
    "PreNormAndPostNorm",
    "In pre-LN, the block's output is normalized again.",
    hint="A pre-LN block ends in a sum. Only the whole stack may end in a norm.",
    change={
        PRE_RETURNED: "x = x + self.dropout_layer(self.feed_forward(self.feed_forward_norm(x)))\n"
        "return self.feed_forward_norm(x)"
    },
)
block.mistake(
    "MaskIgnored",
    "The mask does not reach attention.",
    hint="What is the second argument of attention? Names are safer than positions.",
    change={
        PRE_ATTENDED: "attended = self.attention(self.attention_norm(x))",
        POST_ATTENDED: "attended = self.attention(x)",
    },
)
block.mistake(
    "NoFeedForward",
    "The feed-forward network is left out.",
    hint="A block has two parts. Which one does your call not use?",
    change={PRE_RETURNED: "return x", POST_RETURNED: "return self.feed_forward_norm(x)"},
)
block.mistake(
    "NoAttention",
    "Attention is left out: no token depends on another.",
    hint="A block has two parts. Which one does your call not use?",
    change={PRE_SUM: "", POST_SUM: "x = self.attention_norm(x)"},
)
block.mistake(
    "EpsilonForgotten",
    "Epsilon does not reach the norms.",
    hint="LayerNorm takes epsilon as an argument. Which epsilon was the block given?",
    change={
        'self.epsilon, name="attention_norm"': 'name="attention_norm"',
        'self.epsilon, name="feed_forward_norm"': 'name="feed_forward_norm"',
    },
)
block.mistake(
    "ApproximationForgotten",
    "approximate_gelu does not reach the feed-forward network.",
    hint="What is the third argument of FeedForward?",
    change={"self.approximate_gelu, ": ""},
)
block.mistake(
    "NeverDropping",
    "Dropout is never applied to the outputs of the parts.",
    hint="Where does your call use self.dropout_layer?",
    change=ATTENTION_NOT_DROPPED | FEED_FORWARD_NOT_DROPPED,
)
block.mistake(
    "FeedForwardNotDropped",
    "Dropout is applied to attention's output only, not to the feed-forward network's.",
    hint="In how many of the two equations does dropout stand?",
    change=FEED_FORWARD_NOT_DROPPED,
)
block.mistake(
    "AttentionNotDropped",
    "Dropout is applied to the feed-forward network's output only, not to attention's.",
    hint="In how many of the two equations does dropout stand?",
    change=ATTENTION_NOT_DROPPED,
)
block.mistake(
    "AlwaysDropping",
    "Dropout is always on.",
    hint="self.dropout_layer knows by itself whether it is in training.",
    change={
        PRE_SUM: "x = x + self.dropout_layer(attended, training=True)",
        PRE_RETURNED: "return x + self.dropout_layer(self.feed_forward(self.feed_forward_norm(x)), training=True)",
        POST_SUM: "x = self.attention_norm(x + self.dropout_layer(attended, training=True))",
        POST_RETURNED: "return self.feed_forward_norm(x + self.dropout_layer(self.feed_forward(x), training=True))",
    },
)
block.mistake(
    "SumDropped",
    "Dropout is applied to the whole sum, and so to the path around the part.",
    hint="In x + dropout(...), what stands inside the brackets?",
    change={
        PRE_SUM: "x = self.dropout_layer(x + attended)",
        PRE_RETURNED: "return self.dropout_layer(x + self.feed_forward(self.feed_forward_norm(x)))",
        POST_SUM: "x = self.attention_norm(self.dropout_layer(x + attended))",
        POST_RETURNED: "return self.feed_forward_norm(self.dropout_layer(x + self.feed_forward(x)))",
    },
)
block.mistake(
    "AttentionDropoutForgotten",
    "attention_dropout does not reach attention.",
    hint="MultiHeadAttention has a third argument, which is 0 by default.",
    change={"self.attention_dropout, name": "name"},
)
block.mistake(
    "OtherNames",
    "A part, or its weights, is not where the docstring of `build` says, so published weights cannot be loaded.",
    hint=(
        "Compare each name after `self.` in `build` with the docstring, letter by letter. Does each part have its "
        "weights at the end of `build`, before any call?"
    ),
    change={
        "self.attention_norm = ": "self.norm_1 = ",
        "self.feed_forward, self.attention_norm, ": "self.feed_forward, self.norm_1, ",
        "self.attention_norm(x)": "self.norm_1(x)",
        "self.attention_norm(x + ": "self.norm_1(x + ",
    },
)
block.mistake(
    "Wired0Attention",
    "In post-LN, attention's output is normalized before x is added, instead of the sum.",
    hint=HINT,
    change=ATTENDED_NORMALIZED,
)
block.mistake(
    "Wired0Network",
    "In post-LN, the feed-forward network's output is normalized before x is added, instead of the sum.",
    hint=HINT,
    change=FED_NORMALIZED,
)
block.mistake(
    "Wired1Attention",
    "In post-LN, attention's input is normalized, and not only the sum.",
    hint=HINT,
    change=NORMALIZED_ATTENDED,
)
block.mistake(
    "Wired1Network",
    "In post-LN, the feed-forward network's input is normalized, and not only the sum.",
    hint=HINT,
    change=NORMALIZED_FED,
)
block.mistake(
    "Wired1AttentionNetwork",
    "In post-LN, the inputs of both parts are normalized, and not only the sums.",
    hint=HINT,
    change=NORMALIZED_ATTENDED | NORMALIZED_FED,
)
block.mistake(
    "Wired2Attention",
    "In pre-LN, the path around attention carries the normalized x instead of x.",
    hint=HINT,
    change=NORM_AROUND_ATTENTION,
)
block.mistake(
    "Wired2Network",
    "In pre-LN, the path around the feed-forward network carries the normalized x instead of x.",
    hint=HINT,
    change=NORM_AROUND_FEED_FORWARD,
)
block.mistake(
    "Wired3Attention",
    "In pre-LN, attention's output is normalized instead of its input.",
    hint=HINT,
    change=PRE_ATTENDED_NORMALIZED,
)
block.mistake(
    "Wired3Network",
    "In pre-LN, the feed-forward network's output is normalized instead of its input.",
    hint=HINT,
    change=PRE_FED_NORMALIZED,
)
block.mistake(
    "Wired3AttentionNetwork",
    "In pre-LN, the outputs of both parts are normalized instead of their inputs.",
    hint=HINT,
    change=PRE_ATTENDED_NORMALIZED | PRE_FED_NORMALIZED,
)
block.mistake(
    "Wired4Attention",
    "In pre-LN, attention's input is not normalized.",
    hint=HINT,
    change={"self.attention(self.attention_norm(x), ": "self.attention(x, "},
)
block.mistake(
    "NormsOfGlobalPolicy",
    "The norms do not get the layer's dtype policy: in a layer of dtype float64, their weights are float32.",
    hint='Make a layer with dtype="float64" and build it: which dtype has self.attention_norm.gamma?',
    change={f'name="{part}_norm", dtype=dtype': f'name="{part}_norm"' for part in ("attention", "feed_forward")},
)
