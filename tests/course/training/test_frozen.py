"""Frozen layers do not learn, and learn as before afterwards."""

from __future__ import annotations

from collections.abc import Callable

import keras
import numpy as np
import pytest

from course.applications.distillation.training import imitate
from course.applications.retrieval.rankers import Knrm, train_ranker
from course.applications.retrieval.training import Towers, train_towers
from course.applications.tagging.training import train_tagger
from course.compression import TinyLoss
from course.encoder import BertEncoder
from course.entities import TokenClassifier
from course.training.frozen import frozen

IDS = np.arange(5, 17, dtype="int32").reshape(4, 3)
INPUTS = {"token_ids": IDS, "segment_ids": np.array([[0, 1, 1]] * 4, "int32"), "padding_mask": IDS > 0}


def encoder() -> BertEncoder:
    made = BertEncoder(17, 1, 2, 8, 12, max_length=6, dropout=0.0)
    made.build((None, None))
    return made


def test_each_weight_learns_as_before() -> None:
    whole, sized = encoder(), keras.layers.Dense(2)
    sized.build((None, 3))
    whole.blocks[0].trainable = False
    sized.bias.trainable = False
    before = [weight.trainable for weight in [*whole.weights, *sized.weights]]
    assert {*before} == {True, False}
    with pytest.raises(KeyboardInterrupt), frozen(whole, sized):
        assert not [*whole.trainable_variables, *sized.trainable_variables]
        raise KeyboardInterrupt
    assert [weight.trainable for weight in [*whole.weights, *sized.weights]] == before


def tag(model: BertEncoder) -> None:
    train_tagger(TokenClassifier(model, 3), INPUTS, IDS % 3, batch_size=2, epochs=1)


def teach_towers(model: BertEncoder) -> None:
    train_towers(Towers(model), INPUTS, INPUTS, batch_size=2)


def rank(model: BertEncoder) -> None:
    train_ranker(Knrm(model, 1), INPUTS, 2, batch_size=2, epochs=1)


def read(model: BertEncoder) -> None:
    imitate(model, encoder(), INPUTS, TinyLoss(8, 8, [0, 1]), batch_size=2)


@pytest.mark.parametrize("train", [tag, teach_towers, rank, read])
@pytest.mark.parametrize("learns", [True, False])
def test_whoever_stops_a_training_has_the_encoder_of_before(
    train: Callable[[BertEncoder], None], learns: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(model: keras.Model, *arguments: object) -> None:
        assert not pooler.trainable_variables
        raise KeyboardInterrupt

    given = encoder()
    pooler = given.pooler
    pooler.trainable = learns
    monkeypatch.setattr(keras.Model, "train_on_batch", stopped)
    with pytest.raises(KeyboardInterrupt):
        train(given)
    assert [weight.trainable for weight in pooler.weights] == [learns, learns]
    assert all(weight.trainable for weight in given.blocks[0].trainable_variables)
    assert len(given.blocks[0].trainable_variables) == 16
