"""Observations of a list of sentence pairs, and judges that say what is wrong with it.

Every sentence of the documents is unique, so that it shows where it comes from. Here it is a number, counted across
all documents. A judge's sentence contains no number that chance could change.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.judging.comparison import describe
from grading.judging.significance import explained_by_chance
from grading.messages import Message

Documents = list[list[str]]
Seen = np.ndarray | str  # (pairs, 3): first, second, label; or what is wrong with the form of the answer

# The labels of `course.next_sentence`, which is not imported because it would load TensorFlow too early.
IS_NEXT, NOT_NEXT = 0, 1
ELSEWHERE = -1  # a sentence that is in no document


def documents(lengths: list[int]) -> Documents:
    """Documents of these numbers of sentences, each of which says where it stands."""
    return [
        [f"sentence {place} of document {number}" for place in range(length)] for number, length in enumerate(lengths)
    ]


# The sentences of a document that says one of them three times, by their first occurrence.
REPEATED = np.array([0, 1, 0, 2, 0])


def repeating(count: int) -> Documents:
    """Documents that each say one sentence three times, and share none with each other."""
    return [[f"sentence {kind} of document {number}" for kind in REPEATED] for number in range(count)]


def numbered(answer: Any, texts: Documents) -> Seen:
    """The pairs, with a number in place of each sentence."""
    if problem := wrong_form(answer):
        return problem
    numbers: dict[str, int] = {}
    for sentence in (sentence for document in texts for sentence in document):
        numbers.setdefault(sentence, len(numbers))
    return np.array([[*(numbers.get(text, ELSEWHERE) for text in pair[:2]), int(pair[2])] for pair in answer])


def seen(answer: Any, texts: Documents) -> dict[str, Any]:
    """The pairs, and the lengths of the documents."""
    return {"lengths": np.array([len(document) for document in texts]), "pairs": numbered(answer, texts)}


def wrong_form(answer: Any) -> str | None:
    """What is wrong with an answer other than a list of (text, text, 0 or 1), or None."""
    if not isinstance(answer, list):
        return Message("returns {answer}; wanted a list of pairs", answer=describe(answer))
    if not answer:
        return Message("returns no pairs")
    for pair in answer:
        if not isinstance(pair, list | tuple) or len(pair) != 3:
            return Message("returns a list with items other than (first, second, label)")
        if not isinstance(pair[0], str) or not isinstance(pair[1], str):
            return Message("returns first or second sentences that are not strings")
        if isinstance(pair[2], str) or pair[2] not in (IS_NEXT, NOT_NEXT):
            return Message("returns labels that are not 0 and 1")
    return None


def judge_firsts(answers: dict[str, Any]) -> str | None:
    """Judge whether each sentence that has a next one is the first of one pair, in order."""
    if isinstance(answers["pairs"], str):
        return answers["pairs"]
    firsts = answers["pairs"][:, 0].tolist()
    last = np.cumsum(answers["lengths"]) - 1
    expected = [sentence for sentence in range(answers["lengths"].sum()) if sentence not in last]
    if firsts == expected:
        return _wrong_repeats(answers["repeating"])
    if set(last.tolist()).intersection(firsts):
        return Message("takes the last sentence of a document as a first one, though it has no next")
    if sorted(set(firsts)) == expected:
        return (
            Message("makes several pairs with the same first sentence")
            if len(firsts) > len(expected)
            else Message("makes pairs in another order")
        )
    return Message("leaves out sentences that have a next one")


def _wrong_repeats(given: Seen) -> str | None:
    """What is wrong with the pairs of documents that repeat a sentence, or None."""
    if isinstance(given, str):
        return given
    kinds = len(np.unique(REPEATED))
    pairs = len(REPEATED) - 1
    if len(given) % pairs or not (given[:, 0].reshape(-1, pairs) % kinds == REPEATED[:-1]).all():
        return Message("leaves out a sentence that has the same text as another one of its document")
    first, second, label = given.T
    true_next = first - first % kinds + np.resize(REPEATED[1:], len(given))
    confused = (label == IS_NEXT) & (second // kinds == first // kinds) & (second != true_next)
    if confused.any():
        return Message("takes the sentence after another one with the same text for the next one")
    return None


def judge_labels(answers: dict[str, Any]) -> str | None:
    """Judge whether each pair is what its label says."""
    if isinstance(answers["pairs"], str):
        return answers["pairs"]
    first, second, label = answers["pairs"].T
    if ELSEWHERE in first or ELSEWHERE in second:
        return Message("returns sentences that are in no document")
    owner = np.repeat(np.arange(len(answers["lengths"])), answers["lengths"])
    follows = (second == first + 1) & (owner[first] == owner[second])
    if np.array_equal(follows, label == NOT_NEXT):
        return Message("swaps the two labels")
    same = (owner[first] == owner[second])[label == NOT_NEXT]
    if same.any():
        if same.all():
            return Message("takes the random sentence from the same document")
        return Message("sometimes takes the random sentence from the same document")
    return None if np.array_equal(follows, label == IS_NEXT) else Message("returns labels that are not true")


def judge_blanks(answers: dict[str, Any]) -> str | None:
    """Judge whether labels are true, and whether pairs begin with the same sentences as in texts without blanks."""
    without = answers["pairs without blanks"]
    if not isinstance(without, str) and ELSEWHERE in without:
        return Message("returns sentences that differ from those of the documents, for example in their spaces")
    if problem := judge_labels(answers):
        return problem
    if isinstance(without, str) or np.array_equal(answers["pairs"][:, 0], without[:, 0]):
        return None  # another check looks at texts without blanks
    return Message("pairs other sentences than in the same texts without blanks")


def judge_coin(answers: dict[str, Any]) -> str | None:
    """Two counts, so a false alarm in at most 2 of 1,000 million runs.

    By chance, all 16 small answers have the same number of real pairs with a probability of (2.1 / 16)^15, even less.
    """
    for given in (answers["pairs"], *answers["small"]):
        if isinstance(given, str):
            return given
    real = answers["pairs"][:, 2] == IS_NEXT
    labels = [set(given[:, 2].tolist()) for given in (answers["pairs"], *answers["small"])]
    if all(len(of_call) == 1 for of_call in labels) and len(set().union(*labels)) == 2:
        return Message("tosses one coin for all pairs of a call: all of them are real, or none is")
    if real.all() or not real.any():
        return Message("makes no random pairs") if real.all() else Message("makes no real pairs")
    # Half of independent tosses equal the one before.
    again = real[1:] == real[:-1]
    if not again.any():
        return Message("alternates real and random pairs")
    tosses = answers["lengths"] - 1  # all documents have the same length
    by_document = real.reshape(-1, tosses[0]) if real.size == tosses.sum() else None
    if by_document is not None and (by_document == by_document[0]).all():
        return Message("tosses the same coins in each document")
    if not explained_by_chance(real.sum(), real.size, 0.5):
        if real.mean() > 0.5:
            return Message("makes more real pairs than random ones")
        return Message("makes fewer real pairs than random ones")
    if by_document is not None and (by_document == by_document[:, :1]).all():
        return Message("tosses one coin for all pairs of a document")
    if len({int((given[:, 2] == IS_NEXT).sum()) for given in answers["small"]}) == 1:
        return Message("makes the same number of real pairs every time, as if exactly half of them had to be real")
    return (
        None if explained_by_chance(again.sum(), again.size, 0.5) else Message("tosses coins that depend on each other")
    )


def judge_draw(answers: dict[str, Any]) -> str | None:
    """Judge whether documents and sentences are equally likely: 21 counts, so 3 false alarms in 100 million runs."""
    if isinstance(answers["pairs"], str):
        return answers["pairs"]
    own, sizes = answers["lengths"][0], answers["lengths"][1:]
    first, second, _ = answers["pairs"].T
    drawn = second[(first < own) & (second >= own)] - own
    counts = np.bincount(drawn, minlength=sizes.sum())
    starts = np.cumsum(sizes) - sizes
    totals = np.add.reduceat(counts, starts)
    if not drawn.size:
        return Message("draws no sentence of another document")
    if drawn.size < 100:  # half of 1,600 sentences should be followed by one
        return Message("rarely draws a sentence of the short documents beside a long one")
    if np.count_nonzero(totals) == 1:
        return Message("draws from the same document every time")
    if not totals[sizes == 1].any():
        return Message("never draws the sentence of a document that has only one")
    if counts[starts].sum() == drawn.size:
        return Message("draws only first sentences")
    if not counts[starts[sizes > 1]].any():
        return Message("never draws a first sentence")
    if explained_by_chance(totals, drawn.size, 1 / len(sizes)):
        alike = explained_by_chance(counts, drawn.size, np.repeat(1 / len(sizes) / sizes, sizes))
        return None if alike else Message("draws some sentences of a document more than others")
    if explained_by_chance(totals, drawn.size, sizes / sizes.sum()):
        return Message("draws each sentence with the same probability, so that long documents come up more often")
    return Message("draws some documents more often than others")


def judge_twins(given: Seen) -> str | None:
    """Judge labels where all documents but one are equal, (0, 1), and the other holds 2: the texts decide the label."""
    if isinstance(given, str):
        return given
    kinds = {tuple(pair) for pair in given.tolist()}
    if (0, 1, NOT_NEXT) in kinds:
        return Message("labels a pair as random though the drawn sentence has the same text as the next one")
    if (0, 0, IS_NEXT) in kinds:
        return Message(
            "labels a pair as real though the drawn sentence has the same text as another one, not as the next"
        )
    if kinds == {(0, 1, IS_NEXT), (0, 2, NOT_NEXT)}:
        return Message("never draws from a document with the same text as the first sentence's")
    kinds.discard((0, 2, NOT_NEXT))  # chance may never draw it, since there is only one document of its kind
    if len(given) < 100:
        return Message("makes hardly any pairs of documents with the same text")
    if kinds != {(0, 1, IS_NEXT), (0, 0, NOT_NEXT)}:
        return Message("does not make the only two pairs that are possible")
    # Half of the tosses ask for a random sentence, and nearly half of the drawn ones equal the next sentence.
    # Code that draws again gets half: 11 standard deviations from where chance could have led.
    random = given[:, 2] == NOT_NEXT
    if explained_by_chance(random.sum(), random.size, 0.5 * (0.5 + 0.5 / random.size)):
        return None
    if explained_by_chance(random.sum(), random.size, 0.5):
        return Message("draws again if the drawn sentence has the same text as the next one; that pair is real")
    return Message("makes another share of random pairs of documents with the same text; wanted a quarter")


def judge_seeds(answers: dict[str, Seen]) -> str | None:
    for given in answers.values():
        if isinstance(given, str):
            return given
    if not np.array_equal(answers["integer"], answers["integer again"]):
        return Message("makes other pairs each time, though the seed is the same integer")
    if not np.array_equal(answers["0"], answers["0 again"]):
        return Message("makes other pairs each time if the seed is 0, an integer like any other")
    if np.array_equal(answers["integer"], answers["other integer"]):
        return Message("makes the same pairs, though the seed is another integer")
    if np.array_equal(answers["generator"], answers["generator again"]):
        return Message("makes the same pairs again from a generator, which should continue")
    if np.array_equal(answers["none"], answers["none again"]):
        return Message("makes the same pairs again, though there is no seed")
    return None
