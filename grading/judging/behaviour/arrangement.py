"""In which order, and at which places, do the right and the wrong numbers and words stand?"""

from __future__ import annotations

import difflib
import itertools
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from grading.judging.behaviour.observation import (
    ENOUGH,
    Evidence,
    Observation,
    Pair,
    axis_name,
    close,
    is_float,
    varies,
)
from grading.judging.proxies import DTYPES_OF_WEIGHTS, LIST_OF_DTYPES
from grading.messages import Message, all_of

_MOST_ROWS = 40  # beyond which no other order is looked for
_MOST_VALUES = 40  # of an argument, such as ids, that are looked for
_MOST_WORDS = 2000  # beyond which words are not compared
_LONGEST_DECOMPOSED = 4  # times as long as what was wanted; beyond it, accents cannot be the only difference
_DISPLACED = 1 / 50  # of the range of all numbers; a smaller error is one of precision, not of place
_ENOUGH_TO_ALTERNATE = 6  # places; among fewer, every other one may be wrong for another reason
# Begins what is said of places that an input tells from all others.
EXACTLY_WHERE = "is wrong exactly where"
_ELSEWHERE = Observation(
    "The result has all of the expected numbers, but at other places.",
    "Which axis goes where? A reshape keeps the order of the numbers; a transpose changes it.",
)


def order_differences(pair: Pair, given: np.ndarray, expected: np.ndarray) -> Iterator[Observation]:
    """The order in which the expected numbers come: transposed, reversed, shifted, or one in place of others."""
    if expected.size < 3 or not varies(expected):
        return
    if _has_same_numbers(given, expected):
        yield from _transposed(pair, given, expected)
    for axis in range(expected.ndim):
        if 2 <= expected.shape[axis] <= _MOST_ROWS:
            yield from _reordered_rows(pair, given, expected, axis)


def _has_same_numbers(given: np.ndarray, expected: np.ndarray) -> bool:
    """Whether two arrays have the same numbers, wherever they stand."""
    return bool(np.allclose(np.sort(given, axis=None), np.sort(expected, axis=None), rtol=1e-4, atol=1e-6))


def _transposed(pair: Pair, given: np.ndarray, expected: np.ndarray) -> Iterator[Observation]:
    for axes in itertools.permutations(range(expected.ndim)):
        moved = [axis for axis in range(expected.ndim) if axes[axis] != axis and expected.shape[axis] > 1]
        if moved and close(pair, given, expected.transpose(axes)):
            named = all_of(axis_name(pair, expected, axis) for axis in moved)
            yield Observation(
                Message("The result is the expected one with {named} swapped.", named=named),
                "Which axis should come first?",
            )


def _reordered_rows(pair: Pair, given: np.ndarray, expected: np.ndarray, axis: int) -> Iterator[Observation]:
    """Which expected row each given row is, along one axis."""
    size = expected.shape[axis]
    rows_given, rows = (np.moveaxis(array, axis, 0).reshape(size, -1) for array in (given, expected))
    if any(close(pair, one, other) for one, other in itertools.combinations(rows, 2)):
        return  # equal rows cannot be told apart
    places = [next((j for j in range(size) if close(pair, row, rows[j])), -1) for row in rows_given]
    if -1 in places or places == list(range(size)):
        return
    moved = [rows[place] for index, place in enumerate(places) if place != index]
    if expected.dtype == bool or _are_recognisable(moved):
        yield _order(axis_name(pair, expected, axis), places)


def _order(axis: str, places: list[int]) -> Observation:
    """The order of the expected rows in words.

    Args:
        axis: the name of the axis.
        places: for each given row, which expected row it is.
    """
    size, first = len(places), places[0]
    if len(set(places)) == 1:
        return Observation(
            Message(
                "Along {axis}, every place of the result equals place {first} of the expected one.",
                axis=axis,
                first=first,
            ),
            "Which index stays the same where it should count?",
        )
    if places == list(range(size))[::-1]:
        return Observation(
            Message("The result is the expected one in reverse order along {axis}.", axis=axis),
            "Where does counting begin?",
        )
    if size > 2 and places == [(index + first) % size for index in range(size)]:
        return Observation(
            Message(
                "The result is the expected one, shifted by {first} along {axis}.",
                first=min(first, size - first),
                axis=axis,
            ),
            "Does something count from 1 instead of 0, or is it rolled around?",
        )
    if len(set(places)) < size:
        return Observation(
            Message(
                "Along {axis}, some places of the expected result occur several times, and some not at all.", axis=axis
            ),
            "Which index repeats itself where it should go on?",
        )
    shown = ", ".join(map(str, places[:12])) + (", ..." if size > 12 else "")
    return Observation(
        Message("Along {axis}, the places of the expected result come in this order: {shown}.", axis=axis, shown=shown),
        "Which steps move numbers to other places? A reshape keeps their order; a transpose changes it.",
    )


