"""Known mistakes in MaskedLMHead."""

from __future__ import annotations

from grading.exercises.masked_lm.checks import head

DENSE_MADE = 'self.dense = projection(self.hidden_dim, "dense", dtype=self.dtype_policy)'
DENSE_BUILT = "self.dense.build(sequence_output_shape)"
NORM_BUILT = "self.norm.build(sequence_output_shape)"
BIAS_MADE = 'self.add_weight((self.vocabulary_size,), "zeros", name="bias")'
GATHERED = "gather_masked(sequence_output, positions)"
DENSE = "self.dense(sequence_output)"
TRANSFORMED = f"self.norm(gelu({DENSE}))"
PRODUCT = "ops.matmul(hidden, ops.transpose(embeddings))"
LOGITS = f"{PRODUCT} + self.output_bias"

head.mistake(
    "WithoutActivation",
    "The activation is left out of the transform.",
    hint="norm(gelu(dense(x))): which of the three is missing?",
    change={TRANSFORMED: f"self.norm({DENSE})"},
)
head.mistake(
    "ApproximateGelu",
    "The GELU is the tanh approximation; it must be exact.",
    hint="The two differ by less than 0.0005, but they differ. Which one does your gelu of chapter 4 compute here?",
    change={TRANSFORMED: f"self.norm(gelu({DENSE}, approximate=True))"},
)
head.mistake(
    "Relu",
    "The activation is ReLU instead of GELU.",
    hint="BERT uses the same activation here as in its feed-forward networks.",
    change={"gelu(": "ops.relu("},
)
head.mistake(
    "Tanh",
    "The activation is tanh, as in the pooler, instead of GELU.",
    hint="BERT uses the same activation here as in its feed-forward networks.",
    change={"gelu(": "ops.tanh("},
)
head.mistake(
    "WithoutNorm",
    "The normalization is created but not used.",
    hint="norm(gelu(dense(x))): which of the three is missing?",
    change={TRANSFORMED: f"gelu({DENSE})"},
)
head.mistake(
    "NormBeforeActivation",
    "The normalization comes before the activation instead of after it.",
    hint="Read norm(gelu(dense(x))) from the inside out.",
    change={TRANSFORMED: f"gelu(self.norm({DENSE}))"},
)
head.mistake(
    "NormFirst",
    "The normalization comes before the dense layer instead of last.",
    hint="Read norm(gelu(dense(x))) from the inside out.",
    change={TRANSFORMED: "gelu(self.dense(self.norm(sequence_output)))"},
)
head.mistake(
    "Residual",
    "A residual connection goes around the transform; this head has none.",
    hint="A block adds its input to its output. Does norm(gelu(dense(x)))?",
    change={TRANSFORMED: f"self.norm(sequence_output + gelu({DENSE}))"},
)
head.mistake(
    "WithoutTransform",
    "The transform is left out: the encoder's output is compared with the embeddings as it is.",
    hint="What is compared with the embeddings is h = norm(gelu(dense(x))), not x.",
    change={TRANSFORMED: "ops.cast(sequence_output, self.compute_dtype)"},
)
head.mistake(
    "OtherEpsilon",
    "The normalization uses its own epsilon instead of the head's.",
    hint="The default of keras.layers.LayerNormalization is 0.001. Where does the head keep its epsilon?",
    change={"LayerNorm(self.epsilon, ": "LayerNorm(1e-3, "},
)
head.mistake(
    "FixedEpsilon",
    "The normalization's epsilon is always 1e-12, whatever epsilon the head was given.",
    hint="Which attribute holds the epsilon that the head was given?",
    change={"LayerNorm(self.epsilon, ": "LayerNorm(1e-12, "},
)
head.mistake(
    "BiasNotAdded",
    "The bias of the words is created but not added.",
    hint="u = h Eᵀ + b: where is b in your code?",
    change={LOGITS: PRODUCT},
)
head.mistake(
    "BiasByDefault",
    "The bias of the words does not start at 0.",
    hint="`add_weight` has a default initializer. What does the docstring of `build` say?",
    change={'"zeros", ': ""},
)
head.mistake(
    "WithoutBias",
    "There is no bias for the words.",
    hint="u = h Eᵀ + b, and b is a weight of this head. Which method of a layer creates one?",
    change={BIAS_MADE: "0.0"},
)
head.mistake(
    "Untied",
    "The head has an output matrix of its own instead of using the encoder's embeddings.",
    hint="Tied weights: which argument of `call` holds the matrix already?",
    change={
        NORM_BUILT: f"{NORM_BUILT}\n"
        'self.decoder = projection(self.vocabulary_size, "decoder", dtype=self.dtype_policy)\n'
        "self.decoder.build(sequence_output_shape)",
        LOGITS: "self.decoder(hidden)",
    },
)
head.mistake(
    "DenseMadeInCall",
    "The dense layer is created again in every call, so the head has no trainable weights for it.",
    hint="`call` only uses layers. Which method creates them, once?",
    change={DENSE_MADE: "", DENSE_BUILT: "", DENSE: "keras.layers.Dense(self.hidden_dim)(sequence_output)"},
)
head.mistake(
    "Softmax",
    "A softmax is applied; the loss needs the scores before it.",
    hint="The docstring asks for logits: u, not y.",
    change={LOGITS: f"ops.softmax({LOGITS})"},
)
head.mistake(
    "Scaled",
    "The scores are divided by √hidden_dim, as in attention.",
    hint="u = h Eᵀ + b. What do you divide by?",
    change={PRODUCT: f"{PRODUCT} / self.hidden_dim**0.5"},
)
head.mistake(
    "PositionsIgnored",
    "`positions` is ignored: every token is scored.",
    hint="Where in your code does `positions` choose a token?",
    change={f"if positions is not None:\n    sequence_output = {GATHERED}": ""},
)
head.mistake(
    "PickedLate",
    "All tokens are worked on, and the asked positions are picked after that.",
    hint="The logits are right, but most of the work is thrown away. What can be done before `dense`?",
    change={
        f"if positions is not None:\n    sequence_output = {GATHERED}": "",
        f"hidden = {TRANSFORMED}": f"""
            hidden = {TRANSFORMED}
            if positions is not None:
                hidden = gather_masked(hidden, positions)
        """,
    },
)
head.mistake(
    "PositionsOfFirstRow",
    "The positions of the first row are used for every row.",
    hint="Each row has masked words of its own. Look at what `gather_masked` does.",
    change={GATHERED: "ops.take(sequence_output, positions[0], axis=1)"},
)
head.mistake(
    "PositionsSorted",
    "Tokens are taken in the order of the text instead of the order of `positions`.",
    hint="Prediction i belongs to positions[i], in whatever order these come.",
    change={GATHERED: "gather_masked(sequence_output, ops.sort(positions, axis=-1))"},
)
head.mistake(
    "PositionsFromOne",
    "Positions are counted from 1.",
    hint="At which position does the first token, [CLS], stand?",
    change={GATHERED: "gather_masked(sequence_output, ops.maximum(positions - 1, 0))"},
)
head.mistake(
    "BestWord",
    "Only the best word is returned instead of the scores of all words.",
    hint="The loss needs the score of every word. What does the docstring say about the shape?",
    change={LOGITS: f"ops.argmax({LOGITS}, axis=-1)"},
)
head.mistake(
    "OtherNames",
    "A part, or its weights, is not where the docstring of `build` says, so published weights cannot be loaded.",
    hint="Compare each name after `self.` in `build` with the docstring, letter by letter. Does each part have its "
    "weights at the end of `build`, before any call?",
    instead="""
        def build(self, sequence_output_shape, embeddings_shape, positions_shape=None):
            sizes = self.vocabulary_size, self.hidden_dim
            self.inner = right.MaskedLMHead(*sizes, self.epsilon, name="inner", dtype=self.dtype_policy)
            self.inner.build(sequence_output_shape, embeddings_shape)

        def call(self, sequence_output, embeddings, positions=None):
            return self.inner(sequence_output, embeddings, positions)
    """,
)
head.mistake(
    "NormOfGlobalPolicy",
    "The normalization does not get the layer's dtype policy: in a layer of dtype float64, its weights are float32.",
    hint='Make a layer with dtype="float64" and build it: which dtype has self.norm.gamma?',
    change={'name="norm", dtype=self.dtype_policy': 'name="norm"'},
)
