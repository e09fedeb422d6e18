"""Follows import statements, by the syntax tree, from some modules of this project to all that they need."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from grading.errors import GradingError
from grading.storage.files import read_text

_PACKAGES = ("course", "grading")
_MAGIC = re.compile(r"^\s*[%!].*$", re.MULTILINE)


@dataclass(frozen=True)
class Module:
    """A file of the project.

    Attributes:
        path: from the project's root.
        source: its text.
    """

    path: Path
    source: str


def reachable(
    names: Iterable[str], root: Path, sources: Mapping[str, str], unless_late: Collection[str] = ()
) -> dict[str, Module]:
    """Modules of `course` and `grading`, and those that they import, in a function's body, too.

    Args:
        names: dotted names to start from.
        root: the folder that holds the packages.
        sources: the text of some modules, where it is not what their files hold.
        unless_late: modules that a late import does not reach: see `imported_at_once`.

    Raises:
        GradingError: one imports a module that is not there.
    """
    found: dict[str, Module] = {}
    unread = dict.fromkeys(names, "the release")
    while unread:
        name, importer = unread.popitem()
        if name in found:
            continue
        path = module_path(name, root)
        if path is None:
            raise GradingError(f"{importer} imports {name}, which is not there; write it, or do not import it")
        source = sources[name] if name in sources else read_text(root / path)
        found[name] = Module(path, source)
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        imported = imported_modules(source, root, package)
        late = imported.intersection(unless_late) - imported_at_once(source, root, package)
        unread |= dict.fromkeys(imported - late, path.as_posix())
    return dict(sorted(found.items()))


def imported_modules(source: str, root: Path, package: str) -> set[str]:
    """The modules of `course` and `grading` that a piece of code imports, with the packages around them.

    Args:
        source: Python, in which IPython's own lines are passed over.
        root: the folder that holds the packages.
        package: where the code lives, for imports that are relative to it.
    """
    return _modules_in(ast.walk(ast.parse(_MAGIC.sub("", source))), root, package)


def imported_at_once(source: str, root: Path, package: str) -> set[str]:
    """The same without late imports: those in functions' bodies and those for type hints alone."""
    return _modules_in(_run_at_once(ast.parse(_MAGIC.sub("", source))), root, package)


def _run_at_once(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree that run when their module is imported."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) and not _is_for_type_hints(child):
            yield from _run_at_once(child)


def _is_for_type_hints(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _modules_in(nodes: Iterable[ast.AST], root: Path, package: str) -> set[str]:
    names = {package}
    for node in nodes:
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*parents, *filter(None, [node.module])])
            members = (f"{base}.{alias.name}" for alias in node.names)
            names.update([base, *(member for member in members if module_path(member, root))])
    return {whole for name in names if name.partition(".")[0] in _PACKAGES for whole in _with_parents(name)}


def module_path(name: str, root: Path) -> Path | None:
    """The file of a module, from the root; None where there is none."""
    stem = Path(*name.split("."))
    candidates = (stem.with_suffix(".py"), stem / "__init__.py")
    return next((path for path in candidates if (root / path).is_file()), None)


def _with_parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    return (".".join(parts[:count]) for count in range(1, len(parts) + 1))
