"""Probes of a classifier on top of an encoder that classifies texts, their tokens, or pairs.

All sizes differ, so that mixed-up axes show.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from grading.judging.dropout import wrong_dropout
from grading.judging.proxies import Proxy
from grading.messages import Message

Random = np.random.RandomState

VOCABULARY_SIZE, HIDDEN_DIM, NUM_CLASSES, LENGTH = 19, 12, 5, 7
PADDING_ID = VOCABULARY_SIZE - 1  # of the encoder; 0 is a word
DROPOUT = 0.3


@dataclass(frozen=True)
class Kind:
    """The properties in which classifiers differ.

    Attributes:
        head: the name of the projection.
        outputs: how many logits the projection returns.
        arguments: its constructor's arguments after the encoder.
        num_segments: the number of segments of its encoder.
        batch: how many texts a batch has.
    """

    head: str
    outputs: int
    arguments: tuple[int, ...]
    num_segments: int
    batch: int


OF_CLASSES = Kind("logits", NUM_CLASSES, (NUM_CLASSES,), num_segments=2, batch=3)
OF_PAIRS = Kind("logit", 1, (), num_segments=3, batch=4)


def texts(random: Random, kind: Kind = OF_CLASSES) -> dict[str, np.ndarray]:
    """Texts without padding, all of one segment."""
    token_ids = random.randint(1, PADDING_ID, (kind.batch, LENGTH)).astype("int32")
    return {
        "token_ids": token_ids,
        "segment_ids": np.zeros_like(token_ids),
        "padding_mask": np.ones_like(token_ids, bool),
    }


def padded_texts(random: Random, kind: Kind = OF_CLASSES) -> dict[str, np.ndarray]:
    """Texts of several lengths, each with the word 0. After each, word ids go on, and only the mask marks the end."""
    lengths = np.array([7, 5, 2, 6])[: kind.batch]
    inputs = texts(random, kind)
    inputs["token_ids"][:, 1] = 0
    return {**inputs, "padding_mask": np.arange(LENGTH) < lengths[:, None]}


def _library_encoder(implementation: Proxy, kind: Kind, dtype: str, dropout: float = 0.0) -> Proxy:
    made = _new_encoder(implementation, kind, dtype, dropout)
    made.build(np.ones((kind.batch, LENGTH), "int32"))
    return made


def _new_encoder(implementation: Proxy, kind: Kind, dtype: str = "float32", dropout: float = 0.0) -> Proxy:
    sizes = {"num_layers": 1, "num_heads": 3, "hidden_dim": HIDDEN_DIM, "intermediate_dim": 20, "max_length": 8}
    return implementation.make(
        "course.encoder.BertEncoder",
        VOCABULARY_SIZE,
        num_segments=kind.num_segments,
        dropout=dropout,
        dtype=dtype,
        padding_id=PADDING_ID,
        name="encoder",
        **sizes,
    )


def with_its_encoder(implementation: Proxy, kind: Kind = OF_CLASSES) -> dict[str, bool]:
    """What the classifier's `build` does with its encoder."""
    encoders = _new_encoder(implementation, kind), _library_encoder(implementation, kind, "float32")
    return what_build_does(*((encoder, implementation(encoder, *kind.arguments)) for encoder in encoders))


def what_build_does(new: tuple[Proxy, Proxy], pretrained: tuple[Proxy, Proxy]) -> dict[str, bool]:
    """What `build` does with an encoder that is not built, and with one that has its weights.

    Args:
        new, pretrained: an encoder, and the model on top of it, which is not built.
    """
    shapes = dict.fromkeys(("token_ids", "segment_ids", "padding_mask"), (None, None))
    before = pretrained[0].weights()
    pooler = {"encoder.pooler.kernel": (HIDDEN_DIM, HIDDEN_DIM)}
    has_pooler, _ = (made.has_weights_at(pooler, shapes) for _, made in (new, pretrained))
    after = pretrained[0].weights()
    is_same = len(before) == len(after) and all(
        np.array_equal(one, other) for (_, one), (_, other) in zip(before, after, strict=True)
    )
    return {
        Message("whether `build` builds an encoder that has no weights"): all(has_pooler.values()),
        Message("whether `build` keeps the weights of an encoder that has some"): is_same,
    }


def _built(implementation: Proxy, kind: Kind, dropout: float, dtype: str, encoder_dropout: float) -> Proxy:
    encoder = implementation.once(_library_encoder, kind=kind, dtype=dtype, dropout=encoder_dropout)
    made = implementation(encoder, *kind.arguments, dropout=dropout, dtype=dtype)
    made.build(texts(np.random.RandomState(0), kind))
    return made


def loaded(
    implementation: Proxy,
    random: Random,
    kind: Kind = OF_CLASSES,
    dropout: float = 0.0,
    dtype: str = "float32",
    projection: tuple[np.ndarray, np.ndarray] | None = None,
    encoder_dropout: float = 0.0,
) -> Proxy:
    """A classifier on the library's encoder with random parameters, built once for each set of options.

    Args:
        projection: its kernel and its bias; random if not given.
        encoder_dropout: the dropout inside the encoder.
    """
    made = implementation.once(_built, kind=kind, dropout=dropout, dtype=dtype, encoder_dropout=encoder_dropout)
    encoder = implementation.once(_library_encoder, kind=kind, dtype=dtype, dropout=encoder_dropout)
    parameters = {path: 0.4 * random.standard_normal(weight.shape) for path, weight in encoder.weights()}
    drawn = random.standard_normal((HIDDEN_DIM, kind.outputs)), random.standard_normal(kind.outputs)
    parameters[f"{kind.head}/kernel"], parameters[f"{kind.head}/bias"] = projection or drawn
    made.load({name: value.astype("float32") for name, value in parameters.items()})
    return made


