"""Weights from keras-hub: every layer's output must be the publisher's."""

from __future__ import annotations

import keras
import keras_hub
import pytest
import torch
import transformers

from course.data.text.vocabulary import Vocabulary
from course.weights import WeightsError, load_keras_hub, save_hugging_face
from tests.course.weights.published_bert import (
    HEADS,
    HIDDEN_DIM,
    INTERMEDIATE_DIM,
    LAYERS,
    MAX_LENGTH,
    PIECES,
    SEGMENTS,
    VOCABULARY,
    array,
    assert_agrees,
    some_inputs,
    their_outputs,
)


@pytest.fixture
def inputs(random):
    return some_inputs(random)


class TestFromKerasHub:
    @pytest.fixture
    def backbone(self, random):
        backbone = keras_hub.models.BertBackbone(
            VOCABULARY, LAYERS, HEADS, HIDDEN_DIM, INTERMEDIATE_DIM, dropout=0.2,
            max_sequence_length=MAX_LENGTH, num_segments=SEGMENTS,
        )  # fmt: skip
        for weight in backbone.weights:
            weight.assign((weight.name == "gamma") + 0.5 * random.normal(size=weight.shape))
        return backbone

    def assert_agrees(self, encoder, backbone, inputs):
        layers = ["embeddings_dropout", *(f"transformer_layer_{index}" for index in range(LAYERS))]
        outputs = [backbone.get_layer(name).output for name in layers]
        every_layer = keras.Model(backbone.inputs, [*outputs, backbone.outputs[0], backbone.outputs[1]])
        *expected, first, second = every_layer({**inputs, "padding_mask": inputs["padding_mask"].astype("int32")})
        pooled = next(output for output in (first, second) if len(output.shape) == 2)
        assert_agrees(encoder, inputs, [array(output) for output in expected], array(pooled))

    def test_agrees_in_every_layer(self, backbone, inputs):
        encoder = load_keras_hub(backbone)
        assert (encoder.dropout, encoder.approximate_gelu) == (0.2, True)
        self.assert_agrees(encoder, backbone, inputs)

    def test_a_preset_is_loaded(self, backbone, inputs, tmp_path):
        backbone.save_to_preset(str(tmp_path / "preset"))
        self.assert_agrees(load_keras_hub(str(tmp_path / "preset")), backbone, inputs)

    def test_weights_can_be_saved_for_hugging_face(self, backbone, inputs, tmp_path):
        encoder = load_keras_hub(backbone)
        save_hugging_face(encoder, tmp_path, Vocabulary(PIECES))
        with torch.device("cpu"):
            model = transformers.BertModel.from_pretrained(tmp_path).train(False)
        assert_agrees(encoder, inputs, *their_outputs(model, inputs))

    def test_another_kind_of_backbone_is_refused(self):
        other = keras_hub.models.DistilBertBackbone(VOCABULARY, LAYERS, HEADS, HIDDEN_DIM, INTERMEDIATE_DIM)
        with pytest.raises(WeightsError, match=r"Given: DistilBertBackbone. Wanted: BertBackbone"):
            load_keras_hub(other)
