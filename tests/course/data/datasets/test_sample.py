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


@pytest.fixture(scope="module")
def pairs(sample: pd.DataFrame) -> pd.DataFrame:
    """The sentences with a mover, a way, and a pronoun for one of them, and what they say."""
    grammar = (SAMPLE_FILE.parent / "grammar" / "pairs.txt").read_text(encoding="utf-8")
    lists = {key: words.split(" | ") for key, words in re.findall(r"^(\w+): (.*)$", grammar, re.MULTILINE)}
    movers = dict(noun.split("/") for kind in ("animal", "vehicle") for noun in lists[kind])
    ways = dict(noun.split("/") for kind in ("street", "bridge", "river", "field") for noun in lists[kind])
    adjectives = {adjective: key for key, words in lists.items() if key.endswith("_quality") for adjective in words}
    found = []
    for text in sample["sentences"].explode():
        reason = re.search(r" (?:because|since|as|although) (it|they) (?:was|were|\w+ed|had become) .*", text)
        if not reason:
            continue
        words = re.findall(r"[\w-]+", text[: reason.start()].lower())
        mover, way = (
            next((word, noun) for noun, plural in nouns.items() for word in words if word in (noun, plural))
            for nouns in (movers, ways)
        )
        adjective = next(word for word in re.findall(r"\w+", reason[0]) if word in adjectives)
        found.append(
            {
                "text": text,
                "mover": mover[1],
                "way": way[1],
                "pronoun": reason[1],
                "adjective": adjective,
                "mover is meant": adjectives[adjective] in ("animal_quality", "vehicle_quality"),
                "mover comes first": words.index(mover[0]) < words.index(way[0]),
                "mover is plural": mover[0] in movers.values(),
                "way is plural": way[0] in ways.values(),
            }
        )
    return pd.DataFrame(found)


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

    def test_only_the_adjective_tells_what_a_pronoun_means(self, pairs: pd.DataFrame):
        assert len(pairs) > 2400
        assert len(pairs["text"].unique()) > 0.99 * len(pairs)
        for _, kind in pairs.groupby(["mover comes first", "mover is plural", "way is plural"]):
            assert 0.4 < kind["mover is meant"].mean() < 0.6
        meanings = pairs.groupby("adjective")["mover is meant"].nunique()
        assert (meanings == 1).all()
        plural = pairs["mover is plural"].where(pairs["mover is meant"], pairs["way is plural"])
        assert (pairs["pronoun"] == plural.map({True: "they", False: "it"})).all()

    def test_a_quarter_of_the_pairs_of_nouns_stands_in_no_article(self, pairs: pd.DataFrame):
        movers, ways = pairs["mover"].unique(), pairs["way"].unique()
        read = set(zip(pairs["mover"], pairs["way"], strict=True))
        assert 4 * len(read) == 3 * len(movers) * len(ways)
        assert ("animal", "street") not in read
        assert {"animal"} <= set(movers) and {"street"} <= set(ways)

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
