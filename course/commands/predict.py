"""python -m course predict: classify your own texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from course.commands.terminal import errors, output
from course.commands.typed_lines import given_texts
from course.errors import CourseError

if TYPE_CHECKING:
    from course.training.classifier_file import Reader


def predict(
    classifier: Annotated[Path, typer.Argument(help="A classifier.keras that `finetune` wrote.")],
    texts: Annotated[
        list[str] | None, typer.Argument(help="The texts; by default, each line of the standard input is one.")
    ] = None,
    *,
    table: Annotated[
        Path | None,
        typer.Option("--file", help="A table with the texts instead: .csv, .tsv, .jsonl or .parquet, also .gz."),
    ] = None,
    text: Annotated[
        list[str] | None,
        typer.Option(help="Of the table: the column with the texts; by default its name in the training."),
    ] = None,
    to: Annotated[
        Path | None,
        typer.Option(help="Where to write the rows of the table and their predictions: .csv, .tsv or .jsonl."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each text.")] = False,
) -> None:
    """Predict the class of each text, and its probability.

    Separate the two texts of a pair, such as a title and an article, by a tab. Tables of any length work: the command
    reads a few rows at a time.
    """
    if table is not None or to is not None or text:
        if as_json:
            raise CourseError("--json is for texts in the terminal; a table's kind is its name's. Write to a .jsonl.")
        _predict_table(classifier, texts, table, text, to)
        return
    given = given_texts(texts)
    from course.evaluation.measures import probabilities
    from course.training.classifier_file import load_classifier
    from course.training.logits import predict_logits

    model, reader = load_classifier(classifier)
    shares = probabilities(predict_logits(model, reader.read(*_parts(given, reader))))
    if as_json:
        for typed, row in zip(given, shares, strict=True):
            rounded = {name: round(float(share), 4) for name, share in zip(reader.class_names, row, strict=True)}
            answer = {"text": typed, "class": reader.class_names[row.argmax()], "probabilities": rounded}
            print(json.dumps(answer, ensure_ascii=False))
        return
    answers = Table("class", "probability", "text")
    for typed, row in zip(given, shares, strict=True):
        answers.add_row(Text(reader.class_names[row.argmax()]), f"{row.max():.1%}", Text(typed.replace("\t", ": ")))
    output.print(answers)


def _parts(given: list[str], reader: Reader) -> tuple[list[str], ...]:
    """Return the texts; for pairs, all first and all second parts. The first part, such as a title, may be missing."""
    if len(reader.text_columns) == 1:
        return (given,)
    pairs = [text.partition("\t") if "\t" in text else ("", "", text) for text in given]
    return [first for first, _, _ in pairs], [second for _, _, second in pairs]


def _predict_table(
    classifier: Path, texts: list[str] | None, table: Path | None, text: list[str] | None, to: Path | None
) -> None:
    if table is None or to is None or texts:
        raise CourseError(
            "to classify a table, give both --file DATA.csv (to read) and --to FILE.csv (to write), and no other text."
        )
    from course.training.classified_table import classify_table
    from course.training.classifier_file import load_classifier

    model, reader = load_classifier(classifier)
    with errors.status("Reading") as status:
        count = classify_table(
            model, reader, table, text or reader.text_columns, to, lambda done: status.update(f"{done:,} rows")
        )
    output.print(f"{to}: {count:,} rows", style="green")
