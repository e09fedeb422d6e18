"""The recorded results of full trainings on AG News, which take hours.

`python -m recipes.ag_news` makes them; recipes/README.md says how.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from course.storage.bundled import DATASETS
from course.storage.packed import read_packed

PRETRAINING_FILE = DATASETS / "full_pretraining.json.gz"
FINE_TUNING_FILE = DATASETS / "full_fine_tuning.json.gz"


class FullPretraining(NamedTuple):
    """A BERT with 2 layers of 256 features, pretrained on 26,954 articles of AG News in 24 epochs.

    Attributes:
        history: a row for each 50 steps: `step`, `masked_lm_loss`, `masked_lm_accuracy`, `next_sentence_loss`,
            `next_sentence_accuracy` and more.
        neighbours: for some words, the words whose embeddings are nearest at the end.
    """

    history: pd.DataFrame
    neighbours: dict[str, list[str]]


class FullFineTuning(NamedTuple):
    """Classifiers of AG News from that encoder, and from its twin with fresh weights; each from three seeds.

    Attributes:
        history: a row for each epoch of each classifier: `start` ("pretrained" or "fresh"), `seed`, `epoch`, `loss`,
            `held_out_loss` and `held_out_accuracy`.
        test: a row for each classifier, and one for the baseline of `course.evaluation.baseline`: `start`, `seed`, and
            the `accuracy` on 7,600 test articles.
    """

    history: pd.DataFrame
    test: pd.DataFrame


def load_full_pretraining() -> FullPretraining:
    """Load the full pretraining that comes with the course.

    Raises:
        FileNotFoundError: its file is not where the course keeps it.

    Example:
        >>> full = load_full_pretraining()
        >>> full.history["masked_lm_loss"].iloc[-1]
    """
    recorded = _read(PRETRAINING_FILE)
    return FullPretraining(pd.DataFrame(recorded["history"]), recorded["neighbours"])


def load_full_fine_tuning() -> FullFineTuning:
    """Load the full fine-tuning that comes with the course.

    Raises:
        FileNotFoundError: its file is not where the course keeps it.

    Example:
        >>> full = load_full_fine_tuning()
        >>> full.test.groupby("start")["accuracy"].mean()
    """
    recorded = _read(FINE_TUNING_FILE)
    return FullFineTuning(pd.DataFrame(recorded["history"]), pd.DataFrame(recorded["test"]))


def _read(path: Path) -> Any:
    if not path.is_file():
        raise FileNotFoundError(
            f"the full run is not in {path}. It belongs to the course's folder, next to `course`; in a clone of the "
            "repository, `git checkout datasets` brings it back"
        )
    return read_packed(path)
