"""Chapter 11: five students, and what each must get."""

from __future__ import annotations

from grading.sample_class.student import Student

PACKING, SPANS, NOISE = "pack_documents", "span_mask", "corrupt"
FAKES, ELECTRA, LANGUAGES = "replaced_tokens", "Electra", "language_probabilities"

STUDENTS = [
    Student(
        "ada",
        "Right: measures each row before it is filled, draws by Gumbel's trick, and computes with logarithms.",
        {PACKING: "rows_by_size", FAKES: "fakes_by_gumbel", LANGUAGES: "shares_by_logarithms"},
    ),
    Student(
        "dmitri",
        "Counts documents from 0, and forgets the seed of the spans.",
        {
            PACKING: {"enumerate(documents, start=1)": "enumerate(documents)"},
            SPANS: {"np.random.default_rng(seed)": "np.random.default_rng()"},
        },
        {PACKING: 2.5, SPANS: 3.5},
        {
            PACKING: "Documents are counted from 0, so the first one looks like padding.",
            SPANS: "The seed is ignored, so the same spans cannot be hidden again.",
        },
    ),
    Student(
        "elif",
        "Substitutes words by themselves, and forgets λ.",
        {
            NOISE: {"random, other_than=token_ids[place])": "random)"},
            ELECTRA: {"word_loss + self.weight * fake_loss": "word_loss + fake_loss"},
        },
        {NOISE: 3.5, ELECTRA: 4.5},
        {
            NOISE: "A word may be replaced by itself, which changes nothing there.",
            ELECTRA: "λ is missing: both losses have the same weight.",
        },
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
        {
            FAKES: {
                'random.categorical(each, 1, dtype="int32", seed=seed)': 'ops.cast(ops.argmax(each, axis=-1), "int32")'
            }
        },
        {FAKES: 1.5},
        {FAKES: "The code takes the likeliest word instead of drawing one."},
        quirk="ids_stripped",
    ),
]
