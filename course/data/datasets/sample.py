"""The sample that comes with the course: made-up news articles with labels, sentences and entities."""

from __future__ import annotations

import gzip
import json
from typing import NamedTuple

import pandas as pd

from course.storage.bundled import DATASETS

SAMPLE_FILE = DATASETS / "sample.jsonl.gz"


class Entity(NamedTuple):
    """A name in the text of an article: `description[start:end]`.

    Attributes:
        start: index of its first character.
        end: index after its last character.
        kind: "person", "place", "organization" or "product".
    """

    start: int
    end: int
    kind: str


def load_sample() -> pd.DataFrame:
    """Load the sample that comes with the course: 5,000 made-up news articles, fully annotated.

    Rows are in random order: take the first 4,000 to train on and the last 1,000 to test on.

    Returns:
        The columns `label` (0 to 3, an index of `TOPICS`), `title`, `description`, `sentences` (a list; the description
        is all of them with a space between them) and `entities` (a list of `Entity` in the description).

    Raises:
        FileNotFoundError: the sample is not where the course keeps it.

    Example:
        >>> articles = load_sample()
        >>> documents = articles["sentences"].tolist()  # for next-sentence prediction
    """
    if not SAMPLE_FILE.is_file():
        raise FileNotFoundError(
            f"the sample is not in {SAMPLE_FILE}. It belongs to the course's folder, next to `course`; in a clone of "
            "the repository, `python datasets/generate.py` makes it again"
        )
    with gzip.open(SAMPLE_FILE, "rt", encoding="utf-8") as lines:
        articles = pd.DataFrame(map(json.loads, lines))
    articles.insert(2, "description", articles["sentences"].map(" ".join))
    articles["entities"] = articles["entities"].map(lambda entities: [Entity(*entity) for entity in entities])
    return articles
