"""A tagger learns, is kept, and is the same when it comes back."""

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
    rows = tagger.rows([one.text for one in shown], [one.offsets for one in shown])
    told: list[tuple[int, int, float]] = []
    labels = rows.labels(shown, tagger.tag_ids)
    settings = {"learning_rate": 1e-2, "batch_size": 16, "epochs": 15, "seed": 1}
    losses = train_tagger(tagger.model, rows.inputs, labels, **settings, on_step=lambda *said: told.append(said))
    assert len(losses) == 15
    assert losses[-1] < losses[0] / 3
    assert [done for done, *_ in told] == list(range(1, len(told) + 1))
    assert {total for _, total, _ in told} == {len(told)}
    return tagger


def test_it_finds_what_it_has_learned(taught: Tagger) -> None:
    new = sentences(230)[200:]
    found = taught.tag([one.text for one in new])
    assert entity_scores([one.tags for one in new], [one.tags for one in found])["f1"] > 0.9
    assert found[0].words == new[0].words


def test_a_text_longer_than_a_row_and_texts_without_words(taught: Tagger) -> None:
    found = taught.tag(["ada met holm , " * 5, "", " "])
    assert [len(one.tags) for one in found] == [20, 0, 0]
    assert len(entities_of(found[0].tags)) == 10
    assert taught.tag([]) == []


def test_log_probabilities_do_not_depend_on_what_is_read_beside(taught: Tagger) -> None:
    both, one = ["ada met holm", "is , was met is , was"], ["ada met holm"]
    offsets = [found.offsets for found in taught.tag(both)]
    together, alone = taught.word_scores(both, offsets)[0], taught.word_scores(one, offsets[:1])[0]
    assert_close(together, alone)
    assert_close(np.exp(together).sum(axis=-1), 1)


def test_viterbi_gives_only_what_is_allowed() -> None:
    tagger, shown = untrained(), sentences(40)  # it has learned nothing, and says anything
    texts, offsets = [one.text for one in shown], [one.offsets for one in shown]
    allowed = tagger.tag_words(texts, offsets)
    assert all(entities_of(tags) == entities_of(tags, strict=True) for tags in allowed)
    scores = tagger.word_scores(texts, offsets)
    likeliest = [[TAGS[number] for number in one.argmax(axis=-1)] for one in scores]
    assert tagger.tag_words(texts, offsets, allowed_only=False) == likeliest


def test_it_comes_back_from_its_folder(taught: Tagger, tmp_path: Path) -> None:
    save_tagger(tmp_path / "tagger", taught)
    found, texts = load_tagger(tmp_path / "tagger"), ["ada was holm", "varga"]
    assert list(found.tags) == TAGS
    offsets = [one.offsets for one in taught.tag(texts)]
    for one, other in zip(found.word_scores(texts, offsets), taught.word_scores(texts, offsets), strict=True):
        assert_close(one, other, 1e-6)


@pytest.mark.parametrize("missing", ["tagger.keras", "vocabulary.txt", "tags.txt"])
def test_a_folder_that_is_not_whole_is_named(missing: str, taught: Tagger, tmp_path: Path) -> None:
    save_tagger(tmp_path / "tagger", taught)
    (tmp_path / "tagger" / missing).unlink()
    with pytest.raises(CourseError, match=r"tagger has no (whole )?tagger"):
        load_tagger(tmp_path / "tagger")


def test_a_folder_with_another_model_is_named(taught: Tagger, tmp_path: Path) -> None:
    save_tagger(tmp_path / "tagger", taught)
    keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)]).save(tmp_path / "tagger" / "tagger.keras")
    with pytest.raises(CourseError, match="must be a TokenClassifier"):
        load_tagger(tmp_path / "tagger")
    (tmp_path / "tagger" / "tagger.keras").write_text("no model")
    with pytest.raises(CourseError, match="no whole tagger"):
        load_tagger(tmp_path / "tagger")


def test_what_is_there_is_not_written_over(taught: Tagger, tmp_path: Path) -> None:
    save_tagger(tmp_path / "tagger", taught)
    with pytest.raises(CourseError, match="cannot write"):
        save_tagger(tmp_path / "tagger", taught)


def test_training_again_from_one_seed_is_the_same() -> None:
    found = []
    for _ in range(2):
        tagger, shown = untrained(), sentences(12)
        rows = tagger.rows([one.text for one in shown], [one.offsets for one in shown])
        train_tagger(tagger.model, rows.inputs, rows.labels(shown, tagger.tag_ids), epochs=1, batch_size=4, seed=3)
        found.append(predict_tags(tagger.model, rows.inputs))
    np.testing.assert_allclose(*found, atol=1e-6)
