"""What goes wrong in alibi_slopes."""

from __future__ import annotations

from grading.exercises.positions.checks import slopes

JOINED = "np.concatenate([slopes(power), missing])"

slopes.mistake(
    "one_formula_for_all",
    "The formula for powers of two is used for every number of heads.",
    hint="12 heads have the slopes of 8 heads, and four more. Which come first?",
    change={JOINED: "slopes(num_heads)"},
)
slopes.mistake(
    "from_zero",
    "h counts from 0, so the first slope is 1.",
    hint="With 8 heads, the first slope is 1/2.",
    change={"np.arange(1, heads + 1)": "np.arange(heads)"},
)
slopes.mistake(
    "of_the_next_higher",
    "If n is not a power of two, the first n slopes of the next higher power are taken.",
    hint="All slopes of the next lower power come first.",
    change={JOINED: "slopes(2 ** math.ceil(math.log2(num_heads)))[:num_heads]"},
)
slopes.mistake(
    "the_other_half",
    "Of the slopes of twice as many heads, the second, fourth, ... are taken; those are in the list already.",
    hint="With 16 heads, every second slope is also a slope of 8 heads. Take the others.",
    change={"[::2]": "[1::2]"},
)
slopes.mistake(
    "without_steps",
    "Of the slopes of twice as many heads, the first ones are taken instead of every second one.",
    hint="The missing slopes lie between the ones you have.",
    change={"[::2]": ""},
)
slopes.mistake(
    "sorted_slopes",
    "The slopes are sorted. The extra slopes come last, in the order in which they are taken.",
    hint="Weights belong to their heads: a head must keep the slope that it was trained with.",
    change={JOINED: f"np.sort({JOINED})[::-1]"},
)
slopes.mistake(
    "negative",
    "The slopes are negative. The minus belongs to the bias.",
    hint="A slope is between 0 and 1. Where does the minus sign appear: in the slope or in the bias?",
    change={JOINED: f"-{JOINED}"},
)
slopes.mistake(
    "eight_forgotten",
    "The exponent is -h instead of -8h / n.",
    hint="For any power of two, the last head has the slope 2^-8.",
    change={"-8 / heads * np": "-np"},
)
slopes.mistake(
    "natural",
    "The slopes are powers of e instead of powers of 2.",
    hint="With 8 heads, each slope is half of the one before.",
    change={"2.0 ** (": "math.e ** ("},
)
slopes.mistake(
    "reversed_slopes",
    "The order is reversed: the first head has the smallest slope.",
    hint="h = 1 is the first head. Is 2^(-8 / n) large or small?",
    change={JOINED: f"{JOINED}[::-1]"},
)
