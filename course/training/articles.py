"""Read articles with their topics, split into training, held-out and test parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from course.data.datasets import TOPICS, load_ag_news, load_sample
from course.data.datasets.ag_news import AG_NEWS as AG_NEWS_FILES
from course.errors import CourseError
from course.validation.values import require_shares, require_sizes

AG_NEWS, SAMPLE = "ag_news", "sample"

_SAMPLE_TEST_ROWS = 1000
_SPLIT_SEED = 0  # not the seed of a training: several of them should stop by the same articles


@dataclass(frozen=True)
class Articles:
    """Each part has the column `label`, an index of `class_names`, and the columns of the texts.

    Attributes:
        training: the articles that a model learns from.
        held_out: those that decide when it stops.
        test: those to look at once, at the end.
        class_names: the names of the classes.
        text_columns: the columns of the texts; two for pairs.
        digest: a hash that identifies your own texts; None for public ones.
        left_out: how many rows had no text or no label, or a text that is tested on.
    """

    training: pd.DataFrame
    held_out: pd.DataFrame
    test: pd.DataFrame
    class_names: tuple[str, ...] = TOPICS
    text_columns: tuple[str, ...] = ("title", "description")
    digest: str | None = None
    left_out: int = 0


@dataclass(frozen=True)
class Choice:
    """Which articles to take, and how to split them.

    Attributes:
        source: "sample", "ag_news" (see `load_ag_news` for where it looks), or a folder with AG News's train.csv and
            test.csv.
        held_out: the share of the training articles that is held out, at random, but the same ones each time.
        rows: how many training articles to take, including those held out. None: all.
        count: how many articles must be left to train on, if known.

    Raises:
        ValueError: a number is not a valid share or number of rows.
    """

    source: str
    held_out: float = 0.1
    rows: int | None = None
    count: int | None = None

    def __post_init__(self) -> None:
        require_shares(held_out=self.held_out)
        if self.rows is not None:
            require_sizes(rows=self.rows)

    def settings(self) -> dict[str, Any]:
        """Return the choice as plain values, to be saved with the results."""
        return {"source": self.source, "held_out": self.held_out, "rows": self.rows}

    def read(self) -> Articles:
        """Read the articles and split them.

        Raises:
            CourseError: they do not exist, are damaged, are too few to be split, or are not as many as `count`.
        """
        train, test = _read(self.source)
        if self.rows is not None and self.rows > len(train):
            raise CourseError(
                f"{self.source} has {len(train):,} articles to train on. Given: {self.rows:,} rows; ask for fewer."
            )
        order = np.random.default_rng(_SPLIT_SEED).permutation(len(train))[: self.rows]
        count = round(self.held_out * len(order))
        if not 0 < count < len(order):
            raise CourseError(
                f"some articles must be held out, and some must be left to train on. Given: {len(order):,} articles, "
                f"of which a share of {self.held_out:g} is held out."
            )
        if self.count not in (None, len(order) - count):
            raise CourseError(
                f"{self.source} is not what the classifier has learned from: it leaves {len(order) - count:,} articles "
                f"to train on, and not {self.count:,}. Name the same folder, such as with {AG_NEWS_FILES.variable}."
            )
        parts = (train.iloc[order[count:]], train.iloc[order[:count]], test)
        return Articles(*(part.reset_index(drop=True) for part in parts))


def whole_texts(articles: pd.DataFrame, text_columns: Sequence[str] = ("title", "description")) -> list[str]:
    """Join the columns of each text, such as title and description, for models that do not read pairs."""
    return [". ".join(parts) for parts in zip(*(articles[column] for column in text_columns), strict=True)]


def _read(source: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    if source == SAMPLE:
        sample = load_sample()
        return sample[:-_SAMPLE_TEST_ROWS], sample[-_SAMPLE_TEST_ROWS:]
    if source != AG_NEWS and not (source and Path(source).is_dir()):  # "" would be the current folder
        problem = "is no folder" if Path(source).exists() else "does not exist"
        raise CourseError(
            f"{source or repr(source)} {problem}. Name {SAMPLE}, {AG_NEWS}, or a folder with train.csv and test.csv; "
            "or a table of your own, with --text COLUMN and --label COLUMN."
        )
    try:
        news = load_ag_news(None if source == AG_NEWS else source)
    except (OSError, ValueError) as error:  # a ConnectionError is an OSError
        raise CourseError(str(error)) from error
    return news["train"], news["test"]
