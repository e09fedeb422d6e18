"""Teach a student: first to read as its teacher does, then to answer as it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import numpy as np
from keras import ops

from course.applications.distillation.reading import read_closely
from course.classification import Inputs, TextClassifier, require_class_ids
from course.compression import TinyLoss, distillation_loss
from course.encoder import BertEncoder
from course.training.frozen import frozen
from course.training.short_training import train_on_texts
from course.validation.arrays import require_rank
from course.validation.values import require_instance


class Imitation(keras.Model):
    """A student beside its teacher. The output is the `TinyLoss` between them."""

    def __init__(self, student: BertEncoder, teacher: BertEncoder, loss: TinyLoss) -> None:
        super().__init__()
        self.encoder, self.teacher, self.tiny_loss = student, teacher, loss

    def build(self, inputs_shape: dict[str, tuple]) -> None:
        """Do nothing: all parts have their weights already."""

    def call(self, inputs: Inputs) -> Any:
        student, teacher = (read_closely(encoder, inputs) for encoder in (self.encoder, self.teacher))
        return ops.reshape(self.tiny_loss(student, teacher, padding_mask=inputs["padding_mask"]), (1,))


def imitate(
    student: BertEncoder,
    teacher: BertEncoder,
    inputs: Inputs,
    loss: TinyLoss,
    *,
    learning_rate: float = 1e-3,
    batch_size: int = 32,
    epochs: int = 1,
    seed: int = 0,
) -> list[float]:
    """Train an encoder to imitate the vectors and the attention of another one. It needs no labels.

    The learning rate rises for a tenth of all steps, and falls to 0 at the last one. The teacher has no dropout and
    does not learn.

    Args:
        student: built.
        teacher: built.
        inputs: (texts, length) each.
        loss: says which layer learns from which; its projection learns, too.
        learning_rate: the peak learning rate.
        batch_size: texts per step.
        epochs: passes over all texts.
        seed: of the random order.

    Returns:
        The mean loss of each epoch.

    Raises:
        TypeError: an encoder that is not a model, or a loss that is not a layer.
        ValueError: encoders that do not fit the loss, unknown ids, or an invalid size.
    """
    for name, part, kind in (
        ("student", student, keras.Model),
        ("teacher", teacher, keras.Model),
        ("loss", loss, keras.layers.Layer),
    ):
        require_instance(part, name, kind)
    model = Imitation(student, _without_dropout(teacher), loss)
    model.teacher.trainable = False
    unused_labels = np.zeros((len(inputs["token_ids"]), 1), "float32")
    with frozen(student.pooler):  # the loss does not depend on it
        model.build({})
        return train_on_texts(
            model,
            inputs,
            unused_labels,
            lambda _, y: ops.mean(y),
            learning_rate=learning_rate,
            batch_size=batch_size,
            epochs=epochs,
            seed=seed,
        )


def _without_dropout(encoder: BertEncoder) -> BertEncoder:
    """Return a copy without dropout: in a training step, Keras applies dropout in every submodel."""
    copy = type(encoder).from_config({**encoder.get_config(), "dropout": 0.0, "attention_dropout": 0.0})
    copy.build((None, None))
    copy.set_weights(encoder.get_weights())
    return copy


def distil(
    student: TextClassifier,
    inputs: Inputs,
    teacher_logits: np.ndarray,
    labels: np.ndarray | None = None,
    *,
    temperature: float = 2.0,
    alpha: float = 0.5,
    learning_rate: float = 1e-3,
    batch_size: int = 32,
    epochs: int = 4,
    seed: int = 0,
    loss: Callable[..., Any] = distillation_loss,
    step: Callable[[float], object] = lambda loss: None,
) -> list[float]:
    """Train a classifier to answer as its teacher does, with a loss such as `distillation_loss`.

    The learning rate rises for a tenth of all steps, and falls to 0 at the last one.

    Args:
        student: with any weights.
        inputs: (texts, length) each.
        teacher_logits: the teacher's output for each text, (texts, num_classes), as `predict` returns it.
        labels: class ids, (texts,). None: only the teacher counts, whatever `alpha` is.
        temperature: T of the loss.
        alpha: the weight of the teacher beside the labels.
        learning_rate: the peak learning rate.
        batch_size: texts per step.
        epochs: passes over all texts.
        seed: of the random order.
        loss: takes the student's logits, the teacher's, labels, temperature and alpha.
        step: called with the loss of each step.

    Returns:
        The mean loss of each epoch.

    Raises:
        TypeError: the student is not a `TextClassifier`.
        ValueError: logits or labels that do not fit, unknown ids, or an invalid size.
    """
    require_instance(student, "student", TextClassifier)
    require_rank(teacher_logits, "teacher_logits", ("texts", "num_classes"))
    count = len(inputs["token_ids"])
    if teacher_logits.shape != (count, student.num_classes):
        raise ValueError(
            f"the teacher must have {student.num_classes} logits for each of {count} texts. "
            f"Received: teacher_logits.shape={teacher_logits.shape}"
        )
    if labels is None:
        labels, alpha = np.zeros(count, "int32"), 1.0
    require_class_ids(labels, "labels", student.num_classes)
    if len(labels) != count:
        raise ValueError(f"each text needs a label. Received: {count} texts and {len(labels)} labels")
    if not student.built:
        student.build({"token_ids": (None, None)})
    # Keras passes a single target array to a loss: the label in the first column, the teacher's logits after it.
    targets = np.concatenate([labels[:, None], teacher_logits], axis=1).astype("float32")

    def batch_loss(targets: Any, logits: Any) -> Any:
        return loss(logits, targets[:, 1:], ops.cast(targets[:, 0], "int32"), temperature, alpha)

    return train_on_texts(
        student,
        inputs,
        targets,
        batch_loss,
        learning_rate=learning_rate,
        batch_size=batch_size,
        epochs=epochs,
        seed=seed,
        step=step,
    )
