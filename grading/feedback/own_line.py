"""The line of a student's own code that does what was observed, if its form is known and exactly one line has it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from grading.extraction.cells import parse

_REDUCTIONS = {"sum", "mean", "average", "max", "min", "amax", "amin", "var", "std", "norm", "softmax", "log_softmax"}
_LONGEST = 120  # characters of a line that is shown
_OVER_LAST_AXIS = {"softmax", "log_softmax"}  # if no axis is given; all others run over all axes


def own_line(sentence: str, source: str, name: str) -> str:
    """The line that does what a sentence says, or "" if no line or several may do it.

    Args:
        sentence: an observation.
        source: the student's code.
        name: of the definition in it whose lines are looked at.
    """
    has_form = next((form for words, form in _FORMS.items() if words in sentence), None)
    tree = parse(source) if has_form else None
    if has_form is None or not isinstance(tree, ast.Module):
        return ""
    found = {call.lineno for call in _calls(tree, name) if has_form(call)}
    line = source.splitlines()[found.pop() - 1].strip() if len(found) == 1 else ""
    return line if line.isprintable() and len(line) <= _LONGEST and "`" not in line else ""


def _calls(tree: ast.Module, name: str) -> Iterator[ast.Call]:
    own = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name]
    return (node for one in own[-1:] for node in ast.walk(one) if isinstance(node, ast.Call))


def _called(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _calls_one_of(*names: str) -> Callable[[ast.Call], bool]:
    return lambda call: _called(call) in names


def _runs_over_first_axis(call: ast.Call) -> bool:
    """Whether numbers of several samples meet in a call: over axis 0, or over all axes."""
    name = _called(call)
    if name not in _REDUCTIONS or not isinstance(call.func, ast.Attribute):
        return False
    axes = [_axis(keyword.value) for keyword in call.keywords if keyword.arg == "axis"]
    axes = axes or [text for text in map(_axis, call.args) if text.lstrip("-").isdecimal()]
    return axes[0] in ("0", "None") if axes else name not in _OVER_LAST_AXIS


def _axis(node: ast.expr) -> str:
    """An axis as it is written, if it is a small number or None; "" for all else, which may be long and nested."""
    number = node.operand if isinstance(node, ast.UnaryOp) else node
    is_axis = isinstance(number, ast.Constant) and (number.value is None or number.value in range(100))
    return ast.unparse(node) if is_axis else ""


# Words of an observation, and the form of a call that does that.
_FORMS: dict[str, Callable[[ast.Call], bool]] = {
    "samples of a batch influence each other": _runs_over_first_axis,
    "right for each sample alone": _runs_over_first_axis,
    "the softmax over": _calls_one_of("softmax"),
    "sums to 1 over": _calls_one_of("softmax"),
    "rounded to": _calls_one_of("round", "rint", "floor"),
    "clipped below": _calls_one_of("clip", "minimum", "maximum"),
}
