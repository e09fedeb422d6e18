"""Code that passes is kept as plain Python in `my_bert`; the course's code replaces the rest."""

from __future__ import annotations

import importlib
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import keras
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from grading.errors import GradingError
from grading.exercises.registry import chapter
from grading.exercises.solutions import SOLUTIONS
from grading.judging.exercise import Chapter
from grading.storage.project import PROJECT
from grading.student_kernel.my_bert import (
    fall_back_to_course,
    keep,
    put_in_place,
    put_kept_in_place,
    require_named_weights,
)
from grading.student_kernel.my_bert.merging import merge

SETUP = """from __future__ import annotations

from grading.student_kernel.check import check
from keras import ops
import numpy as np
"""
SPLIT = '''def split_heads(x, num_heads):
    """Mine."""
    batch, length, hidden_dim = ops.shape(x)
    return ops.transpose(ops.reshape(x, (batch, length, num_heads, hidden_dim // num_heads)), (0, 2, 1, 3))
'''
HELPER = "ORDER = (0, 2, 1, 3)\n\n\ndef turned(x):\n    return ops.transpose(x, ORDER)\n"
MERGE = "def merge_heads(x):\n    b, h, l, w = ops.shape(x)\n    return ops.reshape(turned(x), (b, l, h * w))\n"


def kept(history: list[str], name: str, folder: Path) -> str:
    of = chapter(3)
    return keep(of.exercises[name], of, history, folder).read_text()


