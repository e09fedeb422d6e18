"""python -m course pretrain: pretrain an encoder on token arrays."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.progress import Progress

from course.commands.given_options import given_options
from course.commands.interrupts import interruptible
from course.commands.terminal import output, progress_bar
from course.errors import CourseError, as_course_errors
from course.storage.alone import require_alone

Preset = Literal["tiny", "mini", "small", "medium", "base", "large"]
Objective = Literal["mlm+nsp", "mlm", "span", "electra"]
Precision = Literal["float32", "mixed_bfloat16", "mixed_float16"]


class ProgressBar:
    """Show the progress of a pretraining, its speed, and its losses."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("Starting", total=None, losses="", speed="")
        self._held_out = ""

    def begin(self, total: int, done: int) -> None:
        description = f"Resuming at step {done}" if done else "Pretraining"
        self._progress.update(self._task, description=description, total=total, completed=done)

    def step(self, tokens: int) -> None:
        self._progress.advance(self._task)

    def row(self, row: dict[str, float]) -> None:
        from course.training.history import HELD_OUT

        names = {"words": "masked_lm_loss", "pairs": "next_sentence_loss", "fakes": "discriminator_loss"}
        losses = ", ".join(f"{short} {row[name]:.3f}" for short, name in names.items() if name in row)
        held_out = ", ".join(f"{row[HELD_OUT + name]:.3f}" for name in names.values() if HELD_OUT + name in row)
        self._held_out = f"; held out at step {row['step']:,.0f}: {held_out}" if held_out else self._held_out
        speed = f"{row['tokens_per_second']:,.0f} tokens/s"
        self._progress.update(
            self._task, description=f"Step {row['step']:,.0f}", losses=losses + self._held_out, speed=speed
        )


def pretrain(
    context: typer.Context,
    corpus: Annotated[Path, typer.Argument(help="What `prepare` made.")] = Path("build/corpus"),
    *,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            help="Weights to start from, instead of random ones: published ones, or those of another run, with their "
            "heads, except ELECTRA's. Prepare the corpus with their vocabulary: prepare --vocabulary FOLDER.",
        ),
    ] = None,
    preset: Annotated[Preset, typer.Option(help="Without --from: the size of the encoder.")] = "mini",
    layers: Annotated[
        int | None, typer.Option(min=1, help="Without --from: the number of layers, if not that of the preset.")
    ] = None,
    objective: Annotated[Objective, typer.Option(help="The objective; BERT's is mlm+nsp.")] = "mlm+nsp",
    packed: Annotated[bool, typer.Option("--packed", help="Fill each row with several documents.")] = False,
    to: Annotated[
        Path | None, typer.Option(help="The folder of the run; by default build/pretrained-PRESET, or -FOLDER.")
    ] = None,
    epochs: Annotated[float, typer.Option(help="How often to read the corpus.")] = 10.0,
    max_length: Annotated[int, typer.Option(min=5, help="The longest row, in tokens.")] = 128,
    batch_tokens: Annotated[int, typer.Option(min=1, help="The largest number of tokens in a batch.")] = 4096,
    accumulate: Annotated[int, typer.Option(min=1, help="Batches for each update of the weights.")] = 1,
    buckets: Annotated[int, typer.Option(min=1, help="The largest number of different row lengths.")] = 8,
    learning_rate: Annotated[float, typer.Option(help="The peak learning rate.")] = 5e-4,
    warmup: Annotated[
        float, typer.Option(min=0, max=0.99, help="Share of the steps in which the learning rate rises.")
    ] = 0.1,
    weight_decay: Annotated[
        float, typer.Option(min=0, help="Each step, a matrix loses this share of itself, times the learning rate.")
    ] = 0.01,
    mask_rate: Annotated[
        float, typer.Option(min=0.01, max=0.9, help="Share of the words to hide, which the model predicts.")
    ] = 0.15,
    held_out: Annotated[
        float,
        typer.Option(
            min=0,
            max=0.9,
            help="Share of the documents to hold out from training; each checkpoint measures their loss.",
        ),
    ] = 0.0,
    dropout: Annotated[float, typer.Option(min=0, max=0.9, help="Share of features to drop.")] = 0.1,
    attention_dropout: Annotated[
        float,
        typer.Option(min=0, max=0.9, help="Share of attention weights to drop. 0 lets a GPU use fused attention."),
    ] = 0.1,
    dtype: Annotated[Precision, typer.Option(help="The numbers to compute with.")] = "float32",
    devices: Annotated[int, typer.Option(min=1, help="Devices of this process that share each batch.")] = 1,
    processes: Annotated[
        int,
        typer.Option(
            min=1, help="On JAX: processes that share each batch, on one machine or on several: docs/slurm.md."
        ),
    ] = 1,
    process: Annotated[
        int | None,
        typer.Option(min=0, help="The number of this process, from 0 on; SLURM and Open MPI set it themselves."),
    ] = None,
    coordinator: Annotated[
        str | None, typer.Option(help="HOST:PORT of process 0; SLURM and Open MPI set it themselves.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="The seed of everything random.")] = 0,
    log_every: Annotated[int, typer.Option(min=1, help="Steps from one row of history.csv to the next.")] = 20,
    save_every: Annotated[int, typer.Option(min=1, help="Steps from one checkpoint to the next.")] = 200,
) -> None:
    """Pretrain an encoder: with masked words and next sentences, or by another objective.

    Stop it whenever you like; the same command resumes from the last checkpoint. Ctrl-C saves one first.
    """
    if source is not None and (sizes := given_options(context, ("preset", "layers"))):
        raise CourseError(f"{', '.join(sizes)} belongs to a new encoder; the size of --from is fixed.")
    from course.data.corpus.token_arrays import TokenArrays
    from course.training.encoder_source import from_folder
    from course.training.pretraining import pretrain as run
    from course.training.pretraining_settings import Settings
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
        with (
            progress_bar("speed", "losses", disable=not is_first_process()) as progress,
            interruptible(f"the row of {log_every} steps") as stop,
            require_alone(folder) if is_first_process() else nullcontext(),
        ):
            watcher = ProgressBar(progress)
            encoder = run(TokenArrays(corpus), folder, settings, watcher, save_every, start=start, stop=stop)
        if is_first_process():
            curves = folder / "curves.png"
            hint = f" {curves} shows its losses." if curves.exists() else ""
            output.print(f"{encoder}: the encoder.{hint}", style="green")
