"""Attention weights and head probes: calculated by hand on a text of six tokens."""

from __future__ import annotations

import numpy as np
import pytest

from course.encoder import BertEncoder
from course.evaluation.attention_maps import attention_weights, cls_attention
from course.evaluation.head_probes import head_contrasts, probe_heads, simple_targets, word_targets
from tests.closeness import assert_close
from tests.course.arrays import array

PAD, CLS, SEP = 0, 2, 3
TOKEN_IDS = np.array([[CLS, 7, 8, 7, SEP, PAD]])
PLACES = {"previous word": [(2, 1), (3, 2)], "next word": [(1, 2), (2, 3)]}
PLACES |= {"same word elsewhere": [(1, 3), (3, 1)], "separator": [(1, 4), (2, 4), (3, 4)]}


@pytest.fixture
def targets() -> dict[str, np.ndarray]:
    return simple_targets(TOKEN_IDS, [PAD, 1, CLS, SEP, 4], SEP)


def test_targets_are_words_of_the_text_and_the_separator(targets) -> None:
    assert {name: list(map(tuple, np.argwhere(target[0]))) for name, target in targets.items()} == PLACES


def test_a_head_gets_the_mean_over_the_queries_that_have_a_target(targets) -> None:
    looks_back = np.eye(6)[[0, 0, 1, 2, 3, 0]]  # each at the token before it
    spread = np.tile([0.2, 0.2, 0.2, 0.2, 0.2, 0.0], (6, 1))  # all but the padding alike
    table = probe_heads(np.stack([looks_back, spread])[None, None], targets)
    assert table.index.tolist() == ["layer 0, head 0", "layer 0, head 1", "spread evenly"]
    np.testing.assert_allclose(table.loc["layer 0, head 0"], [1.0, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(table.loc["layer 0, head 1"], 0.2)
    np.testing.assert_allclose(table.loc["spread evenly"], 0.2)


def test_weights_on_several_targets_of_a_query_are_summed() -> None:
    target = np.zeros((1, 6, 6), bool)
    target[0, 1, [2, 3]] = True
    weights = np.full((2, 1, 1, 6, 6), 1 / 6)
    np.testing.assert_allclose(probe_heads(weights, {"both": target})["both"], 1 / 3)


def test_targets_of_another_shape_or_without_keys_are_refused(targets) -> None:
    weights = np.full((1, 1, 1, 6, 6), 1 / 6)
    with pytest.raises(ValueError, match=r"\(1, 6, 6\)\. Received: cut: \(1, 6, 5\)"):
        probe_heads(weights, {"cut": targets["separator"][:, :, :5]})
    with pytest.raises(ValueError, match="Received: nothing: none for any"):
        probe_heads(weights, {"nothing": np.zeros((1, 6, 6), bool)})
    with pytest.raises(ValueError, match=r"token_ids must be \(batch, length\)"):
        simple_targets(TOKEN_IDS[0], [PAD], SEP)


def test_a_contrast_is_the_attention_to_the_right_word_less_that_to_the_wrong_one() -> None:
    it, animal, street = 9, 7, 8
    token_ids = np.array([[CLS, animal, street, it, SEP, PAD], [CLS, street, it, animal, SEP, PAD]])
    targets = word_targets(token_ids, [it, it], [animal, street], [street, animal])
    places = {name: list(map(tuple, np.argwhere(target))) for name, target in targets.items()}
    assert places == {"right": [(0, 3, 1), (1, 2, 1)], "wrong": [(0, 3, 2), (1, 2, 3)]}

    weights = np.zeros((2, 2, 1, 6, 6))
    weights[0, :, 0, :, 1] = 1  # all look at the first word
    weights[1, 0, 0, 3] = [0.1, 0.2, 0.6, 0.1, 0, 0]
    table = head_contrasts(weights, targets)
    assert table.columns.tolist() == ["layer 0, head 0", "layer 1, head 0"]
    np.testing.assert_allclose(table.to_numpy(), [[1, -0.4], [1, 0]], atol=1e-6)


def test_a_text_without_its_word_is_refused() -> None:
    with pytest.raises(ValueError, match=r"word of wrong. Received: none in text 1"):
        word_targets(np.repeat(TOKEN_IDS, 2, axis=0), [7, 7], [8, 8], [7, 9])


def test_attention_weights_equal_those_of_each_block(random: np.random.Generator) -> None:
    encoder = BertEncoder(20, num_layers=3, num_heads=2, hidden_dim=8, intermediate_dim=12, max_length=6)
    token_ids = random.integers(5, 20, (2, 6))
    token_ids[1, 4:] = PAD
    inputs = {"token_ids": token_ids, "segment_ids": np.zeros_like(token_ids), "padding_mask": token_ids != PAD}
    weights = attention_weights(encoder, inputs)
    assert weights.shape == (3, 2, 2, 6, 6)
    assert_close(weights.sum(axis=-1), 1)
    assert not weights[:, 1, :, :, 4:].any()

    layers = encoder(**inputs, return_layers=True)["layer_outputs"]
    mask = inputs["padding_mask"][:, None, None, :]
    for number, block in enumerate(encoder.blocks):
        expected = block.attention(layers[number], attention_mask=mask, return_weights=True)[1]
        assert_close(weights[number], array(expected), 1e-6)
    np.testing.assert_allclose(cls_attention(encoder, inputs), weights[-1][:, :, 0])
