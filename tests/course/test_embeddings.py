"""The sine waves of positions match their equation, and BERT's three tables match sums done by hand."""

from __future__ import annotations

import math

import keras
import numpy as np
import pytest
from keras import ops

from course.embeddings import BertEmbedding, sinusoidal_positions
from tests.closeness import assert_close

BATCH, LENGTH, MAX_LENGTH, VOCABULARY, SEGMENTS, HIDDEN_DIM = 2, 5, 7, 31, 3, 8
COMPILED = [False] if keras.backend.backend() == "torch" else [False, True]  # PyTorch needs a C++ compiler


def array(tensor):
    """As float32: NumPy has no bfloat16."""
    return ops.convert_to_numpy(ops.cast(tensor, "float32"))


@pytest.fixture
def ids(random):
    return random.integers(0, VOCABULARY, (BATCH, LENGTH))


@pytest.fixture
def segments(random):
    return random.integers(0, SEGMENTS, (BATCH, LENGTH))


@pytest.fixture
def embedding(random):
    """With random weights, so that each of them matters."""
    layer = BertEmbedding(VOCABULARY, HIDDEN_DIM, MAX_LENGTH, SEGMENTS)
    layer.build((None, None))
    layer.set_weights([random.normal(size=weight.shape) for weight in layer.weights])
    return layer


class TestSinusoidalPositions:
    def test_matches_the_equation(self):
        table = sinusoidal_positions(length=6, hidden_dim=10)
        assert table.shape == (6, 10)
        assert table.dtype == "float32"
        for position in range(6):
            for i in range(5):
                angle = position / math.pow(10000, 2 * i / 10)
                assert table[position, 2 * i] == pytest.approx(math.sin(angle), abs=1e-6)
                assert table[position, 2 * i + 1] == pytest.approx(math.cos(angle), abs=1e-6)

    def test_similarity_of_neighbours_does_not_depend_on_the_position(self):
        table = sinusoidal_positions(length=512, hidden_dim=32)
        products = table @ table.T
        assert_close(np.diagonal(products, 3), products[0, 3], 1e-4)
        assert products[0, 0] == pytest.approx(16)  # sin² + cos² is 1 for each of the 16 wavelengths

    @pytest.mark.parametrize(("length", "hidden_dim"), [(4, 7), (0, 8), (4, 0), (-2, 8)])
    def test_refuses_odd_widths_and_sizes_below_1(self, length, hidden_dim):
        with pytest.raises(ValueError, match=rf"Received: (length={length}|hidden_dim={hidden_dim})$"):
            sinusoidal_positions(length, hidden_dim)


