"""What wrong calls have in common and right ones have not is said, and so is one wrong call where nothing else is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

from grading.exercises.registry import find
from grading.judging.behaviour.calls import Called, Made, WatchedSession
from grading.judging.behaviour.failing_calls import Judged, in_the_check, smallest_failing, what_fails
from grading.judging.behaviour.observation import Kind
from grading.judging.behaviour.observe import observe
from grading.judging.exercise import Exercise
from grading.judging.probing import problem, run_probe
from grading.judging.proxies import Proxy
from grading.judging.weight_layouts import LayoutSearch
from grading.sandbox.errors import StudentError
from grading.sandbox.interpreter import Interpreter
from grading.sandbox.values import Object
from tests.grading.judging.behaviour.weighing import SECRET, LocalSession, Right, exercise, weigh

Random = np.random.RandomState


def weighing() -> Exercise:
    """Six calls in four checks: with and without a mask, read from either end, and of one text."""
    made = exercise()
    made.checks.clear()

    @made.check("weighs", points=1)
    def plain(implementation: Proxy, random: Random) -> Any:
        texts, scale = random.normal(size=(3, 5, 4)), random.normal(size=4)
        return {"long": implementation(texts, scale), "short": implementation(texts[:, :2], scale)}

    @made.check("takes a mask", points=1)
    def masked(implementation: Proxy, random: Random) -> Any:
        texts, mask = random.normal(size=(3, 5, 4)), random.random_sample((3, 5)) < 0.6
        return implementation(texts, random.normal(size=4), mask)

    @made.check("reads from the end", points=1)
    def reverse(implementation: Proxy, random: Random) -> Any:
        texts, scale = random.normal(size=(2, 7, 4)), random.normal(size=4)
        return [implementation(texts, scale, reverse=True), implementation(texts, scale)]

    @made.check("takes one text", points=1)
    def alone(implementation: Proxy, random: Random) -> Any:
        return implementation(random.normal(size=(1, 5, 4)), random.normal(size=4))

    return made


def said(function: Callable[..., Any], made: Exercise | None = None) -> Mapping[Kind, str]:
    made, session = made or weighing(), LocalSession(function)
    outcomes = {check.key: run_probe(made, check, session, SECRET) for check in made.checks}
    wrong = {check.key: problem(check, outcomes[check.key], Right().reference(made, check)) for check in made.checks}
    failed, passed = ([check for check in made.checks if bool(wrong[check.key]) is state] for state in (True, False))
    observed = observe(made, failed, outcomes, session, Right(), LayoutSearch(), passed)
    return {one.kind: one.observation.sentence for one in observed if one.kind in (Kind.CALLS, Kind.EXAMPLE)}


def wrong_if(condition: Callable[..., bool]) -> Callable[..., Any]:
    def function(x: Any, scale: Any, mask: Any = None, reverse: bool = False) -> np.ndarray:
        result = weigh(x, scale, mask, reverse)
        return np.cos(3 * result) if condition(x, mask, reverse) else result

    return function


def test_a_line_of_zeros_is_told_from_zeros_here_and_there() -> None:
    made = exercise()
    made.checks.clear()

    def weighed(implementation: Proxy, random: Random, *masks: list[list[int]]) -> list[Any]:
        x, scale = random.normal(size=(2, 3, 4)), random.normal(size=4)
        return [implementation(x, scale, np.array(mask)) for mask in masks]

    @made.check("hides words", points=1)
    def words(implementation: Proxy, random: Random) -> Any:
        return weighed(implementation, random, [[1, 0, 1], [0, 1, 1]], [[1, 1, 0], [1, 1, 1]], [[0, 1, 0], [1, 1, 0]])

    @made.check("hides texts", points=1)
    def texts(implementation: Proxy, random: Random) -> Any:
        return weighed(implementation, random, [[1, 0, 1], [0, 0, 0]], [[0, 0, 0], [1, 1, 1]])

    sentence = said(wrong_if(lambda x, mask, reverse: not mask.any(axis=-1).all()), made)[Kind.CALLS]
    assert "a line of `mask` is 0 throughout" in sentence


@pytest.mark.parametrize(
    ("condition", "where"),
    [
        (lambda x, mask, reverse: reverse, "`reverse` is True"),
        (lambda x, mask, reverse: mask is not None, "`mask` is given"),
        (lambda x, mask, reverse: len(x) == 1, "`batch` is 1"),
    ],
)
def test_wrong_calls_are_told_from_right_ones_by_their_arguments(condition: Callable[..., bool], where: str) -> None:
    sentence = f"The result is wrong only if {where}; all other calls that were compared are right."
    assert said(wrong_if(condition))[Kind.CALLS] == sentence


def test_nothing_is_said_of_what_right_calls_have_as_well() -> None:
    assert Kind.CALLS not in said(wrong_if(lambda x, mask, reverse: x[0, 0, 0] > 0 and not reverse))
    assert Kind.CALLS not in said(wrong_if(lambda x, mask, reverse: True))
    assert not said(weigh)


def test_calls_that_raise_are_told_from_all_that_do_not() -> None:
    def raises(x: Any, scale: Any, mask: Any = None, reverse: bool = False) -> np.ndarray:
        if mask is not None:
            raise TypeError("no mask, please")
        return weigh(x, scale, mask, reverse)

    found = said(raises)
    assert found[Kind.CALLS] == "An error is raised only if `mask` is given; all other calls raise none."
    assert found[Kind.EXAMPLE].startswith("`weigh(x=float64 of shape (3, 5, 4), scale=[")
    assert found[Kind.EXAMPLE].endswith(" raises TypeError; it should return a result.")


def test_the_smallest_wrong_call_is_shown_with_what_it_should_return() -> None:
    found = said(wrong_if(lambda x, mask, reverse: True))[Kind.EXAMPLE]
    assert found.startswith("`weigh(x=float64 of shape (1, 5, 4), scale=[")
    assert "it should return" in found


def called(exercise: str, is_right: bool, raised: bool = False, **given: Any) -> Judged:
    error = StudentError("ValueError", "no", "") if raised else None
    return Judged(Called({"op": "call", "target": exercise, "args": [], "kwargs": given}, error=error), is_right)


def words(exercise: str, *calls: Judged) -> str | None:
    found = what_fails(find(exercise)[1], calls, [call for call in calls if not call.raised])
    return found and found.sentence


@pytest.mark.parametrize("raised", [True, False])
def test_two_things_that_a_call_asks_for_may_be_wrong_only_together(raised: bool) -> None:
    """Each alone is right; and that a width is 8 as well is no choice of how the code works."""
    right = [
        called("scaled_frequencies", True, head_dim=8, method="yarn"),
        called("scaled_frequencies", True, head_dim=8, base=300.0),
        called("scaled_frequencies", True, head_dim=6, method="ntk", base=300.0),
    ]
    wrong = [called("scaled_frequencies", False, raised, head_dim=8, method="yarn", base=300.0)]
    sentence = words("scaled_frequencies", *right, *wrong)
    assert sentence and "only if `method` is 'yarn' and `base` is not 10000" in sentence
    # A right call that differs in more than the base does not show that the base matters.
    narrow = called("scaled_frequencies", True, head_dim=2, method="yarn")
    assert "`base`" not in str(words("scaled_frequencies", narrow, *right[1:], *wrong))
    also_right = called("scaled_frequencies", True, head_dim=8, method="yarn", base=100.0)
    sentence = words("scaled_frequencies", *right, *wrong, also_right)
    assert sentence is None or "and then not in every call" in sentence


def test_what_is_beside_a_chosen_word_in_all_wrong_calls_is_said_if_the_word_alone_is_right() -> None:
    calls = [
        called("scaled_frequencies", True, head_dim=8, method="yarn", base=100.0),
        called("scaled_frequencies", True, head_dim=8, method="linear", base=300.0),
        called("scaled_frequencies", True, head_dim=6, method="ntk"),
        called("scaled_frequencies", False, head_dim=8, method="yarn", base=300.0),
        called("scaled_frequencies", False, head_dim=6, method="yarn", base=200.0),
    ]
    assert "only if `method` is 'yarn', and then not in every call" in str(words("scaled_frequencies", *calls))
    # That a right call asks for both, and another for the word alone with another width, shows nothing of the base.
    both = called("scaled_frequencies", True, head_dim=8, method="yarn", base=300.0)
    narrow = called("scaled_frequencies", True, head_dim=2, method="yarn")
    assert "`base`" not in str(words("scaled_frequencies", *calls, both, narrow))
    usual = called("scaled_frequencies", True, head_dim=6, method="yarn")
    assert "`method` is 'yarn' and `base` is not 10000, and then not" in str(words("scaled_frequencies", *calls, usual))


def test_an_option_of_the_layer_is_compared_with_what_it_is_by_default() -> None:
    """Every wrong call has a flag and an epsilon that no right one has; each may be the reason."""

    def of_block(is_right: bool, **settings: Any) -> Judged:
        operation = {"op": "call", "target": Object(1), "args": [np.zeros((2, 3, 4))], "kwargs": {}}
        sizes = {"hidden_dim": 4, "num_heads": 2, "intermediate_dim": 8, "dropout": 0.0}
        return Judged(Called(operation, {**sizes, **settings}), is_right)

    right = [of_block(True), of_block(True, norm_first=True), of_block(True)]
    both = of_block(False, approximate_gelu=True, epsilon=0.5)
    assert "only if `approximate_gelu` is True or `epsilon` is not 1e-12;" in str(words("EncoderBlock", *right, both))
    assert "only if `epsilon` is not 1e-12;" in str(words("EncoderBlock", *right, of_block(False, epsilon=0.5)))


def test_equal_numbers_in_a_list_of_scores_divide_right_calls_from_wrong_ones() -> None:
    labels = np.array([1, 0, 1])
    scores = [[0.5, 0.25, 0.75], [0.125, 2.0, 1.0], [3.0, 1.0, -1.0], [0.5, 0.5, 1.0], [2.0, 0.25, 0.25]]
    calls = [
        called("best_threshold", number < 3, scores=np.array(row), labels=labels) for number, row in enumerate(scores)
    ]
    assert "only if some numbers in `scores` are equal" in str(words("best_threshold", *calls))


def test_what_comes_with_a_choice_of_few_right_calls_is_no_reason() -> None:
    """The approximation is wrong, but right for large numbers; and only one of its calls has two axes."""
    shapes = {(3, 5, 8): False, (6,): False, (2, 4, 3): False, (4,): True}
    calls = [called("gelu", True, x=np.ones(shape, "float32"), approximate=way) for shape, way in shapes.items()]
    wrong = called("gelu", False, x=np.ones((7, 6), "float32"), approximate=True)
    assert words("gelu", *calls, calls[-1], wrong) is None  # the same call again shows nothing
    more = called("gelu", True, x=np.ones((3, 1, 2), "float32"), approximate=True)
    assert "only if `x` has 2 axes" in str(words("gelu", *calls, more, wrong))


def test_sizes_that_are_equal_by_chance_are_no_reason() -> None:
    """One call is wrong, of as many texts as there are classes."""
    calls = [
        called("confusion_matrix", size != 9, labels=np.arange(size), predictions=np.arange(size), num_classes=9)
        for size in (4, 7, 5, 9)
    ]
    assert words("confusion_matrix", *calls) is None


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (np.array([0.5, 0.25], "float16"), "x=[0.5, 0.25] in float16"),
        (np.array([0.5, 0.25], "float32"), "x=[0.5, 0.25]"),
        (np.array([1 / 3, 1 / 3, 0.5], "float64"), "x=[0.3333, 0.3333, 0.5]"),
        (np.array([0.5, 0.5 + 1e-9], "float64"), "x=[0.5, 0.500000001]"),
        (Made("Membership"), "x=<Membership>"),
    ],
)
def test_an_argument_is_shown_as_what_it_is(value: Any, shown: str) -> None:
    call = called("gelu", False, raised=True, x=value)
    example = smallest_failing(find("gelu")[1], [call])
    assert example and example.sentence == f"`gelu({shown})` raises ValueError; it should return a result."


def test_an_error_while_a_layer_is_built_is_one_of_its_calls(tmp_path: Path) -> None:
    class Fails(keras.layers.Layer):
        def build(self, shape: Any) -> None:
            raise ValueError("no width")

    watched = WatchedSession(Interpreter(tmp_path, {"Fails": Fails}))
    layer = Proxy(watched, "Fails")()
    with pytest.raises(StudentError):
        layer.build(np.zeros((2, 3), "float32"))
    (call,) = watched.called
    assert call.error and "no width" in call.error.message and call.operation["args"][0].shape == (2, 3)


def test_what_a_check_says_names_the_check() -> None:
    sentence = "In the check “tosses a coin”: makes no real pairs."
    assert in_the_check("tosses a coin", "makes no real pairs").sentence == sentence
