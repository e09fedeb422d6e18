"""A change of code is what its author meant, or an error that says where it stands now."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import keras
import numpy as np
import pytest

from grading.errors import GradingError
from grading.exercises.registry import chapters
from grading.judging.changes import changed, changed_code, changed_definition, changed_sources

SOURCE = """
def area(width, height):
    if width < 0:
        raise ValueError("negative")
    return width * height
"""
MODULE = '''
import keras


def doubled(x):
    """Twice x: x * 2."""
    return x * 2  # once more


@keras.saving.register_keras_serializable(package="tests")
class Counter(keras.layers.Layer):
    """Counts by 2."""

    def call(self, x):
        return doubled(x) + self.step()

    def step(self):
        return 1
'''


@pytest.mark.parametrize(
    ("change", "after"),
    [
        ({"width * height": "width + height"}, {"width * height": "width + height"}),
        ({"width < 0": "height < 0", "* height": ""}, {"width < 0": "height < 0", "width * height": "width "}),
        (
            {'if width < 0:\n    raise ValueError("negative")': "width = abs(width)\nheight = abs(height)"},
            {
                'if width < 0:\n        raise ValueError("negative")': "width = abs(width)\n    height = abs(height)",
            },
        ),
        (
            {
                "return width * height": """
                    if not width:
                        return 0
                    return width * height
                """
            },
            {"return width * height": "if not width:\n        return 0\n    return width * height"},
        ),
    ],
)
def test_a_text_is_replaced_and_further_lines_are_indented_like_its_first(
    change: dict[str, str], after: dict[str, str]
) -> None:
    wanted = SOURCE
    for old, new in after.items():
        wanted = wanted.replace(old, new)
    assert wanted != SOURCE
    assert changed(SOURCE, change, "a test") == wanted


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"width": "w"}, "a test: 'width' stands 3 times in the code, and must stand once"),
        (
            {"return width*height": ""},
            "stands 0 times in the code.*nearest line of the code is 'return width . height'",
        ),
        ({"width * height": "", "* height": ""}, "a test: two changes overlap at '. height'"),
        ({'if width < 0:\nraise ValueError("negative")': ""}, "stands 0 times"),
    ],
)
def test_what_does_not_stand_there_exactly_once_is_an_error(change: dict[str, str], error: str) -> None:
    with pytest.raises(GradingError, match=error):
        changed(SOURCE, change, "a test")


def test_a_text_stands_once_in_several_sources_together() -> None:
    sources = {"one": "a = 1\nb = 2", "two": "b = 2\nc = 3", "three": "d = 4"}
    assert changed_sources(sources, {"a = 1": "a = 5", "c = 3": "c = 6"}, "a test") == {
        "one": "a = 5\nb = 2",
        "two": "b = 2\nc = 6",
    }
    assert changed_sources(sources, {"b = 2": "b = 7"}, "a test", first="two") == {"two": "b = 7\nc = 3"}
    with pytest.raises(GradingError, match="a test: 'b = 2' stands 2 times in one, two, and must stand once"):
        changed_sources(sources, {"b = 2": ""}, "a test")
    with pytest.raises(GradingError, match=r"stands 0 times in the code.*; the nearest line of three is 'd = 4'"):
        changed_sources(sources, {"d == 4": ""}, "a test")


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    (tmp_path / "a_library_to_change.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    loaded = importlib.import_module("a_library_to_change")
    monkeypatch.delitem(importlib.sys.modules, "a_library_to_change")
    return loaded


@pytest.mark.parametrize(
    ("change", "instead", "value"),
    [
        ({}, "", 7),
        ({"return 1": "return 5"}, "", 11),
        ({"x * 2": "x * 3"}, "", 10),  # of the helper; its docstring says the same and is left alone
        ({}, "def step(self): return 9", 15),
        ({}, "def doubled(x): return right.doubled(x) + 1", 8),
        ({"doubled(x) +": "self.more(x) +"}, "def more(self, x):\n    return x", 4),
    ],
)
def test_a_class_is_made_anew_with_its_changes_and_the_library_stays(
    module: object, change: dict[str, str], instead: str, value: int
) -> None:
    known = dict(keras.saving.get_custom_objects())
    code = changed_code(module, "Counter", change, instead, "a test")
    made = changed_definition(module, "Counter", code, "a test")
    assert np.array_equal(made()(np.array([3])), [value])
    assert np.array_equal(module.Counter()(np.array([3])), [7])
    assert keras.saving.get_custom_objects() == known


def test_a_name_that_is_defined_nowhere_is_an_error(module: object) -> None:
    code = changed_code(module, "Counter", {"return 1": "return itertools.count()"}, "", "a test")
    with pytest.raises(GradingError, match="a test: itertools is not defined"):
        changed_definition(module, "Counter", code, "a test")


@pytest.mark.parametrize("number", chapters())
def test_mistakes_stand_in_a_file_that_is_called_after_their_exercise(number: int) -> None:
    of = chapters()[number]
    package = importlib.import_module(f"grading.exercises.{of.package}.mistakes")
    files = {path.stem for path in Path(package.__path__[0]).glob("*.py")} - {"__init__"}
    begins_a_word = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
    assert files == {begins_a_word.sub("_", name).lower() for name in of.exercises}
    of.load_mistakes()
    for name, exercise in of.exercises.items():
        assert len({mistake.name for mistake in exercise.mistakes}) == len(exercise.mistakes), name
