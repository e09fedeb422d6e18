"""Token arrays hold the ids of the text whichever executor makes them; they are made once, and written atomically."""

from __future__ import annotations

import itertools
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from course.data.corpus import preparation
from course.data.corpus.preparation import prepare
from course.data.corpus.sources import Corpus, Document, open_corpus, split_sentences
from course.data.corpus.token_arrays import TokenArrays
from course.data.text.vocabulary import Vocabulary
from course.errors import CourseError
from course.masked_lm import unigram_probabilities
from course.tokenization import SPECIAL_TOKENS, basic_tokenize, wordpiece_tokenize

DOCUMENTS = [
    ["The cafe opened.", "It was full by noon!"],
    ["Un café à Paris.", "", "ß stays ß.", "[MASK] is no word here."],
    ["a"],
    [],
    ["Playing and played, 2²", "unbelievable"],
    ["a b", "c"],
]


class AtOnce(Executor):
    """Runs each task at once and counts the tasks; from task `fails_at` on, it raises."""

    def __init__(self, fails_at: float = np.inf) -> None:
        self.fails_at = fails_at
        self.given = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.given += 1
        if self.given >= self.fails_at:
            raise KeyboardInterrupt
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def corpus_of(documents: list[Document], digest: str = "digest") -> Corpus:
    return Corpus("corpus", max(1, sum(map(len, itertools.chain(*documents)))), digest, lambda: iter(documents))


def decoded(arrays: TokenArrays) -> list[list[list[int]]]:
    """The ids of each sentence of each document."""
    documents = []
    for shard in map(arrays.shard, range(arrays.num_shards)):
        sentences = [list(shard.pieces[start:end]) for start, end in itertools.pairwise(shard.sentence_starts)]
        documents += [sentences[start:end] for start, end in itertools.pairwise(shard.document_starts)]
    return documents


