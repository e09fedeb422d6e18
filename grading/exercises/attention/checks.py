"""Checks of the attention that students write. All sizes in a check differ, so that mixed-up axes show."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.exercises.compiled import same_when_compiled
from grading.exercises.random_arrays import Random, normal, projections
from grading.judging.dropout import wrong_dropout
from grading.judging.exercise import Chapter
from grading.judging.proxies import Proxy, with_dtypes
from grading.messages import Message

chapter = Chapter(3, "Attention", "course.attention")

READY_MADE = (
    "keras.layers.MultiHeadAttention",
    "keras.layers.GroupQueryAttention",
    "keras.layers.Attention",
    "keras.layers.AdditiveAttention",
    "keras.ops.dot_product_attention",
)

LONG = 131  # more than 128 tokens, so that a table or constant of a fixed size shows

attention = chapter.exercise("scaled_dot_product_attention", ready_made=READY_MADE)
padding = chapter.exercise("padding_mask")
causal = chapter.exercise("causal_mask")
split = chapter.exercise("split_heads")
merge = chapter.exercise("merge_heads")
layer = chapter.exercise("MultiHeadAttention", ready_made=READY_MADE)


def query_key_value(random: Random, dtype: str = "float32", keys: int = 7) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two texts, three heads, five queries, seven keys, keys of width four, values of width six."""
    return (
        normal(random, 2, 3, 5, 4, dtype=dtype),
        normal(random, 2, 3, keys, 4, dtype=dtype),
        normal(random, 2, 3, keys, 6, dtype=dtype),
    )


def last_keys_forbidden() -> np.ndarray:
    """(batch, 1, 1, key): the first text has seven tokens, the second four and three of padding."""
    return np.arange(7) < np.array([7, 4])[:, None, None, None]


# scaled_dot_product_attention ------------------------------------------------------------------------------


@attention.check("follows softmax(QKᵀ / √d_k) V", points=2)
def formula(implementation: Proxy, random: Random) -> Any:
    query, key, value = query_key_value(random)
    # Scores of about 200 and -200, which differ as much as others do.
    far = query.copy()
    far[..., 0] = np.array([20, -20, 20, -20, 20])
    near = key.copy()
    near[..., 0] = 20
    return {
        **implementation.after_another(lambda: query_key_value(random)),
        "the result where scores are far from 0": implementation(far, near, value),
    }


@attention.check("gives no weight to a forbidden key", points=1)
def forbidden_keys(implementation: Proxy, random: Random) -> Any:
    query, key, value = query_key_value(random)
    mask = last_keys_forbidden()
    # However well a forbidden key fits, it gets no weight, and the other scores must not be lost in rounding.
    fitting = np.where(np.moveaxis(mask, -1, -2), key, 1e5 * key).astype("float32")
    low, high = (random.uniform(130, 160, array.shape).astype("float32") for array in (query, key))
    weights = implementation(-low, high, value, mask=mask)[-1]
    return {
        "forbidden keys": implementation(query, key, value, mask=mask),
        "forbidden keys that fit best": implementation(query, fitting, value, mask=mask),
        # Only these weights, because the others are lost in rounding where somebody subtracts a logsumexp.
        "the weights of forbidden keys where all scores are below -30,000": weights[1, ..., 4:],
        "keys that are forbidden for all queries": implementation(query, key, value, mask=np.arange(7) % 3 > 0),
    }


@attention.check("follows a mask that differs from query to query", points=1)
def mask_by_query(implementation: Proxy, random: Random) -> Any:
    # Scores reach 10 and more, so that clipping them shows.
    query, key, value = 5 * normal(random, 2, 6, 4), normal(random, 2, 6, 4), normal(random, 2, 6, 3)
    of_all_heads = np.arange(6)[:, None] + 1 >= np.arange(6)
    of_each_head = (random.random_sample((3, 5, 7)) < 0.5) | np.eye(5, 7, dtype=bool)
    return {
        "the result": implementation(query, key, value, mask=of_all_heads),
        "the result where each head has its own mask": implementation(*query_key_value(random), mask=of_each_head),
        "the result of a single text without heads": implementation(query[0], key[0], value[0], mask=of_all_heads),
        "the result with five axes": implementation(query[None, None], key[None, None], value[None, None]),
        "the result of one query and one key": implementation(query[:, :1], key[:, :1], value[:, :1]),
    }


