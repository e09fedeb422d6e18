"""The CEDR ranker: agreement with plain NumPy, and the path of its gradients."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras
import numpy as np
from keras import ops

from course.encoder import BertEncoder
from course.ranking import CedrRanker
from tests.closeness import assert_close
from tests.course.arrays import array

VOCABULARY_SIZE, HIDDEN_DIM, LENGTH, BINS, UNITS = 23, 12, 9, 5, 7


def ranker() -> CedrRanker:
    keras.utils.set_random_seed(4)
    encoder = BertEncoder(VOCABULARY_SIZE, 2, 3, HIDDEN_DIM, 20, max_length=LENGTH, dropout=0.0, name="encoder")
    made = CedrRanker(encoder, bins=BINS, units=UNITS)
    made.build({"token_ids": (None, None)})
    random = np.random.default_rng(6)
    for weight in made.weights:
        if "norm" not in weight.path and "bias" not in weight.path:
            weight.assign(0.5 * random.normal(size=weight.shape))
    return made


def pairs(random: np.random.Generator) -> dict[str, np.ndarray]:
    """Return two rows: 2 query words and 3 document words; 1 query word, 2 document words, and padding."""
    segments = np.array([[0, 0, 0, 0, 1, 1, 1, 1, 0], [0, 0, 0, 1, 1, 1, 0, 0, 0]], "int32")
    ids = random.integers(5, VOCABULARY_SIZE, (2, LENGTH), dtype="int32")
    mask = np.arange(LENGTH) < np.array([[8], [6]])
    return {"token_ids": ids, "segment_ids": segments, "padding_mask": mask}


def test_score_agrees_with_numpy(random: np.random.Generator) -> None:
    model, given = ranker(), pairs(random)
    given["token_ids"][0, 5] = given["token_ids"][0, 1]
    tokens = array(model.encoder(*given.values())["sequence_output"]).astype("float64")
    table = array(model.encoder.embedding.token_embedding.embeddings)
    unit = tokens / np.linalg.norm(tokens, axis=-1, keepdims=True)
    dense = [array(weight) for layer in (model.features_dense, model.score_dense) for weight in layer.weights]
    expected = []
    for row, (query, document) in enumerate([([1, 2], [4, 5, 6]), ([1], [3, 4])]):
        logits = table[given["token_ids"][row, query]] @ array(model.gate.kernel)
        gates = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
        score = 0.0
        for gate, word in zip(gates, query, strict=True):
            cosines = unit[row, document] @ unit[row, word]
            counts = np.histogram(cosines[cosines < 1 - 1e-5], bins=BINS - 1, range=(-1, 1))[0]
            features = np.concatenate([np.log1p([*counts, (cosines >= 1 - 1e-5).sum()]), tokens[row, 0]])
            score += gate * (np.tanh(features @ dense[0] + dense[1]) @ dense[2] + dense[3])[0]
        expected.append(score)
    np.testing.assert_allclose(array(model(given)), expected, atol=1e-5, rtol=1e-5)


def test_features_of_a_word_are_bins_and_cls() -> None:
    made = CedrRanker(BertEncoder(9, 1, 12, 768, 8, max_length=4), bins=10)
    made.build({"token_ids": (None, None)})
    assert made.features_dense.kernel.shape[0] == 778


def test_other_rows_and_padding_do_not_matter(random: np.random.Generator) -> None:
    model, given = ranker(), pairs(random)
    alone = {name: values[1:, :6] for name, values in given.items()}
    assert_close(array(model(given))[1:], array(model(alone)))


def gradients(model: CedrRanker, given: dict[str, Any]) -> dict[str, float]:
    """Return how far each weight moves in one step of gradient descent on the scores, which works on every backend."""
    model.compile(keras.optimizers.SGD(1.0), lambda _, scores: ops.sum(scores))
    before = [array(weight) for weight in model.trainable_variables]
    model.train_on_batch(given, np.zeros(len(given["token_ids"]), "float32"))
    after = [array(weight) for weight in model.trainable_variables]
    moved = zip(model.trainable_variables, before, after, strict=True)
    return {weight.path: float(np.abs(old - new).max()) for weight, old, new in moved}


def test_blocks_learn_only_through_cls(random: np.random.Generator) -> None:
    model, given = ranker(), pairs(random)
    model.encoder.pooler.trainable = False  # it does not influence the scores
    assert all(
        moved > 0 for path, moved in gradients(model, given).items() if "block_" in path and "key/bias" not in path
    )
    model = ranker()
    model.encoder.pooler.trainable = False
    kernel = array(model.features_dense.kernel).copy()
    kernel[BINS:] = 0  # ignores [CLS]
    model.features_dense.kernel.assign(kernel)
    assert all(moved == 0 for path, moved in gradients(model, given).items() if "block_" in path)


def test_saved_ranker_loads_unchanged(tmp_path: Path, random: np.random.Generator) -> None:
    model, given = ranker(), pairs(random)
    scores = array(model(given))
    model.save(tmp_path / "ranker.keras")
    loaded = keras.saving.load_model(tmp_path / "ranker.keras")
    assert isinstance(loaded, CedrRanker)
    assert_close(array(loaded(given)), scores, 1e-6)
