"""AG News over a server on this machine and from folders, and the bundled sample: is it what it claims to be?"""

from __future__ import annotations

import gzip
import hashlib
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from course import datasets
from course.datasets import SAMPLE_FILE, TOPICS, Entity, load_ag_news, load_sample
from tests.course.local_data import AG_NEWS

TRAIN = b""""3","Fears for T N pension","Unions at Turner   Newall say they are 'disappointed'."
"4","Second Team (SPACE.com)","SPACE.com - A second\\team of rocketeers competing for the  #36;10 million prize."
"1","NA","He said,  quot;It doesn #39;t ""work"" quot; in the Elys eacute;e."
"2","Bid of \\$1B","Price range; SEC approval: Inc. &lt;TXN.N&gt;, J amp;amp;J &lt;b&gt;it&lt;/b&gt;\\\\#146;"
"""
TEST = b'"2","Title, with a comma","One description"\n"4","null",""\n'
FILES = {"train.csv": TRAIN, "test.csv": TEST}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two small files in the form of AG News."""
    monkeypatch.delenv("AG_NEWS_DIR", raising=False)
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


class TestLocalAgNews:
    def test_parses_what_the_files_are_known_for(self, folder: Path):
        articles = load_ag_news(folder)
        assert list(articles) == ["train", "test"]
        assert articles["train"].to_numpy().tolist() == [
            [2, "Fears for T N pension", "Unions at Turner Newall say they are 'disappointed'."],
            [
                3,
                "Second Team (SPACE.com)",
                "SPACE.com - A second team of rocketeers competing for the $10 million prize.",
            ],
            [0, "NA", 'He said, "It doesn\'t "work"" in the Elysée.'],
            [1, "Bid of $1B", "Price range; SEC approval: Inc. <TXN.N>, J&J <b>it</b> ’"],
        ]
        assert articles["test"].to_numpy().tolist() == [[1, "Title, with a comma", "One description"], [3, "null", ""]]
        assert list(articles["test"].columns) == ["label", "title", "description"]

    def test_the_environment_names_the_folder_unless_the_caller_does(
        self, folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setenv("AG_NEWS_DIR", str(folder))
        assert len(load_ag_news()["train"]) == 4
        other = tmp_path_factory.mktemp("other")
        for name in FILES:
            (other / name).write_bytes(TEST)
        assert len(load_ag_news(str(other))["train"]) == 2

    def test_says_which_file_is_missing(self, folder: Path):
        (folder / "test.csv").unlink()
        with pytest.raises(FileNotFoundError, match=r"test\.csv") as caught:
            load_ag_news(folder)
        assert "train.csv," not in str(caught.value)

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b'"1","only a title"\n', "row 1 has 2 columns"),
            (b'"5","title","description"\n', r"class \['5'\]"),
            (b'"1","title","description"\n"2","title"\n', "row 2 has 2 columns.*three quoted columns"),
            (b'"1","title","description","more"\n', "4 columns"),
            (b'"1","title","a description that is cut sho', "unexpected end of data"),
            (b"", "empty"),
            (b'"1","title","\xff\xfe"\n', "utf-8"),
        ],
    )
    def test_says_what_is_wrong_with_a_file(self, folder: Path, content: bytes, message: str):
        (folder / "train.csv").write_bytes(content)
        with pytest.raises(ValueError, match=message) as caught:
            load_ag_news(folder)
        assert str(folder / "train.csv") in str(caught.value)

    @pytest.mark.parametrize("source", [AG_NEWS or SAMPLE_FILE])
    def test_the_original_files(self, source: Path, folder: Path):
        if source == SAMPLE_FILE:  # AG News is not on this machine: the sample in its form stands in.
            articles = load_sample()
            rows = articles[["label", "title", "description"]].assign(label=articles["label"] + 1)
            for name in FILES:
                rows.to_csv(folder / name, header=False, index=False, quoting=1)
            source = folder
        loaded = load_ag_news(source)
        for part in loaded.values():
            text = part["title"] + " " + part["description"]
            assert not text.str.contains(r"\\|#\d+;|&\w+;|\b(?:quot|amp|lt|gt|nbsp);|\s{2}|\n").any()
            assert part["label"].isin(range(4)).all()
        assert (loaded["test"]["label"].value_counts() == len(loaded["test"]) / 4).all()


class FileServer(ThreadingHTTPServer):
    """Serves files as a server on the internet would, and counts what it was asked for."""

    def __init__(self, files: dict[str, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = files
        self.announced_too_long = 0
        self.requests: list[str] = []


class Handler(BaseHTTPRequestHandler):
    """Answers with the server's files."""

    server: FileServer

    def do_GET(self) -> None:
        name = self.path.rpartition("/")[2]
        self.server.requests.append(name)
        if name not in self.server.files:
            self.send_error(404)
            return
        content = self.server.files[name]
        self.send_response(200)
        self.send_header("Content-Length", str(len(content) + self.server.announced_too_long))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments: object) -> None:
        """Says nothing."""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("AG_NEWS_DIR", raising=False)
    monkeypatch.setattr(datasets.pooch, "os_cache", lambda name: tmp_path / name)
    return tmp_path


