"""What wrong calls have in common and right ones have not is said, and so is one wrong call where nothing else is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from grading.judging.behaviour.failing_calls import in_the_check
from grading.judging.behaviour.observation import Kind
from grading.judging.behaviour.observe import observe
from grading.judging.exercise import Exercise
from grading.judging.probing import problem, run_probe
from grading.judging.proxies import Proxy
from grading.judging.weight_layouts import LayoutSearch
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


def said(function: Callable[..., Any]) -> Mapping[Kind, str]:
    made, session = weighing(), LocalSession(function)
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


def test_what_a_check_says_names_the_check() -> None:
    sentence = "In the check “tosses a coin”: makes no real pairs."
    assert in_the_check("tosses a coin", "makes no real pairs").sentence == sentence
