"""Judge a text in which each stretch became one [MASK]: what it shows, and what is wrong with it."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.exercises.objectives.noise import MASK, Seen, common, count_finding, how_many, is_special
from grading.judging.significance import explained_by_chance
from grading.messages import Message

MEAN_SPAN = 3


def judge_infilled(answers: dict[str, list[Seen]]) -> str | None:
    """Ten counts, so a false alarm in at most one of 100 million runs."""
    findings: list[str] = []
    lengths: list[int] = []
    alone: list[int] = []
    for name, several in answers.items():
        for sample in several:
            if problem := common(sample):
                return problem
            if finding := _wrong_infilling(sample["given"], sample["found"], sample["rate"], lengths, alone):
                findings.append(f"{finding} {name}")
                break
    if not findings and sum(alone) > 7 and 2 * sum(number for number in alone if number > 1) > sum(alone):
        return Message("puts every [MASK] for an empty stretch at one place")
    if wrong := "; ".join(findings) or _wrong_masks(lengths):
        return wrong
    return None if alone else Message("puts every [MASK] for an empty stretch next to another one")


def _wrong_infilling(
    given: list[int], found: list[int], rate: float, lengths: list[int], alone: list[int]
) -> str | None:
    kept = [number for number in found if number != MASK]
    left = set(kept)
    if left - set(given):
        return Message("inserts words,")
    if kept != [number for number in given if number in left]:
        return Message("changes the order of words,")
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
            return Message("leaves no [MASK] where words are missing,")
        if masks and not missing and _is_mark(given, previous) and _is_mark(given, here):
            return Message("puts [MASK] where no word is adjacent,")
        alone += [masks] if masks and not missing else []
        if masks == 1:
            lengths.append(missing)
        elif masks > 1 and missing >= masks:
            lengths += [-1] * masks  # adjacent spans: their ends are unknown
        elif masks > 1:
            lengths += [0] * (masks - missing) + [-1] * missing
        previous, masks = here, 0
    return count_finding(words - sum(not is_special(number) for number in kept), how_many(rate, words), "hides")


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


def _wrong_masks(lengths: list[int]) -> str | None:
    """Judge the lengths of isolated spans: how many have no word, one word, or at least eight words."""
    total, alone = len(lengths), np.array([length for length in lengths if length > 0])
    if not (np.array(lengths) == 0).any():
        none = "; each word has its own [MASK]" if (alone == 1).all() else ""
        same = "; all have the same length" if len(alone) and np.ptp(alone) == 0 and alone[0] > 1 else ""
        return Message("draws no stretch of length 0{none}{same}", none=none, same=same)
    if (alone == 1).all():
        return Message("gives each word its own [MASK]")
    chances = np.exp(-MEAN_SPAN) * np.cumprod([1, *(MEAN_SPAN / np.arange(1, 8))])  # P(0), ..., P(7)
    if not explained_by_chance((np.array(lengths) == 0).sum(), total, chances[0]):
        return Message("draws too many stretches of length 0")
    mean = alone.mean()
    if mean > MEAN_SPAN + 1 or mean < MEAN_SPAN - 1:
        return f"draws stretches that are too {'long' if mean > MEAN_SPAN else 'short'} on average"
    long = 1 - chances.sum()
    if not explained_by_chance((alone > 7).sum(), len(alone), long / (1 - chances[0])):
        return Message("draws long stretches too often")
    if not (alone > 5).any():
        return Message("draws no long stretches")
    return None
