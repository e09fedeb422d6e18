"""python -m recipes.sample_encoder: the small encoder that comes with the course, from the sample's text alone.

The recipe learns the vocabulary from the first 4,000 articles of the sample, and pretrains a BERT of 4 layers of 128
features on them, on one core. It saves the encoder to datasets/sample_encoder/ in half precision, measures it on the
last 1,000 articles, and writes a card with its abilities.

If the command is killed, run it again to resume.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from recipes.sample_encoder_results import keep
from recipes.stages import run_stages


def stages(to: Path) -> dict[str, list[str]]:
    """The arguments of `python -m course` for each part of the work, in their order."""
    corpus, run = str(to / "corpus"), str(to / "encoder")
    pretrain = ["pretrain", corpus, "--preset", "tiny", "--layers", "4", "--epochs", "16", "--learning-rate", "6e-4"]
    pretrain += ["--warmup", "0.1", "--batch-tokens", "2048", "--buckets", "16"]
    pretrain += ["--dropout", "0", "--attention-dropout", "0"]
    return {
        "prepare": ["prepare", "sample", "--vocabulary-size", "4000", "--to", corpus],
        "pretrain": [*pretrain, "--to", run],
    }


def main(
    to: Annotated[Path, typer.Option(help="The folder for all outputs.")] = Path("build/sample_encoder"),
) -> None:
    """Runs the stages that are not finished, and writes the encoder and its card."""
    # One core, so that the times on the card of different machines can be compared.
    os.environ |= {"TF_NUM_INTRAOP_THREADS": "1", "TF_NUM_INTEROP_THREADS": "1", "OMP_NUM_THREADS": "1"}
    seconds = run_stages(stages(to), to / "times.json")
    card = keep(to / "corpus", to / "encoder", seconds)
    Console().print(card.read_text(encoding="utf-8"))


if __name__ == "__main__":
    typer.run(main)
