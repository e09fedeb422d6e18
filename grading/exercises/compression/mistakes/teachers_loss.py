"""What goes wrong in distillation_loss."""

from __future__ import annotations

from typing import Any

from keras import ops

import course.compression as right
from grading.exercises.compression.checks import distillation


def kl(wanted: Any, said: Any) -> Any:
    """Of each text, from two rows of log-probabilities."""
    return ops.sum(ops.exp(wanted) * (wanted - said), axis=-1)


def surprise(logits: Any, labels: Any) -> Any:
    return ops.mean(ops.sparse_categorical_crossentropy(labels, logits, from_logits=True))


def cooled(logits: Any, temperature: float) -> Any:
    return ops.log_softmax(ops.cast(logits, "float32") / temperature, axis=-1)


def together(soft: Any, student: Any, labels: Any, alpha: float) -> Any:
    return alpha * soft + (1 - alpha) * surprise(ops.cast(student, "float32"), labels)


@distillation.whole_mistake(
    "T² is missing: the higher the temperature, the less the teacher counts.",
    hint="At a temperature T, gradients are T² times as small. What makes up for it?",
)
def without_t_squared(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    soft = kl(cooled(ops.stop_gradient(teacher_logits), temperature), cooled(student_logits, temperature))
    return together(ops.mean(soft), student_logits, labels, alpha)


@distillation.whole_mistake(
    "The soft part is multiplied by T, not by T².",
    hint="T divides the logits, and once more the gradient by them. How often is that?",
)
def t_once(student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5) -> Any:
    soft = kl(cooled(ops.stop_gradient(teacher_logits), temperature), cooled(student_logits, temperature))
    return together(temperature * ops.mean(soft), student_logits, labels, alpha)


@distillation.whole_mistake(
    "T² multiplies the hard part, too.",
    hint="The labels are learned at T = 1. Is there anything to make up for?",
)
def t_squared_on_both(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    soft = kl(cooled(ops.stop_gradient(teacher_logits), temperature), cooled(student_logits, temperature))
    return temperature**2 * together(ops.mean(soft), student_logits, labels, alpha)


@distillation.whole_mistake(
    "Only the teacher's logits are divided by T.",
    hint="A student with its teacher's logits should have nothing to learn. Has it?",
)
def teacher_cooled_alone(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    soft = kl(cooled(ops.stop_gradient(teacher_logits), temperature), cooled(student_logits, 1.0))
    return together(temperature**2 * ops.mean(soft), student_logits, labels, alpha)


@distillation.whole_mistake(
    "Only the student's logits are divided by T.",
    hint="The teacher's small probabilities are what the temperature is for.",
)
def student_cooled_alone(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    soft = kl(cooled(ops.stop_gradient(teacher_logits), 1.0), cooled(student_logits, temperature))
    return together(temperature**2 * ops.mean(soft), student_logits, labels, alpha)


@distillation.whole_mistake(
    "The logits are multiplied by T instead of divided: doubts become smaller.",
    hint="At a high temperature all classes come closer together.",
)
def multiplied(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    soft = kl(cooled(ops.stop_gradient(teacher_logits), 1 / temperature), cooled(student_logits, 1 / temperature))
    return together(temperature**2 * ops.mean(soft), student_logits, labels, alpha)


@distillation.whole_mistake(
    "It is KL(student ‖ teacher): the other way round.",
    hint="KL(p ‖ q) weighs with p. Whose probabilities say what is important?",
)
def turned_round(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    soft = kl(cooled(student_logits, temperature), cooled(ops.stop_gradient(teacher_logits), temperature))
    return together(temperature**2 * ops.mean(soft), student_logits, labels, alpha)


@distillation.whole_mistake(
    "It is the cross-entropy with the teacher's probabilities, not KL: for equal logits it is not 0.",
    hint="Their gradients are the same. What does the teacher's own entropy add?",
)
def cross_entropy(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    wanted = ops.exp(cooled(ops.stop_gradient(teacher_logits), temperature))
    soft = -ops.sum(wanted * cooled(student_logits, temperature), axis=-1)
    return together(temperature**2 * ops.mean(soft), student_logits, labels, alpha)


@distillation.whole_mistake(
    "KL is averaged over the classes, too, so that it is as many times too small.",
    hint='PyTorch calls that "mean"; what is wanted is called "batchmean" there. Which axis is summed?',
)
def mean_over_classes(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    wanted, said = cooled(ops.stop_gradient(teacher_logits), temperature), cooled(student_logits, temperature)
    return together(temperature**2 * ops.mean(ops.exp(wanted) * (wanted - said)), student_logits, labels, alpha)


@distillation.whole_mistake(
    "KL is summed over the texts.",
    hint="Twice as many texts in a batch should not double the loss.",
)
def summed_over_texts(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    soft = kl(cooled(ops.stop_gradient(teacher_logits), temperature), cooled(student_logits, temperature))
    return together(temperature**2 * ops.sum(soft), student_logits, labels, alpha)


@distillation.whole_mistake(
    "The teacher is compared with itself: the soft part is always 0.",
    hint="Nothing that the student does moves this part. Whose logits are in it, on both sides?",
)
def teacher_with_itself(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    wise = cooled(ops.stop_gradient(teacher_logits), temperature)
    return together(temperature**2 * ops.mean(kl(wise, wise)), student_logits, labels, alpha)


@distillation.whole_mistake(
    "alpha and 1 - alpha have changed places.",
    hint="At alpha = 0, who counts: the teacher or the labels?",
)
def shares_turned(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    return right.distillation_loss(student_logits, teacher_logits, labels, temperature, 1 - alpha)


@distillation.whole_mistake(
    "The hard part counts in full, whatever alpha is.",
    hint="The two shares are 1 together.",
)
def hard_in_full(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    soft = kl(cooled(ops.stop_gradient(teacher_logits), temperature), cooled(student_logits, temperature))
    return alpha * temperature**2 * ops.mean(soft) + surprise(ops.cast(student_logits, "float32"), labels)


@distillation.whole_mistake(
    "The hard part is computed at the temperature T as well.",
    hint="The student will be asked at T = 1, and the labels have no doubts to show.",
)
def hard_part_cooled(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    soft = kl(cooled(ops.stop_gradient(teacher_logits), temperature), cooled(student_logits, temperature))
    return together(temperature**2 * ops.mean(soft), ops.cast(student_logits, "float32") / temperature, labels, alpha)


@distillation.whole_mistake(
    "The labels are not looked at: the hard part asks for the teacher's likeliest class.",
    hint="The teacher is wrong at times. Who knows better?",
)
def labels_of_the_teacher(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    return right.distillation_loss(
        student_logits, teacher_logits, ops.argmax(teacher_logits, axis=-1), temperature, alpha
    )


@distillation.whole_mistake(
    "A gradient flows to the teacher, too, so that it would learn from its student.",
    hint="Which operation lets a value through, and no gradient?",
)
def teacher_learns(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    soft = kl(cooled(teacher_logits, temperature), cooled(student_logits, temperature))
    return together(temperature**2 * ops.mean(soft), student_logits, labels, alpha)


@distillation.whole_mistake(
    "A softmax is taken twice: probabilities go where logits belong.",
    hint="`log_softmax` wants logits. What comes out of `softmax`?",
)
def softmax_twice(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    wise, own = (ops.softmax(ops.cast(x, "float32") / temperature, axis=-1) for x in (teacher_logits, student_logits))
    soft = kl(ops.log_softmax(ops.stop_gradient(wise), axis=-1), ops.log_softmax(own, axis=-1))
    return together(temperature**2 * ops.mean(soft), student_logits, labels, alpha)


@distillation.whole_mistake(
    "The softmax goes over the texts of the batch, not over the classes.",
    hint="The probabilities of one text are 1 together. Which axis holds its classes?",
)
def over_the_batch(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    wise, own = (
        ops.log_softmax(ops.cast(x, "float32") / temperature, axis=0) for x in (teacher_logits, student_logits)
    )
    return together(temperature**2 * ops.mean(kl(ops.stop_gradient(wise), own)), student_logits, labels, alpha)


@distillation.whole_mistake(
    "Logits are compared by their squared differences, not probabilities by KL.",
    hint="That is what a very high temperature comes to. Here T is given.",
)
def squared_differences(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    own, wise = ops.cast(student_logits, "float32"), ops.stop_gradient(ops.cast(teacher_logits, "float32"))
    return together(ops.mean(ops.sum(ops.square(own - wise), axis=-1)), student_logits, labels, alpha)


@distillation.whole_mistake(
    "The logarithm is taken of probabilities, which are 0 for large logits: the loss is infinite or NaN.",
    hint="`log_softmax` knows the logarithm without the probability.",
)
def log_of_zero(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    wise, own = (ops.softmax(ops.cast(x, "float32") / temperature, axis=-1) for x in (teacher_logits, student_logits))
    soft = kl(ops.log(ops.stop_gradient(wise)), ops.log(own))
    return together(temperature**2 * ops.mean(soft), student_logits, labels, alpha)


@distillation.whole_mistake(
    "It is computed in half precision, where logits come in it.",
    hint="A loss is a sum of small numbers. In which dtype can it be one?",
)
def in_half_precision(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    own, wise = (ops.log_softmax(x / temperature, axis=-1) for x in (student_logits, ops.stop_gradient(teacher_logits)))
    hard = ops.mean(ops.sparse_categorical_crossentropy(labels, student_logits, from_logits=True))
    return alpha * temperature**2 * ops.mean(kl(wise, own)) + (1 - alpha) * hard
