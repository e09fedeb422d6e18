"""A kind of damage, and the notebook before it was damaged."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from grading.exercises.registry import chapter
from grading.lessons.lesson import read_lesson
from grading.lessons.notebook import make_notebooks
from grading.storage.project import PROJECT
from grading.submission.cell_ids import exercise_cell_id

ATTENTION, PADDING, CAUSAL = "scaled_dot_product_attention", "padding_mask", "causal_mask"
SPLIT, MERGE, LAYER = "split_heads", "merge_heads", "MultiHeadAttention"
Json = dict[str, Any]


@dataclass(frozen=True)
class Damage:
    """One kind.

    Attributes:
        name: what happened.
        make: gives the file that arrived.
        file_name: its name, which says who handed it in.
        lost: exercises whose solution is not in it any more.
    """

    name: str
    make: Callable[[], bytes]
    file_name: str
    lost: frozenset[str]


DAMAGES: dict[str, Damage] = {}


def kind(file_name: str = "alice.ipynb", lost: set[str] | None = None) -> Callable[[Callable[[], bytes]], Any]:
    """Registers the decorated function as a kind of damage; its docstring is the kind's name."""

    def register(make: Callable[[], bytes]) -> Callable[[], bytes]:
        name = str(make.__doc__).rstrip(".")
        DAMAGES[name] = Damage(name, make, file_name, frozenset(lost or ()))
        return make

    return register


def right() -> Json:
    """Solved as the library does, run, and saved."""
    made = json.loads(_notebooks()[1])
    for count, cell in enumerate(code_cells(made), 1):
        cell["execution_count"] = count
        cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["ok\n"]}]
    return made


def released() -> Json:
    return json.loads(_notebooks()[0])


@cache
def _notebooks() -> tuple[str, str]:
    released, solved = make_notebooks(read_lesson(PROJECT / "notebooks" / "source" / "03_attention.md"))
    return json.dumps(released), json.dumps(solved)


def code_cells(notebook: Json) -> list[Json]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def own_cell(notebook: Json, exercise: str) -> Json:
    return next(cell for cell in notebook["cells"] if cell.get("id") == exercise_cell_id(exercise))


def own_cells(notebook: Json) -> list[Json]:
    return [own_cell(notebook, exercise) for exercise in chapter(3).exercises]


def text_of(notebook: Json) -> str:
    return json.dumps(notebook, indent=1, ensure_ascii=False)


def new_cell(source: str, **fields: Any) -> Json:
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None, **fields}
