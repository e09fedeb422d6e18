"""What goes wrong in quantize, and on the way back."""

from __future__ import annotations

from typing import Any

from keras import ops

import course.compression as right
from grading.exercises.compression.checks import back, rounding

Three = tuple[Any, Any, Any]


def others(weights: Any, axis: int) -> tuple[int, ...]:
    axes = len(weights.shape)
    return tuple(number for number in range(axes) if number != axis % axes)


def filled(scale: Any) -> Any:
    return ops.where(scale < 2e-38, 1.0, scale)


def largest(weights: Any, axes: tuple[int, ...]) -> Any:
    return ops.max(ops.abs(weights), axis=axes, keepdims=True)


def finished(levels: Any, scale: Any, zero_point: Any) -> Three:
    return ops.cast(levels, "int8"), scale, ops.cast(zero_point, "int8")


def with_scale(weights: Any, axis: int, bits: int, symmetric: bool, of_largest: Any) -> Three:
    """A symmetric one whose scale is found in another way."""
    if not symmetric:
        return right.quantize(weights, axis, bits, symmetric)
    weights, top = ops.cast(weights, "float32"), 2 ** (bits - 1) - 1
    scale = filled(of_largest(weights, others(weights, axis), top))
    return finished(ops.clip(ops.round(weights / scale), -top, top), scale, ops.zeros_like(scale))


def shifted(weights: Any, axis: int, bits: int, symmetric: bool, **steps: Any) -> Three:
    """One with a zero point, of which a step is another one."""
    if symmetric:
        return right.quantize(weights, axis, bits, symmetric)
    weights, axes = ops.cast(weights, "float32"), others(weights, axis)
    low, high = ops.min(weights, axis=axes, keepdims=True), ops.max(weights, axis=axes, keepdims=True)
    if steps.get("covers_0", True):
        low, high = ops.minimum(low, 0.0), ops.maximum(high, 0.0)
    first, last = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    scale = filled(high / steps.get("steps", 2**bits - 1) - low / steps.get("steps", 2**bits - 1))
    zero_point = steps.get("zero_point", lambda low, scale: ops.round(first - low / scale))(low, scale)
    levels = steps.get("levels", lambda w, scale, zero: ops.round(w / scale) + zero)(weights, scale, zero_point)
    return finished(ops.clip(levels, first, last), scale, ops.clip(zero_point, -128, 127))


