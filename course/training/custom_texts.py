"""Your own texts with your own classes: a table in a file, or a pandas frame."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from course.data.tables.table import as_text, read_table
from course.errors import CourseError
from course.training.articles import Articles
from course.validation.values import require_instance, require_shares, require_sizes, require_texts

Source: TypeAlias = Path | pd.DataFrame

_TEST_SHARE = 0.1
_SPLIT_SEED = 0  # as for AG News: several trainings should stop by the same texts
_MOST_NAMED = 8


@dataclass(frozen=True)
class OwnTexts:
    """Which texts to take, which column has their classes, and how to split them.

    Rows without text or without a label are left out, and so are training texts that `test` has, too. All copies of a
    text go into the same part, even if they differ in spaces and capitals.

    Attributes:
        source: a table (see `course.data.tables.table.read_table`), or a frame.
        text: the column of the texts; two for pairs.
        label: the column of their classes.
        test: other texts to measure on, with the same columns. None: a tenth of those of `source`.
        held_out: the share of the training texts that is held out, at random, but the same ones each time.
        rows: how many training texts to take, including those held out. None: all.
        digest: the digest that the texts must have, if known; see `Articles`.

    Raises:
        CourseError: there are not one or two columns of text, or a column is named twice.
        TypeError: a source is neither a path nor a frame, or a column is not a string.
        ValueError: a number is not a valid share or number of rows.

    Example:
        >>> frame = pd.DataFrame({"review": ["Good.", "Bad."] * 50, "stars": ["5", "1"] * 50})
        >>> OwnTexts(frame, ("review",), "stars").read().class_names
        ('1', '5')
    """

    source: Source
    text: tuple[str, ...]
    label: str
    test: Source | None = None
    held_out: float = 0.1
    rows: int | None = None
    digest: str | None = None

    def __post_init__(self) -> None:
        require_source(self.source)
        if self.test is not None:
            require_source(self.test)
        require_columns(self.text, self.label)
        require_shares(held_out=self.held_out)
        if self.rows is not None:
            require_sizes(rows=self.rows)

    def settings(self) -> dict[str, Any]:
        """Return the choice as plain values, to be saved with the results."""
        return {
            "source": _path(self.source),
            "text": list(self.text),
            "label": self.label,
            "test": _path(self.test),
            "held_out": self.held_out,
            "rows": self.rows,
        }

    def read(self) -> Articles:
        """Read the texts and split them.

        Raises:
            CourseError: the texts do not exist, are damaged, do not have the given digest, have fewer than two classes,
                or are too few to be split.
        """
        texts, left_out = _labelled(self.source, self.text, self.label)
        names = _class_names(_name(self.source), texts["label"])
        if self.test is None:
            training, test = apart(texts, _TEST_SHARE, self.text)
        else:
            test, more = _labelled(self.test, self.text, self.label)
            keys = [list(_compared(part, self.text).itertuples(index=False, name=None)) for part in (texts, test)]
            training = texts[~pd.Series(keys[0], index=texts.index).isin(set(keys[1]))]
            left_out += more + len(texts) - len(training)
            require_known(_name(self.test), test["label"], names)
        training = training.iloc[: self.rows] if self.test is None else _shuffled(training).iloc[: self.rows]
        if self.rows is not None and self.rows > len(training):
            raise CourseError(
                f"{_name(self.source)} has {len(training):,} texts to train on. Given: {self.rows:,} rows; ask for "
                "fewer."
            )
        training, held_out = apart(training, self.held_out, self.text)
        if not (len(training) and len(held_out) and len(test)):
            raise CourseError(
                f"{_name(self.source)} has too few texts: training, held-out and test parts each need some. Given: "
                f"{len(texts):,}, of which {len(training):,} are left to train on."
            )
        digest = _digest(texts, test)
        if self.digest not in (None, digest):
            raise CourseError(
                f"{_name(self.source)} is not what the classifier has learned from: it has changed since, or "
                "is split in another way, so the test may have texts that the classifier has seen. Name a table of "
                "other texts to measure on."
            )
        training, held_out, test = (_numbered(part, names) for part in (training, held_out, test))
        return Articles(training, held_out, test, names, self.text, digest, left_out)


def read_test(source: Source, text: Sequence[str], label: str, class_names: Sequence[str]) -> Articles:
    """Read a whole table as test texts, with no training texts.

    Args:
        source, text, label: as for `OwnTexts`.
        class_names: the classes of the classifier.

    Raises:
        CourseError: the texts do not exist, are damaged, or have an unknown class.
        TypeError: as for `OwnTexts`.
    """
    require_source(source)
    require_columns(text, label)
    texts, left_out = _labelled(source, text, label)
    require_known(_name(source), texts["label"], class_names)
    if not len(texts):
        raise CourseError(f"{_name(source)} has no row with a text and a label.")
    nothing = texts.iloc[:0]
    test = _numbered(texts, tuple(class_names))
    return Articles(nothing, nothing, test, tuple(class_names), tuple(text), _digest(texts), left_out)


def require_source(source: Any) -> None:
    """Raise a TypeError unless it is a path or a frame."""
    if not isinstance(source, Path | pd.DataFrame):
        raise TypeError(f"texts must be a Path or a pandas DataFrame. Received: {type(source).__name__}")


def require_columns(text: Sequence[str], label: str) -> None:
    """Raise a CourseError unless these are one or two columns of texts, and another one of labels."""
    require_texts(text, "text")
    require_instance(label, "label", str)
    if not 1 <= len(text) <= 2 or len({*text, label}) != len(text) + 1:
        raise CourseError(
            "name one column for the texts, or two for pairs, and their class in another one. Given: text "
            f"{', '.join(text) or 'none'}, label {label}."
        )
    if "label" in text:
        raise CourseError("a column of texts cannot be called label. Give it another name.")


def require_known(source: str, labels: Iterable[str], class_names: Sequence[str]) -> None:
    """Raise a CourseError if a label is not one of the classes."""
    unknown = sorted(set(labels) - set(class_names))
    if unknown:
        raise CourseError(
            f"{source} has classes that the training texts do not have: {_some(unknown)}. Theirs: {_some(class_names)}."
        )


def rows_with_text(source: Source, text: Sequence[str], label: str | None) -> tuple[pd.DataFrame, int]:
    """Return the rows that have a text, and the number of others.

    Args:
        source: a table, or a frame.
        text: the columns of the texts.
        label: the column of their classes. None: they have none.

    Returns:
        The columns `label`, "" if there is none, and those of the texts. How many rows were left out.

    Raises:
        CourseError: the texts do not exist, are damaged, or have no such column.
    """
    rows = [
        ("" if label is None else row[label].strip(), *(row[column] for column in text))
        for row in _rows(source, [*text, *([] if label is None else [label])])
    ]
    with_text = [row for row in rows if any(cell.strip() for cell in row[1:])]
    return pd.DataFrame(with_text, columns=["label", *text], dtype=object), len(rows) - len(with_text)


def _labelled(source: Source, text: Sequence[str], label: str) -> tuple[pd.DataFrame, int]:
    """Return the rows that have a text and a label, and the number of others."""
    texts, left_out = rows_with_text(source, text, label)
    labelled = texts[texts["label"] != ""]
    return labelled, left_out + len(texts) - len(labelled)


def _rows(source: Source, columns: Sequence[str]) -> Iterable[Mapping[str, str]]:
    if isinstance(source, Path):
        yield from read_table(source, columns)
        return
    if missing := [column for column in columns if column not in source.columns]:
        raise CourseError(f"the frame has no column {', '.join(missing)}. It has {_some(map(str, source.columns))}.")
    for cells in zip(*(source[column] for column in columns), strict=True):
        try:
            yield {column: as_text(cell) for column, cell in zip(columns, cells, strict=True)}
        except ValueError as error:
            raise CourseError(f"the frame: a cell {error}.") from error


def _class_names(source: str, labels: pd.Series) -> tuple[str, ...]:
    counts = labels.value_counts()
    if len(counts) < 2:
        raise CourseError(f"{source} must have two classes or more. Given: {_some(counts.index) or 'no row with one'}.")
    if (counts == 1).sum() * 2 > len(labels):
        raise CourseError(
            f"{source} has {len(counts):,} labels for {len(labels):,} texts, most of them once: {_some(counts.index)}. "
            "Name the column of the classes."
        )
    try:
        return tuple(sorted(counts.index, key=lambda name: (float(name), name)))
    except ValueError:
        return tuple(sorted(counts.index))


def apart(texts: pd.DataFrame, share: float, columns: Sequence[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Split off a share of the texts, the same share of each class; return the rest and it, in random order."""
    shuffled = _shuffled(texts)
    compared = _compared(shuffled, columns)
    group = compared.groupby(list(columns), sort=False).ngroup().to_numpy()  # one number for equal texts
    unique = shuffled[~compared.duplicated()]
    number, of_class = (unique.groupby("label", sort=False).cumcount(), unique.groupby("label", sort=False)["label"])
    chosen = (number < (of_class.transform("size") * share).round()).to_numpy()
    taken = chosen[group]
    return shuffled[~taken], shuffled[taken]


