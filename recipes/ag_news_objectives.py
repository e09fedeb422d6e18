"""python -m recipes.ag_news_objectives: the AG News recipe with each objective, for the same processor time.

With each objective, the recipe pretrains an encoder of its sizes from nothing on its corpus, for the same processor
minutes. It then fine-tunes each encoder, and a twin without pretraining, on part of the articles from several seeds.
All are measured once, at the end, on the test articles. Everything runs in one thread and counts processor time, so
other programs on the machine slow it down without changing what is learned.

If the command is killed, run it again to resume. `AG_NEWS_DIR` names a folder with train.csv and test.csv; by default,
AG News is downloaded.
"""

from __future__ import annotations

import json
import math
import os
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pandas as pd
import typer
from rich.console import Console
from rich.progress import Progress, TextColumn

from course.commands.pretrain import ProgressBar
from course.data.corpus.token_arrays import TokenArrays
from course.evaluation.measures import deviation, paired_difference
from course.storage.outputs import write_json
from course.training.articles import AG_NEWS, Choice
from course.training.classifier_file import load_classifier
from course.training.finetuning import classifiers
from course.training.history import History, Row
from course.training.logits import predict_logits
from course.training.pretrainers import ELECTRA, PAIRS, SPANS, WORDS
from course.training.pretraining import Watcher, pretrain
from course.training.pretraining_data import rows_to_learn
from course.training.pretraining_settings import Settings
from recipes.ag_news import PRETRAINING, SEEDS, stages
from recipes.ag_news_objectives_page import section_of
from recipes.page import keep_section
from recipes.paths import OBJECTIVES, PAGE, Paths
from recipes.stages import run_stages

NONE = "none"  # the twin that was not pretrained
# The settings of each pretraining, by its name here and in the results.
WAYS = {
    PAIRS: Settings(**PRETRAINING, objective=PAIRS),
    WORDS: Settings(**PRETRAINING, objective=WORDS),
    f"{WORDS} packed": Settings(**PRETRAINING, objective=WORDS, packed=True),
    SPANS: Settings(**PRETRAINING, objective=SPANS),
    ELECTRA: Settings(**PRETRAINING, objective=ELECTRA),
}
_STEPS_OF_PACE = 100  # steps to measure the time of one step
_ONE_THREAD = {"TF_NUM_INTRAOP_THREADS": "1", "TF_NUM_INTEROP_THREADS": "1", "OMP_NUM_THREADS": "1"}


@dataclass
class Clock:
    """Counts the tokens that a pretraining reads, and the processor seconds that this takes, per row of its history.

    The first step after each start is not counted, because it is compiled.

    Attributes:
        path: the file of the rows, each with "step", "tokens" (without padding) and "seconds". If a run was killed,
            rows after its checkpoint are dropped, as in its history.
        watcher: receives all calls, too.
    """

    path: Path
    watcher: Watcher
    rows: list[dict[str, float]] = field(default_factory=list)
    _tokens: int = 0
    _since: float = math.nan

    def begin(self, total: int, done: int) -> None:
        """Reads the rows of earlier starts."""
        rows = json.loads(self.path.read_text(encoding="utf-8")) if self.path.exists() else []
        self.rows = [row for row in rows if row["step"] <= done]
        self.watcher.begin(total, done)

    def step(self, tokens: int) -> None:
        """Counts a step, if it is not the first one."""
        if math.isnan(self._since):
            self._since = time.process_time()
        else:
            self._tokens += tokens
        self.watcher.step(tokens)

    def row(self, row: Row) -> None:
        """Writes a row with what was counted since the last one."""
        now = time.process_time()
        self.rows.append({"step": row["step"], "tokens": self._tokens, "seconds": now - self._since})
        write_json(self.path, self.rows)
        self._tokens, self._since = 0, now
        self.watcher.row(row)


def loss_by_frequency(corpus: TokenArrays) -> float:
    """The loss of a model that predicts each word by its frequency alone: -Σ p log p."""
    probabilities = corpus.word_probabilities()
    probabilities = probabilities[probabilities > 0]
    return float(-np.sum(probabilities * np.log(probabilities)))


def folder_of(to: Path, way: str) -> Path:
    """The folder of one way of pretraining."""
    return to / way.replace(" ", "-")


def timed_pretraining(corpus: TokenArrays, folder: Path, settings: Settings, steps: int) -> list[dict[str, float]]:
    """Pretrains for this number of steps, or resumes. Returns the rows of its clock."""
    # Half a step less ends at the same step, whichever way the division is rounded.
    epochs = (steps - 0.5) / rows_to_learn(corpus, settings).batches_per_epoch
    columns = [TextColumn("{task.description} of {task.total}"), TextColumn("{task.fields[losses]}")]
    with Progress(*columns, console=Console(stderr=True)) as progress:
        clock = Clock(folder / "clock.json", ProgressBar(progress))
        pretrain(corpus, folder, replace(settings, epochs=epochs), clock)
    return clock.rows


