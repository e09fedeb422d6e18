"""Chapter 10: five students, and what each must get."""

from __future__ import annotations

from grading.sample_class.student import Student

FORCING, GREEDY, ADDITIVE = "teacher_forcing", "greedy", "AdditiveAttention"
BLOCK, BEAMS, CACHED = "DecoderBlock", "beam_search", "CachedAttention"

STUDENTS = [
    Student(
        "ada",
        "Right, with einsum, one row after the other, lists of hypotheses, and a cache concatenated at each step.",
        {GREEDY: "greedy_rows", ADDITIVE: "additive_einsum", BEAMS: "beam_lists", CACHED: "cached_concatenated"},
    ),
    Student(
        "dmitri",
        "Lets words see what comes later. The end is never learned, either.",
        {
            BLOCK: {"seen = causal_mask(ops.shape(x)[1])[None, None]": "seen = ops.ones((1, 1, 1, 1), dtype='bool')"},
            FORCING: {"ops.cast(places <= lengths": "ops.cast(places < lengths"},
        },
        {BLOCK: 0.0, FORCING: 0.0},
        {
            BLOCK: "The causal mask is missing: words see later words.",
            FORCING: "The end has weight 0, so the model never learns it.",
        },
    ),
    Student(
        "elif",
        "Forgets tanh, and the length of a text in the beam search.",
        {
            ADDITIVE: {"self.score_dense(ops.tanh(projected))": "self.score_dense(projected)"},
            BEAMS: {
                "found[1] / len(found[0]) ** length_penalty": "found[1]",
                "float(total / len(ids) ** length_penalty)": "float(total)",
            },
        },
        {ADDITIVE: 0.0, BEAMS: 3.0},
        {
            ADDITIVE: "The tanh is missing: the scores are a plain sum.",
            BEAMS: "length_penalty is ignored.",
        },
    ),
    Student(
        "petra",
        "Half done: the cache is as it was released.",
        {CACHED: None},
        {CACHED: 0.0},
    ),
    Student(
        "sven",
        "Damaged: Colab took the cells' ids and metadata. The mask of the cache counts from 0.",
        {CACHED: {"<= position + ops.arange": "<= ops.arange"}},
        {CACHED: 0.5},
        {CACHED: "The mask counts the new words from 0, so words of earlier calls are hidden."},
        quirk="ids_stripped",
    ),
]
