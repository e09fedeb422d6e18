"""Made-up documents, and their index."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from course.applications.search.document import Document
from course.applications.search.index import Index
from course.applications.search.indexing import make_index
from course.applications.search.texts import Texts
from course.applications.search.vectors import TextEncoder


def texts_of(documents: Sequence[str | Document], name: str = "made") -> Texts:
    """Return `Texts` of strings without titles, or of documents."""
    made = [
        given if isinstance(given, Document) else Document(f"{name}.txt, {number}", "", given)
        for number, given in enumerate(documents, start=1)
    ]
    return Texts(name, sum(len(document.text) for document in made), lambda: iter(made))


def index_of(documents: Sequence[str | Document], folder: Path, encoders: Sequence[TextEncoder] = ()) -> Index:
    return make_index(texts_of(documents), folder, encoders=encoders).index


def random_documents(random: np.random.Generator, count: int) -> list[str]:
    """Return documents drawn from 40 words, the first of them common. Some documents are empty, some are long."""
    shares = 1 / np.arange(1, 41)
    lengths = random.choice([0, 3, 11, 60], count)
    draws = (random.choice(40, length, p=shares / shares.sum()) for length in lengths)
    return [" ".join(f"word{number}" for number in draw) for draw in draws]
