"""TinyBERT's losses: agreement with the released PyTorch code, and their properties."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from keras import ops

from course.compression import TinyLoss
from tests.closeness import assert_close
from tests.course.gradients import gradient

BATCH, LENGTH, HEADS, STUDENT, TEACHER, MAP = 3, 5, 2, 4, 7, [0, 2, 4]
MASK = np.arange(LENGTH) < np.array([[5], [3], [2]])


@pytest.fixture
def readings(random: np.random.Generator) -> dict[str, list[np.ndarray]]:
    def layers(count: int, *shape: int) -> list[np.ndarray]:
        return [random.normal(size=(BATCH, *shape)).astype("float32") for _ in range(count)]

    return {
        "student_layers": layers(3, LENGTH, STUDENT),
        "teacher_layers": layers(5, LENGTH, TEACHER),
        "student_scores": layers(2, HEADS, LENGTH, LENGTH),
        "teacher_scores": layers(4, HEADS, LENGTH, LENGTH),
    }


@pytest.fixture
def loss(random: np.random.Generator) -> TinyLoss:
    made = TinyLoss(STUDENT, TEACHER, MAP)
    made.set_weights([random.normal(size=weight.shape).astype("float32") for weight in made.weights])
    return made


def both(loss: TinyLoss, readings: dict[str, list[Any]], mask: np.ndarray) -> float:
    student, teacher = (
        {"layer_outputs": readings[f"{who}_layers"], "attention_scores": readings[f"{who}_scores"]}
        for who in ("student", "teacher")
    )
    return float(loss(student, teacher, padding_mask=mask))


def test_agrees_with_tinybert(loss: TinyLoss, readings: dict[str, list[np.ndarray]]) -> None:
    """Without padding, as in `general_distill.py`: with MSELoss, and the embedding's layer first."""
    torch = pytest.importorskip("torch")
    tensors = {name: [torch.tensor(layer) for layer in layers] for name, layers in readings.items()}
    fit, shift = (torch.tensor(weight) for weight in loss.get_weights())
    mse = torch.nn.MSELoss()
    per_block = len(tensors["teacher_scores"]) // len(tensors["student_scores"])
    attention = sum(
        mse(own, tensors["teacher_scores"][number * per_block + per_block - 1])
        for number, own in enumerate(tensors["student_scores"])
    )
    hidden = sum(
        mse(own @ fit + shift, tensors["teacher_layers"][number * per_block])
        for number, own in enumerate(tensors["student_layers"])
    )
    mask = np.ones((BATCH, LENGTH), bool)
    layers = (readings["student_layers"], readings["teacher_layers"])
    scores = (readings["student_scores"], readings["teacher_scores"])
    assert float(loss.hidden_loss(*layers, mask)) == pytest.approx(float(hidden), abs=1e-5)
    assert float(loss.attention_loss(*scores, mask)) == pytest.approx(float(attention), abs=1e-5)
    assert both(loss, readings, mask) == pytest.approx(float(hidden + attention), rel=1e-5)


def test_padding_does_not_count(loss: TinyLoss, readings: dict[str, list[np.ndarray]]) -> None:
    """The losses equal those computed text by text, over the words only."""
    weight, bias = loss.get_weights()
    lengths = MASK.sum(axis=1)
    hidden = attention = 0.0
    for own, number in zip(readings["student_layers"], MAP, strict=True):
        target = readings["teacher_layers"][number]
        words = [(own[i, :n] @ weight + bias - target[i, :n]).ravel() for i, n in enumerate(lengths)]
        hidden += np.mean(np.concatenate(words) ** 2)
    for own, number in zip(readings["student_scores"], MAP[1:], strict=True):
        target = readings["teacher_scores"][number - 1]
        words = [(own[i, :, :n, :n] - target[i, :, :n, :n]).ravel() for i, n in enumerate(lengths)]
        attention += np.mean(np.concatenate(words) ** 2)
    assert both(loss, readings, MASK) == pytest.approx(hidden + attention, rel=1e-5)


def test_values_at_padding_do_not_count(loss: TinyLoss, readings: dict[str, list[np.ndarray]]) -> None:
    before = both(loss, readings, MASK)
    pairs = (MASK[:, None, :, None] & MASK[:, None, None, :]) * np.ones((1, HEADS, 1, 1), bool)
    for name, layers in readings.items():
        for layer in layers:
            layer[~(pairs if name.endswith("scores") else MASK)] = -1e9
    assert both(loss, readings, MASK) == pytest.approx(before, rel=1e-5)


def test_a_student_equal_to_its_teacher_has_no_loss(random: np.random.Generator) -> None:
    loss = TinyLoss(6, 6, [0, 1, 2])
    loss.set_weights([np.eye(6, dtype="float32"), np.zeros(6, "float32")])
    layers = [random.normal(size=(BATCH, LENGTH, 6)).astype("float32") for _ in range(3)]
    scores = [random.normal(size=(BATCH, HEADS, LENGTH, LENGTH)).astype("float32") for _ in range(2)]
    read = {"layer_outputs": layers, "attention_scores": scores}
    assert float(loss(read, read, padding_mask=MASK)) == 0


@pytest.mark.parametrize("name", ["layers", "scores"])
def test_the_student_gets_a_gradient_and_the_teacher_none(
    name: str, loss: TinyLoss, readings: dict[str, list[np.ndarray]]
) -> None:
    """An input of both readings gets a gradient through the student only."""
    method: Callable[..., Any] = loss.hidden_loss if name == "layers" else loss.attention_loss
    *own, last = readings[f"student_{name}"]
    *others, last_of_teacher = readings[f"teacher_{name}"]

    def by_last(times: float) -> np.ndarray:
        """Return the gradient by x, added to the student's last layer; the teacher's gets `times` its feature 0."""
        return gradient(
            lambda x: method([*own, ops.add(last, x)], [*others, ops.add(last_of_teacher, times * x[..., :1])], MASK),
            np.zeros(last.shape, "float32"),
        )

    found = by_last(0.0)
    assert np.abs(found[MASK] if name == "layers" else found).max() > 1e-3
    assert np.isfinite(found).all()
    if name == "layers":
        assert np.abs(found[~MASK]).max() == 0
    assert_close(by_last(5.0), found, 1e-6)


def test_half_precision_is_computed_in_float32(loss: TinyLoss, readings: dict[str, list[np.ndarray]]) -> None:
    expected = both(loss, readings, MASK)
    half = {name: [layer.astype("float16") for layer in layers] for name, layers in readings.items()}
    assert both(loss, half, MASK) == pytest.approx(expected, rel=5e-3)
    # 1,000² exceeds the range of float16.
    far = [1000 * layer for layer in half["student_scores"]]
    assert np.isfinite(float(loss.attention_loss(far, half["teacher_scores"], MASK)))


def test_there_is_one_trainable_projection(loss: TinyLoss) -> None:
    assert [tuple(weight.shape) for weight in loss.trainable_weights] == [(STUDENT, TEACHER), (TEACHER,)]
    again = TinyLoss.from_config(loss.get_config())
    assert (again.student_dim, again.teacher_dim, again.layers) == (STUDENT, TEACHER, MAP)
    assert ops.shape(again.fit_dense.kernel) == (STUDENT, TEACHER)
