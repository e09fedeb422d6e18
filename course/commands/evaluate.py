"""python -m course evaluate: measure a classifier on texts that it has not seen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from course.commands.baseline import wanted
from course.commands.terminal import errors, output
from course.errors import CourseError

if TYPE_CHECKING:
    from course.training.articles import Articles


def evaluate(
    classifier: Annotated[Path, typer.Argument(help="A folder that `finetune` wrote, or a .keras file in it.")] = Path(
        "build/classifier"
    ),
    articles: Annotated[
        str | None,
        typer.Argument(
            help="The test texts; by default those of the training; or sample, ag_news, a folder, or a table with "
            "classes (.csv, .tsv, .jsonl, .parquet, also .gz), of which all rows are used."
        ),
    ] = None,
    *,
    text: Annotated[
        list[str] | None, typer.Option(help="The column of a table with the texts; by default as in the training.")
    ] = None,
    label: Annotated[
        str | None, typer.Option(help="The column of a table with the classes; by default as in the training.")
    ] = None,
    to: Annotated[
        Path | None, typer.Option(help="The folder to write to; by default `evaluation` beside the classifier.")
    ] = None,
    baseline: Annotated[
        bool | None,
        typer.Option(
            "--baseline/--no-baseline",
            help="Whether to measure the baseline without a network, too; by default, if that takes 5 minutes at most.",
        ),
    ] = None,
) -> None:
    """Measure classifiers on the test texts: accuracy, F1, calibration, and errors.

    Keep the test texts for the end. If you choose a model by them, you measure how well you chose.
    """
    from course.commands.evaluation_report import evaluate as run
    from course.commands.evaluation_report import measure_baseline, why_no_baseline
    from course.evaluation.baseline import verdict
    from course.training.finetuning import classifiers

    files = classifiers(classifier)
    folder = to or (classifier if classifier.is_dir() else classifier.parent) / "evaluation"
    with errors.status("Reading the test articles"):
        texts = _texts(files[0], articles, text, label)
    if texts.left_out:
        errors.print(f"Rows without a text or without a label, left out: {texts.left_out:,}.")
    measured = None
    if wanted(baseline, why_no_baseline(texts)):
        with errors.status("Measuring the baseline"):
            measured = measure_baseline(texts)
    with errors.status(f"Measuring on {len(texts.test):,} texts"):
        results = run(files, texts, folder, measured)
    table = Table("classifier", "accuracy", "95% interval", "macro F1", "calibration error")
    rows = dict(results["classifiers"])
    if "baseline" in results:
        rows[f"baseline: {results['baseline']['kind']}"] = results["baseline"]
    for name, numbers in rows.items():
        low, high = numbers["interval"]
        error = f"{numbers['calibration_error']:.3f}" if "calibration_error" in numbers else ""
        table.add_row(
            name, f"{numbers['accuracy']:.2%}", f"{low:.2%} to {high:.2%}", f"{numbers['macro_f1']:.4f}", error
        )
    output.print(table)
    mean = results["mean_accuracy"]
    if mean["deviation"] is not None:
        output.print(f"Mean: {mean['mean']:.2%} ± {mean['deviation']:.2%}")
    if "mean_less_baseline" in results:
        gap = results["mean_less_baseline"]
        output.print(verdict(gap["difference"], *gap["interval"]))
    output.print(f"{folder / 'report.md'}: written, with figures and tables beside it", style="green")


def _texts(classifier: Path, named: str | None, text: list[str] | None, label: str | None) -> Articles:
    """Return the texts to measure on: the named articles, a table, or the test texts of the training."""
    from course.training.articles import Choice
    from course.training.classifier_file import load_classifier
    from course.training.custom_texts import OwnTexts, read_test
    from course.training.finetuning import choice_of

    choice_of_training = choice_of(classifier)
    if named and Path(named).is_file():
        label = label or (choice_of_training.label if isinstance(choice_of_training, OwnTexts) else None)
        if label is None:
            raise CourseError(f"which column of {named} holds the classes? Name it: --label COLUMN.")
        _, reader = load_classifier(classifier)
        return read_test(Path(named), tuple(text or reader.text_columns), label, reader.class_names)
    if text or label:
        raise CourseError("--text and --label need a table. Name one: evaluate CLASSIFIER DATA.csv.")
    choice = Choice(named) if named else choice_of_training
    if choice is None:
        raise CourseError(
            f"the training texts of {classifier} are not known. Name the articles: sample, ag_news, a folder, a table."
        )
    return choice.read()
