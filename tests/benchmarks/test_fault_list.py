"""The list of faults follows the code: each stands there once, and the tests that could notice it are there."""

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
def test_a_fault_can_be_put_in(tree: Tree, fault: Fault) -> None:
    assert tree.place(fault)
    assert tree.tests(fault)
    assert fault.old != fault.new


def test_no_two_have_the_same_name() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
