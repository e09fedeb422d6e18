"""Chapter 14: five students, and what each must get."""

from __future__ import annotations

from grading.sample_class.student import Student

KERNELS, HISTOGRAM, SPLIT = "kernel_pooling", "matching_histogram", "SplitEncoder"
LATE, SEARCH, DUO, DETEXT = "max_sim", "late_interaction_search", "duo_rank", "DeTextRanker"

STUDENTS = [
    Student(
        "ada",
        "Right: one kernel after the other, and each candidate against all others.",
        {KERNELS: "kernels_one_by_one", DUO: "duo_by_rows"},
    ),
    Student(
        "dmitri",
        "Lets padding into the kernels, and sums for the losers.",
        {
            KERNELS: {"near = ops.where(document_mask[:, None, :, None], near, 0.0)": "near = near * 1.0"},
            DUO: {"better.sum(axis=1)": "better.sum(axis=0)"},
        },
        {KERNELS: 1.0, DUO: 1.0},
        {
            KERNELS: "Document padding is counted: its similarities fall into the kernels.",
            DUO: "The probabilities are summed for the second of each pair, so the worst candidate scores highest.",
        },
    ),
    Student(
        "elif",
        "Gives padding a cosine of 0, takes only what is 1 to the last digit for exact, and believes a new number.",
        {
            LATE: {"cosines, -1.0)": "cosines, 0.0)"},
            HISTOGRAM: {"similarity >= 1 - 1e-5": "similarity == 1"},
            DETEXT: {"ops.where(varied, (numbers": "ops.where(True, (numbers"},
        },
        {LATE: 1.0, HISTOGRAM: 1.5, DETEXT: 1.5},
        {
            LATE: "Document padding has a cosine of 0, and wins if all others are negative.",
            HISTOGRAM: "Only a similarity of precisely 1 counts as exact; rounding puts most exact matches below.",
            DETEXT: "A number that was constant in training is divided by 1 instead of becoming 0.",
        },
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
        {SEARCH: {"np.unique(np.asarray(owners)[found])": "np.sort(np.asarray(owners)[found].ravel())"}},
        {SEARCH: 0.0},
        {SEARCH: "A document found by several words appears several times."},
        quirk="ids_stripped",
    ),
]