def _are_recognisable(rows: list[np.ndarray]) -> bool:
    """Whether no other row is likely to be equal by chance, as rows of zeros and single counts are."""
    if rows[0].size < 3:
        return len(rows) > 2 and all(row.all() for row in rows)
    return all(np.unique(row).size > 2 for row in rows)


def wrong_places(pair: Pair) -> Evidence:
    """Which places of an array of the expected shape are wrong, if a simple rule says so."""
    numbers = pair.numbers
    if numbers is None or numbers[0].shape != numbers[1].shape or numbers[1].size < 4:
        return {}
    given, expected = numbers
    wrong = np.abs(given - expected) > pair.tolerance * (1 + np.abs(expected))
    if not wrong.any():
        return {}
    is_displaced = np.abs(given - expected).max() > _DISPLACED * np.ptp(expected) and _has_same_numbers(given, expected)
    if is_displaced and expected.size >= 2 * ENOUGH and np.unique(expected).size >= ENOUGH:
        return {_ELSEWHERE: expected.size}
    if wrong.all():
        return {}
    return dict.fromkeys(_rules(pair, given, expected, wrong), expected.size)


def _rules(pair: Pair, given: np.ndarray, expected: np.ndarray, wrong: np.ndarray) -> Iterator[Observation]:
    yield from _by_inputs(pair, wrong)
    if wrong.ndim >= 2 and min(wrong.shape[-2:]) > 2:
        rows, columns = np.indices(wrong.shape[-2:])
        for sentence, area in (
            (Message("Only the numbers on the diagonal are wrong."), rows == columns),
            (Message("Only the numbers above the diagonal are wrong."), rows < columns),
            (Message("Only the numbers below the diagonal are wrong."), rows > columns),
        ):
            if _is_exactly(wrong, np.broadcast_to(area, wrong.shape)):
                yield Observation(sentence, "What is special about them?")
    yield from _one_for_another(pair, given, expected, wrong)
    if wrong.sum() > 3 and not np.ptp(given[wrong]) and float(given[wrong][0]).is_integer():
        number = f"{given[wrong][0] + 0.0:g}"
        yield Observation(
            Message("Wherever the result is wrong, it is {number}.", number=number),
            Message("What makes these numbers {number}?", number=number),
        )
    for axis in range(wrong.ndim):
        if wrong.shape[axis] > 1 and not _is_masked(pair, wrong.shape[axis]):
            yield from _along(pair, wrong, axis)
    yield from _by_value(pair, expected, wrong)


def _one_for_another(pair: Pair, given: np.ndarray, expected: np.ndarray, wrong: np.ndarray) -> Iterator[Observation]:
    """One whole number that always stands for one other, such as one id for another."""
    is_whole = isinstance(pair.expected, np.ndarray) and pair.expected.dtype.kind in "iu"
    if is_whole and wrong.sum() > 1 and not np.ptp(given[wrong]) and not np.ptp(expected[wrong]):
        one, other = int(given[wrong][0]), int(expected[wrong][0])
        yield Observation(
            Message(
                "Wherever the result is wrong, it is {given}; it should be {expected}.",
                given=_named(pair, one),
                expected=_named(pair, other),
            ),
            "Which line puts this number there, and for which places is it meant?",
        )


def _named(pair: Pair, number: int) -> str:
    """A number, with its name if it was given as an argument."""
    names = [name for name, size in pair.sizes.items() if size == number and name not in pair.of_axes]
    return f"{number}, `{names[0]}`" if len(names) == 1 else str(number)


def _is_masked(pair: Pair, size: int) -> bool:
    """Whether a mask is laid over an axis of this size: what is wrong along it may be wrong because of the mask."""
    masks = [value for value in pair.inputs.values() if isinstance(value, np.ndarray) and value.dtype.kind == "b"]
    return any(size in mask.shape and varies(mask.astype("float64")) for mask in masks)


