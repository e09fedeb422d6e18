"""Chapter 12: five students, and what each must get."""

from __future__ import annotations

from grading.sample_class.student import Student

TAGS, LABELS, CLASSIFIER, LOSS = "bio_tags", "align_labels", "TokenClassifier", "token_loss"
NAMES, SCORES, PATHS = "entities_of", "entity_scores", "viterbi"

STUDENTS = [
    Student(
        "ada",
        "Right: asks each word for its name, labels without a loop, and looks for the path from its end.",
        {TAGS: "tags_word_by_word", LABELS: "labels_without_loop", NAMES: "names_ahead", PATHS: "path_from_the_end"},
    ),
    Student(
        "dmitri",
        "Labels every piece of a word, and lets a name at the end of a sentence go.",
        {
            LABELS: {"if word >= 0 and is_first:": "if word >= 0:"},
            NAMES: {'enumerate([*tags, "O"])': "enumerate(tags)"},
        },
        {LABELS: 0.0, NAMES: 1.0},
        {
            LABELS: "Every piece of a word gets its tag, so a word of three pieces begins three names.",
            NAMES: "A name at the end of the sentence is lost.",
        },
    ),
    Student(
        "elif",
        "Reads transitions the wrong way round, and divides the loss by all tokens.",
        {
            PATHS: {"best[:, None] + transitions": "best[:, None] + transitions.T"},
            LOSS: {'ops.sum(ops.cast(counts, "float32"))': "ops.sum(ops.ones_like(losses))"},
        },
        {PATHS: 0.5, LOSS: 1.0},
        {
            PATHS: "Transitions are read from column to row.",
            LOSS: "The sum is divided by the number of all tokens instead of the labelled ones.",
        },
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
        {CLASSIFIER: {'outputs["sequence_output"]': 'self.encoder.pooler(outputs["sequence_output"])'}},
        {CLASSIFIER: 0.0},
        {CLASSIFIER: "Every token goes through the pooler."},
        quirk="ids_stripped",
    ),
]
