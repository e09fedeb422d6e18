"""Small runs of fine-tuning, and judges of them that hold for any order of the texts.

The model is a bag of words with the inputs of `TextClassifier`. Each run creates it with given weights, and it compiles
fast. Randomness in training makes no difference: all texts are the same, or there is one step, or the learning rate is
almost 0. So the losses can be compared with the reference's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from grading.judging.proxies import Proxy
from grading.messages import Message, in_turn

Random = np.random.RandomState

VOCABULARY_SIZE, WIDTH, NUM_CLASSES, LENGTH = 17, 6, 3, 5
PATIENCE = 2
WEIGHTS = ("words/kernel", "segments/kernel", "logits/kernel", "logits/bias")


@cache
def bag_of_words(dropout: float) -> str:
    """The model as JSON: the mean of the embeddings of a text's words, dropout, and a projection."""
    import keras
    from keras import ops

    dtypes = {"token_ids": "int32", "segment_ids": "int32", "padding_mask": "bool"}
    inputs = {name: keras.Input((None,), dtype=dtype, name=name) for name, dtype in dtypes.items()}
    # Embeddings are products here. If a text has a word twice, Keras's Adam without clipping moves the row of an
    # `Embedding` layer too far, and a check of the learning rate would depend on the optimizer.
    words = keras.layers.Dense(WIDTH, use_bias=False, name="words")(ops.one_hot(inputs["token_ids"], VOCABULARY_SIZE))
    segments = keras.layers.Dense(WIDTH, use_bias=False, name="segments")(ops.one_hot(inputs["segment_ids"], 2))
    mean = keras.layers.GlobalAveragePooling1D()(keras.layers.Add()([words, segments]), mask=inputs["padding_mask"])
    dropped = keras.layers.Dropout(dropout)(mean)
    return keras.Model(inputs, keras.layers.Dense(NUM_CLASSES, name="logits")(dropped)).to_json()


@cache
def not_built() -> str:
    """The same model without dropout, in another one that is built when it is first called, as `TextClassifier` is."""
    import keras

    return keras.Sequential([keras.models.model_from_json(bag_of_words(0.0))]).to_json()


@cache
def in_waves(frequency: float, phase: float) -> str:
    """A model whose loss on texts of segment 1 goes up and down while it learns class 0 on texts of segment 0.

    It has one weight, which grows at every step. Texts of segment 1 add a sine of the weight to their score.
    """
    from keras import ops

    return _of_one_weight(lambda weight, shares: weight + 2.0 * ops.sin(frequency * weight + phase) * shares[:, 1:])


@cache
def steep() -> str:
    """A model of one weight with a gradient of 20 at a weight of 0, and of 0.4 at a sixth, on texts of segment 0.

    The loss on texts of segment 1 shows how far the weight has moved.
    """
    return _of_one_weight(lambda weight, shares: weight * (30.0 * shares[:, :1] + 4.0 * shares[:, 1:]))


def _of_one_weight(score_of: Callable[[Any, Any], Any]) -> str:
    """A model that scores class 0 by its weight and the shares of both segments in a text."""
    import keras
    from keras import ops

    dtypes = {"token_ids": "int32", "segment_ids": "int32", "padding_mask": "bool"}
    inputs = {name: keras.Input((None,), dtype=dtype, name=name) for name, dtype in dtypes.items()}
    shares = keras.layers.GlobalAveragePooling1D()(ops.one_hot(inputs["segment_ids"], 2), mask=inputs["padding_mask"])
    weight = keras.layers.Dense(1, use_bias=False, name="weight")(ops.ones_like(shares[:, :1]))
    scores = ops.concatenate([score_of(weight, shares), ops.zeros_like(shares)], axis=-1)
    return keras.Model(inputs, scores).to_json()


REMEMBERED_TEXTS = 8


@cache
def with_a_memory() -> str:
    """A model that scores class 0 by the texts it was trained on; the latest text weighs as much as all before it."""
    import keras

    dtypes = {"token_ids": "int32", "segment_ids": "int32", "padding_mask": "bool"}
    inputs = {name: keras.Input((None,), dtype=dtype, name=name) for name, dtype in dtypes.items()}
    mean = keras.ops.mean(keras.ops.cast(inputs["token_ids"], "float32"), axis=1, keepdims=True)
    # Outside training, it subtracts the moving mean of its inputs. The variance of one text is 0, so with this epsilon
    # it otherwise only divides by 100.
    options = {"momentum": 0.5, "epsilon": 1e4, "center": False, "scale": False}
    less_the_memory = 10.0 * keras.layers.BatchNormalization(**options)(mean)
    score = keras.layers.Dense(1, use_bias=False, kernel_initializer="ones")(less_the_memory)
    others = keras.ops.zeros_like(score)
    return keras.Model(inputs, keras.ops.concatenate([score, others, others], axis=-1)).to_json()


