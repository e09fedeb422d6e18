"""Chapter 6: five students, and what each must get."""

from __future__ import annotations

from grading.sample_class.student import Student

PAIRS, HEAD, LOSS = "sentence_pairs", "NextSentenceHead", "next_sentence_loss"

STUDENTS = [
    Student(
        "ada",
        "Right: numbers all other documents for each draw, and makes the layer in __init__.",
        {PAIRS: "pairs_of_others", HEAD: "head_at_once"},
    ),
    Student(
        "chiara",
        "Right; the loss uses a helper in a cell at the end of the notebook.",
        {LOSS: "loss_with_helper"},
        helpers="surprise",
    ),
    Student(
        "dmitri",
        "The labels are the wrong way round.",
        {PAIRS: {"IS_NEXT if second == true_next else NOT_NEXT": "NOT_NEXT if second == true_next else IS_NEXT"}},
        {PAIRS: 5.0},  # four points are for true labels: of drawn sentences, of twins, and among blanks
        {PAIRS: "The labels are swapped: a real pair gets 1."},
    ),
    Student(
        "elif",
        "The head ends in a softmax.",
        {HEAD: {"return self.dense(pooled_output)": "return keras.ops.softmax(self.dense(pooled_output))"}},
        {HEAD: 0.0},
        {HEAD: "A softmax is applied; the loss needs the scores before it."},
    ),
    Student(
        "petra",
        "Half done: the pairs are written, the rest is as it was released.",
        {HEAD: None, LOSS: None},
        {HEAD: 0.0, LOSS: 0.0},
    ),
]
