"""python -m course evaluate: how good a classifier is, on articles that it has not seen."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from course.commands.terminal import errors, output
from course.errors import CourseError


def evaluate(
    classifier: Annotated[Path, typer.Argument(help="A folder that `finetune` wrote, or a .keras file in it.")] = Path(
        "build/classifier"
    ),
    articles: Annotated[
        str | None, typer.Argument(help="By default those of the training; or sample, ag_news, or a folder.")
    ] = None,
    *,
    to: Annotated[
        Path | None, typer.Option(help="The folder to write to; by default `evaluation` beside the classifier.")
    ] = None,
) -> None:
    """Measures classifiers on the test articles: accuracy, F1, calibration, and what they get wrong.

    Test articles are for the end. Whoever chooses by them measures how well they chose.
    """
    from course.commands.evaluation_report import evaluate as run
    from course.training.articles import Choice
    from course.training.finetuning import choice_of, classifiers

    files = classifiers(classifier)
    folder = to or (classifier if classifier.is_dir() else classifier.parent) / "evaluation"
    choice = Choice(articles) if articles else choice_of(files[0])
    if choice is None:
        raise CourseError(
            f"what {files[0]} has learned from is not known. Name the articles: sample, ag_news, a folder."
        )
    with errors.status(f"Reading the test articles of {choice.source}"):
        results = run(files, choice.read(), folder)
    table = Table("classifier", "accuracy", "95% interval", "macro F1", "calibration error")
    named = {"TF-IDF, same articles": results["tfidf"]}
    for name, numbers in {**results["classifiers"], **named}.items():
        low, high = numbers["interval"]
        error = f"{numbers['calibration_error']:.3f}" if "calibration_error" in numbers else ""
        table.add_row(
            name, f"{numbers['accuracy']:.2%}", f"{low:.2%} to {high:.2%}", f"{numbers['macro_f1']:.4f}", error
        )
    output.print(table)
    mean, gap = results["mean_accuracy"], results["first_less_tfidf"]
    if mean["deviation"] is not None:
        output.print(f"Mean: {mean['mean']:.2%} ± {mean['deviation']:.2%}")
    low, high = gap["interval"]
    output.print(f"The first less TF-IDF: {gap['difference']:+.2%} ({low:+.2%} to {high:+.2%})")
    output.print(f"{folder / 'report.md'}: written, with figures and tables beside it", style="green")
