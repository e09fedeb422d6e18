"""What goes wrong in language_probabilities."""

from __future__ import annotations

from grading.exercises.objectives.checks import languages

SMOOTHED = "np.where(shares > 0, shares**alpha, 0.0)"
NORMALIZED = "smoothed / smoothed.sum()"

languages.mistake(
    "not_normalized",
    "The powers are not divided by their sum.",
    hint="Probabilities sum to 1. If p sums to 1, does p^α?",
    change={NORMALIZED: "smoothed"},
)
languages.mistake(
    "inverse_power",
    "The exponent is 1/α instead of α, so the largest language is drawn even more often.",
    hint="α below 1 helps the small languages. Which of .01^.3 and .01^(1/.3) is larger than .01?",
    change={"shares**alpha": "shares ** (1 / alpha if alpha else 0)"},
)
languages.mistake(
    "softmax_of_shares",
    "The code takes a softmax of α p, so all languages are drawn almost equally often.",
    hint="softmax(α log p) would be right. What does your softmax receive?",
    change={SMOOTHED: "np.exp(alpha * shares)"},
)
languages.mistake(
    "factor",
    "The shares are multiplied by α instead of raised to the power α, so α changes nothing.",
    hint="A constant factor cancels when you divide by the sum. What does ** do?",
    change={"shares**alpha": "shares * alpha"},
)
languages.mistake(
    "twice",
    "α is applied twice.",
    hint="How often does α occur in the equation?",
    change={"shares**alpha": "shares ** (alpha**2)"},
)
languages.mistake(
    "always_the_same",
    "α is ignored: it is always 0.3.",
    hint="0.3 is only the default of `alpha`.",
    change={"shares**alpha": "shares**0.3"},
)
languages.mistake(
    "nothing_to_the_zero",
    "With α = 0, a language without text gets a share, because 0^0 is 1.",
    hint="What does NumPy return for 0.0 ** 0? What could you draw from a language without text?",
    change={SMOOTHED: "shares**alpha"},
)
languages.mistake(
    "one_more",
    "1 is added to each count, so languages without text are drawn.",
    hint="Smoothing by α needs no pseudo-counts. Which line adds something?",
    change={"shares = np.asarray": "counts = np.asarray(counts) + 1\nshares = np.asarray"},
)
languages.mistake(
    "sorted_shares",
    "The shares are sorted from largest to smallest instead of following the order of the languages.",
    hint="Share i belongs to count i. Where do you sort?",
    change={NORMALIZED: f"np.sort({NORMALIZED})[::-1]"},
)
languages.mistake(
    "rounded",
    "The shares are rounded and no longer sum to 1.",
    hint="Rounding is for display. Drawing needs the exact number.",
    change={NORMALIZED: f"({NORMALIZED}).round(2)"},
)
languages.mistake(
    "logarithms",
    "The shares are logarithms of the counts instead of powers.",
    hint="α log p is the logarithm of the power. Which step is missing?",
    change={"shares**alpha": "alpha * np.log1p(counts) if alpha else 1.0"},
)
languages.mistake(
    "integers_overflow",
    "With an α such as 2, the powers of integers overflow.",
    hint="What is np.array([9 * 10**9]) ** 2? Which dtype has room for it?",
    change={'np.asarray(counts, "float64") / np.sum(counts, dtype="float64")': "np.asarray(counts)"},
)
languages.mistake(
    "whole_numbers",
    "Counts lose what they have after the point.",
    hint="2.5 million words are counts, too. Which dtype did your array get?",
    change={
        'np.asarray(counts, "float64")': 'np.asarray(counts).astype("int64")',
        "np.sum(counts,": "np.sum(np.asarray(counts).astype('int64'),",
    },
)
