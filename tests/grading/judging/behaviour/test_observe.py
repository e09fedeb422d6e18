"""Observations describe what code does with other inputs, in the words of the docstring."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from grading.judging.behaviour import observe as observing
from grading.judging.behaviour.conditions import Conditional
from grading.judging.behaviour.dependence import Moves
from grading.judging.behaviour.observation import Kind, Observed
from grading.judging.behaviour.observe import observe
from grading.judging.exercise import Check, Exercise
from grading.judging.probing import Outcome, replay_secret, run_probe
from grading.judging.proxies import OF_WEIGHTS, Proxy
from grading.judging.weight_layouts import LayoutSearch
from tests.grading.judging.behaviour.weighing import SECRET, LocalSession, Right, exercise, weigh


def observed(function: Callable[..., Any], weighing: Exercise | None = None) -> list[Observed]:
    weighing, session = weighing or exercise(), LocalSession(function)
    outcomes = {check.key: run_probe(weighing, check, session, SECRET) for check in weighing.checks}
    return list(observe(weighing, weighing.checks, outcomes, session, Right(), LayoutSearch()))


WRONG: dict[str, Callable[..., Any]] = {
    "`mask` has no effect": lambda x, scale, mask: weigh(x, scale),
    "`scale` has no effect": lambda x, scale, mask: weigh(x, np.ones(4), mask),
    "The samples of a batch influence each other": lambda x, scale, mask: weigh(x - x.mean(axis=0), scale, mask),
    "Along `length`, the places of `x` influence each other": lambda x, scale, mask: weigh(
        x - x.mean(axis=1, keepdims=True), scale, mask
    ),
    "Along `batch`, not all places of `x` have an effect": lambda x, scale, mask: np.where(
        mask[..., None], weigh(x[:1], scale), 0
    ),
    "`mask` is used the wrong way round": lambda x, scale, mask: weigh(x, scale, ~mask),
    "`reverse` is used the wrong way round": lambda x, scale, mask, reverse=False: weigh(x, scale, mask, not reverse),
    "`x` is used with the opposite sign": lambda x, scale, mask: weigh(-x, scale, mask),
    "if `x` is multiplied by width": lambda x, scale, mask: weigh(x / 4, scale, mask),
    "if `x` is doubled": lambda x, scale, mask: weigh(x / 2, scale, mask),
    "How large `x` is has no effect": lambda x, scale, mask: weigh(x / np.abs(x).max(), scale, mask),
    "`scale` is used as if it were 1 too large": lambda x, scale, mask: weigh(x, scale + 1, mask),
    "right as long as `mask` is True everywhere": lambda x, scale, mask: np.where(
        mask[..., None], weigh(x, scale), np.cos(x)
    ),
    "right for each sample alone": lambda x, scale, mask: weigh(x, scale * len(x), mask) / len(x) ** 1.5,
    "the numbers in `x` are small": lambda x, scale, mask: weigh(np.clip(x, -0.3, 0.3), scale, mask),
    "times width": lambda x, scale, mask: 4 * weigh(x, scale, mask),
    "times `scale`": lambda x, scale, mask: scale * weigh(x, scale, mask),
}


@pytest.mark.parametrize("words", WRONG)
def test_an_observation_says_what_the_code_does(words: str) -> None:
    matching = [one for one in observed(WRONG[words]) if words in one.observation.sentence]
    assert matching
    assert matching[0].explains == {"masked", "longer"}


def by_chance(x: Any, scale: Any, mask: Any = None) -> np.ndarray:
    """Another factor for each input: on one input alone, it is the same everywhere."""
    return weigh(x, scale, mask) * (1 + abs(x[0, 0, 0]))


def test_what_is_so_by_chance_is_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    one = observed(by_chance, only("masked"))
    assert not [seen for seen in one if "everywhere" in seen.observation.sentence]
    monkeypatch.setattr(observing, "REPLAYS", 0)
    assert [seen for seen in observed(by_chance, only("masked")) if "everywhere" in seen.observation.sentence]


def test_an_exchange_that_is_right_by_chance_is_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def mostly(x: Any, scale: Any, mask: Any = None) -> np.ndarray:
        return weigh(-x if scale[0] == first else x + 1, scale, mask)

    first = first_scale()
    words = "`x` is used with the opposite sign"
    assert not [seen for seen in observed(mostly, only("masked")) if words in seen.observation.sentence]
    monkeypatch.setattr(observing, "REPLAYS", 0)
    assert [seen for seen in observed(mostly, only("masked")) if words in seen.observation.sentence]


def test_a_dependence_of_one_input_alone_is_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def mixes_at_times(x: Any, scale: Any, mask: Any = None) -> np.ndarray:
        return weigh(x - x.mean(axis=1, keepdims=True) if scale[0] == first else x + 1, scale, mask)

    first = first_scale()
    words = "the places of `x` influence each other"
    assert not [seen for seen in observed(mixes_at_times, only("masked")) if words in seen.observation.sentence]
    monkeypatch.setattr(observing, "REPLAYS", 0)
    assert [seen for seen in observed(mixes_at_times, only("masked")) if words in seen.observation.sentence]


def test_a_condition_of_one_input_alone_is_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def masks_badly_at_times(x: Any, scale: Any, mask: Any = None) -> np.ndarray:
        return np.where(mask[..., None], weigh(x, scale), np.cos(x)) if scale[0] == first else weigh(x + 1, scale, mask)

    first = first_scale()
    words = "right as long as `mask` is True everywhere"
    assert not [seen for seen in observed(masks_badly_at_times, only("masked")) if words in seen.observation.sentence]
    monkeypatch.setattr(observing, "REPLAYS", 0)
    assert [seen for seen in observed(masks_badly_at_times, only("masked")) if words in seen.observation.sentence]


def first_scale() -> float:
    """What the check itself, and no replay of it, begins its scales with."""
    scales = LocalSession(lambda x, scale, mask: scale)
    return run_probe(exercise(), exercise().checks[0], scales, SECRET).value[0]


def test_what_matters_in_a_check_that_passes_is_not_said_to_have_no_effect() -> None:
    def short_alone(x: Any, scale: Any, mask: Any) -> np.ndarray:
        return weigh(x, scale, mask if x.shape[1] < 6 else None)

    assert [one for one in observed(short_alone, only("longer")) if "`mask` has no effect" in one.observation.sentence]
    whole = exercise()
    short, longer = whole.checks
    session = LocalSession(short_alone)
    outcomes = {longer.key: run_probe(whole, longer, session, SECRET)}
    again = list(observe(whole, [longer], outcomes, session, Right(), LayoutSearch(), passed=[short]))
    assert again
    assert not [one for one in again if "has no effect" in one.observation.sentence]


def only(key: str) -> Exercise:
    weighing = exercise()
    weighing.checks = [check for check in weighing.checks if check.key == key]
    return weighing


def test_an_observation_of_one_part_names_the_part() -> None:
    weighing = exercise()
    weighing.checks.clear()

    @weighing.check("is right twice", points=1)
    def twice(implementation: Proxy, random: np.random.RandomState) -> Any:
        x, scale = random.normal(size=(3, 5, 4)), random.normal(size=4)
        return {"the output": implementation(x, scale), "the output of another": implementation(np.sin(x), scale)}

    count = iter(range(100))
    function = lambda x, scale: weigh(x, scale) * (7 if next(count) % 2 else np.exp(x))  # noqa: E731
    sentence = "The output of another: it is the expected one times 7, everywhere."
    assert observed(function, weighing)[0].observation.sentence == sentence


@pytest.mark.parametrize("texts", [1, 3])
def test_a_right_result_with_a_wrong_gradient_is_observed(texts: int) -> None:
    weighing = exercise()
    weighing.checks.clear()

    @weighing.check("passes gradients on", points=1)
    def learning(implementation: Proxy, random: np.random.RandomState) -> Any:
        x, scale = random.normal(size=(3, 5, 4)), random.normal(size=4)
        right = {f"the output of text {text}": implementation(x[text : text + 1], scale) for text in range(texts)}
        return {**right, OF_WEIGHTS: float(np.abs(implementation(x, scale, reverse=True)).sum())}

    function = lambda x, scale, reverse=False: weigh(x[:1] if reverse else x, scale)  # noqa: E731
    said = [one.observation.sentence for one in observed(function, weighing)]
    assert any("The result is right, but the gradient by the weights is not" in sentence for sentence in said)
    assert not any("Of 4 answers" in sentence for sentence in said)


@pytest.mark.parametrize(
    ("wrong", "which"),
    [([2], "this is wrong: x, times 2"), ([2, 4], "these are wrong: x, times 2; x, times 4")],
)
def test_of_many_answers_the_few_wrong_ones_are_listed(wrong: list[int], which: str) -> None:
    weighing = exercise()
    weighing.checks.clear()

    @weighing.check("is right for numbers of any size", points=1)
    def sizes(implementation: Proxy, random: np.random.RandomState) -> Any:
        x, scale = random.normal(size=(3, 5, 4)), random.normal(size=4)
        return {f"x, times {size}": implementation(x, scale, size=size) for size in range(1, 6)}

    def function(x: Any, scale: Any, size: int) -> np.ndarray:
        return weigh(size * x, scale) + (np.exp(x) if size in wrong else 0)

    class RightForSizes(Right):
        def reference(self, exercise: Exercise, check: Check, replay: int = 0) -> Outcome:
            right = LocalSession(lambda x, scale, size: weigh(size * x, scale))
            return run_probe(exercise, check, right, replay_secret(SECRET, replay))

        def moves(self, exercise: Exercise, check: Check, replay: int = 0) -> Moves:
            return {}

        def conditional(self, exercise: Exercise, check: Check, replay: int = 0) -> Conditional:
            return {}

    session = LocalSession(function)
    outcomes = {check.key: run_probe(weighing, check, session, SECRET) for check in weighing.checks}
    seen = observe(weighing, weighing.checks, outcomes, session, RightForSizes(), LayoutSearch())
    assert f"Of the 5 answers in one check, only {which}." in [one.observation.sentence for one in seen]


def test_of_unrelated_code_only_the_wrong_places_are_observed() -> None:
    def other(x: Any, scale: Any, mask: Any) -> Any:
        return np.where(mask[..., None], np.sin(9 * x) * np.exp(scale), 0.0)

    assert {one.kind for one in observed(other)} <= {Kind.PLACES, Kind.EXAMPLE}


def test_right_code_has_no_observation() -> None:
    assert observed(weigh) == []
