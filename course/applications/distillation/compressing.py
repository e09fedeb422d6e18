"""Compress your own classifier: a student with some of its blocks learns from it on your own texts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import keras
import numpy as np
import pandas as pd

from course.applications.distillation.int8 import megabytes, rounded_to
from course.applications.distillation.training import distil
from course.classification import Inputs, TextClassifier, accuracy
from course.compression import select_layers
from course.errors import CourseError
from course.training.classifier_file import Reader
from course.training.custom_texts import apart, require_columns, require_known, rows_with_text
from course.training.last_block import first_token_alone
from course.training.length_batches import batches_in
from course.training.logits import predict_logits
from course.validation.compression import require_temperature
from course.validation.values import require_fractions, require_numbers, require_seed, require_sizes

_HELD_OUT = 0.1  # the test share of `finetune`; if every row of a table has a class, the same texts are held out
_TIMED = 15
_NO_LABEL = -1


@dataclass(frozen=True)
class Recipe:
    """How a student is made and taught.

    Attributes:
        layers: how many of its teacher's blocks it has. None: half of them, rounded up.
        temperature, alpha: of `distillation_loss`.
        epochs: how often it reads all texts.
        learning_rate: the peak learning rate.
        batch_size: texts per step.
        seed: of the order of the texts, and of the dropout.

    Raises:
        ValueError: a number out of range.
    """

    layers: int | None = None
    temperature: float = 2.0
    alpha: float = 0.5
    epochs: int = 4
    learning_rate: float = 3e-4
    batch_size: int = 32
    seed: int = 1

    def __post_init__(self) -> None:
        require_temperature(self.temperature)
        require_fractions(alpha=self.alpha)
        require_numbers(learning_rate=self.learning_rate)
        require_sizes(epochs=self.epochs, batch_size=self.batch_size)
        require_seed(self.seed)

    def steps(self, texts: int) -> int:
        """Return how many steps the training takes on this many texts."""
        return self.epochs * batches_in(texts, self.batch_size)


@dataclass(frozen=True)
class Part:
    """Texts as a classifier reads them.

    Attributes:
        inputs: (texts, length) each.
        labels: int64, (texts,), class ids; -1 for a text without a label.
    """

    inputs: Inputs
    labels: np.ndarray


@dataclass(frozen=True)
class Texts:
    """The training texts and the held-out texts of a student, and how many rows had no text."""

    training: Part
    held_out: Part
    left_out: int


@dataclass(frozen=True)
class Measured:
    """The accuracy, disk size and latency of a classifier.

    Attributes:
        name: its name in the table.
        accuracy: the share of the labelled held-out texts that it gets right. None: no held-out text has a label.
        agreement: the share of the held-out texts to which it gives the teacher's class.
        megabytes: the disk size of its weights, in millions of bytes.
        milliseconds: its latency for one text of the full length. None: the same as in float32.
    """

    name: str
    accuracy: float | None
    agreement: float
    megabytes: float
    milliseconds: float | None


def read_texts(table: Path, reader: Reader, label: str | None = None) -> Texts:
    """Read the texts of a table, and hold out a tenth of each class. Equal texts stay on the same side.

    Args:
        table: see `course.data.tables.table.read_table`.
        reader: of the teacher; it knows the columns of the texts.
        label: the column of the classes, in which cells may be empty. None: no text has a label.

    Raises:
        CourseError: the table is missing or damaged, has no such column, too few texts, or a class that the teacher
            does not know.
    """
    require_columns(reader.text_columns, label or "")
    rows, left_out = rows_with_text(table, reader.text_columns, label)
    require_known(str(table), rows["label"][rows["label"] != ""], reader.class_names)
    training, held_out = apart(rows, _HELD_OUT, reader.text_columns)
    if not (len(training) and len(held_out)):
        raise CourseError(
            f"{table} has too few texts: a tenth of each class, and of the texts without a class, is held out. "
            f"Given: {len(rows):,}; the table needs ten or more."
        )
    return Texts(_part(training, reader), _part(held_out, reader), left_out)


def _part(rows: pd.DataFrame, reader: Reader) -> Part:
    numbers = {name: number for number, name in enumerate(reader.class_names)}
    return Part(reader.read_frame(rows), rows["label"].map(lambda name: numbers.get(name, _NO_LABEL)).to_numpy("int64"))


def teach(
    teacher: TextClassifier, part: Part, recipe: Recipe, step: Callable[[float], object] = lambda loss: None
) -> tuple[TextClassifier, list[float]]:
    """Build a student from some of a teacher's blocks, and train it on the teacher's logits and on labels.

    The teacher reads each text once, without dropout. A text without a label gets the teacher's most probable class. If
    no text has a label, only the teacher's probabilities count, whatever alpha is.

    Args:
        teacher: is not changed.
        part: the training texts.
        recipe: size of the student, and settings of the training.
        step: called with the loss of each step.

    Returns:
        The student, and the mean loss of each epoch.

    Raises:
        CourseError: the loss is no longer finite.
        ValueError: more blocks than the teacher has.
    """

    def finite(loss: float) -> None:
        if not math.isfinite(loss):
            raise CourseError(f"the loss is {loss}. Try a smaller --learning-rate or a higher --temperature.")
        step(loss)

    keras.utils.set_random_seed(recipe.seed)  # each dropout layer derives its own seed from it at creation
    student = _student_of(teacher, recipe.layers)
    teacher_logits = predict_logits(teacher, part.inputs)
    known = part.labels != _NO_LABEL
    with first_token_alone(student):
        losses = distil(
            student,
            part.inputs,
            teacher_logits,
            np.where(known, part.labels, teacher_logits.argmax(axis=1)) if known.any() else None,
            temperature=recipe.temperature,
            alpha=recipe.alpha,
            learning_rate=recipe.learning_rate,
            batch_size=recipe.batch_size,
            epochs=recipe.epochs,
            seed=recipe.seed,
            step=finite,
        )
    return student, losses


def _student_of(teacher: TextClassifier, layers: int | None) -> TextClassifier:
    """Return a classifier with some of its teacher's blocks, and copies of all other weights."""
    layers = math.ceil(teacher.encoder.num_layers / 2) if layers is None else layers
    student = type(teacher)(select_layers(teacher.encoder, layers), teacher.num_classes, teacher.dropout)
    student.build({"token_ids": (None, None)})
    student.logits_dense.set_weights(teacher.logits_dense.get_weights())
    return student


