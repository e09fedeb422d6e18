"""The list of faults matches the code: the text of each occurs once, and its tests exist."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.faults.fault import Fault
from benchmarks.faults.trial import Tree
from benchmarks.faults.trying import FAULTS
from grading.storage.project import PROJECT


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree(PROJECT, Path(sys.executable))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_matches_the_code_and_its_tests_exist(tree: Tree, fault: Fault) -> None:
    assert tree.place(fault)
    assert tree.tests(fault)
    assert fault.old != fault.new


def test_fault_names_are_unique() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