# Frequencies and phases, and the losses in six steps of AdamW from a weight of 0, at a learning rate of 0.3.
WAVES = {
    # 0.59, 0.28, 1.83, 1.56, 0.58, 0.29
    Message("a loss that rises, and then falls without a new lowest value"): (8.65, 4.0),
    # 0.96, 2.11, 0.48, 0.94, 0.10, 0.25
    Message("a loss that rises and falls alternately"): (20.8, 0.0),
}


# Of any frequency, where the learning rate is so low that nothing changes.
CALM = (1.0, 0.0)


def parameters(random: Random, spread: float = 0.5) -> dict[str, np.ndarray]:
    """Random values for every weight but the bias, which is 0."""
    shapes = [(VOCABULARY_SIZE, WIDTH), (2, WIDTH), (WIDTH, NUM_CLASSES), (NUM_CLASSES,)]
    values = {name: spread * random.standard_normal(shape) for name, shape in zip(WEIGHTS, shapes, strict=True)}
    values["logits/bias"] *= 0
    return {name: value.astype("float32") for name, value in values.items()}


def model(implementation: Proxy, values: dict[str, np.ndarray], dropout: float = 0.0, built: bool = True) -> Proxy:
    made = implementation.make("keras.models.model_from_json", bag_of_words(dropout) if built else not_built())
    made.load(values)
    return made


def inputs(token_ids: np.ndarray, segment: int = 0) -> dict[str, np.ndarray]:
    segment_ids = np.full_like(token_ids, segment)
    return {"token_ids": token_ids, "segment_ids": segment_ids, "padding_mask": token_ids != 0}


def examples(
    implementation: Proxy, token_ids: np.ndarray, labels: np.ndarray, segment: int = 0
) -> tuple[dict[str, Proxy], Proxy]:
    """The inputs and the labels as NumPy arrays, as in a lesson, instead of tensors."""
    arrays = {name: implementation.make("numpy.array", array) for name, array in inputs(token_ids, segment).items()}
    return arrays, implementation.make("numpy.array", labels)


