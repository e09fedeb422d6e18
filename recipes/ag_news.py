"""python -m recipes.ag_news: AG News from nothing but its own text, on a laptop.

The vocabulary is learned from the articles to train on. The encoder is pretrained on them, and fine-tuned on them,
three times; so is its twin that was not pretrained. All are measured on the test articles once, at the end, beside
TF-IDF on the same articles. What was chosen (sizes, epochs, learning rates) was chosen by articles to train on, held
out.

Killed at any moment, the same command goes on.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from course.data.datasets import ag_news
from course.training.articles import AG_NEWS
from recipes.ag_news_results import keep, section_of
from recipes.paths import RESULTS, Paths
from recipes.stages import run_stages

VARIABLE = ag_news.AG_NEWS.variable  # names the folder of the articles to every command
SEEDS = 3
# By the names of `course.training.pretraining.Settings`.
PRETRAINING: dict[str, Any] = {
    "preset": "mini",
    "layers": 2,
    "learning_rate": 1e-3,
    "warmup": 0.05,
    "batch_tokens": 2048,
    "num_buckets": 24,
    "attention_dropout": 0.0,
}
_OPTIONS = {"num_buckets": "buckets"}  # where an option has another name
_FINE_TUNING = ["--seeds", str(SEEDS), "--held-out", "0.05", "--epochs", "2", "--learning-rate", "5e-4"]
_FINE_TUNING += ["--layer-decay", "0.9", "--average"]


def stages(paths: Paths) -> dict[str, list[str]]:
    """The arguments of `python -m course` for each part of the work, in their order."""
    corpus, encoder = str(paths.corpus), str(paths.encoder)
    pretrain = ["pretrain", corpus, "--epochs", "16", "--log-every", "50"]
    for name, value in PRETRAINING.items():
        pretrain += ["--" + _OPTIONS.get(name, name).replace("_", "-"), str(value)]
    finetune = ["finetune", AG_NEWS, "--from", encoder, *_FINE_TUNING]
    return {
        "prepare": ["prepare", AG_NEWS, "--to", corpus],
        "pretrain": [*pretrain, "--to", encoder],
        "fine-tune": [*finetune, "--to", str(paths.pretrained)],
        "fine-tune the twin": [*finetune, "--fresh", "--to", str(paths.fresh)],
        "evaluate": ["evaluate", str(paths.pretrained)],
        "evaluate the twin": ["evaluate", str(paths.fresh)],
    }


def main(
    articles: Annotated[
        Path | None,
        typer.Argument(
            help="The folder with train.csv and test.csv; without it AG News is downloaded.", envvar=VARIABLE
        ),
    ] = None,
    to: Annotated[Path, typer.Option(help="The folder for all that comes of it.")] = Path("build/ag_news"),
) -> None:
    """Does what is not done yet, and writes the results beside this file."""
    if articles:
        os.environ[VARIABLE] = str(articles)  # where the commands look for it
    paths = Paths(to)
    seconds = run_stages(stages(paths), paths.times)
    keep(paths, seconds, os.cpu_count() or 1)
    Console(stderr=True).print(f"{RESULTS}: written", style="green")
    Console().print(section_of(RESULTS))


if __name__ == "__main__":
    typer.run(main)
