"""python -m course predict: what a classifier says of texts of one's own."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from course.commands.terminal import output
from course.errors import CourseError


def predict(
    classifier: Annotated[Path, typer.Argument(help="A classifier.keras that `finetune` wrote.")],
    texts: Annotated[
        list[str] | None, typer.Argument(help="The texts; without any, each line of the standard input is one.")
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each text.")] = False,
) -> None:
    """Says of each text which class it is of, and how sure that is.

    In a text with a tab, what stands before the tab is its title.
    """
    given = texts or [line.rstrip("\n") for line in sys.stdin]
    given = [text for text in given if text.strip()]
    if not given:
        raise CourseError("there is no text. Name some, in quotes, or pass a file with one on each line: < texts.txt")
    from course.evaluation.measures import probabilities
    from course.training.classifier_file import load_classifier
    from course.training.length_batches import predict_logits

    model, reader = load_classifier(classifier)
    parts = [text.partition("\t") if "\t" in text else ("", "", text) for text in given]
    inputs = reader.read([title for title, _, _ in parts], [description for _, _, description in parts])
    shares = probabilities(predict_logits(model, inputs))
    if as_json:
        for text, row in zip(given, shares, strict=True):
            said = {name: round(float(share), 4) for name, share in zip(reader.class_names, row, strict=True)}
            answer = {"text": text, "class": reader.class_names[row.argmax()], "probabilities": said}
            print(json.dumps(answer, ensure_ascii=False))
        return
    table = Table("class", "probability", "text")
    for text, row in zip(given, shares, strict=True):
        table.add_row(reader.class_names[row.argmax()], f"{row.max():.1%}", Text(text.replace("\t", ": ")))
    output.print(table)