def _compared(texts: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Return the texts in a form in which copies are equal: most models see neither spaces nor capitals."""
    return texts[list(columns)].map(lambda text: " ".join(text.split()).lower())


def _shuffled(texts: pd.DataFrame) -> pd.DataFrame:
    return texts.iloc[np.random.default_rng(_SPLIT_SEED).permutation(len(texts))]


def _numbered(texts: pd.DataFrame, names: tuple[str, ...]) -> pd.DataFrame:
    numbers = {name: number for number, name in enumerate(names)}
    return texts.assign(label=texts["label"].map(numbers).astype("int64")).reset_index(drop=True)


def _digest(*parts: pd.DataFrame) -> str:
    digest = hashlib.sha256()
    for part in parts:
        for row in part.itertuples(index=False):
            digest.update(json.dumps(row).encode())
    return digest.hexdigest()[:16]


def _name(source: Source) -> str:
    return str(source) if isinstance(source, Path) else "the frame"


def _path(source: Source | None) -> str | None:
    """Return the path of a source; None for a frame, which has none."""
    return str(source) if isinstance(source, Path) else None


def _some(names: Iterable[str]) -> str:
    named = list(names)
    return ", ".join(f"{name:.30}" for name in named[:_MOST_NAMED]) + (", ..." if len(named) > _MOST_NAMED else "")
