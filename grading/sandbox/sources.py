"""Keeps the texts from which TensorFlow makes code in memory: an answer could change files between writing and reading.

To convert a `tf.function`, TensorFlow looks its text up by the name of its file, and writes a new one to a temporary
file, which it imports. An answer's text has been read before it runs, and the new one has guards; files that an answer
writes have neither.
"""

from __future__ import annotations

import itertools
import linecache
import sys
from pathlib import PurePath
from types import ModuleType
from typing import Any

_numbers = itertools.count()
_read = linecache.updatecache


def keep_sources_in_memory() -> None:
    """From now on in this process, TensorFlow writes no code to files, and answers have the texts that they began with.

    It is called when TensorFlow has been imported.
    """
    from tensorflow.python.autograph.pyct import loader

    loader.load_source = _loaded
    vars(linecache)["updatecache"] = _looked_up


def _loaded(source: str, delete_on_exit: bool) -> tuple[ModuleType, str]:
    """A module from its text, and the name under which tracebacks find this."""
    module = ModuleType(f"__autograph_generated_file{next(_numbers)}")
    module.__file__ = f"{module.__name__}.py"
    linecache.cache[module.__file__] = (len(source), None, source.splitlines(keepends=True), module.__file__)
    exec(compile(source, module.__file__, "exec", dont_inherit=True), vars(module))
    sys.modules[module.__name__] = module
    return module, module.__file__


def _looked_up(filename: str, module_globals: Any = None) -> list[str]:
    """As `linecache.updatecache`, but a name that is no path, such as an answer's, stands for no file."""
    if PurePath(filename).is_absolute():
        return _read(filename, module_globals)
    known = linecache.cache.get(filename, ())
    return known[2] if len(known) == 4 else []
