"""What a probe holds in its hand: a student's function or layer, wherever it runs.

A handle sends operations to a session. In a notebook the session is an `Interpreter` in the same process; at
grading it is a sandboxed child, and only arrays pass.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from grading.judging.weight_layouts import LayoutSearch
from grading.sandbox.values import Object, Value


class Session(Protocol):
    """Where a student's definitions live.

    Attributes:
        kept: what `Proxy.once` made there, for as long as it lives.
    """

    kept: dict[Hashable, Object]

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

    def in_graph(self, *args: Any, **kwargs: Any) -> Any:
        """Calls it as a compiled model does, with a batch size and a length that are not known beforehand."""
        return self._wrap(self._perform("call", args=_plain(list(args)), kwargs=_plain(kwargs), graph=True))

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

    def gradients(self, *args: Any, along: np.ndarray, by: Sequence[str], **kwargs: Any) -> dict[str, Any]:
        """The gradients of sum(first output * along), by every argument that has a name and is an array of fractions.

        That by a layer's weights is told by its length alone, which is the same in whatever layout they are.

        Args:
            along: what the output is multiplied by.
            by: what the arguments are called; "" for one whose gradient nobody needs.
        """
        arguments = {"args": _plain(list(args)), "kwargs": _plain(kwargs)}
        by_arguments, by_weights = self._perform("gradients", **arguments, cotangent=along)
        fractions = [isinstance(value, np.ndarray) and value.dtype.kind == "f" for value in args]
        told = {
            f"the gradient by the {name}": gradient
            for name, gradient, is_fraction in zip(by, by_arguments, fractions, strict=True)
            if name and is_fraction
        }
        return told | ({"the length of that by the weights": by_weights} if isinstance(self._target, Object) else {})

    def weights(self) -> list[tuple[str, np.ndarray]]:
        """A layer's weights, in its own order, each with its path."""
        return [(path, array) for path, array in self._perform("weights")]

    def load(self, parameters: Mapping[str, np.ndarray]) -> None:
        """Gives a built layer these parameters, in whatever layout the student chose for them.

        Args:
            parameters: the library's name of each parameter (`query/kernel`) and its value.

        Raises:
            WeightsMismatch: no layout fits the weights that the layer has.
        """
        self._perform("assign", arrays=self._arrangement.arrange(parameters, self.weights()))

    def config(self) -> Any:
        """What `get_config` returns."""
        return self._perform("config")

    def rebuilt(self) -> Proxy:
        """A new layer from this one's configuration."""
        return self._wrap(self._perform("rebuild"))

    def saved(self, *inputs: np.ndarray) -> Proxy:
        """The layer as it comes back from a .keras file, called on inputs of these shapes."""
        return self._wrap(self._perform("save", args=list(inputs)))

    def _perform(self, op: str, **arguments: Any) -> Any:
        return self._session.perform({"op": op, "target": self._target, **arguments})

    def _wrap(self, value: Value) -> Any:
        return Proxy(self._session, value, self._arrangement) if isinstance(value, Object) else value


# Python's errors name the class of what they are about, and students read them.
Proxy.__name__ = "layer or function"


def _plain(value: Any) -> Value:
    """Handles among the arguments are sent as the objects that they stand for."""
    if isinstance(value, Proxy):
        return value._target
    if isinstance(value, list | tuple):
        return type(value)(_plain(item) for item in value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
