"""The in-batch loss: agreement with sentence-transformers' formula in PyTorch, and its properties."""

from __future__ import annotations

import keras
import numpy as np
import pytest
from keras import ops

from course.matching import in_batch_loss
from tests.course.gradients import gradient


def vectors(random: np.random.Generator, batch: int = 5, width: int = 7) -> tuple[np.ndarray, np.ndarray]:
    queries, documents = random.normal(size=(2, batch, width))
    return queries.astype("float32"), (3 * documents).astype("float32")


@pytest.mark.parametrize("scale", [1.0, 20.0])
def test_agrees_with_multiple_negatives_ranking(scale: float, random: np.random.Generator) -> None:
    # sentence-transformers: cross_entropy(cos_sim(queries, documents) * scale, arange(batch)).
    torch = pytest.importorskip("torch")
    queries, documents = vectors(random)
    cosines = torch.nn.functional.cosine_similarity(
        torch.tensor(queries)[:, None], torch.tensor(documents)[None], dim=-1
    )
    expected = torch.nn.functional.cross_entropy(cosines * scale, torch.arange(len(queries)))
    assert float(in_batch_loss(queries, documents, scale)) == pytest.approx(float(expected), abs=1e-5)


def test_other_right_documents_are_not_negatives(random: np.random.Generator) -> None:
    queries, documents = vectors(random)
    documents[3] = documents[1]  # the same document twice
    same = np.eye(5, dtype=bool)
    same[1, 3] = same[3, 1] = True
    without = [[0, 1, 2, 3, 4], [0, 1, 2, 4], [0, 1, 2, 3, 4], [0, 2, 3, 4], [0, 1, 2, 3, 4]]
    unit = [side / np.linalg.norm(side, axis=1, keepdims=True) for side in (queries, documents)]
    scores = 20 * unit[0] @ unit[1].T
    losses = [np.logaddexp.reduce(scores[row, columns]) - scores[row, row] for row, columns in enumerate(without)]
    expected = np.mean(losses)
    assert float(in_batch_loss(queries, documents, same=same)) == pytest.approx(expected, abs=1e-5)
    # The query's own document counts, whatever the diagonal of `same` is.
    assert float(in_batch_loss(queries, documents, same=same & ~np.eye(5, dtype=bool))) == pytest.approx(
        expected, abs=1e-5
    )


def test_both_sides_get_a_gradient(random: np.random.Generator) -> None:
    queries, documents = vectors(random)
    for found in (
        gradient(lambda x: in_batch_loss(x, documents), queries),
        gradient(lambda x: in_batch_loss(queries, x), documents),
    ):
        assert (np.abs(found).max(axis=1) > 1e-4).all()


def test_vector_lengths_do_not_matter_and_float16_is_close(random: np.random.Generator) -> None:
    queries, documents = vectors(random)
    expected = float(in_batch_loss(queries, documents))
    assert float(in_batch_loss(90 * queries, documents / 4)) == pytest.approx(expected, abs=1e-5)
    half = in_batch_loss((90 * queries).astype("float16"), documents.astype("float16"))  # squares beyond float16
    assert keras.backend.standardize_dtype(half.dtype) == "float32"
    assert float(half) == pytest.approx(expected, abs=2e-2)


def test_zero_vectors_make_no_nan(random: np.random.Generator) -> None:
    queries, documents = vectors(random)
    zeros = np.zeros_like(queries)
    assert float(in_batch_loss(zeros, documents)) == pytest.approx(np.log(5), abs=1e-5)
    assert np.isfinite(gradient(lambda x: in_batch_loss(x, documents), zeros)).all()


def test_compiles_for_any_batch(random: np.random.Generator) -> None:
    if keras.backend.backend() != "tensorflow":
        pytest.skip("only TensorFlow compiles for an unknown batch size")
    import tensorflow as tf

    compiled = tf.function(
        in_batch_loss,
        input_signature=[tf.TensorSpec((None, 7)), tf.TensorSpec((None, 7))],
    )
    queries, documents = vectors(random)
    assert float(compiled(queries, documents)) == pytest.approx(float(in_batch_loss(queries, documents)), abs=1e-5)
    assert float(ops.convert_to_numpy(compiled(queries[:1], documents[:1]))) == 0
