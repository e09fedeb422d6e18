"""The same parameters in whatever layout a student's layer keeps them.

One student makes four Dense layers, another one of three times the width and splits it, a third keeps a
(hidden_dim, heads, head_dim) kernel. All compute the same. So a probe speaks of parameters by the library's
names, and here they are put into the layout that the layer's own weights show. Where several layouts fit, they
are tried in turn, the likeliest first.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grading.messages import Message
from grading.sandbox.errors import SubmissionError

_Layout = list[np.ndarray]
_MAX_LAYOUTS = 32


class WeightsMismatch(SubmissionError):
    """A layer's weights cannot hold the parameters that it should have."""


@dataclass
class LayoutSearch:
    """Which of the layouts that fit is tried, and how many there are.

    Attributes:
        index: the layout that `arrange` returns.
        count: how many fitted when `arrange` was last called; 1 once it is settled which one it is.
        settled: whether the layout is known, so that no other is tried.
    """

    index: int = 0
    count: int = 1
    settled: bool = False

    def arrange(self, parameters: Mapping[str, np.ndarray], weights: Sequence[tuple[str, np.ndarray]]) -> _Layout:
        """The parameters as the arrays that a layer with these weights takes, in the layer's order.

        Raises:
            WeightsMismatch: none fits; the message says what was given and what was wanted.
        """
        ready = _ready(parameters, weights)
        missing = {name: value for name, value in parameters.items() if name not in ready}
        own = [(path, slot) for path, slot in weights if path not in ready]
        layouts = _distinct(itertools.islice(_layouts(missing, own), _MAX_LAYOUTS))
        if not layouts:
            raise WeightsMismatch(
                Message(
                    "the layer's weights do not hold the parameters it needs. Given: {given}. Wanted: {wanted}.",
                    given=", ".join(str(slot.shape) for _, slot in own) or Message("none"),
                    wanted=", ".join(f"{name} {array.shape}" for name, array in missing.items()) or Message("none"),
                )
            )
        self.count = 1 if self.settled else len(layouts)
        arranged = iter(layouts[min(self.index, len(layouts) - 1)])
        return [parameters[path] if path in ready else next(arranged) for path, _ in weights]

    def settle(self, index: int) -> None:
        """From now on only this layout is used."""
        self.index, self.settled = index, True


def _ready(parameters: Mapping[str, np.ndarray], weights: Sequence[tuple[str, np.ndarray]]) -> set[str]:
    """Weights of a part that the student's layer was given: their paths and shapes are the library's own."""
    paths = Counter(path for path, _ in weights)
    return {
        path
        for path, slot in weights
        if paths[path] == 1 and path in parameters and parameters[path].shape == slot.shape
    }


def _distinct(layouts: Iterator[_Layout]) -> list[_Layout]:
    unique = {tuple(array.tobytes() for array in layout): layout for layout in layouts}
    return list(unique.values())


def _layouts(parameters: Mapping[str, np.ndarray], weights: Sequence[tuple[str, np.ndarray]]) -> Iterator[_Layout]:
    slots = [array for _, array in weights]
    if len(slots) < len(parameters):
        yield from _fused(parameters, slots)
    elif len(slots) > len(parameters):
        yield from _per_head(parameters, slots)
    elif named := _by_name(parameters, weights):
        yield named
    else:
        yield from _by_order(list(parameters.values()), slots)
        yield from _by_turn(parameters, weights)


def _by_name(parameters: Mapping[str, np.ndarray], weights: Sequence[tuple[str, np.ndarray]]) -> _Layout | None:
    """Each weight's path names its parameter: `.../query_dense/kernel` is `query/kernel`."""
    remaining = dict(parameters)
    layout = []
    for path, slot in weights:
        matches = _likest(path, slot, remaining)
        if len(matches) != 1:
            return None
        layout.append(remaining.pop(matches[0]).reshape(slot.shape))
    return layout


def _by_turn(parameters: Mapping[str, np.ndarray], weights: Sequence[tuple[str, np.ndarray]]) -> Iterator[_Layout]:
    """By name as far as names go. Where they fit several alike, in the library's order, or in reverse."""
    for turn in (0, -1):
        remaining = dict(parameters)
        layout = []
        for path, slot in weights:
            matches = _likest(path, slot, remaining)
            if not matches:
                return
            layout.append(remaining.pop(matches[turn]).reshape(slot.shape))
        yield layout


def _likest(path: str, slot: np.ndarray, parameters: Mapping[str, np.ndarray]) -> list[str]:
    """The parameters that a weight can hold whose names are the most like its path."""
    parts = path.lower().split("/")
    likeness = {
        name: sum(max(_likeness(part, owner) for part in parts) for owner in name.split("/"))
        for name, value in parameters.items()
        if value.size == slot.size
    }
    return [name for name, like in likeness.items() if like == max(likeness.values())]


