"""Both translators: what their outputs depend on, and that they learn."""

from __future__ import annotations

import warnings

import keras
import numpy as np
import pytest

from course.applications.translation.looks import recorded_looks
from course.applications.translation.recorded_results import load_translations
from course.applications.translation.scores import alignment_score, chrf, exact_match
from course.applications.translation.toy_language import sentences
from course.applications.translation.training import train
from course.applications.translation.translate import ENGLISH, INVENTED, translate
from course.applications.translation.translators import RecurrentTranslator, Translator
from course.applications.translation.words import END_ID, START_ID
from course.attention import MultiHeadAttention
from course.decoder import beam_search, greedy, teacher_forcing
from tests.closeness import assert_close
from tests.course.arrays import array

SIZES = len(ENGLISH), len(INVENTED)
MAKERS = {
    "rnn": lambda: RecurrentTranslator(*SIZES, units=10),
    "rnn without attention": lambda: RecurrentTranslator(*SIZES, units=10, attends=False),
    "sinusoidal": lambda: Translator(*SIZES, 2, 2, 12, 20, max_length=20),
    "rope": lambda: Translator(*SIZES, 1, 2, 12, 20, positions="rope"),
}
DRAWN = sentences(64, seed=3, max_adjectives=1, max_phrases=0)


@pytest.fixture(scope="module")
def data():
    source = ENGLISH.ids([sentence.source for sentence in DRAWN])
    taught = teacher_forcing(INVENTED.ids([sentence.target for sentence in DRAWN]), START_ID, END_ID)
    return source, *map(array, taught)


@pytest.mark.parametrize("kind", MAKERS)
def test_padding_and_later_words_change_nothing(data, kind):
    source, inputs = data[0][:5], data[1][:5].astype("int32")
    model = MAKERS[kind]()
    expected = array(model((source, inputs)))
    padded = np.pad(source, ((0, 0), (0, 3)))
    assert_close(array(model((padded, inputs))), expected)
    changed = np.concatenate([inputs[:, :3], inputs[::-1, 3:]], axis=1)
    assert_close(array(model((source, changed)))[:, :3], expected[:, :3])


@pytest.mark.parametrize("kind", MAKERS)
def test_step_agrees_with_the_model_for_texts_and_hypotheses(data, kind):
    source, inputs = data[0][:4], data[1][:4].astype("int32")
    model = MAKERS[kind]()
    whole = keras.ops.log_softmax(model((source, inputs)))
    of_texts = array(model.step(source)(inputs[:, :3]))
    assert_close(of_texts, array(whole)[:, 2])
    of_hypotheses = array(model.step(source[:1])(inputs[:, :3]))
    assert_close(of_hypotheses[0], of_texts[0])


def test_a_text_may_be_as_long_as_the_translator_allows(data):
    keras.utils.set_random_seed(0)
    for longest in (2, 4):
        model = Translator(*SIZES, 1, 2, 12, 20, max_length=longest)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", "__array__ implementation", DeprecationWarning)  # PyTorch's, of NumPy
            written = greedy(model.step(data[0][:2, :longest]), [START_ID] * 2, SIZES[1] - 1, longest)
        assert written.shape == (2, longest)


def test_looks_are_recorded_under_any_name_and_only_in_the_context():
    class Two(keras.layers.Layer):
        def build(self, shape):
            self.parts = [MultiHeadAttention(6, heads) for heads in (2, 3)]
            for part in self.parts:
                part.build(shape)

        def call(self, x, context):
            return self.parts[1](self.parts[0](x), context)

    random = np.random.default_rng(0)
    x, context = random.normal(size=(2, 4, 6)), random.normal(size=(2, 5, 6))
    block = Two()
    expected = array(block(x, context))
    with recorded_looks(block) as looks:
        np.testing.assert_array_equal(array(block(x, context)), expected)
    first, second = block.parts
    own, of_first = first(x, return_weights=True)
    assert_close(array(looks[0]), array(of_first), 1e-6)
    assert_close(array(looks[1]), array(second(own, context, return_weights=True)[1]), 1e-6)
    block(x, context)
    assert [look.shape for look in looks] == [(2, 2, 4, 4), (2, 3, 4, 5)]


