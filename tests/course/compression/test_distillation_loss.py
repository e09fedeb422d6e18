"""The distillation loss: agreement with PyTorch's KL divergence, and its properties."""

from __future__ import annotations

import keras
import numpy as np
import pytest
from keras import ops

from course.compression import distillation_loss
from tests.closeness import assert_close
from tests.course.gradients import gradient


def logits(random: np.random.Generator, batch: int = 5, classes: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    student, teacher = 2 * random.normal(size=(2, batch, classes))
    return student.astype("float32"), teacher.astype("float32"), random.integers(0, classes, batch)


@pytest.mark.parametrize("temperature", [1.0, 2.0, 7.5])
@pytest.mark.parametrize("alpha", [0.0, 0.3, 1.0])
def test_agrees_with_pytorch(temperature: float, alpha: float, random: np.random.Generator) -> None:
    torch = pytest.importorskip("torch")
    student, teacher, labels = logits(random)
    ours, theirs = torch.tensor(student), torch.tensor(teacher)
    soft = torch.nn.functional.kl_div(
        torch.log_softmax(ours / temperature, dim=-1),
        torch.softmax(theirs / temperature, dim=-1),
        reduction="batchmean",
    )
    hard = torch.nn.functional.cross_entropy(ours, torch.tensor(labels))
    expected = float(alpha * temperature**2 * soft + (1 - alpha) * hard)
    assert float(distillation_loss(student, teacher, labels, temperature, alpha)) == pytest.approx(expected, abs=1e-5)


def test_docstring_example() -> None:
    loss = float(distillation_loss(np.zeros((1, 2)), np.array([[2.0, 0.0]]), np.array([0])))
    assert loss == pytest.approx((4 * 0.110944 + 0.693147) / 2, abs=1e-5)
    assert loss == pytest.approx(0.5685, abs=5e-5)


def test_equal_probabilities_have_no_soft_loss_and_no_gradient(random: np.random.Generator) -> None:
    student, _, labels = logits(random)
    for temperature in (1.0, 3.0):
        # A constant added to all logits of a text changes no probability.
        shifted = student + np.arange(5, dtype="float32")[:, None]
        assert float(distillation_loss(student, shifted, labels, temperature, 1.0)) == pytest.approx(0, abs=1e-6)
    found = gradient(lambda x: distillation_loss(x, student, labels, alpha=1.0), student)
    assert_close(found, np.zeros_like(student), 1e-6)


def test_the_student_gets_a_gradient_and_the_teacher_none(random: np.random.Generator) -> None:
    student, teacher, labels = logits(random)
    found = gradient(lambda x: distillation_loss(x, teacher, labels, alpha=1.0), student)
    assert (np.abs(found).max(axis=1) > 1e-4).all()
    # An input of both logits gets a gradient through the student only.
    both = gradient(lambda x: distillation_loss(x, ops.add(x, teacher), labels, alpha=1.0), student)
    alone = gradient(lambda x: distillation_loss(x, student + teacher, labels, alpha=1.0), student)
    assert_close(both, alone, 1e-6)


def test_high_temperatures_match_logits(random: np.random.Generator) -> None:
    """Hinton et al., equation 4: for logits of mean 0 the gradient is (z - v) / N; the factor T² cancels 1 / T²."""
    student, teacher, labels = logits(random)
    student, teacher = (array - array.mean(axis=1, keepdims=True) for array in (student, teacher))
    found = gradient(lambda x: distillation_loss(x, teacher, labels, temperature=300.0, alpha=1.0), student)
    np.testing.assert_allclose(found, (student - teacher) / student.size, atol=2e-3)


def test_half_precision_and_large_logits_stay_accurate(random: np.random.Generator) -> None:
    student, teacher, labels = logits(random)
    half = distillation_loss(student.astype("float16"), teacher.astype("float16"), labels)
    assert keras.backend.standardize_dtype(half.dtype) == "float32"
    assert float(half) == pytest.approx(float(distillation_loss(student, teacher, labels)), abs=5e-3)
    large = distillation_loss(3000 * student, 3000 * teacher, labels, temperature=1.0)
    assert np.isfinite(float(large)) and float(large) > 1000
