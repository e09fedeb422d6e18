"""What is the student's code called with, and how does it run again with something changed?"""

from __future__ import annotations

import inspect
import math
import re
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from grading.judging.exercise import Exercise
from grading.judging.proxies import Session
from grading.judging.weight_layouts import LayoutSearch
from grading.sandbox.errors import StudentError
from grading.sandbox.values import Object, Value

Operation = dict[str, Any]
Arrays = dict[str, np.ndarray]

# Operations that take milliseconds, so that a probe made of them can run many times.
_QUICK = {"seed", "call", "gradients", "build", "assign", "weights", "make", "method", "config"}
_WITH_ARRAYS = ("call", "gradients")

# Budgets count calls, not seconds, so that the same code gets the same observations on any machine. Most functions
# need fewer calls than this; a whole BERT gets a handful of runs.
CALLS_TO_LOOK_AT, CALLS_TO_TRY, CALLS_UNDER_CONDITIONS, CALLS_TO_COMPARE = 24, 80, 60, 200
# Code that takes longer than this all the same, because it sleeps, is not run again.
SECONDS = 15.0
# To compare with the calls of checks that pass, some of which take long, takes no longer than this.
SECONDS_TO_COMPARE = 2.0

# What an argument is called that nobody has named. Nothing is said of it.
UNNAMED = "an argument"

_SHAPE = re.compile(r"\(((?:\.\.\.|[a-z_]\w*|\d+)(?:, (?:\.\.\.|[a-z_]\w*|\d+))*,?)\)")
_ENTRY = re.compile(r"^ {4}(?: {4})?([a-z_][\w, ]*): ", re.MULTILINE)
_SECTION = r"\n(?:Returns|Yields|Raises|Example|Reference)s?:"


def arrays_in(operation: Operation) -> Iterator[tuple[str, np.ndarray]]:
    """The arrays of a call by place: a number ("0"), a number and a key ("0.token_ids"), or a name ("mask")."""
    for index, value in enumerate(operation["args"]):
        if isinstance(value, np.ndarray):
            yield str(index), value
        elif isinstance(value, dict):
            yield from ((f"{index}.{key}", item) for key, item in value.items() if isinstance(item, np.ndarray))
    yield from ((name, value) for name, value in operation["kwargs"].items() if isinstance(value, np.ndarray))


def _arguments(operation: Operation) -> dict[str, Any]:
    return {**{str(place): value for place, value in enumerate(operation["args"])}, **operation["kwargs"]}


def _with_arrays(operation: Operation, arrays: Mapping[str, np.ndarray]) -> Operation:
    args = [
        {key: arrays.get(f"{index}.{key}", item) for key, item in value.items()}
        if isinstance(value, dict)
        else arrays.get(str(index), value)
        for index, value in enumerate(operation["args"])
    ]
    kwargs = {name: arrays.get(name, value) for name, value in operation["kwargs"].items()}
    return {**operation, "args": args, "kwargs": kwargs}


@dataclass(eq=False)
class Called:
    """One call of the student's code.

    Attributes:
        operation: what it was called with.
        settings: what the layer was made with that was called, as far as that is known; empty for a function.
        method: the name of the method that was called, "" if it was none.
        answer: what it returned; None if it raised.
        error: what it raised.
    """

    operation: Operation
    settings: dict[str, Any] = field(default_factory=dict)
    method: str = ""
    answer: Value = None
    error: StudentError | None = None


class Made(NamedTuple):
    """What an argument is that is neither a tensor nor a plain value, such as a generator.

    Attributes:
        kind: the name of its class.
    """

    kind: str


