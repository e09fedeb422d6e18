"""A document: the unit that is indexed and found."""

from __future__ import annotations

from typing import NamedTuple


class Document(NamedTuple):
    """A document.

    Attributes:
        name: its source, such as "notes/wings.md, 3": the file, and the number of the passage or row.
        title: "" if it has none.
        text: the text below the title.
    """

    name: str
    title: str
    text: str