@rounding.whole_mistake(
    "The scales belong to the other axis: one for each input instead of each output.",
    hint="`axis` is the one that keeps its size in the scale. Over which ones does the maximum go?",
)
def other_axis(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    axes = len(weights.shape)
    return right.quantize(weights, (axis + 1) % axes if axes > 1 else axis, bits, symmetric)


@rounding.whole_mistake(
    "There is one scale for all weights.",
    hint="A single large weight makes all others coarse. How many scales are asked for?",
)
def per_tensor(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    shape = [1] * len(weights.shape)
    shape[axis] = weights.shape[axis]
    levels, scale, zero = right.quantize(ops.reshape(weights, (1, -1)), 0, bits, symmetric)
    whole = ops.reshape(levels, weights.shape)
    return (
        whole,
        ops.broadcast_to(ops.reshape(scale, [1] * len(shape)), shape),
        ops.broadcast_to(ops.reshape(zero, [1] * len(shape)), shape),
    )


@rounding.whole_mistake(
    "The scale divides by 128, so that the largest weight would need a level that is not there, and is clipped.",
    hint="What is the highest number in int8?",
)
def by_128(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    return with_scale(weights, axis, bits, symmetric, lambda w, axes, top: largest(w, axes) / (top + 1))


@rounding.whole_mistake(
    "The scale divides by 127.5.",
    hint="Levels are whole numbers, from -127 to 127. Which one is the largest weight's?",
)
def by_half_of_255(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    return with_scale(weights, axis, bits, symmetric, lambda w, axes, top: largest(w, axes) / (top + 0.5))


@rounding.whole_mistake(
    "The scale is twice as large as it could be: it divides by 63.",
    hint="How many levels lie between 0 and the largest weight?",
)
def by_63(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    return with_scale(weights, axis, bits, symmetric, lambda w, axes, top: largest(w, axes) / (top // 2))


@rounding.whole_mistake(
    "The scale is made of the largest weight, not of the largest |w|: what is far below 0 is clipped.",
    hint="Which of -3 and 2 is farther from 0?",
)
def without_abs(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    return with_scale(
        weights, axis, bits, symmetric, lambda w, axes, top: ops.abs(ops.max(w, axis=axes, keepdims=True)) / top
    )


@rounding.whole_mistake(
    "The scale is made of the standard deviation: weights beyond some of these are clipped.",
    hint="No weight may move by more than half a step, the largest one neither.",
)
def by_deviation(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    return with_scale(
        weights, axis, bits, symmetric, lambda w, axes, top: 3 * ops.std(w, axis=axes, keepdims=True) / top
    )


@rounding.whole_mistake(
    "Fractions are cut off, not rounded.",
    hint="Casting to whole numbers cuts. By how much may a weight move?",
)
def truncated(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    _, scale, zero = right.quantize(weights, axis, bits, symmetric)
    levels = ops.cast(weights, "float32") / scale + ops.cast(zero, "float32")
    low = -(2 ** (bits - 1)) + symmetric
    return ops.cast(ops.clip(levels, low, 2 ** (bits - 1) - 1), "int8"), scale, zero


@rounding.whole_mistake(
    "Halves are always rounded up.",
    hint="Half of the halves go up, half of them down. Which ones does `ops.round` send where?",
)
def halves_up(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    _, scale, zero = right.quantize(weights, axis, bits, symmetric)
    levels = ops.floor(ops.cast(weights, "float32") / scale + 0.5) + ops.cast(zero, "float32")
    low = -(2 ** (bits - 1)) + symmetric
    return ops.cast(ops.clip(levels, low, 2 ** (bits - 1) - 1), "int8"), scale, zero


@rounding.whole_mistake(
    "A channel of zeros is divided by 0.",
    hint="Its largest |w| is 0, and so is its scale. Which scale does no harm there?",
)
def divided_by_zero(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    weights, top = ops.cast(weights, "float32"), 2 ** (bits - 1) - 1
    levels, scale, zero = right.quantize(weights, axis, bits, symmetric)
    empty = ops.equal(largest(weights, others(weights, axis)), 0.0)
    return ops.where(empty, ops.cast(-top - 1, "int8"), levels), ops.where(empty, float("nan"), scale), zero


@rounding.whole_mistake(
    "A small number is added to every scale, so that constant channels do not come back as they were.",
    hint="Where is it needed, and where does it only do harm?",
)
def epsilon_everywhere(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    levels, scale, zero = right.quantize(weights, axis, bits, symmetric)
    return levels, scale + 1e-4, zero


@rounding.whole_mistake(
    "The scale is the other way round: what weights are multiplied with, not levels.",
    hint="ŵ = levels · scale. Is yours above or below 1 for small weights?",
)
def inverse_scale(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    levels, scale, zero = right.quantize(weights, axis, bits, symmetric)
    return levels, 1 / scale, zero


@rounding.whole_mistake(
    "The scale has lost its axes of size 1: it broadcasts along the wrong axis, or not at all.",
    hint="`keepdims` leaves them there.",
)
def without_keepdims(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    levels, scale, zero = right.quantize(weights, axis, bits, symmetric)
    return levels, ops.reshape(scale, (-1,)), ops.reshape(zero, (-1,))


@rounding.whole_mistake(
    "Where it is not symmetric, the range need not hold 0: 0 has no level of its own.",
    hint="Padding is 0, and must stay 0. From where to where do your levels go if all weights are above 3?",
)
def without_0(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    return shifted(weights, axis, bits, symmetric, covers_0=False)


@rounding.whole_mistake(
    "The zero point has the wrong sign.",
    hint="The lowest weight should have the lowest level. Put it into your formula.",
)
def zero_point_turned(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    return shifted(
        weights, axis, bits, symmetric, zero_point=lambda low, scale: ops.round(low / scale + 2 ** (bits - 1))
    )


@rounding.whole_mistake(
    "The zero point is that of levels from 0 to 255, and is clipped to int8.",
    hint="Your lowest level is -128. Which one does the lowest weight get?",
)
def zero_point_of_uint8(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    return shifted(weights, axis, bits, symmetric, zero_point=lambda low, scale: ops.round(-low / scale))


@rounding.whole_mistake(
    "The range is divided by 256 instead of 255.",
    hint="Between 256 levels there are how many steps?",
)
def by_256(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    return shifted(weights, axis, bits, symmetric, steps=2**bits)


@rounding.whole_mistake(
    "The zero point is cut, not rounded.",
    hint="It is rounded as the levels are.",
)
def zero_point_cut(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    return shifted(
        weights, axis, bits, symmetric, zero_point=lambda low, scale: ops.floor(-(2 ** (bits - 1)) - low / scale)
    )


@rounding.whole_mistake(
    "The zero point is subtracted from the levels, where it should be added.",
    hint="On the way back it is subtracted.",
)
def zero_point_subtracted(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    return shifted(weights, axis, bits, symmetric, levels=lambda w, scale, zero: ops.round(w / scale) - zero)


@rounding.whole_mistake(
    "It is always symmetric.",
    hint="`symmetric` is an argument.",
)
def always_symmetric(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    return right.quantize(weights, axis, bits, True)


@rounding.whole_mistake(
    "There are always 8 bits.",
    hint="`bits` is an argument. How many levels do 4 bits have?",
)
def always_8(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    return right.quantize(weights, axis, 8, symmetric)


@rounding.whole_mistake(
    "The levels are whole, but still floats: they take four times the room.",
    hint="What is the dtype of your levels?",
)
def still_floats(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    levels, scale, zero = right.quantize(weights, axis, bits, symmetric)
    return ops.cast(levels, "float32"), scale, zero


@rounding.whole_mistake(
    "The scale is kept in half precision, where weights come in it.",
    hint="A scale stands for thousands of weights, and needs next to no room.",
)
def half_scale(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    levels, scale, zero = right.quantize(weights, axis, bits, symmetric)
    return levels, ops.cast(scale, weights.dtype), zero


@back.whole_mistake(
    "The difference is taken in int8, where 127 - (-128) is -1.",
    hint="Which is the largest difference of two levels, and which the largest number in int8?",
)
def wraps_around(levels: Any, scale: Any, zero_point: Any) -> Any:
    return ops.cast(levels - zero_point, "float32") * scale


@back.whole_mistake(
    "The zero point is not used.",
    hint="Which level stands for 0?",
)
def zero_point_forgotten(levels: Any, scale: Any, zero_point: Any) -> Any:
    return ops.cast(levels, "float32") * scale


@back.whole_mistake(
    "The zero point is added.",
    hint="It was added on the way there.",
)
def zero_point_added(levels: Any, scale: Any, zero_point: Any) -> Any:
    return (ops.cast(levels, "float32") + ops.cast(zero_point, "float32")) * scale


@back.whole_mistake(
    "The zero point is subtracted after scaling.",
    hint="It is a level, and not a weight.",
)
def scaled_first(levels: Any, scale: Any, zero_point: Any) -> Any:
    return ops.cast(levels, "float32") * scale - ops.cast(zero_point, "float32")


@back.whole_mistake(
    "It is divided by the scale.",
    hint="On the way there, weights were divided by it. What undoes that?",
)
def divided(levels: Any, scale: Any, zero_point: Any) -> Any:
    return (ops.cast(levels, "float32") - ops.cast(zero_point, "float32")) / scale


@back.whole_mistake(
    "The result is rounded to whole numbers again.",
    hint="Weights are fractions.",
)
def rounded_again(levels: Any, scale: Any, zero_point: Any) -> Any:
    return ops.round(right.dequantize(levels, scale, zero_point))


@back.whole_mistake(
    "It is computed in half precision.",
    hint="What is the dtype of the scale, and of what comes out?",
)
def in_float16(levels: Any, scale: Any, zero_point: Any) -> Any:
    return ops.cast(right.dequantize(levels, scale, zero_point), "float16")


@rounding.whole_mistake(
    "A scale that is small, but above 0, is not taken as it is: all tiny weights become 0.",
    hint="Only where all weights are 0, the scale is 1. A floor under all scales loses weights.",
)
def least_scale(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> Three:
    def never_small(w: Any, axes: tuple[int, ...], top: int) -> Any:
        scale = largest(w, axes) / top
        return ops.where(scale == 0, 1.0, ops.maximum(scale, 1e-7))

    return with_scale(weights, axis, bits, symmetric, never_small)
