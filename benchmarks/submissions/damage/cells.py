"""Damage to cells: deleted, doubled, moved, retyped, split, merged."""

from __future__ import annotations

import copy
import textwrap

from benchmarks.submissions.damage.kind import (
    ATTENTION,
    CAUSAL,
    LAYER,
    code_cells,
    kind,
    new_cell,
    own_cell,
    own_cells,
    released,
    right,
    text_of,
)


@kind(lost={CAUSAL})
def deleted() -> bytes:
    """A solution's cell deleted."""
    made = right()
    made["cells"].remove(own_cell(made, CAUSAL))
    return text_of(made).encode()


@kind()
def checks_deleted() -> bytes:
    """All prose and all checks deleted."""
    made = right()
    made["cells"] = [cell for cell in code_cells(made) if not cell["id"].startswith("check-")]
    return text_of(made).encode()


@kind()
def doubled() -> bytes:
    """Every cell doubled, with its id."""
    made = right()
    made["cells"] = [copy.deepcopy(cell) for cell in made["cells"] for _ in range(2)]
    return text_of(made).encode()


@kind()
def with_the_released_again() -> bytes:
    """The released notebook pasted below."""
    made = right()
    made["cells"] += released()["cells"]
    return text_of(made).encode()


@kind()
def with_the_released_before() -> bytes:
    """The released notebook pasted above, and all ids new."""
    made = right()
    made["cells"] = released()["cells"] + made["cells"]
    for number, cell in enumerate(made["cells"]):
        cell["id"] = f"new-{number}"
        cell["metadata"] = {}
    return text_of(made).encode()


@kind()
def moved() -> bytes:
    """The cells in reverse order."""
    made = right()
    made["cells"].reverse()
    return text_of(made).encode()


@kind()
def retyped() -> bytes:
    """The solutions' cells turned into text and raw cells."""
    made = right()
    for number, cell in enumerate(own_cells(made)):
        cell["cell_type"] = ("markdown", "raw")[number % 2]
        del cell["outputs"], cell["execution_count"]
    return text_of(made).encode()


@kind()
def split() -> bytes:
    """Definitions split in the middle of their bodies."""
    made = right()
    for exercise in (ATTENTION, LAYER):
        cell = own_cell(made, exercise)
        lines = cell["source"].splitlines(keepends=True)
        # At a line of the body's own depth, as the editor's command splits where the cursor stands.
        depth = "    "
        cut = next(
            i for i in range(2 * len(lines) // 3, len(lines)) if lines[i].startswith(depth + lines[i].strip()[:1])
        )
        cell["source"] = "".join(lines[:cut])
        made["cells"].insert(made["cells"].index(cell) + 1, new_cell("".join(lines[cut:]), id=f"rest-{len(lines)}"))
    return text_of(made).encode()


@kind()
def merged() -> bytes:
    """All code merged into one cell."""
    made = right()
    made["cells"] = [new_cell("\n\n".join(cell["source"] for cell in code_cells(made)), id="all")]
    return text_of(made).encode()


@kind()
def indented() -> bytes:
    """The solutions' cells indented as a whole."""
    made = right()
    for cell in own_cells(made):
        cell["source"] = textwrap.indent(cell["source"], "    ")
    return text_of(made).encode()
