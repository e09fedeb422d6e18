"""Where AdamW of Keras and of PyTorch differ: Keras adds epsilon before the second moment is corrected for its start.

Keras: m α √(1 - β₂ᵗ) / (1 - β₁ᵗ) / (√v + ε); PyTorch: m α / (1 - β₁ᵗ) / (√v / √(1 - β₂ᵗ) + ε). So in step t the epsilon
of Keras weighs 1 / √(1 - β₂ᵗ) times as much: 32 times in the first step, and as good as once after some thousand.
"""

from __future__ import annotations

import keras
import numpy as np
import pytest
import torch

from tests.course.arrays import array

RATE, DECAY, EPSILON, BETAS, STEPS = 0.01, 0.1, 1e-6, (0.9, 0.999), 20


def gradients() -> np.ndarray:
    """Some are so small that epsilon counts."""
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


def test_they_differ_by_where_epsilon_stands_and_by_nothing_else() -> None:
    assert np.abs(of_keras() - of_pytorch(corrected=False)).max() > 1e-3
    assert of_keras() == pytest.approx(of_pytorch(corrected=True), abs=2e-6)
