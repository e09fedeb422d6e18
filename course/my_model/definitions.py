"""Which definitions the run trains: those of the learner that have passed, and the course's for the rest.

A run begins with a copy of `my_bert`, and stays with it: later changes in `my_bert` cannot spoil its checkpoint.
"""

from __future__ import annotations

import importlib
import inspect
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from course.storage.outputs import write_json, write_text

PACKAGE = "my_bert"
_STUB = "from course.{module} import *\n"
# What pretraining is built from, in the order of the chapters. The text is tokenized by the course.
_TRAINED = ("embeddings", "attention", "encoder", "masked_lm", "next_sentence", "pretraining")
_SECONDS = 600  # for one step
CALLED = "called.json"  # the names of the definitions that the trial of a step has called


class Definitions(NamedTuple):
    """The learner's part of a run.

    Attributes:
        modules: the modules of the copy of `my_bert` whose definitions are trained.
        left_out: why some are not; "" if all are.
        called: the names of those definitions that a step of the training calls; None if an older run has not recorded
            them.
    """

    modules: list[str]
    left_out: str
    called: list[str] | None = None


def settle(run: Path, my_bert: Path | None) -> Definitions:
    """Copy `my_bert`, find out which of its modules can be trained together, and record that.

    First all are tried, then pretraining alone, then none. A definition may have passed its check and still not fit,
    for example because the training reads an attribute that the check does not ask for.

    Args:
        run: the folder of the run; its corpus is prepared.
        my_bert: the learner's folder, if there is one.
    """
    own = _copy(my_bert, run / PACKAGE)
    left_out = ""
    for modules in (own, [name for name in own if name == "pretraining"], []):
        for name in set(own) - set(modules):
            _stand_in(run / PACKAGE, name)  # those that are tried may import it
        problem = _try(run, modules) if modules else ""
        if not problem:
            break
        left_out = left_out or problem
    called = json.loads((run / CALLED).read_text(encoding="utf-8")) if modules else []
    definitions = Definitions(modules, left_out, called)
    write_json(run / "definitions.json", definitions._asdict())
    return definitions


def settled(run: Path) -> Definitions:
    """Return what `settle` recorded."""
    return Definitions(**json.loads((run / "definitions.json").read_text(encoding="utf-8")))


def use(run: Path, modules: list[str]) -> tuple[str, ...]:
    """Put the learner's definitions in place of the course's, in all modules of the course.

    Call it before `course.training` is imported, whose classes derive from these.

    Returns:
        The names of the definitions.
    """
    sys.path.insert(0, str(run))
    names: list[str] = []
    for module in modules:
        mine, theirs = (importlib.import_module(f"{package}.{module}") for package in (PACKAGE, "course"))
        for name, value in vars(mine).items():
            own = (inspect.isclass(value) or inspect.isfunction(value)) and value.__module__ == mine.__name__
            if own and not name.startswith("_") and hasattr(theirs, name):
                _replace(getattr(theirs, name), value)
                names.append(name)
    return tuple(names)


def _copy(my_bert: Path | None, to: Path) -> list[str]:
    """Copy the learner's modules, with the course's in place of missing ones, and return the names of the former."""
    shutil.rmtree(to, ignore_errors=True)
    files = sorted(my_bert.glob("*.py")) if my_bert else []
    for file in files:
        write_text(to / file.name, file.read_text(encoding="utf-8"))
    own = {file.stem for file in files}
    for module in {"__init__", "tokenization", *_TRAINED} - own:
        _stand_in(to, module)
    return [module for module in _TRAINED if module in own]


def _stand_in(copy: Path, module: str) -> None:
    """Put the course's module in place of the learner's."""
    write_text(copy / f"{module}.py", "" if module == "__init__" else _STUB.format(module=module))


def _try(run: Path, modules: list[str]) -> str:
    """Return why these modules cannot be trained: the error of one step in another process; "" if there is none."""
    from course.my_model import trial  # not at the top: the other process runs it as its main module

    command = [sys.executable, "-m", trial.__name__, str(run), *modules]
    try:
        tried = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"one step takes longer than {_SECONDS // 60} minutes"
    lines = [line.strip() for line in tried.stderr.splitlines() if line.strip()]
    return "" if tried.returncode == 0 else (lines[-1:] or [f"exit status {tried.returncode}"])[0]


def _replace(before: Any, after: Any) -> None:
    for module in [module for name, module in sys.modules.items() if name.partition(".")[0] == "course"]:
        for name, value in list(vars(module).items()):
            if value is before:
                setattr(module, name, after)