class TestArrays:
    @pytest.mark.parametrize("lowercase", [True, False])
    def test_hold_the_ids_of_every_sentence(
        self, lowercase: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(preparation, "_CHUNK", 30)  # several chunks, and several shards
        monkeypatch.setattr(preparation, "_SHARD", 20)
        arrays = prepare(corpus_of(DOCUMENTS), tmp_path / "a", AtOnce(), vocabulary_size=400, lowercase=lowercase)

        def ids(sentence: str) -> list[int]:
            words = basic_tokenize(sentence, lowercase)
            pieces = [piece for word in words for piece in wordpiece_tokenize(word, arrays.vocabulary)]
            return arrays.vocabulary.ids_of(pieces)

        expected = [[ids(sentence) for sentence in document if ids(sentence)] for document in DOCUMENTS]
        expected = [document for document in expected if sum(map(len, document)) >= 2]
        assert decoded(arrays) == expected
        assert arrays.num_shards > 1
        assert arrays.description["documents"] == len(expected)
        assert arrays.description["sentences"] == sum(map(len, expected))
        everything = np.concatenate([arrays.shard(number).pieces for number in range(arrays.num_shards)])
        probabilities = unigram_probabilities(everything, len(arrays.vocabulary), arrays.vocabulary.special_ids)
        np.testing.assert_allclose(arrays.word_probabilities(), probabilities)

    def test_are_the_same_for_every_executor(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        once = prepare(corpus_of(DOCUMENTS), tmp_path / "a", AtOnce(), vocabulary_size=400)
        monkeypatch.setattr(preparation, "_CHUNK", 10)
        with ThreadPoolExecutor(3) as executor:
            threads = prepare(corpus_of(DOCUMENTS), tmp_path / "b", executor, vocabulary_size=400)
        assert decoded(once) == decoded(threads)
        assert list(once.vocabulary) == list(threads.vocabulary)
        assert once.key == threads.key

    def test_dtype_is_the_smallest_for_the_vocabulary(self, tmp_path: Path) -> None:
        pieces = [*SPECIAL_TOKENS, "a", "b", "c", *(f"x{number}" for number in range(70_000))]
        for size, dtype in ((200, "uint8"), (65_536, "uint16"), (65_537, "uint32")):
            vocabulary = Vocabulary(pieces[:size])
            arrays = prepare(corpus_of([["a b", "c"]]), tmp_path / dtype, AtOnce(), vocabulary=vocabulary)
            assert arrays.shard(0).pieces.dtype == dtype

    def test_are_made_once(self, tmp_path: Path) -> None:
        prepare(corpus_of(DOCUMENTS), tmp_path / "a", AtOnce(), vocabulary_size=400)
        executor = AtOnce()
        prepare(corpus_of(DOCUMENTS), tmp_path / "a", executor, vocabulary_size=400)
        assert executor.given == 0
        for change in ({"vocabulary_size": 399}, {"lowercase": False}, {"vocabulary": Vocabulary(SPECIAL_TOKENS)}):
            with pytest.raises(CourseError, match="exists already, and is not corpus prepared in this way"):
                prepare(corpus_of(DOCUMENTS), tmp_path / "a", executor, **{"vocabulary_size": 400, **change})
        with pytest.raises(CourseError, match="exists already"):
            prepare(corpus_of(DOCUMENTS, "another"), tmp_path / "a", executor, vocabulary_size=400)

    def test_an_interrupted_run_leaves_nothing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(preparation, "_CHUNK", 10)
        monkeypatch.setattr(preparation, "_SHARD", 5)
        with pytest.raises(KeyboardInterrupt):
            prepare(corpus_of(DOCUMENTS), tmp_path / "a", AtOnce(fails_at=4), vocabulary_size=400)
        assert list(tmp_path.iterdir()) == []

    def test_damage_is_detected(self, tmp_path: Path) -> None:
        with pytest.raises(CourseError, match="holds no prepared corpus"):
            TokenArrays(tmp_path)
        folder = tmp_path / "a"
        prepare(corpus_of(DOCUMENTS), folder, AtOnce(), vocabulary_size=400)
        path = folder / "pieces-00000.npy"
        for content in (path.read_bytes()[:-3], b""):
            path.write_bytes(content)
            with pytest.raises(CourseError, match=r"is damaged: .* Delete it and run"):
                TokenArrays(folder)
        path.unlink()
        with pytest.raises(CourseError, match=r"is damaged: .* Delete it and run"):
            TokenArrays(folder)
        path.mkdir()  # as good as a file that the disk does not give
        with pytest.raises(CourseError, match=r"cannot be read: .*pieces-00000\.npy.* Try again"):
            TokenArrays(folder)

    def test_memory_does_not_grow_with_the_corpus(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        class Tokenizer:
            """A piece for each character."""

            def encode_flat(self, texts: Iterator[str]) -> tuple[np.ndarray, np.ndarray]:
                texts = list(texts)
                return np.full(sum(map(len, texts)), 5, "int32"), np.array([len(text) for text in texts])

        monkeypatch.setattr(preparation, "_tokenizer", lambda pieces, lowercase: Tokenizer())
        monkeypatch.setattr(preparation, "_CHUNK", 3000)
        monkeypatch.setattr(preparation, "_SHARD", 40_000)
        vocabulary = Vocabulary([*SPECIAL_TOKENS, "a"])

        def peak(documents: int) -> int:
            corpus = Corpus("corpus", documents * 80, f"{documents}", lambda: (["a" * 80] for _ in range(documents)))
            tracemalloc.start()
            prepare(corpus, tmp_path / f"{documents}", AtOnce(), vocabulary=vocabulary)
            _, peak_bytes = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            return peak_bytes

        peak(100)  # imports the modules
        assert peak(4000) < 1.2 * peak(1000)


class TestCorpora:
    def test_splits_sentences(self) -> None:
        text = 'Shares of U.S. firms rose 0.5%. "Why?" he asked. (Nobody knew.) Then they fell! e.g. this'
        assert split_sentences(text) == [
            "Shares of U.S. firms rose 0.5%.",
            '"Why?" he asked.',
            "(Nobody knew.) Then they fell!",
            "e.g. this",
        ]

    def test_a_folder_of_text_and_tables(self, tmp_path: Path) -> None:
        (tmp_path / "b").mkdir()
        (tmp_path / "b" / "one.txt").write_text("First. Second one.\nThird.\n\n\nOther document.\n", encoding="utf-8")
        (tmp_path / "two.csv").write_text('3,"A title","Some, text. And\nmore."\n-1.5,Next,\n', encoding="utf-8")
        (tmp_path / "notes.doc").write_text("Not read.", encoding="utf-8")
        (tmp_path / "b" / "LICENSE").write_text("Not read.", encoding="utf-8")
        corpus = open_corpus(str(tmp_path), columns=["2", "3"])
        assert list(corpus.documents()) == [
            ["First.", "Second one.", "Third."],
            ["Other document."],
            ["A title", "Some, text.", "And\nmore."],
            ["Next"],
        ]
        assert [file.name for file in corpus.skipped] == ["LICENSE", "notes.doc"]

    def test_columns_of_a_table(self, tmp_path: Path) -> None:
        path = tmp_path / "table.csv"
        path.write_text("id,title,year,text\n1,News,1999,It rains.\n2,Old,1848,It snows.\n", encoding="utf-8")
        chosen = open_corpus(str(path), columns=["text", "year"])
        assert list(chosen.documents()) == [["It rains.", "1999"], ["It snows.", "1848"]]
        assert chosen.digest != open_corpus(str(path), columns=["text"]).digest
        assert chosen.digest != open_corpus(str(path), ["text", "year"], "de").digest
        with pytest.raises(CourseError, match=r"has no column body\. Its first row is id, title, year, text"):
            list(open_corpus(str(path), columns=["body"]).documents())
        with pytest.raises(CourseError, match=r"--column NAME\. It seems to have id, title, year, text; where"):
            list(open_corpus(str(path)).documents())

    def test_the_digest_changes_with_the_text(self, tmp_path: Path) -> None:
        path = tmp_path / "text.txt"
        digests = []
        for text in ("One two.", "One too.", "One two."):
            path.write_text(text, encoding="utf-8")
            digests.append(open_corpus(str(tmp_path)).digest)
        assert digests[0] == digests[2] != digests[1]

    def test_a_book_is_several_documents(self, tmp_path: Path) -> None:
        path = tmp_path / "book.txt"
        path.write_text("A sentence.\n" * 2500, encoding="utf-8")
        assert [len(document) for document in open_corpus(str(path)).documents()] == [1000, 1000, 500]

    def test_the_sample_has_its_training_rows(self) -> None:
        documents = list(open_corpus("sample").documents())
        assert len(documents) == 4000
        assert min(map(len, documents)) >= 2

    def test_unusable_corpora_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(CourseError, match=r"does not exist. Name ag_news, sample, a file \(\.txt, "):
            open_corpus(str(tmp_path / "nowhere"))
        with pytest.raises(CourseError, match=r"has no text that can be read\. Wanted: \.txt, .* an empty folder"):
            open_corpus(str(tmp_path))
        (tmp_path / "latin.txt").write_bytes("café".encode("latin-1"))
        with pytest.raises(CourseError, match=r"latin\.txt is not UTF-8 text"):
            list(open_corpus(str(tmp_path)).documents())
        with pytest.raises(CourseError, match="has no document of two words"):
            prepare(corpus_of([["a"]]), tmp_path / "a", AtOnce(), vocabulary_size=400)
        with pytest.raises(CourseError, match="size must be at least"):
            prepare(corpus_of(DOCUMENTS), tmp_path / "a", AtOnce(), vocabulary_size=10)
        assert not (tmp_path / "a").exists()
