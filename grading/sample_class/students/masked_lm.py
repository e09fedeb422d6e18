"""Chapter 5: five students, and what each must get."""

from __future__ import annotations

from grading.sample_class.student import Student

UNIGRAMS, MASKS, HEAD, LOSS = "unigram_probabilities", "mask_tokens", "MaskedLMHead", "masked_lm_loss"

STUDENTS = [
    Student(
        "ada",
        "Right: counts with a Counter, selects up to the last lot that wins, and picks log-probabilities out.",
        {UNIGRAMS: "unigrams_counter", MASKS: "masks_by_lots", LOSS: "loss_log_softmax"},
    ),
    Student(
        "dmitri",
        "Replaces every selected word by [MASK].",
        {MASKS: {"happen < 0.8, mask_id, ops.where(": "happen < 2, mask_id, ops.where("}},
        {MASKS: 3.5},  # what is selected is right, and so it is in a compiled step; what becomes of it is not
        {MASKS: "Every selected word becomes [MASK]."},
    ),
    Student(
        "elif",
        "The loss ignores the weights, and the head has no activation.",
        {
            LOSS: {"ops.divide_no_nan(ops.sum(weights * losses), ops.sum(weights))": "ops.mean(losses)"},
            HEAD: {"self.norm(gelu(self.dense(sequence_output)))": "self.norm(self.dense(sequence_output))"},
        },
        # Where all words are masked, weights do not show; and where all embeddings are 0, there is only the bias. The
        # head's parts have their names.
        {LOSS: 2.0, HEAD: 2.0},
        {
            LOSS: "The weights are ignored: every position counts.",
            HEAD: "The activation is left out of the transform.",
        },
    ),
    Student(
        "petra",
        "Half done: masking and the head are as they were released.",
        {MASKS: None, HEAD: None},
        {MASKS: 0.0, HEAD: 0.0},
    ),
    Student(
        "quentin",
        "Crashes: a call that ends the process was left in unigram_probabilities.",
        {UNIGRAMS: "unigrams_exit"},
        {UNIGRAMS: 0.0},
    ),
]
