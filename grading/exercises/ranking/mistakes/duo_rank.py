"""What goes wrong in duo_rank."""

from __future__ import annotations

from grading.exercises.ranking.checks import duo

OTHERS = "~np.eye(len(candidates), dtype=bool)"
PAIRS = f"np.nonzero({OTHERS})"
UPPER = "np.triu_indices(len(candidates), 1)"
SUMS = "better.sum(axis=1)"
ORDER = 'np.argsort(-scores, kind="stable")'
RETURNED = "return candidates[order], scores[order]"

duo.mistake(
    "one_order",
    "Each pair is compared in one order only: 45 comparisons for 10 candidates instead of 90.",
    hint="For a model that reads A first, is P(A is better than B) the same as 1 - P(B is better than A)?",
    change={PAIRS: UPPER},
)
duo.mistake(
    "turned_round",
    "Each pair is compared in one order, and the other order is assumed to be 1 minus that.",
    hint="A model need not agree with that. How many ordered pairs do 10 candidates have?",
    change={
        PAIRS: UPPER,
        f"scores = {SUMS}": f"better[second, first] = 1 - better[first, second]\nscores = {SUMS}",
    },
)
duo.mistake(
    "with_itself",
    "Candidates are compared with themselves, too: 100 comparisons for 10 candidates.",
    hint="What should a model answer if both documents are the same?",
    change={OTHERS: "np.ones((len(candidates), len(candidates)))"},
)
duo.mistake(
    "losers",
    "The probabilities are summed for the second of each pair, so the worst candidate scores highest.",
    hint="p_ij is the probability that i is better than j. Over which of the two do you sum?",
    change={SUMS: "better.sum(axis=0)"},
)
duo.mistake(
    "majority",
    "The score counts the comparisons won and ignores how sure they were.",
    hint="0.51 is not the same as 0.99. What does the score sum?",
    change={SUMS: '(better > 0.5).sum(axis=1).astype("float64")'},
)
duo.mistake(
    "mean",
    "The mean is returned instead of the sum.",
    hint="With 10 candidates, how high can a score be?",
    change={SUMS: f"{SUMS} / max(len(candidates) - 1, 1)"},
)
duo.mistake(
    "both_orders",
    "The reversed comparison is added as well: Σ p_ij + (1 - p_ji).",
    hint="That is another known way to sum. Which one does the docstring give?",
    change={SUMS: f"{SUMS} + len(candidates) - 1 - better.sum(axis=0)"},
)
duo.mistake(
    "lowest",
    "The score is the lowest probability instead of the sum of all.",
    hint="Then a single wrong comparison would decide everything.",
    change={
        f"scores = {SUMS}": """
            better += 9 * np.eye(len(candidates))
            scores = better.min(axis=1) if len(candidates) > 1 else np.zeros(len(candidates))
        """
    },
)
duo.mistake(
    "ascending",
    "The candidate with the lowest score comes first.",
    hint="np.argsort sorts from low to high.",
    change={ORDER: 'np.argsort(scores, kind="stable")'},
)
duo.mistake(
    "ties_turned",
    "Candidates with equal scores are reversed.",
    hint="Reversing a sorted order also reverses ties. Which candidate was ahead before?",
    change={ORDER: 'np.argsort(scores, kind="stable")[::-1]'},
)
duo.mistake(
    "ties_by_id",
    "Candidates with equal scores are ordered by their ids.",
    hint="The order of the earlier stage is lost. Which kind of sort keeps equal elements in order?",
    change={ORDER: "np.lexsort((candidates, -scores))"},
)
duo.mistake(
    "scores_left_behind",
    "The candidates are sorted, but their scores are not.",
    hint="Score i belongs to candidate i of the result.",
    change={RETURNED: "return candidates[order], scores"},
)
duo.mistake(
    "places",
    "Indices are returned instead of the ids of the candidates.",
    hint="np.argsort returns indices. Into which list?",
    change={RETURNED: "return order, scores[order]"},
)
duo.mistake(
    "asked_by_place",
    "`compare` receives indices instead of the ids of the candidates.",
    hint="The first candidate is not document 0. What does `compare` know?",
    change={"compare(candidates[ahead], candidates[behind])": "compare(ahead, behind)"},
)
duo.mistake(
    "all_at_once",
    "All pairs go to `compare` in one call: 380 rows for 20 candidates, whatever `batch_size` is.",
    hint="Each pair is one row for an encoder. How many fit into memory at once?",
    change={"require_sizes(batch_size=batch_size)": "batch_size = 10**6"},
)
duo.mistake(
    "last_batch_lost",
    "The last batch is dropped if it is not full.",
    hint="90 pairs in batches of 32: how many are in the last one?",
    change={"range(0, len(first), batch_size)": "range(0, len(first) - batch_size + 1, batch_size)"},
)
duo.mistake(
    "only_the_best",
    "Only the candidate with the highest score moves; it goes to the front.",
    hint="The scores give an order of all candidates.",
    change={ORDER: "sorted(range(len(scores)), key=lambda place: place != scores.argmax())"},
)
