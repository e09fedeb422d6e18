"""python -m course train-ranker: train a ranker for `search` on queries and the texts that answer them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from course.commands.terminal import errors, output
from course.errors import CourseError, as_course_errors, require_finite
from course.storage.atomic import require_writable

Kind = Literal["maxsim", "dssm", "cross", "cedr"]


def train_ranker(
    pairs: Annotated[
        Path, typer.Argument(help="A table: .csv, .tsv, .jsonl or .parquet, also .gz. Each row is a pair.")
    ],
    *,
    query: Annotated[
        str, typer.Option(help="The column with the queries, such as titles; its number in a file without a header.")
    ],
    text: Annotated[str, typer.Option(help="The column with the texts that answer them.")],
    kind: Annotated[
        Kind,
        typer.Option(
            help="maxsim: a vector for each word; dssm: one for each text; cross: reads both texts in one row; "
            "cedr: like cross, with histograms of similar words."
        ),
    ] = "maxsim",
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            help="What `pretrain` wrote, or a folder of published weights; by default the course's "
            "small encoder, which was pretrained on the sample alone.",
        ),
    ] = None,
    to: Annotated[Path, typer.Option(help="The folder of the ranker; a new one.")] = Path("build/ranker"),
    epochs: Annotated[int, typer.Option(min=1, help="How often to read all pairs.")] = 4,
    learning_rate: Annotated[float, typer.Option(help="The peak. Large encoders want 2e-5.")] = 5e-4,
    batch_size: Annotated[int, typer.Option(min=2, help="Pairs in a batch.")] = 32,
    query_length: Annotated[int, typer.Option(min=3, help="The longest query, in tokens; longer ones are cut.")] = 32,
    text_length: Annotated[int, typer.Option(min=3, help="The longest text, in tokens; longer ones are cut.")] = 96,
    width: Annotated[int, typer.Option(min=1, help="For maxsim: the dimension of a word's vector.")] = 32,
    negatives: Annotated[
        int, typer.Option(min=1, help="For cross and cedr: wrong texts for each query, those that BM25 ranks highest.")
    ] = 3,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="The seed of everything random.")] = 0,
) -> None:
    """Train a ranker to find the text that answers a query among those of other queries.

    If you have no queries, titles and their texts will do. Rows in which the query or the text has no word are left
    out.
    """
    if to.exists():
        raise CourseError(f"{to} exists already. Name a new folder with --to, or delete it.")
    require_writable(to.parent)
    from course.applications.retrieval.teaching import Lesson, teach
    from course.applications.retrieval.trained_ranker import save_ranker
    from course.data.datasets.sample_encoder import SAMPLE_ENCODER
    from course.training.encoder_source import from_folder

    queries, texts, left_out = _read(pairs, query, text)
    with errors.status(f"Training on {len(queries):,} pairs"), as_course_errors():
        lesson = Lesson(epochs, learning_rate, batch_size, query_length, text_length, width, negatives, seed)
        ranker, losses = teach(kind, from_folder(source or SAMPLE_ENCODER), queries, texts, lesson)
    require_finite(losses)
    save_ranker(to, ranker)
    if left_out:
        output.print(f"Rows without a query or without a text, left out: {left_out:,}.")
    output.print(f"Loss of each epoch: {', '.join(f'{loss:.3f}' for loss in losses)}.")
    output.print(f"{to}: a ranker of the kind {kind}, {ranker.fingerprint}", style="green")


def _read(pairs: Path, query: str, text: str) -> tuple[list[str], list[str], int]:
    """Return the queries, the text that answers each, and how many rows lack the query or the text.

    Raises:
        CourseError: the file is not a table, has no such column, or has too few pairs.
    """
    from course.applications.search.words import search_words
    from course.data.tables.table import read_table

    rows = [(row[query], row[text]) for row in read_table(pairs, [query, text])]
    complete = [row for row in rows if all(map(search_words, row))]
    if len(complete) < 2:
        raise CourseError(
            f"{pairs} has {len(complete)} pairs of a query and a text. Training needs a batch of them or more."
        )
    return [asked for asked, _ in complete], [answer for _, answer in complete], len(rows) - len(complete)
