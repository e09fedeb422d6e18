"""Compares what came back with what was expected, and says what differs and where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from grading.judging.proxies import BY_ARGUMENT
from grading.messages import Message

_PLAIN = (bool, int, float, str, type(None))
_LONGEST_LIST = 160  # characters of a list of texts that is quoted whole
_RESULT = Message("the result")
_LONGEST_ROW = 16  # whole numbers, such as ids, that are quoted whole


@dataclass(frozen=True, eq=False)
class Difference:
    """The first thing in which an answer differs from what was expected.

    Attributes:
        message: what was given and what was wanted, as a sentence for the student.
        given: the student's array, where the two can be drawn beside each other; else None.
        wanted: the expected array, likewise.
    """

    message: str
    given: np.ndarray | None = None
    wanted: np.ndarray | None = None


def compare(given: Any, wanted: Any, tolerance: float, where: str = _RESULT) -> Difference | None:
    """The first difference between two answers, or None where they agree.

    Args:
        given: what the student's code returned, which may be anything that passes the wire: arrays, plain values,
            objects that stay where they are, and lists, tuples and dicts of them.
        wanted: what was expected, likewise. Its structure is what the student's must have.
        tolerance: absolute and relative, for numbers with a fraction; all else must be equal.
        where: what the answer is called in the message.
    """
    try:
        if isinstance(wanted, dict):
            return _compare_dicts(given, wanted, tolerance, where)
        if isinstance(wanted, list | tuple):
            return _compare_sequences(given, wanted, tolerance, where)
        if isinstance(wanted, np.ndarray):
            return _compare_arrays(given, wanted, tolerance, where)
        return _compare_plain(given, wanted, tolerance, where)
    except Exception:  # what comes from a student is taken apart in good faith, and NumPy raises nearly anything
        return _other(given, wanted, where)


def _other(given: Any, wanted: Any, where: str) -> Difference:
    shown, asked_for = describe(given), describe(wanted)
    if shown == asked_for:  # as of two long texts
        if isinstance(given, str) and isinstance(wanted, str):
            return _of_texts(given, wanted, where)
        return Difference(
            Message("{where:is} {given}, but not the one that it should be", where=named(where), given=shown)
        )
    return _instead(where, shown, asked_for)


def _instead(where: str, given: Any, wanted: Any) -> Difference:
    return Difference(
        Message("{where:is} {given}; wanted {wanted}", where=named(where), given=_text(given), wanted=_text(wanted))
    )


def _text(value: Any) -> str:
    """A value as text, where it is not one already."""
    return value if isinstance(value, str) else str(value)


def _of_texts(given: str, wanted: str, where: str) -> Difference:
    """Where two texts begin to differ."""
    shorter = min(len(given), len(wanted))
    place = next((i for i in range(shorter) if given[i] != wanted[i]), shorter)
    shown, asked_for = (f"{text[place : place + 20]!r}" for text in (given, wanted))
    return Difference(
        Message(
            "{where:differs} from character {place} on: given {given}, wanted {wanted}",
            where=named(where),
            place=place,
            given=shown,
            wanted=asked_for,
        )
    )


def _compare_dicts(given: Any, wanted: dict, tolerance: float, where: str) -> Difference | None:
    if not isinstance(given, dict):
        return _instead(where, describe(given), Message("a dictionary with {keys}", keys=", ".join(wanted)))
    called = as_called(given)
    for key, value in wanted.items():
        if key not in given:
            return Difference(
                Message(
                    "{where:has} no {key}; given: {given}",
                    where=named(where),
                    key=repr(key),
                    given=", ".join(map(str, given)) or Message("nothing"),
                )
            )
        difference = compare(given[key], value, tolerance, called.get(key) or key)
        if difference:
            return difference
    return None


def _compare_sequences(given: Any, wanted: list | tuple, tolerance: float, where: str) -> Difference | None:
    if not isinstance(given, list | tuple) or len(given) != len(wanted):
        asked_for = describe(wanted) if _is_texts(wanted) else _values(len(wanted))
        return _instead(where, describe(given), asked_for)
    if _is_texts(wanted) and _is_texts(given):  # seen whole, a list of words says more than the first that differs
        same = _as_lists(given) == _as_lists(wanted)
        if same or describe(given) != describe(wanted):
            return None if same else _other(given, wanted, where)
    names = [Message("the first value"), Message("the second value"), Message("the third value")]
    for index, (one, other) in enumerate(zip(given, wanted, strict=True)):
        name = names[index] if len(wanted) <= len(names) else Message("value {index}", index=index)
        difference = compare(one, other, tolerance, name)
        if difference:
            return difference
    return None


def _is_texts(value: Any) -> bool:
    """Whether a value is a list of texts, or of lists of them, and nothing else."""
    return isinstance(value, list | tuple) and all(isinstance(item, str) or _is_texts(item) for item in value)


def _as_lists(value: Any) -> Any:
    return [_as_lists(item) for item in value] if isinstance(value, list | tuple) else value


def _compare_plain(given: Any, wanted: Any, tolerance: float, where: str) -> Difference | None:
    if isinstance(given, np.ndarray) and given.ndim == 0:
        given = given.item()
    if isinstance(wanted, float) and isinstance(given, int | float) and not isinstance(given, bool):
        same = bool(np.isclose(given, wanted, rtol=tolerance, atol=tolerance, equal_nan=True))
    else:
        same = type(given) is type(wanted) and given == wanted
    return None if same else _other(given, wanted, where)


def _compare_arrays(given: Any, wanted: np.ndarray, tolerance: float, where: str) -> Difference | None:
    if isinstance(given, bool | int | float | list):
        try:
            given = np.asarray(given)
        except ValueError:
            return _instead(where, Message("a ragged list"), describe(wanted))
        if given.dtype.kind in "OUS":
            return _instead(where, Message("a list of values of which one is {odd}", odd=_odd(given)), describe(wanted))
    if not isinstance(given, np.ndarray):
        return _other(given, wanted, where)
    if given.shape != wanted.shape:
        both_are_ids = _is_short_row(given) and _is_short_row(wanted)
        if both_are_ids:
            return _instead(where, given.tolist(), wanted.tolist())
        return Difference(
            Message(
                "{where:has} shape {given}; wanted {wanted}",
                where=named(where),
                given=str(given.shape),
                wanted=str(wanted.shape),
            )
        )
    if _kind(given) != _kind(wanted):
        return Difference(
            Message(
                "{where:has} dtype {given}; wanted {wanted}",
                where=named(where),
                given=str(given.dtype),
                wanted=str(wanted.dtype),
            )
        )
    return _compare_numbers(given, wanted, tolerance, where)


def _compare_numbers(given: np.ndarray, wanted: np.ndarray, tolerance: float, where: str) -> Difference | None:
    if _kind(wanted) != "number":
        wrong = given != wanted
        distance = wrong.astype(float)
    else:
        # Half-precision arrays are compared in float64, so that the comparison adds no error of its own.
        given, wanted = given.astype(np.float64), wanted.astype(np.float64)
        with np.errstate(invalid="ignore", over="ignore"):
            distance = np.abs(given - wanted)
            close = np.isfinite(distance) & (distance <= tolerance * (1 + np.abs(wanted)))
        wrong = ~(close | (given == wanted) | (np.isnan(given) & np.isnan(wanted)))
        distance = np.where(np.isfinite(distance), distance, np.inf)
    if not wrong.any():
        return None
    return Difference(_describe_wrong(given, wanted, wrong, distance, where), given, wanted)


def _describe_wrong(given: np.ndarray, wanted: np.ndarray, wrong: np.ndarray, distance: np.ndarray, where: str) -> str:
    if given.dtype.kind == "f" and np.isnan(given).any() and not np.isnan(wanted).any():
        return Message(
            "{where:has} NaN in {wrong} of {size} places",
            where=named(where),
            wrong=int(np.isnan(given).sum()),
            size=given.size,
        )
    if _is_short_row(given) and _is_short_row(wanted):
        return _instead(where, given.tolist(), wanted.tolist()).message
    if given.size == 1:
        return _instead(where, _number(given.flat[0]), _number(wanted.flat[0])).message
    worst = np.unravel_index(np.argmax(np.where(wrong, distance, -1)), given.shape)
    return Message(
        "{where:differs} in {wrong} of {size} places, most at {place}: given {given}, wanted {wanted}",
        where=named(where),
        wrong=int(wrong.sum()),
        size=given.size,
        place=f"[{', '.join(map(str, worst))}]",
        given=_number(given[worst]),
        wanted=_number(wanted[worst]),
    )


def _is_short_row(array: np.ndarray) -> bool:
    """Whether an array is a row of so few whole numbers that it is read at a glance, such as the ids of a text."""
    return array.ndim == 1 and array.dtype.kind in "iu" and array.size <= _LONGEST_ROW


def _number(value: Any) -> str:
    return f"{value:.5g}" if isinstance(value, float | np.floating) else str(value)


def _kind(array: np.ndarray) -> str:
    """Numbers with a fraction are one kind, whatever their width (bfloat16 has a kind of its own in NumPy)."""
    return {"b": "truth values", "i": "whole number", "u": "whole number"}.get(array.dtype.kind, "number")


def _odd(array: np.ndarray) -> str:
    """What is in a list that is no list of numbers: the first of it that is none."""
    return describe(next((one for one in array.flat if not isinstance(one, bool | int | float | np.number)), array))


def _values(count: int) -> Message:
    return Message("{count} values", plural="{count} values", count=count)


def as_called(given: Mapping[Any, Any]) -> dict[str, str]:
    """What a probe calls the parts of an answer, by their English; a release's file has only that of what is wanted."""
    return {key: key for key in given if isinstance(key, Message)}


