"""Chapter 8: five students, and what each must get."""

from __future__ import annotations

from grading.sample_class.student import Student

CLASSIFIER, TUNE, ACCURACY, CONFUSION = "TextClassifier", "fine_tune", "accuracy", "confusion_matrix"

STUDENTS = [
    Student(
        "ada",
        "Right: numbers the cells of the confusion matrix, and counts right answers one by one.",
        {ACCURACY: "accuracy_one_by_one", CONFUSION: "confusion_bincount"},
    ),
    Student(
        "dmitri",
        "Counts each cell once, and gives the accuracy in percent.",
        {
            CONFUSION: {"np.add.at(matrix, (labels, predictions), 1)": "matrix[labels, predictions] += 1"},
            ACCURACY: {"return float(np.mean(": "return 100 * float(np.mean("},
        },
        # Both checks of the matrix have more texts than cells that they can fall into.
        {CONFUSION: 0.0, ACCURACY: 0.0},
        {
            CONFUSION: "Each cell is counted once, however often it occurs.",
            ACCURACY: "The result is a percentage; it must be a share from 0 to 1.",
        },
    ),
    Student(
        "elif",
        "Keeps the last weights instead of the best, and hides the padding mask from the encoder.",
        {
            TUNE: {"model.set_weights(best_weights)": ""},
            CLASSIFIER: {'inputs.get("segment_ids"), inputs.get("padding_mask"))': 'inputs.get("segment_ids"))'},
        },
        {TUNE: 8.0, CLASSIFIER: 6.0},
        {
            TUNE: "The model keeps the weights of the last epoch instead of the best.",
            CLASSIFIER: "padding_mask does not reach the encoder, so a text's logits depend on the rest of its batch.",
        },
    ),
    Student(
        "petra",
        "Half done: the training is as it was released.",
        {TUNE: None},
        {TUNE: 0.0},
    ),
    Student(
        "sven",
        "Damaged: Colab took the cells' ids and metadata. The matrix is transposed, and the training is not written.",
        {
            TUNE: None,
            CONFUSION: {"np.add.at(matrix, (labels, predictions), 1)": "np.add.at(matrix, (predictions, labels), 1)"},
        },
        {TUNE: 0.0, CONFUSION: 0.0},
        {CONFUSION: "The matrix is transposed: the rows are the predicted classes."},
        quirk="ids_stripped",
    ),
]