class WatchedSession:
    """Passes all operations on and records what the student's code is called with; raises at slow operations.

    Attributes:
        calls: the operations that call the code with arrays.
        called: every call of the code that returned or raised something, but those that made an object; and what it
            was built for, if that raised something.
        numbers: the whole numbers that it was called with, by place or by name.
        made: the arrays that objects stand for.
        kinds: the class of each other object that was made to be an argument.
        is_quick: whether the probe asked for nothing slow, such as training or compilation.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.calls: list[Operation] = []
        self.called: list[Called] = []
        self.numbers: dict[str, int] = {}
        self.made: dict[int, np.ndarray] = {}
        self.kinds: dict[int, str] = {}
        self.is_quick = True
        self._settings: dict[int, dict[str, Any]] = {}
        self._methods: dict[int, tuple[Object | str, str]] = {}

    @property
    def kept(self) -> dict[Hashable, Object]:
        return self._session.kept

    @property
    def arrays(self) -> Arrays:
        """The arrays of all calls, by place; of several calls, the last one's."""
        return {place: value for operation in self.calls for place, value in arrays_in(operation)}

    def fullest_call(self) -> Operation:
        """The call with the most arrays."""
        return max(self.calls, key=lambda call: len(list(arrays_in(call))))

    def perform(self, operation: Operation, timeout: float | None = None) -> Value:
        if operation["op"] not in _QUICK or operation.get("graph") or operation.get("uncompiled"):
            self.is_quick = False
            raise StudentError("Slow", "takes too long to be watched", "")
        if operation["op"] == "call":
            self.numbers |= {place: value for place, value in _arguments(operation).items() if type(value) is int}
        if operation["op"] in _WITH_ARRAYS and any(True for _ in arrays_in(operation)):
            self.calls.append(operation)
        answer = (
            self._recorded(operation, timeout)
            if operation["op"] in ("call", "build")
            else self._passed_on(operation, timeout)
        )
        if operation["op"] == "make" and isinstance(answer, Object):
            self._keep_made(operation, answer)
        return answer

    def _keep_made(self, operation: Operation, answer: Object) -> None:
        if operation["maker"] == "numpy.array":
            self.made[answer.id] = np.asarray(operation["args"][0])
        else:
            self.kinds[answer.id] = operation["maker"].rpartition(".")[2]

    def call_that_gave(self, part: Any) -> Called | None:
        """The one call that returned this very part of an answer; None if there is no such call, or several."""
        found = [call for call in self.called if call.error is None and _is_of(part, call.answer)]
        return found[0] if len(found) == 1 else None

    def _passed_on(self, operation: Operation, timeout: float | None) -> Value:
        answer = self._session.perform(operation, timeout)
        if operation["op"] == "method" and isinstance(answer, Object):
            self._methods[answer.id] = (operation["target"], operation["name"])
        return answer

    def _recorded(self, operation: Operation, timeout: float | None) -> Value:
        target, method = operation["target"], ""
        if isinstance(target, Object) and target.id in self._methods:
            target, method = self._methods[target.id]
        call = Called(self._with_made(operation), self._made_with(target), method)
        try:
            answer = self._session.perform(operation, timeout)
        except StudentError as error:
            self.called.append(replace(call, error=error))
            raise
        if operation["op"] == "build":
            return answer
        if isinstance(answer, Object):
            self._settings[answer.id] = _arguments(operation)
        else:
            self.called.append(replace(call, answer=answer))
        return answer

    def _with_made(self, operation: Operation) -> Operation:
        """The operation with the arrays that objects among its arguments stand for, or what they are."""

        def array(value: Value) -> Any:
            if not isinstance(value, Object):
                return value
            return Made(self.kinds[value.id]) if value.id in self.kinds else self.made.get(value.id, value)

        kwargs = {name: array(value) for name, value in operation.get("kwargs", {}).items()}
        return {**operation, "args": list(map(array, operation["args"])), "kwargs": kwargs}

    def _made_with(self, target: Object | str) -> dict[str, Any]:
        """What a layer was made with; of one that an earlier check has made, the options of that."""
        if not isinstance(target, Object):
            return {}
        if target.id in self._settings:
            return self._settings[target.id]
        keys = (key for key, made in self.kept.items() if made == target and isinstance(key, tuple))
        options: tuple[Any, ...] = next(keys, ())
        return dict(options[2:])