def named(part: str) -> Message:
    """What a part of an answer is called, as a message: by what it is to the probe, or "the first value"."""
    if part.startswith(BY_ARGUMENT) and not isinstance(part, Message):
        return Message("the gradient by the {argument}", argument=part.removeprefix(BY_ARGUMENT))
    return Message.of(part)


def describe(value: Any) -> str:
    """What a value is, in a few words: its type, shape and dtype, or itself where it is short."""
    if isinstance(value, np.ndarray):
        return Message("an array of shape {shape} and dtype {dtype}", shape=str(value.shape), dtype=str(value.dtype))
    if isinstance(value, str):
        if len(value) <= 40:
            return repr(value)
        return Message("a text of {count} characters", plural="a text of {count} characters", count=len(value))
    if value is None:
        return "None"
    if isinstance(value, _PLAIN):
        return str(value)
    if isinstance(value, list | tuple):
        if _is_texts(value) and value and len(repr(value)) <= _LONGEST_LIST:
            return repr(value)
        kind, count = type(value).__name__, len(value)
        return Message("a {kind} of {count} values", plural="a {kind} of {count} values", kind=kind, count=count)
    if isinstance(value, dict):
        return Message("a dictionary of {count} values", plural="a dictionary of {count} values", count=len(value))
    return Message("an object, such as a layer or a function")
