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
    "Each pair is asked for in one order only: 45 times for 10 candidates, not 90.",
    hint="Is P(A is better than B) the same as 1 - P(B is better than A), for a model that reads A first?",
    change={PAIRS: UPPER},
)
duo.mistake(
    "turned_round",
    "Each pair is asked for in one order, and the other one is taken to be 1 minus that.",
    hint="A model need not say so. How many pairs of 10 candidates are there, if order matters?",
    change={
        PAIRS: UPPER,
        f"scores = {SUMS}": f"better[second, first] = 1 - better[first, second]\nscores = {SUMS}",
    },
)
duo.mistake(
    "with_itself",
    "Candidates are compared with themselves, too: 100 times for 10 candidates.",
    hint="What should a model say, asked whether a document is better than itself?",
    change={OTHERS: "np.ones((len(candidates), len(candidates)))"},
)
duo.mistake(
    "losers",
    "The probabilities are summed for the one that is behind: the worst candidate has the highest score.",
    hint="p_ij says how likely i is the better one. Over which of both is it summed?",
    change={SUMS: "better.sum(axis=0)"},
)
duo.mistake(
    "majority",
    "Comparisons that are won are counted; how sure they were is lost.",
    hint="0.51 is not the same as 0.99. What is summed?",
    change={SUMS: '(better > 0.5).sum(axis=1).astype("float64")'},
)
duo.mistake(
    "mean",
    "The mean is returned, not the sum.",
    hint="With 10 candidates, how high can a score be?",
    change={SUMS: f"{SUMS} / max(len(candidates) - 1, 1)"},
)
duo.mistake(
    "both_orders",
    "What is said of the turned pair is added as well: Σ p_ij + (1 - p_ji).",
    hint="That is another of the known ways to sum, and not the one that is asked for.",
    change={SUMS: f"{SUMS} + len(candidates) - 1 - better.sum(axis=0)"},
)
duo.mistake(
    "lowest",
    "The lowest probability is taken, not the sum of all.",
    hint="One comparison that went wrong would decide everything.",
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
    "Candidates with equal scores change places.",
    hint="An order that is turned round turns ties round as well. Who was ahead before?",
    change={ORDER: 'np.argsort(scores, kind="stable")[::-1]'},
)
duo.mistake(
    "ties_by_id",
    "Candidates with equal scores are ordered by their ids.",
    hint="What the earlier stage knew is lost. Which sort leaves equal ones as they were?",
    change={ORDER: "np.lexsort((candidates, -scores))"},
)
duo.mistake(
    "scores_left_behind",
    "The candidates are sorted, and their scores are not.",
    hint="Score i belongs to candidate i of the answer.",
    change={RETURNED: "return candidates[order], scores"},
)
duo.mistake(
    "places",
    "Places are returned, not the ids of the candidates.",
    hint="np.argsort gives places. In which list?",
    change={RETURNED: "return order, scores[order]"},
)
duo.mistake(
    "asked_by_place",
    "`compare` is asked for places, not for the ids of the candidates.",
    hint="The first candidate is not document 0. What does `compare` know?",
    change={"compare(candidates[ahead], candidates[behind])": "compare(ahead, behind)"},
)
duo.mistake(
    "all_at_once",
    "All pairs are asked for at once: 380 rows for 20 candidates, whatever `batch_size` says.",
    hint="Each pair is a row for an encoder. How many fit into the memory at a time?",
    change={"require_sizes(batch_size=batch_size)": "batch_size = 10**6"},
)
duo.mistake(
    "last_batch_lost",
    "The last batch is left out, where it is not full.",
    hint="90 pairs in batches of 32: how many are in the last one?",
    change={"range(0, len(first), batch_size)": "range(0, len(first) - batch_size + 1, batch_size)"},
)
duo.mistake(
    "only_the_best",
    "Only the candidate with the highest score is moved to the front.",
    hint="The sums order all of them.",
    change={ORDER: "sorted(range(len(scores)), key=lambda place: place != scores.argmax())"},
)
