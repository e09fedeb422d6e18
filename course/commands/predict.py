"""python -m course predict: what a classifier says of texts of one's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from course.commands.terminal import errors, output
from course.commands.typed_lines import typed_lines
from course.errors import CourseError

if TYPE_CHECKING:
    from course.training.classifier_file import Reader


def predict(
    classifier: Annotated[Path, typer.Argument(help="A classifier.keras that `finetune` wrote.")],
    texts: Annotated[
        list[str] | None, typer.Argument(help="The texts; without any, each line of the standard input is one.")
    ] = None,
    *,
    table: Annotated[
        Path | None,
        typer.Option("--file", help="A table with the texts instead: .csv, .tsv, .jsonl or .parquet, also .gz."),
    ] = None,
    text: Annotated[
        list[str] | None,
        typer.Option(help="Of the table: the column with the texts; by default what it was called in the training."),
    ] = None,
    to: Annotated[
        Path | None,
        typer.Option(help="Where to write the rows of the table and what is said of them: .csv, .tsv or .jsonl."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each text.")] = False,
) -> None:
    """Says of each text which class it is of, and how sure that is.

    A pair of texts, such as a title and what is below it, has a tab between its parts. A table is read a few rows at a
    time, however long it is.
    """
    if table is not None or to is not None or text:
        _predict_table(classifier, texts, table, text, to)
        return
    given = [text for text in texts or typed_lines() if text.strip()]
    if not given:
        raise CourseError("there is no text. Name some, in quotes, or pass a file with one on each line: < texts.txt")
    from course.evaluation.measures import probabilities
    from course.training.classifier_file import load_classifier
    from course.training.logits import predict_logits

    model, reader = load_classifier(classifier)
    shares = probabilities(predict_logits(model, reader.read(*_parts(given, reader))))
    if as_json:
        for said, row in zip(given, shares, strict=True):
            each = {name: round(float(share), 4) for name, share in zip(reader.class_names, row, strict=True)}
            answer = {"text": said, "class": reader.class_names[row.argmax()], "probabilities": each}
            print(json.dumps(answer, ensure_ascii=False))
        return
    shown = Table("class", "probability", "text")
    for said, row in zip(given, shares, strict=True):
        shown.add_row(Text(reader.class_names[row.argmax()]), f"{row.max():.1%}", Text(said.replace("\t", ": ")))
    output.print(shown)


def _parts(given: list[str], reader: Reader) -> tuple[list[str], ...]:
    """The texts; of pairs, all first and all second parts. An article may go without a title."""
    if len(reader.text_columns) == 1:
        return (given,)
    pairs = [text.partition("\t") if "\t" in text else ("", "", text) for text in given]
    return [first for first, _, _ in pairs], [second for _, _, second in pairs]


def _predict_table(
    classifier: Path, texts: list[str] | None, table: Path | None, text: list[str] | None, to: Path | None
) -> None:
    if table is None or to is None or texts:
        raise CourseError(
            "a table is read with --file DATA.csv and written with --to FILE.csv, both, and no other text."
        )
    from course.training.classified_table import classify_table
    from course.training.classifier_file import load_classifier

    model, reader = load_classifier(classifier)
    with errors.status("Reading") as status:
        count = classify_table(
            model, reader, table, text or reader.text_columns, to, lambda done: status.update(f"{done:,} rows")
        )
    output.print(f"{to}: {count:,} rows", style="green")
