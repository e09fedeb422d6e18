"""What must hold of the attention that students write. All sizes in a check differ: no axis can be mixed up."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.judging.exercise import Chapter
from grading.judging.proxies import Proxy

chapter = Chapter(3, "Attention", "course.attention")

READY_MADE = (
    "keras.layers.MultiHeadAttention",
    "keras.layers.GroupQueryAttention",
    "keras.layers.Attention",
    "keras.layers.AdditiveAttention",
    "keras.ops.dot_product_attention",
)

Random = np.random.RandomState

attention = chapter.exercise("scaled_dot_product_attention", ready_made=READY_MADE)
padding = chapter.exercise("padding_mask")
causal = chapter.exercise("causal_mask")
split = chapter.exercise("split_heads")
merge = chapter.exercise("merge_heads")
layer = chapter.exercise("MultiHeadAttention", ready_made=READY_MADE)


def normal(random: Random, *shape: int, dtype: str = "float32") -> np.ndarray:
    return random.standard_normal(shape).astype(dtype)


def query_key_value(random: Random, dtype: str = "float32") -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two texts, three heads, five queries, seven keys, keys of width four, values of width six."""
    return (
        normal(random, 2, 3, 5, 4, dtype=dtype),
        normal(random, 2, 3, 7, 4, dtype=dtype),
        normal(random, 2, 3, 7, 6, dtype=dtype),
    )


def last_keys_forbidden() -> np.ndarray:
    """(batch, 1, 1, key): the first text has seven tokens, the second four and three of padding."""
    return np.arange(7) < np.array([7, 4])[:, None, None, None]


# scaled_dot_product_attention ------------------------------------------------------------------------------


@attention.check("follows softmax(QKᵀ / √d_k) V", points=2)
def formula(implementation: Proxy, random: Random) -> Any:
    return implementation(*query_key_value(random))


@attention.check("gives a forbidden key no weight", points=1)
def forbidden_keys(implementation: Proxy, random: Random) -> Any:
    return implementation(*query_key_value(random), mask=last_keys_forbidden())


@attention.check("follows a mask that differs from query to query", points=1)
def mask_by_query(implementation: Proxy, random: Random) -> Any:
    query, key, value = normal(random, 2, 6, 4), normal(random, 2, 6, 4), normal(random, 2, 6, 3)
    return implementation(query, key, value, mask=np.arange(6)[:, None] + 1 >= np.arange(6))


def _finite_everywhere(answers: dict[str, Any]) -> str | None:
    for case, (output, weights) in answers.items():
        if not (np.isfinite(output.astype("float32")).all() and np.isfinite(weights.astype("float32")).all()):
            return f"gives NaN or infinity with {case}"
    return None


@attention.check(
    "gives no NaN: not where a query may attend to nothing, and not at large scores",
    points=1,
    judge=_finite_everywhere,
)
def finite(implementation: Proxy, random: Random) -> Any:
    query, key, value = query_key_value(random)
    nothing = np.ones((5, 7), bool)
    nothing[2] = False
    half = [array.astype("float16") for array in (query, key, value)]
    return {
        "scores of a thousand": implementation(100 * query, 10 * key, value),
        "a query that may attend to nothing": implementation(query, key, value, mask=nothing),
        "a query that may attend to nothing, in float16": implementation(*half, mask=nothing),
    }


@attention.check("is right in float16, too", points=0.5, tolerance=1e-2)
def half_precision(implementation: Proxy, random: Random) -> Any:
    return implementation(*query_key_value(random, "float16"), mask=last_keys_forbidden())


@attention.check("runs in a compiled model, and passes gradients on", points=0.5)
def compiled(implementation: Proxy, random: Random) -> Any:
    query, key, value = query_key_value(random)
    along = normal(random, 2, 3, 5, 6)
    return {
        "the output in a compiled model": implementation.in_graph(query, key, value),
        **implementation.gradients(query, key, value, along=along, by=("query", "key", "value")),
    }


# The masks -------------------------------------------------------------------------------------------------


@padding.check("is True at tokens and False at padding, for every head and query", points=1)
def tokens_and_padding(implementation: Proxy, random: Random) -> Any:
    token_ids = random.randint(1, 50, (3, 7)).astype("int32")
    # Lengths that nobody knows: answers that were copied from the check in the notebook do not fit.
    token_ids[np.arange(7) >= random.randint(1, 7, (3, 1))] = 0
    return implementation(token_ids)


@padding.check("takes another padding id, wherever it stands", points=1)
def other_padding_id(implementation: Proxy, random: Random) -> Any:
    token_ids = random.randint(0, 4, (2, 7)).astype("int32")
    return implementation(token_ids, padding_id=3)


@causal.check("lets a query see itself and what came before, and nothing later", points=1)
def lower_triangle(implementation: Proxy, random: Random) -> Any:
    lengths = [1, *random.permutation(np.arange(3, 9))[:2].tolist()]
    return {f"the mask of length {length}": implementation(length) for length in lengths}


# The heads -------------------------------------------------------------------------------------------------


@split.check("gives each head its own part of every token's features", points=1)
def features_by_head(implementation: Proxy, random: Random) -> Any:
    return implementation(normal(random, 2, 5, 12), 3)


