"""What code does is seen from what it gives for other inputs, and said in words of the docstring."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from grading.judging.behaviour.conditions import Conditional, under_conditions
from grading.judging.behaviour.dependence import Moves, groups_of, moves
from grading.judging.behaviour.influence import influences
from grading.judging.behaviour.observe import observe
from grading.judging.behaviour.ranking import Kind, Observed
from grading.judging.exercise import Check, Exercise
from grading.judging.probing import Outcome, run_probe
from grading.judging.proxies import OF_WEIGHTS, Proxy
from grading.judging.weight_layouts import LayoutSearch
from grading.sandbox.errors import StudentError
from grading.sandbox.values import Value
from grading.sandbox.wire import decode, encode

SECRET = b"tests"


def weigh(x: Any, scale: Any, mask: Any = None, reverse: bool = False) -> np.ndarray:
    """Shares of each text, times a scale for each feature.

    Args:
        x: (batch, length, width).
        scale: (width,).
        mask: boolean, (batch, length).
        reverse: whether the text is read from its end.

    Returns:
        (batch, length, width).
    """
    x = x[:, ::-1] if reverse else x
    kept = np.tanh(x) * scale
    return kept if mask is None else np.where(mask[..., None], kept, 0.0)


class Plain:
    """A function of NumPy, called where it is."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.kept: dict[Any, Any] = {}
        self._function = function

    def perform(self, operation: dict[str, Any], timeout: float | None = None) -> Value:
        if operation["op"] != "call":
            return None
        try:
            return self._function(*operation["args"], **operation["kwargs"])
        except Exception as error:
            raise StudentError(type(error).__name__, str(error)) from error


class Right:
    """What the right function gives."""

    secret = SECRET

    def reference(self, exercise: Exercise, check: Check) -> Outcome:
        return run_probe(exercise, check, Plain(weigh), SECRET)

    def moves(self, exercise: Exercise, check: Check) -> Moves:
        return moves(exercise, check, Plain(weigh), SECRET)

    def conditional(self, exercise: Exercise, check: Check) -> Conditional:
        return under_conditions(exercise, check, Plain(weigh), SECRET)


def exercise() -> Exercise:
    made = Exercise("weigh", "nowhere")
    made.__dict__["reference"] = weigh

    @made.check("takes a mask", points=1)
    def masked(implementation: Proxy, random: np.random.RandomState) -> Any:
        x, scale, mask = random.normal(size=(3, 5, 4)), random.normal(size=4), random.random_sample((3, 5)) < 0.6
        return implementation(x, scale, mask)

    @made.check("takes longer texts", points=1)
    def longer(implementation: Proxy, random: np.random.RandomState) -> Any:
        x, scale, mask = random.normal(size=(2, 7, 4)), random.normal(size=4), random.random_sample((2, 7)) < 0.6
        return implementation(x, scale, mask)

    return made


def observed(function: Callable[..., Any], of: Exercise | None = None) -> list[Observed]:
    of, session = of or exercise(), Plain(function)
    outcomes = {check.key: run_probe(of, check, session, SECRET) for check in of.checks}
    return observe(of, of.checks, outcomes, session, Right(), LayoutSearch())


def sentences(function: Callable[..., Any]) -> list[str]:
    return [one.observation.sentence for one in observed(function)]


WRONG: dict[str, Callable[..., Any]] = {
    "`mask` has no effect": lambda x, scale, mask: weigh(x, scale),
    "`scale` has no effect": lambda x, scale, mask: weigh(x, np.ones(4), mask),
    "The samples of a batch influence each other": lambda x, scale, mask: weigh(x - x.mean(axis=0), scale, mask),
    "Over `length`, the places of `x` influence each other": lambda x, scale, mask: weigh(
        x - x.mean(axis=1, keepdims=True), scale, mask
    ),
    "Over `batch`, not all places of `x` have an effect": lambda x, scale, mask: np.where(
        mask[..., None], weigh(x[:1], scale), 0
    ),
    "`mask` is taken the wrong way round": lambda x, scale, mask: weigh(x, scale, ~mask),
    "`reverse` is taken the wrong way round": lambda x, scale, mask, reverse=False: weigh(x, scale, mask, not reverse),
    "`x` is taken with the other sign": lambda x, scale, mask: weigh(-x, scale, mask),
    "if `x` is multiplied by width": lambda x, scale, mask: weigh(x / 4, scale, mask),
    "if `x` is doubled": lambda x, scale, mask: weigh(x / 2, scale, mask),
    "How large `x` is has no effect": lambda x, scale, mask: weigh(x / np.abs(x).max(), scale, mask),
    "`scale` is taken 1 too large": lambda x, scale, mask: weigh(x, scale + 1, mask),
    "right as long as `mask` is True everywhere": lambda x, scale, mask: np.where(
        mask[..., None], weigh(x, scale), np.cos(x)
    ),
    "right for each sample alone": lambda x, scale, mask: weigh(x, scale * len(x), mask) / len(x) ** 1.5,
    "the numbers in `x` are small": lambda x, scale, mask: weigh(np.clip(x, -0.3, 0.3), scale, mask),
    "times width": lambda x, scale, mask: 4 * weigh(x, scale, mask),
    "times `scale`": lambda x, scale, mask: scale * weigh(x, scale, mask),
}