def _is_of(part: Any, answer: Any) -> bool:
    """Whether a part of what a probe returned is what a call returned, or a piece of it."""
    if isinstance(answer, dict | list | tuple) and part is not answer:
        return any(_is_of(part, item) for item in (answer.values() if isinstance(answer, dict) else answer))
    if isinstance(part, np.ndarray) and isinstance(answer, np.ndarray):
        return part is answer or bool(part.size and np.may_share_memory(part, answer))
    return part is answer and not isinstance(part, bool | int | str | None)


class ChangedInputs:
    """Changes the arrays that the student's code is called with.

    Args:
        session: where the code runs.
        change: maps the arrays by place (`arrays_in`) to those that the code gets instead.
    """

    def __init__(self, session: Session, change: Callable[[Arrays], Arrays]) -> None:
        self._session = session
        self._change = change

    @property
    def kept(self) -> dict[Hashable, Object]:
        return self._session.kept

    def perform(self, operation: Operation, timeout: float | None = None) -> Value:
        if operation["op"] in _WITH_ARRAYS:
            arrays = dict(arrays_in(operation))
            if arrays:
                operation = _with_arrays(operation, self._change(arrays))
        return self._session.perform(operation, timeout)


class InvertedFlag:
    """Inverts a flag, such as `norm_first`, wherever the definition itself is called.

    Args:
        session: where the code runs.
        name: the name of the definition.
        flag: the name of the argument.
        default: its value where the call does not give it.
    """

    def __init__(self, session: Session, name: str, flag: str, default: bool) -> None:
        self._session = session
        self._name, self._flag, self._default = name, flag, default
        self.kept: dict[Hashable, Object] = {}  # objects made with the original flag are of no use

    def perform(self, operation: Operation, timeout: float | None = None) -> Value:
        if operation["op"] == "call" and operation["target"] == self._name:
            inverted = not operation["kwargs"].get(self._flag, self._default)
            operation = {**operation, "kwargs": {**operation["kwargs"], self._flag: inverted}}
        return self._session.perform(operation, timeout)


class ChangedWeights(LayoutSearch):
    """Assigns changed parameters to a layer, in the layout that was found for the unchanged ones.

    Attributes:
        parameters: the parameters before the change.
        weights: the weights of the layer before the assignment.
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


def change_where(
    applies: Callable[[str], bool], change: Callable[[np.ndarray], np.ndarray]
) -> Callable[[Arrays], Arrays]:
    """A function that changes those arrays whose name or place `applies` accepts."""
    return lambda arrays: {name: change(value) if applies(name) else value for name, value in arrays.items()}


def scaled(factor: float, array: np.ndarray) -> np.ndarray:
    """The array times a factor, in its own dtype."""
    return (array * factor).astype(array.dtype)


def groups_of(parameters: Iterable[str]) -> list[str]:
    """The parts of a layer, by the paths of their parameters: few, but more than two if there are that many."""
    paths = [name.split("/")[:-1] or [name] for name in parameters]
    groups: list[str] = []
    for depth in range(1, max(map(len, paths), default=0) + 1):
        groups = list(dict.fromkeys("/".join(path[:depth]) for path in paths))
        if len(groups) > 2:
            break
    return groups


def is_in_group(parameter: str, group: str) -> bool:
    """Whether a parameter belongs to a part of a layer."""
    return f"{parameter}/".startswith(f"{group}/")


class Budget:
    """How many more calls the observations of an exercise may make.

    Args:
        calls: the number of calls of a plain function.
        seconds: the time after which no run starts.
    """

    def __init__(self, calls: int, seconds: float = math.inf) -> None:
        self._left = calls
        self._until = time.monotonic() + seconds

    def pays(self, cost: int) -> bool:
        """Spend the cost of one more run, and return whether the budget allows that run."""
        self._left -= cost
        return self._left >= 0 and time.monotonic() < self._until


def cost_of(watched: WatchedSession, parameters: Arrays) -> int:
    """The cost of one run of a probe: its calls, and more for a layer of many weights."""
    return max(len(watched.calls), 1) + len(parameters) // 4


def called_function(definition: Any, method: str = "") -> Any:
    """The function whose arguments a call of a definition has: a layer's `call`, or one of its methods."""
    if method:
        return getattr(definition, method, definition)
    return getattr(definition, "call", None) or definition.__call__ if isinstance(definition, type) else definition


