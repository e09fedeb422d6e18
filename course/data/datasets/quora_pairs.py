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
_WANTED = f"Its first row must be {', '.join(_COLUMNS)}, parted by tabs; the last column of all others 0 or 1."


def load_quora_pairs(folder: str | os.PathLike[str] | None = None) -> pd.DataFrame:
    """Quora question pairs: 404,290 pairs of questions, of which people said whether they ask the same thing.

    They are read from `folder`, or else from the folder that the environment variable QUORA_PAIRS_DIR names, or else
    downloaded once (58 MB), checked, and kept in the user's cache. In a folder of one's own, the file may be a part of
    the original.

    There are no parts to train and to test on. Many a question is in several pairs: where the pairs are parted at
    random, questions that were trained on are in the test, too.

    Args:
        folder: where quora_duplicate_questions.tsv is.

    Returns:
        The columns `question1` and `question2`, of which a few are empty, and `is_duplicate` (boolean).

    Raises:
        FileNotFoundError: the folder does not have the file.
        ConnectionError: it cannot be downloaded.
        ValueError: the file is not what it should be.

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
                raise ValueError(f"its first row is {header}. {_WANTED}")
            for number, row in enumerate(rows, start=2):
                if len(row) != len(_COLUMNS) or row[-1] not in ("0", "1"):
                    raise ValueError(f"row {number} has {len(row)} columns and ends with {row[-1:]}. {_WANTED}")
                pairs.append((row[3], row[4], row[5] == "1"))
    except (csv.Error, ValueError) as error:  # a UnicodeDecodeError is a ValueError
        raise QUORA_PAIRS.not_one(path, error) from error
    return pd.DataFrame(pairs, columns=["question1", "question2", "is_duplicate"])
