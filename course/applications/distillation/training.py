"""Teaches a student: first to read as its teacher does, then to answer as it does."""

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
    """A student beside its teacher, whose output is how differently they read."""

    def __init__(self, student: BertEncoder, teacher: BertEncoder, loss: TinyLoss) -> None:
        super().__init__()
        self.encoder, self.teacher, self.tiny_loss = student, teacher, loss

    def build(self, inputs_shape: dict[str, tuple]) -> None:
        """All of its parts have their weights already."""

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
    """Trains an encoder to read texts as another does: its vectors and its attention. No label is needed.

    The learning rate rises for a tenth of all steps, and falls to 0 at the last one. In the teacher nothing is dropped,
    and it does not learn.

    Args:
        student: built.
        teacher: built.
        inputs: (texts, length) each.
        loss: which layer learns from which; its projection learns, too.
        learning_rate: the highest one.
        batch_size: how many texts a step sees.
        epochs: how often all texts are seen.
        seed: where the random order starts from.

    Returns:
        The mean loss of each epoch.

    Raises:
        TypeError: what is no model, or a loss that is no layer.
        ValueError: encoders that do not fit the loss, unknown ids, or a number that is no size.
    """
    for name, part, kind in (
        ("student", student, keras.Model),
        ("teacher", teacher, keras.Model),
        ("loss", loss, keras.layers.Layer),
    ):
        require_instance(part, name, kind)
    model = Imitation(student, _without_dropout(teacher), loss)
    model.teacher.trainable = False
    wanted = np.zeros((len(inputs["token_ids"]), 1), "float32")
    with frozen(student.pooler):  # nothing asks it
        model.build({})
        return train_on_texts(
            model,
            inputs,
            wanted,
            lambda _, y: ops.mean(y),
            learning_rate=learning_rate,
            batch_size=batch_size,
            epochs=epochs,
            seed=seed,
        )


def _without_dropout(encoder: BertEncoder) -> BertEncoder:
    """A copy: in a step of training, Keras would drop in all that takes part."""
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
    """Trains a classifier to answer as its teacher does, by a loss such as `distillation_loss`.

    The learning rate rises for a tenth of all steps, and falls to 0 at the last one.

    Args:
        student: with any weights.
        inputs: (texts, length) each.
        teacher_logits: what the teacher says of each text, (texts, num_classes), as `predict` gives it.
        labels: class ids, (texts,). None: there are none, and the teacher alone counts, whatever `alpha` is.
        temperature: T of the loss.
        alpha: how much the teacher counts beside the labels.
        learning_rate: the highest one.
        batch_size: how many texts a step sees.
        epochs: how often all texts are seen.
        seed: where the random order starts from.
        loss: takes the student's logits, the teacher's, labels, temperature and alpha.
        step: is told the loss of each step.

    Returns:
        The mean loss of each epoch.

    Raises:
        TypeError: what is no classifier.
        ValueError: logits or labels that do not fit, unknown ids, or a number that is no size.
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
    # Keras hands one array of what is wanted to a loss: the label first, and behind it the teacher's logits.
    wanted = np.concatenate([labels[:, None], teacher_logits], axis=1).astype("float32")

    def of_batch(wanted: Any, logits: Any) -> Any:
        return loss(logits, wanted[:, 1:], ops.cast(wanted[:, 0], "int32"), temperature, alpha)

    return train_on_texts(
        student,
        inputs,
        wanted,
        of_batch,
        learning_rate=learning_rate,
        batch_size=batch_size,
        epochs=epochs,
        seed=seed,
        step=step,
    )
