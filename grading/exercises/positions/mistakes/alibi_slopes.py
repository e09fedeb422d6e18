"""What goes wrong in alibi_slopes."""

from __future__ import annotations

from grading.exercises.positions.checks import slopes

JOINED = "np.concatenate([slopes(power), missing])"

slopes.mistake(
    "one_formula_for_all",
    "The formula for powers of two is used for every number of heads.",
    hint="12 heads have slopes that 8 heads have, and some more. Which comes first?",
    change={JOINED: "slopes(num_heads)"},
)
slopes.mistake(
    "from_zero",
    "h counts from 0, so the first slope is 1.",
    hint="Of 8 heads, the first has the slope 1/2.",
    change={"np.arange(1, heads + 1)": "np.arange(heads)"},
)
slopes.mistake(
    "of_the_next_higher",
    "Where n is no power of two, the first n slopes of the next higher one are taken.",
    hint="The next lower power comes first, whole.",
    change={JOINED: "slopes(2 ** math.ceil(math.log2(num_heads)))[:num_heads]"},
)
slopes.mistake(
    "the_other_half",
    "Of the slopes of twice as many heads, the second, the fourth and so on are taken; these are there already.",
    hint="Of 16 slopes, every second one is a slope of 8 heads, too. Take the others.",
    change={"[::2]": "[1::2]"},
)
slopes.mistake(
    "without_steps",
    "Of the slopes of twice as many heads, the first ones are taken; every second one is wanted.",
    hint="The slopes that are missing lie between those that are there, all along.",
    change={"[::2]": ""},
)
slopes.mistake(
    "sorted_slopes",
    "The slopes are sorted. Those that were missing come last, in the order in which they are taken.",
    hint="Weights belong to their heads: a head must keep the slope that it was trained with.",
    change={JOINED: f"np.sort({JOINED})[::-1]"},
)
slopes.mistake(
    "negative",
    "The slopes are negative. The minus belongs to the bias.",
    hint="A slope is between 0 and 1. Who takes the penalty off, the slope or the bias?",
    change={JOINED: f"-{JOINED}"},
)
slopes.mistake(
    "eight_forgotten",
    "The exponent is -h instead of -8h / n.",
    hint="Whatever the number of heads is, the last of a power of two has 2^-8.",
    change={"-8 / heads * np": "-np"},
)
slopes.mistake(
    "natural",
    "The powers are those of e; they should be those of 2.",
    hint="Of 8 heads, each slope is half of the one before.",
    change={"2.0 ** (": "math.e ** ("},
)
slopes.mistake(
    "reversed_slopes",
    "The slopes run the other way: the first head has the smallest.",
    hint="h = 1 is the first head. Is 2^(-8 / n) large or small?",
    change={JOINED: f"{JOINED}[::-1]"},
)