_SMALL, _THOUSAND = Message("small scores"), Message("scores around a thousand")


def _finite_everywhere(answers: dict[str, Any]) -> str | None:
    for case, answer in answers.items():
        arrays = answer.values() if isinstance(answer, dict) else answer
        if not all(np.isfinite(array.astype("float32")).all() for array in arrays if array is not None):
            return Message("gives NaN or infinity with {case}", case=case)
    of_small, of_thousand = (answers[case][1].sum(axis=-1) for case in (_SMALL, _THOUSAND))
    # If the weights never sum to 1, the mistake is another one.
    if np.allclose(of_small, 1, atol=1e-3) and not np.allclose(of_thousand, 1, atol=1e-3):
        worst = of_thousand.flat[np.abs(of_thousand - 1).argmax()]
        return Message(
            "gives weights with {thousand} that sum to {worst}, not to 1", thousand=_THOUSAND, worst=f"{worst:.3g}"
        )
    return None


@attention.check(
    "returns no NaN, neither for a query that may attend to nothing nor for large scores",
    points=1,
    judge=_finite_everywhere,
)
def finite(implementation: Proxy, random: Random) -> Any:
    query, key, value = query_key_value(random)
    nothing = np.ones((5, 7), bool)
    nothing[2] = False
    half = [array.astype("float16") for array in (query, key, value)]
    return {
        _SMALL: implementation(query, key, value),
        _THOUSAND: implementation(100 * query, 10 * key, value),
        Message("a query that may attend to nothing"): implementation(query, key, value, mask=nothing),
        Message("a query that may attend to nothing, in float16"): implementation(*half, mask=nothing),
        Message("a query that may attend to nothing, in the gradient"): implementation.gradients(
            query, key, value, along=normal(random, 2, 3, 5, 6), by=("query", "key", "value"), mask=nothing
        ),
    }


@attention.check("is also right in float16", points=0.5, tolerance=1e-2)
def half_precision(implementation: Proxy, random: Random) -> Any:
    in_double = with_dtypes(implementation(*query_key_value(random, "float64")))
    # A sum of exponentials is about 70,000 here, and the largest number of float16 is 65,504.
    many = normal(random, 70_000, 2).astype("float16") / 8
    of_many = implementation(many[:1], many, many)[-1]
    return {
        **with_dtypes(implementation(*query_key_value(random, "float16"), mask=last_keys_forbidden())),
        "in float64": in_double,
        "the sum of the weights of 70,000 keys": np.asarray(of_many, "float64").sum(),
    }


@attention.check("runs in a compiled model, and passes gradients on", points=0.5)
def compiled(implementation: Proxy, random: Random) -> Any:
    query, key, value = query_key_value(random, keys=LONG)
    along = normal(random, 2, 3, 5, 6)
    return {
        "the output in a compiled model": implementation.in_graph(query, key, value),
        "whether a mask does the same in a compiled model": same_when_compiled(
            implementation, query, key, value, np.arange(LONG) < np.array([LONG, 4])[:, None, None, None]
        ),
        **implementation.gradients(query, key, value, along=along, by=("query", "key", "value")),
    }


# The masks -------------------------------------------------------------------------------------------------


@padding.check("is True at tokens and False at padding, for every head and query", points=1)
def tokens_and_padding(implementation: Proxy, random: Random) -> Any:
    def padded() -> list[np.ndarray]:
        token_ids = random.randint(1, 50, (3, 7)).astype("int32")
        # The lengths are random, so that answers copied from the check in the notebook do not fit.
        token_ids[np.arange(7) >= random.permutation(6)[:3, None] + 1] = 0
        return [token_ids]

    return implementation.after_another(padded)


@padding.check("follows padding_id, wherever padding stands", points=1)
def other_padding_id(implementation: Proxy, random: Random) -> Any:
    return {
        "the mask": implementation(random.randint(0, 4, (2, LONG)).astype("int32"), padding_id=3),
        "the mask of texts of which one is all padding": implementation(np.array([[5, 6, 0], [0, 0, 0]], "int32")),
        "the mask of texts that begin with padding": implementation(np.array([[0, 0, 5, 9], [0, 7, 6, 3]], "int32")),
        "the mask of ids from a large vocabulary": implementation(np.array([[65_539, 3, 131_075, 2]], "int32"), 3),
        "the mask of ids next to a large padding_id": implementation(
            np.array([[70_000, 70_001, 70_002]], "int32"), padding_id=70_001
        ),
    }


