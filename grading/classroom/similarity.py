"""Finds solutions of a class that are built alike: a hint to look at both, never a verdict.

A solution is read as the sequence of its syntax tree's nodes, without names, comments, numbers and texts, and winnowing
selects its fingerprints. Fingerprints of the starter code, and those that many students share, are left out.

Reference:
    Schleimer, Wilkerson and Aiken, "Winnowing: local algorithms for document fingerprinting", SIGMOD 2003.
"""

from __future__ import annotations

import ast
import builtins
import json
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain, combinations, islice
from pathlib import Path
from typing import NamedTuple

from grading.extraction.cells import parse
from grading.judging.exercise import Chapter
from grading.storage.cache import kept, key_of
from grading.storage.project import PROJECT

# The length of compared runs of nodes, about a line of code; shorter ones say nothing.
_GRAM = 10
# Of this many neighbouring hashes, one is kept, so that a shared run of _GRAM + _WINDOW - 1 nodes is always found
# (section 3 of the paper).
_WINDOW = 4
_MOST_NODES = 20_000  # a hostile submission's tree is not read to its end

# A solution with fewer fingerprints of its own, about seven lines, is not compared: short right solutions are alike.
_FEWEST = 30
# Two solutions are alike if they share this part of their joint fingerprints.
_ALIKE = 0.6
# A fingerprint that more than this part of the class has, or more than _MOST students, comes from the course.
_COMMON = 0.2
_MOST = 25

_BUILTINS = frozenset(dir(builtins))
_NOT_STRUCTURE = frozenset({"annotation", "returns", "type_params", "ctx"})

# The fingerprints of a student's solutions, by exercise.
Solutions = Mapping[str, Collection[int]]


class Pair(NamedTuple):
    """Two students whose solutions of an exercise are alike, in alphabetical order.

    Attributes:
        share: the part of the two solutions' joint fingerprints that both have, 0 to 1.
        earlier: the folder of results from which the second student is; "" for the same class.
        also: the other chapters in which the two are alike.
    """

    exercise: str
    first: str
    second: str
    share: float
    earlier: str = ""
    also: tuple[int, ...] = ()


def fingerprints(source: str, without: Collection[str] = ()) -> list[int]:
    """The sorted fingerprints of a solution; none if it cannot be parsed.

    Args:
        source: a module's text.
        without: names of definitions to leave out: those of other exercises.
    """
    tree = parse(source)
    if not isinstance(tree, ast.Module):
        return []
    statements = (statement for statement in tree.body if getattr(statement, "name", None) not in without)
    nodes = list(islice(chain.from_iterable(map(_tokens, statements)), _MOST_NODES))
    hashes = [zlib.crc32(" ".join(nodes[start : start + _GRAM]).encode()) for start in range(len(nodes) - _GRAM + 1)]
    return sorted(_winnow(hashes))


def starter_fingerprints(chapter: Chapter) -> set[int]:
    """The fingerprints of all code in a chapter's released notebook."""
    key = key_of(["course", "grading", *(lesson.as_posix() for lesson in _lessons())])
    return set(json.loads(kept(f"{chapter.slug}-starter.json", key, lambda: _starter_fingerprints(chapter))))


def _lessons() -> Iterator[Path]:
    return (path.relative_to(PROJECT) for path in (PROJECT / "notebooks" / "source").glob("*.md"))


def _starter_fingerprints(chapter: Chapter) -> bytes:
    from grading.lessons.notebook import make_notebooks
    from grading.release.library import lesson_of

    notebook = make_notebooks(lesson_of(chapter.number, PROJECT))[0]
    sources = (cell.source for cell in notebook.cells if cell.cell_type == "code")
    return json.dumps(sorted({fingerprint for source in sources for fingerprint in fingerprints(source)})).encode()


def similar_pairs(solutions: Mapping[str, Solutions], starter: Collection[int]) -> list[Pair]:
    """The pairs of students whose solutions are alike, the most alike first.

    Args:
        solutions: for each student, the fingerprints of each solution.
        starter: the fingerprints of the code that all students got.
    """
    exercises = {name for solution in solutions.values() for name in solution}
    pairs = [pair for name in sorted(exercises) for pair in _alike(name, solutions, set(starter))]
    return sorted(pairs, key=lambda pair: (-pair.share, pair))


def _alike(exercise: str, solutions: Mapping[str, Solutions], starter: set[int]) -> Iterator[Pair]:
    own = {student: set(solution.get(exercise, ())) - starter for student, solution in solutions.items()}
    holders = Counter(found for prints in own.values() for found in prints)
    most = min(_MOST, max(3, round(_COMMON * sum(map(bool, own.values())))))
    rare = {student: {found for found in prints if holders[found] <= most} for student, prints in own.items()}
    judged = {student: prints for student, prints in sorted(rare.items()) if len(prints) >= _FEWEST}
    students: dict[int, list[str]] = {}
    for student, prints in judged.items():
        for found in prints:
            students.setdefault(found, []).append(student)
    shared = Counter(pair for together in students.values() for pair in combinations(together, 2))
    for (first, second), count in shared.items():
        share = count / (len(judged[first]) + len(judged[second]) - count)
        if share >= _ALIKE:
            yield Pair(exercise, first, second, share)


def _winnow(hashes: list[int]) -> set[int]:
    """The smallest hash of each window."""
    if len(hashes) < _WINDOW:
        return {min(hashes)} if hashes else set()
    return {min(hashes[start : start + _WINDOW]) for start in range(len(hashes) - _WINDOW + 1)}


def _tokens(statement: ast.stmt) -> Iterator[str]:
    """The tokens of a tree in the order of the text, without all that can be changed at no cost."""
    selves = {
        method.args.args[0].arg
        for class_ in ast.walk(statement)
        if isinstance(class_, ast.ClassDef)
        for method in class_.body
        if isinstance(method, ast.FunctionDef) and method.args.args
    }
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Import | ast.ImportFrom) or _is_text(node):
            continue
        yield _token(node, selves)
        stack.extend(reversed(list(_children(node))))


def _children(node: ast.AST) -> Iterable[ast.AST]:
    for name, value in ast.iter_fields(node):
        if name not in _NOT_STRUCTURE:
            values = value if isinstance(value, list) else [value]
            yield from (child for child in values if isinstance(child, ast.AST))


def _is_text(node: ast.AST) -> bool:
    """A docstring, or `...`."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _token(node: ast.AST, selves: Collection[str]) -> str:
    """The kind of a node, or a name that the student cannot choose: of a library's function, or one of Python's own."""
    match node:
        case ast.Attribute(value=ast.Name(id=owner)) if owner in selves:
            return "own attribute"
        case ast.Attribute():
            return node.attr
        case ast.Name():
            return node.id if node.id in _BUILTINS else "name"
        case ast.keyword():
            return f"{node.arg}="
        case ast.Constant():
            return str(node.value) if isinstance(node.value, bool | None) else type(node.value).__name__
        case _:
            return type(node).__name__
