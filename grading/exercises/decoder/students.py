"""Chapter 10: five students, and what each must get."""

from __future__ import annotations

from grading.exercises.students import Student, mistake, solution

FORCING, GREEDY, ADDITIVE = "teacher_forcing", "greedy", "AdditiveAttention"
BLOCK, BEAMS, CACHED = "DecoderBlock", "beam_search", "CachedAttention"

STUDENTS = [
    Student(
        "ada",
        "Right, query by query, with a list for each text, lists of hypotheses, and a cache concatenated at each step.",
        {
            GREEDY: solution("list_for_each_text"),
            ADDITIVE: solution("query_by_query"),
            BEAMS: solution("lists"),
            CACHED: solution("concatenated"),
        },
    ),
    Student(
        "dmitri",
        "Lets words see what comes later. The end is never learned, either.",
        {
            BLOCK: mistake("The causal mask is missing: words see later words."),
            FORCING: mistake("The end has weight 0, so the model never learns it."),
        },
        {BLOCK: 0.0, FORCING: 0.0},
    ),
    Student(
        "elif",
        "Forgets tanh, and the length of a text in the beam search.",
        {
            ADDITIVE: mistake("The tanh is missing: the scores are a plain sum."),
            BEAMS: mistake("length_penalty is ignored."),
        },
        {ADDITIVE: 0.0, BEAMS: 3.0},
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
        {CACHED: mistake("The mask counts the new words from 0, so words of earlier calls are hidden.")},
        {CACHED: 0.5},
        quirk="ids_stripped",
    ),
]
