"""Random inputs and models for the checks of chapter 15."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from grading.exercises import fine_tuning
from grading.judging.proxies import Proxy

Random = np.random.RandomState

VOCABULARY_SIZE, HIDDEN_DIM = 17, 6
# For TinyLoss. No two are equal.
BATCH, LENGTH, HEADS, STUDENT_DIM, TEACHER_DIM = 2, 6, 3, 4, 7
MAP = [0, 1, 4]
MASK = np.roll(np.arange(LENGTH) < np.array([[5], [3]]), 1, axis=1)  # padding on both sides
FEATURES, UNITS = 8, 5


def logits(random: Random, batch: int = 5, classes: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return logits of a student, logits of a teacher that is better but for the first text, and labels."""
    labels = random.randint(0, classes, batch)
    student, teacher = 1.5 * random.standard_normal((2, batch, classes))
    teacher[np.arange(batch), labels] += 1
    teacher[0, labels[0]] = teacher[0].min() - 1
    return student.astype("float32"), teacher.astype("float32"), labels.astype("int32")


def _encoder(implementation: Proxy, blocks: int) -> Proxy:
    sizes = {"num_heads": 2, "hidden_dim": HIDDEN_DIM, "intermediate_dim": 9, "max_length": 8, "padding_id": 4}
    # None is the default, so a student that does not have its teacher's shows it.
    others = {"num_segments": 3, "dropout": 0.25, "attention_dropout": 0.15, "approximate_gelu": True, "epsilon": 0.1}
    made = implementation.make(
        "course.encoder.BertEncoder", VOCABULARY_SIZE, num_layers=blocks, name="encoder", **sizes, **others
    )
    made.build(np.ones((2, 3), "int32"))
    return made


def teacher(implementation: Proxy, random: Random, blocks: int = 6) -> Proxy:
    """Return an encoder with random weights, different in each block."""
    made = implementation.once(_encoder, blocks=blocks)
    values = {path: 0.4 * random.standard_normal(weight.shape) for path, weight in made.weights()}
    made.load({path: value.astype("float32") for path, value in values.items()})
    return made


def token_ids(random: Random) -> np.ndarray:
    ids = random.randint(1, VOCABULARY_SIZE, (3, 5)).astype("int32")
    ids[1:, 3:] = 4  # padding
    return ids


def moved(encoder: Proxy) -> None:
    """Change the weights of an encoder, as training would."""
    encoder.method("set_weights")([array + np.float32(0.3) for _, array in encoder.weights()])


def tiny_loss(implementation: Proxy, random: Random, **options: Any) -> Proxy:
    """Return a `TinyLoss` with a random projection."""
    made = implementation(STUDENT_DIM, TEACHER_DIM, MAP, **options)
    kernel, bias = random.standard_normal((STUDENT_DIM, TEACHER_DIM)), random.standard_normal(TEACHER_DIM)
    made.load({"fit/kernel": kernel.astype("float32"), "fit/bias": bias.astype("float32")})
    return made


def layers(random: Random) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return the vectors of a student's layers and of its teacher's, the embedding first."""
    last = MAP[-1]
    student = [random.standard_normal((BATCH, LENGTH, STUDENT_DIM)).astype("float32") for _ in MAP]
    return student, [random.standard_normal((BATCH, LENGTH, TEACHER_DIM)).astype("float32") for _ in range(last + 1)]


def scores(random: Random) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return the attention scores of a student's blocks and of its teacher's."""
    shape = (BATCH, HEADS, LENGTH, LENGTH)
    student = [1.5 * random.standard_normal(shape).astype("float32") for _ in MAP[1:]]
    return student, [1.5 * random.standard_normal(shape).astype("float32") for _ in range(MAP[-1])]


def reading(vectors: list[np.ndarray], of_attention: list[np.ndarray]) -> dict[str, list[np.ndarray]]:
    """Return the outputs in the form of `read_closely`."""
    return {"layer_outputs": vectors, "attention_scores": of_attention}


def kernel(random: Random) -> np.ndarray:
    """Return weights, (7, 4), with columns of different sizes and nonzero means, and both signs in each.

    In the second column the largest |w| is negative, and with 8 bits or 5 its zero point is rounded up.
    """
    made = random.standard_normal((7, 4)) + 0.7
    made[0], made[1] = -np.abs(made[0]), np.abs(made[1]) + 0.1
    made *= np.array([0.02, -1.0, 40.0, 0.3])
    made[:, 1] = np.clip(made[:, 1], -2.0244, 1)
    made[:2, 1] = 1, -2.0244
    return made.astype("float32")


def dense(implementation: Proxy, random: Random, features: int = FEATURES, units: int = UNITS, **options: Any) -> Proxy:
    """Return a Keras Dense layer with random weights."""
    made = implementation.make("keras.layers.Dense", units, name="some", **options)
    made.build(np.ones((2, features), "float32"))
    sizes = random.uniform(0.1, 3, units)
    values = {"kernel": random.standard_normal((features, units)) * sizes, "bias": random.standard_normal(units)}
    made.load({path: values[path.rpartition("/")[2]].astype("float32") for path, _ in made.weights()})
    return made


def labeller(implementation: Proxy, random: Random) -> Proxy:
    """Return a teacher that reads bags of words, with much dropout."""
    values = fine_tuning.parameters(random, spread=2.0)
    # No class is the likeliest for all texts; otherwise the teacher might be sure of each.
    values["words/kernel"] -= values["words/kernel"].mean(axis=0)
    values["segments/kernel"] *= 0
    values["logits/bias"] -= np.float32(10)  # changes no probability, but shows whether logits are used instead
    return fine_tuning.model(implementation, values, dropout=0.5)


def doubtless(implementation: Proxy, classes: int = 1) -> Proxy:
    """Return a teacher that finds the same class, or the same equally likely classes, in all texts."""
    values = {name: 0 * value for name, value in fine_tuning.parameters(np.random.RandomState(0)).items()}
    values["logits/bias"][1 : 1 + classes] = 900  # e^900 is infinite
    return fine_tuning.model(implementation, values)


@cache
def _in_small_batches(most: int) -> str:
    """Return a model as JSON: class 1 wins for batches of up to `most` texts, class 0 for larger ones."""
    import keras
    from keras import ops

    dtypes = {"token_ids": "int32", "segment_ids": "int32", "padding_mask": "bool"}
    inputs = {name: keras.Input((None,), dtype=dtype, name=name) for name, dtype in dtypes.items()}
    one = ops.cast(ops.ones_like(inputs["token_ids"][:, :1]), "float32")
    too_many = one * ops.sum(one, axis=0, keepdims=True) - (most + 0.5)
    return keras.Model(inputs, ops.concatenate([too_many, 0 * one], axis=-1)).to_json()


def reads(implementation: Proxy, most: int) -> Proxy:
    """Return a teacher whose labels change if a batch has more than `most` texts."""
    return implementation.make("keras.models.model_from_json", _in_small_batches(most))


def mixed_texts(random: Random, count: int) -> np.ndarray:
    """Return texts of random words: a teacher is sure of some, and not of others."""
    return random.randint(1, fine_tuning.VOCABULARY_SIZE, (count, fine_tuning.LENGTH)).astype("int32")


def texts(implementation: Proxy, token_ids: np.ndarray, mask: np.ndarray | None = None) -> dict[str, Proxy]:
    """Return inputs as NumPy arrays, as in a lesson; without a mask, the id 0 is padding."""
    arrays = fine_tuning.inputs(token_ids)
    if mask is not None:
        arrays["padding_mask"] = mask
    return {name: implementation.make("numpy.array", array) for name, array in arrays.items()}
