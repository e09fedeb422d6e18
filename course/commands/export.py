"""python -m course export: write a trained model in the format of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from course.commands.terminal import errors, output

Format = Literal["litert", "onnx", "huggingface"]


def export(
    model: Annotated[
        Path,
        typer.Argument(
            help="A folder that `finetune` wrote, or a .keras file in it; or, for huggingface, an encoder's folder."
        ),
    ],
    *,
    kind: Annotated[
        Format,
        typer.Option(
            "--to",
            help="The format: litert for phones, onnx for servers with ONNX Runtime, huggingface for transformers.",
        ),
    ],
    folder: Annotated[
        Path | None, typer.Option("--folder", help="Where to write it: a new folder; by default build/exported-FORMAT.")
    ] = None,
) -> None:
    """Write a model for other programs, with its vocabulary, the settings of its tokenizer, and its classes.

    For LiteRT and ONNX Runtime, the command reads the file back, compares it with the model, and times it on this
    machine. The inputs are token_ids and segment_ids: [CLS] text [SEP], or [CLS] first [SEP] second [SEP], where the
    second text is segment 1; the output is the probabilities of the classes in labels.json. For LiteRT, pad each row
    with [PAD] to the model_max_length of tokenizer_config.json.
    """
    from course.export import export as write
    from course.training.finetuning import CLASSIFIER, only_classifier

    if any(model.glob(f"seed-*/{CLASSIFIER}")):
        model = only_classifier(model)
    with errors.status("Writing"):
        done = write(model, kind, folder or Path(f"build/exported-{kind}"))
    if done.check:
        difference, milliseconds = f"{done.check.difference:.1g}", f"{done.check.milliseconds:.3g}"
        output.print(f"Read back: largest difference {difference}; {milliseconds} ms a text, at full length")
    output.print(f"{done.model}: written, {done.model.stat().st_size / 1e6:,.1f} MB", style="green")
