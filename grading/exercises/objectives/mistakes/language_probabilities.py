"""What goes wrong in language_probabilities."""

from __future__ import annotations

from grading.exercises.objectives.checks import languages

SMOOTHED = "np.where(shares > 0, shares**alpha, 0.0)"
NORMALIZED = "smoothed / smoothed.sum()"

languages.mistake(
    "not_normalized",
    "What comes of the power is not divided by its sum.",
    hint="Probabilities are 1 in sum. Are p^α, if p is?",
    change={NORMALIZED: "smoothed"},
)
languages.mistake(
    "inverse_power",
    "The power is 1/α instead of α: the largest language is drawn even more often.",
    hint="α below 1 helps the small ones. Which of .01^.3 and .01^(1/.3) is larger than .01?",
    change={"shares**alpha": "shares ** (1 / alpha if alpha else 0)"},
)
languages.mistake(
    "softmax_of_shares",
    "A softmax of α p is taken: nearly all languages are drawn alike.",
    hint="softmax(α log p) would be right. Which numbers belong into it?",
    change={SMOOTHED: "np.exp(alpha * shares)"},
)
languages.mistake(
    "factor",
    "Shares are multiplied by α instead of raised to its power, so α changes nothing.",
    hint="A factor is lost when it is divided by the sum. What does ** do?",
    change={"shares**alpha": "shares * alpha"},
)
languages.mistake(
    "twice",
    "α is applied twice.",
    hint="If the vocabulary was made with α, too, that is another place. How often is it in the equation?",
    change={"shares**alpha": "shares ** (alpha**2)"},
)
languages.mistake(
    "always_the_same",
    "α is ignored: it is always 0.3.",
    hint="0.3 is only what `alpha` is unless somebody says otherwise.",
    change={"shares**alpha": "shares**0.3"},
)
languages.mistake(
    "nothing_to_the_zero",
    "A language without text gets a share where α is 0, since 0^0 is 1.",
    hint="What does NumPy say to 0.0 ** 0? And what could be drawn from a language without text?",
    change={SMOOTHED: "shares**alpha"},
)
languages.mistake(
    "one_more",
    "One is added to each count, so a language without text is drawn.",
    hint="Smoothing by α needs no pseudo-counts. Which line adds something?",
    change={"shares = np.asarray": "counts = np.asarray(counts) + 1\nshares = np.asarray"},
)
languages.mistake(
    "sorted_shares",
    "The shares come from the largest to the smallest, and not in the order of the languages.",
    hint="Share i is that of count i. Where did you sort?",
    change={NORMALIZED: f"np.sort({NORMALIZED})[::-1]"},
)
languages.mistake(
    "rounded",
    "The shares are rounded, so they are no longer 1 in sum.",
    hint="Rounding is for the eyes. What is drawn needs the whole number.",
    change={NORMALIZED: f"({NORMALIZED}).round(2)"},
)
languages.mistake(
    "logarithms",
    "Logarithms of counts are taken instead of a power of their shares.",
    hint="α log p is the logarithm of what is wanted. Which step is missing?",
    change={"shares**alpha": "alpha * np.log1p(counts) if alpha else 1.0"},
)
