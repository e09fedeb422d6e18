"""What goes wrong in pseudo_labels."""

from __future__ import annotations

from typing import Any

import numpy as np

import course.compression as right
from course.classification import predict
from course.validation.compression import rows_of
from grading.exercises.compression.checks import labelling

Answer = tuple[np.ndarray, np.ndarray]


def softmax(logits: Any) -> np.ndarray:
    powers = np.exp(logits - np.max(logits, axis=-1, keepdims=True))
    return (powers / powers.sum(axis=-1, keepdims=True)).astype("float32")


def probabilities(teacher: Any, inputs: Any, batch_size: int = 64) -> np.ndarray:
    return right.pseudo_labels(teacher, inputs, batch_size)[1]


def is_new(inputs: Any, exclude: Any) -> np.ndarray:
    known = set() if exclude is None else set(rows_of(exclude))
    return np.array([row not in known for row in rows_of(inputs)])


def answer(p: np.ndarray, is_kept: np.ndarray, soft: bool) -> Answer:
    kept = np.flatnonzero(is_kept)
    return kept, p[kept] if soft else p[kept].argmax(axis=-1)


@labelling.whole_mistake(
    "The teacher labels as if it were in training: what it drops by chance is in the labels.",
    hint="Ask twice. Is the answer the same?",
)
def with_dropout(
    teacher: Any, inputs: Any, batch_size: int = 64, threshold: float = 0.0, soft: bool = True, exclude: Any = None
) -> Answer:
    p = softmax(np.asarray(teacher(inputs, training=True)))
    return answer(p, is_new(inputs, exclude) & (p.max(axis=-1) >= threshold), soft)


@labelling.whole_mistake(
    "The last texts, which do not fill a batch, are forgotten.",
    hint="Eleven texts in batches of four: how many labels are there?",
)
def last_batch_dropped(
    teacher: Any, inputs: Any, batch_size: int = 64, threshold: float = 0.0, soft: bool = True, exclude: Any = None
) -> Answer:
    kept, labels = right.pseudo_labels(teacher, inputs, batch_size, threshold, soft, exclude)
    count = np.shape(inputs["token_ids"])[0]
    whole = count // batch_size * batch_size or count
    return kept[kept < whole], labels[kept < whole]


@labelling.whole_mistake(
    "Logits are returned, not probabilities.",
    hint="The labels of a text should be 1 together.",
)
def logits_returned(
    teacher: Any, inputs: Any, batch_size: int = 64, threshold: float = 0.0, soft: bool = True, exclude: Any = None
) -> Answer:
    p, logits = probabilities(teacher, inputs), right.predict(teacher, inputs)
    kept, _ = answer(p, is_new(inputs, exclude) & (p.max(axis=-1) >= threshold), soft)
    return kept, logits[kept] if soft else logits[kept].argmax(axis=-1)


@labelling.whole_mistake(
    "The threshold is compared with logits, not with probabilities.",
    hint="A logit of 2 says nothing of how sure the teacher is. What does?",
)
def threshold_on_logits(
    teacher: Any, inputs: Any, batch_size: int = 64, threshold: float = 0.0, soft: bool = True, exclude: Any = None
) -> Answer:
    p, logits = probabilities(teacher, inputs), right.predict(teacher, inputs)
    return answer(p, is_new(inputs, exclude) & ((logits.max(axis=-1) >= threshold) | (threshold == 0)), soft)


@labelling.whole_mistake(
    "The threshold is not used.",
    hint="`threshold` is an argument.",
)
def without_threshold(
    teacher: Any, inputs: Any, batch_size: int = 64, threshold: float = 0.0, soft: bool = True, exclude: Any = None
) -> Answer:
    return right.pseudo_labels(teacher, inputs, batch_size, 0.0, soft, exclude)


@labelling.whole_mistake(
    "The texts that the teacher is unsure of are kept, and the others left out.",
    hint="Which labels can be trusted more?",
)
def the_unsure(
    teacher: Any, inputs: Any, batch_size: int = 64, threshold: float = 0.0, soft: bool = True, exclude: Any = None
) -> Answer:
    p = probabilities(teacher, inputs)
    return answer(p, is_new(inputs, exclude) & ((p.max(axis=-1) < threshold) | (threshold == 0)), soft)


