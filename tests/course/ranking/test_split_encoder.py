"""The split encoder agrees with Hugging Face's encoder, and with one whose first blocks get a mask of two parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

from course.encoder import BertEncoder
from course.ranking import SplitEncoder
from course.weights import load_hugging_face
from tests.closeness import assert_close
from tests.course.arrays import array
from tests.course.hugging_face import HIDDEN_DIM, VOCABULARY_SIZE, outputs_of, published

LAYERS, MAX_LENGTH, QUERY, DOCUMENT = 3, 14, 5, 7


def encoder() -> BertEncoder:
    keras.utils.set_random_seed(2)
    made = BertEncoder(VOCABULARY_SIZE, LAYERS, 3, HIDDEN_DIM, 20, max_length=MAX_LENGTH, dropout=0.0)
    made.build((None, None))
    random = np.random.default_rng(8)
    made.set_weights([0.4 * random.normal(size=weight.shape) for weight in made.get_weights()])
    return made


def rows(random: np.random.Generator) -> dict[str, np.ndarray]:
    """Return ids of three queries and their documents, with padding."""
    query, document = (
        random.integers(1, VOCABULARY_SIZE, (3, length), dtype="int32") * (np.arange(length) < np.array(words)[:, None])
        for length, words in ((QUERY, (5, 3, 2)), (DOCUMENT, (4, 7, 1)))
    )
    return {"query_ids": query.astype("int32"), "document_ids": document.astype("int32")}


def side_by_side(given: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    ids = np.concatenate(list(given.values()), axis=1)
    segments = np.tile(np.arange(QUERY + DOCUMENT) >= QUERY, (3, 1)).astype("int32")
    return ids, segments, ids != 0


def test_split_0_agrees_with_hugging_face(tmp_path: Path, random: np.random.Generator) -> None:
    theirs = published(tmp_path, "BertModel", max_position_embeddings=MAX_LENGTH)
    given = rows(random)
    ids, segments, mask = side_by_side(given)
    expected = outputs_of(theirs, ids, segments, mask)
    ours = SplitEncoder(load_hugging_face(tmp_path), 0, QUERY)(given)
    assert_close(array(ours["pooled_output"]), expected.pooler_output.numpy(), 1e-4)
    words = np.where(mask[..., None], array(ours["sequence_output"]) - expected.last_hidden_state.numpy(), 0)
    assert_close(words, 0, 1e-4)


@pytest.mark.parametrize("split", range(LAYERS))
def test_first_blocks_see_only_one_text(split: int, random: np.random.Generator) -> None:
    whole, given = encoder(), rows(random)
    ids, segments, mask = side_by_side(given)
    together = (segments[:, :, None] == segments[:, None]) & mask[:, None]  # (batch, query, key)
    x = whole.embedding(ids, segments)
    for number, block in enumerate(whole.blocks):
        x = block(x, attention_mask=(together if number < split else mask[:, None])[:, None])
    outputs = SplitEncoder(whole, split, QUERY)(given)
    assert_close(array(outputs["sequence_output"])[mask], array(x)[mask])
    assert_close(array(outputs["pooled_output"]), array(whole.pooler(x[:, 0])))


def test_documents_can_be_read_the_night_before(tmp_path: Path, random: np.random.Generator) -> None:
    reader, given = SplitEncoder(encoder(), 2, QUERY), rows(random)
    online = array(reader(given)["pooled_output"])
    stored = [
        array(reader.encode_document(ids[None, : (ids != 0).sum()], ids[None, ids != 0] != 0))
        for ids in given["document_ids"]
    ]
    np.savez(tmp_path / "documents.npz", *[document[0] for document in stored])
    loaded = np.load(tmp_path / "documents.npz")
    for number, ids in enumerate(given["query_ids"]):
        mask = (ids != 0)[None]
        document = loaded[f"arr_{number}"][None]
        joined = reader.join(reader.encode_query(ids[None], mask), mask, document, np.ones(document.shape[:2], bool))
        assert_close(array(joined["pooled_output"])[0], online[number])


def test_a_document_does_not_depend_on_the_query(random: np.random.Generator) -> None:
    reader, given = SplitEncoder(encoder(), 1, QUERY), rows(random)
    ids = given["document_ids"]
    alone = array(reader.encode_document(ids, ids != 0))
    assert alone.shape == (3, DOCUMENT, HIDDEN_DIM)
    for query_length in (QUERY, 2):
        moved = array(SplitEncoder(reader.encoder, 1, query_length).encode_document(ids, ids != 0))
        assert np.allclose(moved, alone, atol=1e-5) == (query_length == QUERY)  # positions follow the query's length


def test_dropout_acts_only_in_training(random: np.random.Generator) -> None:
    whole = encoder()
    dropping = BertEncoder.from_config({**whole.get_config(), "dropout": 0.5, "attention_dropout": 0.0})
    dropping.build((None, None))
    dropping.set_weights(whole.get_weights())
    reader, given = SplitEncoder(dropping, 2, QUERY), rows(random)
    ids = given["document_ids"]
    runs: list[Any] = [array(reader.encode_document(ids, ids != 0)) for _ in range(2)]
    np.testing.assert_array_equal(*runs)
    assert (
        np.abs(array(reader(given, training=True)["pooled_output"]) - array(reader(given)["pooled_output"])).max()
        > 1e-3
    )


def test_saved_encoder_loads_unchanged(tmp_path: Path, random: np.random.Generator) -> None:
    reader, given = SplitEncoder(encoder(), 1, QUERY), rows(random)
    before = array(reader(given)["pooled_output"])
    reader.save(tmp_path / "reader.keras")
    loaded = keras.saving.load_model(tmp_path / "reader.keras")
    assert (loaded.split, loaded.query_length) == (1, QUERY)
    assert_close(array(loaded(given)["pooled_output"]), before, 1e-6)
