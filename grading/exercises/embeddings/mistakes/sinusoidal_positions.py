"""Known mistakes in sinusoidal_positions."""

from __future__ import annotations

from grading.exercises.embeddings.checks import positions

SINES, COSINES = "np.sin(angle)", "np.cos(angle)"

positions.mistake(
    "halves",
    "The first half of the features are sines, the second half cosines; they must alternate.",
    hint="Features 0 and 1 are one pair. Which slice of the table holds features 0, 2, 4, ...?",
    change={"table[:, 0::2]": "table[:, : hidden_dim // 2]", "table[:, 1::2]": "table[:, hidden_dim // 2 :]"},
)
positions.mistake(
    "exchanged",
    "Sines and cosines are swapped.",
    hint="What is sin(0), and what is cos(0)? Position 0 begins with one of them.",
    change={SINES: COSINES, COSINES: SINES},
)
positions.mistake(
    "half_the_exponent",
    "The exponent is i / hidden_dim instead of 2i / hidden_dim: the wavelengths grow too slowly.",
    hint="i counts pairs, so it ends at half of hidden_dim. How close to 1 must the last exponent be?",
    change={"np.arange(0, hidden_dim, 2)": "np.arange(hidden_dim // 2)"},
)
positions.mistake(
    "twice_the_exponent",
    "The exponent is 4i / hidden_dim instead of 2i / hidden_dim: the wavelengths grow too fast.",
    hint="If your i already goes 0, 2, 4, ..., is that the i of the equation, or its 2i?",
    change={"even / hidden_dim": "2 * even / hidden_dim"},
)
positions.mistake(
    "own_wavelengths",
    "Each cosine has a wavelength of its own; it must have that of the sine before it.",
    hint="In the equation, what angle does feature 2i have, and what angle feature 2i + 1?",
    change={
        "np.arange(0, hidden_dim, 2)": "np.arange(hidden_dim)",
        SINES: "np.sin(angle[:, 0::2])",
        COSINES: "np.cos(angle[:, 1::2])",
    },
)
positions.mistake(
    "from_one",
    "Positions are counted from 1.",
    hint="The first token stands at position 0. What are its sines?",
    change={"np.arange(length)": "np.arange(1, length + 1)"},
)
positions.mistake(
    "multiplied",
    "The position is multiplied by 10000^(2i / hidden_dim) instead of divided.",
    hint="Waves must grow longer from pair to pair. Do yours?",
    change={"position / 10000": "position * 10000"},
)
positions.mistake(
    "only_sines",
    "There are no cosines: all features are sines.",
    hint="Half of the features are cosines, of the same angles.",
    change={COSINES: SINES},
)
positions.mistake(
    "base_of_a_thousand",
    "The base is 1000 instead of 10000.",
    hint="Count the zeros of the number in the equation.",
    change={"10000": "1000"},
)
positions.mistake(
    "spread_to_the_end",
    "The last wavelength is exactly 10000 · 2π: the exponents run from 0 to 1 inclusive.",
    hint="The last pair is i = hidden_dim / 2 - 1. What is its exponent?",
    change={"even / hidden_dim": "np.linspace(0, 1, hidden_dim // 2)"},
)
positions.mistake(
    "transposed",
    "The table is transposed: it is (hidden_dim, length).",
    hint="Is a position a row or a column of the table?",
    change={"return table": "return table.T"},
)
positions.mistake(
    "shrunk",
    "The positions are scaled to the range from 0 to 1 before sine and cosine.",
    hint="Position 7 has the same vector in short and in long texts. What kind of number is pos in the equation?",
    change={"position / 10000": "position / length / 10000"},
)
