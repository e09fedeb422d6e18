"""Runs the first import of a module within a context, wherever in the program that import is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class _Around(MetaPathFinder):
    """Finds one module through the finders after this one, and executes it within a context."""

    def __init__(self, name: str, context: Callable[[], AbstractContextManager[None]]) -> None:
        self._name = name
        self._context = context

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        others = sys.meta_path[sys.meta_path.index(self) + 1 :]
        candidates = (finder.find_spec(fullname, path, target) for finder in others)
        spec = next((candidate for candidate in candidates if candidate is not None), None)
        if spec is not None and spec.loader is not None:
            self._wrap(spec.loader)
        return spec

    def _wrap(self, loader: object) -> None:
        execute: Callable[[ModuleType], None] = loader.exec_module  # type: ignore[attr-defined]

        def exec_module(module: ModuleType) -> None:
            with self._context():
                execute(module)
            sys.meta_path.remove(self)

        loader.exec_module = exec_module  # type: ignore[attr-defined]


def around_import(name: str, context: Callable[[], AbstractContextManager[None]]) -> None:
    """Makes the first import of a module run within a context. Does nothing if the module is already imported.

    Args:
        name: the module's name, such as "tensorflow".
        context: returns the context manager in which the module is executed.
    """
    if name not in sys.modules:
        sys.meta_path.insert(0, _Around(name, context))
