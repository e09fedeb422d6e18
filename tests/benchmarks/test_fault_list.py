"""The list of faults matches the code: the text of each occurs once, and its tests exist."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.faults.fault import Fault
from benchmarks.faults.trial import Tree
from benchmarks.faults.trying import FAULTS
from grading.errors import GradingError
from grading.storage.project import PROJECT


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree(PROJECT, Path(sys.executable))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_matches_the_code_and_its_tests_exist(tree: Tree, fault: Fault) -> None:
    assert tree.tests(fault)
    with_it = tree.with_fault(fault)
    assert with_it
    assert all(text != (PROJECT / path).read_text(encoding="utf-8") for path, text in with_it.items())


def test_a_fault_that_is_nowhere_is_named_with_the_place_that_is_most_like_it(tree: Tree) -> None:
    lost = Fault("biases decay", "training", {'return path.rpartition("/")[2] not in ("bias", "beta")': ""}, ())
    place = r"the nearest line of course/pretraining\.py is 'return path"
    with pytest.raises(GradingError, match=f"the fault 'biases decay': .* stands 0 times in the code.*{place}"):
        tree.with_fault(lost)


def test_fault_names_are_unique() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