@cache
def _described(definition: Any) -> tuple[list[str], dict[str, tuple[str, ...]], list[tuple[str, ...]]]:
    """The names of a definition's arguments, the axes of each, and the axes of its results, from its docstring."""
    function = called_function(definition)
    names = [name for name in inspect.signature(function).parameters if name != "self"]
    doc = inspect.getdoc(function) or ""
    axes_of_arguments = {}
    arguments = re.split(_SECTION, doc.partition("Args:")[2])[0]
    results = re.split(_SECTION, doc.partition("Returns:")[2])[0]
    entries = list(_ENTRY.finditer(arguments))
    for entry, following in zip(entries, [*entries[1:], None], strict=True):
        text = arguments[entry.end() : following.start() if following else None]
        if shape := _SHAPE.search(text):
            for name in re.split(r", ", entry[1]):
                axes_of_arguments[name] = _axes(shape[1])
    return names, axes_of_arguments, [_axes(shape[1]) for shape in _SHAPE.finditer(results)]


def _axes(text: str) -> tuple[str, ...]:
    return tuple(text.rstrip(",").split(", "))


def argument_name(exercise: Exercise, place: str) -> str:
    """The name of the argument at a place of a call (`arrays_in`)."""
    number, _, key = place.partition(".")
    if key:
        return key
    if not number.isdecimal():
        return place
    names = _described(exercise.reference)[0]
    if int(number) >= len(names):
        called = getattr(exercise.reference, "call", exercise.reference)
        names = [name for name in inspect.signature(called).parameters if name != "self"]
    return names[int(number)] if int(number) < len(names) else UNNAMED


def axes_of(exercise: Exercise, argument: str, ndim: int) -> list[str]:
    """The names of an argument's axes, "" where the docstring does not name one."""
    axes = _described(exercise.reference)[1].get(argument, ())
    return _fitted(axes, ndim)


def axes_returned(exercise: Exercise, ndim: int, place: int | None) -> list[str]:
    """The names of the axes of a result, "" for those without a name.

    Args:
        exercise: the exercise whose docstring names them.
        ndim: the number of axes.
        place: the index of the result among several; None for a single one, or if the index is unknown. Then the axes
            have names only if a single shape of the docstring fits.
    """
    shapes = _described(exercise.reference)[2]
    if place is not None and place < len(shapes):
        return _fitted(shapes[place], ndim)
    fitting = {tuple(_fitted(axes, ndim)) for axes in shapes} - {("",) * ndim}
    return list(fitting.pop()) if len(fitting) == 1 else [""] * ndim


def _fitted(axes: tuple[str, ...], ndim: int) -> list[str]:
    """The names of exactly `ndim` axes; those that a leading "..." stands for have none."""
    if axes and axes[0] == "...":
        named = axes[1:][-ndim:] if ndim else ()
        return [""] * (ndim - len(named)) + list(named)
    return [axis if not axis.isdecimal() else "" for axis in axes] if len(axes) == ndim else [""] * ndim


def sizes_of(exercise: Exercise, inputs: Mapping[str, Any]) -> dict[str, int]:
    """The sizes of the inputs' named axes."""
    sizes: dict[str, int] = {}
    for name, value in inputs.items():
        if isinstance(value, np.ndarray):
            for axis, size in zip(axes_of(exercise, name, value.ndim), value.shape, strict=True):
                if axis:
                    sizes.setdefault(axis, size)
    return sizes
