"""Checks of the embeddings that students write. All sizes in a check differ, so that mixed-up axes show."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.exercises.compiled import same_when_compiled
from grading.judging.dropout import wrong_dropout
from grading.judging.exercise import Chapter
from grading.judging.proxies import Proxy, with_dtypes
from grading.messages import Message

chapter = Chapter(2, "Embeddings", "course.embeddings")

Random = np.random.RandomState

positions = chapter.exercise("sinusoidal_positions")
embedding = chapter.exercise("BertEmbedding")


# sinusoidal_positions --------------------------------------------------------------------------------------

# Powers of 10000 in float32 have an error of about 1e-6, which the position multiplies.
IN_FLOAT32 = 1e-4


@positions.check("starts with position 0: sines of 0 and cosines of 1 alternate", points=1, tolerance=IN_FLOAT32)
def position_zero(implementation: Proxy, random: Random) -> Any:
    return implementation(length=1, hidden_dim=2 * random.randint(4, 9))


@positions.check("has the sines in features 0, 2, 4, ...", points=1, tolerance=IN_FLOAT32)
def sines(implementation: Proxy, random: Random) -> Any:
    length, hidden_dim = 2 * random.randint(4, 7) + 1, 2 * random.randint(6, 9)
    return np.asarray(implementation(length=length, hidden_dim=hidden_dim))[:, 0::2]


@positions.check("has the cosines in features 1, 3, 5, ...", points=1, tolerance=10 * IN_FLOAT32)
def cosines(implementation: Proxy, random: Random) -> Any:
    length, hidden_dim = 2 * random.randint(65, 68) + 1, 2 * random.randint(3, 5)
    table = implementation(length=length, hidden_dim=hidden_dim)
    return {
        **with_dtypes(np.asarray(table)[:, 1::2]),
        # float16 cannot hold an odd number above 2,048.
        "the cosines of positions above 4,096": np.asarray(implementation(length=4101, hidden_dim=2))[4093:, 1],
        "the cosines of 1,030 features": np.asarray(implementation(length=3, hidden_dim=1030))[:, 1::2],
    }


# BertEmbedding ---------------------------------------------------------------------------------------------

VOCABULARY_SIZE, HIDDEN_DIM, MAX_LENGTH = 17, 8, 131
BATCH, LENGTH = 3, 5
DROPOUT = 0.3


def token_ids(random: Random, length: int = LENGTH) -> np.ndarray:
    return random.randint(0, VOCABULARY_SIZE, (BATCH, length)).astype("int32")


def segment_ids(random: Random, num_segments: int = 2) -> np.ndarray:
    return random.randint(0, num_segments, (BATCH, LENGTH)).astype("int32")


def built(implementation: Proxy, max_length: int, **options: Any) -> Proxy:
    made = implementation(VOCABULARY_SIZE, HIDDEN_DIM, max_length, **{"dropout": 0.0, **options})
    made.build(np.zeros((BATCH, LENGTH), "int32"))
    return made


def loaded(
    implementation: Proxy,
    random: Random,
    *,
    tables: tuple[str, ...] = ("token", "position", "segment"),
    scale: float = 100.0,
    num_segments: int = 2,
    max_length: int = MAX_LENGTH,
    **options: Any,
) -> Proxy:
    """A layer with random numbers in these tables and 0 in the others, built once for each set of options.

    The numbers are so large that the usual values of epsilon make no difference.
    """
    made = implementation.once(built, max_length=max_length, num_segments=num_segments, **options)
    rows = {"token": VOCABULARY_SIZE, "position": max_length, "segment": num_segments}
    values = {name: scale * random.standard_normal((rows[name], HIDDEN_DIM)) for name in rows}
    parameters = {f"{name}_embedding/embeddings": (name in tables) * values[name] for name in rows}
    parameters["norm/gamma"] = 1 + 0.5 * random.standard_normal(HIDDEN_DIM)
    parameters["norm/beta"] = random.standard_normal(HIDDEN_DIM)
    made.load({name: value.astype("float32") for name, value in parameters.items()})
    return made


@embedding.check("looks up the vector of each token and normalizes it", points=2)
def tokens(implementation: Proxy, random: Random) -> Any:
    return loaded(implementation, random, tables=("token",)).with_one(token_ids(random), segment_ids(random))


@embedding.check("adds the vector of each position before normalizing", points=2)
def adds_positions(implementation: Proxy, random: Random) -> Any:
    made = loaded(implementation, random, tables=("token", "position"))
    return made(token_ids(random), segment_ids(random))


@embedding.check("adds the vector of each segment, for any num_segments", points=2)
def adds_segments(implementation: Proxy, random: Random) -> Any:
    given = token_ids(random)
    answers = {}
    for number in (2, 4):
        made = loaded(implementation, random, tables=("token", "segment"), num_segments=number)
        answers[
            Message("the output with {count} segments", plural="the output with {count} segments", count=number)
        ] = made(given, segment_ids(random, number))
    answers[Message("the output without segment_ids")] = made(given)
    return answers


@embedding.check("takes texts of 1 to max_length tokens", points=1)
def shortest_and_longest(implementation: Proxy, random: Random) -> Any:
    made = loaded(implementation, random)
    return {
        Message("the output for length {length}", length=length): made(token_ids(random, length))
        for length in (1, MAX_LENGTH)
    }


@embedding.check("adds epsilon to the variance, even to a very small one", points=1)
def small_variance(implementation: Proxy, random: Random) -> Any:
    given = token_ids(random)
    return {
        "the output with BERT's epsilon": loaded(implementation, random, scale=0.02)(given),
        "the output with epsilon=0.002": loaded(implementation, random, scale=0.02, epsilon=0.002)(given),
    }


def _drops_after_normalizing(answers: dict[str, np.ndarray]) -> str | None:
    quiet, training = answers["quiet"], answers["training"]
    if not np.array_equal(quiet, answers["quiet again"]):
        return Message("drops features outside training, too: two calls on the same ids differ")
    if np.array_equal(training, quiet):
        return Message("drops nothing in training, although dropout is 0.3")
    if np.array_equal(training, answers["training again"]):
        return Message("drops the same features in every call")
    if not (training == 0).any():
        return Message(
            "changes features in training, but sets none of its output to 0, as it would if dropout came last"
        )
    return wrong_dropout(training, quiet, DROPOUT, Message("features"))


@embedding.check("applies dropout last, in training only", points=1, judge=_drops_after_normalizing)
def dropout(implementation: Proxy, random: Random) -> Any:
    given = token_ids(random, length=53)
    made = loaded(implementation, random, dropout=DROPOUT)
    return {
        "quiet": made(given, training=False),
        "quiet again": made(given, training=False),
        "training": made(given, training=True),
        "training again": made(given, training=True),
    }


@embedding.check("runs in a compiled model, and is the same after saving and loading", points=1)
def compiled_and_saved(implementation: Proxy, random: Random) -> Any:
    given = token_ids(random), segment_ids(random)
    along = random.standard_normal((BATCH, LENGTH, HIDDEN_DIM)).astype("float32")
    # The larger the numbers of the tables, the smaller their gradients compared with those of the normalization.
    made = loaded(implementation, random, scale=30.0)
    return {
        "the output in a compiled model": made.in_graph(*given),
        "whether a compiled model does the same without segment_ids": same_when_compiled(made, given[0]),
        **made.gradients(*given, along=along, by=("", "")),
        "the output of the layer from the file": made.saved(*given)(*given),
        **implementation(VOCABULARY_SIZE, HIDDEN_DIM, MAX_LENGTH).weights_of_build((BATCH, LENGTH)),
        **implementation.once(built, max_length=MAX_LENGTH, num_segments=5).at_first(),
        **implementation.once(built, max_length=MAX_LENGTH, dtype="mixed_float16").dtypes_of_weights(),
        "in double precision": implementation.once(built, max_length=MAX_LENGTH, dtype="float64").dtypes_of_weights(),
    }


@embedding.has_named_weights
def parts(implementation: Proxy) -> dict[str, bool]:
    """The layer may keep its tables in any way and be right, but published weights fit only into these."""
    made = implementation(VOCABULARY_SIZE, HIDDEN_DIM, MAX_LENGTH)
    rows = {"token": VOCABULARY_SIZE, "position": MAX_LENGTH, "segment": 2}
    shapes = {f"{name}_embedding.embeddings": (number, HIDDEN_DIM) for name, number in rows.items()}
    norm = {"norm.gamma": (HIDDEN_DIM,), "norm.beta": (HIDDEN_DIM,)}
    table = {"token_embeddings": (VOCABULARY_SIZE, HIDDEN_DIM)}
    return made.has_weights_at({**shapes, **norm, **table}, (BATCH, LENGTH))
