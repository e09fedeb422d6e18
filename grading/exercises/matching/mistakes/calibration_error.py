"""What goes wrong in calibration_error."""

from __future__ import annotations

from grading.exercises.matching.checks import calibration

PLACES = "places = np.minimum((probabilities * bins).astype(int), bins - 1)"
PLACES_WITH_1_APART = "places = (probabilities * bins).astype(int)"
GAPS = "gaps = np.bincount(places, probabilities - labels, minlength=bins)"
RETURNED = "return float(np.abs(gaps).sum() / len(labels))"
COUNTS = "counts = np.bincount(places, minlength=bins)"

calibration.mistake(
    "unweighted",
    "All bins count the same, however many pairs they have.",
    hint="A bin with two pairs says little. What does it weigh?",
    change={
        RETURNED: f"""
            {COUNTS}
            return float(np.mean(np.abs(gaps[counts > 0]) / counts[counts > 0]))
        """
    },
)
calibration.mistake(
    "divided_by_bins",
    "The gaps are divided by the number of bins, empty ones as well.",
    hint="Pairs are weighed, not bins. An empty bin counts nothing, above the line and below it.",
    change={RETURNED: f"{COUNTS}\nreturn float(np.sum(np.abs(gaps) / np.maximum(counts, 1)) / bins)"},
)
calibration.mistake(
    "ones_lost",
    "Pairs with a probability of exactly 1 fall out of all bins.",
    hint="The last bin has both of its bounds.",
    change={PLACES: PLACES_WITH_1_APART, GAPS: f"{GAPS}[:bins]"},
)
calibration.mistake(
    "ones_apart",
    "Pairs with a probability of exactly 1 have a bin of their own.",
    hint="There are `bins` bins, and the last one has 1 in it.",
    change={PLACES: PLACES_WITH_1_APART},
)
calibration.mistake(
    "nan_where_empty",
    "An empty bin makes NaN of the whole error.",
    hint="The mean of nothing is NaN. Which bins are looked at?",
    change={RETURNED: f"{COUNTS}\nreturn float(np.sum(counts * np.abs(gaps / counts)) / len(labels))"},
)
calibration.mistake(
    "accuracy_in_bins",
    "The probability is compared with whether 0.5 would decide rightly, not with the share that matches: it is the "
    "accuracy that is in the bins.",
    hint="Of pairs at 0.1, one in ten should match. How often 'no' is right there is another question.",
    change={PLACES: f"{PLACES}\nlabels = (probabilities >= 0.5) == labels"},
)
calibration.mistake(
    "of_confidence",
    "The confidence in the likelier answer is sorted into the bins, as for several classes.",
    hint="That is the error of a classifier of several classes. Here the probability of a match counts, from 0 to 1.",
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
    "The middle of each bin stands for the probabilities in it, not their mean.",
    hint="The pairs of a bin may all be near one end.",
    change={"probabilities - labels": "(places + 0.5) / bins - labels"},
)
calibration.mistake(
    "equal_counts",
    "The bins have equal numbers of pairs, not equal widths.",
    hint="That is a measure as well, with another name. Where do the bins begin here?",
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
    hint="The gap counts as it is, without its sign.",
    change={RETURNED: f"{COUNTS}\nreturn float(np.sum(gaps**2 / np.maximum(counts, 1)) / len(labels))"},
)
calibration.mistake(
    "with_signs",
    "Gaps keep their sign, so that bins which are too sure make up for others which are not sure enough.",
    hint="Two errors do not make it right. What takes a sign away?",
    change={"np.abs(gaps).sum()": "np.abs(gaps.sum())"},
)
calibration.mistake(
    "pair_by_pair",
    "Each pair is compared with its own label: that is the mean absolute error.",
    hint="A probability of 0.7 is right if 7 in 10 such pairs match. A single pair cannot show it.",
    change={GAPS: "gaps = probabilities - labels"},
)
calibration.mistake(
    "brier",
    "It is the Brier score, the mean of (p - label)².",
    hint="The Brier score knows no bins, and is not 0 where all probabilities are right.",
    change={GAPS: "gaps = (probabilities - labels) ** 2"},
)
calibration.mistake(
    "largest",
    "The largest gap is returned, not the mean one.",
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
    "A bin ends with its upper bound, instead of beginning with its lower one.",
    hint="With two bins, 0.5 is in the second.",
    change={PLACES: "places = np.maximum(np.ceil(probabilities * bins).astype(int) - 1, 0)"},
)
