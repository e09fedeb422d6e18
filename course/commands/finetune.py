"""python -m course finetune: train an encoder to classify articles, or your own texts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import Progress

from course.commands.baseline import choose_before_training, compare_after_training
from course.commands.given_options import given_options
from course.commands.interrupts import interruptible
from course.commands.pretrain import Precision, Preset
from course.commands.terminal import errors, output, progress_bar
from course.errors import CourseError, as_course_errors
from course.storage.alone import require_alone

if TYPE_CHECKING:
    from course.training.articles import Choice
    from course.training.custom_texts import OwnTexts


class ProgressBar:
    """Show the progress of the trainings, and the accuracy after each epoch."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("Starting", total=None, result="")

    def begin(self, seed: int, total: int) -> None:
        self._progress.reset(self._task, description=f"Seed {seed}", total=total, result="")

    def step(self, loss: float) -> None:
        self._progress.advance(self._task)

    def row(self, row: dict[str, float]) -> None:
        result = f"epoch {row['epoch']}: loss {row['loss']:.3f}, held-out accuracy {row['held_out_accuracy']:.2%}"
        self._progress.update(self._task, result=result)


def finetune(
    context: typer.Context,
    articles: Annotated[
        str,
        typer.Argument(
            help="sample, ag_news, a folder with AG News's train.csv and test.csv, or, with --text and --label, a "
            "table of your own: .csv, .tsv, .jsonl or .parquet, also .gz."
        ),
    ] = "sample",
    *,
    text: Annotated[
        list[str] | None,
        typer.Option(
            help="Of a table: the column with the texts; give it twice for pairs. In a file without a header, its "
            "number, from 1 on."
        ),
    ] = None,
    label: Annotated[
        str | None, typer.Option(help="Of a table: the column with the classes, named or numbered.")
    ] = None,
    test: Annotated[
        Path | None,
        typer.Option(help="Of a table: another table to test on; by default, a tenth of the rows is set apart."),
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--from", help="What `pretrain` wrote, or a folder of published weights.")
    ] = None,
    preset: Annotated[
        Preset, typer.Option(help="Without --from: the size of an encoder with random weights.")
    ] = "mini",
    fresh: Annotated[
        bool, typer.Option("--fresh", help="With --from: the same sizes and vocabulary, but no pretraining.")
    ] = False,
    to: Annotated[Path, typer.Option(help="The folder for all results.")] = Path("build/classifier"),
    seeds: Annotated[int, typer.Option(min=1, help="How often to train, each time from another seed.")] = 1,
    epochs: Annotated[int, typer.Option(min=1, help="The largest number of epochs.")] = 4,
    patience: Annotated[int, typer.Option(min=1, help="Stop after this many epochs without a new best one.")] = 2,
    learning_rate: Annotated[float, typer.Option(help="The peak. Large encoders want 2e-5 to 5e-5.")] = 3e-4,
    layer_decay: Annotated[
        float, typer.Option(help="Each lower layer has the learning rate of the layer above times this.")
    ] = 0.8,
    warmup: Annotated[
        float, typer.Option(min=0, max=0.99, help="Share of the steps in which the learning rate rises.")
    ] = 0.1,
    batch_size: Annotated[int, typer.Option(min=1, help="Articles in a batch.")] = 32,
    dropout: Annotated[
        float | None,
        typer.Option(min=0, max=0.9, help="Share of features to drop; by default as in pretraining."),
    ] = None,
    word_dropout: Annotated[
        float, typer.Option(min=0, max=0.9, help="Share of the words to hide in each training step.")
    ] = 0.0,
    average: Annotated[
        bool, typer.Option("--average", help="Classify by the mean over all tokens, too, not by [CLS] alone.")
    ] = False,
    max_length: Annotated[int, typer.Option(min=4, help="The longest article, in tokens; longer ones are cut.")] = 128,
    held_out: Annotated[float, typer.Option(help="The share of the articles that decides when to stop.")] = 0.1,
    rows: Annotated[int | None, typer.Option(min=2, help="How many articles to train on; all by default.")] = None,
    dtype: Annotated[Precision, typer.Option(help="The numbers to compute with.")] = "float32",
    baseline: Annotated[
        bool | None,
        typer.Option(
            "--baseline/--no-baseline",
            help="Whether to measure a baseline without a network first; by default, if that takes 5 minutes at most.",
        ),
    ] = None,
) -> None:
    """Train an encoder to classify articles, or your own texts, once for each seed, and compare it with a baseline.

    Stop it whenever you like; the same command resumes after the last finished epoch.
    """
    if fresh and source is None:
        raise CourseError("--fresh belongs to --from FOLDER; without --from, the encoder is not pretrained anyway.")
    if source is not None and given_options(context, ["preset"]):
        raise CourseError("--preset belongs to a new encoder; the size of --from is fixed.")
    if not 0 < layer_decay <= 1:
        raise CourseError(f"--layer-decay must be above 0 and at most 1. Given: {layer_decay}.")
    from course.evaluation.baseline import verdict
    from course.training.articles import whole_texts
    from course.training.classifier_training import Recipe
    from course.training.encoder_source import from_folder, from_preset
    from course.training.finetuning import Task, require_same_settings
    from course.training.finetuning import finetune as run

    with errors.status("Reading"), as_course_errors():
        choice = _choice(articles, text, label, test, held_out, rows)
        parts = choice.read()
        if source:
            source_of_encoder = from_folder(source)
        else:
            source_of_encoder = from_preset(preset, whole_texts(parts.training, parts.text_columns), max_length)
        source_of_encoder = source_of_encoder.fresh() if fresh else source_of_encoder
        dropout = source_of_encoder.arguments["dropout"] if dropout is None else dropout
        recipe = Recipe(
            learning_rate=learning_rate,
            layer_decay=layer_decay,
            batch_size=batch_size,
            epochs=epochs,
            warmup=warmup,
            patience=patience,
            dropout=dropout,
        )
        task = Task(
            source_of_encoder.with_dropout(dropout), choice, parts, recipe, max_length, dtype, word_dropout, average
        )
    if parts.left_out:
        tested = ", or with a text of --test" if test else ""
        errors.print(f"Rows without a text or without a label{tested}, left out: {parts.left_out:,}.")
    require_same_settings(task, to)
    chosen = choose_before_training(parts, baseline)
    with (
        progress_bar("result", counts=True) as progress,
        interruptible("the epoch") as stop,
        require_alone(to),
    ):
        results = run(task, range(1, seeds + 1), to, ProgressBar(progress), stop)
    if text:
        names = ", ".join(parts.class_names[:8]) + (", ..." if len(parts.class_names) > 8 else "")
        output.print(f"Classes: {names}")
    accuracy = results["held_out_accuracy"]
    spread = "" if accuracy["deviation"] is None else f" ± {accuracy['deviation']:.2%}"
    output.print(f"Held-out accuracy: {accuracy['mean']:.2%}{spread}")
    if chosen:
        with errors.status("Comparing with the baseline"):
            gap = compare_after_training(to, parts, chosen)["mean_less_baseline"]
        output.print(f"On the held-out texts: {verdict(gap['difference'], *gap['interval'])}")
    output.print(f"{to}: written. To measure it on the test texts: python -m course evaluate {to}", style="green")


def _choice(
    articles: str, text: list[str] | None, label: str | None, test: Path | None, held_out: float, rows: int | None
) -> Choice | OwnTexts:
    from course.data.tables.table import column_names
    from course.training.articles import Choice
    from course.training.custom_texts import OwnTexts

    if text and label:
        return OwnTexts(Path(articles), tuple(text), label, test, held_out, rows)
    if Path(articles).is_file():
        raise CourseError(
            f"which columns of {articles} hold the texts and their classes? Name both: --text COLUMN --label COLUMN. "
            f"It seems to have {', '.join(f'{name:.30}' for name in column_names(Path(articles)))}."
        )
    if text or label or test:
        raise CourseError("a table of your own needs both --text COLUMN and --label COLUMN.")
    return Choice(articles, held_out, rows)
