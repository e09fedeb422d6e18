"""python -m course tag: find the names in your own texts."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from course.commands.given_options import given_options, require_untrained
from course.commands.terminal import errors, output, progress_bar
from course.commands.typed_lines import given_texts
from course.errors import as_course_errors, require_finite
from course.storage.atomic import require_writable

Form = Literal["text", "html", "conll"]


def tag(
    context: typer.Context,
    texts: Annotated[
        list[str] | None, typer.Argument(help="The texts; by default, each line of the standard input is one.")
    ] = None,
    *,
    tagger: Annotated[
        Path, typer.Option(help="The tagger's folder; if it does not exist, it is trained first.")
    ] = Path("build/tagger"),
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
    learning_rate: Annotated[float, typer.Option(help="To train: the peak. Large encoders want 5e-5.")] = 1e-3,
    any_order: Annotated[
        bool,
        typer.Option("--any-order", help="Give each word its likeliest tag, even in an invalid order; no Viterbi."),
    ] = False,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="To train: the seed of everything random.")] = 0,
) -> None:
    """Mark the names of persons, places, organizations and products.

    The tagger has learned from the made-up world of the course's sample. To tag a file's lines, append < texts.txt.
    """
    given = given_texts(texts)
    is_new = not tagger.exists()
    if is_new:
        _train(tagger, source, articles, epochs, learning_rate, seed)
    from course.applications.tagging.showing import as_conll, as_page, in_terminal, kinds_of
    from course.applications.tagging.tagger import load_tagger
    from course.storage.outputs import write_text

    trained = load_tagger(tagger)
    if not is_new:
        for_training = given_options(context, ("source", "articles", "epochs", "learning_rate", "seed"))
        require_untrained(tagger, for_training, "folder with --tagger")
    tagged = trained.tag(given, allowed_only=not any_order)
    kinds = kinds_of(trained.tags)
    if form == "text" and to is None:
        for tagged_text in tagged:
            output.print(in_terminal(tagged_text, kinds))
        return
    writers = {"text": lambda: "".join(f"{in_terminal(tagged_text, kinds).plain}\n" for tagged_text in tagged)}
    writers |= {"html": lambda: as_page(tagged, kinds), "conll": lambda: as_conll(tagged)}
    if to is None:
        sys.stdout.write(writers[form]())
        return
    write_text(to, writers[form]())
    errors.print(
        f"{to}: {sum(len(tagged_text.names()) for tagged_text in tagged)} names in {len(tagged)} texts.", style="green"
    )


def _train(to: Path, source: Path | None, articles: int, epochs: int, learning_rate: float, seed: int) -> None:
    """Train a tagger on the first articles of the sample."""
    import keras

    from course.applications.tagging.tagger import Tagger, save_tagger
    from course.applications.tagging.texts import SAMPLE_KINDS, sample_texts, tag_names
    from course.applications.tagging.training import train_tagger
    from course.data.datasets import load_sample
    from course.data.datasets.sample_encoder import SAMPLE_ENCODER
    from course.entities import TokenClassifier
    from course.training.encoder_source import from_folder

    require_writable(to.parent)
    with errors.status("Reading"), as_course_errors():
        encoder = from_folder(source or SAMPLE_ENCODER)
        keras.utils.set_random_seed(seed)
        tags = tag_names(SAMPLE_KINDS)
        trained = Tagger(
            TokenClassifier(encoder.make("float32"), len(tags)), encoder.vocabulary, tags, encoder.lowercase
        )
        examples = sample_texts(load_sample()[:articles], trained.tokenizer)
        rows = trained.rows([example.text for example in examples], [example.offsets for example in examples])
    with progress_bar() as progress, as_course_errors():
        task = progress.add_task(f"Training {to}", total=None)

        def on_step(done: int, total: int, loss: float) -> None:
            progress.update(task, completed=done, total=total, description=f"Training {to}, loss {loss:.3f}")

        losses = train_tagger(
            trained.model,
            rows.inputs,
            rows.labels(examples, trained.tag_ids),
            learning_rate=learning_rate,
            epochs=epochs,
            seed=seed,
            on_step=on_step,
        )
    require_finite(losses)
    save_tagger(to, trained)
    errors.print(f"{to}: the tagger.", style="green")
