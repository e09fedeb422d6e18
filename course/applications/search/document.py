"""A document: what is indexed, and what a search finds."""

from __future__ import annotations

from typing import NamedTuple


class Document(NamedTuple):
    """What a search finds.

    Attributes:
        name: where it is from, such as "notes/wings.md, 3": the file, and the number of its passage or row.
        title: "" where there is none.
        text: what is below the title.
    """

    name: str
    title: str
    text: str
