"""Known mistakes in NextSentenceHead."""

from __future__ import annotations

from grading.exercises.next_sentence.checks import head

MADE = 'self.dense = projection(2, "dense", dtype=self.dtype_policy)'
BUILT = "self.dense.build(pooled_output_shape)"
LOGITS = "self.dense(pooled_output)"

head.mistake(
    "OneOutput",
    "The layer has one output instead of two.",
    hint="W has a column for each label. How many labels are there?",
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
    "The bias is created but not added.",
    hint="u = h W + b: where is b in your `call`?",
    change={LOGITS: "ops.matmul(pooled_output, self.dense.kernel)"},
)
head.mistake(
    "SecondPooler",
    "A second pooler comes before the two scores; the encoder has applied one already.",
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
    "The dense layer is created again in every call, so the head has no trainable weights.",
    hint="`call` only uses layers. Which method creates them, once?",
    change={MADE: "", BUILT: "", LOGITS: "keras.layers.Dense(2)(pooled_output)"},
)
head.mistake(
    "Softmax",
    "A softmax is applied; the loss needs the scores before it.",
    hint="The docstring asks for logits: u, not y.",
    change={LOGITS: f"ops.softmax({LOGITS})"},
)
head.mistake(
    "LogSoftmax",
    "A log softmax is applied; the loss needs the scores before it.",
    hint="The docstring asks for logits: u, not log y.",
    change={LOGITS: f"ops.log_softmax({LOGITS})"},
)
head.mistake(
    "Sigmoid",
    "A sigmoid is applied to each score; the loss needs the scores themselves.",
    hint="The docstring asks for logits. Which activation comes after h W + b in the equation?",
    change={LOGITS: f"ops.sigmoid({LOGITS})"},
)
head.mistake(
    "Tanh",
    "A tanh is applied to the scores.",
    hint="The tanh belongs to the pooler, in the encoder. What comes after h W + b in the equation?",
    change={LOGITS: f"ops.tanh({LOGITS})"},
)
head.mistake(
    "Relu",
    "A ReLU is applied to the scores, so none can be negative.",
    hint="Logits may be any numbers. What comes after h W + b in the equation?",
    change={LOGITS: f"ops.relu({LOGITS})"},
)
head.mistake(
    "Label",
    "The label is returned instead of the scores of both labels.",
    hint="The loss needs both scores. What does the docstring say about the shape?",
    change={LOGITS: f"ops.argmax({LOGITS}, axis=-1)"},
)
head.mistake(
    "DifferenceOnly",
    "Only the difference of the two scores is returned.",
    hint="A softmax of two scores depends only on their difference. But how many scores does the loss take?",
    change={f"return {LOGITS}": f"logits = {LOGITS}\nreturn logits[:, 1] - logits[:, 0]"},
)
head.mistake(
    "ColumnsSwapped",
    "The two columns of the scores are swapped.",
    hint="Column 0 of W gives score 0. Which line changes the order?",
    change={LOGITS: f"ops.flip({LOGITS}, axis=-1)"},
)
head.mistake(
    "Scaled",
    "The scores are divided by √hidden_dim, as in attention.",
    hint="u = h W + b. What do you divide by?",
    change={LOGITS: "self.dense(pooled_output / pooled_output.shape[-1] ** 0.5)"},
)
head.mistake(
    "TanhAgain",
    "A tanh is applied to the pooled output, which has been through one already.",
    hint="The encoder's pooler ends with a tanh. What does the equation do to h before W?",
    change={LOGITS: "self.dense(ops.tanh(pooled_output))"},
)
head.mistake(
    "Normalized",
    "Each pooled output is normalized before the product.",
    hint="u = h W + b. What do you do to h before the product?",
    change={
        f"return {LOGITS}": """
            centered = pooled_output - ops.mean(pooled_output, axis=-1, keepdims=True)
            return self.dense(centered / ops.std(centered, axis=-1, keepdims=True))
        """
    },
)
head.mistake(
    "CenteredOverBatch",
    "The mean of the batch is subtracted, so a pair's scores depend on the other pairs.",
    hint="A pair must get the same scores in any batch. Which axis does your mean run over?",
    change={LOGITS: "self.dense(pooled_output - ops.mean(pooled_output, axis=0, keepdims=True))"},
)
head.mistake(
    "Dropout",
    "Dropout is applied in training; this head has none.",
    hint="The docstring names one layer, `dense`. Dropout belongs to the encoder.",
    instead="""
        def call(self, pooled_output, training=None):
            if training:
                pooled_output = keras.random.dropout(pooled_output, 0.5, seed=1)
            return self.dense(pooled_output)
    """,
)
head.mistake(
    "NotBuilt",
    "`build` makes the layer, but not its weights, which only the first call does.",
    hint="A checkpoint is loaded before the first call. Where does it find `dense.kernel` then?",
    change={"self.dense.build(pooled_output_shape)": ""},
)
