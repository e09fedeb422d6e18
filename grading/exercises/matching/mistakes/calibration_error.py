"""What goes wrong in calibration_error."""

from __future__ import annotations

from grading.exercises.matching.checks import calibration

PLACES = 'places = np.searchsorted(bounds, probabilities, side="right")'
PLACES_WITH_1_APART = 'places = np.searchsorted(np.append(bounds, 1.0), probabilities, side="right")'
GAPS = "gaps = np.bincount(places, probabilities - labels, minlength=bins)"
RETURNED = "return float(np.abs(gaps).sum() / len(labels))"
COUNTS = "counts = np.bincount(places, minlength=bins)"

calibration.mistake(
    "unweighted",
    "All bins have the same weight, however many pairs they contain.",
    hint="A bin of two pairs says little. How much should it weigh?",
    change={
        RETURNED: f"""
            {COUNTS}
            return float(np.mean(np.abs(gaps[counts > 0]) / counts[counts > 0]))
        """
    },
)
calibration.mistake(
    "divided_by_bins",
    "The sum of the gaps is divided by the number of bins, empty ones included.",
    hint="The weights count pairs, not bins. An empty bin counts neither in the numerator nor in the denominator.",
    change={RETURNED: f"{COUNTS}\nreturn float(np.sum(np.abs(gaps) / np.maximum(counts, 1)) / bins)"},
)
calibration.mistake(
    "ones_lost",
    "Pairs with a probability of exactly 1 are in no bin.",
    hint="The last bin includes both of its bounds.",
    change={PLACES: PLACES_WITH_1_APART, GAPS: f"{GAPS}[:bins]"},
)
calibration.mistake(
    "ones_apart",
    "Pairs with a probability of exactly 1 get a bin of their own.",
    hint="There are `bins` bins. Which of them includes 1?",
    change={PLACES: PLACES_WITH_1_APART},
)
calibration.mistake(
    "nan_where_empty",
    "An empty bin turns the whole error into NaN.",
    hint="The mean of nothing is NaN. Which bins does your sum include?",
    change={RETURNED: f"{COUNTS}\nreturn float(np.sum(counts * np.abs(gaps / counts)) / len(labels))"},
)
calibration.mistake(
    "accuracy_in_bins",
    "The probability is compared with the accuracy of a cut at 0.5 instead of the share of pairs that match.",
    hint='Of the pairs at 0.1, one in ten should match. How often "no" is right there is another question.',
    change={PLACES: f"{PLACES}\nlabels = (probabilities >= 0.5) == labels"},
)
calibration.mistake(
    "of_confidence",
    "The bins sort the confidence in the likelier answer, as with several classes.",
    hint="That is the error with several classes. Here the bins sort the probability of a match, from 0 to 1.",
    change={
        PLACES: f"""
            labels = (probabilities >= 0.5) == labels
            probabilities = np.maximum(probabilities, 1 - probabilities)
            {PLACES}
        """
    },
)
calibration.mistake(
    "middles",
    "The midpoint of each bin is used instead of the mean of its probabilities.",
    hint="The pairs of a bin may all be close to one end.",
    change={"probabilities - labels": "(places + 0.5) / bins - labels"},
)
calibration.mistake(
    "equal_counts",
    "The bins contain equal numbers of pairs instead of having equal widths.",
    hint="That is another measure, with another name. Where does each bin begin here?",
    change={
        PLACES: """
            places = np.zeros(len(labels), int)
            for number, part in enumerate(np.array_split(np.argsort(probabilities, kind="stable"), bins)):
                places[part] = number
        """
    },
)
calibration.mistake(
    "squared",
    "The gaps are squared.",
    hint="The gap counts as its absolute value.",
    change={RETURNED: f"{COUNTS}\nreturn float(np.sum(gaps**2 / np.maximum(counts, 1)) / len(labels))"},
)
calibration.mistake(
    "with_signs",
    "The gaps keep their sign, so overconfident bins cancel underconfident ones.",
    hint="Two wrongs do not make a right. What removes a sign?",
    change={"np.abs(gaps).sum()": "np.abs(gaps.sum())"},
)
calibration.mistake(
    "pair_by_pair",
    "Each pair is compared with its own label, which gives the mean absolute error.",
    hint="A probability of 0.7 is right if 7 in 10 such pairs match. A single pair cannot show that.",
    change={GAPS: "gaps = probabilities - labels"},
)
calibration.mistake(
    "brier",
    "The result is the Brier score, the mean of (p - label)².",
    hint="The Brier score has no bins, and is not 0 even if all probabilities are right.",
    change={GAPS: "gaps = (probabilities - labels) ** 2"},
)
calibration.mistake(
    "largest",
    "The largest gap is returned instead of the mean gap.",
    hint="That is the *maximum* calibration error. Here it is the expected one.",
    change={RETURNED: f"{COUNTS}\nreturn float(np.max(np.abs(gaps) / np.maximum(counts, 1)))"},
)
calibration.mistake(
    "always_10",
    "There are always 10 bins.",
    hint="`bins` is an argument.",
    change={"require_sizes(bins=bins)": "bins = 10"},
)
calibration.mistake(
    "upper_bounds",
    "A bin includes its upper bound instead of its lower bound.",
    hint="With two bins, 0.5 belongs to the second.",
    change={'side="right"': 'side="left"'},
)
calibration.mistake(
    "floor_of_a_product",
    "The number of a bin is computed as a product rounded down, so rounding puts some lower bounds into the bin below.",
    hint="Print `0.29 * 100`. Which comparison needs no product?",
    change={PLACES: "places = np.minimum((probabilities * bins).astype(int), bins - 1)"},
)
calibration.mistake(
    "bounds_of_steps",
    "Some bounds are slightly above i / bins, as in `np.linspace`, so with 10 bins 0.3 is in the bin below.",
    hint="Print `3 * 0.1`. How does the docstring compute a bound?",
    change={"bounds = np.arange(1, bins) / bins": "bounds = np.arange(1, bins) * (1 / bins)"},
)
calibration.mistake(
    "bounds_with_slack",
    "A little is added to each probability, so one that is hardly below a bound is in the bin above.",
    hint="Neither products nor rounding are needed. What do you compare the probabilities with?",
    change={"np.searchsorted(bounds, probabilities": "np.searchsorted(bounds, probabilities + 1e-9"},
)
