"""Damage by the tools that save notebooks."""

from __future__ import annotations

import json

from benchmarks.submissions.damage.kind import (
    kind,
    right,
    text_of,
)


@kind()
def by_colab() -> bytes:
    """Saved by Colab: ids and metadata gone, its own in their place."""
    made = right()
    made.update(nbformat_minor=0, metadata={"colab": {"provenance": []}, "kernelspec": {"name": "python3"}})
    for number, cell in enumerate(made["cells"]):
        del cell["id"]
        cell["metadata"] = {"id": f"Zk{number:010d}"}
        cell["source"] = cell["source"].splitlines(keepends=True)
    return json.dumps(made).encode()


@kind()
def by_vs_code() -> bytes:
    """Saved by VS Code: new ids, its own metadata, Windows line ends."""
    made = right()
    for number, cell in enumerate(made["cells"]):
        cell["id"] = f"{number:08x}"
        cell["metadata"] = {"vscode": {"languageId": "python"}}
    return text_of(made).replace("\n", "\r\n").encode()


@kind()
def format_3() -> bytes:
    """Converted to nbformat 3."""
    made = right()
    cells = [
        {"cell_type": "code", "input": cell["source"].splitlines(keepends=True), "language": "python", "outputs": []}
        if cell["cell_type"] == "code"
        else {"cell_type": "markdown", "source": cell["source"]}
        for cell in made["cells"]
    ]
    return text_of(
        {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]}
    ).encode()


@kind()
def another_kernel() -> bytes:
    """Saved with another kernel and language."""
    made = right()
    made["metadata"] = {"kernelspec": {"name": "ir", "language": "R"}, "language_info": {"name": "R"}}
    return text_of(made).encode()


@kind()
def cells_without_ends() -> bytes:
    """Lines saved without their ends."""
    made = right()
    for cell in made["cells"]:
        cell["source"] = cell["source"].split("\n")
    return text_of(made).encode()
