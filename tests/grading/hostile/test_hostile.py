"""Every hostile submission, graded in the real sandbox beside honest neighbours, gains nothing and harms nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.submissions.hostile.trial import try_all

pytestmark = pytest.mark.long


def test_no_attack_achieves_anything(tmp_path: Path) -> None:
    outcomes = try_all(tmp_path)
    names = [outcome.attack.name for outcome in outcomes]
    assert len(set(names)) == len(names) > 90
    assert {outcome.attack.name: outcome.faults for outcome in outcomes if outcome.faults} == {}
