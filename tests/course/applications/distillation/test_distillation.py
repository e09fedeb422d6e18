"""Students that learn, the layers that TinyLoss compares, and classifiers in 8 bits."""

from __future__ import annotations

import keras
import numpy as np
import pytest
from keras import ops

from course.applications.distillation.int8 import megabytes, rounded_to, with_int8_products
from course.applications.distillation.reading import read_closely
from course.applications.distillation.training import distil, imitate
from course.classification import Inputs, TextClassifier, predict
from course.compression import QuantizedDense, TinyLoss
from course.encoder import BertEncoder
from tests.closeness import assert_close

CLASSES, LENGTH, PIECES = 3, 7, 23


def encoder(blocks: int = 2, hidden_dim: int = 8, dropout: float = 0.0, seed: int = 1) -> BertEncoder:
    keras.utils.set_random_seed(seed)
    made = BertEncoder(
        PIECES, blocks, num_heads=2, hidden_dim=hidden_dim, intermediate_dim=12, max_length=9, dropout=dropout
    )
    made.build((None, None))
    random = np.random.default_rng(seed)
    made.set_weights([weight + 0.3 * random.normal(size=weight.shape) for weight in made.get_weights()])
    return made


def classifier(**options: float) -> TextClassifier:
    made = TextClassifier(encoder(**options), CLASSES, dropout=0.0)  # type: ignore[arg-type]
    made.build({"token_ids": (None, None)})
    return made


def texts(count: int = 24) -> tuple[Inputs, np.ndarray]:
    """Return texts whose second word tells their class."""
    random = np.random.default_rng(3)
    labels = np.arange(count) % CLASSES
    token_ids = random.integers(CLASSES + 1, PIECES, (count, LENGTH)).astype("int32")
    token_ids[:, 1] = 1 + labels
    token_ids[::2, -2:] = 0
    return {"token_ids": token_ids, "segment_ids": np.zeros_like(token_ids), "padding_mask": token_ids != 0}, labels


def test_softmax_of_the_scores_is_the_attention() -> None:
    reader, (inputs, _) = encoder(), texts(4)
    reading = read_closely(reader, inputs)
    mask = inputs["padding_mask"][:, None, None, :]
    for number, block in enumerate(reader.blocks):
        _, weights = block.attention(reading["layer_outputs"][number], attention_mask=mask, return_weights=True)
        scores = ops.where(mask, reading["attention_scores"][number], -1e9)
        assert_close(ops.convert_to_numpy(ops.softmax(scores)), ops.convert_to_numpy(weights))
    assert len(reading["layer_outputs"]) == len(reading["attention_scores"]) + 1


def test_a_student_learns_to_read_like_its_teacher() -> None:
    teacher, student = encoder(blocks=4, dropout=0.4, seed=2), encoder(hidden_dim=4)
    before, (inputs, _) = teacher.get_weights(), texts()
    losses = imitate(student, teacher, inputs, TinyLoss(4, 8, [0, 2, 4]), learning_rate=1e-2, batch_size=8, epochs=6)
    assert losses[-1] < 0.9 * losses[0]
    for old, new in zip(before, teacher.get_weights(), strict=True):
        np.testing.assert_array_equal(old, new)
    assert student.pooler.trainable and teacher.trainable


@pytest.mark.parametrize("with_labels", [True, False])
def test_a_student_learns_to_answer_like_its_teacher(with_labels: bool) -> None:
    (inputs, labels), student = texts(), classifier()
    logits = (6 * np.eye(CLASSES)[(labels + 1) % CLASSES]).astype("float32")  # a teacher that is always wrong
    given = labels if with_labels else None
    distil(student, inputs, logits, given, alpha=0.0, learning_rate=1e-2, batch_size=8, epochs=30)
    learned = labels if with_labels else (labels + 1) % CLASSES
    assert np.mean(predict(student, inputs).argmax(axis=1) == learned) > 0.9


def test_bad_input_is_named() -> None:
    (inputs, labels), student = texts(6), classifier()
    with pytest.raises(ValueError, match=r"3 logits for each of 6 texts. Received: .*\(6, 4\)"):
        distil(student, inputs, np.zeros((6, 4)), labels)
    with pytest.raises(ValueError, match=r"0 to 2.*Received: 1 to 3"):
        distil(student, inputs, np.zeros((6, 3)), labels + 1)
    with pytest.raises(TypeError, match="student must be a TextClassifier"):
        distil(student.encoder, inputs, np.zeros((6, 3)))
    with pytest.raises(TypeError, match="loss must be a Layer"):
        imitate(student.encoder, student.encoder, inputs, None)  # type: ignore[arg-type]


def test_int8_products_change_logits_by_less_than_a_tenth() -> None:
    model, (inputs, _) = classifier(), texts()
    exact = predict(model, inputs)
    small = with_int8_products(model)
    assert isinstance(small.logits_dense, QuantizedDense)
    assert isinstance(small.encoder.blocks[1].attention.key_dense, QuantizedDense)
    assert isinstance(model.logits_dense, keras.layers.Dense)
    rounded = predict(small, inputs)
    assert 0 < np.abs(rounded - exact).max() < 0.1 * np.abs(exact).max()
    np.testing.assert_array_equal(predict(model, inputs), exact)


def test_fewer_bits_make_larger_errors() -> None:
    model, (inputs, _) = classifier(), texts()
    exact = predict(model, inputs)
    gaps = [np.abs(predict(rounded_to(model, bits), inputs) - exact).max() for bits in (8, 4, 2)]
    assert 0 < gaps[0] < gaps[1] < gaps[2]


def test_megabytes_agree_with_a_count_by_hand() -> None:
    """Two blocks of 8 features and 12 between, tables of 23, 9 and 2 rows, a pooler and 3 classes."""
    tables, matrices = (23, 9, 2), 2 * (4 * 8 * 8 + 2 * 8 * 12) + 8 * 8 + 8 * 3
    outputs = 2 * (4 * 8 + 12 + 8) + 8 + 3
    vectors = outputs + 2 * 8 + 2 * 2 * 2 * 8
    weights = 8 * sum(tables) + matrices
    assert megabytes(classifier()) == pytest.approx(4 * (weights + vectors) / 1e6)
    in_int8 = weights + 4 * (sum(tables) + outputs) + 4 * vectors
    assert megabytes(classifier(), int8=True) == pytest.approx(in_int8 / 1e6)
