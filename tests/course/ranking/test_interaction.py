"""Kernels, histograms and the gate agree with plain loops, PyTorch and NumPy's histogram."""

from __future__ import annotations

import keras
import numpy as np
import pytest
from keras import ops

from course.given.word_vectors import words_of_pairs
from course.ranking import KERNEL_MEANS, KERNEL_WIDTHS, TermGating, kernel_pooling, matching_histogram
from tests.closeness import assert_close
from tests.course.arrays import array
from tests.course.gradients import gradient

BATCH, QUERY, DOCUMENT = 3, 4, 6
QUERY_MASK = np.arange(QUERY) < np.array([[4], [2], [1]])
DOCUMENT_MASK = np.arange(DOCUMENT) < np.array([[3], [6], [2]])


def similarity(random: np.random.Generator) -> np.ndarray:
    """Return random cosines, one of them exactly 1."""
    cosines = random.uniform(-1, 1, (BATCH, QUERY, DOCUMENT)).astype("float32")
    cosines[0, 1, 2] = 1
    return cosines


def test_kernels_agree_with_the_papers_equation_in_loops(random: np.random.Generator) -> None:
    cosines = similarity(random)
    found = array(kernel_pooling(cosines, QUERY_MASK, DOCUMENT_MASK))
    for pair in range(BATCH):
        for kernel, (mean, width) in enumerate(zip(KERNEL_MEANS, KERNEL_WIDTHS, strict=True)):
            expected = 0.0
            for word in np.flatnonzero(QUERY_MASK[pair]):
                real = cosines[pair, word, DOCUMENT_MASK[pair]].astype("float64")
                expected += np.log(max(1e-10, np.exp(-((real - mean) ** 2) / (2 * width**2)).sum()))
            assert found[pair, kernel] == pytest.approx(expected, abs=1e-4, rel=1e-4)


def test_kernels_agree_with_pytorch(random: np.random.Generator) -> None:
    torch = pytest.importorskip("torch")
    cosines = similarity(random)
    given = torch.tensor(cosines, dtype=torch.float64)[..., None]
    means, widths = (torch.tensor(numbers, dtype=torch.float64) for numbers in (KERNEL_MEANS[1:], KERNEL_WIDTHS[1:]))
    # exp(-(M - μ)² / 2σ²) is the density of a normal distribution without the factor that makes its area 1.
    near = torch.distributions.Normal(means, widths).log_prob(given) + torch.log(widths * np.sqrt(2 * np.pi))
    counts = (near.exp() * torch.tensor(DOCUMENT_MASK)[:, None, :, None]).sum(2).clamp(min=1e-10)
    expected = (counts.log() * torch.tensor(QUERY_MASK)[..., None]).sum(1)
    found = array(kernel_pooling(cosines, QUERY_MASK, DOCUMENT_MASK, KERNEL_MEANS[1:], KERNEL_WIDTHS[1:]))
    np.testing.assert_allclose(found, expected.numpy(), atol=1e-4, rtol=1e-5)


def test_kernel_means_are_evenly_spaced() -> None:
    assert len(KERNEL_MEANS) == len(KERNEL_WIDTHS) == 11
    np.testing.assert_allclose(np.diff(KERNEL_MEANS[1:]), -0.2, atol=1e-9)


def test_padding_changes_nothing(random: np.random.Generator) -> None:
    cosines = similarity(random)
    alone = kernel_pooling(cosines[1:2, :2], QUERY_MASK[1:2, :2], DOCUMENT_MASK[1:2])
    assert_close(array(kernel_pooling(cosines, QUERY_MASK, DOCUMENT_MASK))[1:2], array(alone))
    nothing = kernel_pooling(cosines, np.zeros_like(QUERY_MASK), DOCUMENT_MASK)
    np.testing.assert_array_equal(array(nothing), 0)
    no_document = array(kernel_pooling(cosines, QUERY_MASK, np.zeros_like(DOCUMENT_MASK)))
    np.testing.assert_allclose(
        no_document, np.log(1e-10) * QUERY_MASK.sum(axis=1, keepdims=True) * np.ones(11), rtol=1e-5
    )


