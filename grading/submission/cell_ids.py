"""The ids of an exercise's cells, in every notebook that is released or submitted."""

from __future__ import annotations

import re


def exercise_cell_id(name: str) -> str:
    """The id of the cell in which a student writes an exercise."""
    return f"exercise-{slug(name)}"


def check_cell_id(name: str) -> str:
    """The id of the cell below it, which calls the check and has the points."""
    return f"check-{slug(name)}"


def slug(name: str) -> str:
    """MultiHeadAttention becomes multi-head-attention, and scaled_dot_product scaled-dot-product."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name)
    return words.replace("_", "-").strip("-").lower()[:50]
