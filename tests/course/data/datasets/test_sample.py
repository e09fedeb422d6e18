"""The bundled sample has the properties that its description claims."""

from __future__ import annotations

import gzip
import hashlib
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from course.data.datasets import TOPICS, Entity, load_sample
from course.data.datasets import sample as module
from course.data.datasets.sample import SAMPLE_FILE


@pytest.fixture(scope="module")
def sample() -> pd.DataFrame:
    return load_sample()


class TestSample:
    def test_is_balanced_and_complete(self, sample: pd.DataFrame):
        assert list(sample.columns) == ["label", "title", "description", "sentences", "entities"]
        assert sample["label"].value_counts().to_dict() == dict.fromkeys(range(len(TOPICS)), 1250)
        assert (sample["description"] == sample["sentences"].map(" ".join)).all()
        assert sample["sentences"].map(len).between(2, 12).all()

    def test_is_varied(self, sample: pd.DataFrame):
        assert not sample["description"].duplicated().any()
        sentences = sample["sentences"].explode()
        assert sentences.duplicated().mean() < 0.1
        words = set(re.findall(r"\w+", " ".join(sample["description"]).lower()))
        assert len(words) > 3000

    def test_is_written_cleanly(self, sample: pd.DataFrame):
        slip = r"\s{2}|\s[,.;]|[<>{}|\[\]()]|\.\.|\b(\w+) \1\b|\ba [aeio]|\ban [^aeiouh]|^[a-z](?!\d)|[^.\"]$"
        sentences = sample["sentences"].explode()
        assert [sentence for sentence in sentences if re.search(slip, sentence)] == []

    def test_entities_are_whole_words_and_all_marked(self, sample: pd.DataFrame):
        kinds = set()
        for text, entities in zip(sample["description"], sample["entities"], strict=True):
            end_of_last = 0
            for entity in entities:
                assert isinstance(entity, Entity)
                name = text[entity.start : entity.end]
                assert re.fullmatch(r"\w.*\w", name)
                assert re.search(rf"(?<!\w){re.escape(name)}$", text[: entity.end])
                assert not re.match(r"\w", text[entity.end :])
                assert entity.start >= end_of_last
                end_of_last = entity.end
                kinds.add(entity.kind)
            # No product name is left unmarked: it is marked wherever it stands as a whole word.
            products = {text[start:end] for start, end, kind in entities if kind == "product"}
            for name in products:
                places = len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", text))
                assert places == sum(text[start:end] == name for start, end, _ in entities)
        assert kinds == {"person", "place", "organization", "product"}

    def test_many_names_have_several_kinds(self, sample: pd.DataFrame):
        kinds: dict[str, set[str]] = {}
        for text, entities in zip(sample["description"], sample["entities"], strict=True):
            for start, end, kind in entities:
                kinds.setdefault(text[start:end], set()).add(kind)
        assert sum(len(kinds_of_name) > 1 for kinds_of_name in kinds.values()) > 50

    def test_single_words_tell_most_topics_but_not_all(self, sample: pd.DataFrame):
        texts = sample["title"] + " " + sample["description"]
        model = make_pipeline(TfidfVectorizer(sublinear_tf=True), LogisticRegression(C=10, max_iter=300, tol=1e-3))
        model.fit(texts[:4000], sample["label"][:4000])
        assert 0.85 < model.score(texts[4000:], sample["label"][4000:]) < 0.95

    def test_the_first_sentence_tells_the_topic(self, sample: pd.DataFrame):
        first = sample["sentences"].str[0]
        model = make_pipeline(TfidfVectorizer(), LogisticRegression(C=10, max_iter=300))
        model.fit(first[:4000], sample["label"][:4000])
        assert model.score(first[4000:], sample["label"][4000:]) > 0.98

    def test_the_next_sentence_goes_on_with_the_same_names(self, sample: pd.DataFrame):
        def share_a_name(first: str, second: str) -> bool:
            return bool(set(re.findall(r"[A-Z]\w{3,}", first)) & set(re.findall(r"[A-Z]\w{3,}", second)))

        documents = sample["sentences"].tolist()
        real = [share_a_name(*pair) for document in documents for pair in pairwise(document)]
        unrelated = [share_a_name(document[0], other[-1]) for document, other in pairwise(documents)]
        assert sum(real) / len(real) > 5 * sum(unrelated) / len(unrelated)

    def test_is_what_its_generator_makes(self, tmp_path: Path):
        again = tmp_path / "sample.jsonl.gz"
        generator = SAMPLE_FILE.parent / "generate.py"
        subprocess.run([sys.executable, str(generator), "--to", str(again)], check=True, capture_output=True)
        # Compare the text, because its compressed form may differ between versions of zlib.
        assert gzip.decompress(again.read_bytes()) == gzip.decompress(SAMPLE_FILE.read_bytes())
        assert SAMPLE_FILE.read_bytes()[4:8] == b"\0\0\0\0"  # No time in the header.

    def test_has_the_checksum_that_its_description_says(self):
        description = (SAMPLE_FILE.parent / "README.md").read_text(encoding="utf-8")
        assert hashlib.sha256(SAMPLE_FILE.read_bytes()).hexdigest() in description
        assert SAMPLE_FILE.stat().st_size < 2_000_000

    def test_says_what_to_do_if_it_is_missing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(module, "SAMPLE_FILE", tmp_path / "sample.jsonl.gz")
        with pytest.raises(FileNotFoundError, match=r"generate\.py"):
            load_sample()
