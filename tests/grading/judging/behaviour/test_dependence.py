"""Changed inputs and weights show what an answer depends on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grading.judging.behaviour.dependence import dependence_differences, moves
from grading.judging.proxies import Proxy
from grading.sandbox.values import Value
from grading.sandbox.wire import decode, encode
from tests.grading.judging.behaviour.weighing import SECRET, LocalSession, exercise, weigh


def test_moves_are_booleans_that_a_release_can_store() -> None:
    weighing = exercise()
    moved = moves(weighing, weighing.checks[0], LocalSession(weigh), SECRET)
    assert decode(encode(moved)).keys() == moved.keys()
    single = moves(weighing, weighing.checks[0], LocalSession(lambda *args: np.sum(weigh(*args))), SECRET)
    assert decode(encode(single))["0/all"] == [np.array(True)]
    assert {"0/all", "1/all", "2/all", "0/0", "0/1", "2/1"} <= moved.keys()
    assert {part.dtype for parts in moved.values() for part in parts} == {np.dtype(bool)}


def test_moves_are_the_same_in_every_run() -> None:
    weighing = exercise()
    for check in weighing.checks:
        first, second = (moves(weighing, check, LocalSession(weigh), SECRET) for _ in range(2))
        assert first.keys() == second.keys()
        assert all(np.array_equal(first[change], second[change]) for change in first)


def test_slow_checks_do_not_run_again() -> None:
    performed: list[str] = []

    class SlowSession(LocalSession):
        def perform(self, operation: dict[str, Any], timeout: float | None = None) -> Value:
            performed.append(operation["op"])
            return super().perform({**operation, "op": "call"}, timeout) if operation["op"] == "call" else None

    weighing = exercise()
    weighing.checks.clear()

    @weighing.check("trains", points=1)
    def trains(implementation: Proxy, random: np.random.RandomState) -> Any:
        return implementation.uncompiled(random.normal(size=(3, 5, 4)), np.ones(4))

    assert moves(weighing, weighing.checks[0], SlowSession(weigh), SECRET) == {}
    assert "call" not in performed


def test_a_table_that_is_indexed_by_something_else_is_observed() -> None:
    """Three texts of five ids: row 1 of the table of positions shows at position 1, and not where the id is 1."""
    ids = np.array([[0, 2, 1, 3, 4], [1, 4, 3, 0, 2], [3, 0, 4, 2, 1]])

    def moved(row_of: np.ndarray) -> list[np.ndarray]:
        return [np.broadcast_to((row_of == 1)[..., None], (3, 5, 2))]

    change = "row/position_embedding/embeddings"
    by_position, by_id = moved(np.broadcast_to(np.arange(5), ids.shape)), moved(ids)
    evidence = dependence_differences(exercise(), {change: by_id}, {change: by_position}, [""], {})
    assert [observation.sentence for observation in evidence] == [
        "Row 1 of the table `position_embedding` affects other places than it should."
    ]
    assert dependence_differences(exercise(), {change: by_position}, {change: by_position}, [""], {}) == {}
    of_one_feature = [part & (np.arange(2) == 0) for part in by_position]
    assert dependence_differences(exercise(), {change: of_one_feature}, {change: by_position}, [""], {}) == {}


def test_an_answer_that_is_too_short_shows_no_lack_of_an_effect() -> None:
    def differences(places: int) -> list[str]:
        evidence = dependence_differences(
            exercise(), {"1/all": [np.zeros(places, bool)]}, {"1/all": [np.ones(3, bool)]}, [""], {}
        )
        return [observation.sentence for observation in evidence]

    assert differences(3) == ["`scale` has no effect: whatever it is, the result is the same."]
    assert differences(2) == []


@pytest.mark.parametrize("lost", [np.nan, np.inf])
def test_what_is_no_number_before_and_after_does_not_move(lost: float) -> None:
    def first_is_lost(x: Any, scale: Any, mask: Any) -> np.ndarray:
        return np.where(np.arange(3)[:, None, None] == 0, lost, weigh(x, scale, mask))

    weighing = exercise()
    moved = moves(weighing, weighing.checks[0], LocalSession(first_is_lost), SECRET)
    assert not any(part[0].any() for parts in moved.values() for part in parts)
    assert moved["0/all"][0].any()