def texts_of_classes(random: Random, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Texts that begin with three times the word of their class, 1, 2 or 3; every second text ends with one padding."""
    labels = random.randint(0, NUM_CLASSES, count)
    token_ids = random.randint(NUM_CLASSES + 1, VOCABULARY_SIZE, (count, LENGTH)).astype("int32")
    token_ids[:, :3] = 1 + labels[:, None]
    token_ids[1::2, -1] = 0
    return token_ids, labels


def same_texts(random: Random, count: int) -> np.ndarray:
    return np.repeat(random.randint(1, VOCABULARY_SIZE, (1, LENGTH)), count, axis=0).astype("int32")


def losses(history: Any) -> dict[str, np.ndarray]:
    """The two lists of a history, as arrays."""
    return {name: np.array(history[name], "float64") for name in ("loss", "held_out_loss")}


def cross_entropy(labels: np.ndarray, logits: np.ndarray) -> float:
    logits = logits.astype("float64")
    log_sums = np.log(np.exp(logits - logits.max(axis=1, keepdims=True)).sum(axis=1)) + logits.max(axis=1)
    return float(np.mean(log_sums - logits[np.arange(len(labels)), labels]))


# What must hold -----------------------------------------------------------------------------------------------


def learns(answers: dict[str, Any]) -> str | None:
    """Judge whether the model has learned the classes, with all weights.

    Each class has a word of its own, so right code gets fewer than 1 of 100 new texts wrong. By chance, 11 or more of
    50 are wrong with a probability below C(50, 11) · 0.01^11 < 1e-11.
    """
    unchanged = [name for name in WEIGHTS if np.array_equal(answers["before"][name], answers["after"][name])]
    if len(unchanged) == len(WEIGHTS):
        return Message("changes no weight of the model")
    if unchanged:
        return Message("leaves some weights unchanged: {unchanged}", unchanged=", ".join(unchanged))
    share = float(np.mean(answers["logits"].argmax(axis=1) == answers["labels"]))
    if share < 0.8:
        return Message(
            "does not learn the labels: {share} of new texts are right, although one word gives the class of each",
            share=f"{share:.0%}",
        )
    return None


def stops_and_keeps_the_best(answers: dict[str, Any]) -> str | None:
    """Judge early stopping. The held-out loss first falls and then rises, whatever the learning rate."""
    held_out = answers["held-out losses"]
    problems: list[str] = []
    waited = len(held_out) - 1 - int(np.argmin(held_out))
    if len(held_out) == answers["epochs"]:
        problems.append(Message("never stops, although the held-out loss rises"))
    elif waited != PATIENCE:
        problems.append(
            Message(
                "runs {waited} epochs after the one with the lowest held-out loss; patience is {patience}",
                waited=waited,
                patience=PATIENCE,
            )
        )
    if wrong := keeps_others_than_the_best(held_out, answers["labels"], answers["logits"]):
        problems.append(wrong)
    for case, wave in answers["waves"].items():
        losses, labels = wave["held-out losses"], np.zeros(len(wave["logits"]), int)
        wrong = stops_wrongly(losses, answers["epochs of waves"])
        wrong = wrong or keeps_others_than_the_best(losses, labels, wave["logits"])
        if wrong and not problems:
            problems.append(Message("{wrong}, with {case}", wrong=wrong, case=Message.of(case)))
    return in_turn(problems) if problems else None


def keeps_others_than_the_best(losses: np.ndarray, labels: np.ndarray, logits: np.ndarray) -> str | None:
    """What is wrong with the final weights, according to the held-out losses and the final logits, or None."""
    after = cross_entropy(labels, logits)
    if np.isclose(after, losses.min(), atol=1e-4):
        return None
    last = np.isclose(after, losses[-1], atol=1e-4)
    if last:
        return Message("leaves the model with the last weights instead of the best")
    return Message("leaves the model with other weights instead of the best")


def stops_wrongly(losses: np.ndarray, epochs: int) -> str | None:
    """What is wrong with the epoch at which training stopped, according to its own held-out losses, or None."""
    waited, lowest = 0, np.inf
    for number, loss in enumerate(losses, 1):
        waited = 0 if loss < lowest else waited + 1
        lowest = min(loss, lowest)
        if waited == PATIENCE and number < len(losses):
            return Message(
                "goes on although the held-out loss had no new lowest value for {patience} epochs in a row",
                patience=PATIENCE,
            )
    if waited < PATIENCE and len(losses) < epochs:
        return Message(
            "stops although the held-out loss had a new lowest value in the last {patience} epochs", patience=PATIENCE
        )
    return None


def drops_in_training_only(answers: dict[str, Any]) -> str | None:
    """Judge dropout. The learning rate is almost 0, so only dropout changes the losses during training."""
    for name, texts in (("held_out_loss", "held-out"), ("loss", "training")):
        quiet = cross_entropy(answers[f"{texts} labels"], answers[f"{texts} logits"])
        is_quiet = np.allclose(answers["losses"][name], quiet, atol=1e-4)
        if texts == "held-out" and not is_quiet:
            return Message(
                "measures a held-out loss that differs from the model's loss without dropout, {quiet}",
                quiet=f"{quiet:.4f}",
            )
        if texts == "training" and is_quiet:
            return Message("drops nothing in training, although the model has dropout")
    return None


def orders_differ(answers: dict[str, np.ndarray]) -> str | None:
    if np.allclose(answers["seed 0"], answers["seed 2"], atol=1e-6):
        return Message("sees the texts in the same order, whatever the seed")
    if not np.allclose(answers["seed 0"], answers["seed 0 again"], atol=1e-6):
        return Message("sees the texts in another order though the seed is the same")
    if repeats(answers["epochs"]):
        return Message("sees the texts in the same order in each epoch")
    return None


def repeats(losses: np.ndarray) -> bool:
    """Whether a model with a memory has seen the texts in the same order in each epoch.

    With one order, its memory changes only by the remainder of earlier epochs. With different orders, the memories
    differ with a standard deviation of about 0.5, so that two in a row are as close in less than one of a million runs.
    """
    forgotten = 0.5**REMEMBERED_TEXTS
    memories = np.array([remembered(loss) for loss in losses])
    of_one_order = memories[0] * (1 - forgotten ** np.arange(1, len(losses) + 1)) / (1 - forgotten)
    return bool(np.allclose(memories, of_one_order, rtol=0, atol=1e-4))


def remembered(loss: float) -> float:
    """A tenth of the subtracted mean, computed from the loss on texts that contain only 1, of class 0 of three."""
    return float(np.log((np.exp(loss) - 1) / 2)) + 0.1