@causal.check("lets a query see itself and earlier tokens, and nothing later", points=0.5)
def lower_triangle(implementation: Proxy, random: Random) -> Any:
    # A table that is computed once has 512 rows at most, as many as BERT has positions.
    lengths = [1, *random.permutation(np.arange(3, 9))[:2].tolist(), LONG, 515]
    return {Message("the mask of length {length}", length=length): implementation(length) for length in lengths}


@causal.check("runs in a compiled model, where the length is a tensor", points=0.5)
def compiled_triangle(implementation: Proxy, random: Random) -> Any:
    return implementation.in_graph(np.array(random.randint(3, 9), "int32"))


# The heads -------------------------------------------------------------------------------------------------


@split.check("gives each head its own part of every token's features", points=1)
def features_by_head(implementation: Proxy, random: Random) -> Any:
    return implementation.after_another(lambda: (normal(random, 2, 5, 12), 3))


@split.check("runs in a compiled model, for any batch and length", points=1)
def compiled_split(implementation: Proxy, random: Random) -> Any:
    x = normal(random, 2, LONG, 20)
    gradients = implementation.gradients(x, 4, along=normal(random, 2, 4, LONG, 5), by=("x", ""))
    return {
        "the heads in a compiled model": implementation.in_graph(x, 4),
        "whether head_dim is known in a compiled model": implementation.known_sizes(x, 4)[0][-1],
        **gradients,
        "a single head": implementation(x, 1),
        "one token of whole numbers, one for each head": with_dtypes(
            implementation(np.array([[[4, 7, 9]]], "int32"), 3)
        ),
        "in float16": with_dtypes(implementation(x[:, :3].astype("float16"), 4)),
    }


@merge.check("puts a token's heads side by side again", points=1)
def heads_side_by_side(implementation: Proxy, random: Random) -> Any:
    return implementation.after_another(lambda: [normal(random, 2, 3, 5, 4)])


@merge.check("runs in a compiled model, for any batch and length", points=1)
def compiled_merge(implementation: Proxy, random: Random) -> Any:
    x = normal(random, 3, 4, LONG, 5)
    gradients = implementation.gradients(x, along=normal(random, 3, LONG, 20), by=["x"])
    return {
        "the tokens in a compiled model": implementation.in_graph(x),
        **gradients,
        "of a single head": implementation(x[:, :1]),
        "one token of whole numbers, one for each head": with_dtypes(
            implementation(np.array([[[[4]], [[7]], [[9]]]], "int32"))
        ),
        "in float16": with_dtypes(implementation(x[:, :, :3].astype("float16"))),
    }


# MultiHeadAttention ----------------------------------------------------------------------------------------

HIDDEN_DIM, NUM_HEADS = 12, 3


def built(implementation: Proxy, width: int, context_width: int | None, **options: Any) -> Proxy:
    made = implementation(**{"hidden_dim": HIDDEN_DIM, "num_heads": NUM_HEADS, **options})
    contexts = [np.zeros((2, 7, context_width), "float32")] if context_width else []
    made.build(np.zeros((2, 5, width), "float32"), *contexts)
    return made


def loaded(implementation: Proxy, random: Random, inputs: np.ndarray, *context: np.ndarray, **options: Any) -> Proxy:
    """A layer with random parameters, built once for all checks that use the same options."""
    width, context_width = inputs.shape[-1], context[0].shape[-1] if context else None
    made = implementation.once(built, width=width, context_width=context_width, **options)
    made.load(projections(random, width, context_width or width, HIDDEN_DIM))
    return made


@layer.check("computes softmax(QKᵀ / √d_k) V in every head, with projections before and after", points=3)
def every_head(implementation: Proxy, random: Random) -> Any:
    inputs = normal(random, 2, 5, 8)
    return loaded(implementation, random, inputs).with_one(inputs)


