"""What goes wrong in rotary_frequencies."""

from __future__ import annotations

from grading.exercises.positions.checks import frequencies

EVEN = "even = np.arange(0, head_dim, 2)"
POWERS = "base ** (-even / head_dim)"

frequencies.mistake(
    "without_two",
    "The exponent is -i / head_dim instead of -2i / head_dim, so the frequencies fall half as fast.",
    hint="For the last pair, i is head_dim / 2 - 1. Which exponent should it have, and which one does it get?",
    change={EVEN: "even = np.arange(head_dim // 2)"},
)
frequencies.mistake(
    "from_one",
    "i counts from 1, so the first frequency is not 1.",
    hint="The paper counts from 1 and writes i - 1. Here i counts from 0.",
    change={EVEN: "even = np.arange(2, head_dim + 2, 2)"},
)
frequencies.mistake(
    "rising",
    "The frequencies rise instead of falling: the exponent has the wrong sign.",
    hint="The first pair rotates by 1 radian per step, and no pair rotates faster.",
    change={POWERS: "base ** (even / head_dim)"},
)
frequencies.mistake(
    "subtracted",
    "The power is subtracted from 1 instead of dividing 1, so most frequencies are negative.",
    hint="A negative exponent is a division. Which one?",
    change={POWERS: "1 - base ** (even / head_dim)"},
)
frequencies.mistake(
    "one_a_feature",
    "There are head_dim frequencies instead of half as many.",
    hint="Two features make a pair, and both rotate by the same angle.",
    change={EVEN: "even = np.arange(head_dim)"},
)
frequencies.mistake(
    "each_twice",
    "Each frequency appears twice, once for each feature of a pair. Some code for RoPE needs that; `rotate` does not.",
    hint="The shape is (head_dim / 2,): one frequency per pair.",
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
    "The exponents fall evenly to -1, so the last frequency is 1 / base.",
    hint="np.linspace includes its end. Which exponent does the last pair have?",
    change={EVEN: "even = np.linspace(0, head_dim, head_dim // 2)"},
)
frequencies.mistake(
    "whole",
    "The frequencies are integers: all but the first are 0.",
    hint="An integer array cuts off all digits after the decimal point.",
    change={'"float32"': '"int32"'},
)
frequencies.mistake(
    "kept_without_base",
    "Frequencies are kept by head_dim alone, so with another base those of the first one come back.",
    hint="What must your table know besides head_dim?",
    change={
        "base: float = 10000.0": "base: float = 10000.0, kept={}",
        f"({POWERS})": f"kept.setdefault(head_dim, {POWERS})",
    },
)
