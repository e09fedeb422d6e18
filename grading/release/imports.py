"""Follows import statements, by the syntax tree, from some modules of this project to all that they need."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
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


def reachable(names: Iterable[str], root: Path, sources: Mapping[str, str]) -> dict[str, Module]:
    """Modules of `course` and `grading`, and those that they import, in a function's body, too.

    Args:
        names: dotted names to start from.
        root: the folder that holds the packages.
        sources: the text of some modules, where it is not what their files hold.

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
        unread |= dict.fromkeys(imported_modules(source, root, package), path.as_posix())
    return dict(sorted(found.items()))


def imported_modules(source: str, root: Path, package: str) -> set[str]:
    """The modules of `course` and `grading` that a piece of code imports, with the packages around them.

    Args:
        source: Python, in which IPython's own lines are passed over.
        root: the folder that holds the packages.
        package: where the code lives, for imports that are relative to it.
    """
    names = {package}
    for node in ast.walk(ast.parse(_MAGIC.sub("", source))):
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
