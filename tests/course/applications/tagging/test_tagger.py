"""A tagger learns, and predicts the same after saving and loading."""

from __future__ import annotations

from pathlib import Path

import keras
import numpy as np
import pytest

from course.applications.tagging.tagger import Tagger, load_tagger, save_tagger
from course.applications.tagging.texts import text_of_words
from course.applications.tagging.training import predict_tags, train_tagger
from course.data.text.vocabulary import Vocabulary
from course.encoder import BertEncoder
from course.entities import TokenClassifier, entities_of, entity_scores
from course.errors import CourseError
from tests.closeness import assert_close

NAMES, OTHERS = ["ada", "holm", "varga"], ["is", "was", "met", ","]
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *NAMES, *OTHERS]
TAGS = ["O", "B-x", "I-x"]


def untrained(seed: int = 1) -> Tagger:
    keras.utils.set_random_seed(seed)
    encoder = BertEncoder(len(PIECES), 1, 2, 16, 24, max_length=9, dropout=0.0, name="encoder")
    model = TokenClassifier(encoder, len(TAGS), dropout=0.0)
    model.build({"token_ids": (None, None)})
    return Tagger(model, Vocabulary(PIECES), TAGS)


def sentences(count: int) -> list:
    random = np.random.default_rng(2)
    made = []
    for _ in range(count):
        words = [str(word) for word in random.choice([*NAMES, *OTHERS], random.integers(1, 7))]
        named = [word in NAMES for word in words]
        tags = ["O" if not now else "I-x" if before else "B-x" for before, now in zip([False, *named], named)]  # noqa: B905
        made.append(text_of_words(words, tags))
    return made


@pytest.fixture(scope="module")
def taught() -> Tagger:
    tagger, shown = untrained(), sentences(200)
    rows = tagger.rows([text.text for text in shown], [text.offsets for text in shown])
    calls: list[tuple[int, int, float]] = []
    labels = rows.labels(shown, tagger.tag_ids)
    settings = {"learning_rate": 1e-2, "batch_size": 16, "epochs": 15, "seed": 1}
    losses = train_tagger(tagger.model, rows.inputs, labels, **settings, on_step=lambda *call: calls.append(call))
    assert len(losses) == 15
    assert losses[-1] < losses[0] / 3
    assert [done for done, *_ in calls] == list(range(1, len(calls) + 1))
    assert {total for _, total, _ in calls} == {len(calls)}
    return tagger


def test_finds_the_names_of_new_texts(taught: Tagger) -> None:
    new = sentences(230)[200:]
    tagged = taught.tag([text.text for text in new])
    assert entity_scores([text.tags for text in new], [text.tags for text in tagged])["f1"] > 0.9
    assert tagged[0].words == new[0].words


def test_tags_long_texts_and_texts_without_words(taught: Tagger) -> None:
    tagged = taught.tag(["ada met holm , " * 5, "", " "])
    assert [len(text.tags) for text in tagged] == [20, 0, 0]
    assert len(entities_of(tagged[0].tags)) == 10
    assert taught.tag([]) == []


def test_log_probabilities_do_not_depend_on_other_texts(taught: Tagger) -> None:
    both, first = ["ada met holm", "is , was met is , was"], ["ada met holm"]
    offsets = [text.offsets for text in taught.tag(both)]
    together, alone = taught.word_scores(both, offsets)[0], taught.word_scores(first, offsets[:1])[0]
    assert_close(together, alone)
    assert_close(np.exp(together).sum(axis=-1), 1)


def test_viterbi_predicts_only_allowed_tags() -> None:
    tagger, shown = untrained(), sentences(40)  # its likeliest tags are arbitrary
    texts, offsets = [text.text for text in shown], [text.offsets for text in shown]
    allowed = tagger.tag_words(texts, offsets)
    assert all(entities_of(tags) == entities_of(tags, strict=True) for tags in allowed)
    scores = tagger.word_scores(texts, offsets)
    likeliest = [[TAGS[number] for number in array.argmax(axis=-1)] for array in scores]
    assert tagger.tag_words(texts, offsets, allowed_only=False) == likeliest


def test_saved_tagger_loads_unchanged(taught: Tagger, tmp_path: Path) -> None:
    save_tagger(tmp_path / "tagger", taught)
    loaded, texts = load_tagger(tmp_path / "tagger"), ["ada was holm", "varga"]
    assert list(loaded.tags) == TAGS
    offsets = [text.offsets for text in taught.tag(texts)]
    for after, before in zip(loaded.word_scores(texts, offsets), taught.word_scores(texts, offsets), strict=True):
        assert_close(after, before, 1e-6)


@pytest.mark.parametrize("missing", ["tagger.keras", "vocabulary.txt", "tags.txt"])
def test_incomplete_folder_is_named(missing: str, taught: Tagger, tmp_path: Path) -> None:
    save_tagger(tmp_path / "tagger", taught)
    (tmp_path / "tagger" / missing).unlink()
    with pytest.raises(CourseError, match=r"tagger has no (complete )?tagger"):
        load_tagger(tmp_path / "tagger")


def test_folder_with_another_model_is_named(taught: Tagger, tmp_path: Path) -> None:
    save_tagger(tmp_path / "tagger", taught)
    keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)]).save(tmp_path / "tagger" / "tagger.keras")
    with pytest.raises(CourseError, match="must be a TokenClassifier"):
        load_tagger(tmp_path / "tagger")
    (tmp_path / "tagger" / "tagger.keras").write_text("no model")
    with pytest.raises(CourseError, match="no complete tagger"):
        load_tagger(tmp_path / "tagger")


def test_existing_folder_is_not_overwritten(taught: Tagger, tmp_path: Path) -> None:
    save_tagger(tmp_path / "tagger", taught)
    with pytest.raises(CourseError, match="cannot write"):
        save_tagger(tmp_path / "tagger", taught)


def test_same_seed_trains_the_same_tagger() -> None:
    predictions = []
    for _ in range(2):
        tagger, shown = untrained(), sentences(12)
        rows = tagger.rows([text.text for text in shown], [text.offsets for text in shown])
        train_tagger(tagger.model, rows.inputs, rows.labels(shown, tagger.tag_ids), epochs=1, batch_size=4, seed=3)
        predictions.append(predict_tags(tagger.model, rows.inputs))
    np.testing.assert_allclose(*predictions, atol=1e-6)
