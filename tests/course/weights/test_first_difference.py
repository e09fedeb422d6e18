"""The debugger of weights names the first wrong layer."""

from __future__ import annotations

import numpy as np
import pytest

from course.weights import WeightsError, assign, first_difference, load_hugging_face, parameters
from tests.course.weights.published_bert import HIDDEN_DIM, LAYERS, array, publish, some_inputs, their_outputs


@pytest.fixture
def inputs(random):
    return some_inputs(random)


@pytest.fixture
def published(tmp_path, random):
    return publish(tmp_path / "published", random)


class TestFirstDifference:
    @pytest.fixture
    def reference(self, published, inputs):
        model, folder = published
        return load_hugging_face(folder), their_outputs(model.bert, inputs)[0]

    def test_none_if_all_layers_agree(self, reference, inputs, capsys):
        encoder, layers = reference
        assert first_difference(encoder, inputs, layers) is None
        lines = capsys.readouterr().out.splitlines()
        assert [line.split(":")[0] for line in lines] == ["embedding", *(f"block {index}" for index in range(LAYERS))]
        assert all("agrees" in line for line in lines)

    @pytest.mark.parametrize(
        ("path", "layer"),
        [
            ("embedding.segment_embedding.embeddings", "embedding"),
            ("blocks.0.attention.value_dense.kernel", "block 0"),
            ("blocks.3.feed_forward_norm.beta", "block 3"),
            ("blocks.4.feed_forward.output_dense.bias", "block 4"),
        ],
    )
    def test_finds_the_layer_whose_weights_are_wrong(self, reference, inputs, capsys, path, layer):
        encoder, layers = reference
        assign(encoder, {path: parameters(encoder)[path] + 0.01 * np.arange(HIDDEN_DIM)})
        difference = first_difference(encoder, inputs, layers)
        assert difference.layer == layer
        index = 0 if layer == "embedding" else int(layer.split()[1]) + 1
        output = array(encoder(**inputs, return_layers=True)["layer_outputs"][index])
        off = np.where(inputs["padding_mask"][:, :, None], np.abs(output - layers[index]), 0)
        assert difference.largest == off.max() > 1e-4
        assert off[difference.position] == off.max()
        assert difference.given == output[difference.position]
        assert difference.wanted == layers[index][difference.position]
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) == index + 1
        assert lines[-1] == str(difference)
        assert lines[-1].startswith(f"{layer}: off by")

    def test_nan_is_a_difference(self, reference, inputs):
        encoder, layers = reference
        layers[2] = layers[2].copy()
        layers[2][1, 3, 5] = np.nan
        difference = first_difference(encoder, inputs, layers)
        assert (difference.layer, difference.position) == ("block 1", (1, 3, 5))

    def test_padding_is_not_compared(self, reference, inputs):
        encoder, layers = reference
        layers = [np.where(inputs["padding_mask"][:, :, None], layer, 99.0) for layer in layers]
        assert first_difference(encoder, inputs, layers) is None
        ids_alone = {name: inputs[name] for name in ("token_ids", "segment_ids")}
        assert first_difference(encoder, ids_alone, layers) is None

    def test_names_the_number_and_shape_of_outputs_that_it_needs(self, reference, inputs):
        encoder, layers = reference
        with pytest.raises(WeightsError, match=r"Given: 5. Wanted: 6"):
            first_difference(encoder, inputs, layers[1:])
        with pytest.raises(WeightsError, match=r"block 4.*Given: \(2, 7, 12\). Wanted: \(2, 6, 12\)"):
            first_difference(encoder, inputs, [*layers[:-1], layers[-1][:, 1:]])