def _along(pair: Pair, wrong: np.ndarray, axis: int) -> Iterator[Observation]:
    size = wrong.shape[axis]
    places = np.flatnonzero(wrong.any(axis=tuple(other for other in range(wrong.ndim) if other != axis)))
    name = axis_name(pair, wrong, axis)
    for sentence, rule in _rules_along(name, size).items():
        if set(places) == rule and rule:
            yield Observation(
                sentence, "What is special there: something in the input, or something that the code does?"
            )
            return
    first, last = places[0], places[-1]
    if len(places) < size and list(places) == list(range(first, size)) and first > 1:
        yield Observation(
            Message(
                "Along {name}, the result is right up to {value} and wrong from {first} on.",
                name=name,
                value=first - 1,
                first=first,
            ),
            "What begins there?",
        )
    elif len(places) < size and list(places) == list(range(last + 1)) and size - len(places) > 1:
        yield Observation(
            Message(
                "Along {name}, the result is wrong up to {last} and right from {value} on.",
                name=name,
                last=last,
                value=last + 1,
            ),
            "What ends there?",
        )
    elif len(places) == 1:
        yield Observation(
            Message("Along {name}, only place {first} is wrong; all others are right.", name=name, first=first),
            "What is special about it?",
        )


def _rules_along(axis: str, size: int) -> dict[Message, set[int]]:
    """Sentences about an axis, each with the places that are wrong if it is true."""
    everywhere = set(range(size))
    rules = {
        Message("Along {axis}, only the first place is wrong; all others are right.", axis=axis): {0},
        Message("Along {axis}, only the last place is wrong; all others are right.", axis=axis): {size - 1},
        Message("Along {axis}, only the first place is right; all others are wrong.", axis=axis): everywhere - {0},
        Message("Along {axis}, only the last place is right; all others are wrong.", axis=axis): everywhere
        - {size - 1},
    }
    if size >= _ENOUGH_TO_ALTERNATE:
        rules |= {
            Message("Along {axis}, only places 0, 2, 4, ... are wrong; those between them are right.", axis=axis): set(
                range(0, size, 2)
            ),
            Message("Along {axis}, only places 1, 3, 5, ... are wrong; those between them are right.", axis=axis): set(
                range(1, size, 2)
            ),
        }
    return rules


def _by_value(pair: Pair, expected: np.ndarray, wrong: np.ndarray) -> Iterator[Observation]:
    zero = expected == 0
    if zero.any() and not zero.all():
        if _is_exactly(wrong, zero):
            yield Observation("The result is wrong exactly where 0 is expected.", "What should make it 0 there?")
        elif _is_exactly(wrong, ~zero) and expected.size > 8:
            yield Observation("The result is right only where 0 is expected.", "What happens to all that is not 0?")
    has_signs = isinstance(pair.expected, np.ndarray) and is_float(pair.expected)  # an id's sign means nothing
    if has_signs and (expected < 0).any() and (expected > 0).any():
        if _is_exactly(wrong, expected < 0):
            yield Observation("Only negative numbers come out wrong.", "What happens to a number below 0?")
        elif _is_exactly(wrong, expected > 0):
            yield Observation("Only positive numbers come out wrong.", "What happens to a number above 0?")


def _by_inputs(pair: Pair, wrong: np.ndarray) -> Iterator[Observation]:
    """Exactly where a boolean argument is True or False, or where an argument of whole numbers has some value."""
    for name, array in pair.inputs.items():
        if not isinstance(array, np.ndarray) or array.dtype.kind not in "biu" or array.ndim > wrong.ndim:
            continue
        values = _values_to_look_for(pair, array)
        # As it is, with features behind it, or with axes between its first and its last, as a mask over keys has.
        between = (*array.shape[:-1], *[1] * (wrong.ndim - array.ndim), *array.shape[-1:])
        for shape in dict.fromkeys((array.shape, (*array.shape, 1), between)):
            for value in values:
                is_value = array == value
                for sentence, places in (
                    (
                        Message("The result is wrong exactly where `{name}` is {value}.", name=name, value=value),
                        is_value,
                    ),
                    (
                        Message(
                            "The result is wrong exactly where {value} stands before it in `{name}`.",
                            value=value,
                            name=name,
                        ),
                        _after(is_value),
                    ),
                ):
                    area = _broadcast(places.reshape(shape), wrong.shape)
                    if area is not None and _is_exactly(wrong, area):
                        yield Observation(
                            sentence,
                            Message("What does `{name}` mean, and what follows from it?", name=name),
                        )
        yield from _samples_with(name, array, values, wrong)


