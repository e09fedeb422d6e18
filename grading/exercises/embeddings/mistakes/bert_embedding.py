"""What goes wrong in BertEmbedding."""

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
    "Without segment_ids, no segment is added; every token must be in segment 0.",
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
    hint="BERT counts its segments from 0. Look at what you make where segment_ids is None.",
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
    "The whole position table is added, and not its first rows: a text must be as long as max_length.",
    hint="A text of 5 tokens needs 5 positions. How do you find out how long the texts are?",
    change={POSITIONS: "ops.arange(self.max_length)"},
)
embedding.mistake(
    "AllAtPositionZero",
    "All tokens are at position 0.",
    hint="Each place in the text needs a number of its own: 0, 1, 2, ...",
    change={POSITIONS: f"ops.zeros_like({POSITIONS})"},
)
embedding.mistake(
    "PositionsBackwards",
    "The positions run backwards: the last token is at position 0.",
    hint="The first token, [CLS], stands at position 0.",
    change={POSITIONS: f"ops.flip({POSITIONS})"},
)
embedding.mistake(
    "SinePositions",
    "A table of sine waves stands in for the positions; BERT's are learned.",
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
    "The sum is not normalized, although the normalization is there.",
    hint="What do gamma and beta of self.norm do in your call?",
    change={NORMALIZED: "x"},
)
embedding.mistake(
    "NoNorm",
    "The normalization is missing, or its scale and shift are.",
    hint="After the sum, each token's features get the mean 0 and the variance 1, then a scale and a shift.",
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
    hint="In x = norm(...), what stands inside the brackets? It is normalized once.",
    change={
        TOKEN: f"self.norm({TOKEN})",
        SEGMENT: f"self.norm({SEGMENT})",
        POSITION: f"self.norm({POSITION})",
        NORMALIZED: "x",
    },
)
embedding.mistake(
    "NormWithoutWeights",
    "The normalization is missing, or its scale and shift are.",
    hint="BERT learns gamma and beta. Which arguments take them away?",
    change={EPSILON: f"{EPSILON}center=False, scale=False, "},
)
embedding.mistake(
    "NormOverTokens",
    "The normalization runs over the tokens of a text instead of the features of a token.",
    hint="A token must not depend on its neighbours here. Which axis are the features?",
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
    hint="Beside the small numbers of a fresh table, 1e-3 is not small. Which epsilon was the layer given?",
    change={EPSILON: ""},
)
embedding.mistake(
    "EpsilonOfOthers",
    "Epsilon is 1e-5, whatever the layer was given.",
    hint="1e-5 is what other libraries take. Published BERT weights were trained with another one.",
    change={EPSILON: "epsilon=1e-5, "},
)
embedding.mistake(
    "EpsilonFixed",
    "Epsilon is always 1e-12: the argument is ignored.",
    hint="The layer keeps what it was given in an attribute.",
    change={EPSILON: "epsilon=1e-12, "},
)
embedding.mistake(
    "ScaledTokens",
    "The tokens' vectors are multiplied by √hidden_dim, as in the first Transformer; BERT's are not.",
    hint="In BERT's sum, the three vectors count alike.",
    change={TOKEN: f"math.sqrt(self.hidden_dim) * {TOKEN}"},
)
embedding.mistake(
    "Averaged",
    "The mean of the three vectors is taken instead of their sum.",
    hint="Where the variance is small, a third of the vector is not the same beside epsilon.",
    change={NORMALIZED: "self.norm(x / 3)"},
)
embedding.mistake(
    "SideBySide",
    "The vectors are put side by side instead of added.",
    hint="The output is as wide as each of the three: hidden_dim.",
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
    hint="In the equation, which of dropout and norm is outside?",
    change={RETURNED: "self.norm(self.dropout_layer(x))"},
)
embedding.mistake(
    "AlwaysDropping",
    "Dropout is always on.",
    hint="self.dropout_layer knows by itself whether it is in training. Nobody need tell it.",
    change={RETURNED: "self.dropout_layer(self.norm(x), training=True)"},
)
embedding.mistake(
    "NeverDropping",
    "Dropout is never applied.",
    hint="What becomes of self.dropout_layer in your call?",
    change={RETURNED: NORMALIZED},
)
embedding.mistake(
    "DropsWhatIsKept",
    "The share that is kept is dropped, and the other way round.",
    hint="Keras's Dropout takes the share to drop. The layer has one that is ready.",
    change={"Dropout(dropout, ": "Dropout(1 - dropout if dropout else 0.0, "},
)
