"""What goes wrong in rotate."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

import course.positions as right
from grading.exercises.positions.checks import rotation


def halves(x: Any) -> Any:
    return ops.split(ops.convert_to_tensor(x), 2, axis=-1)


def in_float32(x: Any, first: Any, second: Any) -> Any:
    """Both halves side by side, in the dtype of x."""
    return ops.cast(ops.concatenate([first, second], axis=-1), x.dtype)


def parts(x: Any, cos: Any, sin: Any) -> Any:
    first, second = halves(ops.cast(x, "float32"))
    return first, second, ops.convert_to_tensor(cos), ops.convert_to_tensor(sin)


def neighbours(x: Any, cos: Any, sin: Any) -> Any:
    """The rotation of features 2i and 2i + 1."""
    x = ops.convert_to_tensor(x)
    first, second = (ops.cast(part, "float32") for part in (x[..., 0::2], x[..., 1::2]))
    turned = ops.stack([first * cos - second * sin, second * cos + first * sin], axis=-1)
    return ops.cast(ops.reshape(turned, ops.shape(x)), x.dtype)


@rotation.whole_mistake(
    "Neighbours are paired, features 2i and 2i + 1. That is right for GPT-J's weights, and not here.",
    hint="The paper pairs neighbours, too. Here feature i of the first half goes with feature i of the second half.",
)
def interleaved(x: Any, cos: Any, sin: Any) -> Any:
    return neighbours(x, cos, sin)


@rotation.whole_mistake(
    "Cosines and sines are repeated as for neighbours, (θ0, θ0, θ1, θ1), but the features are paired by halves.",
    hint="The two features of a pair must turn by one angle. Which cosine do features i and i + head_dim / 2 get?",
)
def repeated_for_neighbours(x: Any, cos: Any, sin: Any) -> Any:
    first, second, cos, sin = parts(x, cos, sin)
    cos, sin = ops.repeat(cos, 2, axis=-1), ops.repeat(sin, 2, axis=-1)
    turned = ops.concatenate([first, second], -1) * cos + ops.concatenate([-second, first], -1) * sin
    return ops.cast(turned, x.dtype)


@rotation.whole_mistake(
    "Cosines and sines are doubled as for halves, (θ0, θ1, θ0, θ1), but neighbours are paired.",
    hint="The two features of a pair must turn by one angle. Which cosine do features 2i and 2i + 1 get?",
)
def doubled_for_halves(x: Any, cos: Any, sin: Any) -> Any:
    x = ops.convert_to_tensor(x)
    cos, sin = (ops.concatenate([part, part], axis=-1) for part in (cos, sin))
    precise = ops.cast(x, "float32")
    swapped = ops.reshape(ops.stack([-precise[..., 1::2], precise[..., 0::2]], axis=-1), ops.shape(x))
    return ops.cast(precise * cos + swapped * sin, x.dtype)


@rotation.whole_mistake(
    "Everything is turned the other way round: by the negative angle.",
    hint="By a quarter turn, (1, 0) becomes (0, 1). Which of the two sines has the minus?",
)
def other_way_round(x: Any, cos: Any, sin: Any) -> Any:
    return right.rotate(x, cos, -ops.convert_to_tensor(sin))


@rotation.whole_mistake(
    "A sign is lost: the first half is a cos α + b sin α.",
    hint="A rotation keeps lengths. Try a quarter turn of (1, 1).",
)
def sign_lost(x: Any, cos: Any, sin: Any) -> Any:
    first, second, cos, sin = parts(x, cos, sin)
    return in_float32(x, first * cos + second * sin, second * cos + first * sin)


@rotation.whole_mistake(
    "Nothing is turned: each feature is multiplied by its cosine plus its sine.",
    hint="In a rotation, each feature of a pair gets something from the other one.",
)
def scaled_only(x: Any, cos: Any, sin: Any) -> Any:
    first, second, cos, sin = parts(x, cos, sin)
    return in_float32(x, first * (cos + sin), second * (cos + sin))


@rotation.whole_mistake(
    "Only the first half is new; the second is passed on as it was.",
    hint="Both features of a pair move.",
)
def second_half_kept(x: Any, cos: Any, sin: Any) -> Any:
    first, second, cos, sin = parts(x, cos, sin)
    return in_float32(x, first * cos - second * sin, second)


@rotation.whole_mistake(
    "The second half is computed from the first half's new values.",
    hint="Both sums need the old values. Which one did you overwrite?",
)
def overwritten(x: Any, cos: Any, sin: Any) -> Any:
    first, second, cos, sin = parts(x, cos, sin)
    first = first * cos - second * sin
    return in_float32(x, first, second * cos + first * sin)


@rotation.whole_mistake(
    "It is turned twice, by double the angle.",
    hint="Queries are turned once, keys are turned once. The product sees the difference by itself.",
)
def twice(x: Any, cos: Any, sin: Any) -> Any:
    return right.rotate(right.rotate(x, cos, sin), cos, sin)


@rotation.whole_mistake(
    "Cosine and sine are exchanged.",
    hint="At position 0 the cosine is 1 and the sine 0, and nothing may change there.",
)
def exchanged(x: Any, cos: Any, sin: Any) -> Any:
    return right.rotate(x, sin, cos)


@rotation.whole_mistake(
    "The sum of x cos α and the turned x sin α is missing one part: only the turned one is left.",
    hint="x cos α + (−b, a) sin α has two terms.",
)
def without_cosine(x: Any, cos: Any, sin: Any) -> Any:
    return right.rotate(x, 0 * ops.convert_to_tensor(cos), sin)


@rotation.whole_mistake(
    "The halves are put together in the wrong order.",
    hint="Where the angle is 0, the result is x itself.",
)
def halves_exchanged(x: Any, cos: Any, sin: Any) -> Any:
    first, second = halves(right.rotate(x, cos, sin))
    return ops.concatenate([second, first], axis=-1)


@rotation.whole_mistake(
    "The pairs come out as neighbours: they are stacked and reshaped, instead of put back as halves.",
    hint="What was feature i of the second half must stand there again.",
)
def put_back_as_neighbours(x: Any, cos: Any, sin: Any) -> Any:
    first, second = halves(right.rotate(x, cos, sin))
    return ops.reshape(ops.stack([first, second], axis=-1), ops.shape(x))


@rotation.whole_mistake(
    "Cosine and sine are cast to float16 before they are multiplied.",
    hint="Where two large products cancel, what was rounded before is all that is left.",
)
def cast_before(x: Any, cos: Any, sin: Any) -> Any:
    x = ops.convert_to_tensor(x)
    first, second = halves(x)
    cos, sin = ops.cast(cos, x.dtype), ops.cast(sin, x.dtype)
    return ops.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)


@rotation.whole_mistake(
    "No gradient comes through: the rotation is computed outside of the backend.",
    hint="NumPy knows nothing of gradients, and of graphs neither. Use keras.ops.",
)
def in_numpy(x: Any, cos: Any, sin: Any) -> Any:
    return right.rotate(*(keras.ops.convert_to_numpy(part) for part in (x, cos, sin)))


@rotation.whole_mistake(
    "The length is taken for the axis of the heads: each head is turned by the angle of one position.",
    hint="The length is the last axis but one. In which axes do cosine and sine broadcast?",
)
def by_heads(x: Any, cos: Any, sin: Any) -> Any:
    x, cos, sin = (ops.convert_to_tensor(part) for part in (x, cos, sin))
    if len(x.shape) == 4 and len(cos.shape) == 2:
        cos, sin = (part[: x.shape[1], None, :] for part in (cos, sin))
    return right.rotate(x, cos, sin)


@rotation.whole_mistake(
    "All texts are turned by the angles of the first one.",
    hint="Where each text has positions of its own, cosine and sine have an axis for the batch.",
)
def by_the_first_text(x: Any, cos: Any, sin: Any) -> Any:
    cos, sin = (ops.convert_to_tensor(part) for part in (cos, sin))
    return right.rotate(x, cos[:1], sin[:1]) if len(cos.shape) == 4 else right.rotate(x, cos, sin)
