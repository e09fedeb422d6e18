"""The Stanford Sentiment Treebank: sentences of film reviews, from very negative to very positive."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd

from course.data.datasets.download import PublicFiles

SST = PublicFiles(
    title="SST",
    loader="load_sst",
    variable="SST_DIR",
    cache="sst",
    # Only the whole sentences, as in Carnegie Mellon's course of 2021.
    url="https://raw.githubusercontent.com/neubig/minbert-assignment/c5ee4c2140b78fda58110e4fe24203891ed2a2dd/data/",
    checksums={
        "sst-train.txt": "sha256:7aeac81f2a387f2ce7fab98ed8f40ef85cc9c8ad11bcbb63b122e95665cb1f35",
        "sst-dev.txt": "sha256:11963c76cd073e68006da0390620aadf5a4b8f775e2f900e92a50b3002e39b9b",
        "sst-test.txt": "sha256:bdcc8352d37bdc82113e4a4dd887b824144201539d5a1e49be566232d306a4ba",
    },
)

_PARTS = dict(zip(SST.checksums, ("train", "dev", "test"), strict=True))
_WANTED = "Each line must have a class from 0 to 4, ` ||| ` and a sentence."


def load_sst(folder: str | os.PathLike[str] | None = None) -> dict[str, pd.DataFrame]:
    """Load SST-5: 8,544 sentences to train on, 1,101 to develop with and 2,210 to test on, in five classes.

    They are read from `folder`, or else from the folder that the environment variable SST_DIR names, or else
    downloaded once (1.3 MB), checked, and kept in the user's cache.

    Args:
        folder: holds sst-train.txt, sst-dev.txt and sst-test.txt.

    Returns:
        "train", "dev" and "test", each with the columns `sentence`, with spaces between words and punctuation, and
        `label`, from 0, very negative, to 4, very positive.

    Raises:
        FileNotFoundError: the folder does not have the three files.
        ConnectionError: they cannot be downloaded.
        ValueError: a file does not have the form of SST, or is not the published one.

    Example:
        >>> load_sst()["test"].iloc[0].tolist()
        ['Effective but too-tepid biopic', 2]

    Reference: Socher et al., "Recursive Deep Models for Semantic Compositionality Over a Sentiment Treebank", 2013.
    """
    return {_PARTS[name]: _read(path) for name, path in SST.paths(folder).items()}


def _read(path: Path) -> pd.DataFrame:
    rows = []
    try:
        # Not splitlines(), which also breaks lines at characters that are words here.
        for number, line in enumerate(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"), start=1):
            label, _, sentence = line.partition(" ||| ")
            if label not in tuple("01234") or not sentence.strip():
                raise ValueError(f"line {number} is {line!r}. {_WANTED}")
            rows.append((sentence.strip(), int(label)))
    except ValueError as error:  # a UnicodeDecodeError is one
        raise SST.not_one(path, error) from error
    return pd.DataFrame(rows, columns=["sentence", "label"])
