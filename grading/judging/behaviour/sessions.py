"""Sessions that look on while a probe runs, or change what the student's code is given on the way."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from grading.judging.proxies import Session
from grading.judging.weight_layouts import LayoutSearch
from grading.sandbox.errors import StudentError
from grading.sandbox.values import Object, Value

Operation = dict[str, Any]
Arrays = dict[str, np.ndarray]
# What a probe may do that is run many times over: it takes milliseconds.
_QUICK = {"seed", "call", "gradients", "build", "assign", "weights", "make", "method", "config"}
_WITH_ARRAYS = ("call", "gradients")


class Watching:
    """Passes everything on, and keeps what the student's code was called with, up to what takes long.

    Attributes:
        calls: the operations that call it with arrays.
        numbers: whole numbers that it was called with, by place or by name.
        made: the arrays that objects stand for.
        is_quick: whether nothing was asked for that takes long, such as a training or a compilation.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.calls: list[Operation] = []
        self.numbers: dict[str, int] = {}
        self.made: dict[int, np.ndarray] = {}
        self.is_quick = True

    @property
    def kept(self) -> dict[Hashable, Object]:
        return self._session.kept

    def perform(self, operation: Operation, timeout: float | None = None) -> Value:
        if operation["op"] not in _QUICK or operation.get("graph") or operation.get("uncompiled"):
            self.is_quick = False
            raise StudentError("Slow", "takes too long to be looked at", "")
        if operation["op"] == "call":
            given = {**{str(place): value for place, value in enumerate(operation["args"])}, **operation["kwargs"]}
            self.numbers |= {place: value for place, value in given.items() if type(value) is int}
        if operation["op"] in _WITH_ARRAYS and any(True for _ in places_of(operation)):
            self.calls.append(operation)
        answer = self._session.perform(operation, timeout)
        made_of = operation.get("args") if operation["op"] == "make" else None
        if made_of and isinstance(made_of[0], np.ndarray) and isinstance(answer, Object):
            self.made[answer.id] = made_of[0]
        return answer


class Changing:
    """Changes the arrays that the student's code is called with.

    Args:
        session: where it runs.
        change: from the array of each place (`places_of`) to what is given instead.
    """

    def __init__(self, session: Session, change: Callable[[Arrays], Arrays]) -> None:
        self._session = session
        self._change = change

    @property
    def kept(self) -> dict[Hashable, Object]:
        return self._session.kept

    def perform(self, operation: Operation, timeout: float | None = None) -> Value:
        if operation["op"] in _WITH_ARRAYS:
            arrays = dict(places_of(operation))
            if arrays:
                operation = _with(operation, self._change(arrays))
        return self._session.perform(operation, timeout)


class Inverting:
    """Turns a flag round, such as `norm_first`, wherever the definition itself is called.

    Args:
        session: where it runs.
        name: what the definition is called.
        flag: the name of the argument.
        default: what it is where it is not given.
    """

    def __init__(self, session: Session, name: str, flag: str, default: bool) -> None:
        self._session = session
        self._name, self._flag, self._default = name, flag, default
        self.kept: dict[Hashable, Object] = {}  # what was made with the flag as it was is of no use

    def perform(self, operation: Operation, timeout: float | None = None) -> Value:
        if operation["op"] == "call" and operation["target"] == self._name:
            turned = not operation["kwargs"].get(self._flag, self._default)
            operation = {**operation, "kwargs": {**operation["kwargs"], self._flag: turned}}
        return self._session.perform(operation, timeout)


class ChangedWeights(LayoutSearch):
    """Puts changed parameters into a layer, in the layout that was found for those as they are.

    Attributes:
        parameters: those that were put in, before the change.
        weights: those that the layer held before.
    """

    def __init__(self, search: LayoutSearch, change: Callable[[Arrays], Arrays] = dict) -> None:
        super().__init__(search.index, search.count, search.settled)
        self._change = change
        self.parameters: Arrays = {}
        self.weights: Sequence[tuple[str, np.ndarray]] = ()

    def arrange(
        self, parameters: Mapping[str, np.ndarray], weights: Sequence[tuple[str, np.ndarray]]
    ) -> list[np.ndarray]:
        self.parameters |= parameters
        self.weights = weights
        return super().arrange(self._change(dict(parameters)), weights)


def places_of(operation: Operation) -> Iterator[tuple[str, np.ndarray]]:
    """The arrays that a call is given: by number, by name, or by number and key."""
    for index, value in enumerate(operation["args"]):
        if isinstance(value, np.ndarray):
            yield str(index), value
        elif isinstance(value, dict):
            yield from ((f"{index}.{key}", item) for key, item in value.items() if isinstance(item, np.ndarray))
    yield from ((name, value) for name, value in operation["kwargs"].items() if isinstance(value, np.ndarray))


def _with(operation: Operation, arrays: Mapping[str, np.ndarray]) -> Operation:
    args = [
        {key: arrays.get(f"{index}.{key}", item) for key, item in value.items()}
        if isinstance(value, dict)
        else arrays.get(str(index), value)
        for index, value in enumerate(operation["args"])
    ]
    kwargs = {name: arrays.get(name, value) for name, value in operation["kwargs"].items()}
    return {**operation, "args": args, "kwargs": kwargs}
