"""Findings need a reason, reasons need a finding, and shapes do not depend on names."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from grading.errors import GradingError
from grading.hunt.findings import BEHAVIOUR, Finding, outdated, read_known, unlisted
from grading.hunt.shapes import runs

LISTED = """
[[found]]
by = "behaviour"
exercise = "gelu"
reason = "why not"
callables = ["course.a", "course.b"]
"""


def finding(held: str) -> Finding:
    return Finding(BEHAVIOUR, "gelu", held, 1.0, f"{held}()")


def test_unlisted_findings_and_outdated_reasons_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "findings.toml"
    path.write_text(LISTED)
    known = read_known(path)
    findings = [finding("course.a"), finding("course.c")]
    assert unlisted(findings, known) == [finding("course.c")]
    assert outdated(findings, known) == [("behaviour", "gelu", "course.b")]


@pytest.mark.parametrize("text", ["found", LISTED.replace("why not", " "), LISTED + 'more = "x"\n'])
def test_a_malformed_list_of_findings_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "findings.toml"
    path.write_text(text)
    with pytest.raises(GradingError, match=r"findings\.toml"):
        read_known(path)


def test_names_comments_and_hints_do_not_change_the_shape_and_other_steps_do() -> None:
    one = runs([ast.parse("def f(x: int):\n    'Doc.'\n    y = g(x + 1, key=2)  # why\n    return y.a[0] * y.b[1]")])
    same = runs([ast.parse("def h(z):\n    t = q(z + 7, other=3)\n    return t.c[4] * t.d[5]")])
    other = runs([ast.parse("def h(z):\n    for t in z:\n        print(t.c)\n    while z:\n        z = z[1:]")])
    assert one == same
    assert not one & other
