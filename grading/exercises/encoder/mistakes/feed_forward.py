"""Known mistakes in FeedForward."""

from __future__ import annotations

from grading.exercises.encoder.checks import feed_forward

FIRST = "self.intermediate_dense(x)"
ACTIVATED = "gelu(x, approximate=self.approximate_gelu)"
SECOND = "self.output_dense(x)"
MAKE_SECOND = 'self.output_dense = projection(self.hidden_dim, "output", dtype=self.dtype_policy)'
BUILD_SECOND = "self.output_dense.build((*x_shape[:-1], self.intermediate_dim))"

feed_forward.mistake(
    "NoActivation",
    "There is no activation between the projections: together they are one linear map.",
    hint="What stands between the two products in the equation?",
    change={f"x = {ACTIVATED}": ""},
)
feed_forward.mistake(
    "Relu",
    "The activation is ReLU instead of GELU.",
    hint="You wrote BERT's activation a few cells above.",
    change={ACTIVATED: "ops.relu(x)"},
)
feed_forward.mistake(
    "Silu",
    "The activation is SiLU (swish) instead of GELU.",
    hint="You wrote BERT's activation a few cells above.",
    change={ACTIVATED: "ops.silu(x)"},
)
feed_forward.mistake(
    "Tanh",
    "The activation is tanh instead of GELU.",
    hint="tanh belongs to the pooler. Which activation did you write a few cells above?",
    change={ACTIVATED: "ops.tanh(x)"},
)
feed_forward.mistake(
    "AlwaysApproximate",
    "approximate_gelu is ignored: GELU is always approximated.",
    hint="Some libraries approximate by default. Which attribute of the layer says what the caller asked for?",
    change={ACTIVATED: "gelu(x, approximate=True)"},
)
feed_forward.mistake(
    "NeverApproximate",
    "approximate_gelu is ignored: GELU is always exact.",
    hint="What is the second argument of gelu?",
    change={ACTIVATED: "gelu(x)"},
)
feed_forward.mistake(
    "ActivatedTwice",
    "GELU is applied after the second projection, too.",
    hint="A network that ends in GELU returns hardly any negative numbers. What does the equation end with?",
    change={f"return {SECOND}": f"x = {SECOND}\nreturn {ACTIVATED}"},
)
feed_forward.mistake(
    "ActivatedLast",
    "GELU comes after both projections instead of between them.",
    hint="Where does the bracket of gelu(...) close in the equation?",
    change={ACTIVATED: SECOND, SECOND: ACTIVATED},
)
feed_forward.mistake(
    "ActivatedFirst",
    "GELU comes before the first projection.",
    hint="What goes into gelu in the equation, x or x W_1 + b_1?",
    change={FIRST: ACTIVATED, ACTIVATED: FIRST},
)
feed_forward.mistake(
    "ResidualAdded",
    "The input is added to the output. This path around belongs to the block.",
    hint="This layer returns the result of its two projections, and nothing else.",
    change={f"x = {FIRST}": f"inputs, x = x, {FIRST}", SECOND: f"{SECOND} + inputs"},
)
feed_forward.mistake(
    "NoBias",
    "The projections have no bias.",
    hint="b_1 and b_2 are in the equation. Which argument of Dense removes them?",
    change={'"intermediate", ': '"intermediate", use_bias=False, ', '"output", ': '"output", use_bias=False, '},
)
feed_forward.mistake(
    "OneProjection",
    "The second projection is missing: the output is intermediate_dim wide.",
    hint="The block adds this output to the input. How wide must it be?",
    change={MAKE_SECOND: "", BUILD_SECOND: "", SECOND: "x"},
)
feed_forward.mistake(
    "AlwaysFourTimes",
    "intermediate_dim is ignored: the inner width is always four times hidden_dim.",
    hint="Four times is a habit of BERT's, not a law. Which width was the layer given?",
    change={
        "projection(self.intermediate_dim, ": "projection(4 * self.hidden_dim, ",
        "(*x_shape[:-1], self.intermediate_dim)": "(*x_shape[:-1], 4 * self.hidden_dim)",
    },
)
feed_forward.mistake(
    "TokensMixed",
    "The mean of all tokens is added to each token, so a token depends on its neighbours.",
    hint="Tokens meet only in attention. Which line here looks at more than one token?",
    change={"gelu(x, ": "gelu(x + ops.mean(x, axis=-2, keepdims=True), "},
)
feed_forward.mistake(
    "Normalized",
    "The output is normalized. This normalization belongs to the block.",
    hint="This layer returns the result of its two projections, and nothing else.",
    change={SECOND: f"layer_normalization({SECOND}, ops.ones(self.hidden_dim), ops.zeros(self.hidden_dim))"},
)
feed_forward.mistake(
    "OtherNames",
    "A part, or its weights, is not where the docstring of `build` says, so published weights cannot be loaded.",
    hint=(
        "Compare each name after `self.` in `build` with the docstring, letter by letter. Does each part have its "
        "weights at the end of `build`, before any call?"
    ),
    change={one: one.replace("self.output_dense", "self.last_dense") for one in (MAKE_SECOND, BUILD_SECOND, SECOND)},
)
feed_forward.mistake(
    "PartOfGlobalPolicy",
    "The first projection does not get the layer's dtype policy: in a layer of dtype float64, its weights are float32.",
    hint='Make a layer with dtype="float64" and build it: which dtype has self.intermediate_dense.kernel?',
    change={'"intermediate", dtype=self.dtype_policy': '"intermediate"'},
)
