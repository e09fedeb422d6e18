"""Known mistakes in BertEmbedding."""

from __future__ import annotations

from grading.exercises.embeddings.checks import embedding

TOKEN = "self.token_embedding(token_ids)"
SEGMENT = "self.segment_embedding(segment_ids)"
POSITION = "self.position_embedding(positions)"
POSITIONS = "ops.arange(ops.shape(x)[1])"
ADDED = f"x = {TOKEN} + {SEGMENT}\nx = self._with_positions(x)"
NORMALIZED = "self.norm(x)"
RETURNED = "self.dropout_layer(self.norm(x))"
EPSILON = "epsilon=self.epsilon, "
NORM = 'self.norm = keras.layers.LayerNormalization(epsilon=self.epsilon, name="norm", dtype=self.dtype_policy)'
BUILD_NORM = "self.norm.build((*token_ids_shape, self.hidden_dim))"
# Without gamma and beta no check can run, so none can say whether the rest of the normalization is there.
WITHOUT_GAMMA_AND_BETA = "The normalization is missing, or its scale and shift are."
MEAN_AND_SCALE = (
    "After the sum, each token's features get mean 0 and variance 1, then a learned scale and shift, gamma and beta. "
    "Which of these does your layer not have?"
)

embedding.mistake(
    "NoSegments",
    "The segments are left out: nothing says which text a token belongs to.",
    hint="Three vectors are added. Which of the three tables do you never use?",
    change={f" + {SEGMENT}": ""},
)
embedding.mistake(
    "NoPositions",
    "The positions are left out: the order of the tokens is lost.",
    hint="Three vectors are added. Which of the three tables do you never use?",
    change={f"x + {POSITION}": "x"},
)
embedding.mistake(
    "NothingWithoutSegments",
    "Without segment_ids, no segment vector is added; every token should be in segment 0.",
    hint="Segment 0 has a vector, too, and it is not zero.",
    change={
        "segment_ids = ops.zeros_like(token_ids)": """
            x = self._with_positions(self.token_embedding(token_ids))
            return self.dropout_layer(self.norm(x))
        """
    },
)
embedding.mistake(
    "SegmentOneByDefault",
    "Without segment_ids, every token is in segment 1 instead of segment 0.",
    hint="BERT counts its segments from 0. What do you use if segment_ids is None?",
    change={"ops.zeros_like(token_ids)": "ops.ones_like(token_ids)"},
)
embedding.mistake(
    "AlwaysTwoSegments",
    "There are always two segments: num_segments is ignored.",
    hint="A search engine may want three: query, title and body. How many rows does the table need?",
    change={"self._table(self.num_segments, ": "self._table(2, "},
)
embedding.mistake(
    "PositionsFromOne",
    "Positions are counted from 1.",
    hint="Which row of the position table is the first? And what happens to a text of max_length tokens?",
    change={POSITIONS: f"{POSITIONS} + 1"},
)
embedding.mistake(
    "WholePositionTable",
    "The whole position table is added instead of its first rows, so a text must have max_length tokens.",
    hint="A text of 5 tokens needs 5 positions. How do you get the length of the texts?",
    change={POSITIONS: "ops.arange(self.max_length)"},
)
embedding.mistake(
    "AllAtPositionZero",
    "All tokens are at position 0.",
    hint="Each place in the text has a number of its own. What are they?",
    change={POSITIONS: f"ops.zeros_like({POSITIONS})"},
)
embedding.mistake(
    "NormNotBuilt",
    "`build` makes the normalization without its weights, which only the first call makes.",
    hint="A file of weights is loaded before anything is called. What gives `self.norm` its scale and shift?",
    change={BUILD_NORM: ""},
)
embedding.mistake(
    "PositionsBackwards",
    "The positions run backwards: the last token is at position 0.",
    hint="At which position does the first token, [CLS], stand?",
    change={POSITIONS: f"ops.flip({POSITIONS})"},
)
embedding.mistake(
    "SinePositions",
    "A table of sine waves replaces the position embedding; BERT learns its own.",
    hint="How many tables with weights of their own does the docstring name?",
    change={
        'return self._table(self.max_length, "position_embedding")': "return None",
        "if self.position_embedding is None:\n    return x": """
            if self.position_embedding is None:
                return x + sinusoidal_positions(x.shape[1], self.hidden_dim)
        """,
    },
)
embedding.mistake(
    "NormUnused",
    "The normalization is created, but the sum does not go through it.",
    hint="What do gamma and beta of self.norm do in your call?",
    change={NORMALIZED: "x"},
)
embedding.mistake(
    "NoNorm",
    WITHOUT_GAMMA_AND_BETA,
    hint=MEAN_AND_SCALE,
    change={NORM: "", BUILD_NORM: "", NORMALIZED: "x"},
)
embedding.mistake(
    "NormOfTokenOnly",
    "Only the token's vector is normalized; position and segment are added after it.",
    hint="In x = norm(...), what stands inside the brackets?",
    change={TOKEN: f"self.norm({TOKEN})", NORMALIZED: "x"},
)
embedding.mistake(
    "NormOfEach",
    "Each of the three vectors is normalized by itself, before they are added.",
    hint="In x = norm(...), what stands inside the brackets? How many norms does the equation have?",
    change={
        TOKEN: f"self.norm({TOKEN})",
        SEGMENT: f"self.norm({SEGMENT})",
        POSITION: f"self.norm({POSITION})",
        NORMALIZED: "x",
    },
)
embedding.mistake(
    "NormWithoutWeights",
    WITHOUT_GAMMA_AND_BETA,
    hint=MEAN_AND_SCALE,
    change={EPSILON: f"{EPSILON}center=False, scale=False, "},
)
embedding.mistake(
    "NormOverTokens",
    "The normalization runs over the tokens of a text instead of the features of a token.",
    hint="A token must not depend on its neighbours here. Which axis holds the features?",
    change={
        f"return {RETURNED}": """
            mean, variance = ops.mean(x, axis=1, keepdims=True), ops.var(x, axis=1, keepdims=True)
            x = (x - mean) / ops.sqrt(variance + self.epsilon) * self.norm.gamma + self.norm.beta
            return self.dropout_layer(x)
        """
    },
)
embedding.mistake(
    "EpsilonOfKeras",
    "Epsilon is Keras's default, 1e-3.",
    hint="Compared with the small numbers of a new table, 1e-3 is large. Which epsilon was the layer given?",
    change={EPSILON: ""},
)
embedding.mistake(
    "EpsilonOfOthers",
    "Epsilon is always 1e-5, whatever epsilon the layer was given.",
    hint="Other libraries use 1e-5. Published BERT weights were trained with another epsilon.",
    change={EPSILON: "epsilon=1e-5, "},
)
embedding.mistake(
    "EpsilonFixed",
    "epsilon is ignored: it is always 1e-12.",
    hint="In which attribute does the layer keep the epsilon that it was given?",
    change={EPSILON: "epsilon=1e-12, "},
)
embedding.mistake(
    "NormOfGlobalPolicy",
    "The normalization does not get the layer's dtype policy: a layer of dtype float64 normalizes in float32.",
    hint='Make a layer with dtype="float64" and build it: which dtype has self.norm.gamma?',
    change={NORM: NORM.replace(", dtype=self.dtype_policy", "")},
)
embedding.mistake(
    "ScaledTokens",
    "The token vectors are multiplied by √hidden_dim, as in the first Transformer; BERT does not scale them.",
    hint="In BERT's sum, all three vectors have the same weight.",
    change={TOKEN: f"math.sqrt(self.hidden_dim) * {TOKEN}"},
)
embedding.mistake(
    "Averaged",
    "The mean of the three vectors is taken instead of their sum.",
    hint="Normalizing undoes a factor of ⅓, but not when the variance is as small as epsilon.",
    change={NORMALIZED: "self.norm(x / 3)"},
)
embedding.mistake(
    "SideBySide",
    "The vectors are put side by side instead of added.",
    hint="How wide is each of the three vectors, and how wide should the output be?",
    change={
        BUILD_NORM: "self.norm.build((*token_ids_shape, 3 * self.hidden_dim))",
        ADDED: """
            token, segment = self.token_embedding(token_ids), self.segment_embedding(segment_ids)
            position = self._with_positions(ops.zeros_like(token))
            x = ops.concatenate([token, position, segment], axis=-1)
        """,
    },
)
embedding.mistake(
    "DroppedBeforeNorm",
    "Dropout comes before the normalization instead of after it.",
    hint="In the equation, which is outside: dropout or norm?",
    change={RETURNED: "self.norm(self.dropout_layer(x))"},
)
embedding.mistake(
    "AlwaysDropping",
    "Dropout is always on.",
    hint="self.dropout_layer knows by itself whether it is in training. What do you tell it?",
    change={RETURNED: "self.dropout_layer(self.norm(x), training=True)"},
)
embedding.mistake(
    "NeverDropping",
    "Dropout is never applied.",
    hint="Where does your call use self.dropout_layer?",
    change={RETURNED: NORMALIZED},
)
embedding.mistake(
    "DropsWhatIsKept",
    "Dropout keeps the share that it should drop, and drops the rest.",
    hint="Does Keras's Dropout take the share to keep or the share to drop?",
    change={"Dropout(dropout, ": "Dropout(1 - dropout if dropout else 0.0, "},
)
embedding.mistake(
    "SegmentsOfKnownShape",
    "Without segment_ids, the zeros are made in NumPy, which must know a shape that a compiled model does not know.",
    hint="In a compiled model, token_ids.shape is (None, None). Which function of `ops` copies a shape?",
    change={"ops.zeros_like(token_ids)": 'np.zeros(token_ids.shape, "int32")'},
)