@labelling.whole_mistake(
    "The threshold is on the gap between the two likeliest classes.",
    hint="That is a measure of doubt, too. Which one is asked for?",
)
def threshold_on_the_gap(
    teacher: Any, inputs: Any, batch_size: int = 64, threshold: float = 0.0, soft: bool = True, exclude: Any = None
) -> Answer:
    p = probabilities(teacher, inputs)
    falling = -np.sort(-p, axis=-1)
    return answer(p, is_new(inputs, exclude) & (falling[:, 0] - falling[:, 1] >= threshold), soft)


@labelling.whole_mistake(
    "What is kept is numbered anew, 0, 1, 2, ...: nobody knows which texts these were.",
    hint="Whoever trains on them needs rows of the inputs.",
)
def numbered_anew(
    teacher: Any, inputs: Any, batch_size: int = 64, threshold: float = 0.0, soft: bool = True, exclude: Any = None
) -> Answer:
    kept, labels = right.pseudo_labels(teacher, inputs, batch_size, threshold, soft, exclude)
    return np.arange(len(kept)), labels


@labelling.whole_mistake(
    "What is kept is told by True and False for all texts, not by numbers.",
    hint="Which dtype has `kept`, and how long is it?",
)
def a_mask(
    teacher: Any, inputs: Any, batch_size: int = 64, threshold: float = 0.0, soft: bool = True, exclude: Any = None
) -> Answer:
    kept, labels = right.pseudo_labels(teacher, inputs, batch_size, threshold, soft, exclude)
    return np.isin(np.arange(len(inputs["token_ids"])), kept), labels


@labelling.whole_mistake(
    "The labels are those of all texts, whatever is kept.",
    hint="There are as many labels as texts that are kept.",
)
def labels_of_all(
    teacher: Any, inputs: Any, batch_size: int = 64, threshold: float = 0.0, soft: bool = True, exclude: Any = None
) -> Answer:
    kept, _ = right.pseudo_labels(teacher, inputs, batch_size, threshold, soft, exclude)
    return kept, right.pseudo_labels(teacher, inputs, batch_size, soft=soft)[1]


@labelling.whole_mistake(
    "The texts are sorted by how sure the teacher is.",
    hint="They stay in their order.",
)
def the_surest_first(
    teacher: Any, inputs: Any, batch_size: int = 64, threshold: float = 0.0, soft: bool = True, exclude: Any = None
) -> Answer:
    kept, p = right.pseudo_labels(teacher, inputs, batch_size, threshold, True, exclude)
    order = np.argsort(-p.max(axis=-1), kind="stable")
    return kept[order], p[order] if soft else p[order].argmax(axis=-1)


@labelling.whole_mistake(
    "Texts are sorted by their length to be read, and not brought back into their order.",
    hint="To sort makes batches short. Which label belongs to which text afterwards?",
)
def sorted_by_length(
    teacher: Any, inputs: Any, batch_size: int = 64, threshold: float = 0.0, soft: bool = True, exclude: Any = None
) -> Answer:
    p = probabilities(teacher, inputs)
    p = p[np.argsort(inputs["padding_mask"].sum(axis=1), kind="stable")]
    return answer(p, is_new(inputs, exclude) & (p.max(axis=-1) >= threshold), soft)


@labelling.whole_mistake(
    "Class ids are returned where probabilities are asked for.",
    hint="How sure the teacher is, is what the student learns most from.",
)
def always_hard(
    teacher: Any, inputs: Any, batch_size: int = 64, threshold: float = 0.0, soft: bool = True, exclude: Any = None
) -> Answer:
    return right.pseudo_labels(teacher, inputs, batch_size, threshold, False, exclude)


@labelling.whole_mistake(
    "Probabilities are returned where class ids are asked for.",
    hint="`soft` is an argument.",
)
def always_soft(
    teacher: Any, inputs: Any, batch_size: int = 64, threshold: float = 0.0, soft: bool = True, exclude: Any = None
) -> Answer:
    return right.pseudo_labels(teacher, inputs, batch_size, threshold, True, exclude)


