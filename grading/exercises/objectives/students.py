"""Chapter 11: five students, and what each must get."""

from __future__ import annotations

from grading.exercises.students import Student, mistake, solution

PACKING, SPANS, NOISE = "pack_documents", "span_mask", "corrupt"
FAKES, ELECTRA, LANGUAGES = "replaced_tokens", "Electra", "language_probabilities"

STUDENTS = [
    Student(
        "ada",
        "Right: measures each row before it is filled, draws by Gumbel's trick, and computes with logarithms.",
        {PACKING: solution("grouped_afterwards"), FAKES: solution("gumbel"), LANGUAGES: solution("logarithms")},
    ),
    Student(
        "dmitri",
        "Counts documents from 0, and forgets the seed of the spans.",
        {
            PACKING: mistake("Documents are counted from 0, so the first one looks like padding."),
            SPANS: mistake("The seed is ignored, so the same spans cannot be hidden again."),
        },
        {PACKING: 2.5, SPANS: 3.5},
    ),
    Student(
        "elif",
        "Substitutes words by themselves, and forgets λ.",
        {
            NOISE: mistake("A word may be replaced by itself, which changes nothing there."),
            ELECTRA: mistake("λ is missing: both losses have the same weight."),
        },
        {NOISE: 3.5, ELECTRA: 4.5},
    ),
    Student(
        "petra",
        "Half done: ELECTRA is as it was released.",
        {ELECTRA: None},
        {ELECTRA: 0.0},
    ),
    Student(
        "sven",
        "Damaged: Colab took the cells' ids and metadata. Takes the likeliest word instead of drawing one.",
        {FAKES: mistake("The code takes the likeliest word instead of drawing one.")},
        {FAKES: 1.5},
        quirk="ids_stripped",
    ),
]
