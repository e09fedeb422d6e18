"""A release's file of what its checks compare with: arrays and sentences, no code.

A mistake has an outcome in the file for each check in which it shows. Most outcomes share most of their arrays with the
reference's, so the file holds each array once, and each list of numbers as an array.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from grading.errors import GradingError
from grading.judging.behaviour.conditions import Conditional
from grading.judging.behaviour.dependence import Moves
from grading.judging.exercise import Check, Exercise, Mistake
from grading.judging.probing import Failure, Outcome, Own
from grading.sandbox.values import Object, Value
from grading.sandbox.wire import OUR_OWN, decode, encode

# The seed of what students see. At grading it is a fresh secret.
PUBLIC_SECRET = b"public"

_LISTED = (bool, int, float)  # lists of one of these are stored as arrays
_SHORTEST = 4  # shorter lists take less room as they are


class FrozenExpectations:
    """Reads what `frozen_exercise` made, from a file of `packed` exercises.

    Args:
        path: the file.

    Raises:
        GradingError: the file is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.secret = PUBLIC_SECRET
        try:
            self._exercises = unpacked(path.read_bytes())
        except Exception as error:
            raise GradingError(f"{path} is damaged ({error}); unpack the released bundle again") from error

    def reference(self, exercise: Exercise, check: Check, replay: int = 0) -> Outcome:
        return _thaw(self._exercises[exercise.name]["reference"][check.key][replay])

    def mistakes(self, exercise: Exercise) -> list[Mistake]:
        return [
            Mistake(str(index), entry["sentence"], entry["hint"])
            for index, entry in enumerate(self._exercises[exercise.name]["mistakes"])
        ]

    def mistaken(self, exercise: Exercise, mistake: Mistake, check: Check) -> Outcome | None:
        entry = self._exercises[exercise.name]["mistakes"][int(mistake.name)]
        if check.key in entry["unknown"]:
            return None
        if check.key not in entry["outcomes"]:  # the mistake does not show in this check
            return self.reference(exercise, check)
        return _thaw(entry["outcomes"][check.key])

    def shows(self, exercise: Exercise, mistake: Mistake, check: Check) -> bool:
        return check.key in self._exercises[exercise.name]["mistakes"][int(mistake.name)]["outcomes"]

    def moves(self, exercise: Exercise, check: Check, replay: int = 0) -> Moves:
        return self._exercises[exercise.name]["moves"][check.key][replay]

    def conditional(self, exercise: Exercise, check: Check, replay: int = 0) -> Conditional:
        stored = self._exercises[exercise.name]["conditional"][check.key][replay]
        return {condition: Outcome(value) for condition, value in stored.items()}


def frozen_exercise(
    reference: Mapping[str, Sequence[Outcome]],
    moves: Mapping[str, Sequence[Moves]],
    conditional: Mapping[str, Sequence[Conditional]],
) -> dict[str, Any]:
    """An exercise as the file holds it, without mistakes.

    Args:
        reference, moves, conditional: see `Expectations`; by the keys of the checks, in the check itself and then in
            each replay.
    """
    return {
        "reference": {key: [_cool(outcome) for outcome in outcomes] for key, outcomes in reference.items()},
        "moves": {key: list(of_replays) for key, of_replays in moves.items()},
        "conditional": {
            key: [{condition: outcome.value for condition, outcome in of_replay.items()} for of_replay in of_replays]
            for key, of_replays in conditional.items()
        },
        "mistakes": [],
    }


def frozen_mistake(mistake: Mistake, outcomes: Mapping[str, Outcome], unknown: list[str]) -> dict[str, Any]:
    """A mistake as the file holds it.

    Args:
        mistake: whose sentence and hint are stored.
        outcomes: what it gives in the checks in which it shows, by their keys.
        unknown: the keys of checks that were not run on it.
    """
    return {
        "sentence": mistake.sentence,
        "hint": mistake.hint,
        "outcomes": {key: _cool(outcome) for key, outcome in outcomes.items()},
        "unknown": unknown,
    }


def packed(value: Value) -> bytes:
    """The bytes of a file."""
    parts: dict[tuple[Any, ...], Value] = {}
    places: dict[tuple[Any, ...], int] = {}

    def place(array: np.ndarray, part: Value) -> Object:
        key = (type(part), array.dtype.str, array.dtype.name, array.shape, array.tobytes())
        parts.setdefault(key, part)
        return Object(places.setdefault(key, len(places)))

    def pack(value: Value) -> Value:
        if isinstance(value, np.ndarray):
            return place(value, value)
        if isinstance(value, list) and len(value) >= _SHORTEST and any(_all_are(kind, value) for kind in _LISTED):
            array = np.array(value)
            return place(array, (array,))
        if isinstance(value, list | tuple):
            return type(value)(map(pack, value))
        return {key: pack(item) for key, item in value.items()} if isinstance(value, dict) else value

    value = pack(value)
    return gzip.compress(encode({"parts": list(parts.values()), "value": value}, OUR_OWN), mtime=0)


def unpacked(data: bytes) -> Any:
    """What was packed."""
    stored = decode(gzip.decompress(data), OUR_OWN)
    parts = stored["parts"]

    def unpack(value: Value) -> Value:
        if isinstance(value, Object):
            part = parts[value.id]
            return part[0].tolist() if isinstance(part, tuple) else part
        if isinstance(value, list | tuple):
            return type(value)(map(unpack, value))
        return {key: unpack(item) for key, item in value.items()} if isinstance(value, dict) else value

    return unpack(stored["value"])


def _all_are(kind: type, values: list[Any]) -> bool:
    return all(type(value) is kind for value in values) and (kind is not int or max(map(abs, values)) < 1 << 63)


def _cool(outcome: Outcome) -> dict[str, Any]:
    if outcome.failure:
        # What the mistake's own code raised may quote it, so only its mark travels.
        kind = outcome.failure.kind
        named = {"own kind": kind.value} if isinstance(kind, Own) else {"kind": kind}
        return {**named, "mark": outcome.failure.mark}
    return {"value": outcome.value}


def _thaw(stored: dict[str, Any]) -> Outcome:
    if "mark" in stored:
        kind = Own(stored["own kind"]) if "own kind" in stored else stored["kind"]
        return Outcome(failure=Failure(kind, "", mark=stored["mark"]))
    return Outcome(stored["value"])