def _likeness(part: str, owner: str) -> int:
    """A name that speaks of what the path does not is the less like it."""
    return 2 if part == owner else 1 if _is_called(part, owner) else -1


def _is_called(part: str, owner: str) -> bool:
    """Whether a student's name, such as `q_proj` or `w_query`, means the library's, such as `query`."""
    words = part.replace("-", "_").split("_")
    return owner in part or any(word and (owner.startswith(word) or word == f"w{owner[0]}") for word in words)


def _by_order(values: list[np.ndarray], slots: list[np.ndarray]) -> Iterator[_Layout]:
    """In the library's order; then all kernels before all biases; then every order of the owners."""
    owners = [values[start : start + 2] for start in range(0, len(values), 2)]
    orders = [list(order) for order in itertools.permutations(owners)] if len(owners) <= 4 else [owners]
    for order in orders:
        pairs = [value for owner in order for value in owner]
        by_kind = [owner[0] for owner in order] + [owner[1] for owner in order if len(owner) > 1]
        for candidate in (pairs, by_kind):
            if all(value.size == slot.size for value, slot in zip(candidate, slots, strict=True)):
                yield [value.reshape(slot.shape) for value, slot in zip(candidate, slots, strict=True)]


def _fused(parameters: Mapping[str, np.ndarray], slots: list[np.ndarray]) -> Iterator[_Layout]:
    """Parameters of one kind together in one weight: side by side, head by head, or stacked."""
    for runs in _runs(_owners(parameters)):
        for join in _joins(runs):
            joined = [{kind: join([owner[kind] for owner in run]) for kind in run[0]} for run in runs]
            in_pairs = [array for run in joined for array in run.values()]
            kinds = dict.fromkeys(kind for run in joined for kind in run)
            by_kind = [run[kind] for kind in kinds for run in joined if kind in run]
            for arrays in (in_pairs, by_kind):
                if [array.size for array in arrays] == [slot.size for slot in slots]:
                    yield [array.reshape(slot.shape) for array, slot in zip(arrays, slots, strict=True)]


def _per_head(parameters: Mapping[str, np.ndarray], slots: list[np.ndarray]) -> Iterator[_Layout]:
    """A weight of its own for each head of all owners but the last, owner by owner or head by head."""
    owners = _owners(parameters)
    if len(owners) < 2:
        return
    *split, whole = owners
    heads, rest = divmod(len(slots) - len(whole), sum(len(owner) for owner in split))
    if rest or any(value.shape[-1] % heads for owner in split for value in owner.values()):
        return
    pieces = [
        [[np.split(value, heads, axis=-1)[head] for value in owner.values()] for head in range(heads)]
        for owner in split
    ]
    for order in (pieces, zip(*pieces, strict=True)):
        arrays = [array for group in order for piece in group for array in piece] + list(whole.values())
        if [array.size for array in arrays] == [slot.size for slot in slots]:
            yield [array.reshape(slot.shape) for array, slot in zip(arrays, slots, strict=True)]


def _owners(parameters: Mapping[str, np.ndarray]) -> list[dict[str, np.ndarray]]:
    """The parameters by the projection that has them: kernel and bias of the query, of the key, ..."""
    owners: dict[str, dict[str, np.ndarray]] = {}
    for name, value in parameters.items():
        owner, _, kind = name.rpartition("/")
        owners.setdefault(owner, {})[kind] = value
    return list(owners.values())


def _fit_together(run: list[dict[str, np.ndarray]]) -> bool:
    shapes = [{kind: value.shape for kind, value in owner.items()} for owner in run]
    return all(each == shapes[0] for each in shapes)


def _runs(owners: list[dict[str, np.ndarray]]) -> Iterator[list[list[dict[str, np.ndarray]]]]:
    """Every way to cut the owners into runs of neighbours that fit together: [q k v][o], [q][k v][o], ..."""
    if not owners:
        yield []
    for end in range(len(owners), 0, -1):
        if _fit_together(owners[:end]):
            for rest in _runs(owners[end:]):
                yield [owners[:end], *rest]


def _joins(runs: list[list[dict[str, np.ndarray]]]) -> Iterator[Callable[[list[np.ndarray]], np.ndarray]]:
    """Every way to put the parameters of a run together."""
    width = math.gcd(*(value.shape[-1] for run in runs for owner in run for value in owner.values()))
    for heads in range(1, width + 1):
        if width % heads == 0:
            yield functools.partial(_side_by_side, heads=heads)
    yield np.stack


def _side_by_side(parts: list[np.ndarray], heads: int) -> np.ndarray:
    """Along the last axis; with several heads, all parts of the first head come first."""
    return np.concatenate([part.reshape(*part.shape[:-1], heads, -1) for part in parts], axis=-1)
