"""The models of a pretraining can be made from an encoder that was trained before."""

from __future__ import annotations

import numpy as np
import pytest

from course.encoder import BertEncoder
from course.training.pretrainers import OBJECTIVES, pretrainer_of
from tests.course.data.corpus.small_corpus import VOCABULARY


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_built_encoder_keeps_its_weights(objective: str) -> None:
    encoder = BertEncoder(len(VOCABULARY), 1, 2, 6, 10, max_length=9, dropout=0.0)
    encoder.build((None, None))
    before = encoder.get_weights()
    probabilities = np.full(len(VOCABULARY), 1 / len(VOCABULARY))
    model = pretrainer_of(objective, encoder, VOCABULARY, probabilities, 0.15, 3)
    assert model.encoder is encoder
    for old, new in zip(before, encoder.get_weights(), strict=True):
        np.testing.assert_array_equal(old, new)
