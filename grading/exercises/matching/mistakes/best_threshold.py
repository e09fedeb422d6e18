"""What goes wrong in best_threshold."""

from __future__ import annotations

from grading.exercises.matching.checks import threshold

ORDER = "order = np.argsort(-scores)"
COUNTED = "ranked, hits = scores[order], np.cumsum(labels[order])\nsaid = np.arange(1, len(scores) + 1)"
F = "f = (1 + beta**2) * hits / (beta**2 * labels.sum() + said)"
ACCURACY = "f = (hits + np.sum(~labels) - (said - hits)) / len(labels)"
NOT_WITHIN_TIES = "f[:-1][ranked[:-1] == ranked[1:]] = -1.0"
BEST = "best = int(np.argmax(f))"
LOWER = "lower = ranked[min(best + 1, len(ranked) - 1)]"
THRESHOLD = "threshold = ranked[best] if middle == lower else middle"
RETURNED = "return float(threshold), float(f[best])"
F_RETURNED = """
    f = (1 + beta**2) * hits[best] / (beta**2 * labels.sum() + said[best])
    return float(threshold), float(f)
"""

threshold.mistake(
    "always_half",
    "The threshold is always 0.5.",
    hint="Scores may be logits or cosines, and even for probabilities, F is seldom best at 0.5.",
    change={
        RETURNED: """
            said = scores >= 0.5
            f = (1 + beta**2) * np.sum(said & labels) / (beta**2 * labels.sum() + said.sum())
            return 0.5, float(f)
        """
    },
)
threshold.mistake(
    "always_nought",
    "The threshold is always 0.",
    hint="If scores are logits, 0 is a probability of one half. Is F best there?",
    change={
        RETURNED: """
            said = scores >= 0
            f = (1 + beta**2) * np.sum(said & labels) / (beta**2 * labels.sum() + said.sum())
            return 0.0, float(f)
        """
    },
)
threshold.mistake(
    "on_a_grid",
    "The thresholds tried form a grid between the lowest and the highest score.",
    hint="F may be better between two grid points. At how many places does F change at all?",
    change={
        COUNTED: """
            ranked = np.linspace(scores.max(), scores.min(), 11)
            matches = scores >= ranked[:, None]
            hits, said = np.sum(matches & labels, axis=1), matches.sum(axis=1)
        """,
        THRESHOLD: "threshold = ranked[best]",
    },
)
threshold.mistake(
    "at_a_score",
    "The threshold equals a score instead of the midpoint between two.",
    hint="A new pair just below it is lost, and rounding may lose even this one.",
    change={THRESHOLD: "threshold = ranked[best]"},
)
threshold.mistake(
    "at_the_lower_score",
    "The threshold is the next lower score, so the pair with that score matches as well.",
    hint="A pair matches if score >= threshold. Does the lower one match?",
    change={THRESHOLD: "threshold = lower"},
)
threshold.mistake(
    "ties_parted",
    "Every pair is a possible cut, even between two equal scores, so some of these count as matches and others do not.",
    hint="No threshold separates equal scores. Where may the count stop?",
    # In the model's favour: among equal scores, matching pairs come first.
    change={ORDER: "order = np.lexsort((~labels, -scores))", NOT_WITHIN_TIES: ""},
)
threshold.mistake(
    "by_accuracy",
    "The threshold maximises accuracy instead of F.",
    hint="If few pairs match, answering no to all of them has a high accuracy. What is its F?",
    change={F: ACCURACY, RETURNED: F_RETURNED},
)
threshold.mistake(
    "accuracy_returned",
    "Accuracy is maximised and returned instead of F.",
    hint="The second number is F at the threshold.",
    change={F: ACCURACY},
)
threshold.mistake(
    "f_of_the_others",
    "F is computed for the pairs that do not match.",
    hint="Precision and recall count the pairs that match. Which pairs does `score >= threshold` choose?",
    change={
        F: """
            labels = ~labels
            hits, said = labels.sum() - (said - hits), len(scores) - said
            f = (1 + beta**2) * hits / np.maximum(beta**2 * labels.sum() + said, 1e-12)
        """
    },
)
threshold.mistake(
    "from_the_wrong_end",
    "Low scores count as matches: the count starts at the wrong end.",
    hint="The higher the score, the likelier the match. In which order does `np.sort` return scores?",
    change={ORDER: "order = np.argsort(scores)"},
)
threshold.mistake(
    "by_precision",
    "The threshold maximises precision and ignores recall.",
    hint="A single sure pair has a precision of 1. How many pairs are missed then?",
    change={F: "f = hits / said", RETURNED: F_RETURNED},
)
threshold.mistake(
    "arithmetic_mean",
    "The arithmetic mean of precision and recall is maximised instead of F.",
    hint="F is their harmonic mean, which stays close to the lower one.",
    change={F: "f = (hits / said + hits / labels.sum()) / 2"},
)
threshold.mistake(
    "always_f1",
    "β is not used: F is always F1.",
    hint="`beta` is an argument.",
    change={"require_numbers(beta=beta)": "beta = 1.0"},
)
threshold.mistake(
    "beta_not_squared",
    "β is not squared.",
    hint="Set β = 2. By what does the formula multiply precision · recall, and by what does your code?",
    change={F: "f = (1 + beta) * hits / (beta * labels.sum() + said)"},
)
threshold.mistake(
    "beta_turned",
    "β is on the wrong side, so precision counts β times as much as recall.",
    hint="With a large β, recall decides. What happens to F when recall is 1?",
    change={F: "f = (1 + beta**2) * hits / (labels.sum() + beta**2 * said)"},
)
threshold.mistake(
    "lowest_of_the_best",
    "Of equally good thresholds, the lowest is returned.",
    hint="With `>=`, a later threshold that is only as good replaces the earlier one.",
    change={BEST: "best = len(f) - 1 - int(np.argmax(f[::-1]))"},
)
threshold.mistake(
    "never_all",
    "The threshold at which all pairs match is never tried.",
    hint="No score is lower than the last one. Does that mean there is no threshold below it?",
    change={NOT_WITHIN_TIES: f"{NOT_WITHIN_TIES}\nf[-1] = 0.0"},
)
threshold.mistake(
    "swapped",
    "F and the threshold are returned in the wrong order.",
    hint="First the threshold, then how good it is.",
    change={RETURNED: "return float(f[best]), float(threshold)"},
)
threshold.mistake(
    "first_of_a_tie",
    "For pairs with equal scores, F is computed at the first, as if the others did not match.",
    hint="score >= threshold holds for all of them. At which of the equal scores does the count include every match?",
    change={
        ORDER: 'order = np.argsort(-scores, kind="stable")',
        NOT_WITHIN_TIES: "f[1:][ranked[:-1] == ranked[1:]] = -1.0",
        LOWER: "lower = np.max(ranked, where=ranked < ranked[best], initial=ranked[-1])",
    },
)
threshold.mistake(
    "in_half_precision",
    "The middle between two scores in float16 is computed in float16.",
    hint="float16 keeps three digits. What is (256.25 + 256) / 2 in float16?",
    change={'require_same_pairs(scores, labels, "scores")': "np.asarray(scores), np.asarray(labels).astype(bool)"},
)
