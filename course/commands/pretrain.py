"""python -m course pretrain: token arrays to an encoder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from course.commands.interrupts import interruptible
from course.commands.terminal import errors, output
from course.errors import CourseError, as_course_errors

Preset = Literal["tiny", "mini", "small", "medium", "base", "large"]
Objective = Literal["mlm+nsp", "mlm", "span", "electra"]
Precision = Literal["float32", "mixed_bfloat16", "mixed_float16"]


class ProgressBar:
    """Shows how far a pretraining is, how fast it goes, and its losses."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("Starting", total=None, losses="", speed="")
        self._held_out = ""

    def begin(self, total: int, done: int) -> None:
        said = f"Going on at step {done}" if done else "Pretraining"
        self._progress.update(self._task, description=said, total=total, completed=done)

    def step(self, tokens: int) -> None:
        self._progress.advance(self._task)

    def row(self, row: dict[str, float]) -> None:
        from course.training.history import HELD_OUT

        names = {"words": "masked_lm_loss", "pairs": "next_sentence_loss", "fakes": "detective_loss"}
        losses = ", ".join(f"{said} {row[name]:.3f}" for said, name in names.items() if name in row)
        held_out = ", ".join(f"{row[HELD_OUT + name]:.3f}" for name in names.values() if HELD_OUT + name in row)
        self._held_out = f"; held out at step {row['step']:,.0f}: {held_out}" if held_out else self._held_out
        speed = f"{row['tokens_per_second']:,.0f} tokens/s"
        self._progress.update(
            self._task, description=f"Step {row['step']:,.0f}", losses=losses + self._held_out, speed=speed
        )


def pretrain(
    corpus: Annotated[Path, typer.Argument(help="What `prepare` made.")] = Path("build/corpus"),
    *,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            help="Weights to go on from, instead of fresh ones: published ones, or those of another run. The corpus "
            "must have been prepared with their vocabulary: prepare --vocabulary FOLDER.",
        ),
    ] = None,
    preset: Annotated[Preset, typer.Option(help="Without --from: the size of the encoder.")] = "mini",
    layers: Annotated[
        int | None, typer.Option(min=1, help="Without --from: how many layers, if not as many as that.")
    ] = None,
    objective: Annotated[Objective, typer.Option(help="What is learned; BERT's is mlm+nsp.")] = "mlm+nsp",
    packed: Annotated[bool, typer.Option("--packed", help="Fill rows with several documents, side by side.")] = False,
    to: Annotated[
        Path | None, typer.Option(help="The folder of the run; by default build/pretrained-PRESET, or -FOLDER.")
    ] = None,
    epochs: Annotated[float, typer.Option(help="How often to read the corpus.")] = 10.0,
    max_length: Annotated[int, typer.Option(min=5, help="The longest row, in tokens.")] = 128,
    batch_tokens: Annotated[int, typer.Option(min=1, help="Tokens in a batch, at most.")] = 4096,
    accumulate: Annotated[int, typer.Option(min=1, help="Batches to a change of the weights.")] = 1,
    buckets: Annotated[int, typer.Option(min=1, help="Lengths of rows, at most.")] = 8,
    learning_rate: Annotated[float, typer.Option(help="The highest learning rate.")] = 5e-4,
    warmup: Annotated[float, typer.Option(min=0, max=0.99, help="Share of the steps in which it rises.")] = 0.1,
    weight_decay: Annotated[
        float, typer.Option(min=0, help="Share of itself that a matrix loses in a step, times the learning rate.")
    ] = 0.01,
    mask_rate: Annotated[
        float, typer.Option(min=0.01, max=0.9, help="Share of the words that is hidden, to be guessed.")
    ] = 0.15,
    held_out: Annotated[
        float,
        typer.Option(
            min=0,
            max=0.9,
            help="Share of the documents that nothing is learned from; at checkpoints, their loss.",
        ),
    ] = 0.0,
    dropout: Annotated[float, typer.Option(min=0, max=0.9, help="Share of features that is dropped.")] = 0.1,
    attention_dropout: Annotated[
        float,
        typer.Option(min=0, max=0.9, help="The same, of attention weights. 0 lets a GPU attend without writing them."),
    ] = 0.1,
    dtype: Annotated[Precision, typer.Option(help="The numbers to compute with.")] = "float32",
    devices: Annotated[int, typer.Option(min=1, help="Devices of a process that share each batch.")] = 1,
    processes: Annotated[
        int,
        typer.Option(
            min=1, help="On JAX: processes that share each batch, on one machine or on several: docs/slurm.md."
        ),
    ] = 1,
    process: Annotated[
        int | None,
        typer.Option(min=0, help="Which of them this is, from 0 on; SLURM and Open MPI tell it by themselves."),
    ] = None,
    coordinator: Annotated[str | None, typer.Option(help="HOST:PORT where process 0 can be reached; the same.")] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="What everything random starts from.")] = 0,
    log_every: Annotated[int, typer.Option(min=1, help="Steps from one row of history.csv to the next.")] = 20,
    save_every: Annotated[int, typer.Option(min=1, help="Steps from one checkpoint to the next.")] = 200,
) -> None:
    """Pretrains an encoder: with masked words and next sentences, or by another objective.

    Kill it whenever you like; the same command goes on at its last checkpoint. Ctrl-C saves one first.
    """
    if source is not None and layers is not None:
        raise CourseError("--layers belongs to a fresh encoder; the one of --from has the layers that it has.")
    from course.data.corpus.token_arrays import TokenArrays
    from course.training.encoder_source import from_folder
    from course.training.pretraining import Settings
    from course.training.pretraining import pretrain as run
    from course.training.processes import is_first_process, joined

    folder = to or Path(f"build/pretrained-{source.name if source else preset}")
    with as_course_errors(), joined(processes, process, coordinator):
        start = from_folder(source) if source else None
        settings = Settings(
            preset=preset,
            layers=layers,
            objective=objective,
            packed=packed,
            epochs=epochs,
            max_length=max_length,
            batch_tokens=batch_tokens,
            num_buckets=buckets,
            accumulate=accumulate,
            learning_rate=learning_rate,
            warmup=warmup,
            weight_decay=weight_decay,
            mask_rate=mask_rate,
            held_out=held_out,
            dropout=dropout,
            attention_dropout=attention_dropout,
            dtype=dtype,
            log_every=log_every,
            devices=devices * processes,
            seed=seed,
        )
        columns: list[Any] = [
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
        ]
        columns += [TextColumn("{task.fields[speed]}"), TextColumn("{task.fields[losses]}")]
        with (
            Progress(*columns, console=errors, disable=not is_first_process()) as progress,
            interruptible(f"the row of {log_every} steps") as stop,
        ):
            watcher = ProgressBar(progress)
            encoder = run(TokenArrays(corpus), folder, settings, watcher, save_every, start=start, stop=stop)
        if is_first_process():
            curves = folder / "curves.png"
            shown = f" {curves} shows how it learned." if curves.exists() else ""
            output.print(f"{encoder}: the encoder.{shown}", style="green")
