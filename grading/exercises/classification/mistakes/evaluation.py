"""What goes wrong in accuracy and confusion_matrix."""

from __future__ import annotations

import numpy as np

import course.classification as right
from grading.exercises.classification.checks import confusion, share_right


@share_right.whole_mistake(
    "It is a percentage; it must be a share, from 0 to 1.",
    hint="A factor of 100 belongs to the printing.",
)
def percentage(labels: np.ndarray, logits: np.ndarray) -> float:
    return 100 * right.accuracy(labels, logits)


@share_right.whole_mistake(
    "It is the number of right texts, not their share.",
    hint="How many texts are there in all?",
)
def number_right(labels: np.ndarray, logits: np.ndarray) -> float:
    return float(np.sum(np.argmax(logits, axis=-1) == labels))


@share_right.whole_mistake(
    "It is the share of the errors.",
    hint="What should the accuracy be where everything is right?",
)
def error_rate(labels: np.ndarray, logits: np.ndarray) -> float:
    return 1.0 - right.accuracy(labels, logits)


@share_right.whole_mistake(
    "The highest logit is looked for among the texts, not among the classes.",
    hint="logits is (texts, num_classes). Which axis must argmax take away?",
)
def over_the_texts(labels: np.ndarray, logits: np.ndarray) -> float:
    return float(np.mean(np.argmax(logits, axis=0) == labels[: logits.shape[1]]))


@share_right.whole_mistake(
    "The classes are counted from 1.",
    hint="argmax gives 0 for the first class, and the labels are 0 for it, too.",
)
def classes_from_one(labels: np.ndarray, logits: np.ndarray) -> float:
    return float(np.mean(np.argmax(logits, axis=-1) + 1 == labels))


@share_right.whole_mistake(
    "Every label is compared with every prediction: the comparison has become a square.",
    hint="An array of (texts, 1) against one of (texts,) broadcasts to (texts, texts).",
)
def broadcast(labels: np.ndarray, logits: np.ndarray) -> float:
    return float(np.mean(labels[:, None] == np.argmax(logits, axis=-1)))


@share_right.whole_mistake(
    "It is the mean of the accuracies of batches: texts of a smaller last batch count for more.",
    hint="Sum up what is right, and divide once, by the number of all texts.",
)
def mean_of_batches(labels: np.ndarray, logits: np.ndarray) -> float:
    batches = [slice(start, start + 8) for start in range(0, len(labels), 8)]
    return float(np.mean([right.accuracy(labels[batch], logits[batch]) for batch in batches]))


@share_right.whole_mistake(
    "It is divided without a fraction: only 0 and 1 come out.",
    hint="// rounds down. Which division keeps the fraction?",
)
def whole_numbers(labels: np.ndarray, logits: np.ndarray) -> float:
    return float(np.sum(np.argmax(logits, axis=-1) == labels) // len(labels))


@confusion.whole_mistake(
    "The matrix is transposed: the rows are the predicted classes.",
    hint="Row i tells what became of the texts that truly are of class i.",
)
def transposed(labels: np.ndarray, predictions: np.ndarray, num_classes: int) -> np.ndarray:
    return right.confusion_matrix(labels, predictions, num_classes).T


@confusion.whole_mistake(
    "Each cell is counted once, however often it occurs.",
    hint="`matrix[rows, columns] += 1` reads all cells first and writes them then. What if a cell is there twice?",
)
def counted_once(labels: np.ndarray, predictions: np.ndarray, num_classes: int) -> np.ndarray:
    matrix = np.zeros((num_classes, num_classes), "int64")
    matrix[labels, predictions] += 1
    return matrix


@confusion.whole_mistake(
    "The matrix holds shares; it must hold counts.",
    hint="Shares forget how many texts a class has. They can be had from counts, and not the other way round.",
)
def shares(labels: np.ndarray, predictions: np.ndarray, num_classes: int) -> np.ndarray:
    matrix = right.confusion_matrix(labels, predictions, num_classes)
    return matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1)


@confusion.whole_mistake(
    "The counts are numbers with a fraction; they must be whole.",
    hint="np.zeros makes floats unless it is told otherwise.",
)
def floats(labels: np.ndarray, predictions: np.ndarray, num_classes: int) -> np.ndarray:
    return right.confusion_matrix(labels, predictions, num_classes).astype("float64")


@confusion.whole_mistake(
    "Classes that do not occur have no row and no column.",
    hint="How large the matrix is does not depend on the texts. Is num_classes used?",
)
def only_what_occurs(labels: np.ndarray, predictions: np.ndarray, num_classes: int) -> np.ndarray:
    seen = np.union1d(labels, predictions)
    return right.confusion_matrix(labels, predictions, num_classes)[np.ix_(seen, seen)]


@confusion.whole_mistake(
    "The classes are counted from 1: there is a row and a column too many.",
    hint="Class ids start at 0, and so do the rows of an array.",
)
def from_one(labels: np.ndarray, predictions: np.ndarray, num_classes: int) -> np.ndarray:
    return right.confusion_matrix(labels + 1, predictions + 1, num_classes + 1)


@confusion.whole_mistake(
    "Only the errors are counted: the diagonal is 0.",
    hint="A class that is taken for itself is counted, too.",
)
def only_errors(labels: np.ndarray, predictions: np.ndarray, num_classes: int) -> np.ndarray:
    matrix = right.confusion_matrix(labels, predictions, num_classes)
    return matrix - np.diag(np.diag(matrix))
