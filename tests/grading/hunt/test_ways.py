"""Callables are called in every way in which a student might call them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grading.hunt.fitting import fits
from grading.hunt.held import Held
from grading.hunt.ways import adapted, ways


def wanted(x: Any, y: Any, mask: Any = None) -> Any:
    return x - y + (0 if mask is None else mask)


def turned(y: Any, x: Any, mask: Any = None) -> Any:
    return wanted(x, y, mask)


def with_another_between(x: Any, y: Any, bias: Any, mask: Any = None) -> Any:
    return wanted(x, y + bias, mask)


def with_other_names(first: Any, second: Any, third: Any = None) -> Any:
    return wanted(first, second, third)


def in_a_pair(x: Any, y: Any, mask: Any = None) -> tuple[Any, str]:
    return wanted(x, y, mask), "more"


class Subtractor:
    def __init__(self, y: Any) -> None:
        self.y = y

    def subtract(self, x: Any, mask: Any = None) -> Any:
        return wanted(x, self.y, mask)


def unlike(path: str, y: Any) -> str:
    return path


@pytest.mark.parametrize(
    ("value", "method"),
    [
        (turned, ""),
        (with_another_between, ""),
        (with_other_names, ""),
        (Subtractor, "subtract"),
    ],
    ids=["turned", "with another between", "with other names", "a method"],
)
def test_a_way_to_call_works_for_other_arguments_too(value: Any, method: str) -> None:
    held = Held("held", "", value, method)
    found = list(ways(held, wanted, {"x": np.array(5.0), "y": np.array(2.0)}))
    stand_ins = [adapted(held, way, wanted) for way in found]
    assert any(stand_in(7.0, 3.0) == 4.0 and stand_in(7.0, 3.0, mask=1.0) == 5.0 for stand_in in stand_ins)


def test_a_callable_with_other_parameters_is_not_called() -> None:
    assert not list(ways(Held("held", "", unlike), wanted, {"x": np.array(5.0), "y": np.array(2.0)}))


@pytest.mark.parametrize(
    ("value", "annotation", "expected"),
    [
        (np.zeros(2), "Any", True),
        (np.zeros(2), np.ndarray | None, True),
        (np.zeros(2), str, False),
        (np.zeros(2), dict[str, np.ndarray], False),
        (3, "int | Sequence[int]", True),
        (3, "str", False),
        (["a"], "Sequence[str] | None", True),
        (None, "str | None", True),
        (wanted, "Callable[[Any], Any]", True),
        (wanted, "str", False),
    ],
)
def test_arguments_must_fit_the_annotations(value: Any, annotation: Any, expected: bool) -> None:
    assert fits(value, annotation) == expected