@pytest.mark.parametrize("kind", MAKERS)
def test_compiled_step_agrees_for_any_length_and_after_training(data, kind):
    model = MAKERS[kind]()
    for _ in range(2):
        for texts, length in ((4, 3), (1, 5), (2, 1)):
            source, prefixes = data[0][:texts], data[1][:4, :length]
            compiled = array(model.step(source, is_compiled=True)(prefixes))
            assert_close(compiled, array(model.step(source)(prefixes)))
        model.set_weights([2 * weight for weight in model.get_weights()])  # the compiled functions see these, too


@pytest.mark.parametrize("kind", ["rnn", "sinusoidal", "rope"])
def test_attention_weights_sum_to_1_and_skip_padding(data, kind):
    weights = MAKERS[kind]().weights_of(data[0][:3], data[1][:3].astype("int32"))
    assert weights.shape == (3, data[1].shape[1], data[0].shape[1])
    assert_close(weights.sum(axis=-1), 1)
    assert (weights.transpose(0, 2, 1)[data[0][:3] == 0] == 0).all()


@pytest.mark.parametrize("kind", ["rnn", "rope"])
def test_learns_and_translates_the_same_after_loading(data, kind, tmp_path):
    keras.utils.set_random_seed(1)
    model = MAKERS[kind]()
    curve = train(model, *data, steps=40, batch_size=16, learning_rate=0.02)
    assert len(curve) == 20
    assert curve[-1] < 0.9 * curve[0]
    translated = translate(model, [sentence.source for sentence in DRAWN[:3]], max_length=9)
    model.save(tmp_path / "model.keras")
    restored = keras.saving.load_model(tmp_path / "model.keras")
    assert translate(restored, [sentence.source for sentence in DRAWN[:3]], max_length=9) == translated
    with_one_beam = beam_search(model.step(data[0][:1]), START_ID, END_ID, 1, 9)[0]
    assert with_one_beam == greedy(model.step(data[0][:1]), [START_ID], END_ID, 9)[0].tolist()


def test_scores_of_texts():
    wanted = [["lo", "kelo"], ["la", "mira"]]
    assert exact_match([["lo", "kelo"], ["lo", "mira"]], wanted).tolist() == [True, False]
    assert chrf(wanted, wanted) == 100
    assert chrf([["x"], ["y"]], wanted) == 0
    # Precision and recall are 1/2 of single letters, and 0 of pairs. There are no longer runs.
    assert chrf([["ab"]], [["ac"]]) == pytest.approx(25)
    # All written letters are right, and half of the wanted ones are written: 5 · 1 · 0.5 / (4 · 1 + 0.5).
    assert chrf([["ab"]], [["abcd"]], longest=1) == pytest.approx(100 * 2.5 / 4.5)
    # Of letters, precision is 1 and recall 2/4; of pairs 1 and 1/3. The means are 1 and 5/12, and F is
    # 5 · 1 · 5/12 / (4 · 1 + 5/12) = 25/53.
    assert chrf([["ab"]], [["abcd"]]) == pytest.approx(47.17, abs=0.005)
    weights = [np.array([[0.9, 0.1], [0.2, 0.8], [1.0, 0.0]]), np.array([[0.9, 0.1], [0.9, 0.1]])]
    assert alignment_score(weights, [[0, 1], [0, 1]]) == 0.75


def test_recorded_results_support_the_lesson():
    runs = load_translations()
    assert set(runs["seed"]) == {1, 2, 3}
    assert set(runs["words"]) == set(range(5, 20))
    runs["is longer"] = runs["words"] > 14
    total = runs.groupby(["model", "is longer"])[["right", "sentences"]].sum()
    share = total["right"] / total["sentences"]
    assert share["Transformer", False] > 0.95
    assert share["Transformer", True] < 0.6
    assert share["Transformer with RoPE"].min() > 2 * share["Transformer", True]
    assert share["RNN with attention"].min() > 0.9
    assert share["RNN"].max() < 0.1
    one, four = share["Transformer, 1 beam"], share["Transformer, 4 beams"]
    assert (abs(one - four) < 0.03).all()
    by_length = runs.groupby(["model", "words"])[["right", "sentences"]].sum()
    by_length = by_length["right"] / by_length["sentences"]
    for name, last in (("Transformer", 14), ("Transformer with RoPE", 17)):  # the last length with a high accuracy
        assert by_length[name].loc[:last].min() > 0.9
        assert by_length[name].loc[last + 2 :].max() < 0.1
