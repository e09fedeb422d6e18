"""Chapter 12: five students, and what each must get."""

from __future__ import annotations

from grading.exercises.students import Student, mistake, solution

TAGS, LABELS, CLASSIFIER, LOSS = "bio_tags", "align_labels", "TokenClassifier", "token_loss"
NAMES, PATHS = "entities_of", "viterbi"

STUDENTS = [
    Student(
        "ada",
        "Right: asks each word for its name, labels without a loop, and looks for the path from its end.",
        {
            TAGS: solution("word_by_word"),
            LABELS: solution("vectorised"),
            NAMES: solution("look_ahead"),
            PATHS: solution("from_the_end"),
        },
    ),
    Student(
        "dmitri",
        "Labels every piece of a word, and lets a name at the end of a sentence go.",
        {
            LABELS: mistake("Every piece of a word gets its tag, so a word of three pieces begins three names."),
            NAMES: mistake("A name at the end of the sentence is lost."),
        },
        {LABELS: 0.0, NAMES: 1.0},
    ),
    Student(
        "elif",
        "Reads transitions the wrong way round, and divides the loss by all tokens.",
        {
            PATHS: mistake("Transitions are read from column to row."),
            LOSS: mistake("The sum is divided by the number of all tokens instead of the labelled ones."),
        },
        {PATHS: 0.5, LOSS: 1.0},
    ),
    Student(
        "petra",
        "Half done: Viterbi is as it was released.",
        {PATHS: None},
        {PATHS: 0.0},
    ),
    Student(
        "sven",
        "Damaged: Colab took the cells' ids and metadata. Takes the pooled output, for every token.",
        {CLASSIFIER: mistake("Every token goes through the pooler.")},
        {CLASSIFIER: 0.0},
        quirk="ids_stripped",
    ),
]
