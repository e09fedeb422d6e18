"""Students are told in one line what a cell lacks, and that a checked definition is not the notebook's latest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from grading.student_kernel import check as checking
from grading.student_kernel.missing import explain_what_is_missing
from grading.student_kernel.names_taken import NamesTaken

CHECK = "from grading.student_kernel.check import check\n\ncheck(padding_mask)"
RIGHT = "def padding_mask(token_ids, padding_id=0):\n    return (token_ids != padding_id)[:, None, None, :]"
UNWRITTEN = 'def padding_mask(x):\n    raise NotImplementedError("Write padding_mask, then run the check below.")'
BROKEN = RIGHT.replace("(token_ids", "((token_ids")


class Notebook:
    """A shell as in a kernel. `run` returns the output of a cell: the lines of a traceback, or printed text."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.shell = InteractiveShell()
        self._capsys = capsys
        self._shown: list[str] = []
        self.shell._showtraceback = lambda kind, error, lines: self._shown.extend(lines)
        explain_what_is_missing(self.shell)

    def run(self, cell: str) -> list[str]:
        self._shown.clear()
        self._capsys.readouterr()
        self.shell.run_cell(cell, store_history=True)
        return list(self._shown) or self._capsys.readouterr().out.splitlines()


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Notebook]:
    monkeypatch.setenv("MY_BERT", "")
    monkeypatch.setattr(checking, "_earned", {})
    monkeypatch.setattr(checking, "_names_taken", NamesTaken())
    made = Notebook(capsys)
    made.shell.events.register("post_run_cell", checking._names_taken.after_cell)
    monkeypatch.setattr("IPython.get_ipython", lambda: made.shell)
    monkeypatch.setattr("IPython.display.display", lambda card: print(card.text()))
    yield made


def test_a_check_before_its_definition_says_so_in_one_line(notebook: Notebook) -> None:
    assert notebook.run(CHECK) == [
        "✗ This cell cannot go on: padding_mask is not defined yet. Run the first code cell, then the one that defines "
        "padding_mask, then this one."
    ]


def test_what_the_first_cell_imports_is_missed_in_one_line(notebook: Notebook) -> None:
    assert notebook.run("class Mine(keras.Layer): ...") == [
        "✗ This cell cannot go on: keras is not defined yet. Run the first code cell, then this one."
    ]


def test_a_check_of_nothing_says_what_it_wants_in_one_line(notebook: Notebook) -> None:
    assert notebook.run("from grading.student_kernel.check import check\n\ncheck()") == [
        "✗ Cannot check this: check needs the function or class that you wrote, as in check(padding_mask)"
    ]


def test_what_calls_an_unwritten_exercise_names_it_and_so_does_what_needs_that_cells_names(notebook: Notebook) -> None:
    notebook.run(UNWRITTEN)
    reason = "padding_mask is not written yet. Write it, then run its check."
    assert notebook.run("import math\nallowed = padding_mask([1, 2])") == [f"✗ This cell cannot go on: {reason}"]
    assert notebook.run("rows = len(allowed)") == [
        f"✗ This cell needs allowed, which a cell above did not make: {reason}"
    ]
    assert notebook.run("rows + 1") == [f"✗ This cell needs rows, which a cell above did not make: {reason}"]
    assert notebook.run("assert math.floor(1.5) == 1") == []


def test_what_a_cell_left_half_made_is_told_by_that_cell_until_it_is_made(notebook: Notebook) -> None:
    notebook.run(UNWRITTEN)
    reason = "padding_mask is not written yet. Write it, then run its check."
    notebook.run("rows = [1]")
    assert notebook.run("rows = []\nallowed = padding_mask([1, 2])") == [f"✗ This cell cannot go on: {reason}"]
    assert notebook.run("first = rows[0]") == [f"✗ This cell needs rows, which a cell above did not make: {reason}"]
    assert notebook.run("def head():\n    return first.real\n\nfirst = rows[1]\nhead()") == [
        f"✗ This cell needs rows, which a cell above did not make: {reason}"
    ]
    notebook.run("rows = ['made']")
    assert len(notebook.run("rows[1]")) > 2


def test_an_error_that_a_framework_has_wrapped_is_understood(notebook: Notebook) -> None:
    notebook.run(UNWRITTEN)
    notebook.run("import keras\nclass Mine(keras.Layer):\n    def call(self, x):\n        return padding_mask(x)")
    assert notebook.run("import numpy\nMine()(numpy.ones((2, 3)))") == [
        "✗ This cell cannot go on: padding_mask is not written yet. Write it, then run its check."
    ]