class TestBertEmbedding:
    def test_adds_three_tables_and_normalizes(self, embedding, ids, segments):
        tokens, positions, kinds, gamma, beta = (array(weight.value) for weight in embedding.weights)
        assert (len(tokens), len(positions), len(kinds)) == (VOCABULARY, MAX_LENGTH, SEGMENTS)
        output = array(embedding(ids, segments))
        for text, place in np.ndindex(BATCH, LENGTH):
            x = tokens[ids[text, place]] + positions[place] + kinds[segments[text, place]]
            expected = gamma * (x - x.mean()) / np.sqrt(x.var() + 1e-12) + beta
            assert_close(output[text, place], expected)

    def test_segment_0_is_the_default(self, embedding, ids, segments):
        np.testing.assert_array_equal(array(embedding(ids)), array(embedding(ids, np.zeros_like(ids))))
        assert np.abs(array(embedding(ids, np.ones_like(ids))) - array(embedding(ids))).max() > 0.1

    def test_takes_texts_up_to_max_length(self, embedding, random):
        longest = random.integers(0, VOCABULARY, (BATCH, MAX_LENGTH))
        output = array(embedding(longest))
        assert_close(output[:, :LENGTH], array(embedding(longest[:, :LENGTH])), 1e-6)

    def test_epsilon_is_added_to_the_variance(self, ids):
        layer = BertEmbedding(VOCABULARY, HIDDEN_DIM, MAX_LENGTH, epsilon=0.25)
        layer.build((None, None))
        tokens, positions, segments = (array(weight.value) for weight in layer.weights[:3])
        x = tokens[ids] + positions[:LENGTH] + segments[0]
        expected = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 0.25)
        assert_close(array(layer(ids)), expected)

    def test_drops_out_only_in_training(self, ids):
        layer = BertEmbedding(VOCABULARY, HIDDEN_DIM, MAX_LENGTH, dropout=0.5)
        assert not (array(layer(ids)) == 0).any()
        in_training = [array(layer(ids, training=True)) for _ in range(2)]
        assert 0.2 < (in_training[0] == 0).mean() < 0.8
        assert (in_training[0] != in_training[1]).any()

    def test_starts_as_bert_does(self):
        layer = BertEmbedding(vocabulary_size=500, hidden_dim=32, max_length=300)
        layer.build((None, None))
        for table in (layer.token_embeddings, layer.position_embedding.embeddings):
            values = array(table.value)
            # Cut off at two deviations: of a whole normal distribution 4.6% would lie beyond. With TensorFlow and JAX
            # none does; Keras on PyTorch draws each number four times at most, so 4 in a million stay outside.
            assert (np.abs(values) > 0.04 + 1e-6).mean() < 1e-3
            # A normal distribution of deviation 0.02 that is cut off there has 0.88 of its deviation.
            assert values.std() == pytest.approx(0.0176, rel=0.05)
        assert (array(layer.token_embeddings.value)[:300] != array(layer.position_embedding.embeddings.value)).any()

    def test_token_embeddings_are_the_table_itself(self, embedding, ids):
        before = array(embedding(ids))
        embedding.token_embeddings.assign(array(embedding.token_embeddings.value)[::-1])
        assert np.abs(array(embedding(ids)) - before).max() > 0.1

    @pytest.mark.parametrize("policy", ["mixed_float16", "mixed_bfloat16"])
    def test_mixed_precision_follows_single_precision(self, embedding, ids, segments, policy):
        half = BertEmbedding(VOCABULARY, HIDDEN_DIM, MAX_LENGTH, SEGMENTS, dtype=policy)
        half.build((None, None))
        half.set_weights(embedding.get_weights())
        output = half(ids, segments)
        assert keras.backend.standardize_dtype(output.dtype) == policy.removeprefix("mixed_")
        assert {keras.backend.standardize_dtype(weight.dtype) for weight in half.weights} == {"float32"}
        # bfloat16 keeps 8 bits: numbers up to 4, each a sum of three, are off by some hundredths.
        np.testing.assert_allclose(array(output), array(embedding(ids, segments)), atol=0.1)

    @pytest.mark.parametrize("compiled", COMPILED)
    def test_works_in_a_model_of_unknown_batch_and_length(self, embedding, ids, segments, compiled):
        inputs = [keras.Input((None,), dtype="int32"), keras.Input((None,), dtype="int32")]
        outputs = embedding(*inputs)
        assert outputs.shape == (None, None, HIDDEN_DIM)
        model = keras.Model(inputs, outputs)
        model.compile(jit_compile=compiled)
        expected = array(embedding(ids, segments))
        assert_close(model.predict([ids, segments], verbose=0), expected, 1e-6)

    def test_survives_a_file(self, embedding, ids, tmp_path):
        inputs = keras.Input((None,), dtype="int32")
        keras.Model(inputs, embedding(inputs)).save(tmp_path / "model.keras")
        classes = {"BertEmbedding": BertEmbedding}
        restored = keras.saving.load_model(tmp_path / "model.keras", custom_objects=classes)
        np.testing.assert_array_equal(array(restored(ids)), array(embedding(ids)))

    def test_comes_back_from_its_config(self):
        layer = BertEmbedding(31, 8, 7, 3, 0.2, epsilon=1e-5, name="inputs", dtype="mixed_bfloat16")
        copy = BertEmbedding.from_config(layer.get_config())
        assert copy.get_config() == layer.get_config()
        assert (copy.vocabulary_size, copy.hidden_dim, copy.max_length, copy.num_segments) == (31, 8, 7, 3)
        assert (copy.dropout, copy.epsilon, copy.name) == (0.2, 1e-5, "inputs")
        assert copy.dtype_policy.name == "mixed_bfloat16"

    def test_trains_only_the_rows_that_were_used(self, embedding, ids, random):
        inputs = keras.Input((None,), dtype="int32")
        model = keras.Model(inputs, embedding(inputs))
        model.compile(keras.optimizers.SGD(0.1), "mean_squared_error")
        before = [array(weight.value) for weight in embedding.weights]
        model.fit(ids, random.normal(size=(BATCH, LENGTH, HIDDEN_DIM)), verbose=0)
        changed = [
            set(np.flatnonzero(np.abs(array(weight.value) - old).reshape(len(old), -1).max(axis=1)))
            for weight, old in zip(embedding.weights, before, strict=True)
        ]
        features = set(range(HIDDEN_DIM))
        assert changed == [set(ids.flat), set(range(LENGTH)), {0}, features, features]

    @pytest.mark.parametrize(
        ("token_ids", "segment_ids", "message"),
        [
            (np.zeros((2, 8), int), None, "at most 7 tokens per text.*Received: 8"),
            (np.zeros(5, int), None, r"token_ids must be \(batch, length\).*shape=\(5,\)"),
            (np.zeros((2, 5, 8), int), None, r"token_ids must be \(batch, length\).*shape=\(2, 5, 8\)"),
            (np.zeros((2, 5)), None, "token_ids must be integers.*float"),
            (np.full((2, 5), 31), None, "token_ids must be from 0 to 30.*Received: 31 to 31"),
            (np.array([[3, -1]]), None, "token_ids must be from 0 to 30.*Received: -1 to 3"),
            (np.zeros((2, 5), int), np.zeros((5, 2), int), r"shape of token_ids, \(2, 5\).*shape=\(5, 2\)"),
            (np.zeros((2, 5), int), np.zeros((1, 5), int), r"shape of token_ids, \(2, 5\).*shape=\(1, 5\)"),
            (np.zeros((2, 5), int), np.full((2, 5), 3), "segment_ids must be from 0 to 2.*Received: 3 to 3"),
            ([[1, 2]], None, "token_ids must be an array.*list"),
        ],
    )
    def test_errors_name_what_was_given_and_what_was_wanted(self, embedding, token_ids, segment_ids, message):
        with pytest.raises(ValueError, match=message):
            embedding(token_ids=token_ids, segment_ids=segment_ids)