@pytest.mark.parametrize("words", WRONG)
def test_what_the_code_does_is_said(words: str) -> None:
    found = [one for one in observed(WRONG[words]) if words in one.observation.sentence]
    assert found
    assert found[0].explains == {"masked", "longer"}


def test_what_holds_of_one_part_alone_is_said_of_it() -> None:
    of = exercise()
    of.checks.clear()

    @of.check("is right twice", points=1)
    def twice(implementation: Proxy, random: np.random.RandomState) -> Any:
        x, scale = random.normal(size=(3, 5, 4)), random.normal(size=4)
        return {"the output": implementation(x, scale), "the output of another": implementation(np.sin(x), scale)}

    count = iter(range(100))
    function = lambda x, scale: weigh(x, scale) * (7 if next(count) % 2 else np.exp(x))  # noqa: E731
    found = observed(function, of)
    assert found[0].observation.sentence == "The output of another: It is what is wanted times 7, everywhere."


@pytest.mark.parametrize("texts", [1, 3])
def test_weights_that_learn_from_something_else_are_said_to(texts: int) -> None:
    of = exercise()
    of.checks.clear()

    @of.check("passes gradients on", points=1)
    def learning(implementation: Proxy, random: np.random.RandomState) -> Any:
        x, scale = random.normal(size=(3, 5, 4)), random.normal(size=4)
        right = {f"the output of text {text}": implementation(x[text : text + 1], scale) for text in range(texts)}
        return {**right, OF_WEIGHTS: float(np.abs(implementation(x, scale, reverse=True)).sum())}

    function = lambda x, scale, reverse=False: weigh(x[:1] if reverse else x, scale)  # noqa: E731
    found = observed(function, of)
    words = "What comes back is right, and what the weights learn from it is not"
    assert any(words in one.observation.sentence for one in found)
    assert not any("Of 4 answers" in one.observation.sentence for one in found)


def test_of_what_has_nothing_to_do_with_it_nothing_is_said_but_where() -> None:
    def other(x: Any, scale: Any, mask: Any) -> Any:
        return np.where(mask[..., None], np.sin(9 * x) * np.exp(scale), 0.0)

    assert {one.kind for one in observed(other)} <= {Kind.PLACES}


def test_of_the_right_code_nothing_is_said() -> None:
    of = exercise()
    given = {check.key: moves(of, check, Plain(weigh), SECRET) for check in of.checks}
    assert all(np.array_equal(given[key][change], moved) for key in given for change, moved in given[key].items())
    assert sentences(weigh) == []


def test_a_reference_under_changes_is_known_by_true_and_false_alone() -> None:
    of = exercise()
    found = moves(of, of.checks[0], Plain(weigh), SECRET)
    assert decode(encode(found)).keys() == found.keys()  # it can be stored in a release
    single = moves(of, of.checks[0], Plain(lambda *args: np.sum(weigh(*args))), SECRET)
    assert decode(encode(single))["0/all"] == [np.array(True)]
    assert {"0/all", "1/all", "2/all", "0/0", "0/1", "2/1"} <= found.keys()
    assert {part.dtype for moved in found.values() for part in moved} == {np.dtype(bool)}


@pytest.mark.parametrize(
    ("names", "groups"),
    [
        (["query/kernel", "query/bias", "key/kernel", "value/kernel"], ["query", "key", "value"]),
        (["dense/kernel", "norm/gamma", "bias"], ["dense", "norm", "bias"]),
        (["intermediate/kernel", "output/kernel"], ["intermediate", "output"]),
        (
            ["encoder/embedding/norm/gamma", "encoder/block_0/attention/query/kernel", "logits/kernel"],
            ["encoder/embedding", "encoder/block_0", "logits"],
        ),
        ([], []),
    ],
)
def test_the_parts_of_a_layer_are_few(names: list[str], groups: list[str]) -> None:
    assert groups_of(names) == groups


def test_what_takes_long_is_not_done_again() -> None:
    asked: list[str] = []

    class Slow(Plain):
        def perform(self, operation: dict[str, Any], timeout: float | None = None) -> Value:
            asked.append(operation["op"])
            return super().perform({**operation, "op": "call"}, timeout) if operation["op"] == "call" else None

    of = exercise()
    of.checks.clear()

    @of.check("trains", points=1)
    def trains(implementation: Proxy, random: np.random.RandomState) -> Any:
        return implementation.uncompiled(random.normal(size=(3, 5, 4)), np.ones(4))

    assert moves(of, of.checks[0], Slow(weigh), SECRET) == {}
    assert "call" not in asked


def test_a_table_that_is_looked_up_by_something_else_is_seen() -> None:
    """Three texts of five ids: row 1 of the table of positions comes in at position 1, and not where the id is 1."""
    ids = np.array([[0, 2, 1, 3, 4], [1, 4, 3, 0, 2], [3, 0, 4, 2, 1]])

    def places(row_of: np.ndarray) -> list[np.ndarray]:
        return [np.broadcast_to((row_of == 1)[..., None], (3, 5, 2))]

    change = "row/position_embedding/embeddings"
    by_place, by_id = places(np.broadcast_to(np.arange(5), ids.shape)), places(ids)
    seen = influences(exercise(), {change: by_id}, {change: by_place}, [""], {})
    assert [one.sentence for one in seen] == [
        "Row 1 of the table `position_embedding` comes in at other places than it should."
    ]
    assert influences(exercise(), {change: by_place}, {change: by_place}, [""], {}) == {}
