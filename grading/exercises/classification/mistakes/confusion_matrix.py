"""What goes wrong in confusion_matrix."""

from __future__ import annotations

from grading.exercises.classification.checks import confusion

ZEROS = "np.zeros((num_classes, num_classes)"
COUNTED = "np.add.at(matrix, (labels, predictions), 1)"
RETURNED = "return matrix"

confusion.mistake(
    "transposed",
    "The matrix is transposed: the rows are the predicted classes.",
    hint="Row i tells what became of the texts that truly are of class i.",
    change={RETURNED: "return matrix.T"},
)
confusion.mistake(
    "counted_once",
    "Each cell is counted once, however often it occurs.",
    hint="`matrix[rows, columns] += 1` reads all cells first and writes them then. What if a cell is there twice?",
    change={COUNTED: "matrix[labels, predictions] += 1"},
)
confusion.mistake(
    "shares",
    "The matrix holds shares; it must hold counts.",
    hint="Shares forget how many texts a class has. They can be had from counts, and not the other way round.",
    change={RETURNED: "return matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1)"},
)
confusion.mistake(
    "floats",
    "The counts are numbers with a fraction; they must be whole.",
    hint="np.zeros makes floats unless it is told otherwise.",
    change={'"int64"': '"float64"'},
)
confusion.mistake(
    "only_what_occurs",
    "Classes that do not occur have no row and no column.",
    hint="How large the matrix is does not depend on the texts. Is num_classes used?",
    change={RETURNED: "seen = np.union1d(labels, predictions)\nreturn matrix[np.ix_(seen, seen)]"},
)
confusion.mistake(
    "from_one",
    "The classes are counted from 1: there is a row and a column too many.",
    hint="Class ids start at 0, and so do the rows of an array.",
    change={
        ZEROS: "np.zeros((num_classes + 1, num_classes + 1)",
        COUNTED: "np.add.at(matrix, (labels + 1, predictions + 1), 1)",
    },
)
confusion.mistake(
    "only_errors",
    "Only the errors are counted: the diagonal is 0.",
    hint="A class that is taken for itself is counted, too.",
    change={RETURNED: "return matrix - np.diag(np.diag(matrix))"},
)
