"""What a probe holds in its hand: a student's function or layer, wherever it runs.

A handle sends operations to a session. In a notebook the session is an `Interpreter` in the same process; at
grading it is a sandboxed child, and only arrays pass.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from grading.judging.weight_layouts import LayoutSearch
from grading.messages import Message
from grading.sandbox.errors import BadAnswer
from grading.sandbox.values import Object, Value

# What `with_dtypes` calls them.
LIST_OF_DTYPES = Message("the list of dtypes")
DTYPES_OF_WEIGHTS = Message("the dtypes that its weights are kept in")
# How the names begin that `gradients` gives to those by arguments.
BY_ARGUMENT = "the gradient by the "
# What `gradients` calls the one number that it tells of all weights.
OF_WEIGHTS = Message("the length of the gradient by the weights")
# What the helpers below call an answer beside others.
THE_RESULT = Message("the result")
_LONGEST_PATH = 1000  # characters; right solutions need a tenth
# A layer's weights in its own order, each with its path.
Weights = list[tuple[str, np.ndarray]]
# What `with_one` and `after_another` call it.
ONE = Message("the result for a batch of one")


class Session(Protocol):
    """Where a student's definitions live.

    Attributes:
        kept: what `Proxy.once` made there, for as long as it lives.
    """

    @property
    def kept(self) -> dict[Hashable, Object]: ...

    def perform(self, operation: dict[str, Value], timeout: float | None = None) -> Value: ...


class Proxy:
    """A function, a class, or a layer made by one.

    Args:
        session: where it lives.
        target: its name there, or the object that was made there.
        layout_search: which of the layouts that fit a layer's weights is tried.
    """

    def __init__(self, session: Session, target: str | Object, layout_search: LayoutSearch | None = None) -> None:
        self._session = session
        self._target = target
        self._arrangement = layout_search or LayoutSearch()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls it. Arrays come back as arrays; anything else that was made there comes back as a handle."""
        return self._wrap(self._perform("call", args=_plain(list(args)), kwargs=_plain(kwargs)))

    def on_arrays(self, *args: Any, **kwargs: Any) -> Any:
        """Calls it on NumPy arrays instead of tensors, as lessons call functions that prepare or measure data."""
        made = [self.make("numpy.array", arg) if isinstance(arg, np.ndarray) else arg for arg in args]
        return self(*made, **kwargs)

    def after_another(self, arguments: Callable[[], Sequence[Any]]) -> dict[str, Any]:
        """Its answer after another call, on other arguments of the same shapes: what was asked before is forgotten.

        And its answer for a batch of one, of those arguments that are as many as the first.
        """
        given = arguments()
        one = self(*_first_of_batch(given))
        self(*arguments())
        return {THE_RESULT: self(*given), ONE: one}

    def with_one(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Its answer, and that for a batch of one: where an axis of size 1 is taken away, a batch may go with it."""
        return {THE_RESULT: self(*args, **kwargs), ONE: self(*_first_of_batch(args), **kwargs)}

    def in_graph(self, *args: Any, **kwargs: Any) -> Any:
        """Calls it as a compiled model does, with a batch size and a length that are not known beforehand."""
        return self._wrap(self._perform("call", args=_plain(list(args)), kwargs=_plain(kwargs), graph=True))

    def two_steps(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Its answers in two steps of a compiled training, which run what was traced once."""
        return self._wrap(self._perform("two_steps", args=_plain(list(args)), kwargs=_plain(kwargs)))

    def known_sizes(self, *args: Any) -> list[list[bool]]:
        """For each tensor of its answer in a compiled model, and each axis, whether its size is known there."""
        return self._perform("known_sizes", args=_plain(list(args)))

    def largest(self, *args: Any) -> int:
        """How many numbers the largest tensor holds that a compiled model makes on the way to its answer."""
        return self._perform("largest", args=_plain(list(args)))

    def uncompiled(self, *args: Any, **kwargs: Any) -> Any:
        """Calls it where nothing is compiled, though it may ask for that: for a training of a few small steps."""
        return self._wrap(self._perform("call", args=_plain(list(args)), kwargs=_plain(kwargs), uncompiled=True))

    def once(self, make: Callable[..., Proxy], **options: Any) -> Proxy:
        """What `make(self, **options)` makes, and the same object again in each later check of the session.

        To build a layer takes longer than to give it other weights and to call it.

        Args:
            make: a function of a module.
            **options: plain values.
        """
        key = (self._target, make, *sorted(options.items()))
        if key not in self._session.kept:
            made = make(self, **options)
            if not isinstance(made._target, Object):
                raise TypeError("what was made is no object")
            self._session.kept[key] = made._target
        return self._wrap(self._session.kept[key])

    def build(self, *inputs: np.ndarray | dict[str, np.ndarray]) -> None:
        """Builds a layer for inputs like these; calls it on them where only a call makes all of its weights."""
        self._perform("build", args=list(inputs))

    def make(self, maker: str, *args: Any, **kwargs: Any) -> Proxy:
        """An argument that is neither a tensor nor a plain value, made and kept where the implementation is.

        Args:
            maker: such as "numpy.array" or "keras.random.SeedGenerator"; the interpreter knows which there are.
            *args, **kwargs: what it is called with.
        """
        return self._wrap(self._session.perform({"op": "make", "maker": maker, "args": list(args), "kwargs": kwargs}))

    def method(self, name: str) -> Proxy:
        """A method of what was made there, such as a model's `compute_loss`, to be called like a function."""
        return self._wrap(self._perform("method", name=name))

    def gradients(
        self, *args: Any, along: np.ndarray, by: Sequence[str], of: str = "", **kwargs: Any
    ) -> dict[str, Any]:
        """An output, and the gradients of sum(output * along) by all arguments that have a name and are fractions.

        That by a layer's weights is told by its length alone, which is the same in whatever layout they are.

        Args:
            along: what the output is multiplied by, numbers that deviate by about 1. It is divided by the root of how
                many they are, so that gradients, and what two machines differ by in them, are as large as one output's.
            by: what the arguments are called; "" for one whose gradient nobody needs.
            of: which output, where they come in a dictionary; of several others it is the first.
        """
        arguments = {"args": _plain(list(args)), "kwargs": _plain(kwargs)}
        cotangent = np.asarray(along / along.size**0.5, along.dtype)
        by_arguments, by_weights, output = self._perform("gradients", **arguments, cotangent=cotangent, of=of)
        fractions = [isinstance(value, np.ndarray) and value.dtype.kind == "f" for value in args]
        told = {
            f"{BY_ARGUMENT}{name}": gradient
            for name, gradient, is_fraction in zip(by, by_arguments, fractions, strict=True)
            if name and is_fraction
        }
        told = {Message("the output that is differentiated"): output, **told}
        return told | ({OF_WEIGHTS: by_weights} if isinstance(self._target, Object) else {})

    def weights(self) -> Weights:
        """A layer's weights, in its own order, each with its path.

        Raises:
            BadAnswer: a path is so long that to look for names in it would take minutes.
        """
        weights = [(path, array) for path, array in self._perform("weights")]
        for path, _ in weights:
            if len(path) > _LONGEST_PATH:
                raise BadAnswer(
                    f"the path of a weight has {len(path)} characters; wanted at most {_LONGEST_PATH}: {path[:60]}..."
                )
        return weights

    def dtypes_of_weights(self) -> dict[str, list[str]]:
        """What a layer keeps its weights in. In mixed precision that is float32, so that no small update is lost."""
        return {DTYPES_OF_WEIGHTS: sorted({str(array.dtype) for _, array in self.weights()})}

    def at_first(self) -> dict[str, int]:
        """How a layer's weights begin, in whatever layout they are: how many are 0, how many are 1."""
        values = np.concatenate([np.ravel(array) for _, array in self.weights()])
        return {
            Message("how many weights are {number} at first", number=number): int((values == number).sum())
            for number in (0, 1)
        }

    def load(self, parameters: Mapping[str, np.ndarray]) -> None:
        """Gives a built layer these parameters, in whatever layout the student chose for them.

        Args:
            parameters: the library's name of each parameter (`query/kernel`) and its value.

        Raises:
            WeightsMismatch: no layout fits the weights that the layer has.
        """
        self._perform("assign", arrays=self._arrangement.arrange(parameters, self.weights()))

    def has_weights_at(self, shapes: Mapping[str, tuple[int, ...]], *inputs: Any) -> dict[str, bool]:
        """By path of attributes, such as "blocks.0.norm.gamma", whether a weight of that shape is there.

        Args:
            shapes: of the weights, by path.
            *inputs: the shapes, or dictionaries of them, that the layer is built for, by `build` and no call.
        """
        found = self._perform("shapes", paths=list(shapes), build=list(inputs))
        return {path: found[path] == list(shape) for path, shape in shapes.items()}

    def weights_of_build(self, *inputs: Any) -> dict[Message, int]:
        """How many numbers a layer learns that was built for inputs of these shapes, and not called."""
        self.has_weights_at({}, *inputs)
        return {Message("how many weights `build` makes"): sum(array.size for _, array in self.weights())}

    def config(self) -> Any:
        """What `get_config` returns."""
        return self._perform("config")

    def saved(self, *inputs: np.ndarray) -> Proxy:
        """The layer as it comes back from a .keras file, called on inputs of these shapes."""
        data, kind = self._perform("save", args=list(inputs))
        return self._wrap(self._session.perform({"op": "load", "data": data, "kind": kind}))

    def _perform(self, op: str, **arguments: Any) -> Any:
        return self._session.perform({"op": op, "target": self._target, **arguments})

    def _wrap(self, value: Value) -> Any:
        return Proxy(self._session, value, self._arrangement) if isinstance(value, Object) else value


# Python's errors name the class of what they are about, and students read them.
Proxy.__name__ = "layer or function"


def with_dtypes(answer: Any, made: Proxy | None = None) -> dict[str, Any]:
    """An answer, and what its arrays are made of: a check compares numbers, whatever dtype they are in.

    With the layer that gave it, what that keeps its weights in, too.
    """
    parts = answer if isinstance(answer, list | tuple) else [answer]
    kinds = [str(part.dtype) if isinstance(part, np.ndarray) else type(part).__name__ for part in parts]
    return {THE_RESULT: answer, LIST_OF_DTYPES: kinds, **(made.dtypes_of_weights() if made else {})}


def differ(one: Any, other: Any) -> bool:
    """Whether two answers have the same shape, and no number in common.

    With `!=` alone, NumPy would make n · n numbers of the shapes (n, 1) and (1, n).
    """
    first, second = np.asarray(one), np.asarray(other)
    return first.shape == second.shape and bool(np.all(first != second))


def changes(before: Weights, after: Weights) -> dict[str, np.ndarray]:
    """By how much each weight has changed, by its path.

    Raises:
        ValueError: a weight is missing or has another shape.
    """
    if [array.shape for _, array in before] != [array.shape for _, array in after]:
        raise ValueError("the weights have other shapes than before")
    return {path: array - old for (path, array), (_, old) in zip(after, before, strict=True)}


def _first_of_batch(arguments: Sequence[Any]) -> list[Any]:
    """All sizes in a check differ, so what is as long as the first argument has a batch's axis there."""
    first = arguments[0]
    while isinstance(first, dict | list):
        first = next(iter(first.values())) if isinstance(first, dict) else first[0]
    batch = first.shape[:1]

    def cut(one: Any) -> Any:
        if isinstance(one, dict):
            return {name: cut(value) for name, value in one.items()}
        if isinstance(one, list):
            return [cut(value) for value in one]
        return one[:1] if isinstance(one, np.ndarray) and one.shape[:1] == batch else one

    return [cut(argument) for argument in arguments]


def _plain(value: Any) -> Value:
    """Handles among the arguments are sent as the objects that they stand for."""
    if isinstance(value, Proxy):
        return value._target
    if isinstance(value, list | tuple):
        return type(value)(_plain(item) for item in value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