def _values_to_look_for(pair: Pair, array: np.ndarray) -> np.ndarray:
    """The values of an array; of very many, 0 and those that are arguments by themselves, such as an id."""
    values = np.unique(array)
    if len(values) > _MOST_VALUES:
        numbers = [size for name, size in pair.sizes.items() if name not in pair.of_axes]
        values = np.intersect1d(values, [0, *numbers])
    return values if len(np.unique(array)) > 1 else values[:0]


def _after(places: np.ndarray) -> np.ndarray:
    """The places along the last axis that come after one of these, and are none of these."""
    if not places.ndim:
        return np.zeros_like(places)
    return np.logical_or.accumulate(places, axis=-1) & ~places


def _samples_with(name: str, array: np.ndarray, values: np.ndarray, wrong: np.ndarray) -> Iterator[Observation]:
    """Samples that are wrong somewhere, if they are exactly those in which an argument has some value somewhere."""
    if array.ndim < 2 or wrong.ndim < 2 or len(array) != len(wrong) or len(array) < 3:
        return
    wrong_samples = wrong.reshape(len(wrong), -1).any(axis=1)
    for value in values:
        samples = (array == value).reshape(len(array), -1).any(axis=1)
        if wrong_samples.any() and not wrong_samples.all() and np.array_equal(wrong_samples, samples):
            yield Observation(
                Message(
                    "Samples with {value} somewhere in `{name}` are wrong; all others are right.",
                    value=value,
                    name=name,
                ),
                Message(
                    "What does {value} mean in `{name}`, and where does the code look at it?", value=value, name=name
                ),
            )


def _broadcast(area: np.ndarray, shape: tuple[int, ...]) -> np.ndarray | None:
    try:
        return np.broadcast_to(area, shape)
    except ValueError:
        return None


def _is_exactly(wrong: np.ndarray, area: np.ndarray) -> bool:
    """Whether everything wrong is in the area, and most of the area is wrong."""
    return bool(area.any() and not area.all() and not wrong[~area].any() and wrong[area].mean() > 0.9)


def text_differences(pair: Pair) -> Evidence:
    """How two lists of words, or of pairs of words, differ; a single text is a list of one."""
    given, expected = _words(pair.given), _words(pair.expected)
    if (
        pair.name in (LIST_OF_DTYPES, DTYPES_OF_WEIGHTS)
        or given is None
        or expected is None
        or given == expected
        or max(len(given), len(expected)) > _MOST_WORDS
    ):
        return {}
    observations = (
        _missing_characters(given, expected),
        _of_all_words(given, expected),
        _first_difference(given, expected),
    )
    return {observation: ENOUGH for observation in observations if observation}


def _words(value: Any) -> list[str] | None:
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list | tuple):
        return None
    flat = [" ".join(item) if _is_words(item) and isinstance(item, list | tuple) else item for item in value]
    return flat if all(isinstance(item, str) for item in flat) else None


