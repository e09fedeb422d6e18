"""Which benchmarks the command runs by default, and which the documents name."""

from __future__ import annotations

import re
import sys
import types
from functools import partial
from pathlib import Path

import pytest

import benchmarks.__main__ as command
from grading.storage.project import PROJECT


@pytest.mark.parametrize(("named", "expected"), [(None, ["masking"]), (["gpu"], ["gpu"])])
def test_the_gpu_benchmark_runs_only_by_name(
    named: list[str] | None, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[str] = []

    def measure(name: str) -> list[dict[str, str]]:
        measured.append(name)
        return [{"what": name}]

    for name in ("masking", "gpu"):
        module = types.ModuleType(f"benchmarks.{name}", "Made.")
        monkeypatch.setattr(module, "measure", partial(measure, name), raising=False)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(command, "NAMES", ("masking", "gpu"))
    monkeypatch.setattr(command, "HERE", tmp_path)
    command.main(named)
    assert measured == expected
    assert [path.stem for path in (tmp_path / "results").iterdir()] == expected
    assert f"`python -m benchmarks {expected[0]}`" in (tmp_path / "README.md").read_text(encoding="utf-8")


def test_the_benchmarks_that_documents_name_are_there() -> None:
    documents = [*PROJECT.glob("*.md"), *PROJECT.glob("docs/*.md")]
    texts = {path: path.read_text(encoding="utf-8") for path in documents}
    named = {
        path: set(" ".join(re.findall(r"`\.venv/bin/python -m benchmarks\s+([a-z_\s]+)`", text)).split())
        for path, text in texts.items()
    }
    assert {path.name: names - {*command.NAMES} for path, names in named.items() if names - {*command.NAMES}} == {}
    assert len(set().union(*named.values())) > 8
