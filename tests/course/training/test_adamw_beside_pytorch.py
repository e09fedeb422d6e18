"""How AdamW differs between Keras and PyTorch: Keras adds epsilon before it corrects the second moment for its start.

Keras: m α √(1 - β₂ᵗ) / (1 - β₁ᵗ) / (√v + ε); PyTorch: m α / (1 - β₁ᵗ) / (√v / √(1 - β₂ᵗ) + ε). So in step t the epsilon
of Keras weighs 1 / √(1 - β₂ᵗ) times as much: 32 times in the first step, and practically once after a few thousand.
"""

from __future__ import annotations

import keras
import numpy as np
import pytest
import torch

from tests.course.arrays import array

RATE, DECAY, EPSILON, BETAS, STEPS = 0.01, 0.1, 1e-6, (0.9, 0.999), 20


def gradients() -> np.ndarray:
    """Gradients, some of them so small that epsilon matters."""
    random = np.random.default_rng(5)
    return (random.normal(size=(STEPS, 7)) * np.logspace(-8, 0, 7)).astype("float32")


def of_keras() -> np.ndarray:
    variable = keras.Variable(np.linspace(-1, 1, 7).astype("float32"))
    optimizer = keras.optimizers.AdamW(RATE, weight_decay=DECAY, epsilon=EPSILON)
    for gradient in gradients():
        optimizer.apply([keras.ops.convert_to_tensor(gradient)], [variable])
    return array(variable)


def of_pytorch(corrected: bool) -> np.ndarray:
    with torch.device("cpu"):
        variable = torch.nn.Parameter(torch.linspace(-1, 1, 7))
        optimizer = torch.optim.AdamW([variable], RATE, BETAS, EPSILON, DECAY)
        for step, gradient in enumerate(gradients(), start=1):
            if corrected:
                optimizer.param_groups[0]["eps"] = EPSILON / (1 - BETAS[1] ** step) ** 0.5
            variable.grad = torch.tensor(gradient)
            optimizer.step()
    return variable.detach().numpy()


def test_they_differ_only_in_the_place_of_epsilon() -> None:
    assert np.abs(of_keras() - of_pytorch(corrected=False)).max() > 1e-3
    assert of_keras() == pytest.approx(of_pytorch(corrected=True), abs=2e-6)
