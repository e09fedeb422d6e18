"""What goes wrong in beam_search."""

from __future__ import annotations

from grading.exercises.decoder.checks import beams

LOGS = "log_probabilities(step, live, start_id=start_id, end_id=end_id)"
SORTED = 'rows, words = np.unravel_index(np.argsort(-scores, axis=None, kind="stable"), scores.shape)'
FINISHED = "candidates.append(([*live[row, 1:].tolist(), end_id], scores[row, word]))"
GOING_ON = "each[words != end_id][:beams]"
UNFINISHED = "candidates += zip(live[:, 1:].tolist(), sums, strict=True)"
UNFINISHED_IF_NONE_ELSE = "candidates = candidates or list(zip(live[:, 1:].tolist(), sums, strict=True))"
PENALTY = "require_numbers(length_penalty=length_penalty)"

beams.mistake(
    "sums_of_probabilities",
    "Probabilities are added instead of log P.",
    hint="A text's probability is a product. What is the logarithm of a product?",
    change={LOGS: f"np.exp({LOGS})"},
)
beams.mistake(
    "probability",
    "The score is a probability; it should be the sum of log P.",
    hint="Products of many small numbers become 0. That is why logarithms are added.",
    change={"float(total /": "float(np.exp(total) /"},
)
beams.mistake(
    "last_word_only",
    "Only the last word counts: what a hypothesis was worth before is forgotten.",
    hint="An extension is worth the sum of all of its words.",
    change={f"sums[:, None] + {LOGS}": LOGS},
)
beams.mistake(
    "no_competition",
    "Each hypothesis keeps its own best extension: they do not compete.",
    hint="All extensions of all hypotheses are one list. Two of the best may come from one hypothesis.",
    change={
        SORTED: f"""
            {SORTED}
            rows, words = rows[:beams], words[:beams]
            if live.shape[1] > 1:
                rows, words = np.arange(len(live)), scores.argmax(axis=1)
        """
    },
)
beams.mistake(
    "copies",
    "All beams begin alike, and stay alike: it is greedy, several times.",
    hint="There is one hypothesis at first. What would several equal ones become?",
    change={"[[start_id]]": "[[start_id]] * beams", "np.zeros(1)": "np.zeros(beams)"},
)
beams.mistake(
    "finished_take_a_place",
    "A finished text keeps its place in the beam: fewer and fewer go on.",
    hint="Finished ones are kept elsewhere. How many go on that do not say the end?",
    change={FINISHED: f"{FINISHED}\nbeams -= 1"},
)
beams.mistake(
    "not_filled_up",
    "Where one of the best is finished, fewer go on: the next best are not asked to take its place.",
    hint="Of all extensions that do not say the end, the `beams` best go on, whoever is finished.",
    change={GOING_ON: "each[:beams][words[:beams] != end_id]"},
)
beams.mistake(
    "stops_with_the_first",
    "The search stops with the first text that is finished.",
    hint="A longer text may still be likelier. When is nothing left to be extended?",
    change={"while len(live)": "while not candidates", UNFINISHED: UNFINISHED_IF_NONE_ELSE},
)
beams.mistake(
    "finished_are_lost",
    "Finished texts are lost: only what is left at the end competes.",
    hint="What said the end leaves the beam. Where is it kept?",
    change={FINISHED: "pass"},
)
beams.mistake(
    "unfinished_are_lost",
    "Texts that have not ended by max_length are thrown away, although they may be the best.",
    hint="At the end, who competes?",
    change={UNFINISHED: UNFINISHED_IF_NONE_ELSE},
)
beams.mistake(
    "penalty_ignored",
    "length_penalty is ignored.",
    hint="At the end, what is a sum divided by?",
    change={PENALTY: "length_penalty = 0.0"},
)
beams.mistake(
    "penalty_multiplied",
    "The sum is multiplied by n^length_penalty: short texts win twice.",
    hint="Sums are negative. Which way does a division move them?",
    change={"found[1] / len": "found[1] * len", "total / len": "total * len"},
)
beams.mistake(
    "end_not_counted",
    "n leaves the end out.",
    hint="The end costs like any word. So it counts like any word.",
    change={
        "len(found[0])": "max(len(found[0]) - found[0].count(end_id), 1)",
        "len(ids)": "max(len(ids) - ids.count(end_id), 1)",
    },
)
beams.mistake(
    "start_counted",
    "n counts the start, too.",
    hint="The start was given. How many words were written?",
    change={"len(found[0])": "(len(found[0]) + 1)", "len(ids)": "(len(ids) + 1)"},
)
beams.mistake(
    "sum_returned",
    "The score that is returned is the sum, though the best was chosen by the quotient.",
    hint="With length_penalty, the score is sum / n^length_penalty.",
    change={"float(total / len(ids) ** length_penalty)": "float(total)"},
)
beams.mistake(
    "with_the_start",
    "The start is part of what is returned.",
    hint="What has the model written itself?",
    change={"return ids,": "return [start_id, *ids],"},
)
beams.mistake(
    "without_the_end",
    "The end is left out of what is returned.",
    hint="With it, one sees whether the text is finished.",
    change={"return ids,": "return [word for word in ids if word != end_id],"},
)
beams.mistake(
    "rows_mixed_up",
    "Rows are mixed up: a word is put behind another hypothesis than the one that it was chosen for.",
    hint="An index into hypotheses times words is two numbers: which hypothesis, and which word.",
    change={LOGS: f"{LOGS}[::-1]"},
)
