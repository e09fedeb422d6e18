"""Chapter 13: five students, and what each must get."""

from __future__ import annotations

from grading.exercises.students import Student, mistake, solution

RANKING, LOSS, PACKING, CLASSIFIER = "ranking_scores", "in_batch_loss", "pack_texts", "PairClassifier"
THRESHOLD, PLATT, ERROR = "best_threshold", "fit_platt", "calibration_error"

STUDENTS = [
    Student(
        "ada",
        "Right: ranks in a table, the loss by log-sum-exp, and counts the scores that there are.",
        {RANKING: solution("padded_table"), LOSS: solution("log_sum_exp"), THRESHOLD: solution("unique_scores")},
    ),
    Student(
        "dmitri",
        "Divides the average precision by what was found, and gives all texts behind the first one segment.",
        {
            RANKING: mistake("Average precision is divided by the number of relevant documents found, not of all."),
            PACKING: mistake("There are only two segments: all texts after the first have segment 1."),
        },
        {RANKING: 2.0, PACKING: 0.0},
    ),
    Student(
        "elif",
        "Forgets what is right as well, and returns probabilities.",
        {
            LOSS: mistake("`same` is not used, so another correct document counts as a wrong answer."),
            CLASSIFIER: mistake("A sigmoid is applied, so probabilities are returned instead of logits."),
        },
        {LOSS: 1.5, CLASSIFIER: 0.0},
    ),
    Student(
        "petra",
        "Half done: Platt's calibration is as it was released.",
        {PLATT: None},
        {PLATT: 0.0},
    ),
    Student(
        "sven",
        "Damaged: Colab took the cells' ids and metadata. Pairs at 1 fall out of the last bin.",
        {ERROR: mistake("Pairs with a probability of exactly 1 get a bin of their own.")},
        {ERROR: 1.5},
        quirk="ids_stripped",
    ),
]
