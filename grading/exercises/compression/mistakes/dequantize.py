"""What goes wrong in dequantize."""

from __future__ import annotations

from grading.exercises.compression.checks import back

LEVELS, SCALE, ZERO_POINT = (f'ops.cast({name}, "float32")' for name in ("levels", "scale", "zero_point"))
WEIGHTS = f"({LEVELS} - {ZERO_POINT}) * {SCALE}"

back.mistake(
    "wraps_around",
    "The difference is taken in int8, where 127 - (-128) is -1.",
    hint="Which is the largest difference of two levels, and which the largest number in int8?",
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
    "The zero point is added.",
    hint="It was added on the way there.",
    change={f" - {ZERO_POINT}": f" + {ZERO_POINT}"},
)
back.mistake(
    "scaled_first",
    "The zero point is subtracted after scaling.",
    hint="It is a level, and not a weight.",
    change={WEIGHTS: f"{LEVELS} * {SCALE} - {ZERO_POINT}"},
)
back.mistake(
    "divided",
    "It is divided by the scale.",
    hint="On the way there, weights were divided by it. What undoes that?",
    change={f" * {SCALE}": f" / {SCALE}"},
)
back.mistake(
    "rounded_again",
    "The result is rounded to whole numbers again.",
    hint="Weights are fractions.",
    change={WEIGHTS: f"ops.round({WEIGHTS})"},
)
back.mistake(
    "in_float16",
    "It is computed in half precision.",
    hint="What is the dtype of the scale, and of what comes out?",
    change={WEIGHTS: f"ops.cast({WEIGHTS}, 'float16')"},
)
