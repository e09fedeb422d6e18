"""Quora question pairs: do two questions ask the same thing?"""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pandas as pd

from course.data.datasets.download import PublicFiles

_FILE = "quora_duplicate_questions.tsv"

QUORA_PAIRS = PublicFiles(
    title="Quora question pairs",
    loader="load_quora_pairs",
    variable="QUORA_PAIRS_DIR",
    cache="quora_pairs",
    url="http://qim.fs.quoracdn.net/",
    checksums={_FILE: "sha256:b3350dbb1d98db1f5abca85d736ba514bf4da253fae53939303d79fe921ec7c8"},  # 404,290 rows
)

_COLUMNS = ["id", "qid1", "qid2", "question1", "question2", "is_duplicate"]
_EXPECTED = (
    f"Its first row must be {', '.join(_COLUMNS)}, separated by tabs; in other rows the last column must be 0 or 1."
)


def load_quora_pairs(folder: str | os.PathLike[str] | None = None) -> pd.DataFrame:
    """Load Quora question pairs: 404,290 pairs, each labelled by people: do both questions ask the same thing?

    They are read from `folder`, or else from the folder that the environment variable QUORA_PAIRS_DIR names, or else
    downloaded once (58 MB), checked, and kept in the user's cache. In your own folder, the file may be a part of the
    original.

    The data set has no split into training and test. Many questions are in several pairs: if you split the pairs at
    random, the test has questions that you trained on.

    Args:
        folder: holds quora_duplicate_questions.tsv.

    Returns:
        The columns `question1` and `question2`, of which a few are empty, and `is_duplicate` (boolean).

    Raises:
        FileNotFoundError: the folder does not have the file.
        ConnectionError: it cannot be downloaded.
        ValueError: the file does not have the form of Quora's, or is not the published one.

    Example:
        >>> load_quora_pairs().shape
        (404290, 3)

    Reference: Iyer, Dandekar and Csernai, "First Quora Dataset Release: Question Pairs", 2017. Terms: those of
    Quora, for non-commercial use.
    """
    return _read(QUORA_PAIRS.paths(folder)[_FILE])


def _read(path: Path) -> pd.DataFrame:
    pairs = []
    try:
        with path.open(encoding="utf-8", newline="") as lines:  # a question may have several lines, in quotes
            rows = csv.reader(lines, delimiter="\t")
            if (header := next(rows, [])) != _COLUMNS:
                raise ValueError(f"its first row is {header}. {_EXPECTED}")
            for number, row in enumerate(rows, start=2):
                if len(row) != len(_COLUMNS) or row[-1] not in ("0", "1"):
                    raise ValueError(f"row {number} has {len(row)} columns and ends with {row[-1:]}. {_EXPECTED}")
                pairs.append((row[3], row[4], row[5] == "1"))
    except (csv.Error, ValueError) as error:  # a UnicodeDecodeError is a ValueError
        raise QUORA_PAIRS.not_one(path, error) from error
    return pd.DataFrame(pairs, columns=["question1", "question2", "is_duplicate"])
