"""What goes wrong in beam_search."""

from __future__ import annotations

from grading.exercises.decoder.checks import beams

LOGS = "log_probabilities(step, live, start_id=start_id, end_id=end_id)"
SORTED = 'rows, words = np.unravel_index(np.argsort(-scores, axis=None, kind="stable"), scores.shape)'
FINISHED = "candidates.append(([*live[row, 1:].tolist(), end_id], scores[row, word]))"
GOING_ON = "each[words != end_id][:beams]"
EXTENDED = 'live = np.concatenate([live[rows], words[:, None].astype("int32")], axis=1)'
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
    "The score is a probability instead of the sum of log P.",
    hint="A product of many small numbers underflows to 0. That is why logarithms are added.",
    change={"float(total /": "float(np.exp(total) /"},
)
beams.mistake(
    "last_word_only",
    "Only the last word counts: the score of the hypothesis before it is lost.",
    hint="The score of an extension is the sum over all of its words.",
    change={f"sums[:, None] + {LOGS}": LOGS},
)
beams.mistake(
    "no_competition",
    "Each hypothesis keeps its own best extension, so hypotheses do not compete.",
    hint="The extensions of all hypotheses form one list. Two of the best may come from the same hypothesis.",
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
    "All beams start equal and stay equal: this is greedy search, several times.",
    hint="At first there is one hypothesis. What do several equal ones turn into?",
    change={"[[start_id]]": "[[start_id]] * beams", "np.zeros(1)": "np.zeros(beams)"},
)
beams.mistake(
    "finished_take_a_place",
    "Finished texts keep their place in the beam, so fewer and fewer hypotheses continue.",
    hint="Finished texts are stored outside the beam. How many unfinished ones continue?",
    change={FINISHED: f"{FINISHED}\nbeams -= 1"},
)
beams.mistake(
    "twice_as_many_finish",
    "Of the 2 · `beams` best extensions, all that end are finished, not only those among the `beams` best.",
    hint="Libraries rank twice as many, so that enough go on. Which of these may finish here?",
    change={"zip(rows[:beams], words[:beams], strict=True)": "zip(rows[: 2 * beams], words[: 2 * beams], strict=True)"},
)
beams.mistake(
    "not_filled_up",
    "If one of the best is finished, its place stays empty: the next best does not move up.",
    hint="Of all extensions that do not end, the `beams` best continue, however many others have ended.",
    change={GOING_ON: "each[:beams][words[:beams] != end_id]"},
)
beams.mistake(
    "stops_with_the_first",
    "The search stops at the first finished text.",
    hint="A longer text may still be likelier. When is there nothing left to extend?",
    change={"while len(live)": "while not candidates", UNFINISHED: UNFINISHED_IF_NONE_ELSE},
)
beams.mistake(
    "stops_when_a_finished_one_leads",
    "The search stops when a finished text scores highest, although with a penalty a longer one may still overtake it.",
    hint="Divided by more words, a negative sum rises. When can no text that continues win any more?",
    change={
        EXTENDED: f"""
            {EXTENDED}
            if candidates and len(live):
                finished = max(total / len(ids) ** length_penalty for ids, total in candidates)
                if finished >= max(sums) / (live.shape[1] - 1) ** length_penalty:
                    break
        """
    },
)
beams.mistake(
    "finished_are_lost",
    "Finished texts are lost: only the beam's last hypotheses compete.",
    hint="A finished text leaves the beam. Where is it stored?",
    change={FINISHED: "pass"},
)
beams.mistake(
    "unfinished_are_lost",
    "Texts that have not ended by max_length are dropped, although they may be the best.",
    hint="Which texts compete at the end?",
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
    "The sum is multiplied by n^length_penalty instead of divided, so short texts win twice.",
    hint="Sums are negative. Which way does a division move them?",
    change={"found[1] / len": "found[1] * len", "total / len": "total * len"},
)
beams.mistake(
    "end_not_counted",
    "n does not count the end.",
    hint="The end adds its log P like any word. Does it count like any word?",
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
    "The returned score is the sum, although the best text was chosen by the quotient.",
    hint="With length_penalty, the score is sum / n^length_penalty.",
    change={"float(total / len(ids) ** length_penalty)": "float(total)"},
)
beams.mistake(
    "with_the_start",
    "The returned texts include the start.",
    hint="Which words did the model write itself?",
    change={"return ids,": "return [start_id, *ids],"},
)
beams.mistake(
    "without_the_end",
    "The returned texts lack the end.",
    hint="The end shows whether a text is finished.",
    change={"return ids,": "return [word for word in ids if word != end_id],"},
)
beams.mistake(
    "rows_mixed_up",
    "Rows are mixed up: a word is appended to another hypothesis than the one it was chosen for.",
    hint="An index into hypotheses × words stands for two numbers: which hypothesis, and which word.",
    change={LOGS: f"{LOGS}[::-1]"},
)
beams.mistake(
    "stops_by_the_sum",
    "The search stops when a finished text has a higher sum than all others, but with a penalty a longer one may win.",
    hint="More words lower the sum. What do they do to the sum divided by n^length_penalty?",
    change={
        EXTENDED: f"""
            {EXTENDED}
            if candidates and max(total for _, total in candidates) > sums.max():
                live = live[:0]
                sums = sums[:0]
        """
    },
)
beams.mistake(
    "ended_at_the_start",
    "A text whose start has the id of the end counts as finished before a word is written.",
    hint="GPT-2 begins and ends a text with the same id. Which words can be an end?",
    change={
        "while len(live) and": "if start_id == end_id:\n    return [], 0.0\nwhile len(live) and",
    },
)
beams.mistake(
    "few_finished",
    "Of the finished texts, only the `beams` with the highest sums are kept, and the penalty may prefer another.",
    hint="The best is the one with the highest sum / n^length_penalty. When do you know which finished texts lose?",
    change={
        UNFINISHED: f"candidates = sorted(candidates, key=lambda each: -each[1])[:beams]\n{UNFINISHED}",
    },
)
