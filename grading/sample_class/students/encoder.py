"""Chapter 4: five students, and what each must get. A mistake in a part is not paid for again in the whole."""

from __future__ import annotations

from grading.sample_class.student import Student

GELU, NORM, FEED_FORWARD, BLOCK, ENCODER = (
    "gelu",
    "layer_normalization",
    "FeedForward",
    "EncoderBlock",
    "BertEncoder",
)

STUDENTS = [
    Student(
        "ada",
        "Right, with weights under other names; she imports `layers`, a name that the lesson uses again further down.",
        {GELU: "gelu_by_sigmoid", NORM: "norm_by_moments", FEED_FORWARD: "feed_forward_layers"},
    ),
    Student(
        "dmitri",
        "Takes ReLU for GELU, and has not come to the encoder.",
        {FEED_FORWARD: {"x = gelu(x, approximate=self.approximate_gelu)": "x = ops.relu(x)"}, ENCODER: None},
        {FEED_FORWARD: 0.0, ENCODER: 0.0},
        {FEED_FORWARD: "The activation is ReLU instead of GELU."},
    ),
    Student(
        "elif",
        "Ignores `approximate`, and forgot to pass the mask on to attention.",
        {
            GELU: {"ops.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x))": "ops.erf(x / math.sqrt(2.0))"},
            BLOCK: {
                "self.attention_norm(x), attention_mask=attention_mask": "self.attention_norm(x)",
                "attention(x, attention_mask=attention_mask": "attention(x",
            },
        },
        {GELU: 3.0, BLOCK: 10.0},
        {
            GELU: "`approximate` is ignored: the exact GELU is always computed.",
            BLOCK: "The mask does not reach attention.",
        },
    ),
    Student(
        "petra",
        "Half done: the block and the encoder are as they were released.",
        {BLOCK: None, ENCODER: None},
        {BLOCK: 0.0, ENCODER: 0.0},
    ),
    Student(
        "sven",
        "Damaged: Colab took the cells' ids and metadata. x is not divided by √2; the rest is half done.",
        {GELU: {"ops.erf(x / math.sqrt(2.0))": "ops.erf(x)"}, BLOCK: None, ENCODER: None},
        {GELU: 1.0, BLOCK: 0.0, ENCODER: 0.0},  # the approximation has no erf in it
        {GELU: "x is not divided by √2 inside erf."},
        quirk="ids_stripped",
    ),
]
