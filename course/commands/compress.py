"""python -m course compress: distil a classifier into a smaller one."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from course.commands.terminal import errors, output, progress_bar
from course.errors import CourseError, Stopped, as_course_errors
from course.storage.atomic import atomic_folder, require_writable
from course.storage.outputs import write_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from course.applications.distillation.compressing import Measured


def compress(
    classifier: Annotated[
        Path, typer.Argument(help="The teacher: a folder that `finetune` wrote, or a .keras file in it.")
    ],
    texts: Annotated[
        Path,
        typer.Argument(help="A table of texts to learn from: .csv, .tsv, .jsonl or .parquet, also .gz."),
    ],
    *,
    text: Annotated[
        list[str] | None,
        typer.Option(help="The column with the texts; by default its name in the teacher's training."),
    ] = None,
    label: Annotated[
        str | None, typer.Option(help="The column with the classes, if there is one; its cells may be empty.")
    ] = None,
    to: Annotated[Path, typer.Option(help="The folder of the small classifier; a new one.")] = Path("build/small"),
    layers: Annotated[
        int | None, typer.Option(min=1, help="How many of the teacher's blocks the student has; half by default.")
    ] = None,
    temperature: Annotated[
        float, typer.Option(help="Above 0: the higher, the more the teacher's small probabilities count.")
    ] = 2.0,
    alpha: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            help="The weight of the teacher against the labels. Texts without a label use the teacher alone.",
        ),
    ] = 0.5,
    epochs: Annotated[int, typer.Option(min=1, help="How often to read the texts.")] = 4,
    learning_rate: Annotated[float, typer.Option(help="The peak. Large encoders want 2e-5 to 5e-5.")] = 3e-4,
    batch_size: Annotated[int, typer.Option(min=1, help="Texts in a batch.")] = 32,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="The seed of everything random.")] = 1,
    int8: Annotated[
        bool,
        typer.Option("--int8", help="Store the weights in 8 bits: a quarter of the disk size, the same latency."),
    ] = False,
) -> None:
    """Make a small classifier from some of a classifier's blocks, and teach it to answer like the whole.

    Texts need no labels: the teacher's probabilities replace them. A tenth of the texts is held out, and both models
    are measured on it. Take texts that the teacher has not learned from; or, with --label, its own table: if each row
    has a class, and `finetune` had no --test, the held-out tenth is the one that `finetune` set apart. A stopped
    command leaves nothing, and starts over.
    """
    if to.exists():
        raise CourseError(f"{to} exists already. Name a new folder with --to, or delete it.")
    from course.applications.distillation.compressing import Recipe, measure, read_texts, teach
    from course.training.classifier_file import load_classifier, save_classifier
    from course.training.finetuning import CLASSIFIER, RESULTS, only_classifier

    with errors.status("Reading"), as_course_errors():
        recipe = Recipe(layers, temperature, alpha, epochs, learning_rate, batch_size, seed)
        teacher, reader = load_classifier(only_classifier(classifier))
        reader = reader.of_columns(text or reader.text_columns)
        samples = read_texts(texts, reader, label)
    require_writable(to.parent)
    if samples.left_out:
        errors.print(f"Rows without a text, left out: {samples.left_out:,}.")
    try:
        with progress_bar(counts=True) as progress, as_course_errors():
            task = progress.add_task("Teaching", total=recipe.steps(len(samples.training.labels)))
            student, losses = teach(teacher, samples.training, recipe, lambda loss: progress.advance(task))
        with errors.status("Measuring"):
            measured = measure(teacher, student, samples.held_out)
        with atomic_folder(to) as draft:
            file = f"seed-{seed}/{CLASSIFIER}"
            save_classifier(draft / file, student, reader, int8)
            settings = {
                "teacher": str(classifier),
                "texts": str(texts.resolve()),
                "text": reader.text_columns,
                "label": label,
                **asdict(recipe),
                "layers": student.encoder.num_layers,
                "int8": int8,
            }
            models = [asdict(row) for row in measured]
            write_json(draft / RESULTS, {"settings": settings, "losses": losses, "models": models})
    except KeyboardInterrupt as error:
        raise Stopped("the training was stopped, and nothing was written. The same command starts over.") from error
    _show(measured, len(samples.held_out.labels))
    output.print(f"{to / file}: written, {(to / file).stat().st_size / 1e6:,.1f} MB", style="green")


def _show(measured: Sequence[Measured], count: int) -> None:
    table = Table("classifier", "right", "as the teacher", "MB", "ms a text", title=f"On {count:,} held-out texts")
    for row in measured:
        right = "" if row.accuracy is None else f"{row.accuracy:.1%}"
        time = "" if row.milliseconds is None else f"{row.milliseconds:.2f}"
        table.add_row(row.name, right, f"{row.agreement:.1%}", f"{row.megabytes:,.2f}", time)
    output.print(table)
