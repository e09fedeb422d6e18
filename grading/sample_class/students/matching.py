"""Chapter 13: five students, and what each must get."""

from __future__ import annotations

from grading.sample_class.student import Student

RANKING, LOSS, PACKING, CLASSIFIER = "ranking_scores", "in_batch_loss", "pack_texts", "PairClassifier"
THRESHOLD, PLATT, ERROR = "best_threshold", "fit_platt", "calibration_error"

STUDENTS = [
    Student(
        "ada",
        "Right: ranks in a table, the loss by log-sum-exp, and counts the scores that there are.",
        {RANKING: "ranks_in_a_table", LOSS: "loss_by_logsumexp", THRESHOLD: "threshold_by_counting"},
    ),
    Student(
        "dmitri",
        "Divides the average precision by what was found, and gives all texts behind the first one segment.",
        {
            RANKING: {"precisions.sum() / np.count_nonzero(judged)": "precisions.sum() / max(len(relevant), 1)"},
            PACKING: {"[segment] * (len(kept) + 1)": "[min(segment, 1)] * (len(kept) + 1)"},
        },
        {RANKING: 2.0, PACKING: 0.0},
        {
            RANKING: "Average precision is divided by the number of relevant documents found, not of all.",
            PACKING: "There are only two segments: all texts after the first have segment 1.",
        },
    ),
    Student(
        "elif",
        "Forgets what is right as well, and returns probabilities.",
        {
            LOSS: {"if same is not None:": "if False:"},
            CLASSIFIER: {
                "ops.squeeze(self.logit_dense(pooled), axis=-1)": "ops.sigmoid(self.logit_dense(pooled)[:, 0])"
            },
        },
        {LOSS: 2.0, CLASSIFIER: 0.0},
        {
            LOSS: "`same` is not used, so another correct document counts as a wrong answer.",
            CLASSIFIER: "A sigmoid is applied, so probabilities are returned instead of logits.",
        },
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
        {ERROR: {"np.minimum((probabilities * bins).astype(int), bins - 1)": "(probabilities * bins).astype(int)"}},
        {ERROR: 1.5},
        {ERROR: "Pairs with a probability of exactly 1 get a bin of their own."},
        quirk="ids_stripped",
    ),
]