@pytest.fixture
def server(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    with FileServer(dict(FILES)) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        monkeypatch.setattr(datasets, "AG_NEWS_URL", f"http://127.0.0.1:{server.server_port}/ag_news_csv/")
        checksums = {name: hashlib.sha256(content).hexdigest() for name, content in FILES.items()}
        monkeypatch.setattr(datasets, "AG_NEWS_SHA256", checksums)
        yield server
        server.shutdown()


def files_in(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*") if path.is_file()}


class TestDownload:
    def test_downloads_once(self, server: FileServer, cache: Path):
        first = load_ag_news()
        second = load_ag_news()
        assert server.requests == ["train.csv", "test.csv"]
        pd.testing.assert_frame_equal(first["train"], second["train"])
        assert first["train"]["label"].tolist() == [2, 3, 0, 1]
        assert files_in(cache) == {"train.csv", "test.csv"}

    @pytest.mark.parametrize("content", [TEST.replace(b"One", b"Two"), TEST[:-9], b""])
    def test_refuses_a_file_that_is_not_the_published_one(self, server: FileServer, cache: Path, content: bytes):
        server.files["test.csv"] = content
        with pytest.raises(ValueError, match=r"test\.csv.*checksum") as caught:
            load_ag_news()
        assert "AG_NEWS_DIR" in str(caught.value)
        assert files_in(cache) == {"train.csv"}
        server.files["test.csv"] = TEST
        assert len(load_ag_news()["test"]) == 2

    def test_refuses_a_connection_that_breaks_off(self, server: FileServer, cache: Path):
        server.announced_too_long = 100
        with pytest.raises(ConnectionError, match="AG_NEWS_DIR"):
            load_ag_news()
        assert files_in(cache) == set()

    def test_a_damaged_file_in_the_cache_is_downloaded_again(self, server: FileServer, cache: Path):
        load_ag_news()
        damaged = next(cache.rglob("test.csv"))
        damaged.write_bytes(TEST[:10])
        assert len(load_ag_news()["test"]) == 2
        assert server.requests.count("test.csv") == 2

    def test_says_what_to_do_where_the_file_is_gone(self, server: FileServer):
        del server.files["train.csv"]
        with pytest.raises(ConnectionError, match=r"404.*folder=.*AG_NEWS_DIR"):
            load_ag_news()

    def test_says_what_to_do_without_a_network(self, cache: Path, monkeypatch: pytest.MonkeyPatch):
        with FileServer({}) as server:  # Nothing listens on its port once it is closed.
            url = f"http://127.0.0.1:{server.server_port}/"
        monkeypatch.setattr(datasets, "AG_NEWS_URL", url)
        with pytest.raises(ConnectionError, match=r"folder=.*AG_NEWS_DIR.*load_sample"):
            load_ag_news()
        assert files_in(cache) == set()


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

    def test_entities_are_whole_words_and_come_back(self, sample: pd.DataFrame):
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
            # No name is left unmarked: it is marked at each place where it stands as a word of its own.
            products = {text[start:end] for start, end, kind in entities if kind == "product"}
            for name in products:
                places = len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", text))
                assert places == sum(text[start:end] == name for start, end, _ in entities)
        assert kinds == {"person", "place", "organization", "product"}

    def test_names_do_not_give_their_kind_away(self, sample: pd.DataFrame):
        kinds: dict[str, set[str]] = {}
        for text, entities in zip(sample["description"], sample["entities"], strict=True):
            for start, end, kind in entities:
                kinds.setdefault(text[start:end], set()).add(kind)
        assert sum(len(found) > 1 for found in kinds.values()) > 50

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
        real = [share_a_name(*pair) for one in documents for pair in pairwise(one)]
        drawn = [share_a_name(one[0], two[-1]) for one, two in pairwise(documents)]
        assert sum(real) / len(real) > 5 * sum(drawn) / len(drawn)

    def test_is_what_its_generator_makes(self, tmp_path: Path):
        again = tmp_path / "sample.jsonl.gz"
        generator = SAMPLE_FILE.parent / "generate.py"
        subprocess.run([sys.executable, str(generator), "--to", str(again)], check=True, capture_output=True)
        # The text, since how it is packed may differ between versions of zlib.
        assert gzip.decompress(again.read_bytes()) == gzip.decompress(SAMPLE_FILE.read_bytes())
        assert SAMPLE_FILE.read_bytes()[4:8] == b"\0\0\0\0"  # No time in the header.

    def test_has_the_checksum_that_its_description_says(self):
        description = (SAMPLE_FILE.parent / "README.md").read_text(encoding="utf-8")
        assert hashlib.sha256(SAMPLE_FILE.read_bytes()).hexdigest() in description
        assert SAMPLE_FILE.stat().st_size < 2_000_000

    def test_says_what_to_do_where_it_is_missing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(datasets, "SAMPLE_FILE", tmp_path / "sample.jsonl.gz")
        with pytest.raises(FileNotFoundError, match=r"generate\.py"):
            load_sample()
