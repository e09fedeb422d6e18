"""Questions to ask a student in person about their own code: what would change if a line read otherwise?

The mutation operators find the places where another text means something else. Students who wrote the code, and
understood it, can say what. The same code gives the same questions.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from grading.classroom.submission_record import SubmissionRecord
from grading.extraction.cells import parse
from grading.lessons.library import Function
from grading.lessons.notebook import make_notebooks
from grading.mutants.making import places, scope_of
from grading.mutants.operators import Scope, replacements
from grading.release.library import lesson_of
from grading.storage.project import PROJECT

QUESTIONS = 3
_LONGEST = 160  # characters of a line that can be read out
_AXES = {"axis", "axes", "perm", "axis1", "axis2", "source", "destination"}
_WITH_AXES = {"transpose", "swapaxes", "moveaxis", "expand_dims"}
_MASKS = {"where", "logical_and", "logical_or", "logical_not", "equal", "not_equal", "less", "less_equal", "greater"}
# The kinds of places, the most telling first, and the question about each.
_ASKED = {
    "division": "Why is this divided?",
    "axis": "Which axis is meant here, and what does it hold?",
    "mask": "Which positions does this let through?",
    "order": "What does the order say here?",
    "number": "Why this number?",
    "operation": "What does this line compute, and in what shape?",
}


@dataclass(frozen=True)
class Question:
    """A question about a line of a student's code.

    Attributes:
        line: its number in the code on the student's page.
        code: the line.
        other: the line as it would read otherwise.
    """

    exercise: str
    line: int
    code: str
    kind: str
    other: str

    def text(self) -> str:
        return (
            f"{self.exercise}, line {self.line}:\n    {self.code}\n"
            f"{_ASKED[self.kind]} What would change if the line read as follows, and which check would notice?\n"
            f"    {self.other}\n"
        )


def questions(record: SubmissionRecord) -> list[Question]:
    """Up to three questions about a student's code: of different kinds and exercises if there are enough.

    Only what the student wrote is asked about: definitions and methods that the lesson gives are left out.
    """
    lesson = lesson_of(record["chapter"], PROJECT)
    given = _given(record["chapter"])
    found = [
        question
        for task in lesson.tasks
        for question in _of_exercise(task.name, task.methods, record["code"].get(task.name, ""), given)
    ]
    seed = record["student"].encode(errors="surrogatepass")
    drawn = sorted(found, key=lambda one: hashlib.sha256(seed + repr(one).encode(errors="replace")).digest())
    chosen: list[Question] = []
    while drawn and len(chosen) < QUESTIONS:
        kinds, exercises = [one.kind for one in chosen], [one.exercise for one in chosen]
        best = min(
            drawn, key=lambda one: (kinds.count(one.kind), exercises.count(one.exercise), [*_ASKED].index(one.kind))
        )
        chosen.append(best)
        drawn = [one for one in drawn if (one.exercise, one.line) != (best.exercise, best.line)]
    return chosen


def _given(number: int) -> Mapping[str, ast.stmt]:
    """The definitions in the released notebook, by name."""
    cells = make_notebooks(lesson_of(number, PROJECT))[0].cells
    trees = (parse(cell.source) for cell in cells if cell.cell_type == "code")
    statements = (node for tree in trees if isinstance(tree, ast.Module) for node in tree.body)
    return {node.name: node for node in statements if isinstance(node, Function | ast.ClassDef)}


def _of_exercise(name: str, methods: Collection[str], code: str, given: Mapping[str, ast.stmt]) -> Iterator[Question]:
    tree = parse(code)
    if not isinstance(tree, ast.Module):
        return
    lines = code.split("\n")
    for node in tree.body:
        own = node.name == name if isinstance(node, Function | ast.ClassDef) else False
        if not isinstance(node, Function | ast.ClassDef) or (node.name in given and not own):
            continue
        bodies = [node] if isinstance(node, Function) else [one for one in node.body if isinstance(one, Function)]
        if own and isinstance(node, ast.ClassDef):
            released = given.get(name)
            known = {one.name for one in getattr(released, "body", []) if isinstance(one, Function)}
            bodies = [one for one in bodies if one.name in methods or one.name not in known]
        for body in bodies:
            yield from _of_function(name, body, node, lines)


def _of_function(name: str, function: Function, tree: ast.stmt, lines: list[str]) -> Iterator[Question]:
    scope = scope_of(function, tree)
    parents = {child: parent for parent in ast.walk(function) for child in ast.iter_child_nodes(parent)}
    for holder, field, place in places(function):
        value = getattr(holder, field)
        node = value if place is None else value[place]
        kind = _kind(node, parents)
        if not kind or not isinstance(node, ast.expr) or node.end_lineno != node.lineno:
            continue
        other = _other(node, scope)
        line = lines[node.lineno - 1]
        changed = _replaced(line, node, _text(other, line)) if other else line
        if changed.strip() != line.strip() and max(len(line), len(changed)) <= _LONGEST and not _same(line, changed):
            yield Question(name, node.lineno, line.strip(), kind, changed.strip())


def _other(node: ast.expr, scope: Scope) -> ast.AST | None:
    """The replacement of a node to ask about."""
    if isinstance(node, ast.UnaryOp):  # a negative number
        node = ast.Constant(-node.operand.value)  # type: ignore[attr-defined]
    found = list(replacements(node, scope))
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        # The neighbour: axis 2 and axis -2 may be the same one.
        return ast.Constant(node.value + 1 if node.value < -1 else node.value - 1)
    if isinstance(node, ast.Call):  # its arguments exchanged, or another function: one that leaves out nothing
        found = [one for one in reversed(found) if isinstance(one, ast.Call) and len(one.args) == len(node.args)]
    return found[0] if found else None


def _text(node: ast.AST, line: str) -> str:
    """The text of a node: as the student wrote it if it is a part of the line."""
    if isinstance(node, ast.expr) and hasattr(node, "lineno"):
        return line.encode()[node.col_offset : node.end_col_offset].decode(errors="replace")
    return ast.unparse(node)


def _kind(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> str:
    """What a question about a place is about; "" if a change there tells nothing."""
    above = list(_above(node, parents))
    called = next((_called(one) for one in above if isinstance(one, ast.Call)), "")
    in_axis = any(isinstance(one, ast.keyword) and one.arg in _AXES for one in above)
    if isinstance(node, ast.Constant | ast.UnaryOp) and isinstance(parents[node], ast.UnaryOp | ast.Tuple | ast.List):
        return ""  # the whole is asked about
    match node:
        case ast.BinOp(op=ast.Div()):
            return "division"
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
            return "axis" if in_axis or called in _WITH_AXES else "number"
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return "axis" if in_axis or called in _WITH_AXES else "number"
        case ast.Constant(value=float()):
            return "number"
        case ast.Compare(ops=[ast.Is() | ast.IsNot()]):
            return ""
        case ast.Compare():
            return "" if isinstance(parents[node], ast.If | ast.IfExp | ast.While) else "mask"
        case ast.Call() if _called(node) in _MASKS:
            return "mask"
        case ast.Tuple(elts=[_, _, *_]) | ast.List(elts=[_, _, *_]):
            return "axis" if in_axis or called in _WITH_AXES else "order"
        case ast.BinOp():
            return "operation"
    return ""


def _above(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    while (node := parents.get(node, node)) in parents and not isinstance(node, ast.stmt):
        yield node


def _called(node: ast.Call) -> str:
    return ast.unparse(node.func).rpartition(".")[2]


def _replaced(line: str, node: ast.expr, text: str) -> str:
    data = line.encode()  # the syntax tree counts bytes
    return (data[: node.col_offset] + text.encode() + data[node.end_col_offset :]).decode(errors="replace")


def _same(line: str, changed: str) -> bool:
    """Whether two lines differ in brackets and spaces alone."""
    plain = str.maketrans("", "", " ()")
    return line.translate(plain) == changed.translate(plain)