def _is_words(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


def _of_all_words(given: list[str], expected: list[str]) -> Observation | None:
    """The one property in which all of both lists differ."""
    if not given:
        return Observation("The result is empty; it should have words.", "What does the code return at the end?")
    if given == expected[::-1]:
        return Observation("The words are right, but in reverse order.", "Is something put in front, or at the end?")
    if Counter(given) == Counter(expected):
        return Observation("The words are right, but in another order.", "What determines the order?")
    if list(map(str.lower, given)) == list(map(str.lower, expected)):
        return Observation("Only upper and lower case differ.", "When is the text converted to lower case?")
    # Python takes minutes to put a hundred thousand accents in order, and the whole class would wait.
    is_near = sum(map(len, given)) <= _LONGEST_DECOMPOSED * sum(map(len, expected))
    if is_near and list(map(_decomposed, given)) == list(map(_decomposed, expected)):
        return Observation(
            "The words look the same, but their characters are in another Unicode normal form.",
            "Where is the text normalised, and should it be?",
        )
    if is_near and list(map(_without_accents, given)) == list(map(_without_accents, expected)):
        return Observation("Only accents differ.", "When are accents removed, and are their letters kept?")
    if len(set(given)) == len(given) < len(expected) and given == list(dict.fromkeys(expected)):
        return Observation("What should occur several times occurs only once.", "Is every occurrence kept?")
    return _of_both_ends(given, expected)


# Kinds of characters, and how each is told.
_CHARACTERS: dict[str, Callable[[str], bool]] = {
    Message("capital letters"): str.isupper,
    Message("digits"): str.isdigit,
    Message("marks of punctuation"): lambda character: unicodedata.category(character)[0] in "PS",
    Message("characters beyond ASCII"): lambda character: not character.isascii(),
    Message("letters"): str.isalpha,
}


ABOUT_MISSING = Message("Which line drops them, and which should it drop?")


def _missing_characters(given: list[str], expected: list[str]) -> Observation | None:
    """The kind of characters that are dropped, if nothing else is and none of that kind is kept."""
    kept, wanted = set("".join(given)), set("".join(expected))
    missing = wanted - kept
    if not missing or not kept or not kept < wanted:
        return None
    for kind, is_of_kind in _CHARACTERS.items():
        if all(map(is_of_kind, missing)) and not any(map(is_of_kind, kept)):
            return Observation(Message("All {kind} are missing.", kind=kind), ABOUT_MISSING)
    return None


def _of_both_ends(given: list[str], expected: list[str]) -> Observation | None:
    """Where the text begins, ends and is split."""
    if "".join(given) == "".join(expected):
        if len(given) > len(expected):
            sentence = Message("All characters are there; the text is split too often.")
        elif len(given) < len(expected):
            sentence = Message("All characters are there; the text is split too seldom.")
        else:
            sentence = Message("All characters are there; the text is split at other places.")
        return Observation(
            sentence,
            "What ends a word, and what does not?",
        )
    if given == expected[: len(given)]:
        return Observation(
            "The end is missing; everything before it is right.", "What happens to the rest when the loop ends?"
        )
    if given == expected[-len(given) :]:
        return Observation(
            "The beginning is missing; everything after it is right.", "What happens before the loop begins?"
        )
    if expected == given[: len(expected)]:
        return Observation("The result is right, but goes on too long.", "When should it end?")
    return None


def _decomposed(word: str) -> str:
    return unicodedata.normalize("NFD", word)


def _without_accents(word: str) -> str:
    return "".join(c for c in _decomposed(word) if unicodedata.category(c) != "Mn")


def _first_difference(given: list[str], expected: list[str]) -> Observation | None:
    question = Message("Follow this word through the code, step by step. Where does it go wrong?")
    if len(given) == len(expected):  # as one tag for each word: what stands at the same place belongs together
        first = next(index for index, pair in enumerate(zip(given, expected, strict=True)) if pair[0] != pair[1])
        before = _shown(expected[first - 1 : first]) if first else ""
        return Observation(_instead(before, given[first : first + 1], expected[first : first + 1]), question, True)
    matcher = difflib.SequenceMatcher(None, given, expected, autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            continue
        where = Message("after {word}", word=_shown(expected[k - 1 : k])) if k else Message("at the start")
        if tag == "delete":
            return Observation(
                Message(
                    "First difference: {given} {where} should not be there.", given=_shown(given[i:j]), where=where
                ),
                question,
                True,
            )
        if tag == "insert":
            return Observation(
                Message(
                    "First difference: {expected} is missing {where}.", expected=_shown(expected[k:m]), where=where
                ),
                question,
                True,
            )
        before = _shown(expected[k - 1 : k]) if k else ""
        return Observation(_instead(before, given[i:j], expected[k:m]), question, True)
    return None


def _instead(before: str, given: list[str], expected: list[str]) -> Message:
    """That words should be others.

    Args:
        before: the word before them, or "".
    """
    words = {"given": _shown(given), "expected": _shown(expected)}
    if not before:
        return Message("First difference: {given} should be {expected}.", **words)
    where = Message("after {word}", word=before)
    return Message("First difference: {given} {where} should be {expected}.", where=where, **words)


def _shown(words: list[str]) -> str:
    shown = ", ".join(f"{word[:30]!r}" for word in words[:3])
    return shown + (", ..." if len(words) > 3 else "")
