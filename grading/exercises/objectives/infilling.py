"""Judge a text in which each stretch became one [MASK]: what it shows, and what is wrong with it."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.exercises.objectives.noise import MASK, Counted, Seen, common, count_finding, how_many, is_special
from grading.judging.significance import explained_by_chance
from grading.messages import Message, in_turn

MEAN_SPAN = 3
HIDES = Counted(
    Message("hides nothing {where}"),
    Message("hides too few {where}"),
    Message("hides too many {where}"),
)


# The name of texts in which a stretch of more than three words fits nowhere.
SHORT = Message("where at most 3 words fit")


def judge_infilled(answers: dict[str, list[Seen]]) -> str | None:
    """Eleven counts, so a false alarm in at most two of 100 million runs."""
    findings: list[Message] = []
    lengths: list[int] = []
    alone: list[int] = []
    short: list[int] = []
    for name, several in answers.items():
        for sample in several:
            if problem := common(sample):
                return problem
            if finding := _wrong_infilling(sample, name, *((short, []) if name == SHORT else (lengths, alone))):
                findings.append(finding)
                break
    if not findings and sum(alone) > 7 and 2 * sum(number for number in alone if number > 1) > sum(alone):
        return Message("puts every [MASK] for an empty stretch at one place")
    if wrong := in_turn(findings) if findings else _wrong_masks(lengths):
        return wrong
    if not alone:
        return Message("puts every [MASK] for an empty stretch next to another one")
    return _wrong_short(short)


def _wrong_infilling(sample: Seen, where: str, lengths: list[int], alone: list[int]) -> Message | None:
    given, found = sample["given"], sample["found"]
    kept = [number for number in found if number != MASK]
    left = set(kept)
    if left - set(given):
        return Message("inserts words, {where}", where=where)
    if kept != [number for number in given if number in left]:
        return Message("changes the order of words, {where}", where=where)
    words = sum(not is_special(number) for number in given)
    place = {number: index for index, number in enumerate(_numbered(given))}
    previous, masks = -1, 0
    for number in [*_numbered(found), None]:
        if number == MASK:
            masks += 1
            continue
        here = len(given) if number is None else place[number]
        missing = here - previous - 1
        if missing and not masks:
            return Message("leaves no [MASK] where words are missing, {where}", where=where)
        if masks and not missing and _is_mark(given, previous) and _is_mark(given, here):
            return Message("puts [MASK] where no word is adjacent, {where}", where=where)
        alone += [masks] if masks and not missing else []
        if masks == 1:
            lengths.append(missing)
        elif masks > 1 and missing >= masks:
            lengths += [-1] * masks  # adjacent spans: their ends are unknown
        elif masks > 1:
            lengths += [0] * (masks - missing) + [-1] * missing
        previous, masks = here, 0
    hidden = words - sum(not is_special(number) for number in kept)
    return count_finding(hidden, how_many(sample["rate"], words), HIDES, where)


def _numbered(ids: list[int]) -> list[Any]:
    """Number the special tokens, so that repeated ones can be distinguished."""
    seen: dict[int, int] = {}
    numbered: list[Any] = []
    for number in ids:
        if is_special(number):
            seen[number] = seen.get(number, 0) + 1
            numbered.append((number, seen[number]))
        else:
            numbered.append(number)
    return numbered


def _is_mark(given: list[int], index: int) -> bool:
    return index < 0 or index >= len(given) or is_special(given[index])


def _wrong_short(lengths: list[int]) -> str | None:
    """Judge how many of the isolated spans of one to three words have three. Longer ones fit nowhere."""
    counts = np.bincount([length for length in lengths if length > 0], minlength=4)
    chances = np.cumprod(MEAN_SPAN / np.arange(1, 4))  # P(1), P(2) and P(3), times a constant
    if explained_by_chance(counts[3], counts.sum(), chances[2] / chances.sum()):
        return None
    if counts[3] > counts.sum() / 2:
        return Message("shortens a stretch that fits nowhere instead of drawing its length again")
    return Message("draws other lengths where long stretches fit nowhere")


def _wrong_masks(lengths: list[int]) -> str | None:
    """Judge the lengths of isolated spans: how many have no word, one word, or at least eight words."""
    total, alone = len(lengths), np.array([length for length in lengths if length > 0])
    if not (np.array(lengths) == 0).any():
        if (alone == 1).all():
            return Message("draws no stretch of length 0; each word has its own [MASK]")
        if np.ptp(alone) == 0:
            return Message("draws no stretch of length 0; all have the same length")
        return Message("draws no stretch of length 0")
    if (alone == 1).all():
        return Message("gives each word its own [MASK]")
    chances = np.exp(-MEAN_SPAN) * np.cumprod([1, *(MEAN_SPAN / np.arange(1, 8))])  # P(0), ..., P(7)
    empty = (np.array(lengths) == 0).sum()
    if not explained_by_chance(empty, total, chances[0]):
        if empty > chances[0] * total:
            return Message("draws too many stretches of length 0")
        return Message("draws too few stretches of length 0")
    mean = alone.mean()
    if mean > MEAN_SPAN + 1 or mean < MEAN_SPAN - 1:
        if mean > MEAN_SPAN:
            return Message("draws stretches that are too long on average")
        return Message("draws stretches that are too short on average")
    long = 1 - chances.sum()
    if not explained_by_chance((alone > 7).sum(), len(alone), long / (1 - chances[0])):
        return Message("draws long stretches too often")
    if not (alone > 5).any():
        return Message("draws no long stretches")
    return None
