"""What goes wrong in dequantize."""

from __future__ import annotations

from grading.exercises.compression.checks import back

LEVELS, SCALE, ZERO_POINT = (f'ops.cast({name}, "float32")' for name in ("levels", "scale", "zero_point"))
WEIGHTS = f"({LEVELS} - {ZERO_POINT}) * {SCALE}"

back.mistake(
    "wraps_around",
    "The difference is computed in int8, where 127 - (-128) is -1.",
    hint="What is the largest difference of two levels, and what is the largest int8?",
    change={f"{LEVELS} - {ZERO_POINT}": 'ops.cast(levels - zero_point, "float32")'},
)
back.mistake(
    "zero_point_forgotten",
    "The zero point is not used.",
    hint="Which level stands for 0?",
    change={f" - {ZERO_POINT}": ""},
)
back.mistake(
    "zero_point_added",
    "The zero point is added instead of subtracted.",
    hint="`quantize` added it.",
    change={f" - {ZERO_POINT}": f" + {ZERO_POINT}"},
)
back.mistake(
    "scaled_first",
    "The zero point is subtracted after the multiplication by the scale.",
    hint="The zero point is a level, not a weight.",
    change={WEIGHTS: f"{LEVELS} * {SCALE} - {ZERO_POINT}"},
)
back.mistake(
    "divided",
    "The levels are divided by the scale.",
    hint="`quantize` divided the weights by it. What undoes that?",
    change={f" * {SCALE}": f" / {SCALE}"},
)
back.mistake(
    "rounded_again",
    "The result is rounded to integers again.",
    hint="Weights are fractions.",
    change={WEIGHTS: f"ops.round({WEIGHTS})"},
)
back.mistake(
    "in_float16",
    "The result is computed in half precision.",
    hint="What is the dtype of the scale, and of the result?",
    change={WEIGHTS: f"ops.cast({WEIGHTS}, 'float16')"},
)