def of_two_segments(implementation: Proxy, random: Random) -> dict[str, Any]:
    """The logits of texts of two segments, and of the same texts with fewer inputs."""
    inputs = texts(random)
    inputs["segment_ids"] = (np.arange(LENGTH) >= np.array([[3], [6], [2]])).astype("int32")
    made = loaded(implementation, random)
    return {Message("the logits of two segments"): made(inputs), **with_less(made, inputs)}


def with_less(made: Proxy, inputs: dict[str, np.ndarray]) -> dict[str, Any]:
    """The logits of ids alone, with a mask alone and with segments alone, and of a batch of one.

    The inputs come in another order than the encoder's arguments, so code must pass them by name. There is no padding:
    another check covers the mask.
    """
    cases = {
        Message("ids alone"): ("token_ids",),
        Message("a mask and ids"): ("padding_mask", "token_ids"),
        Message("segments and ids"): ("segment_ids", "token_ids"),
    }
    answers: dict[str, Any] = {
        Message("the logits of {inputs}", inputs=case): made({name: inputs[name] for name in given})
        for case, given in cases.items()
    }
    return {
        **answers,
        Message("the logits of a batch of one"): made({name: array[:1] for name, array in inputs.items()}),
    }


def with_padding(implementation: Proxy, random: Random, kind: Kind = OF_CLASSES) -> dict[str, Any]:
    """The logits of texts of several lengths, whose ends are marked by a mask or by the padding id."""
    inputs = padded_texts(random, kind)
    made = loaded(implementation, random, kind)
    ids = np.where(inputs["padding_mask"], inputs["token_ids"], PADDING_ID)
    return {
        "the logits": made(inputs),
        Message("the logits where only the ids mark the padding"): made({"token_ids": ids}),
    }


def with_dropout(implementation: Proxy, random: Random, copies: int) -> dict[str, Any]:
    """The logits of copies of each text, outside training and in it; `drops_features_in_training` judges them."""
    # The projection rotates the first five features and ignores the others, so the logits show what was dropped.
    kernel = np.linalg.qr(random.standard_normal((NUM_CLASSES, NUM_CLASSES)))[0]
    projection = np.eye(HIDDEN_DIM, NUM_CLASSES) @ kernel, np.zeros(NUM_CLASSES)
    made = loaded(implementation, random, dropout=DROPOUT, projection=projection)
    inputs = {name: np.tile(array, (copies, 1)) for name, array in texts(random).items()}
    answers = {
        "kernel": kernel,
        "quiet": made(inputs, training=False),
        "quiet again": made(inputs, training=False),
        "training": made(inputs, training=True),
    }
    return {**answers, **with_encoder_dropout(implementation, random)}


def with_encoder_dropout(implementation: Proxy, random: Random, kind: Kind = OF_CLASSES) -> dict[str, Any]:
    """The logits outside training and in it if only the encoder has dropout; `encoder_never_drops` judges them."""
    made, few = loaded(implementation, random, kind, encoder_dropout=DROPOUT), texts(random, kind)
    return {
        "quiet encoder": made(few, training=False),
        "encoder in training": made(few, training=True),
    }


def drops_features_in_training(answers: dict[str, np.ndarray]) -> str | None:
    """What is wrong with the dropout of `with_dropout`, or None."""
    if not np.array_equal(answers["quiet"], answers["quiet again"]):
        return Message("drops outside training, too: two calls on the same inputs differ")
    if np.allclose(answers["training"], answers["quiet"], atol=1e-6):
        return Message("drops nothing in training, although dropout is {dropout}", dropout=DROPOUT)
    logits = {kind: answers[kind].reshape(-1, NUM_CLASSES) for kind in ("training", "quiet")}
    is_zero = logits["training"] == 0  # a whole row is 0 if all of its features were dropped
    if np.any(is_zero & ~is_zero.all(axis=1, keepdims=True)):
        return Message("drops logits, so that some are exactly 0")
    training, quiet = (logits[kind] @ np.linalg.inv(answers["kernel"]) for kind in ("training", "quiet"))
    return wrong_dropout(training, quiet, DROPOUT, Message("features")) or encoder_never_drops(answers)


def encoder_never_drops(answers: dict[str, np.ndarray]) -> str | None:
    if np.allclose(answers["encoder in training"], answers["quiet encoder"], atol=1e-6):
        return Message(
            "drops nothing inside the encoder in training, although the encoder's dropout is {dropout}", dropout=DROPOUT
        )
    return None


def compiled_logits(implementation: Proxy, random: Random, *of_a_text: int, kind: Kind = OF_CLASSES) -> dict[str, Any]:
    """The logits of a compiled model for another batch, and the gradients of all weights.

    Args:
        of_a_text: the shape of one text's logits.
    """
    made, inputs = loaded(implementation, random, kind), texts(random, kind)
    many = {name: np.tile(array, (44, 1)) for name, array in inputs.items()}
    along = random.standard_normal((kind.batch, *of_a_text)).astype("float32")
    return {"the logits in a compiled model": made.in_graph(many), **made.gradients(inputs, along=along, by=[""])}
