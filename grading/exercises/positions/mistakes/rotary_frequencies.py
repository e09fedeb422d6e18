"""What goes wrong in rotary_frequencies."""

from __future__ import annotations

from grading.exercises.positions.checks import frequencies

EVEN = "even = np.arange(0, head_dim, 2)"
POWERS = "base ** (-even / head_dim)"

frequencies.mistake(
    "without_two",
    "The exponent is -i / head_dim instead of -2i / head_dim: the waves slow down half as fast.",
    hint="For the last pair, i is head_dim / 2 - 1. What is its exponent to be, and what is yours?",
    change={EVEN: "even = np.arange(head_dim // 2)"},
)
frequencies.mistake(
    "from_one",
    "i counts from 1, so the first frequency is not 1.",
    hint="The paper counts from 1 and writes i - 1 for it. Here i counts from 0.",
    change={EVEN: "even = np.arange(2, head_dim + 2, 2)"},
)
frequencies.mistake(
    "rising",
    "The frequencies rise instead of falling: the sign of the exponent is lost.",
    hint="The first pair turns by 1 radian a step, and no pair turns faster.",
    change={POWERS: "base ** (even / head_dim)"},
)
frequencies.mistake(
    "subtracted",
    "The power is taken from 1 instead of 1 being divided by it: most frequencies are negative.",
    hint="A negative exponent is a division. Which one?",
    change={POWERS: "1 - base ** (even / head_dim)"},
)
frequencies.mistake(
    "one_a_feature",
    "There are head_dim frequencies instead of half as many.",
    hint="Two features make a pair, and a pair turns as one.",
    change={EVEN: "even = np.arange(head_dim)"},
)
frequencies.mistake(
    "each_twice",
    "Each frequency is there twice. That is how some rotations want their cosines, but not this one.",
    hint="(head_dim / 2,) is wanted: one for each pair.",
    change={f"({POWERS})": f"np.tile({POWERS}, 2)"},
)
frequencies.mistake(
    "constant_base",
    "The base is ignored: it is always 10000.",
    hint="Models for long texts have a larger base. Use the argument.",
    change={"base ** (": "10000.0 ** ("},
)
frequencies.mistake(
    "down_to_the_base",
    "The exponents run evenly down to -1: the last pair turns by 1 / base.",
    hint="np.linspace includes its end. Which exponent does the last pair have?",
    change={EVEN: "even = np.linspace(0, head_dim, head_dim // 2)"},
)
frequencies.mistake(
    "whole",
    "The frequencies are whole numbers: all but the first are 0.",
    hint="An array of whole numbers cuts off what stands behind the point.",
    change={'"float32"': '"int32"'},
)