def test_only_words_get_a_gradient_from_kernels(random: np.random.Generator) -> None:
    cosines = similarity(random)
    found = gradient(lambda x: ops.sum(kernel_pooling(x, QUERY_MASK, DOCUMENT_MASK)), cosines)
    words = QUERY_MASK[:, :, None] & DOCUMENT_MASK[:, None]
    assert np.isfinite(found).all()
    np.testing.assert_array_equal(found != 0, words)


def test_float16_is_computed_in_float32(random: np.random.Generator) -> None:
    cosines = similarity(random).astype("float16")
    for found, expected in (
        (
            kernel_pooling(cosines, QUERY_MASK, DOCUMENT_MASK),
            kernel_pooling(cosines.astype("float32"), QUERY_MASK, DOCUMENT_MASK),
        ),
        (matching_histogram(cosines, DOCUMENT_MASK), matching_histogram(cosines.astype("float32"), DOCUMENT_MASK)),
    ):
        assert keras.backend.standardize_dtype(found.dtype) == "float32"
        np.testing.assert_array_equal(array(found), array(expected))


@pytest.mark.parametrize("bins", [2, 5, 10])
def test_histograms_agree_with_numpy(bins: int, random: np.random.Generator) -> None:
    cosines = similarity(random)
    found = array(matching_histogram(cosines, DOCUMENT_MASK, bins))
    for pair, word in np.ndindex(BATCH, QUERY):
        real = cosines[pair, word, DOCUMENT_MASK[pair]].astype("float64")
        counts = np.histogram(real[real < 1 - 1e-5], bins=bins - 1, range=(-1, 1))[0]
        expected = np.log1p([*counts, (real >= 1 - 1e-5).sum()])
        assert_close(found[pair, word], expected, 1e-6)


def test_exact_matches_have_a_bin_despite_rounding() -> None:
    cosines = np.array([[[1.0, 1 - 1e-6, 1 + 1e-6, 0.999, -1.0, -1 - 1e-6, 0.0]]], "float32")
    found = np.expm1(array(matching_histogram(cosines, np.ones((1, 7), bool), 5)))
    assert_close(found, [[[2, 0, 1, 1, 3]]])


def test_histograms_pass_no_gradient(random: np.random.Generator) -> None:
    cosines = similarity(random)
    found = gradient(lambda x: ops.sum(matching_histogram(x, DOCUMENT_MASK)) + 0 * ops.sum(x), cosines)
    np.testing.assert_array_equal(found, 0)


def test_gate_is_a_softmax_over_query_words(random: np.random.Generator) -> None:
    torch = pytest.importorskip("torch")
    vectors = random.normal(size=(BATCH, QUERY, 5)).astype("float32")
    gate = TermGating()
    found = array(gate(vectors, QUERY_MASK))
    logits = torch.tensor(vectors) @ torch.tensor(array(gate.kernel))
    logits[~torch.tensor(QUERY_MASK)] = -np.inf
    assert_close(found, logits.softmax(-1).numpy(), 1e-6)
    assert [tuple(weight.shape) for weight in gate.weights] == [(5,)]


def test_queries_without_words_get_gates_of_zero(random: np.random.Generator) -> None:
    vectors = random.normal(size=(BATCH, QUERY, 5)).astype("float32")
    mask = QUERY_MASK.copy()
    mask[1] = False
    found = array(TermGating()(vectors, mask))
    assert_close(found.sum(axis=1), [1, 0, 1], 1e-6)


def test_words_of_pairs_excludes_special_tokens_and_padding() -> None:
    #                    CLS        SEP              SEP  padding
    segments = np.array([[0, 0, 0, 0, 1, 1, 2, 1, 0, 0], [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]], "int32")
    segments[0, 6:8] = 2, 2  # a third text of one word
    mask = np.array([[1] * 8 + [0] * 2, [1, 1, 1, 0, 1, 1, 1, 0, 0, 0]], bool)  # padding in the middle, too
    query, document = (array(words).astype(int).tolist() for words in words_of_pairs(segments, mask))
    assert query == [[0, 1, 1, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0, 0, 0]]
    assert document == [[0, 0, 0, 0, 1, 0, 1, 0, 0, 0], [0, 0, 0, 0, 1, 1, 0, 0, 0, 0]]