def run(code: str, folder: Path) -> str:
    """The output of a program started beside the student's folder."""
    command = [sys.executable, "-c", f"import sys; sys.path.append({str(PROJECT)!r})\n{code}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_definition_is_kept_with_only_the_code_that_it_needs(tmp_path: Path) -> None:
    history = [SETUP, "unused = 3", HELPER, MERGE, "check(merge_heads)"]
    text = kept(history, "merge_heads", tmp_path / "my_bert")
    namespace: dict[str, Any] = {}
    exec(compile(text, "my_bert/attention.py", "exec"), namespace)
    x = np.arange(2 * 3 * 5 * 7, dtype="float32").reshape(2, 3, 5, 7)
    np.testing.assert_array_equal(namespace["merge_heads"](x), x.transpose(0, 2, 1, 3).reshape(2, 5, 21))
    assert "turned" in text
    assert "unused" not in text
    assert "grading" not in text


def test_the_last_definition_that_ran_counts(tmp_path: Path) -> None:
    wrong = "def split_heads(x, num_heads):\n    return x\n"
    assert kept([SETUP, SPLIT, wrong], "split_heads", tmp_path / "a").count("return x") == 1
    text = kept([SETUP, wrong, SPLIT], "split_heads", tmp_path / "b")
    assert '"""Mine."""' in text
    assert "return x" not in text


def test_the_students_changes_stay(tmp_path: Path) -> None:
    kept([SETUP, SPLIT], "split_heads", tmp_path)
    path = tmp_path / "attention.py"
    path.write_text(path.read_text() + "\n\n# My notes.\nFAVOURITE = 8\n")
    text = kept([SETUP, HELPER, MERGE], "merge_heads", tmp_path)
    assert "# My notes.\nFAVOURITE = 8" in text
    assert (
        text.index("def split_heads") < text.index("FAVOURITE") < text.index("def turned") < text.index("def merge_h")
    )


def test_keeping_a_definition_twice_changes_nothing(tmp_path: Path) -> None:
    first = kept([SETUP, HELPER, MERGE, SPLIT], "merge_heads", tmp_path)
    assert kept([SETUP, HELPER, MERGE, SPLIT], "merge_heads", tmp_path) == first


def test_a_file_that_is_no_longer_python_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "attention.py"
    path.write_text("def half(\n")
    with pytest.raises(GradingError, match=r"attention\.py, line 1: .*; correct it and check again"):
        kept([SETUP, SPLIT], "split_heads", tmp_path)
    assert path.read_text() == "def half(\n"


@pytest.mark.parametrize("solution", SOLUTIONS["MultiHeadAttention"], ids=lambda solution: solution.style)
def test_every_right_layer_can_be_kept(solution: Any, tmp_path: Path) -> None:
    text = kept([solution.source], "MultiHeadAttention", tmp_path)
    assert "class MultiHeadAttention" in text or "MultiHeadAttention =" in text


def test_definitions_come_in_the_order_in_which_python_needs_them() -> None:
    text = merge(
        "import a\n\n\ndef use():\n    return 1\n\n\n# the end\n",
        "import b\n\n\nclass Base: ...\n\n\ndef use():\n    return 2\n",
    )
    assert text == "import a\nimport b\n\n\nclass Base: ...\n\n\ndef use():\n    return 2\n\n\n# the end\n"


@pytest.mark.parametrize(
    ("text", "source", "gives"),
    [
        ("x = 0\n", "class A: a = 1\nclass A(A): b = 2\n", {"A().a": 1, "A().b": 2}),
        ("class A: a = 0\nclass A(A): b = 0\n", "class A: a = 1\nclass A(A): b = 2\n", {"A().a": 1, "A().b": 2}),
        ("def f(): return 1\n", "def f(): return 1\nf = list((f, 2))\n", {"f[0]()": 1, "f[1]": 2}),
        ("class A: a = 1\n", "class Base: a = 2\nclass A(Base): ...\n", {"A().a": 2}),
        ("class A: a = 1\n\nclass Base: a = 1\n", "class Base: a = 2\nclass A(Base): ...\n", {"A().a": 2}),
        ("A, B = 1, 2\nC = B\n", "A = 5\n", {"A": 5, "B": 2, "C": 2}),
        ("A = 1; B = 2\n", "A = 5\n", {"A": 5, "B": 2}),
        ("class A: ...\nA.a = 1\n", "class A: a = 2\n", {"A.a": 2}),
        ("def f(): ...\n\nimport sys\n", "import math\nimport sys\nf = math.cos, sys\n", {"f[0](0)": 1}),
    ],
)
def test_a_merged_module_runs_and_has_the_old_and_the_new(text: str, source: str, gives: dict[str, Any]) -> None:
    merged = merge("from __future__ import annotations\n\n\n" + text, source)
    namespace: dict[str, Any] = {}
    exec(merged, namespace)
    assert {code: eval(code, namespace) for code in gives} == gives
    assert merge(merged, source) == merged


@pytest.mark.parametrize("checks", ["check(merge_heads)", "for one in (merge_heads,):\n    check(one)"])
def test_a_helper_that_was_corrected_after_a_check_is_kept(checks: str, tmp_path: Path) -> None:
    wrong = HELPER.replace("(0, 2, 1, 3)", "(0, 1, 2, 3)")
    text = kept([SETUP, wrong, MERGE, "check(merge_heads)", HELPER, checks], "merge_heads", tmp_path)
    assert "(0, 2, 1, 3)" in text
    assert "(0, 1, 2, 3)" not in text


def test_the_course_stands_in_for_what_is_not_kept(tmp_path: Path) -> None:
    kept([SETUP, SPLIT], "split_heads", tmp_path / "my_bert")
    printed = run(
        "import grading.student_kernel.check\n"
        "from my_bert.attention import merge_heads, split_heads\n"
        "from my_bert.encoder import BertEncoder\n"
        "print(split_heads.__module__, merge_heads.__module__, BertEncoder.__module__)",
        tmp_path,
    )
    assert printed.split() == ["my_bert.attention", "course.attention", "course.encoder"]


def test_a_module_that_the_course_lacks_is_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    fall_back_to_course()
    with pytest.raises(ModuleNotFoundError, match=r"my_bert\.nothing"):
        importlib.import_module("my_bert.nothing")


@pytest.fixture
def blank(monkeypatch: pytest.MonkeyPatch) -> Chapter:
    """A chapter of a bundle, whose module has a blank, which another module of the library imported."""

    def double(x: int) -> int:
        raise NotImplementedError

    for name in ("course.doubles", "course.user"):
        module = ModuleType(name)
        vars(module)["double"] = double
        monkeypatch.setitem(sys.modules, name, module)
    made = Chapter(9, "Doubles", "course.doubles")
    made.exercise("double")
    return made


def test_the_library_of_a_bundle_calls_what_passed_last(blank: Chapter) -> None:
    for passed in (lambda x: x + x, lambda x: 2 * x):
        put_in_place(blank.exercises["double"], passed)
        assert [vars(sys.modules[name])["double"] for name in ("course.doubles", "course.user")] == [passed, passed]


def test_what_stood_for_a_blank_that_is_gone_is_not_taken_for_that_of_another() -> None:
    for _ in range(10):  # Python gives a new object the address of one that is gone
        module = ModuleType("course.once")
        exec("def once(): ...", vars(module))
        with mock.patch.dict(sys.modules, {"course.once": module}):
            chapter = Chapter(9, "Once", "course.once")
            chapter.exercise("once")
            put_in_place(chapter.exercises["once"], repr)
        assert vars(module)["once"] is repr


@pytest.mark.parametrize(("text", "works"), [("def double(x):\n    return 2 * x\n", True), ("def double(\n", False)])
def test_after_a_restart_the_library_calls_kept_code_unless_it_is_broken(
    blank: Chapter, text: str, works: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "my_bert"
    folder.mkdir()
    (folder / "doubles.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.partition(".")[0] == "my_bert"]:
        monkeypatch.delitem(sys.modules, name)
    put_kept_in_place(blank, folder)
    changed = vars(sys.modules["course.user"])["double"] is not blank.exercises["double"].reference
    assert changed == works
    for name in [name for name in sys.modules if name.partition(".")[0] == "my_bert"]:
        monkeypatch.delitem(sys.modules, name)


def test_without_a_history_nothing_is_kept_or_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MY_BERT", raising=False)
    shell = InteractiveShell()
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr("IPython.display.display", lambda card: print(card.text()))
    for cell in (SETUP, SPLIT, "check(split_heads)"):  # as nbval runs them
        shell.run_cell(cell, store_history=False).raise_error()
    assert capsys.readouterr().out.rstrip().endswith("points")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("magic", ["", "%%time\n", "%%capture\n"])
def test_a_check_that_passes_in_a_notebook_says_where_it_was_kept(
    magic: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MY_BERT", raising=False)
    shell = InteractiveShell()
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr("IPython.display.display", lambda card: print(card.text()))
    for cell in (SETUP, magic + SPLIT, "check(split_heads)"):
        shell.run_cell(cell, store_history=True).raise_error()
    assert "Kept in my_bert/attention.py" in capsys.readouterr().out
    assert '"""Mine."""' in (tmp_path / "my_bert" / "attention.py").read_text()


ORDERED = "def ordered(x): return ops.transpose(x, (0, 2, 1, 3))\n"
BY_ORDERED = """def split_heads(x, num_heads):
    return ordered(ops.reshape(x, (*ops.shape(x)[:2], num_heads, x.shape[-1] // num_heads)))
"""


@pytest.mark.parametrize(
    "cells",
    [
        (SPLIT.replace("split_heads", "mine"), "split_heads = mine"),
        (SPLIT.replace("split_heads", "mine"), "split_heads = lambda x, num_heads: mine(x, num_heads)"),
        (SPLIT.replace("split_heads", "mine"), "import functools\nsplit_heads = functools.partial(mine)"),
        ("def logged(f):\n    def inner(*given): return f(*given)\n    return inner\n", "@logged\n" + SPLIT),
        (SPLIT, "def logged(f): return lambda *given: f(*given)\n", "split_heads = logged(split_heads)"),
        ("order = []\nfor axis in (0, 2, 1, 3): order.append(axis)", SPLIT.replace("(0, 2, 1, 3)", "order")),
        ("from my_answers import ordered", BY_ORDERED),
        ("%run my_answers.py", BY_ORDERED),
    ],
    ids=["alias", "lambda", "partial", "decorated", "decorated later", "filled by a loop", "module", "run"],
)
def test_what_passes_in_a_notebook_is_kept_whole_however_it_got_its_name(
    cells: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("MY_BERT", raising=False)
    (tmp_path / "my_answers.py").write_text("from keras import ops\n\n\n" + ORDERED)
    shell = InteractiveShell()
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr("IPython.display.display", lambda card: print(card.text()))
    for cell in (SETUP, *cells, "check(split_heads)"):
        shell.run_cell(cell, store_history=True).raise_error()
    said = capsys.readouterr().out
    assert "✓ split_heads: 2 of 2 points" in said
    assert "Kept in my_bert/attention.py" in said
    sys.modules.pop("my_answers", None)
    namespace: dict[str, Any] = {}
    exec((tmp_path / "my_bert" / "attention.py").read_text(), namespace)
    assert namespace["split_heads"](keras.ops.ones((2, 5, 6)), 3).shape == (2, 3, 5, 2)


def test_what_needs_a_name_that_no_cell_defines_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(GradingError, match="it refers to ordered, which no cell defines"):
        kept([SETUP, "%load_ext mine", BY_ORDERED], "split_heads", tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_class_in_two_cells_is_kept_whole(tmp_path: Path) -> None:
    first = "import keras\nclass MultiHeadAttention(keras.layers.Layer):\n    def first(self): return 1\n"
    second = "class MultiHeadAttention(MultiHeadAttention):\n    def second(self): return 2\n"
    text = kept([first, second, "check(MultiHeadAttention)"], "MultiHeadAttention", tmp_path)
    assert ("def first" in text, "def second" in text) == (True, True)


def test_a_class_that_names_itself_in_an_annotation_is_kept_once(tmp_path: Path) -> None:
    cells = [f"class MultiHeadAttention:\n    def copy(self) -> MultiHeadAttention: return {n}\n" for n in (1, 2)]
    text = kept(["from __future__ import annotations", *cells], "MultiHeadAttention", tmp_path)
    assert text.count("class MultiHeadAttention") == 1 and "return 2" in text


def test_annotations_that_nothing_defines_are_kept(tmp_path: Path) -> None:
    cells = ["from __future__ import annotations", "def split_heads(x: Tensor, num_heads: int) -> Tensor: return x\n"]
    assert "x: Tensor" in kept(cells, "split_heads", tmp_path)


def test_a_library_is_no_file_whose_name_ends_like_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_math.py").write_text("def sqrt(x): return 'mine'\n")
    cells = ["from math import sqrt", "def split_heads(x, num_heads): return sqrt(x)\n"]
    text = kept(cells, "split_heads", tmp_path / "my_bert")
    assert "from math import sqrt" in text and "mine" not in text


@pytest.mark.parametrize("odd", ["\f", "\x85", "\u2028"])
def test_a_definition_keeps_all_its_lines_whatever_its_texts_hold(odd: str) -> None:
    merged = merge("import math\n", f"def half(x):\n    text = '{odd}'\n    return x / 2, text\n")
    there: dict[str, Any] = {}
    exec(merged, there)
    assert there["half"](5) == (2.5, odd)


@pytest.mark.parametrize(
    ("number", "name", "style", "lacking"),
    [
        (3, "MultiHeadAttention", "functions_of_the_chapter", ""),
        (3, "MultiHeadAttention", "fused_query_key_value", "query_dense"),
        (3, "MultiHeadAttention", "einsum_dense", "query_dense"),
        (3, "MultiHeadAttention", "layers_in_init", "query_dense"),
        (2, "BertEmbedding", "weights_by_hand", "token_embedding"),
        (1, "pack_pair", "plain_lists", ""),
    ],
)
def test_a_layer_without_the_documented_weights_is_not_kept_and_the_reason_is_shown(
    number: int, name: str, style: str, lacking: str
) -> None:
    source = next(solution.source for solution in SOLUTIONS[name] if solution.style == style)
    namespace: dict[str, Any] = {}
    with mock.patch.dict(keras.saving.get_custom_objects()):
        exec(source, namespace)
        with (
            pytest.raises(GradingError, match=rf"`{lacking}`.*the course's {name} in place of yours")
            if lacking
            else nullcontext()
        ):
            require_named_weights(chapter(number).exercises[name], namespace[name])


@pytest.mark.parametrize("number", [2, 3])
def test_the_librarys_own_layers_would_be_kept(number: int) -> None:
    looked_for = [exercise for exercise in chapter(number).exercises.values() if exercise.named_weights]
    assert looked_for
    for exercise in looked_for:
        require_named_weights(exercise, exercise.reference)


@pytest.mark.parametrize("variable", ["MY_BERT", "NBGRADER_EXECUTION"])
def test_nothing_is_kept_when_notebooks_are_only_executed(
    variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(variable, "" if variable == "MY_BERT" else "autograde")
    shell = InteractiveShell()
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    for cell in (SETUP, SPLIT, "check(split_heads)"):
        shell.run_cell(cell, store_history=True).raise_error()
    assert list(tmp_path.iterdir()) == []
