"""Does something while a module is imported for the first time, whoever imports it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class _Around(MetaPathFinder):
    """Finds one module as the finders after it do, and has it executed within a context."""

    def __init__(self, name: str, context: Callable[[], AbstractContextManager[None]]) -> None:
        self._name = name
        self._context = context

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        others = sys.meta_path[sys.meta_path.index(self) + 1 :]
        found = (finder.find_spec(fullname, path, target) for finder in others)
        spec = next((one for one in found if one is not None), None)
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
    """Has the first import of a module happen within a context. Where it has been imported, nothing happens.

    Args:
        name: of the module, such as "tensorflow".
        context: makes what the module is executed in.
    """
    if name not in sys.modules:
        sys.meta_path.insert(0, _Around(name, context))
