"""The pages of the reference: one for each module or room of the library, with every public function and class.

Sphinx takes their text from the docstrings.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from grading.storage.files import read_text
from grading.storage.project import PROJECT
from website.docstrings import escaped

_INDEX = """\
Reference
=========

The library that students rebuild, and the code that supports it: every public function and class of the package
``course``, with its shapes and errors. The pages show no code, because the chapters ask for it.

.. toctree::
   :hidden:

"""


def public_names(path: Path) -> Iterator[tuple[str, bool]]:
    """Yields the name of each public function and class of a module, in order, and whether it is a class."""
    for node in ast.parse(read_text(path)).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            yield node.name, isinstance(node, ast.ClassDef)


def public_modules() -> dict[str, Path]:
    """The files of the library that define public names, by the name of the module."""
    modules = {}
    for path in sorted((PROJECT / "course").rglob("*.py")):
        parts = path.relative_to(PROJECT).with_suffix("").parts
        if any(public_names(path)):
            modules[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return modules


def reference_pages() -> dict[str, str]:
    """The pages as reStructuredText, by file name: one for each top-level module and for each room."""
    rooms: dict[str, dict[str, Path]] = {}
    for module, path in public_modules().items():
        rooms.setdefault(_room(path), {})[module] = path
    pages = {f"reference/{room}.rst": _page(f"course.{room}", modules) for room, modules in rooms.items()}
    about = "".join(f"\n:doc:`course.{room} <{room}>`\n   {_about(room)}\n" for room in rooms)
    return {"reference/index.rst": _INDEX + "".join(f"   {room}\n" for room in rooms) + about, **pages}


def _room(path: Path) -> str:
    """The dotted name, inside the library, of a file's folder, or of the file itself at the top level."""
    folder = ".".join(path.parent.relative_to(PROJECT / "course").parts)
    return folder or path.stem


def _about(room: str) -> str:
    """The first paragraph of the docstring of a module or package."""
    place = PROJECT.joinpath("course", *room.split("."))
    path = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    paragraph = (ast.get_docstring(ast.parse(read_text(path))) or "").partition("\n\n")[0]
    return escaped(" ".join(paragraph.split()))


def _page(title: str, modules: dict[str, Path]) -> str:
    parts = [_heading(title, "=")]
    if title not in modules:
        parts.append(f".. automodule:: {title}\n")
    for module, path in modules.items():
        if module != title:
            parts.append(_heading(module, "-"))
        parts.append(f".. automodule:: {module}\n")
        for name, is_class in public_names(path):
            members = "   :members:\n" if is_class else ""
            parts.append(f".. auto{'class' if is_class else 'function'}:: {module}.{name}\n{members}")
    return "\n".join(parts)


def _heading(text: str, line: str) -> str:
    return f"{text}\n{line * len(text)}\n"
