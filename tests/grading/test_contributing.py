"""The example in CONTRIBUTING.md gives a working exercise: its code runs unchanged."""

from __future__ import annotations

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

import course.attention
from grading.exercises.attention import checks
from grading.judging.exercise import Chapter, Check, Exercise
from grading.judging.probing import Outcome, agree, run_probe
from grading.sandbox.interpreter import Interpreter
from grading.storage.project import PROJECT

TEXT = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
LIBRARY, CHECKS, MISTAKES, _ = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


def run(source: str, names: dict[str, Any]) -> None:
    """Runs a piece of the document; every name in it must be known, in annotations, too."""
    exec(compile(source, "CONTRIBUTING.md", "exec", dont_inherit=True), names)


@pytest.fixture
def exercise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Exercise:
    """The example, with the names of the modules that it is added to. A mistake changes the source of its module."""
    path = tmp_path / "example.py"
    path.write_text(LIBRARY, encoding="utf-8")
    spec = spec_from_file_location("course.example", path)
    assert spec and spec.loader
    library = module_from_spec(spec)
    vars(library).update({name: value for name, value in vars(course.attention).items() if name[:2] != "__"})
    monkeypatch.setitem(sys.modules, "course.example", library)
    spec.loader.exec_module(library)
    chapter = Chapter(3, "Example", "course.example")
    names: dict[str, Any] = {**vars(checks), "chapter": chapter}
    run(CHECKS, names)
    run(MISTAKES, names)
    return chapter.exercises["attention_entropy"]


def outcome(exercise: Exercise, check: Check, implementation: Any, scratch: Path) -> Outcome:
    return run_probe(exercise, check, Interpreter(scratch, {exercise.name: implementation}), b"secret")


def test_the_example_holds_and_its_mistake_shows(exercise: Exercise, tmp_path: Path) -> None:
    (check,), (mistake,) = exercise.checks, exercise.mistakes
    expected, again = (outcome(exercise, check, exercise.reference, tmp_path) for _ in range(2))
    assert expected.failure is None and expected.value.shape == (2, 3)
    assert agree(check, again, expected)
    assert not agree(check, outcome(exercise, check, mistake.implementation, tmp_path), expected)


def test_the_commands_and_places_that_it_names_are_there() -> None:
    for place in re.findall(r"`((?:course|grading|tests|notebooks)/[\w/.]+)`", TEXT):
        if "attention_entropy" not in place:
            assert (PROJECT / place).exists(), place
    for target in re.findall(r"\bmake (\w+)`", TEXT):
        assert re.search(rf"^{target}:", (PROJECT / "Makefile").read_text(), re.MULTILINE), target
