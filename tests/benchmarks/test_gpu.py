"""What the measurement of a GPU counts, and what is carried to the machine that has one."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest

from benchmarks.gpu import card, flops_a_token
from benchmarks.wheels import NEEDED, THERE, required
from course.encoder import BertEncoder
from course.presets import sizes_of


def test_the_products_are_those_of_the_weights():
    """A weight of a matrix is multiplied and added once a token, and backwards twice more."""
    length, pieces = 48, 700
    encoder = BertEncoder(vocabulary_size=pieces, max_length=length, **sizes_of("tiny"))
    encoder.build((None, None))
    kernels = [weight for block in encoder.blocks for weight in block.weights if weight.path.endswith("kernel")]
    weights = sum(int(weight.shape[0] * weight.shape[1]) for weight in kernels)
    width = encoder.hidden_dim
    scores_and_values = 2 * 2 * length * width * len(encoder.blocks)
    head = 0.15 * 2 * (width**2 + width * pieces)
    assert flops_a_token("tiny", pieces, length) == pytest.approx(3 * (2 * weights + scores_and_values + head))


@pytest.mark.parametrize(
    ("said", "status", "name"), [("A card\nAnother", 0, "A card"), ("It has failed", 9, ""), ("", 0, "")]
)
def test_a_card_is_what_its_driver_names(
    said: str, status: int, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "nvidia-smi"
    program.write_text(f"#!/bin/sh\necho '{said}'\nexit {status}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert card() == name


def test_what_is_carried_there_is_whole_and_leaves_out_what_is_there():
    carried = required(NEEDED) - required(THERE)
    assert {"keras", "h5py", "transformers", "tokenizers", "typer"} <= carried
    assert not carried & {"jax", "jaxlib", "torch", "numpy", "tensorflow", "matplotlib"}
    assert all(metadata.version(name) for name in carried)
