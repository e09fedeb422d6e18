"""W-NUT 2017: sentences from the internet with their names marked, most of which occur nowhere else."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd

from course.data.datasets.download import PublicFiles

WNUT17_KINDS = ("corporation", "creative-work", "group", "location", "person", "product")

WNUT17 = PublicFiles(
    title="W-NUT 2017",
    loader="load_wnut17",
    variable="WNUT17_DIR",
    cache="wnut17",
    # The authors' repository, unchanged since 2022.
    url="https://raw.githubusercontent.com/leondz/emerging_entities_17/e52a2d2a71ac1a051ca2d532eef28653c5c02603/",
    checksums={
        "wnut17train.conll": "sha256:731820e13f71af324c6b55a1575ec2ce59fbaa2a0806f8f0400b98d56cd6a7a5",
        "emerging.dev.conll": "sha256:e053b752b8155113ca66e7db08af5f2f5f43ab993694e4774f1ec5bad42312d8",
        "emerging.test.annotated": "sha256:2aa79b764e56ec9264a1b30fdd9b70195bd00ff400b62edd8f399d5f13c178f0",
    },
)

_PARTS = dict(zip(WNUT17.checksums, ("train", "dev", "test"), strict=True))
_TAGS = {"O", *(f"{begins}-{kind}" for begins in "BI" for kind in WNUT17_KINDS)}
_WANTED = f"Each line must have a word, a tab and a tag, which is O or B- or I- and one of {', '.join(WNUT17_KINDS)}."


def load_wnut17(folder: str | os.PathLike[str] | None = None) -> dict[str, pd.DataFrame]:
    """Load W-NUT 2017: 3,394 sentences to train on, 1,009 to develop with and 1,287 to test on; names of six kinds.

    They are read from `folder`, or else from the folder that the environment variable WNUT17_DIR names, or else
    downloaded once (0.8 MB), checked, and kept in the user's cache.

    The three parts come from different places and times, and the names in the test were chosen to be new: a model that
    has only memorised names finds none of them.

    Args:
        folder: holds wnut17train.conll, emerging.dev.conll and emerging.test.annotated.

    Returns:
        "train", "dev" and "test", each with the columns `words` and `tags`: two lists of the same length. The first
        word of a name has the tag B- and its kind, the others I- and its kind, and all other words O.

    Raises:
        FileNotFoundError: the folder does not have the three files.
        ConnectionError: they cannot be downloaded.
        ValueError: a file does not have the form of W-NUT 2017, or is not the published one.

    Example:
        >>> sentences = load_wnut17()["train"]
        >>> list(zip(sentences["words"][0], sentences["tags"][0]))[14:17]
        [('Empire', 'B-location'), ('State', 'I-location'), ('Building', 'I-location')]

    Reference: Derczynski et al., "Results of the WNUT2017 Shared Task on Novel and Emerging Entity Recognition", 2017.
    Terms: CC BY 4.0.
    """
    return {_PARTS[name]: _read(path) for name, path in WNUT17.paths(folder).items()}


def _read(path: Path) -> pd.DataFrame:
    sentences: list[tuple[list[str], list[str]]] = []
    inside = False
    try:
        # Not splitlines(), which also breaks lines at characters that are words here.
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
            if not line.strip():  # between two sentences; in the training part this line holds a tab
                inside = False
                continue
            if not inside:
                sentences.append(([], []))
                inside = True
            word, _, tag = line.rstrip("\r").partition("\t")
            if not word or tag not in _TAGS:
                raise ValueError(f"line {number} is {line!r}. {_WANTED}")
            sentences[-1][0].append(word)
            sentences[-1][1].append(tag)
    except ValueError as error:  # a UnicodeDecodeError is one
        raise WNUT17.not_one(path, error) from error
    if not sentences:
        raise WNUT17.not_one(path, f"it is empty. {_WANTED}")
    return pd.DataFrame(sentences, columns=["words", "tags"])
