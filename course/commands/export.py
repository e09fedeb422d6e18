"""python -m course export: a trained model as others read it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from course.commands.terminal import errors, output

Format = Literal["litert", "onnx", "huggingface"]


def export(
    model: Annotated[
        Path,
        typer.Argument(help="A classifier.keras that `finetune` wrote; or, for huggingface, the folder of an encoder."),
    ],
    *,
    kind: Annotated[
        Format,
        typer.Option(
            "--to", help="Who is to read it: phones, with LiteRT; servers, with ONNX Runtime; or transformers."
        ),
    ],
    folder: Annotated[
        Path | None, typer.Option("--folder", help="Where to write it: a new folder; by default build/exported-FORMAT.")
    ] = None,
) -> None:
    """Writes a model for other programs: itself, its vocabulary, how it reads texts, and its classes.

    What LiteRT and ONNX Runtime get is read by them at once, compared with the model, and timed on this machine. They
    take token_ids and segment_ids: [CLS] text [SEP], or [CLS] first [SEP] second [SEP], where the second text is
    segment 1; and give the probabilities of the classes in labels.json. For LiteRT, each row is filled up with [PAD] to
    the model_max_length of tokenizer_config.json.
    """
    from course.export import export as write

    with errors.status("Writing"):
        done = write(model, kind, folder or Path(f"build/exported-{kind}"))
    if done.check:
        said = f"{done.check.difference:.1g} is the most that it differs by; {done.check.milliseconds:.3g} ms a text"
        output.print(f"Read again: {said}, at full length")
    output.print(f"{done.model}: written, {done.model.stat().st_size / 1e6:,.1f} MB", style="green")
