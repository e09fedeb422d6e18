"""How a wrong list of words differs from the wanted one: in words, and by what all differences have in common."""

from __future__ import annotations

import difflib
import unicodedata
from collections import Counter
from typing import Any

from grading.judging.behaviour.answers import Pair
from grading.judging.behaviour.observation import ENOUGH, Observation, Seen
from grading.judging.proxies import DTYPES_OF_WEIGHTS, LIST_OF_DTYPES

_MOST_WORDS = 2000  # which are compared word by word


def texts(pair: Pair) -> Seen:
    """What differs between two lists of words, or of pairs of words; two single texts are lists of one."""
    given, wanted = _words(pair.given), _words(pair.wanted)
    if (
        pair.name in (LIST_OF_DTYPES, DTYPES_OF_WEIGHTS)
        or given is None
        or wanted is None
        or given == wanted
        or max(len(given), len(wanted)) > _MOST_WORDS
    ):
        return {}
    seen: Seen = {}
    for observation in (_of_all(given, wanted), _first_difference(given, wanted)):
        if observation:
            seen[observation] = ENOUGH
    return seen


def _words(value: Any) -> list[str] | None:
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list | tuple):
        return None
    flat = [" ".join(item) if _is_words(item) and isinstance(item, list | tuple) else item for item in value]
    return flat if all(isinstance(item, str) for item in flat) else None


def _is_words(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


def _of_all(given: list[str], wanted: list[str]) -> Observation | None:
    """What both lists have in common once one property is looked past."""
    if not given:
        return Observation("Nothing comes back where words are wanted.", "What is returned at the end?")
    if given == wanted[::-1]:
        return Observation("The words are those wanted, in reverse order.", "Is something put in front, or behind?")
    if Counter(given) == Counter(wanted):
        return Observation("The words are those wanted, in another order.", "What decides about the order?")
    if list(map(str.lower, given)) == list(map(str.lower, wanted)):
        return Observation("Only capital and small letters differ.", "When is the text put into lower case?")
    if list(map(_bare, given)) == list(map(_bare, wanted)):
        return Observation("Only accents differ.", "When are accents taken off, and are their letters kept?")
    if len(set(given)) == len(given) < len(wanted) and given == list(dict.fromkeys(wanted)):
        return Observation("What occurs twice comes only once.", "Is every occurrence kept?")
    if "".join(given) == "".join(wanted):
        cut = "too often" if len(given) > len(wanted) else "too seldom" if len(given) < len(wanted) else "elsewhere"
        return Observation(f"All characters are there; the text is cut {cut}.", "What ends a word, and what does not?")
    if given == wanted[: len(given)]:
        return Observation(
            "The end is missing; all before it is right.", "What happens to what is left when the loop ends?"
        )
    if given == wanted[-len(given) :]:
        return Observation("The beginning is missing; all behind it is right.", "What happens before the loop begins?")
    if wanted == given[: len(wanted)]:
        return Observation("It is right, and goes on too long.", "When does it end?")
    return None


def _bare(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if unicodedata.category(c) != "Mn")


def _first_difference(given: list[str], wanted: list[str]) -> Observation | None:
    matcher = difflib.SequenceMatcher(None, given, wanted, autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            continue
        behind = f"behind {_shown(wanted[k - 1 : k])}" if k else "at the start"
        question = "Follow this word through the code, step by step. Where does it go wrong?"
        if tag == "delete":
            return Observation(f"First difference: {_shown(given[i:j])} stands {behind}, and should not.", question)
        if tag == "insert":
            return Observation(f"First difference: {behind}, {_shown(wanted[k:m])} is missing.", question)
        return Observation(
            f"First difference: {behind} stands {_shown(given[i:j])} instead of {_shown(wanted[k:m])}.", question
        )
    return None


def _shown(words: list[str]) -> str:
    shown = ", ".join(f"{word[:30]!r}" for word in words[:3])
    return shown + (", ..." if len(words) > 3 else "")
