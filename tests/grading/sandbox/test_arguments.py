"""What a student's function does to what it is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from grading.sandbox.errors import BadAnswer
from grading.sandbox.interpreter import Interpreter

SOURCE = """
def longer(ids, second=None):
    ids.append(4)
    return ids

def without(options):
    options.pop("b")
    return options

def deeper(rows):
    rows[1][0] = "other"

def any_number(*rows):
    rows[1].append(3)

def zeroed(second, array):
    array[0] = 0

def careful(ids, options, array):
    ids, options, array = ids + [4], {**options, "c": 3}, array * 0
    return ids
"""


@pytest.fixture
def session(tmp_path: Path) -> Interpreter:
    session = Interpreter(tmp_path)
    session.perform({"op": "define", "source": SOURCE, "origin": "cell"})
    return session


def call(session: Interpreter, name: str, *args: object, **kwargs: object) -> object:
    return session.perform({"op": "call", "target": name, "args": list(args), "kwargs": kwargs})


def an_array(session: Interpreter) -> object:
    return session.perform({"op": "make", "maker": "numpy.array", "args": [[1.0, 2.0]], "kwargs": {}})


def test_what_is_changed_is_named(session: Interpreter) -> None:
    cases = {
        "changed the list that it was given as ids": ("longer", [[1, 2]], {}),
        "changed the dictionary that it was given as options": ("without", [{"a": 1, "b": 2}], {}),
        "changed the list that it was given as rows": ("deeper", [[["a"], ["b"]]], {}),
        "changed the array that it was given as array": ("zeroed", [3, an_array(session)], {}),
        "changed the list that it was given as one of its arguments": ("any_number", [[1], [2]], {}),
        "changed the list that it was given as second": ("longer", [[]], {"second": [1]}),
    }
    session.perform({"op": "define", "source": SOURCE.replace("ids.append", "(second or ids).append"), "origin": "b"})
    for said, (name, args, kwargs) in cases.items():
        with pytest.raises(BadAnswer, match=said):
            call(session, name, *args, **kwargs)


def test_what_is_left_alone_passes(session: Interpreter) -> None:
    assert call(session, "careful", [1], {"a": 2}, an_array(session)) == [1, 4]
    generator = {"op": "make", "maker": "numpy.random.default_rng", "args": [3], "kwargs": {}}
    session.perform({"op": "define", "source": "def draw(random): return random.random()", "origin": "c"})
    assert 0 < call(session, "draw", session.perform(generator)) < 1  # it goes on, as it should
