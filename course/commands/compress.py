"""python -m course compress: a classifier to a smaller one, which learns from it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from course.commands.terminal import errors, output
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
        typer.Option(help="The column with the texts; by default what it was called in the teacher's training."),
    ] = None,
    label: Annotated[
        str | None, typer.Option(help="The column with the classes, if there is one; its cells may be empty.")
    ] = None,
    to: Annotated[Path, typer.Option(help="The folder of the small classifier; a new one.")] = Path("build/small"),
    layers: Annotated[
        int | None, typer.Option(min=1, help="How many of the teacher's blocks it has; half by default.")
    ] = None,
    temperature: Annotated[
        float, typer.Option(help="Above 0: the higher, the more the teacher's small probabilities count.")
    ] = 2.0,
    alpha: Annotated[
        float,
        typer.Option(
            min=0, max=1, help="How much the teacher counts beside the labels. Where there are none, it alone counts."
        ),
    ] = 0.5,
    epochs: Annotated[int, typer.Option(min=1, help="How often to read the texts.")] = 4,
    learning_rate: Annotated[float, typer.Option(help="The highest one. Large encoders want 2e-5 to 5e-5.")] = 3e-4,
    batch_size: Annotated[int, typer.Option(min=1, help="Texts in a batch.")] = 32,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="What everything random starts from.")] = 1,
    int8: Annotated[
        bool,
        typer.Option("--int8", help="Keep the weights in 8 bits. They take a quarter of the room, and no less time."),
    ] = False,
) -> None:
    """Makes a small classifier: some of a classifier's blocks, which learn to answer as it does.

    Texts need no labels: the teacher's probabilities do. A tenth of them is held out, and both are measured on it. Take
    texts that the teacher has not learned from; or, with --label, its own table: where each row has a class, that tenth
    is what `finetune` has set apart. A command that was stopped leaves nothing, and begins anew.
    """
    if to.exists():
        raise CourseError(f"{to} is there already. Name a new folder by --to, or delete it.")
    from course.applications.distillation.compressing import Recipe, measure, read_texts, teach
    from course.training.classifier_file import load_classifier, save_classifier
    from course.training.finetuning import CLASSIFIER, RESULTS

    with errors.status("Reading"), as_course_errors():
        recipe = Recipe(layers, temperature, alpha, epochs, learning_rate, batch_size, seed)
        teacher, reader = load_classifier(_only(classifier))
        reader = reader.of_columns(text or reader.text_columns)
        found = read_texts(texts, reader, label)
    require_writable(to.parent)
    if found.left_out:
        errors.print(f"Rows without a text, left out: {found.left_out:,}.")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=errors) as progress, as_course_errors():
            task = progress.add_task("Teaching", total=recipe.steps(len(found.training.labels)))
            student, losses = teach(teacher, found.training, recipe, lambda loss: progress.advance(task))
        with errors.status("Measuring"):
            measured = measure(teacher, student, found.held_out)
        with atomic_folder(to) as draft:
            file = f"seed-{seed}/{CLASSIFIER}"
            save_classifier(draft / file, student, reader, int8)
            settings = {
                "teacher": str(classifier),
                "texts": str(texts),
                "text": reader.text_columns,
                "label": label,
                **asdict(recipe),
                "layers": student.encoder.num_layers,
                "int8": int8,
            }
            models = [asdict(row) for row in measured]
            write_json(draft / RESULTS, {"settings": settings, "losses": losses, "models": models})
    except KeyboardInterrupt as error:
        raise Stopped("the training was stopped, and nothing was written. The same command begins anew.") from error
    _show(measured, len(found.held_out.labels))
    output.print(f"{to / file}: written, {(to / file).stat().st_size / 1e6:,.1f} MB", style="green")


def _only(classifier: Path) -> Path:
    """The file of the one teacher.

    Raises:
        CourseError: there is none, or there are several.
    """
    from course.training.finetuning import classifiers

    found = classifiers(classifier)
    if len(found) > 1:
        raise CourseError(
            f"{classifier} has {len(found)} classifiers. Name the one that is to teach, such as {found[0]}."
        )
    return found[0]


def _show(measured: Sequence[Measured], count: int) -> None:
    table = Table("classifier", "right", "as the teacher", "MB", "ms a text", title=f"On {count:,} held-out texts")
    for row in measured:
        right = "" if row.accuracy is None else f"{row.accuracy:.1%}"
        time = "" if row.milliseconds is None else f"{row.milliseconds:.2f}"
        table.add_row(row.name, right, f"{row.agreement:.1%}", f"{row.megabytes:,.2f}", time)
    output.print(table)
