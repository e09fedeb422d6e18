"""The strongest classifier without a network that is cheap: linear models of words and of pieces of words.

A network that does not beat it is not worth its training. `finetune` and `evaluate` measure it beside each classifier.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from course.classification import require_class_ids
from course.validation.values import require_texts

WORDS, NAIVE_BAYES = "linear SVM on words and pairs", "NB-SVM on words and pairs"
PIECES, BOTH = "linear SVM on pieces of words", "linear SVM on words, pairs and pieces of words"
MOST_SECONDS = 300  # of one core; a baseline that takes longer is left out, unless you ask for it

_WEIGHTS_OF_ERRORS = {WORDS: (0.1, 0.3, 1.0), NAIVE_BAYES: (0.01, 0.1), PIECES: (0.1, 0.3, 1.0), BOTH: (0.1, 0.3, 1.0)}
# Measured on AG News, on one core: the rest, and what each class adds, in seconds for a million characters.
_SECONDS, _SECONDS_A_CLASS = 4.0, 1.7
_WORD = re.compile(r"\w")


@dataclass(frozen=True)
class Chosen:
    """The baseline that is best on held-out texts.

    Attributes:
        kind: which of the four it is, in words.
        weight_of_errors: C of the SVM: the larger, the closer it follows the training texts.
        temperature: what its scores are divided by, so that their softmax is calibrated on the held-out texts.
        held_out_accuracies: the best accuracy of each kind on the held-out texts.
        held_out: (texts,), the classes that it predicts for the held-out texts, learned from the training texts alone.
        seconds: how long the choice took.
    """

    kind: str
    weight_of_errors: float
    temperature: float
    held_out_accuracies: dict[str, float]
    held_out: np.ndarray
    seconds: float

    @property
    def held_out_accuracy(self) -> float:
        return self.held_out_accuracies[self.kind]

    def probabilities(
        self, training_texts: Sequence[str], training_labels: Sequence[int], texts: Sequence[str], num_classes: int
    ) -> np.ndarray:
        """Learn from texts with this kind and this weight, and classify others: (texts, num_classes), in float64.

        Args:
            training_texts: texts to learn from. Those held out before may be among them: nothing is chosen any more.
            training_labels: their classes.
            texts: texts to classify.
            num_classes: how many classes there are. One that no training text has gets the probability 0.

        Raises:
            TypeError: a single string, or texts that are not strings.
            ValueError: no word in the texts, fewer than two classes, another number of labels than of texts, or a
                label that is no class.
        """
        from scipy.special import softmax

        labels = _require_learnable(training_texts, training_labels)
        require_class_ids(labels, "training_labels", num_classes)
        learned, asked = _features(self.kind, training_texts, require_texts(texts, "texts"), {})
        shares = np.zeros((len(texts), num_classes))
        scores = _scorer(self.kind, self.weight_of_errors, learned, labels)(asked)
        shares[:, np.unique(labels)] = softmax(scores / self.temperature, axis=1)
        return shares


def choose_baseline(
    training_texts: Sequence[str],
    training_labels: Sequence[int],
    held_out_texts: Sequence[str],
    held_out_labels: Sequence[int],
) -> Chosen:
    """Return the kind and the weight of errors that get most held-out texts right.

    The kinds are a linear SVM on TF-IDF of words and pairs of neighbouring words, an NB-SVM on the same words and
    pairs, a linear SVM on TF-IDF of pieces of words (two to five characters), and one on words, pairs and pieces.

    Args:
        training_texts: texts to learn from.
        training_labels: their classes.
        held_out_texts: texts to choose by.
        held_out_labels: their classes.

    Raises:
        TypeError: a single string, or texts that are not strings.
        ValueError: no word in the texts, fewer than two classes, or another number of labels than of texts.

    Example:
        >>> baseline = choose_baseline(training, labels, held_out, held_out_labels)
        >>> baseline.probabilities(training + held_out, labels + held_out_labels, test, num_classes=4)

    Reference: Wang and Manning, "Baselines and Bigrams", 2012, https://aclanthology.org/P12-2018/.
    """
    began = time.perf_counter()
    labels = _require_learnable(training_texts, training_labels)
    truth = np.asarray(held_out_labels)
    if not 0 < len(held_out_texts) == len(truth):
        raise ValueError(
            "held_out_texts must be one or more, each with a label. "
            f"Received: {len(held_out_texts)} texts and {len(truth)} labels"
        )
    require_texts(held_out_texts, "held_out_texts")
    classes = np.unique(labels)
    best: tuple[float, str, float, np.ndarray] | None = None
    accuracies: dict[str, float] = {}
    made: dict[str, Any] = {}
    for kind, weights in _WEIGHTS_OF_ERRORS.items():
        learned, asked = _features(kind, training_texts, held_out_texts, made)
        for weight in weights:
            scores = _scorer(kind, weight, learned, labels)(asked)
            accuracy = float(np.mean(classes[scores.argmax(axis=1)] == truth))
            accuracies[kind] = max(accuracy, accuracies.get(kind, 0.0))
            if best is None or accuracy > best[0]:
                best = accuracy, kind, weight, scores
    assert best is not None
    _, kind, weight, scores = best
    predicted, temperature = classes[scores.argmax(axis=1)], _temperature(scores, classes, truth)
    return Chosen(kind, weight, temperature, accuracies, predicted, time.perf_counter() - began)


def why_left_out(texts: Sequence[str], labels: Iterable[int]) -> str | None:
    """Return why there is no baseline for training texts, or why it takes long; None if it is quick."""
    classes = len(set(labels))
    if classes < 2:
        return "the training texts have one class"
    if not any(map(_WORD.search, texts)):
        return "the training texts have no word"
    seconds = expected_seconds(sum(map(len, texts)), classes)
    return f"it would take about {seconds / 60:.0f} minutes" if seconds > MOST_SECONDS else None


def expected_seconds(characters: int, classes: int) -> float:
    """Return about how long the choice and the last training take on one core."""
    models = classes if classes > 2 else 1
    return characters / 1e6 * (_SECONDS + _SECONDS_A_CLASS * models)


def points(difference: float, low: float, high: float) -> str:
    """Write a difference of two accuracies with its interval, such as "+1.20 points (+0.80 to +1.60)"."""
    return f"{100 * difference:+.2f} points ({100 * low:+.2f} to {100 * high:+.2f})"


def verdict(difference: float, low: float, high: float) -> str:
    """Say which is better, from the classifier's accuracy minus the baseline's, and its 95% interval."""
    by = points(difference, low, high)
    if low > 0:
        return f"The classifier is better than the baseline: {by}."
    if high < 0:
        return f"The baseline is better than the classifier, which gains {by}."
    return f"The classifier is no better than the baseline, as far as these texts show: {by}."


def _features(kind: str, training: Sequence[str], others: Sequence[str], made: dict[str, Any]) -> tuple[Any, Any]:
    """Return the features of the training texts and of others. `made` keeps them for the next kind."""
    from scipy import sparse
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

    def of(name: str, vectorizer: Any) -> tuple[Any, Any]:
        if name not in made:
            made[name] = vectorizer.fit_transform(training), vectorizer.transform(others)
        return made[name]

    words = {"ngram_range": (1, 2), "token_pattern": r"\w+", "dtype": np.float32}
    if kind == NAIVE_BAYES:
        return of(kind, CountVectorizer(binary=True, **words))
    parts = []
    if kind in (WORDS, BOTH):
        parts.append(of(WORDS, TfidfVectorizer(sublinear_tf=True, **words)))
    if kind in (PIECES, BOTH):
        pieces = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), sublinear_tf=True, dtype=np.float32)
        parts.append(of(PIECES, pieces))
    if len(parts) == 1:
        return parts[0]
    learned, asked = (sparse.hstack(side, format="csr") for side in zip(*parts, strict=True))
    return learned, asked


def _scorer(kind: str, weight: float, features: Any, labels: np.ndarray) -> Callable[[Any], np.ndarray]:
    """Train a model, and return what scores each of its classes, in their order: (texts, classes)."""
    from sklearn.svm import LinearSVC

    classes = np.unique(labels)
    if kind != NAIVE_BAYES:
        score = LinearSVC(C=weight, random_state=0).fit(features, labels).decision_function
        if len(classes) > 2:
            return score
        return lambda asked: np.outer(score(asked), (-0.5, 0.5))  # of two classes, scikit-learn scores the second
    # For each class, a feature counts by how much more often that class has it than the others do.
    weights, biases = [], []
    for name in classes:
        shares = []
        for side in (labels == name, labels != name):
            counts = 1.0 + np.asarray(features[side].sum(axis=0)).ravel()
            shares.append(counts / counts.sum())
        ratio = np.log(shares[0] / shares[1]).astype("float32")
        model = LinearSVC(C=weight, random_state=0).fit(features.multiply(ratio).tocsr(), labels == name)
        weights.append(ratio * model.coef_[0])
        biases.append(model.intercept_[0])
    return lambda asked: asked @ np.stack(weights, axis=1) + np.array(biases)


def _temperature(scores: np.ndarray, classes: np.ndarray, truth: np.ndarray) -> float:
    """Return the divisor of scores under which the true classes are likeliest.

    Few texts that are all right would want 0, so it is 0.1 at least: a lead of 1 then means odds of e^10.

    Reference: Guo et al., "On Calibration of Modern Neural Networks", 2017, https://arxiv.org/abs/1706.04599.
    """
    from scipy.optimize import minimize_scalar
    from scipy.special import log_softmax

    known = np.isin(truth, classes)
    if not known.any():
        return 1.0
    scores, places = scores[known], np.searchsorted(classes, truth[known])

    def loss(logarithm: float) -> float:
        return -float(np.mean(log_softmax(scores / np.exp(logarithm), axis=1)[np.arange(len(places)), places]))

    return float(np.exp(minimize_scalar(loss, bounds=np.log((0.1, 10)), method="bounded").x))


def _require_learnable(texts: Sequence[str], labels: Sequence[int]) -> np.ndarray:
    require_texts(texts, "training_texts")
    if len(texts) != len(labels) or len(set(labels)) < 2 or not any(map(_WORD.search, texts)):
        raise ValueError(
            "training_texts must have words, and each a label, of two classes or more. "
            f"Received: {len(texts)} training_texts and {len(labels)} training_labels of {len(set(labels))} classes"
        )
    return np.asarray(labels)
