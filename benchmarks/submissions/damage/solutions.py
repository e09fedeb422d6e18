"""Solutions that stand where nobody looks first."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

from benchmarks.submissions.damage.kind import (
    ATTENTION,
    CAUSAL,
    MERGE,
    PADDING,
    SPLIT,
    kind,
    new_cell,
    own_cell,
    right,
    text_of,
)


def _rewritten(exercise: str, rewrite: Callable[[str], str], *before: str) -> bytes:
    made = right()
    cell = own_cell(made, exercise)
    cell["source"] = rewrite(cell["source"])
    place = made["cells"].index(cell)
    made["cells"][place:place] = [new_cell(source, id=f"mine-{number}") for number, source in enumerate(before)]
    return text_of(made).encode()


@kind()
def under_if() -> bytes:
    """A definition under `if`."""
    return _rewritten(PADDING, lambda source: "if True:\n" + textwrap.indent(source, "    "))


@kind()
def under_main() -> bytes:
    """A definition under `if __name__ == "__main__"`, in a `try`."""
    return _rewritten(
        MERGE,
        lambda source: (
            'if __name__ == "__main__":\n    try:\n'
            + textwrap.indent(source, " " * 8)
            + "\n    except OSError:\n        pass"
        ),
    )


@kind()
def in_a_class() -> bytes:
    """A definition in a class."""
    return _rewritten(CAUSAL, lambda source: "class Masks:\n    @staticmethod\n" + textwrap.indent(source, "    "))


@kind()
def from_a_helper() -> bytes:
    """A definition imported from a file that a cell writes."""
    source = own_cell(right(), SPLIT)["source"]
    return _rewritten(
        SPLIT,
        lambda _: "from my_heads import split_heads",
        "%%writefile my_heads.py\nfrom keras import ops\n\n" + source,
    )


@kind()
def renamed() -> bytes:
    """A definition under a name of the student's own, assigned to the right one."""
    return _rewritten(
        PADDING, lambda source: source.replace("def padding_mask", "def my_mask") + "\n\npadding_mask = my_mask"
    )


@kind()
def with_magics() -> bytes:
    """Magics, shell lines and a timer in the solutions' cells."""
    return _rewritten(
        CAUSAL, lambda source: "%%time\n%matplotlib inline\n!pip install keras\n" + source + "\n\n?ops.tril"
    )


@kind()
def beside_a_mistake() -> bytes:
    """A cell with a syntax error beside the solutions."""
    return _rewritten(ATTENTION, lambda source: source, "def unfinished(:\n    return (", "x = = 3")
