"""python -m course tag: finds the names in texts of one's own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from course.commands.terminal import errors, output
from course.commands.typed_lines import typed_lines
from course.errors import CourseError, as_course_errors

Form = Literal["text", "html", "conll"]


def tag(
    texts: Annotated[
        list[str] | None, typer.Argument(help="The texts; without any, each line of the standard input is one.")
    ] = None,
    *,
    tagger: Annotated[Path, typer.Option(help="The tagger's folder; it is trained first, if it is not there.")] = Path(
        "build/tagger"
    ),
    form: Annotated[
        Form, typer.Option("--as", help="Coloured text, a page of HTML, or CoNLL: a word and its tag on each line.")
    ] = "text",
    to: Annotated[Path | None, typer.Option(help="A file to write to, instead of the standard output.")] = None,
    source: Annotated[
        Path | None,
        typer.Option("--from", help="To train: a pretrained encoder's folder; the course's small one by default."),
    ] = None,
    articles: Annotated[int, typer.Option(min=1, max=4000, help="To train: how many articles of the sample.")] = 500,
    epochs: Annotated[int, typer.Option(min=1, help="To train: how often these are read.")] = 3,
    learning_rate: Annotated[float, typer.Option(help="To train: the highest one. Large encoders want 5e-5.")] = 1e-3,
    any_order: Annotated[
        bool, typer.Option("--any-order", help="Each word its likeliest tag, in whatever order; no Viterbi.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="What everything random starts from.")] = 0,
) -> None:
    """Marks the names of persons, places, organizations and products.

    It has learned them from the made-up world of the course's sample. A file goes in by < texts.txt.
    """
    given = [text for text in texts or typed_lines() if text.strip()]
    if not given:
        raise CourseError("there is no text. Name some, in quotes, or pass a file with one on each line: < texts.txt")
    if not tagger.exists():
        _train(tagger, source, articles, epochs, learning_rate, seed)
    from course.applications.tagging.showing import as_conll, as_page, in_terminal, kinds_of
    from course.applications.tagging.tagger import load_tagger
    from course.storage.outputs import write_text

    taught = load_tagger(tagger)
    found = taught.tag(given, allowed_only=not any_order)
    kinds = kinds_of(taught.tags)
    if form == "text" and to is None:
        for one in found:
            output.print(in_terminal(one, kinds))
        return
    written = {"text": lambda: "".join(f"{in_terminal(one, kinds).plain}\n" for one in found)}
    written |= {"html": lambda: as_page(found, kinds), "conll": lambda: as_conll(found)}
    if to is None:
        sys.stdout.write(written[form]())
        return
    write_text(to, written[form]())
    errors.print(f"{to}: {sum(len(one.names()) for one in found)} names in {len(found)} texts.", style="green")


def _train(to: Path, source: Path | None, articles: int, epochs: int, learning_rate: float, seed: int) -> None:
    """Teaches a tagger by the first articles of the sample."""
    import keras

    from course.applications.tagging.tagger import Tagger, save_tagger
    from course.applications.tagging.texts import SAMPLE_KINDS, sample_texts, tag_names
    from course.applications.tagging.training import train_tagger
    from course.data.datasets import load_sample
    from course.data.datasets.sample_encoder import SAMPLE_ENCODER
    from course.entities import TokenClassifier
    from course.training.encoder_source import from_folder

    with errors.status("Reading"), as_course_errors():
        found = from_folder(source or SAMPLE_ENCODER)
        keras.utils.set_random_seed(seed)
        tags = tag_names(SAMPLE_KINDS)
        taught = Tagger(TokenClassifier(found.make("float32"), len(tags)), found.vocabulary, tags, found.lowercase)
        shown = sample_texts(load_sample()[:articles], taught.tokenizer)
        rows = taught.rows([one.text for one in shown], [one.offsets for one in shown])
    columns: list[Any] = [
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    ]
    with Progress(*columns, console=errors) as progress, as_course_errors():
        task = progress.add_task(f"Training {to}", total=None)

        def on_step(done: int, total: int, loss: float) -> None:
            progress.update(task, completed=done, total=total, description=f"Training {to}, loss {loss:.3f}")

        train_tagger(
            taught.model,
            rows.inputs,
            rows.labels(shown, taught.tag_ids),
            learning_rate=learning_rate,
            epochs=epochs,
            seed=seed,
            on_step=on_step,
        )
    save_tagger(to, taught)
    errors.print(f"{to}: the tagger.", style="green")
