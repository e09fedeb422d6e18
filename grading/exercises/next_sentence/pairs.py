"""What can be seen of a list of sentence pairs, and what is wrong with it.

Every sentence of the documents is unique, so that each shows where it comes from; here it is a number, counted through
all documents. What a judge says holds no number that chance could change.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.judging.comparison import describe
from grading.judging.significance import explained_by_chance

Documents = list[list[str]]
Seen = np.ndarray | str  # (pairs, 3): first, second, label; or what is wrong with the form of the answer

# What `course.next_sentence` calls so. To import that would bring TensorFlow along before anything is run.
IS_NEXT, NOT_NEXT = 0, 1
ELSEWHERE = -1  # a sentence that is in no document


def documents(lengths: list[int]) -> Documents:
    """Documents of so many sentences, each of which says where it stands."""
    return [
        [f"sentence {place} of document {number}" for place in range(length)] for number, length in enumerate(lengths)
    ]


def numbered(answer: Any, texts: Documents) -> Seen:
    """The pairs, with a number for each sentence."""
    if problem := wrong_form(answer):
        return problem
    numbers: dict[str, int] = {}
    for sentence in (sentence for document in texts for sentence in document):
        numbers.setdefault(sentence, len(numbers))
    return np.array([[*(numbers.get(text, ELSEWHERE) for text in pair[:2]), int(pair[2])] for pair in answer])


def seen(answer: Any, texts: Documents) -> dict[str, Any]:
    """The pairs, and how long the documents are."""
    return {"lengths": np.array([len(document) for document in texts]), "pairs": numbered(answer, texts)}


def wrong_form(answer: Any) -> str | None:
    """What is wrong with an answer that is no list of (text, text, 0 or 1)."""
    if not isinstance(answer, list):
        return f"returns {describe(answer)}; wanted a list of pairs"
    if not answer:
        return "returns no pairs"
    for pair in answer:
        if not isinstance(pair, list | tuple) or len(pair) != 3:
            return "returns something else than (first, second, label) in the list"
        if not isinstance(pair[0], str) or not isinstance(pair[1], str):
            return "returns something else than texts as first and second sentence"
        if isinstance(pair[2], str) or pair[2] not in (IS_NEXT, NOT_NEXT):
            return "returns labels that are not 0 and 1"
    return None


def judge_firsts(answers: dict[str, Any]) -> str | None:
    """Whether each sentence that has a next one is the first of one pair, in order."""
    if isinstance(answers["pairs"], str):
        return answers["pairs"]
    firsts = answers["pairs"][:, 0].tolist()
    last = np.cumsum(answers["lengths"]) - 1
    wanted = [sentence for sentence in range(answers["lengths"].sum()) if sentence not in last]
    if firsts == wanted:
        return None
    if set(last.tolist()).intersection(firsts):
        return "takes the last sentence of a document as a first one, though it has no next"
    if sorted(set(firsts)) == wanted:
        return "makes several pairs of a sentence" if len(firsts) > len(wanted) else "makes pairs in another order"
    return "leaves out sentences that have a next one"


def judge_labels(answers: dict[str, Any]) -> str | None:
    """Whether each pair is what its label says."""
    if isinstance(answers["pairs"], str):
        return answers["pairs"]
    first, second, label = answers["pairs"].T
    if ELSEWHERE in first or ELSEWHERE in second:
        return "returns sentences that are in no document"
    owner = np.repeat(np.arange(len(answers["lengths"])), answers["lengths"])
    follows = (second == first + 1) & (owner[first] == owner[second])
    if np.array_equal(follows, label == NOT_NEXT):
        return "gives the labels the wrong way round"
    same = (owner[first] == owner[second])[label == NOT_NEXT]
    if same.any():
        return f"{'' if same.all() else 'now and then '}takes the random sentence from the same document"
    return None if np.array_equal(follows, label == IS_NEXT) else "gives labels that are not true"


def judge_blanks(answers: dict[str, Any]) -> str | None:
    """Whether pairs are what their labels say, and begin with the same sentences as those of texts without blanks."""
    if problem := judge_labels(answers):
        return problem
    without = answers["pairs without blanks"]
    if isinstance(without, str) or np.array_equal(answers["pairs"][:, 0], without[:, 0]):
        return None  # what is wrong in texts without blanks is told elsewhere
    return "makes pairs of other sentences than in the same texts without blanks"


def judge_coin(answers: dict[str, Any]) -> str | None:
    """Two counts, so a false alarm in at most 2 of 1,000 million runs.

    That all of 16 small answers have as many real pairs is chance in (2.1 / 16)^15, which is less still.
    """
    for given in (answers["pairs"], *answers["small"]):
        if isinstance(given, str):
            return given
    real = answers["pairs"][:, 2] == IS_NEXT
    if real.all() or not real.any():
        return f"makes {'no random' if real.all() else 'no real'} pairs"
    tosses = answers["lengths"] - 1  # all documents are as long
    by_document = real.reshape(-1, tosses[0]) if real.size == tosses.sum() else None
    if by_document is not None and (by_document == by_document[0]).all():
        return "tosses the same coins in each document"
    if not explained_by_chance(real.sum(), real.size, 0.5):
        return f"makes {'more' if real.mean() > 0.5 else 'fewer'} real pairs than random ones"
    # Of independent tosses, one in two is like the one before.
    again = real[1:] == real[:-1]
    if not again.any():
        return "makes real and random pairs by turns"
    if by_document is not None and (by_document == by_document[:, :1]).all():
        return "tosses one coin for all pairs of a document"
    if len({int((given[:, 2] == IS_NEXT).sum()) for given in answers["small"]}) == 1:
        return "makes the same number of real pairs every time, as if half of them had to be real"
    return None if explained_by_chance(again.sum(), again.size, 0.5) else "tosses coins that depend on each other"


def judge_draw(answers: dict[str, Any]) -> str | None:
    """Whether other documents are alike, and their sentences: 21 counts, so a false alarm in 3 of 100 million runs."""
    if isinstance(answers["pairs"], str):
        return answers["pairs"]
    own, sizes = answers["lengths"][0], answers["lengths"][1:]
    first, second, _ = answers["pairs"].T
    drawn = second[(first < own) & (second >= own)] - own
    counts = np.bincount(drawn, minlength=sizes.sum())
    starts = np.cumsum(sizes) - sizes
    totals = np.add.reduceat(counts, starts)
    if not drawn.size:
        return "draws no sentence of another document"
    if np.count_nonzero(totals) == 1:
        return "draws from one and the same document every time"
    if not totals[sizes == 1].any():
        return "never draws the sentence of a document that has only one"
    if counts[starts].sum() == drawn.size:
        return "draws only first sentences"
    if not counts[starts[sizes > 1]].any():
        return "never draws a first sentence"
    if explained_by_chance(totals, drawn.size, 1 / len(sizes)):
        alike = explained_by_chance(counts, drawn.size, np.repeat(1 / len(sizes) / sizes, sizes))
        return None if alike else "draws some sentences of a document more than others"
    if explained_by_chance(totals, drawn.size, sizes / sizes.sum()):
        return "draws each sentence alike, so that long documents come up more often than short ones"
    return "draws some documents more often than others"


def judge_twins(given: Seen) -> str | None:
    """Documents that read the same, 0 and then 1, and one that holds 2: the label of a pair follows from its texts."""
    if isinstance(given, str):
        return given
    kinds = {tuple(pair) for pair in given.tolist()}
    if (0, 1, NOT_NEXT) in kinds:
        return "calls a pair random though the sentence that was drawn reads the same as the next one"
    if (0, 0, IS_NEXT) in kinds:
        return "calls a pair real though the sentence that was drawn reads the same as another one, and not as the next"
    if kinds == {(0, 1, IS_NEXT), (0, 2, NOT_NEXT)}:
        return "never draws from a document that reads the same as the first sentence's"
    kinds.discard((0, 2, NOT_NEXT))  # it may never be drawn, since there is only one of its kind
    if kinds != {(0, 1, IS_NEXT), (0, 0, NOT_NEXT)}:
        return "does not make the two pairs that there are"
    # Half of the tosses ask for a random sentence, and of what is drawn then, nearly half reads the same as the next.
    # Who draws again gets half: 5 standard deviations from where chance could have led.
    random = given[:, 2] == NOT_NEXT
    if explained_by_chance(random.sum(), random.size, 0.5 * (0.5 + 0.5 / random.size)):
        return None
    return "draws again where the sentence that was drawn reads the same as the next one; that pair is real"


def judge_seeds(answers: dict[str, Seen]) -> str | None:
    for given in answers.values():
        if isinstance(given, str):
            return given
    if not np.array_equal(answers["integer"], answers["integer again"]):
        return "makes other pairs, though the seed is the same integer"
    if not np.array_equal(answers["0"], answers["0 again"]):
        return "makes other pairs each time where the seed is 0, an integer like any other"
    if np.array_equal(answers["integer"], answers["other integer"]):
        return "makes the same pairs, though the seed is another integer"
    if np.array_equal(answers["generator"], answers["generator again"]):
        return "makes the same pairs again from a generator that should go on"
    if np.array_equal(answers["none"], answers["none again"]):
        return "makes the same pairs again, though there is no seed"
    return None
