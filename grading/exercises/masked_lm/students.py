"""Chapter 5: five students, and what each must get."""

from __future__ import annotations

from grading.exercises.students import Student, answer, mistake, solution

UNIGRAMS, MASKS, HEAD, LOSS = "unigram_probabilities", "mask_tokens", "MaskedLMHead", "masked_lm_loss"

STUDENTS = [
    Student(
        "ada",
        "Right: counts with a Counter, selects up to the last lot that wins, and picks log-probabilities out.",
        {UNIGRAMS: solution("counter"), MASKS: solution("kth_smallest"), LOSS: solution("log_softmax")},
    ),
    Student(
        "dmitri",
        "Replaces every selected word by [MASK].",
        {MASKS: mistake("Every selected word becomes [MASK].")},
        {MASKS: 3.5},  # what is selected is right, and so it is in a compiled step; what becomes of it is not
    ),
    Student(
        "elif",
        "The loss ignores the weights, and the head has no activation.",
        {
            LOSS: mistake("The weights are ignored: every position counts."),
            HEAD: mistake("The activation is left out of the transform."),
        },
        # Where all words are masked, weights do not show; and where all embeddings are 0, there is only the bias. The
        # head's parts have their names.
        {LOSS: 2.0, HEAD: 2.0},
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
        {UNIGRAMS: answer("unigrams_exit")},
        {UNIGRAMS: 0.0},
    ),
]
