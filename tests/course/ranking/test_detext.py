"""The DeText ranker: agreement with plain NumPy, feature by feature, and extreme numbers."""

from __future__ import annotations

from pathlib import Path

import keras
import numpy as np
import pytest

from course.ranking import DeTextRanker
from tests.closeness import assert_close
from tests.course.arrays import array

WIDTH, FIELDS, UNITS, PAIRS = 5, 3, 7, 4
MEANS, DEVIATIONS = [2.0, 1e6], [0.5, 3e5]
Given = dict[str, np.ndarray]


def ranker(deviations: list[float] = DEVIATIONS, dtype: str = "float32") -> DeTextRanker:
    made = DeTextRanker(WIDTH, FIELDS, MEANS, deviations, units=UNITS, dtype=dtype)
    made.build({})
    random = np.random.default_rng(6)
    for weight in made.weights:
        weight.assign(0.5 * random.normal(size=weight.shape))
    return made


def pairs(random: np.random.Generator) -> Given:
    query, fields = random.normal(size=(PAIRS, WIDTH)), random.normal(size=(PAIRS, FIELDS, WIDTH))
    numbers = np.array(MEANS) + np.array(DEVIATIONS) * random.normal(size=(PAIRS, len(MEANS)))
    return {"query": query.astype("float32"), "fields": fields.astype("float32"), "numbers": numbers.astype("float32")}


def by_hand(model: DeTextRanker, given: Given) -> np.ndarray:
    kernel, bias = (array(weight) for weight in model.rescale.weights)
    rows = []
    for query, fields, numbers in zip(*(given[name].astype("float64") for name in given), strict=True):
        cosines = [field @ query / np.sqrt((field @ field) * (query @ query)) for field in fields]
        rescaled = [
            np.tanh(w * (x - mean) / deviation + b)
            for w, b, x, mean, deviation in zip(kernel, bias, numbers, MEANS, DEVIATIONS, strict=True)
        ]
        rows.append(np.concatenate([cosines, *[query * field for field in fields], query, *fields, rescaled]))
    return np.stack(rows)


def test_features_agree_with_numpy_in_their_order(random: np.random.Generator) -> None:
    model, given = ranker(), pairs(random)
    features = array(model.features(*given.values()))
    assert features.shape == (PAIRS, FIELDS + FIELDS * WIDTH + (1 + FIELDS) * WIDTH + len(MEANS))
    np.testing.assert_allclose(features, by_hand(model, given), atol=1e-5, rtol=1e-5)


def test_score_uses_wide_and_deep_features(random: np.random.Generator) -> None:
    model, given = ranker(), pairs(random)
    wide = by_hand(model, given)
    deep, score = ([array(weight) for weight in layer.weights] for layer in (model.deep_dense, model.score_dense))
    hidden = np.tanh(wide @ deep[0] + deep[1])
    expected = (np.concatenate([wide, hidden], axis=1) @ score[0] + score[1])[:, 0]
    np.testing.assert_allclose(array(model(given)), expected, atol=1e-4, rtol=1e-4)


def test_numbers_that_were_constant_are_ignored(random: np.random.Generator) -> None:
    model, given = ranker([0.5, 0.0]), pairs(random)
    bias = array(model.rescale.weights[1])
    for value in (MEANS[1], 0.0, 7e6):
        given["numbers"][:, 1] = value
        features = array(model.features(*given.values()))
        np.testing.assert_allclose(features[:, -1], np.tanh(bias[1]), rtol=1e-5)
        assert np.isfinite(features).all()


def test_deviations_from_rounding_count_as_0() -> None:
    equal = np.full(40_001, 0.1, "float32")
    rounded = [equal.std(), np.std(equal.astype("float64")), 1e-8, 0.0]
    model = DeTextRanker(WIDTH, FIELDS, [0.1] * 4 + [-3.0], [*rounded, 1e-3])
    np.testing.assert_array_equal(model.deviations, np.array([0, 0, 0, 0, 1e-3], "float32"))


def test_an_empty_field_has_a_cosine_of_0(random: np.random.Generator) -> None:
    model, given = ranker(), pairs(random)
    given["fields"][1, 2] = 0
    features = array(model.features(*given.values()))
    assert features[1, 2] == 0
    assert np.isfinite(features).all()
    model.compile(keras.optimizers.SGD(0.1), lambda _, scores: keras.ops.sum(scores))
    model.train_on_batch(given, np.zeros(PAIRS, "float32"))
    assert all(np.isfinite(array(weight)).all() for weight in model.weights)


def test_large_numbers_survive_mixed_precision(random: np.random.Generator) -> None:
    given = pairs(random)
    scores = array(ranker(dtype="mixed_float16")(given))
    assert scores.dtype == "float32"
    np.testing.assert_allclose(scores, array(ranker()(given)), atol=0.1)


def test_learns_from_numbers_and_similarities(random: np.random.Generator) -> None:
    """The target is the sum of a number and a cosine, which the features make easy to learn in a few steps."""
    model = DeTextRanker(WIDTH, 1, [100.0], [20.0], units=UNITS)
    query, field = random.normal(size=(2, 400, WIDTH)).astype("float32")
    numbers = (100 + 20 * random.normal(size=(400, 1))).astype("float32")
    cosines = (query * field).sum(1) / np.linalg.norm(query, axis=1) / np.linalg.norm(field, axis=1)
    targets = np.tanh((numbers[:, 0] - 100) / 20) + cosines
    given = {"query": query, "fields": field[:, None], "numbers": numbers}
    model.compile(keras.optimizers.Adam(0.02), "mse")
    model.fit(given, targets, epochs=20, batch_size=40, verbose=0)
    assert np.mean((array(model(given)) - targets) ** 2) < 0.1 * targets.var()


def test_saved_ranker_loads_unchanged(tmp_path: Path, random: np.random.Generator) -> None:
    model, given = ranker([0.5, 0.0]), pairs(random)
    scores = array(model(given))
    model.save(tmp_path / "ranker.keras")
    loaded = keras.saving.load_model(tmp_path / "ranker.keras")
    assert isinstance(loaded, DeTextRanker)
    assert loaded.get_config() == model.get_config()
    assert_close(array(loaded(given)), scores, 1e-6)


@pytest.mark.parametrize("means", [3.0, np.ones((1, 2))], ids=["one number", "two axes"])
def test_means_must_be_a_list(means: float | np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"means\.shape"):
        DeTextRanker(WIDTH, FIELDS, means, [1.0, 1.0])
