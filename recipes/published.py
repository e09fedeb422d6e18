"""python -m recipes.published FOLDER: published weights, fine-tuned on AG News, on films and on pairs of questions.

AG News: 4,000 articles, as a small budget; 500 steps of 8 articles, as in the lecture; and the 26,954 articles of
`recipes.ag_news`. Films and questions: the rows of `recipes.own_classes`. Each classifier is measured once, on all test
rows, beside a baseline without a network that has learned from the same rows. The settings are one choice for all sets;
none was tuned.

If the command is killed, run it again to resume. The data are downloaded, or read from the folders that AG_NEWS_DIR,
SST_DIR and QUORA_PAIRS_DIR name. The numbers beside this file are for all-MiniLM-L6-v2, and for a twentieth of Quora's
pairs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from course.errors import as_course_errors
from course.training.articles import AG_NEWS
from recipes import own_classes
from recipes.published_results import FRESH, PRETRAINED, RESULTS, SETS, keep, section_of
from recipes.stages import run_stages

_SETTINGS = ["--max-length", "64", "--average", "--learning-rate", "1e-4", "--layer-decay", "0.9"]
_LENGTHS = {
    "articles": ["--rows", "4000", "--epochs", "2"],
    "lecture": ["--rows", "4444", "--epochs", "1", "--batch-size", "8"],  # a tenth is held out: 4,000 in 500 steps
    "recipe": ["--rows", "26954", "--epochs", "2"],
}


def stages(name: str, source: Path, to: Path) -> dict[str, list[str]]:
    """The arguments of `python -m course` for each part of the work on a set, in their order."""
    settings = [*_SETTINGS, "--from", str(source)]
    if name in _LENGTHS:
        finetune = ["finetune", AG_NEWS, *_LENGTHS[name], *settings]
    else:
        texts = [word for column in own_classes.TEXTS[name] for word in ("--text", column)]
        finetune = ["finetune", str(to / "train.csv"), *texts, "--label", "label", "--test", str(to / "test.csv")]
        finetune += ["--rows", str(own_classes.MOST_ROWS), "--epochs", "2", *settings]
    commands = {
        "fine-tune": [*finetune, "--to", str(to / PRETRAINED)],
        "evaluate": ["evaluate", str(to / PRETRAINED), "--baseline"],
    }
    if name == "articles":
        commands["fine-tune the twin"] = [*finetune, "--fresh", "--no-baseline", "--to", str(to / FRESH)]
        commands["evaluate the twin"] = ["evaluate", str(to / FRESH), "--no-baseline"]
    return commands


def main(
    source: Annotated[Path, typer.Argument(help="The folder of published weights.")],
    sets: Annotated[
        list[str] | None, typer.Argument(help=f"Which of {', '.join(SETS)}; all by default. The others keep theirs.")
    ] = None,
    to: Annotated[Path, typer.Option(help="The folder for all outputs.")] = Path("build/published"),
) -> None:
    """Runs the stages that are not finished, and writes the results beside this file."""
    for name in sets or SETS:
        folder = to / source.name / name  # other weights have runs of their own
        if name in own_classes.TEXTS:
            with as_course_errors():
                own_classes.write_tables(name, folder)
        seconds = run_stages(stages(name, source, folder), folder / "times.json")
        keep(name, folder, source.name, seconds)
    Console(stderr=True).print(f"{RESULTS}: written", style="green")
    Console().print(section_of(RESULTS))


if __name__ == "__main__":
    typer.run(main)
