"""An answer compiled with guarded attributes does what it did, except where a module would come out."""

from __future__ import annotations

import builtins
import os
import traceback
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grading.sandbox.errors import NotAllowed
from grading.sandbox.guarded_attributes import guarded, guards
from grading.sandbox.interpreter import Interpreter


class Holder:
    module = os
    x = 3


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("result = h.x", 3),
        ("h.x += 1; h.y = h.x; del h.x; result = h.x, h.y", (3, 4)),
        ("result = f'{h.x:03}'", "003"),
        ("class C:\n    __y = 5\n    def f(self): return self.__y\nresult = C().f()", 5),
        ("class C(type(h)):\n    def f(self): return super().x\nresult = C().f()", 3),
        ("result = [*map(str.upper, 'ab')]", ["A", "B"]),
        ("for h.x in [7]: pass\nresult = h.x", 7),
        ("def f(x: h.missing) -> h.missing: return x\nresult = f(1), f.__annotations__['x']", (1, "h.missing")),
        ("match 3:\n    case h.x: result = 1", 1),
        ("match {3: 4}:\n    case {h.x: found, 'a': 1} | {h.x: found}: result = found", 4),
        ("match [1, h]:\n    case [int(a), Holder(x=3 as b)] if b == h.x: result = a, b", (1, 3)),
        ("match None:\n    case None: result = 1\n    case missing.x | Missing(): result = 2", 1),
        ("match 3:\n    case [missing.x]: result = 1\n    case h.x: result = 2", 2),
        (
            "def f(x):\n match x:\n  case Holder(x=3): return 1\n  case h.x: return 2\nresult = f(h), f(3)",
            (1, 2),
        ),
        ("h.format = 7\nmatch 7:\n    case h.format: result = h.format", 7),
        ("match 4:\n    case Holder(x=a): result = a\n    case str() | int(): result = 'other'", "other"),
        ("result = h\n" + "result = " + " + ".join(["h.x"] * 500), 1500),
    ],
)
def test_other_attributes_are_what_they_were(source: str, expected: object) -> None:
    assert _run(source)["result"] == expected


@pytest.mark.parametrize(
    "source",
    [
        "h.module",
        "h.module.path.sep",
        "os.path = 1",
        "del os.path",
        "for os.x in [1]: pass",
        "[lambda: h.module][0]()",
        "@h.module.path.join\ndef f(): pass",
        "match h:\n    case object(module=m): pass",
        "match [h]:\n    case [object(x=3, module=object(path=m))]: pass",
        "match 3:\n    case h.module.sep: pass",
        "match {1: 2}:\n    case {h.module.sep: m}: pass",
        "match os:\n    case object(path=m): pass",
    ],
)
def test_no_attribute_is_a_module(source: str) -> None:
    with pytest.raises(NotAllowed):
        _run(source)


def test_an_error_stands_in_its_own_line() -> None:
    with pytest.raises(AttributeError, match="object has no attribute 'missing'") as caught:
        _run("y = 1\n\ny = [h.x,\n     h.x.missing.x]\n")
    assert [frame.lineno for frame in traceback.extract_tb(caught.value.__traceback__)][-1] == 4


def test_class_patterns_need_a_class() -> None:
    with pytest.raises(TypeError, match="called match pattern must be a class"):
        _run("match h:\n    case h(x=3): pass")


def _run(source: str) -> dict[str, Any]:
    names = {"__builtins__": {**vars(builtins), **guards()}, "__name__": "answer"}
    names |= {"h": Holder(), "Holder": Holder, "os": os}
    exec(guarded(source, "answer"), names)
    return names


def test_tensorflow_converts_what_is_guarded(tmp_path: Path) -> None:
    source = (
        "import numpy as np\nimport tensorflow as tf\n\nclass Steps:\n    size = 2\n\nsteps = Steps()\n\n"
        "@tf.function\ndef converted(x: tf.Tensor):\n"
        "    total = tf.zeros_like(x)\n"
        "    while tf.reduce_sum(total) < 10.0:\n        total = total + x * steps.size\n"
        "    total += float('{0.rank:.0f}'.format(total.shape)) - 1.0\n"
        "    if total.shape.rank == 1 and tf.reduce_all(total > 3.0):\n        return -total\n    return total\n\n"
        "def answer(): return converted(tf.constant([1.0, 1.0]))\n"
    )
    session = Interpreter(tmp_path)
    session.perform({"op": "define", "source": source, "origin": "cell", "ready_made": []})
    answer = session.perform({"op": "call", "target": "answer", "args": [], "kwargs": {}})
    assert np.asarray(answer).tolist() == [-6.0, -6.0]
