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
SQUARES_TIMES_MASK = 'ops.square(student - teacher) * ops.cast(real, "float32")'
# A mask without padding stays as it is; inverted, it would leave nothing to compare.
TURNED = "ops.logical_or(ops.logical_not(mask), ops.all(mask))"

tiny.mistake(
    "OneToOne",
    "Layer m of the student learns from layer m of the teacher, whatever `layers` is.",
    hint="Then nothing comes from the teacher's last layers.",
    change={
        "[teacher_layers[number] for number in self.layers]": "teacher_layers[: len(self.layers)]",
        "[teacher_scores[number - 1] for number in self.layers[1:]]": "teacher_scores[: len(self.layers) - 1]",
    },
)
tiny.mistake(
    "EmbeddingForgotten",
    "The hidden loss leaves out the embedding.",
    hint="Layer 0 counts, too. Where does your sum begin?",
    change={HIDDEN_PAIRS: "zip(student_layers[1:], wanted[1:], strict=True)"},
)
tiny.mistake(
    "LastForgotten",
    "The hidden loss leaves out the last layer.",
    hint="Which layer does the classifier read?",
    change={HIDDEN_PAIRS: "zip(student_layers[:-1], wanted[:-1], strict=True)"},
)
tiny.mistake(
    "BlockOff",
    "The attention of block m is compared with the block after g(m): g(m) counts from 1, the list from 0.",
    hint="Layer 4 is the output of the fourth block. At which index are its scores?",
    change={"teacher_scores[number - 1]": "teacher_scores[min(number, len(teacher_scores) - 1)]"},
)
tiny.mistake(
    "BlocksFromTheEmbedding",
    "The student's first block is compared with block g(0), the next with g(1): layer 0 is the embedding, not a block.",
    hint="Layers are numbered from the embedding, lists of scores from the first block. Which m has the first block?",
    change={"teacher_scores[number - 1] for number in self.layers[1:]": "teacher_scores[n] for n in self.layers[:-1]"},
)
tiny.mistake(
    "LastAttention",
    "Only the last block's attention is compared.",
    hint="MiniLM does that. Here the sum covers all of the student's blocks.",
    change={SCORE_PAIRS: "zip(student_scores[-1:], wanted[-1:], strict=True)"},
)
tiny.mistake(
    "AfterSoftmax",
    "Attention is compared after the softmax: weights instead of scores.",
    hint="Most weights are nearly 0 and say little. What comes before the softmax?",
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
    "Heads are averaged before they are compared, so opposite errors of two heads cancel out.",
    hint="Each head of the student has its own head to learn from.",
    change={
        OF_SCORES: '_distance(*(ops.mean(ops.cast(one, "float32"), axis=1, keepdims=True) for one in (x, y)), real)'
    },
)
tiny.mistake(
    "HeadsSummed",
    "Heads are summed instead of averaged, so the attention loss is too large by the number of heads.",
    hint="MSE is a mean over everything compared: heads, queries and keys.",
    change={OF_SCORES: f"{OF_SCORES} * x.shape[1]"},
)
tiny.mistake(
    "PaddedTokens",
    "The mean of the hidden loss includes padding.",
    hint="Most of a batch with one long text is padding. Which vectors belong to words?",
    change={REAL_TOKENS: 'real = ops.ones_like(padding_mask, dtype="bool")[:, :, None]'},
)
tiny.mistake(
    "PaddedKeys",
    "Padded keys are compared: their scores are -1e9.",
    hint="No word attends to padding. What should these columns cost?",
    change={BOTH_REAL: "mask[:, None, :, None]"},
)
tiny.mistake(
    "PaddedQueries",
    "Padded queries are compared, too.",
    hint="Each row of the table is a query. Should the student learn what padding attends to?",
    change={BOTH_REAL: "mask[:, None, None, :]"},
)
tiny.mistake(
    "PaddingTimesZero",
    "Padding is multiplied by 0, so scores of -∞ at padding make the attention loss NaN.",
    hint="0 · ∞ is NaN. Which operation ignores a value, whatever it is?",
    change={"ops.square(ops.where(real, student - teacher, 0.0))": SQUARES_TIMES_MASK},
)
tiny.mistake(
    "MaskedAfterSquare",
    "Padding is set to 0 only after it is squared, so a score of -∞ at padding makes the student's gradient NaN.",
    hint="The gradient of a square is 2 · difference · 0 at padding. What is that for a difference of ∞?",
    change={
        "ops.square(ops.where(real, student - teacher, 0.0))": "ops.where(real, ops.square(student - teacher), 0.0)"
    },
)
tiny.mistake(
    "PaddingCounted",
    "Padding is set to 0 but still counted in the mean, so more padding means a smaller loss.",
    hint="What do you divide the sum by?",
    change={MEAN: "ops.mean(squares)"},
)
tiny.mistake(
    "MeanOfTexts",
    "Each text is averaged separately, then the texts, so short texts count as much as long ones.",
    hint="The mean covers all real tokens of the batch, with the same weight.",
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
    "The mask is inverted: only padding is compared.",
    hint="True marks a token.",
    change={
        REAL_TOKENS: f'mask = ops.cast(padding_mask, "bool")\nreal = {TURNED}[:, :, None]',
        REAL_PAIRS: f"mask = {TURNED}\n{REAL_PAIRS}",
    },
)
tiny.mistake(
    "MeanOfLayers",
    "The layers are averaged instead of summed.",
    hint="Look at the two formulas: each layer adds a loss of its own.",
    change={f"{one})": f"{one}) / len(wanted)" for one in (HIDDEN_PAIRS, SCORE_PAIRS)},
)
tiny.mistake(
    "Cosine",
    "Vectors are compared by their cosine, as in DistilBERT, instead of the mean squared difference.",
    hint="A cosine ignores lengths. Does MSE?",
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
    "The projection is not used: only as many teacher features as the student has are compared.",
    hint="The student is narrower than its teacher. What maps one width to the other?",
    change={OF_HIDDEN: "_distance(x, y[..., : self.student_dim], real)"},
)
tiny.mistake(
    "WithoutBias",
    "The projection's bias is left out.",
    hint="If you call the layer, it adds its bias itself.",
    change={"self.fit_dense(x)": "self.fit_dense(x) - self.fit_dense.bias"},
)
tiny.mistake(
    "AbsoluteDifferences",
    "Absolute differences are taken instead of squared ones.",
    hint="What does the S of MSE stand for?",
    change={"ops.square(": "ops.abs("},
)
tiny.mistake(
    "FeaturesSummed",
    "The squares are summed over the features instead of averaged.",
    hint="MSE averages over tokens *and* features.",
    change={OF_HIDDEN: f"{OF_HIDDEN} * self.teacher_dim"},
)
tiny.mistake(
    "TeacherLearns",
    "The teacher gets a gradient, too, so both models move towards each other.",
    hint="Which operation passes a value on, but no gradient?",
    change={IN_FLOAT32: 'student, teacher = ops.cast(student, "float32"), ops.cast(teacher, "float32")'},
)
tiny.mistake(
    "HalfPrecision",
    "The loss is computed in half precision, where squares overflow.",
    hint="The square of 300 is larger than any float16.",
    change={
        "self.fit_dense(x)": "ops.cast(self.fit_dense(x), x.dtype)",
        IN_FLOAT32: "teacher = ops.stop_gradient(teacher)",
        MEAN: 'ops.sum(squares) / ops.cast(ops.sum(ops.cast(real, "float32")), squares.dtype)',
    },
)
tiny.mistake(
    "HiddenAlone",
    "A call returns only the hidden loss.",
    hint="A call returns the sum of both losses.",
    change={f"hidden + {SCORE_LOSS}": "hidden"},
)
tiny.mistake(
    "MeanOfBoth",
    "A call returns the mean of both losses.",
    hint="A call returns the sum of both losses.",
    change={f"hidden + {SCORE_LOSS}": f"(hidden + {SCORE_LOSS}) / 2"},
)
tiny.mistake(
    "OwnScoresKept",
    "Where both models have a score of -∞ at padding, the difference is NaN, and stays in the attention loss.",
    hint="-∞ minus -∞ is NaN. Which operation leaves a place out, whatever is there?",
    change={
        "ops.where(real, student - teacher, 0.0)": "student - ops.where(real, teacher, student)",
    },
)
tiny.mistake(
    "InOwnPolicy",
    "The scores are compared in the dtype that the layer computes in, which is float16 in mixed precision.",
    hint="What is `self.compute_dtype` in mixed precision? Which dtype does the docstring name?",
    change={
        f"return sum({OF_SCORES}": f"""
            def _distance(student, teacher, real):
                student, teacher = (ops.cast(one, self.compute_dtype) for one in (student, ops.stop_gradient(teacher)))
                squares = ops.where(real, ops.square(ops.where(real, student - teacher, 0)), 0)
                count = ops.sum(ops.cast(ops.broadcast_to(real, ops.shape(student)), "float32"))
                return ops.cast(ops.sum(squares), "float32") / count

            return sum({OF_SCORES}"""
    },
)
