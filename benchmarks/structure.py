"""The structure of the code: rooms, how many floors they stand on, and imports that would go back up.

A room is a folder of a package, or a loose file in it. If one room imports another, it stands on a higher floor; if
rooms import each other in a circle, the rarest imports of the circle go back up. `make lint` enforces the directions.
"""

from __future__ import annotations

import sys
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any

import grimp

PACKAGES = ("course", "grading")


def measure() -> list[dict[str, Any]]:
    """A row for each package."""
    sys.path.insert(0, "")  # the current checkout comes before one that may be installed
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    return [_row(package, graph) for package in PACKAGES]


def _row(package: str, graph: grimp.ImportGraph) -> dict[str, Any]:
    rooms = graph.find_children(package)
    folders = {room for room in rooms if graph.find_children(room)}
    imports = _imports_between(package, graph)
    back = _back_up(imports)
    floors = _floors(rooms, [pair for pair in imports if pair not in back])
    return {
        "package": package,
        "folders": len(folders),
        "loose files": len(rooms) - len(folders),
        "floors": max(floors.values()) + 1,
        "imports between rooms": sum(imports.values()),
        "back up": ", ".join(f"{importer} -> {imported}" for importer, imported in back) or "none",
    }


def _imports_between(package: str, graph: grimp.ImportGraph) -> Counter[tuple[str, str]]:
    """How often each room imports each other room."""

    def room(module: str) -> str:
        return module.split(".")[1]

    inside = {module for module in graph.modules if module.startswith(f"{package}.")}
    pairs = ((module, other) for module in inside for other in graph.find_modules_directly_imported_by(module))
    return Counter(
        (room(module), room(other)) for module, other in pairs if other in inside and room(module) != room(other)
    )


def _back_up(imports: Counter[tuple[str, str]]) -> list[tuple[str, str]]:
    """The rarest import of each circle, removed one by one until there is no circle."""
    remaining, back = dict(imports), []
    while circle := _circle(remaining):
        rarest = min(circle, key=lambda pair: (remaining[pair], pair))
        del remaining[rarest]
        back.append(rarest)
    return sorted(back)


def _circle(imports: dict[tuple[str, str], int]) -> list[tuple[str, str]]:
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for importer, imported in sorted(imports):
        sorter.add(importer, imported)
    try:
        sorter.prepare()
    except CycleError as error:
        rooms = error.args[1]  # each is imported by the one after it
        return [(importer, imported) for imported, importer in pairwise(rooms)]
    return []


def _floors(rooms: set[str], imports: list[tuple[str, str]]) -> dict[str, int]:
    """The floor of each room: one above the highest that it imports."""
    below: dict[str, set[str]] = {room.split(".")[1]: set() for room in rooms}
    for importer, imported in imports:
        below[importer].add(imported)
    floors: dict[str, int] = {}
    for room in TopologicalSorter(below).static_order():
        floors[room] = max((floors[other] + 1 for other in below[room]), default=0)
    return floors
