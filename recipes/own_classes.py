"""python -m recipes.own_classes: the accuracy of `python -m course finetune DATA.csv` on two realistic tables.

Films: the five classes of SST's sentences. Questions: do two of Quora's ask the same? The course's small encoder has
read neither. It is fine-tuned on each from three seeds, and so is its twin with fresh weights. Both are measured once,
on unseen rows, and compared with a baseline without a network on the same rows. All settings except the seeds and the
number of rows are the command's defaults; none was tuned. What the encoder learned from a made-up world does not help:
on films, its twin is better, and the baseline is better than both.

If the command is killed, run it again to resume. The data are downloaded, or read from the folders that SST_DIR and
QUORA_PAIRS_DIR name. The numbers beside this file are for a twentieth of Quora's pairs, 20,212 of 404,290.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pandas as pd
import typer
from rich.console import Console

from course.data.datasets import load_quora_pairs, load_sst
from course.data.datasets.sample_encoder import SAMPLE_ENCODER
from course.errors import as_course_errors
from course.storage.atomic import atomic_file
from recipes.own_classes_results import RESULTS, SAME, STARTS, keep, section_of
from recipes.quora_pairs import split
from recipes.stages import run_stages

SEEDS, MOST_ROWS = 3, 8000
TEXTS = {"films": ("sentence",), "questions": ("question1", "question2")}
CLASSES = {False: "different", True: SAME}


def tables() -> dict[str, dict[str, pd.DataFrame]]:
    """For each set the training rows and the test rows, with the column `label`."""
    films, questions = load_sst(), split(load_quora_pairs())
    return {
        "films": {part: films[part] for part in ("train", "test")},
        "questions": {
            part: questions[part].assign(label=questions[part]["is_duplicate"].map(CLASSES))
            for part in ("train", "test")
        },
    }


def write_tables(name: str, to: Path) -> None:
    """Writes the training rows and the test rows of a set as tables for `python -m course finetune`."""
    for part, rows in tables()[name].items():
        with atomic_file(to / f"{part}.csv") as draft:
            rows[[*TEXTS[name], "label"]].to_csv(draft, index=False)


def stages(to: Path) -> dict[str, list[str]]:
    """The arguments of `python -m course` for each part of the work, in their order."""
    commands = {}
    for name, columns in TEXTS.items():
        texts = [word for column in columns for word in ("--text", column)]
        finetune = ["finetune", str(to / name / "train.csv"), *texts, "--label", "label"]
        finetune += ["--test", str(to / name / "test.csv"), "--from", str(SAMPLE_ENCODER)]
        finetune += ["--seeds", str(SEEDS), "--rows", str(MOST_ROWS)]
        for start in STARTS:
            fresh = ["--fresh", "--no-baseline"] if start == "fresh" else []
            commands[f"{name}, {start}"] = [*finetune, *fresh, "--to", str(to / name / start)]
        for start in STARTS:
            baseline = "--no-baseline" if start == "fresh" else "--baseline"
            commands[f"{name}, {start}, evaluate"] = ["evaluate", str(to / name / start), baseline]
    return commands


def main(
    to: Annotated[Path, typer.Option(help="The folder for all outputs.")] = Path("build/own_classes"),
) -> None:
    """Runs the stages that are not finished, and writes the results beside this file."""
    with as_course_errors():
        for name in TEXTS:
            write_tables(name, to / name)
    run_stages(stages(to), to / "times.json")
    keep(to)
    Console(stderr=True).print(f"{RESULTS}: written", style="green")
    Console().print(section_of(RESULTS))


if __name__ == "__main__":
    typer.run(main)