@split.check("runs in a compiled model, for any batch and length", points=1)
def compiled_split(implementation: Proxy, random: Random) -> Any:
    return implementation.in_graph(normal(random, 2, 7, 20), 4)


@merge.check("puts a token's heads side by side again", points=1)
def heads_side_by_side(implementation: Proxy, random: Random) -> Any:
    return implementation(normal(random, 2, 3, 5, 4))


@merge.check("runs in a compiled model, for any batch and length", points=1)
def compiled_merge(implementation: Proxy, random: Random) -> Any:
    return implementation.in_graph(normal(random, 3, 4, 7, 5))


# MultiHeadAttention ----------------------------------------------------------------------------------------

HIDDEN_DIM, NUM_HEADS = 12, 3


def parameters(random: Random, width: int, context_width: int) -> dict[str, np.ndarray]:
    """Random values for every parameter, by the library's names."""
    widths = {"query": width, "key": context_width, "value": context_width, "output": HIDDEN_DIM}
    values = {}
    for name, rows in widths.items():
        values[f"{name}/kernel"] = 0.5 * normal(random, rows, HIDDEN_DIM)
        values[f"{name}/bias"] = 0.5 * normal(random, HIDDEN_DIM)
    return values


def built(implementation: Proxy, width: int, context_width: int | None, **options: Any) -> Proxy:
    made = implementation(hidden_dim=HIDDEN_DIM, num_heads=NUM_HEADS, **options)
    contexts = [np.zeros((2, 7, context_width), "float32")] if context_width else []
    made.build(np.zeros((2, 5, width), "float32"), *contexts)
    return made


def loaded(implementation: Proxy, random: Random, inputs: np.ndarray, *context: np.ndarray, **options: Any) -> Proxy:
    """A layer with random parameters, built once for all checks that want it with the same options."""
    width, context_width = inputs.shape[-1], context[0].shape[-1] if context else None
    made = implementation.once(built, width=width, context_width=context_width, **options)
    made.load(parameters(random, width, context_width or width))
    return made


@layer.check("is softmax(QKᵀ / √d_k) V in every head, projected before and after", points=3)
def every_head(implementation: Proxy, random: Random) -> Any:
    inputs = normal(random, 2, 5, 8)
    return loaded(implementation, random, inputs)(inputs)


@layer.check("lets no query attend to padding", points=2)
def no_padding(implementation: Proxy, random: Random) -> Any:
    inputs = normal(random, 2, 5, 8)
    real = np.array([[True] * 5, [True, True, True, False, False]])
    return loaded(implementation, random, inputs)(inputs, attention_mask=real[:, None, None, :])


@layer.check("attends to a context of another length and width", points=1)
def other_context(implementation: Proxy, random: Random) -> Any:
    inputs, context = normal(random, 2, 5, 8), normal(random, 2, 7, 10)
    made = loaded(implementation, random, inputs, context)
    along = normal(random, 2, 5, HIDDEN_DIM)
    return {
        "the output": made(inputs, context, attention_mask=last_keys_forbidden()),
        **made.gradients(inputs, context, along=along, by=("inputs", "context")),
    }


@layer.check("returns the weights of every head where asked", points=1)
def weights_returned(implementation: Proxy, random: Random) -> Any:
    inputs, context = normal(random, 2, 5, 8), normal(random, 2, 7, 10)
    return loaded(implementation, random, inputs, context)(inputs, context, return_weights=True)


def _drops_in_training_only(answers: dict[str, np.ndarray]) -> str | None:
    """Both texts of the batch are the same: where their outputs differ, something was dropped."""
    (quiet, quiet_again), (training, training_again) = answers["quiet"], answers["training"]
    if not np.allclose(quiet, quiet_again, atol=1e-5):
        return "drops weights outside training, too: the same text twice gives two outputs"
    if np.allclose(training, training_again, atol=1e-5):
        return "drops nothing in training, although dropout is 0.5"
    if np.array_equal(answers["training"], answers["training again"]):
        return "drops the same weights in every call"
    return None


@layer.check("drops weights in training, and only there", points=1, judge=_drops_in_training_only)
def dropout(implementation: Proxy, random: Random) -> Any:
    inputs = np.repeat(normal(random, 1, 5, 8), 2, axis=0)
    made = loaded(implementation, random, inputs, dropout=0.5)
    return {
        "quiet": made(inputs, training=False),
        "training": made(inputs, training=True),
        "training again": made(inputs, training=True),
    }


@layer.check("is right in mixed precision, too", points=1, tolerance=3e-2)
def mixed_precision(implementation: Proxy, random: Random) -> Any:
    inputs = normal(random, 2, 5, 8)
    made = loaded(implementation, random, inputs, dtype="mixed_float16")
    real = np.array([[True] * 5, [True, True, True, False, False]])
    return made(inputs, attention_mask=real[:, None, None, :])


@layer.check("trains in a compiled model, and comes back from a file as it was", points=1)
def compiled_and_saved(implementation: Proxy, random: Random) -> Any:
    inputs = normal(random, 2, 5, 8)
    made = loaded(implementation, random, inputs)
    return {
        "the output in a compiled model": made.in_graph(inputs),
        **made.gradients(inputs, along=normal(random, 2, 5, HIDDEN_DIM), by=["inputs"]),
        "the output of the layer from the file": made.saved(inputs)(inputs),
    }
