"""Follows import statements in syntax trees, from some modules of this project to all modules that they need."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grading.errors import GradingError
from grading.storage.files import read_text

_PACKAGES = ("course", "grading")
_MAGIC = re.compile(r"^\s*[%!].*$", re.MULTILINE)


@dataclass(frozen=True)
class Module:
    """A file of the project.

    Attributes:
        path: its path, relative to the project's root.
        source: its text.
    """

    path: Path
    source: str


def reachable(
    names: Iterable[str], root: Path, sources: Mapping[str, str], unless_late: Collection[str] = ()
) -> dict[str, Module]:
    """Modules of `course` and `grading`, and all that they import, also inside functions.

    Args:
        names: dotted names to start from.
        root: the folder that contains the packages.
        sources: texts to use instead of the files of some modules.
        unless_late: modules that a late import does not reach, nor what needs them; see `imported_at_once`.

    Raises:
        GradingError: a module imports another one that does not exist.
    """
    found: dict[str, Module] = {}
    unread = dict.fromkeys(names, "the release")
    while unread:
        name, importer = unread.popitem()
        if name in found:
            continue
        path = module_path(name, root)
        if path is None:
            raise GradingError(f"{importer} imports {name}, which does not exist; write it, or do not import it")
        source = sources[name] if name in sources else read_text(root / path)
        found[name] = Module(path, source)
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        imported = imported_modules(source, root, package)
        at_once = imported_at_once(source, root, package)
        imported = {one for one in imported if one in at_once or not _needs(one, root, unless_late)}
        unread |= dict.fromkeys(imported, path.as_posix())
    return dict(sorted(found.items()))


def _needs(name: str, root: Path, modules: Collection[str]) -> bool:
    """Whether a module is one of these, or imports one of them at once."""
    path = module_path(name, root)
    if name in modules or not modules or path is None:
        return name in modules
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    return not imported_at_once(read_text(root / path), root, package).isdisjoint(modules)


def imported_modules(source: str, root: Path, package: str) -> set[str]:
    """The modules of `course` and `grading` that a piece of code imports, with the packages around them.

    Args:
        source: Python code; lines of IPython's syntax are skipped.
        root: the folder that contains the packages.
        package: the package of the code, for relative imports.
    """
    return _with_packages(_imported(source, package), root)


def imported_at_once(source: str, root: Path, package: str) -> set[str]:
    """The same without late imports: those inside functions and those only for type hints."""
    return _with_packages(_imported(source, package, at_once=True), root)


@dataclass(frozen=True)
class _Imported:
    """Names in import statements: of modules, and of members, which are modules or definitions in one."""

    modules: frozenset[str]
    members: frozenset[str]


@cache
def _imported(source: str, package: str, at_once: bool = False) -> _Imported:
    tree = ast.parse(_MAGIC.sub("", source))
    modules: set[str] = {package}
    members: set[str] = set()
    for node in _run_at_once(tree) if at_once else ast.walk(tree):
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*parents, *filter(None, [node.module])])
            modules.add(base)
            members.update(f"{base}.{alias.name}" for alias in node.names)
    return _Imported(*(frozenset(filter(_is_of_project, names)) for names in (modules, members)))


def _run_at_once(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree that run when their module is imported."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) and not _is_for_type_hints(child):
            yield from _run_at_once(child)


def _is_for_type_hints(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _is_of_project(name: str) -> bool:
    return name.partition(".")[0] in _PACKAGES


def _with_packages(imported: _Imported, root: Path) -> set[str]:
    names = [*imported.modules, *(member for member in imported.members if module_path(member, root))]
    return {whole for name in names for whole in _with_parents(name)}


def module_path(name: str, root: Path) -> Path | None:
    """The file of a module, relative to the root, or None."""
    stem = Path(*name.split("."))
    candidates = (stem.with_suffix(".py"), stem / "__init__.py")
    return next((path for path in candidates if (root / path).is_file()), None)


def _with_parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    return (".".join(parts[:count]) for count in range(1, len(parts) + 1))