def steps_in(seconds: float, corpus: TokenArrays, folder: Path, settings: Settings) -> int:
    """How many steps a processor makes in this time. A short run measures it, and later starts reuse its result.

    The learning rate falls to 0 at the last step, so the number of steps must be known before the first one.
    """
    file = folder / "pace.json"
    if not file.exists():
        rows = timed_pretraining(corpus, folder / "pace", settings, _STEPS_OF_PACE)
        # The first step was not counted.
        write_json(file, {"seconds a step": sum(row["seconds"] for row in rows) / (rows[-1]["step"] - 1)})
    step_seconds = json.loads(file.read_text(encoding="utf-8"))["seconds a step"]
    return max(1, round(seconds / step_seconds / settings.log_every)) * settings.log_every


def fine_tuning(to: Path, rows: int, seeds: int) -> dict[str, list[str]]:
    """The arguments of `python -m course` for each fine-tuning.

    The names of the stages contain the rows and the seeds, so that a start with more seeds trains the missing ones.
    """
    recipes = {way: stages(Paths(folder_of(to, way))) for way in WAYS}
    twin, commands = recipes[PAIRS], {}
    for way in (NONE, *WAYS):
        arguments = twin["fine-tune the twin"] if way == NONE else recipes[way]["fine-tune"]
        # If an option occurs twice, the last one counts.
        commands[f"fine-tune {way}, {seeds} x {rows}"] = [*arguments, "--seeds", str(seeds), "--rows", str(rows)]
    return commands


def main(
    to: Annotated[Path, typer.Option(help="The folder for all outputs.")] = Path("build/ag_news_objectives"),
    minutes: Annotated[float, typer.Option(help="Processor minutes for each pretraining.")] = 8.0,
    batch_tokens: Annotated[int, typer.Option(min=128, help="Tokens in a batch; fewer make more steps.")] = 2048,
    rows: Annotated[int, typer.Option(min=40, help="How many articles each fine-tuning has.")] = 1000,
    seeds: Annotated[int, typer.Option(min=1, help="How many times each encoder is fine-tuned.")] = SEEDS,
) -> None:
    """Runs the stages that are not finished, and writes the results beside this file."""
    os.environ.update(_ONE_THREAD)
    prepare = stages(Paths(to))["prepare"]
    run_stages({"prepare": prepare}, Paths(to).times)
    corpus, pretrainings = TokenArrays(Paths(to).corpus), {}
    for way, recipe in WAYS.items():
        settings = replace(recipe, batch_tokens=batch_tokens)
        paths = Paths(folder_of(to, way))
        Console(stderr=True).rule(f"pretrain {way}")
        steps = steps_in(60 * minutes, corpus, paths.folder, settings)
        rows_of_clock = timed_pretraining(corpus, paths.encoder, settings, steps)
        pretrainings[way] = read_in(rows_of_clock, History(paths.encoder, until=steps).rows)
    run_stages(fine_tuning(to, rows, seeds), Paths(to).times)
    folders = {NONE: Paths(folder_of(to, PAIRS)).fresh, **{way: Paths(folder_of(to, way)).pretrained for way in WAYS}}
    test = Choice(AG_NEWS).read().test
    right = {way: right_of(classifiers(folder)[:seeds], test) for way, folder in folders.items()}
    asked: dict[str, float] = {"minutes": minutes, "batch_tokens": batch_tokens, "rows": rows}
    asked["articles"], asked["loss_by_frequency"] = corpus.description["documents"], loss_by_frequency(corpus)
    write_json(OBJECTIVES, summary(asked, pretrainings, right))
    keep_section(PAGE, section_of(OBJECTIVES))
    Console().print(section_of(OBJECTIVES))


def right_of(files: list[Path], test: pd.DataFrame) -> np.ndarray:
    """Which of the articles each of these classifiers gets right: (seeds, articles)."""
    right = []
    for file in files:
        model, reader = load_classifier(file)
        right.append(predict_logits(model, reader.read_frame(test)).argmax(axis=1) == test["label"].to_numpy())
    return np.array(right)


def summary(
    settings: dict[str, Any], pretrainings: dict[str, dict[str, float]], right: dict[str, np.ndarray]
) -> dict[str, Any]:
    """The stored results of a run.

    Args:
        settings: the options of the command, and what they imply.
        pretrainings: for each way the result of `read_in`.
        right: for each way the result of `right_of`.
    """
    shares = {way: of_seeds.mean(axis=0) for way, of_seeds in right.items()}
    objectives = {}
    for way, of_seeds in right.items():
        accuracies = of_seeds.mean(axis=1).tolist()
        objectives[way] = {
            "pretraining": pretrainings.get(way),
            "accuracies": accuracies,
            "mean": float(np.mean(accuracies)),
            "deviation": deviation(accuracies),
            "gain": None if way == PAIRS else paired_difference(shares[way], shares[PAIRS]),
        }
    return {"settings": {**settings, "test_articles": len(shares[PAIRS])}, "objectives": objectives}


def read_in(rows: list[dict[str, float]], history: list[Row]) -> dict[str, float]:
    """A pretraining's steps, minutes and speed, and its mean word loss over the last ten rows of its history."""
    tokens, seconds = sum(row["tokens"] for row in rows), sum(row["seconds"] for row in rows)
    steps, loss = int(rows[-1]["step"]), float(np.mean([row["masked_lm_loss"] for row in history[-10:]]))
    return {"steps": steps, "minutes": seconds / 60, "tokens_per_second": tokens / seconds, "loss": loss}


if __name__ == "__main__":
    typer.run(main)
