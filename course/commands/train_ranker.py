"""python -m course train-ranker: queries and what answers them to a ranker, by which `search` orders documents."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Literal

import typer

from course.commands.terminal import errors, output
from course.errors import CourseError, as_course_errors
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
    text: Annotated[str, typer.Option(help="The column with what answers each.")],
    kind: Annotated[
        Kind,
        typer.Option(
            help="maxsim: a vector for each word; dssm: one for each text; cross: both texts are read in one row; "
            "cedr: the same, beside histograms of similar words."
        ),
    ] = "maxsim",
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            help="What `pretrain` wrote, or a folder of published weights; by default the course's "
            "small encoder, which knows the sample alone.",
        ),
    ] = None,
    to: Annotated[Path, typer.Option(help="The folder of the ranker; a new one.")] = Path("build/ranker"),
    epochs: Annotated[int, typer.Option(min=1, help="How often all pairs are read.")] = 4,
    learning_rate: Annotated[float, typer.Option(help="The highest one. Large encoders want 2e-5.")] = 5e-4,
    batch_size: Annotated[int, typer.Option(min=2, help="Pairs in a batch.")] = 32,
    query_length: Annotated[int, typer.Option(min=3, help="The longest query, in tokens; longer ones are cut.")] = 32,
    text_length: Annotated[int, typer.Option(min=3, help="The same of a text.")] = 96,
    width: Annotated[int, typer.Option(min=1, help="Of maxsim: how many numbers the vector of a word has.")] = 32,
    negatives: Annotated[
        int, typer.Option(min=1, help="Of cross and cedr: wrong texts for each query, the likest ones by BM25.")
    ] = 3,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="What everything random starts from.")] = 0,
) -> None:
    """Teaches a ranker which text answers a query: its own, and not those of other queries.

    Titles and the texts below them will do where nobody has written down queries. A row in which one of the two has no
    word is left out.
    """
    if to.exists():
        raise CourseError(f"{to} is there already. Name a new folder by --to, or delete it.")
    require_writable(to.parent)
    from course.applications.retrieval.teaching import Lesson, teach
    from course.applications.retrieval.trained_ranker import save_ranker
    from course.data.datasets.sample_encoder import SAMPLE_ENCODER
    from course.training.encoder_source import from_folder

    queries, texts, left_out = _read(pairs, query, text)
    with errors.status(f"Training on {len(queries):,} pairs"), as_course_errors():
        lesson = Lesson(epochs, learning_rate, batch_size, query_length, text_length, width, negatives, seed)
        ranker, losses = teach(kind, from_folder(source or SAMPLE_ENCODER), queries, texts, lesson)
    if not all(map(math.isfinite, losses)):
        raise CourseError("the loss is not finite any more. Try a smaller --learning-rate.")
    save_ranker(to, ranker)
    if left_out:
        output.print(f"Rows without a query or without a text, left out: {left_out:,}.")
    output.print(f"Loss of each epoch: {', '.join(f'{loss:.3f}' for loss in losses)}.")
    output.print(f"{to}: a ranker of the kind {kind}, {ranker.fingerprint}", style="green")


def _read(pairs: Path, query: str, text: str) -> tuple[list[str], list[str], int]:
    """The queries, what answers each, and how many rows lack one of the two, or both.

    Raises:
        CourseError: it is no table, or has no such column, or too few pairs.
    """
    from course.applications.search.words import search_words
    from course.data.tables.table import read_table

    rows = [(row[query], row[text]) for row in read_table(pairs, [query, text])]
    kept = [row for row in rows if all(map(search_words, row))]
    if len(kept) < 2:
        raise CourseError(
            f"{pairs} has {len(kept)} pairs of a query and a text. There must be a batch of them or more."
        )
    return [one for one, _ in kept], [other for _, other in kept], len(rows) - len(kept)
