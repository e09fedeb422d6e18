"""What goes wrong in beam_search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from keras import ops

import course.decoder as right
from grading.exercises.decoder.checks import beams as exercise

Hypothesis = tuple[list[int], float]  # the words with the start, and what they are worth


def said(step: Any, texts: list[list[int]]) -> np.ndarray:
    return np.asarray(ops.convert_to_numpy(step(np.array(texts, "int32"))), "float64")


def search(
    step: Any,
    start_id: int,
    end_id: int,
    beams: int,
    max_length: int,
    length_penalty: float = 0.0,
    *,
    worth: Callable[[float, float], float] = lambda total, log: total + log,
    first: float = 0.0,
    chosen: Callable[[list[tuple[list[int], float]], int], list[Hypothesis]] | None = None,
    divisor: Callable[[list[int]], int] = len,
    keeps_finished: bool = True,
    keeps_unfinished: bool = True,
    stops_early: bool = False,
) -> Any:
    """The search in small steps, of which a mistake gets one wrong."""
    live: list[Hypothesis] = [([start_id], first)]
    done: list[Hypothesis] = []
    while live and len(live[0][0]) <= max_length:
        logs = said(step, [text for text, _ in live])
        extended = [
            ([*text, word], worth(total, log[word]))
            for (text, total), log in zip(live, logs, strict=True)
            for word in range(len(log))
        ]
        extended.sort(key=lambda found: -found[1])
        best = extended[:beams] if chosen is None else chosen(extended, beams)
        done += [found for found in best if found[0][-1] == end_id]
        pool = extended if chosen is None else best
        live = [found for found in pool if found[0][-1] != end_id][:beams]
        if stops_early and done:
            live = []
    candidates = (done if keeps_finished else []) + (live if keeps_unfinished or not done else [])
    score, text = max(
        ((total / divisor(text[1:]) ** length_penalty, text) for text, total in candidates), key=lambda found: found[0]
    )
    return text[1:], score


@exercise.whole_mistake(
    "Probabilities are added instead of log P.",
    hint="A text's probability is a product. What is the logarithm of a product?",
)
def sums_of_probabilities(
    step: Any, start_id: int, end_id: int, beams: int, max_length: int, length_penalty: float = 0.0
) -> Any:
    def worth(total: float, log: float) -> float:
        return total + float(np.exp(log))

    return search(step, start_id, end_id, beams, max_length, length_penalty, worth=worth)


@exercise.whole_mistake(
    "The score is a probability; it should be the sum of log P.",
    hint="Products of many small numbers become 0. That is why logarithms are added.",
)
def probability(step: Any, start_id: int, end_id: int, beams: int, max_length: int, length_penalty: float = 0.0) -> Any:
    ids, score = right.beam_search(step, start_id, end_id, beams, max_length, length_penalty)
    return ids, float(np.exp(score * len(ids) ** length_penalty)) / len(ids) ** length_penalty


@exercise.whole_mistake(
    "Only the last word counts: what a hypothesis was worth before is forgotten.",
    hint="An extension is worth the sum of all of its words.",
)
def last_word_only(
    step: Any, start_id: int, end_id: int, beams: int, max_length: int, length_penalty: float = 0.0
) -> Any:
    return search(step, start_id, end_id, beams, max_length, length_penalty, worth=lambda total, log: log)


@exercise.whole_mistake(
    "Each hypothesis keeps its own best extension: they do not compete.",
    hint="All extensions of all hypotheses are one list. Two of the best may come from one hypothesis.",
)
def no_competition(
    step: Any, start_id: int, end_id: int, beams: int, max_length: int, length_penalty: float = 0.0
) -> Any:
    def chosen(extended: list[Hypothesis], beams: int) -> list[Hypothesis]:
        if len(extended[0][0]) == 2:
            return extended[:beams]
        best: dict[tuple[int, ...], Hypothesis] = {}
        for text, total in extended:
            best.setdefault(tuple(text[:-1]), (text, total))
        return list(best.values())

    return search(step, start_id, end_id, beams, max_length, length_penalty, chosen=chosen)


@exercise.whole_mistake(
    "All beams begin alike, and stay alike: it is greedy, several times.",
    hint="There is one hypothesis at first. What would several equal ones become?",
)
def copies(step: Any, start_id: int, end_id: int, beams: int, max_length: int, length_penalty: float = 0.0) -> Any:
    return search(step, start_id, end_id, 1, max_length, length_penalty)


@exercise.whole_mistake(
    "A finished text keeps its place in the beam: fewer and fewer go on.",
    hint="Finished ones are kept elsewhere. How many go on that do not say the end?",
)
def finished_take_a_place(
    step: Any, start_id: int, end_id: int, beams: int, max_length: int, length_penalty: float = 0.0
) -> Any:
    places = [beams]

    def chosen(extended: list[Hypothesis], _: int) -> list[Hypothesis]:
        best = extended[: places[0]]
        places[0] -= sum(text[-1] == end_id for text, _ in best)
        return best

    return search(step, start_id, end_id, beams, max_length, length_penalty, chosen=chosen)


@exercise.whole_mistake(
    "Where one of the best is finished, fewer go on: the next best are not asked to take its place.",
    hint="Of all extensions that do not say the end, the `beams` best go on, whoever is finished.",
)
def not_filled_up(
    step: Any, start_id: int, end_id: int, beams: int, max_length: int, length_penalty: float = 0.0
) -> Any:
    return search(
        step, start_id, end_id, beams, max_length, length_penalty, chosen=lambda extended, beams: extended[:beams]
    )


@exercise.whole_mistake(
    "The search stops with the first text that is finished.",
    hint="A longer text may still be likelier. When is nothing left to be extended?",
)
def stops_with_the_first(
    step: Any, start_id: int, end_id: int, beams: int, max_length: int, length_penalty: float = 0.0
) -> Any:
    return search(step, start_id, end_id, beams, max_length, length_penalty, stops_early=True, keeps_unfinished=False)


@exercise.whole_mistake(
    "Finished texts are lost: only what is left at the end competes.",
    hint="What said the end leaves the beam. Where is it kept?",
)
def finished_are_lost(
    step: Any, start_id: int, end_id: int, beams: int, max_length: int, length_penalty: float = 0.0
) -> Any:
    return search(step, start_id, end_id, beams, max_length, length_penalty, keeps_finished=False)


@exercise.whole_mistake(
    "Texts that have not ended by max_length are thrown away, although they may be the best.",
    hint="At the end, who competes?",
)
def unfinished_are_lost(
    step: Any, start_id: int, end_id: int, beams: int, max_length: int, length_penalty: float = 0.0
) -> Any:
    return search(step, start_id, end_id, beams, max_length, length_penalty, keeps_unfinished=False)


@exercise.whole_mistake(
    "length_penalty is ignored.",
    hint="At the end, what is a sum divided by?",
)
def penalty_ignored(
    step: Any, start_id: int, end_id: int, beams: int, max_length: int, length_penalty: float = 0.0
) -> Any:
    return search(step, start_id, end_id, beams, max_length)


@exercise.whole_mistake(
    "The sum is multiplied by n^length_penalty: short texts win twice.",
    hint="Sums are negative. Which way does a division move them?",
)
def penalty_multiplied(
    step: Any, start_id: int, end_id: int, beams: int, max_length: int, length_penalty: float = 0.0
) -> Any:
    return search(step, start_id, end_id, beams, max_length, -length_penalty)


@exercise.whole_mistake(
    "n leaves the end out.",
    hint="The end costs like any word. So it counts like any word.",
)
def end_not_counted(
    step: Any, start_id: int, end_id: int, beams: int, max_length: int, length_penalty: float = 0.0
) -> Any:
    def divisor(words: list[int]) -> int:
        return max(len([word for word in words if word != end_id]), 1)

    return search(step, start_id, end_id, beams, max_length, length_penalty, divisor=divisor)


@exercise.whole_mistake(
    "n counts the start, too.",
    hint="The start was given. How many words were written?",
)
def start_counted(
    step: Any, start_id: int, end_id: int, beams: int, max_length: int, length_penalty: float = 0.0
) -> Any:
    return search(step, start_id, end_id, beams, max_length, length_penalty, divisor=lambda words: len(words) + 1)


@exercise.whole_mistake(
    "The score that is returned is the sum, though the best was chosen by the quotient.",
    hint="With length_penalty, the score is sum / n^length_penalty.",
)
def sum_returned(
    step: Any, start_id: int, end_id: int, beams: int, max_length: int, length_penalty: float = 0.0
) -> Any:
    ids, score = right.beam_search(step, start_id, end_id, beams, max_length, length_penalty)
    return ids, score * len(ids) ** length_penalty


@exercise.whole_mistake(
    "The start is part of what is returned.",
    hint="What has the model written itself?",
)
def with_the_start(
    step: Any, start_id: int, end_id: int, beams: int, max_length: int, length_penalty: float = 0.0
) -> Any:
    ids, score = right.beam_search(step, start_id, end_id, beams, max_length, length_penalty)
    return [start_id, *ids], score


@exercise.whole_mistake(
    "The end is left out of what is returned.",
    hint="With it, one sees whether the text is finished.",
)
def without_the_end(
    step: Any, start_id: int, end_id: int, beams: int, max_length: int, length_penalty: float = 0.0
) -> Any:
    ids, score = right.beam_search(step, start_id, end_id, beams, max_length, length_penalty)
    return [word for word in ids if word != end_id], score


@exercise.whole_mistake(
    "Rows are mixed up: a word is put behind another hypothesis than the one that it was chosen for.",
    hint="An index into hypotheses times words is two numbers: which hypothesis, and which word.",
)
def rows_mixed_up(
    step: Any, start_id: int, end_id: int, beams: int, max_length: int, length_penalty: float = 0.0
) -> Any:
    def reversed_rows(prefixes: Any) -> Any:
        return np.asarray(ops.convert_to_numpy(step(prefixes)))[::-1]

    return search(reversed_rows, start_id, end_id, beams, max_length, length_penalty)