def test_a_missing_name_is_understood_inside_a_layer(notebook: Notebook) -> None:
    notebook.run(UNWRITTEN)
    notebook.run("allowed = padding_mask([1, 2])")
    notebook.run("import keras\nclass Mine(keras.Layer):\n    def call(self, x):\n        return x * allowed")
    (said,) = notebook.run("import numpy\nMine()(numpy.ones((2, 3)))")
    assert said.startswith("✗ This cell needs allowed, which a cell above did not make: padding_mask is not written")


@pytest.mark.parametrize("cell", ["1 / 0", "nowhere", "raise NotImplementedError('later')"])
def test_any_other_error_keeps_its_traceback(notebook: Notebook, cell: str) -> None:
    assert len(notebook.run(cell)) > 2


def test_a_cell_that_was_broken_after_a_pass_is_not_called_passed(notebook: Notebook) -> None:
    notebook.run(RIGHT)
    assert notebook.run(CHECK)[0] == "✓ padding_mask: 2 of 2 points"
    notebook.run(BROKEN)
    (said,) = notebook.run(CHECK)
    assert said.startswith("✗ Cannot check this: the last cell that defines padding_mask is not valid Python: ")
    assert "padding_mask" not in checking._earned
    notebook.run(RIGHT)
    assert notebook.run(CHECK)[0] == "✓ padding_mask: 2 of 2 points"


@pytest.mark.parametrize(
    "broken",
    [
        RIGHT.replace("def padding_mask", "deff padding_mask"),
        RIGHT.replace("padding_id=0):", "padding_id=0)"),
        f"@\n{RIGHT}",
    ],
)
def test_any_slip_in_its_cell_takes_a_pass_back(notebook: Notebook, broken: str) -> None:
    notebook.run(RIGHT)
    notebook.run(broken)
    (said,) = notebook.run(CHECK)
    assert said.startswith("✗ Cannot check this: the last cell that defines padding_mask is not valid Python: ")


@pytest.mark.parametrize("elsewhere", ["assert padding_mask([1]) ==", "x = padding_mask([1]", "print(padding_mask"])
def test_a_slip_in_another_cell_takes_nothing_back(notebook: Notebook, elsewhere: str) -> None:
    notebook.run(RIGHT)
    notebook.run(elsewhere)
    assert notebook.run(CHECK)[0] == "✓ padding_mask: 2 of 2 points"


def test_a_cell_that_failed_above_its_definition_is_not_called_passed(notebook: Notebook) -> None:
    notebook.run(RIGHT)
    notebook.run(f"nowhere\n\n{RIGHT}")
    (said,) = notebook.run(CHECK)
    assert said.startswith("✗ Cannot check this: the last cell that defines padding_mask failed before it did so.")


def test_a_definition_is_checked_that_was_put_there_by_a_program(notebook: Notebook) -> None:
    notebook.run(RIGHT)
    notebook.run("from course.attention import padding_mask")
    assert notebook.run(CHECK)[0] == "✓ padding_mask: 2 of 2 points"


HELPED = """
def real(token_ids, padding_id):
    return token_ids != padding_id


def padding_mask(token_ids, padding_id=0):
    return real(token_ids, padding_id)[:, None, None, :]
"""


def test_a_cell_that_takes_the_name_of_a_helper_says_so_once(notebook: Notebook) -> None:
    notebook.run(HELPED)
    assert notebook.run(CHECK)[0] == "✓ padding_mask: 2 of 2 points"
    assert notebook.run("unreal = 2") == []
    assert notebook.run("real = 2") == [
        "✗ This cell uses the name real for something else, but your padding_mask needs your helper real. Rename "
        "your helper, run its cell and its check again, then this cell."
    ]
    assert notebook.run("real = 3") == []


def test_a_helper_that_is_written_anew_is_the_students_own_business(notebook: Notebook) -> None:
    notebook.run(HELPED)
    notebook.run(CHECK)
    assert notebook.run(HELPED) == []
    assert notebook.run("real = 2") == []  # nothing has passed since
    notebook.run(HELPED)
    notebook.run(CHECK)
    assert len(notebook.run("real = 2")) == 1
