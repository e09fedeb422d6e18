"""python -m course evaluate: measure a classifier on texts that it has not seen."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from course.commands.baseline import wanted
from course.commands.terminal import errors, output
from course.errors import CourseError

if TYPE_CHECKING:
    from course.training.articles import Articles

_ENDING = re.compile(r"\.(csv|tsv|jsonl|parquet)(\.gz)?$", re.IGNORECASE)  # of a table


def evaluate(
    classifier: Annotated[
        Path, typer.Argument(help="A folder that `finetune` or `compress` wrote, or a .keras file in it.")
    ] = Path("build/classifier"),
    articles: Annotated[
        str | None,
        typer.Argument(
            help="The test texts; by default those of the training by `finetune`; or sample, ag_news, a folder, or a "
            "table with classes (.csv, .tsv, .jsonl, .parquet, also .gz), of which all rows are used."
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
        Path | None,
        typer.Option(
            help="The folder to write to; by default `evaluation` beside the classifier, and with other articles "
            "`evaluation-` and their name, so both are kept."
        ),
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
    from course.commands.evaluation_report import measure_baseline, rows_of, verdicts, why_no_baseline
    from course.training.finetuning import CLASSIFIER, classifiers

    files = classifiers(classifier)
    of = f"-{_ENDING.sub('', Path(articles).absolute().name)}" if articles else ""
    folder = to or (classifier if classifier.is_dir() else classifier.parent) / f"evaluation{of}"
    if any(folder.glob(f"seed-*/{CLASSIFIER}")):
        raise CourseError(
            f"{folder} holds classifiers, whose results.json would be lost. Name another folder with --to."
        )
    with errors.status("Reading the test articles"):
        texts = _texts(files[0], articles, text, label)
    where = f" of {articles}" if articles else ""
    if texts.left_out:
        errors.print(f"Rows without a text or without a label, left out: {texts.left_out:,}.")
    measured = None
    if wanted(baseline, why_no_baseline(texts)):
        with errors.status("Measuring the baseline"):
            measured = measure_baseline(texts)
    with errors.status(f"Measuring on {len(texts.test):,} texts{where}"):
        results = run(files, texts, folder, measured, where)
    table = Table("classifier", "accuracy", "95% interval", "macro F1", "calibration error")
    for name, numbers in rows_of(results).items():
        low, high = numbers["interval"]
        table.add_row(
            name,
            f"{numbers['accuracy']:.2%}",
            f"{low:.2%} to {high:.2%}",
            f"{numbers['macro_f1']:.4f}",
            f"{numbers['calibration_error']:.3f}",
        )
    output.print(table)
    mean = results["mean_accuracy"]
    if mean["deviation"] is not None:
        output.print(f"Mean: {mean['mean']:.2%} ± {mean['deviation']:.2%}")
    for line in verdicts(results):
        output.print(line)
    output.print(f"{folder / 'report.md'}: written, with figures and tables beside it", style="green")


def _texts(classifier: Path, named: str | None, text: list[str] | None, label: str | None) -> Articles:
    """Return the texts to measure on: the named articles, a table, or the test texts of the training.

    Training and held-out texts are those of the classifier, if they are known, for the baseline to learn from.
    """
    from course.training.articles import Choice
    from course.training.classifier_file import load_classifier
    from course.training.custom_texts import OwnTexts, read_test
    from course.training.finetuning import choice_of, table_of

    choice_of_training = choice_of(classifier)
    if named and Path(named).is_file():
        if isinstance(choice_of_training, OwnTexts):
            label = label or choice_of_training.label
        if (table := table_of(classifier)) is not None and table.resolve() == Path(named).resolve():
            apart = "no table, and it is measured on the texts that were set apart; or " if choice_of_training else ""
            raise CourseError(f"the classifier has learned from {named}. Name {apart}a table of other texts.")
        if label is None:
            raise CourseError(f"which column of {named} holds the classes? Name it: --label COLUMN.")
        _, reader = load_classifier(classifier)
        return read_test(Path(named), tuple(text or reader.text_columns), label, reader.class_names)
    if text or label:
        wanted_table = f"and there is no file {named}. Name one" if named else "Name one: evaluate CLASSIFIER DATA.csv"
        raise CourseError(f"--text and --label need a table, {wanted_table}.")
    if named is None:
        if choice_of_training is None:
            raise CourseError(
                f"the training texts of {classifier} are not known. Name the articles: sample, ag_news, a folder, a "
                "table."
            )
        return choice_of_training.read()
    test = Choice(named).read()
    if isinstance(choice_of_training, Choice):
        known = choice_of_training.read()
        return replace(known, test=test.test)
    nothing = test.test.iloc[:0]
    return replace(test, training=nothing, held_out=nothing)
