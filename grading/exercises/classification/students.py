"""Chapter 8: five students, and what each must get."""

from __future__ import annotations

from grading.exercises.students import Student, mistake, solution

CLASSIFIER, TUNE, ACCURACY, CONFUSION = "TextClassifier", "fine_tune", "accuracy", "confusion_matrix"

STUDENTS = [
    Student(
        "ada",
        "Right: numbers the cells of the confusion matrix, and counts right answers one by one.",
        {ACCURACY: solution("loop"), CONFUSION: solution("bincount")},
    ),
    Student(
        "dmitri",
        "Counts each cell once, and gives the accuracy in percent.",
        {
            CONFUSION: mistake("Each cell is counted once, however often it occurs."),
            ACCURACY: mistake("The result is a percentage; it must be a share from 0 to 1."),
        },
        # Both checks of the matrix have more texts than cells that they can fall into.
        {CONFUSION: 0.0, ACCURACY: 0.0},
    ),
    Student(
        "elif",
        "Keeps the last weights instead of the best, and hides the padding mask from the encoder.",
        {
            TUNE: mistake("The model keeps the weights of the last epoch instead of the best."),
            CLASSIFIER: mistake(
                "padding_mask does not reach the encoder, so a text's logits depend on the rest of its batch."
            ),
        },
        {TUNE: 8.0, CLASSIFIER: 6.0},
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
            CONFUSION: mistake("The matrix is transposed: the rows are the predicted classes."),
        },
        {TUNE: 0.0, CONFUSION: 0.0},
        quirk="ids_stripped",
    ),
]
