"""python -m recipes.ag_news: AG News from nothing but its own text, on a laptop.

The recipe learns a vocabulary from the training articles, pretrains an encoder on them, and fine-tunes it on them from
three seeds. It fine-tunes a twin without pretraining in the same way. All classifiers are measured once, at the end, on
the test articles, and compared with a
baseline without a network. Sizes, epochs and learning rates were chosen on held-out training articles.

The numbers beside this file are for 26,954 of the 120,000 training articles, in a folder that AG_NEWS_DIR named.
Without a folder, the recipe downloads all of them, takes several times as long, and replaces these numbers.

If the command is killed, run it again to resume.
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

VARIABLE = ag_news.AG_NEWS.variable  # the environment variable where every command looks for the articles
SEEDS = 3
# Fields of `course.training.pretraining_settings.Settings`.
PRETRAINING: dict[str, Any] = {
    "preset": "mini",
    "layers": 2,
    "learning_rate": 1e-3,
    "warmup": 0.05,
    "batch_tokens": 2048,
    "num_buckets": 24,
    "attention_dropout": 0.0,
}
_OPTIONS = {"num_buckets": "buckets"}  # options whose names differ from the field's
_FINE_TUNING = ["--seeds", str(SEEDS), "--held-out", "0.05", "--epochs", "2", "--learning-rate", "5e-4"]
_FINE_TUNING += ["--layer-decay", "0.9", "--average"]


def stages(paths: Paths) -> dict[str, list[str]]:
    """The arguments of `python -m course` for each part of the work, in their order."""
    corpus, encoder = str(paths.corpus), str(paths.encoder)
    pretrain = ["pretrain", corpus, "--epochs", "24", "--log-every", "50"]
    for name, value in PRETRAINING.items():
        pretrain += ["--" + _OPTIONS.get(name, name).replace("_", "-"), str(value)]
    finetune = ["finetune", AG_NEWS, "--from", encoder, *_FINE_TUNING]
    return {
        "prepare": ["prepare", AG_NEWS, "--to", corpus],
        "pretrain": [*pretrain, "--to", encoder],
        "fine-tune": [*finetune, "--to", str(paths.pretrained)],
        "fine-tune the twin": [*finetune, "--fresh", "--no-baseline", "--to", str(paths.fresh)],
        "evaluate": ["evaluate", str(paths.pretrained), "--baseline"],  # however long it takes: `keep` wants it
        "evaluate the twin": ["evaluate", str(paths.fresh), "--no-baseline"],
    }


def main(
    articles: Annotated[
        Path | None,
        typer.Argument(
            help="The folder with train.csv and test.csv. By default, AG News is downloaded.", envvar=VARIABLE
        ),
    ] = None,
    to: Annotated[Path, typer.Option(help="The folder for all outputs.")] = Path("build/ag_news"),
) -> None:
    """Runs the stages that are not finished, and writes the results beside this file."""
    if articles:
        os.environ[VARIABLE] = str(articles)  # the commands look there
    paths = Paths(to)
    seconds = run_stages(stages(paths), paths.times)
    keep(paths, seconds, os.cpu_count() or 1)
    Console(stderr=True).print(f"{RESULTS}: written", style="green")
    Console().print(section_of(RESULTS))


if __name__ == "__main__":
    typer.run(main)
