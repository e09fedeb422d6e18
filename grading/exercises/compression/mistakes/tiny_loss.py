"""What goes wrong in TinyLoss."""

from __future__ import annotations

from grading.exercises.compression.checks import tiny

OF_HIDDEN = "_distance(self.fit_dense(x), y, real)"
OF_SCORES = "_distance(x, y, real)"
HIDDEN_PAIRS = "zip(student_layers, wanted, strict=True)"
SCORE_PAIRS = "zip(student_scores, wanted, strict=True)"
REAL_TOKENS = 'real = ops.cast(padding_mask, "bool")[:, :, None]'
BOTH_REAL = "ops.logical_and(mask[:, None, :, None], mask[:, None, None, :])"
REAL_PAIRS = f"real = {BOTH_REAL}"
SCORE_LOSS = 'self.attention_loss(student["attention_scores"], teacher["attention_scores"], padding_mask)'
IN_FLOAT32 = 'student, teacher = ops.cast(student, "float32"), ops.stop_gradient(ops.cast(teacher, "float32"))'
MEAN = 'ops.sum(squares) / ops.maximum(ops.sum(ops.cast(real, "float32")), 1.0)'
# A mask without padding stays as it is, or there would be nothing to compare.
TURNED = "ops.logical_or(ops.logical_not(mask), ops.all(mask))"