@layer.check("lets no query attend to padding", points=1.5)
def no_padding(implementation: Proxy, random: Random) -> Any:
    inputs = normal(random, 2, 5, 8)
    real = np.array([[True] * 5, [True, True, True, False, False]])
    return loaded(implementation, random, inputs)(inputs, attention_mask=real[:, None, None, :])


@layer.check("also takes a mask of (batch, query, key) or (query, key)", points=0.5)
def masks_of_fewer_axes(implementation: Proxy, random: Random) -> Any:
    inputs = normal(random, 2, 5, 8)
    made = loaded(implementation, random, inputs)
    # Each query sees itself, and by chance some others.
    of_each_text = (random.random_sample((2, 5, 5)) < 0.5) | np.eye(5, dtype=bool)
    of_each_head = (random.random_sample((2, NUM_HEADS, 5, 5)) < 0.5) | np.eye(5, dtype=bool)
    return {
        "the output under a mask of (batch, head, query, key)": made(inputs, attention_mask=of_each_head),
        "the output under a mask of (batch, query, key)": made(inputs, attention_mask=of_each_text),
        "the output under a mask of (query, key)": made(inputs, attention_mask=of_each_text[1]),
    }


@layer.check("attends to a context of another length and width", points=1)
def other_context(implementation: Proxy, random: Random) -> Any:
    inputs, context = normal(random, 2, 5, 8), normal(random, 2, 7, 10)
    made = loaded(implementation, random, inputs, context)
    along = normal(random, 2, 5, HIDDEN_DIM)
    return {
        "the output": made(inputs, context, attention_mask=last_keys_forbidden()),
        **made.gradients(inputs, context, along=along, by=("inputs", "context")),
        "the output where tokens, context and output have one size": one_size(implementation, random),
    }


def one_size(implementation: Proxy, random: Random) -> Any:
    """The output where sizes are equal, as in BERT: code that recognizes an axis by its size fails here."""
    inputs, context = normal(random, 2, 5, HIDDEN_DIM), normal(random, 2, 5, HIDDEN_DIM)
    return loaded(implementation, random, inputs, context)(inputs, context)


@layer.check("returns the weights of every head if asked", points=1)
def weights_returned(implementation: Proxy, random: Random) -> Any:
    inputs, context = normal(random, 2, 5, 8), normal(random, 2, 7, 10)
    asked_for = loaded(implementation, random, inputs, context)(inputs, context, return_weights=True)
    dropping = loaded(implementation, random, inputs, dropout=DROPOUT)
    answer = dropping(inputs, training=True, return_weights=True)
    before_dropout = answer[-1] if isinstance(answer, list | tuple) else None  # an array has no second value
    return {"the output and the weights": asked_for, "the weights in training": before_dropout}


HEAD_DIM, DROPOUT = HIDDEN_DIM // NUM_HEADS, 0.3


def turn(random: Random, width: int) -> np.ndarray:
    return np.linalg.qr(normal(random, width, width))[0]


def shown_weights(random: Random, value: np.ndarray, output: np.ndarray) -> dict[str, np.ndarray]:
    """Parameters with which the output shows every weight, if the tokens are the first unit vectors.

    In each head, the value of the j-th token is the j-th row of a rotation, so that a head's output is its row of
    weights, rotated. The output projection then rotates all heads together. The judge undoes both rotations.
    """
    values = projections(random, 8, 8, HIDDEN_DIM)
    values["value/kernel"][:HEAD_DIM] = np.tile(value, NUM_HEADS)
    values["output/kernel"] = output
    for bias in ("value/bias", "output/bias"):
        values[bias] *= 0
    return values


def _drops_in_training_only(answers: dict[str, np.ndarray]) -> str | None:
    """All texts of the batch are the same, so where their outputs differ, something was dropped."""
    quiet, training = answers["quiet"], answers["training"]
    if not np.allclose(quiet, quiet[:1], atol=1e-5):
        return Message("drops weights outside training, too: the same text twice gives two outputs")
    if not np.allclose(answers["a plain call"], answers["a plain call"][:1], atol=1e-5):
        return Message("drops weights in a call without `training`, too: the same text twice gives two outputs")
    if np.allclose(training, training[:1], atol=1e-5):
        return Message("drops nothing in training, although dropout is 0.3")
    if np.array_equal(training, answers["training again"]):
        return Message("drops the same weights in every call")
    merged = [outputs @ answers["output"].T for outputs in (training, quiet)]
    for what, (there, at_rest) in {Message("output"): (training, quiet), Message("merged heads"): merged}.items():
        if wrong_dropout(there, at_rest, DROPOUT, what) is None:
            return Message("drops features of the {what}; it should drop attention weights", what=what)
    in_training, at_rest = (heads.reshape(*heads.shape[:-1], NUM_HEADS, -1) @ answers["value"].T for heads in merged)
    return wrong_dropout(in_training, at_rest, rate=DROPOUT, what=Message("weights")) or _drops_under_a_mask(answers)


