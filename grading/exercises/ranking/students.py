"""Chapter 14: five students, and what each must get."""

from __future__ import annotations

from grading.exercises.students import Student, mistake, solution

KERNELS, HISTOGRAM, SPLIT = "kernel_pooling", "matching_histogram", "SplitEncoder"
LATE, SEARCH, DUO, DETEXT = "max_sim", "late_interaction_search", "duo_rank", "DeTextRanker"

STUDENTS = [
    Student(
        "ada",
        "Right: one kernel after the other, and each candidate against all others.",
        {KERNELS: solution("kernel_by_kernel"), DUO: solution("row_by_row")},
    ),
    Student(
        "dmitri",
        "Lets padding into the kernels, and sums for the losers.",
        {
            KERNELS: mistake("Document padding is counted: its similarities fall into the kernels."),
            DUO: mistake(
                "The probabilities are summed for the second of each pair, so the worst candidate scores highest."
            ),
        },
        {KERNELS: 1.0, DUO: 1.0},
    ),
    Student(
        "elif",
        "Gives padding a cosine of 0, takes only what is 1 to the last digit for exact, and believes a new number.",
        {
            LATE: mistake("Document padding has a cosine of 0, and wins if all others are negative."),
            HISTOGRAM: mistake(
                "Only a similarity of precisely 1 counts as exact; rounding puts most exact matches below."
            ),
            DETEXT: mistake("A number that was constant in training is divided by 1 instead of becoming 0."),
        },
        {LATE: 1.0, HISTOGRAM: 1.5, DETEXT: 1.5},
    ),
    Student(
        "petra",
        "Half done: the split encoder is as it was released.",
        {SPLIT: None},
        {SPLIT: 0.0},
    ),
    Student(
        "sven",
        "Damaged: Colab took the cells' ids and metadata. A document that two words find is there twice.",
        {SEARCH: mistake("A document found by several words appears several times.")},
        {SEARCH: 0.0},
        quirk="ids_stripped",
    ),
]