def measure(teacher: TextClassifier, student: TextClassifier, part: Part) -> list[Measured]:
    """Measure teacher and student, each in float32 and in 8 bits, on texts held out from the training."""
    teacher_classes = predict_logits(teacher, part.inputs).argmax(axis=1)
    known = part.labels != _NO_LABEL
    measured = []
    for name, model in (("teacher", teacher), ("student", student)):
        for int8 in (False, True):
            logits = predict_logits(rounded_to(model) if int8 else model, part.inputs)
            measured.append(
                Measured(
                    f"{name} in {'int8' if int8 else 'float32'}",
                    accuracy(part.labels[known], logits[known]) if known.any() else None,
                    accuracy(teacher_classes, logits),
                    megabytes(model, int8),
                    None if int8 else _milliseconds(model, part.inputs),
                )
            )
    return measured


def _milliseconds(model: Any, inputs: Inputs) -> float:
    """Return the median latency for one text at full length; padding takes as long as words do."""
    seconds = []
    for number in range(_TIMED + 2):  # the first ones compile
        row = number % len(inputs["token_ids"])
        batch = {name: array[row : row + 1] for name, array in inputs.items()}
        began = time.perf_counter()
        with first_token_alone(model):
            model.predict_on_batch(batch)
        seconds.append(time.perf_counter() - began)
    return 1000 * median(seconds[2:])
