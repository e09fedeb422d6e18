"""What goes wrong in rotary_frequencies and rotary_angles."""

from __future__ import annotations

from typing import Any

import numpy as np
from keras import ops

import course.positions as right
from grading.exercises.positions.checks import angles, frequencies


def powers(exponents: Any, base: float) -> np.ndarray:
    return (base ** np.asarray(exponents, "float64")).astype("float32")


@frequencies.whole_mistake(
    "The exponent is -i / head_dim instead of -2i / head_dim: the waves slow down half as fast.",
    hint="For the last pair, i is head_dim / 2 - 1. What is its exponent to be, and what is yours?",
)
def without_two(head_dim: int, base: float = 10000.0) -> Any:
    return powers(-np.arange(head_dim // 2) / head_dim, base)


@frequencies.whole_mistake(
    "i counts from 1, so the first frequency is not 1.",
    hint="The paper counts from 1 and writes i - 1 for it. Here i counts from 0.",
)
def from_one(head_dim: int, base: float = 10000.0) -> Any:
    return powers(-2 * np.arange(1, head_dim // 2 + 1) / head_dim, base)


@frequencies.whole_mistake(
    "The frequencies rise instead of falling: the sign of the exponent is lost.",
    hint="The first pair turns by 1 radian a step, and no pair turns faster.",
)
def rising(head_dim: int, base: float = 10000.0) -> Any:
    return powers(2 * np.arange(head_dim // 2) / head_dim, base)


@frequencies.whole_mistake(
    "The power is taken from 1 instead of 1 being divided by it: most frequencies are negative.",
    hint="A negative exponent is a division. Which one?",
)
def subtracted(head_dim: int, base: float = 10000.0) -> Any:
    return 1 - powers(2 * np.arange(head_dim // 2) / head_dim, base)


@frequencies.whole_mistake(
    "There are head_dim frequencies instead of half as many.",
    hint="Two features make a pair, and a pair turns as one.",
)
def one_a_feature(head_dim: int, base: float = 10000.0) -> Any:
    return powers(-np.arange(head_dim) / head_dim, base)


@frequencies.whole_mistake(
    "Each frequency is there twice. That is how some rotations want their cosines, but not this one.",
    hint="(head_dim / 2,) is wanted: one for each pair.",
)
def each_twice(head_dim: int, base: float = 10000.0) -> Any:
    return np.tile(right.rotary_frequencies(head_dim, base), 2)


@frequencies.whole_mistake(
    "The base is ignored: it is always 10000.",
    hint="Models for long texts have a larger base. Use the argument.",
)
def constant_base(head_dim: int, base: float = 10000.0) -> Any:
    return right.rotary_frequencies(head_dim)


@frequencies.whole_mistake(
    "The exponents run evenly down to -1: the last pair turns by 1 / base.",
    hint="np.linspace includes its end. Which exponent does the last pair have?",
)
def down_to_the_base(head_dim: int, base: float = 10000.0) -> Any:
    return powers(-np.linspace(0, 1, head_dim // 2), base)


@frequencies.whole_mistake(
    "The frequencies are whole numbers: all but the first are 0.",
    hint="An array of whole numbers cuts off what stands behind the point.",
)
def whole(head_dim: int, base: float = 10000.0) -> Any:
    return right.rotary_frequencies(head_dim, base).astype("int32")


@angles.whole_mistake(
    "Positions count from 1 on top of what was given: every angle is off by one step.",
    hint="The positions are given. Take them as they are.",
)
def one_step_on(positions: Any, frequencies: Any) -> Any:
    return right.rotary_angles(ops.convert_to_tensor(positions) + 1, frequencies)


@angles.whole_mistake(
    "The positions are counted anew from 0, whatever is given.",
    hint="The positions are an argument: a text may begin anywhere.",
)
def counted_anew(positions: Any, frequencies: Any) -> Any:
    count = ops.cast(ops.arange(positions.shape[-1]), "int32")
    return right.rotary_angles(ops.zeros_like(ops.cast(positions, "int32")) + count, frequencies)


@angles.whole_mistake(
    "Sine and cosine are returned in the wrong order.",
    hint="Look at the docstring: the cosine comes first.",
)
def exchanged(positions: Any, frequencies: Any) -> Any:
    cos, sin = right.rotary_angles(positions, frequencies)
    return sin, cos


@angles.whole_mistake(
    "The angles are taken for degrees: they are turned into radians once more.",
    hint="A frequency of 1 is one radian a step.",
)
def degrees(positions: Any, frequencies: Any) -> Any:
    return right.rotary_angles(positions, ops.convert_to_tensor(frequencies) * (np.pi / 180))


@angles.whole_mistake(
    "The angles are the positions divided by the frequencies.",
    hint="A frequency says how far a pair turns in one step. How far does it turn in ten?",
)
def divided(positions: Any, frequencies: Any) -> Any:
    return right.rotary_angles(positions, 1 / ops.convert_to_tensor(frequencies))


@angles.whole_mistake(
    "The angles are returned themselves, without cosine and sine.",
    hint="Two things are wanted: the cosine of each angle, and its sine.",
)
def bare(positions: Any, frequencies: Any) -> Any:
    return ops.cast(positions, "float32")[..., None] * frequencies


@angles.whole_mistake(
    "The axes are (head_dim / 2, length): a row a frequency.",
    hint="A row is a position, a column a pair.",
)
def transposed(positions: Any, frequencies: Any) -> Any:
    return tuple(ops.swapaxes(part, -1, -2) for part in right.rotary_angles(positions, frequencies))


@angles.whole_mistake(
    "Each cosine and sine is there twice, for head_dim features. Here one for each pair is wanted.",
    hint="Some rotations want them twice. Look at the shape in the docstring.",
)
def doubled(positions: Any, frequencies: Any) -> Any:
    return tuple(ops.concatenate([part, part], axis=-1) for part in right.rotary_angles(positions, frequencies))


@angles.whole_mistake(
    "Positions of each text have no axis for the heads: the result is (batch, length, head_dim / 2).",
    hint="Queries are (batch, heads, length, head_dim). What broadcasts over the second axis?",
)
def without_heads(positions: Any, frequencies: Any) -> Any:
    cos, sin = right.rotary_angles(positions, frequencies)
    return (cos[:, 0], sin[:, 0]) if len(cos.shape) == 4 else (cos, sin)


@angles.whole_mistake(
    "All texts get the positions of the first one.",
    hint="Where positions are (batch, length), each row is a text of its own.",
)
def of_the_first_text(positions: Any, frequencies: Any) -> Any:
    positions = ops.convert_to_tensor(positions)
    if len(positions.shape) == 2:
        positions = ops.zeros_like(positions) + positions[:1]
    return right.rotary_angles(positions, frequencies)


@angles.whole_mistake(
    "The angles are computed in the positions' dtype: in float16, large ones are coarse.",
    hint="float16 has 11 bits for 399.5. Cast the positions before you multiply.",
)
def in_their_dtype(positions: Any, frequencies: Any) -> Any:
    positions = ops.convert_to_tensor(positions)
    if "float" in str(positions.dtype):
        frequencies = ops.cast(frequencies, positions.dtype)
        coarse = positions[..., None] * frequencies
        return ops.cos(ops.cast(coarse, "float32")), ops.sin(ops.cast(coarse, "float32"))
    return right.rotary_angles(positions, frequencies)


@angles.whole_mistake(
    "The angles are computed in bfloat16, which cannot count beyond 256: positions 256 and 257 are one.",
    hint="Angles are computed in float32, whatever the layer's dtype is.",
)
def in_bfloat16(positions: Any, frequencies: Any) -> Any:
    return right.rotary_angles(ops.cast(ops.cast(positions, "bfloat16"), "float32"), frequencies)


@angles.whole_mistake(
    "There is a table of fixed length: positions beyond it get its last row.",
    hint="A text may be longer than any table. What do you need a table for?",
)
def fixed_table(positions: Any, frequencies: Any) -> Any:
    return right.rotary_angles(ops.minimum(ops.cast(positions, "int32"), 255), frequencies)