def _drops_under_a_mask(answers: dict[str, np.ndarray]) -> str | None:
    """The numbers of the forbidden token are huge. If they count outside training, too, another check says so."""
    quiet, training = answers["quiet under a mask"], answers["training under a mask"]
    if np.abs(quiet).max() > 1e3:
        return None
    if np.abs(training).max() > 1e3:
        return Message("attends in training to what the mask forbids")
    if np.allclose(training, quiet, atol=1e-5):
        return Message("drops nothing in training if there is a mask")
    return None


@layer.check("applies dropout to the weights, in training only", points=1, judge=_drops_in_training_only)
def dropout(implementation: Proxy, random: Random) -> Any:
    turns = {"value": turn(random, HEAD_DIM), "output": turn(random, HIDDEN_DIM)}
    inputs = np.repeat(np.eye(HEAD_DIM, 8, dtype="float32")[None], 60, axis=0)
    made = implementation.once(built, width=8, context_width=None, dropout=DROPOUT)
    made.load(shown_weights(random, **turns))
    huge, allowed = inputs.copy(), np.arange(HEAD_DIM) < HEAD_DIM - 1
    huge[:, -1] *= 1e6
    under_a_mask = {
        name: made(huge, attention_mask=allowed[None, None, None], training=training)[:, :-1]
        for name, training in (("quiet under a mask", False), ("training under a mask", True))
    }
    return {
        **turns,
        **under_a_mask,
        "quiet": made(inputs, training=False),
        "a plain call": made(inputs),
        "training": made(inputs, training=True),
        "training again": made(inputs, training=True),
    }


@layer.check("is right in mixed precision, too", points=1, tolerance=3e-2)
def mixed_precision(implementation: Proxy, random: Random) -> Any:
    inputs = normal(random, 2, 5, 8)
    made = loaded(implementation, random, inputs, dtype="mixed_float16")
    real = np.array([[True] * 5, [True, True, True, False, False]])
    double = loaded(implementation, random, inputs, dtype="float64")
    return {
        **with_dtypes(made(inputs, attention_mask=real[:, None, None, :]), made),
        "in double precision": double.dtypes_of_weights(),
    }


@layer.check("trains in a compiled model, and is the same after saving and loading", points=1, slow=True)
def compiled_and_saved(implementation: Proxy, random: Random) -> Any:
    inputs, many = normal(random, 2, 5, 8), normal(random, 2, LONG, 8)
    made = loaded(implementation, random, inputs)
    return {
        "the output in a compiled model": made.in_graph(many),
        "whether a mask does the same in a compiled model": same_when_compiled(
            made, inputs, attention_mask=np.arange(5) < np.array([5, 3])[:, None, None, None]
        ),
        # In a long text, a student's earlier mistake may make the scores too steep for gradients in float32.
        **made.gradients(inputs, along=normal(random, 2, 5, HIDDEN_DIM), by=["inputs"]),
        "the output of the layer from the file": made.saved(inputs)(inputs),
        **implementation(HIDDEN_DIM, NUM_HEADS).weights_of_build((2, 5, 8), (2, 3, 8)),
    }


@layer.has_named_weights
def parts(implementation: Proxy) -> dict[str, bool]:
    """Any layout of the weights is right, but published weights fit into this one only."""
    made = implementation(hidden_dim=HIDDEN_DIM, num_heads=NUM_HEADS)
    values = projections(np.random.RandomState(0), width=8, context_width=8, hidden_dim=HIDDEN_DIM)
    return made.has_weights_at({name.replace("/", "_dense."): value.shape for name, value in values.items()}, (2, 5, 8))
