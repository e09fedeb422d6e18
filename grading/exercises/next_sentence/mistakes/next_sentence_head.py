"""What goes wrong in NextSentenceHead."""

from __future__ import annotations

from grading.exercises.next_sentence.checks import head

MADE = 'self.dense = projection(2, "dense", dtype=self.dtype_policy)'
BUILT = "self.dense.build(pooled_output_shape)"
LOGITS = "self.dense(pooled_output)"

head.mistake(
    "OneOutput",
    "The layer has one output instead of two.",
    hint="W is (hidden_dim, 2): a score for each of the two labels.",
    change={"projection(2, ": "projection(1, "},
)
head.mistake(
    "WithoutBias",
    "The layer has no bias.",
    hint="u = h W + b: where is b?",
    change={'"dense", ': '"dense", use_bias=False, '},
)
head.mistake(
    "BiasNotAdded",
    "The bias is made, but not added.",
    hint="u = h W + b: where is b in your `call`?",
    change={LOGITS: "ops.matmul(pooled_output, self.dense.kernel)"},
)
head.mistake(
    "SecondPooler",
    "A second layer comes before the two scores; the pooler was that layer already.",
    hint="The head is one product and a bias. The tanh of the pooler comes from the encoder.",
    change={
        BUILT: f"""
            {BUILT}
            width = pooled_output_shape[-1]
            self.pooler = projection(width, "pooler", activation="tanh", dtype=self.dtype_policy)
            self.pooler.build(pooled_output_shape)
        """,
        LOGITS: "self.dense(self.pooler(pooled_output))",
    },
)
head.mistake(
    "DenseMadeInCall",
    "The dense layer is made anew in every call, so the head has no weights that could be trained.",
    hint="Layers are made once, in `build`. `call` only uses them.",
    change={MADE: "", BUILT: "", LOGITS: "keras.layers.Dense(2)(pooled_output)"},
)
head.mistake(
    "Softmax",
    "A softmax is taken; the loss wants the scores before it.",
    hint="The docstring asks for logits: u, not y.",
    change={LOGITS: f"ops.softmax({LOGITS})"},
)
head.mistake(
    "LogSoftmax",
    "A log softmax is taken; the loss wants the scores before it.",
    hint="The docstring asks for logits: u, not log y.",
    change={LOGITS: f"ops.log_softmax({LOGITS})"},
)
head.mistake(
    "Sigmoid",
    "A sigmoid is taken of each score; the loss wants the scores before a softmax.",
    hint="The docstring asks for logits. No activation comes after h W + b.",
    change={LOGITS: f"ops.sigmoid({LOGITS})"},
)
head.mistake(
    "Tanh",
    "A tanh is taken of the scores.",
    hint="The pooler has a tanh, and it is in the encoder. No activation comes after h W + b.",
    change={LOGITS: f"ops.tanh({LOGITS})"},
)
head.mistake(
    "Relu",
    "A ReLU is taken of the scores, so none can be negative.",
    hint="Logits may be any numbers. No activation comes after h W + b.",
    change={LOGITS: f"ops.relu({LOGITS})"},
)
head.mistake(
    "Label",
    "The label is returned; the scores of both labels are wanted.",
    hint="The loss needs both scores. What does the docstring say of the shape?",
    change={LOGITS: f"ops.argmax({LOGITS}, axis=-1)"},
)
head.mistake(
    "DifferenceOnly",
    "Only the difference of the two scores is returned.",
    hint="A softmax of two scores depends on their difference alone, but the loss takes two.",
    change={f"return {LOGITS}": f"logits = {LOGITS}\nreturn logits[:, 1] - logits[:, 0]"},
)
head.mistake(
    "ColumnsSwapped",
    "The columns have changed places.",
    hint="Column 0 of W gives score 0. Nothing turns them round.",
    change={LOGITS: f"ops.flip({LOGITS}, axis=-1)"},
)
head.mistake(
    "Scaled",
    "The scores are divided by √hidden_dim, as in attention.",
    hint="u = h W + b. Nothing is divided here.",
    change={LOGITS: "self.dense(pooled_output / pooled_output.shape[-1] ** 0.5)"},
)
head.mistake(
    "TanhAgain",
    "A tanh is taken of the pooled output, which has been through one already.",
    hint="The pooler of the encoder ends with a tanh. What comes here is ready to use.",
    change={LOGITS: "self.dense(ops.tanh(pooled_output))"},
)
head.mistake(
    "Normalized",
    "Each pooled output is normalized first.",
    hint="u = h W + b, with h as it comes.",
    change={
        f"return {LOGITS}": """
            centered = pooled_output - ops.mean(pooled_output, axis=-1, keepdims=True)
            return self.dense(centered / ops.std(centered, axis=-1, keepdims=True))
        """
    },
)
head.mistake(
    "CenteredOverBatch",
    "The scores depend on the other pairs of the batch: the batch's mean is taken away.",
    hint="A pair must get the same scores in whatever company it comes.",
    change={LOGITS: "self.dense(pooled_output - ops.mean(pooled_output, axis=0, keepdims=True))"},
)
head.mistake(
    "Dropout",
    "Dropout is applied in training; this head has none.",
    hint="The docstring names one layer, `dense`. Dropout stands in the encoder.",
    instead="""
        def call(self, pooled_output, training=None):
            if training:
                pooled_output = keras.random.dropout(pooled_output, 0.5, seed=1)
            return self.dense(pooled_output)
    """,
)
