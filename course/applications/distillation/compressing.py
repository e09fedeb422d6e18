"""A small model of one's own: some of a classifier's blocks, which learn from the classifier on texts of one's own."""

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

_HELD_OUT = 0.1  # as `finetune` sets apart for the test: of a table of which each row has a class, the same texts
_TIMED = 15
_NO_LABEL = -1


@dataclass(frozen=True)
class Recipe:
    """How a student is made and taught.

    Attributes:
        layers: how many of its teacher's blocks it has. None: half of them, rounded up.
        temperature, alpha: of `distillation_loss`.
        epochs: how often it reads all texts.
        learning_rate: the highest one.
        batch_size: how many texts a step sees.
        seed: of the order of the texts, and of the dropout.

    Raises:
        ValueError: a number out of its range.
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
        """How many steps it takes to read so many texts so often."""
        return self.epochs * batches_in(texts, self.batch_size)


@dataclass(frozen=True)
class Part:
    """Texts as a classifier reads them.

    Attributes:
        inputs: (texts, length) each.
        labels: int64, (texts,), class ids; -1 where there is no label.
    """

    inputs: Inputs
    labels: np.ndarray


@dataclass(frozen=True)
class Texts:
    """What a student learns from, what it is measured on, and how many rows had no text."""

    training: Part
    held_out: Part
    left_out: int


@dataclass(frozen=True)
class Measured:
    """How good a classifier is, and what it costs.

    Attributes:
        name: what it is called in the table.
        accuracy: the share of the held-out texts with a label that it gets right. None: there are none.
        agreement: the share of the held-out texts of which it says what the teacher says.
        megabytes: what its weights take on disk, in millions of bytes.
        milliseconds: what it takes for one text as long as the longest. None: as long as in float32.
    """

    name: str
    accuracy: float | None
    agreement: float
    megabytes: float
    milliseconds: float | None


def read_texts(table: Path, reader: Reader, label: str | None = None) -> Texts:
    """The texts of a table. A tenth is held out, of each class as large a part; of texts that are alike, all or none.

    Args:
        table: see `course.data.tables.table.read_table`.
        reader: of the teacher; it knows the columns of the texts.
        label: the column of the classes, in which cells may be empty. None: there are none.

    Raises:
        CourseError: it is not there or damaged, has no such column, too few texts, or a class that the teacher does not
            know.
    """
    require_columns(reader.text_columns, label or "")
    rows, left_out = rows_with_text(table, reader.text_columns, label)
    require_known(str(table), rows["label"][rows["label"] != ""], reader.class_names)
    training, held_out = apart(rows, _HELD_OUT, reader.text_columns)
    if not (len(training) and len(held_out)):
        raise CourseError(
            f"{table} has too few texts: of each class, and of those without one, a tenth is held out. "
            f"Given: {len(rows):,}; ten or more are wanted."
        )
    return Texts(_part(training, reader), _part(held_out, reader), left_out)


def _part(rows: pd.DataFrame, reader: Reader) -> Part:
    numbers = {name: number for number, name in enumerate(reader.class_names)}
    return Part(reader.read_frame(rows), rows["label"].map(lambda name: numbers.get(name, _NO_LABEL)).to_numpy("int64"))


def teach(
    teacher: TextClassifier, part: Part, recipe: Recipe, step: Callable[[float], object] = lambda loss: None
) -> tuple[TextClassifier, list[float]]:
    """Makes a student of some of a teacher's blocks, and trains it on what the teacher says of texts, and on labels.

    The teacher reads each text once, without dropout. A text without a label has the class that the teacher is surest
    of; where no text has one, the teacher's probabilities alone count, whatever alpha is.

    Args:
        teacher: stays as it is.
        part: what to learn from.
        recipe: how.
        step: is told the loss of each step.

    Returns:
        The student, and the mean loss of each epoch.

    Raises:
        CourseError: the loss is not finite any more.
        ValueError: more blocks than the teacher has.
    """

    def finite(loss: float) -> None:
        if not math.isfinite(loss):
            raise CourseError(f"the loss is {loss}. Try a smaller --learning-rate or a higher --temperature.")
        step(loss)

    keras.utils.set_random_seed(recipe.seed)  # of which each layer with dropout takes its own when it is made
    student = _student_of(teacher, recipe.layers)
    said = predict_logits(teacher, part.inputs)
    known = part.labels != _NO_LABEL
    with first_token_alone(student):
        losses = distil(
            student,
            part.inputs,
            said,
            np.where(known, part.labels, said.argmax(axis=1)) if known.any() else None,
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
    """A classifier with some of its teacher's blocks, and a copy of all else that the teacher has."""
    layers = math.ceil(teacher.encoder.num_layers / 2) if layers is None else layers
    student = type(teacher)(select_layers(teacher.encoder, layers), teacher.num_classes, teacher.dropout)
    student.build({"token_ids": (None, None)})
    student.logits_dense.set_weights(teacher.logits_dense.get_weights())
    return student


def measure(teacher: TextClassifier, student: TextClassifier, part: Part) -> list[Measured]:
    """Both, in float32 and in 8 bits, on texts that the student has not learned from."""
    of_teacher = predict_logits(teacher, part.inputs).argmax(axis=1)
    known = part.labels != _NO_LABEL
    found = []
    for name, model in (("teacher", teacher), ("student", student)):
        for int8 in (False, True):
            logits = predict_logits(rounded_to(model) if int8 else model, part.inputs)
            found.append(
                Measured(
                    f"{name} in {'int8' if int8 else 'float32'}",
                    accuracy(part.labels[known], logits[known]) if known.any() else None,
                    accuracy(of_teacher, logits),
                    megabytes(model, int8),
                    None if int8 else _milliseconds(model, part.inputs),
                )
            )
    return found


def _milliseconds(model: Any, inputs: Inputs) -> float:
    """The median for one text at its full length; padding takes as long as words do."""
    taken = []
    for number in range(_TIMED + 2):  # the first ones compile
        row = number % len(inputs["token_ids"])
        one = {name: array[row : row + 1] for name, array in inputs.items()}
        began = time.perf_counter()
        with first_token_alone(model):
            model.predict_on_batch(one)
        taken.append(time.perf_counter() - began)
    return 1000 * median(taken[2:])
