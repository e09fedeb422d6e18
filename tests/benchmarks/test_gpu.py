"""What the GPU benchmark counts, and what `benchmarks.wheels` collects for a machine with a GPU."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest

from benchmarks.gpu import card, flops_a_token
from benchmarks.wheels import NEEDED, THERE, required
from course.encoder import BertEncoder
from course.presets import sizes_of


def test_operations_follow_from_the_weights():
    """For each token, a weight needs one multiplication and addition forwards, and two backwards."""
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
def test_the_gpu_has_the_name_from_its_driver(
    said: str, status: int, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "nvidia-smi"
    program.write_text(f"#!/bin/sh\necho '{said}'\nexit {status}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert card() == name


def test_wheels_include_all_requirements_except_those_installed_there():
    carried = required(NEEDED) - required(THERE)
    assert {"keras", "h5py", "transformers", "tokenizers", "typer"} <= carried
    assert not carried & {"jax", "jaxlib", "torch", "numpy", "tensorflow", "matplotlib"}
    assert all(metadata.version(name) for name in carried)