@labelling.whole_mistake(
    "Hard labels are rows of 0 and 1, not class ids.",
    hint="What shape do ids have?",
)
def one_hot(
    teacher: Any, inputs: Any, batch_size: int = 64, threshold: float = 0.0, soft: bool = True, exclude: Any = None
) -> Answer:
    kept, p = right.pseudo_labels(teacher, inputs, batch_size, threshold, True, exclude)
    return kept, p if soft else np.eye(p.shape[1], dtype="float32")[p.argmax(axis=-1)]


@labelling.whole_mistake(
    "`exclude` is not looked at: texts of the test are labelled, and would come into training.",
    hint="Who measures on texts that a student has learned from?",
)
def nothing_excluded(
    teacher: Any, inputs: Any, batch_size: int = 64, threshold: float = 0.0, soft: bool = True, exclude: Any = None
) -> Answer:
    return right.pseudo_labels(teacher, inputs, batch_size, threshold, soft)


@labelling.whole_mistake(
    "Only the texts in `exclude` are kept.",
    hint="They are the ones that must *not* be labelled.",
)
def only_excluded(
    teacher: Any, inputs: Any, batch_size: int = 64, threshold: float = 0.0, soft: bool = True, exclude: Any = None
) -> Answer:
    p = probabilities(teacher, inputs)
    wanted = np.ones(len(p), bool) if exclude is None else ~is_new(inputs, exclude)
    return answer(p, wanted & (p.max(axis=-1) >= threshold), soft)


@labelling.whole_mistake(
    "Rows are compared with their padding: the same text in a longer row is not found.",
    hint="Padding is no part of a text. What is left without it?",
)
def compared_with_padding(
    teacher: Any, inputs: Any, batch_size: int = 64, threshold: float = 0.0, soft: bool = True, exclude: Any = None
) -> Answer:
    same_length = exclude is not None and exclude["token_ids"].shape[1] == inputs["token_ids"].shape[1]
    return right.pseudo_labels(teacher, inputs, batch_size, threshold, soft, exclude if same_length else None)


@labelling.whole_mistake(
    "A text is taken for known if all of its words stand in some excluded text.",
    hint="Two texts of the same words are not the same text.",
)
def by_words(
    teacher: Any, inputs: Any, batch_size: int = 64, threshold: float = 0.0, soft: bool = True, exclude: Any = None
) -> Answer:
    p = probabilities(teacher, inputs)
    known = set() if exclude is None else {number for row in rows_of(exclude) for number in row}
    new = np.array([not set(row) <= known for row in rows_of(inputs)])
    return answer(p, new & (p.max(axis=-1) >= threshold), soft)


@labelling.whole_mistake(
    "Probabilities below the threshold are set to 0: labels of one text are no longer 1 together.",
    hint="The threshold chooses texts, not classes.",
)
def cut_to_zero(
    teacher: Any, inputs: Any, batch_size: int = 64, threshold: float = 0.0, soft: bool = True, exclude: Any = None
) -> Answer:
    kept, labels = right.pseudo_labels(teacher, inputs, batch_size, threshold, soft, exclude)
    return kept, np.where(labels >= threshold, labels, 0).astype(labels.dtype)


@labelling.whole_mistake(
    "The softmax is e^logit over their sum, which is infinite for large logits: the probabilities are NaN.",
    hint="e^900 is no number. Subtract the highest logit first; that changes no probability.",
)
def powers_overflow(
    teacher: Any,
    inputs: Any,
    batch_size: int = 64,
    threshold: float = 0.0,
    soft: bool = True,
    exclude: Any = None,
) -> Answer:
    with np.errstate(over="ignore", invalid="ignore"):
        powers = np.exp(predict(teacher, inputs, batch_size).astype("float64"))
        p = (powers / powers.sum(axis=-1, keepdims=True)).astype("float32")
    return answer(p, is_new(inputs, exclude) & (p.max(axis=-1) >= threshold), soft)
