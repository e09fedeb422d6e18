"""Known mistakes in confusion_matrix."""

from __future__ import annotations

from grading.exercises.classification.checks import confusion

ZEROS = "np.zeros((num_classes, num_classes)"
COUNTED = "np.add.at(matrix, (labels, predictions), 1)"
RETURNED = "return matrix"

confusion.mistake(
    "transposed",
    "The matrix is transposed: the rows are the predicted classes.",
    hint="Row i shows the predictions for the texts whose true class is i.",
    change={RETURNED: "return matrix.T"},
)
confusion.mistake(
    "counted_once",
    "Each cell is counted once, however often it occurs.",
    hint="`matrix[rows, columns] += 1` reads all cells before it writes any. What if the same cell occurs twice?",
    change={COUNTED: "matrix[labels, predictions] += 1"},
)
confusion.mistake(
    "histogram_without_range",
    "The bins of the histogram cover only the classes that occur, so counts get into wrong cells.",
    hint="np.histogram2d takes `bins` and `range`. Where do its bins begin and end without a range?",
    change={RETURNED: 'return np.histogram2d(labels, predictions, bins=num_classes)[0].astype("int64")'},
)
confusion.mistake(
    "shares",
    "The matrix holds shares; it must hold counts.",
    hint="Counts can be turned into shares later, but not shares into counts. What do you divide by?",
    change={RETURNED: "return matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1)"},
)
confusion.mistake(
    "floats",
    "The counts are floats; they must be integers.",
    hint="What is the default dtype of np.zeros?",
    change={'"int64"': '"float64"'},
)
confusion.mistake(
    "only_what_occurs",
    "Classes that do not occur have no row and no column.",
    hint="The size of the matrix does not depend on the texts. Where do you use num_classes?",
    change={RETURNED: "seen = np.union1d(labels, predictions)\nreturn matrix[np.ix_(seen, seen)]"},
)
confusion.mistake(
    "from_one",
    "The classes are counted from 1, so there is one row and one column too many.",
    hint="Class ids start at 0. Where do the rows of an array start?",
    change={
        ZEROS: "np.zeros((num_classes + 1, num_classes + 1)",
        COUNTED: "np.add.at(matrix, (labels + 1, predictions + 1), 1)",
    },
)
confusion.mistake(
    "only_errors",
    "Only the errors are counted: the diagonal is 0.",
    hint="Right predictions count as well. In which cells?",
    change={RETURNED: "return matrix - np.diag(np.diag(matrix))"},
)
confusion.mistake(
    "in_32_bits",
    "The counts are int32; they must be int64.",
    hint="What is the dtype of your matrix, and which one does the docstring name?",
    change={'"int64"': '"int32"'},
)