tiny.mistake(
    "OneToOne",
    "Layer m of the student learns from layer m of the teacher, whatever `layers` says.",
    hint="So the student never hears of the teacher's last layers.",
    change={
        "[teacher_layers[number] for number in self.layers]": "teacher_layers[: len(self.layers)]",
        "[teacher_scores[number - 1] for number in self.layers[1:]]": "teacher_scores[: len(self.layers) - 1]",
    },
)
tiny.mistake(
    "EmbeddingForgotten",
    "The embedding is left out of the hidden loss.",
    hint="Layer 0 of both is a layer, too. Where does your sum begin?",
    change={HIDDEN_PAIRS: "zip(student_layers[1:], wanted[1:], strict=True)"},
)
tiny.mistake(
    "LastForgotten",
    "The last layer is left out of the hidden loss.",
    hint="What the classifier reads is the last layer.",
    change={HIDDEN_PAIRS: "zip(student_layers[:-1], wanted[:-1], strict=True)"},
)
tiny.mistake(
    "BlockOff",
    "Attention of block m is compared with the teacher's block g(m) counted from 0, not from 1: one block too far.",
    hint="Layer 4 is what the fourth block gives. At which index do its scores stand?",
    change={"teacher_scores[number - 1]": "teacher_scores[min(number, len(teacher_scores) - 1)]"},
)
tiny.mistake(
    "LastAttention",
    "Only the last block's attention is compared.",
    hint="That is another paper's, MiniLM's. Here the sum goes over all of the student's blocks.",
    change={SCORE_PAIRS: "zip(student_scores[-1:], wanted[-1:], strict=True)"},
)
tiny.mistake(
    "AfterSoftmax",
    "Attention is compared after the softmax: weights, not scores.",
    hint="Weights far from the largest are all nearly 0, and tell little. What stands in front of the softmax?",
    change={
        REAL_PAIRS: f"""
            def weights(scores):
                return [ops.softmax(ops.where(mask[:, None, None, :], ops.cast(x, "float32"), -1e9)) for x in scores]

            student_scores, teacher_scores = weights(student_scores), weights(teacher_scores)
            {REAL_PAIRS}
        """
    },
)
tiny.mistake(
    "HeadsAveraged",
    "Heads are averaged before they are compared: opposite errors of two heads cancel out.",
    hint="Each head of the student has a head to learn from.",
    change={
        OF_SCORES: '_distance(*(ops.mean(ops.cast(one, "float32"), axis=1, keepdims=True) for one in (x, y)), real)'
    },
)
tiny.mistake(
    "HeadsSummed",
    "Heads are summed, not averaged: the attention loss is as many times too large.",
    hint="MSE is a mean over all that is compared, heads, queries and keys.",
    change={OF_SCORES: f"{OF_SCORES} * x.shape[1]"},
)
tiny.mistake(
    "PaddedTokens",
    "Padding counts in the mean of the hidden loss.",
    hint="A batch with one long text would be mostly padding. Which vectors are of words?",
    change={REAL_TOKENS: 'real = ops.ones_like(padding_mask, dtype="bool")[:, :, None]'},
)
tiny.mistake(
    "PaddedKeys",
    "Padding counts among the keys: scores of -1e9 are compared.",
    hint="No word looks at padding. What should these columns cost?",
    change={BOTH_REAL: "mask[:, None, :, None]"},
)
tiny.mistake(
    "PaddedQueries",
    "Padding counts among the queries.",
    hint="A row of the table is a query. Is what padding looks at worth learning?",
    change={BOTH_REAL: "mask[:, None, None, :]"},
)
tiny.mistake(
    "PaddingCounted",
    "Padding is set to 0, but still counted in the mean: the more padding, the smaller the loss.",
    hint="By how many is the sum divided?",
    change={MEAN: "ops.mean(squares)"},
)
tiny.mistake(
    "MeanOfTexts",
    "Each text has a mean of its own, and these are averaged: short texts count as much as long ones.",
    hint="The mean is over all real tokens of the batch, each of which counts the same.",
    change={
        f"return {MEAN}": """
            axes = tuple(range(1, len(student.shape)))
            sums, counts = (ops.sum(one, axis=axes) for one in (squares, ops.cast(real, "float32")))
            return ops.mean(sums / counts)
        """
    },
)
tiny.mistake(
    "MaskTurned",
    "The mask is taken the wrong way round: only padding is compared.",
    hint="True means a token.",
    change={
        REAL_TOKENS: f'mask = ops.cast(padding_mask, "bool")\nreal = {TURNED}[:, :, None]',
        REAL_PAIRS: f"mask = {TURNED}\n{REAL_PAIRS}",
    },
)
tiny.mistake(
    "MeanOfLayers",
    "The mean over the layers is taken, not their sum.",
    hint="Each layer has a loss of its own; see the two formulas.",
    change={f"{one})": f"{one}) / len(wanted)" for one in (HIDDEN_PAIRS, SCORE_PAIRS)},
)
tiny.mistake(
    "Cosine",
    "Vectors are compared by their cosine, as DistilBERT does; here it is the mean squared difference.",
    hint="A cosine forgets lengths. Does MSE?",
    change={
        OF_HIDDEN: "cosine_distance(self.fit_dense(x), ops.stop_gradient(y))",
        REAL_TOKENS: f"""
            {REAL_TOKENS}

            def cosine_distance(x, y):
                x, y = (ops.normalize(ops.cast(one, "float32"), axis=-1) for one in (x, y))
                away = ops.where(real, 1 - ops.sum(x * y, axis=-1, keepdims=True), 0.0)
                return ops.sum(away) / ops.sum(ops.cast(real, "float32"))

        """,
    },
)
tiny.mistake(
    "WithoutProjection",
    "The projection is not used: as many features as the student has are compared, and the teacher's others forgotten.",
    hint="The student is narrower than its teacher. What leads from the one width to the other?",
    change={OF_HIDDEN: "_distance(x, y[..., : self.student_dim], real)"},
)
tiny.mistake(
    "WithoutBias",
    "The bias of the projection is left out.",
    hint="Call the layer, and it adds its bias itself.",
    change={"self.fit_dense(x)": "self.fit_dense(x) - self.fit_dense.bias"},
)
tiny.mistake(
    "AbsoluteDifferences",
    "Absolute differences are taken instead of squared ones.",
    hint="The S of MSE.",
    change={"ops.square(": "ops.abs("},
)
tiny.mistake(
    "FeaturesSummed",
    "Squares are summed over the features of a token, not averaged.",
    hint="MSE is the mean over tokens *and* features.",
    change={OF_HIDDEN: f"{OF_HIDDEN} * self.teacher_dim"},
)
tiny.mistake(
    "TeacherLearns",
    "The teacher gets a gradient, too: both move towards each other.",
    hint="Which operation lets a value through, and no gradient?",
    change={IN_FLOAT32: 'student, teacher = ops.cast(student, "float32"), ops.cast(teacher, "float32")'},
)
tiny.mistake(
    "HalfPrecision",
    "It is computed in half precision, where squares overflow.",
    hint="The square of 300 is more than float16 holds.",
    change={
        "self.fit_dense(x)": "ops.cast(self.fit_dense(x), x.dtype)",
        IN_FLOAT32: "teacher = ops.stop_gradient(teacher)",
        MEAN: 'ops.sum(squares) / ops.cast(ops.sum(ops.cast(real, "float32")), squares.dtype)',
    },
)
tiny.mistake(
    "HiddenAlone",
    "A call gives the hidden loss alone.",
    hint="A call gives both losses together.",
    change={f"hidden + {SCORE_LOSS}": "hidden"},
)
tiny.mistake(
    "MeanOfBoth",
    "A call gives the mean of both losses.",
    hint="A call gives both losses together.",
    change={f"hidden + {SCORE_LOSS}": f"(hidden + {SCORE_LOSS}) / 2"},
)
