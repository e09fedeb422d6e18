"""What came of encoders that went on learning by other objectives, by `python -m recipes.objectives`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pandas as pd

OBJECTIVES_FILE = Path(__file__).parents[2] / "datasets" / "full_objectives.json.gz"


def load_objective_runs() -> pd.DataFrame:
    """A row for each run of `python -m recipes.objectives`.

    They are `objective`, `seed`, `steps`, `f1`, `low` and `high`: how many steps the course's small encoder went on
    learning, and the F1 of the tagger of names that then began with it, with what it is on other articles, by the
    bootstrap. An objective of "none" did not go on.

    Raises:
        FileNotFoundError: the file is not where the course keeps it.
    """
    return pd.DataFrame(_read()["runs"])


def load_detective_history() -> pd.DataFrame:
    """What ELECTRA's detective could do, on texts that it had not read, at some steps of each seed.

    They are `seed`, `step`, and as shares `fakes` (how much of the words is replaced), `fakes_found` (of these) and
    `false_alarms` (of the others).

    Raises:
        FileNotFoundError: the file is not where the course keeps it.
    """
    return pd.DataFrame(_read()["detective"])


def _read() -> dict[str, list[dict[str, float]]]:
    with gzip.open(OBJECTIVES_FILE, "rt", encoding="utf-8") as file:
        return dict(json.load(file))
