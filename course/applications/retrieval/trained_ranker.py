"""A trained ranker: a model, the reader that makes its rows, and the folder that stores both."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import keras

from course.applications.retrieval.late_interaction import WordVectors, no_words
from course.applications.retrieval.training import Towers
from course.classification import Inputs
from course.data.text.vocabulary import Vocabulary
from course.data.text.wordpiece import WordPieceTokenizer
from course.errors import CourseError
from course.matching import PairClassifier
from course.ranking import CedrRanker
from course.storage.atomic import atomic_folder
from course.storage.outputs import write_json
from course.training.encoder_source import EncoderSource, from_folder
from course.training.keras_file import copy_of, load_keras_file
from course.validation.values import require_instance, require_sizes
from course.weights.text_vectors import mean_pooling_length

# Models that make vectors of queries and documents separately, and models that read both texts in one row.
READ_APART: dict[str, type[keras.Model]] = {"dssm": Towers, "maxsim": WordVectors}
READ_TOGETHER: dict[str, type[keras.Model]] = {"cross": PairClassifier, "cedr": CedrRanker}
KINDS = {**READ_APART, **READ_TOGETHER}
_MODEL, _VOCABULARY, _SETTINGS = "ranker.keras", "vocabulary.txt", "ranker.json"


@dataclass(frozen=True)
class TextReader:
    """Makes rows of tokens from texts.

    Args:
        vocabulary: of the model's pieces.
        query_length: the longest query, in tokens with [CLS] and [SEP]; longer ones are cut.
        document_length: the longest document, likewise.
        lowercase: whether to drop case and accents. None: only if no piece has a capital letter.

    Raises:
        ValueError: an invalid length.
    """

    vocabulary: Vocabulary
    query_length: int
    document_length: int
    lowercase: bool | None = None

    def __post_init__(self) -> None:
        require_sizes(query_length=self.query_length - 2, document_length=self.document_length - 2)

    @cached_property
    def _tokenizer(self) -> WordPieceTokenizer:
        return WordPieceTokenizer(self.vocabulary, self.vocabulary.drops_case(self.lowercase))

    def queries(self, texts: Sequence[str]) -> Inputs:
        """Return rows of one query each, (texts, query_length)."""
        return self._tokenizer(texts, max_length=self.query_length)

    def documents(self, texts: Sequence[str]) -> Inputs:
        """Return rows of one document each, (texts, document_length)."""
        return self._tokenizer(texts, max_length=self.document_length)

    def pairs(self, queries: Sequence[str], documents: Sequence[str]) -> Inputs:
        """Return rows of a query and its document, (texts, query_length + document_length - 1)."""
        return self._tokenizer(queries, documents, self.query_length + self.document_length - 1)


@dataclass(frozen=True)
class TrainedRanker:
    """Scores how well documents answer a query.

    Args:
        kind: one of `KINDS`.
        model: of that kind.
        reader: makes its rows.

    Raises:
        ValueError: the model is of another kind, or cannot read such rows.
    """

    kind: str
    model: keras.Model
    reader: TextReader

    def __post_init__(self) -> None:
        encoder = self.model.encoder
        longest = self.reader.document_length + (self.reader.query_length - 1 if self.kind in READ_TOGETHER else 0)
        if type(self.model) is not KINDS.get(self.kind):
            raise ValueError(f"kind must be that of the model. Received: {self.kind!r}, {type(self.model).__name__}")
        if len(self.reader.vocabulary) > encoder.vocabulary_size or longest > encoder.max_length:
            raise ValueError(
                f"the encoder knows {encoder.vocabulary_size} pieces and reads {encoder.max_length} tokens. "
                f"Received: {len(self.reader.vocabulary)} pieces, and rows of {longest} tokens"
            )

    @cached_property
    def fingerprint(self) -> str:
        """16 hexadecimal digits of a hash of everything that determines the scores."""
        reader = self.reader
        config = {**self.model.get_config(), "name": "", "encoder": {**self.model.encoder.get_config(), "name": ""}}
        content = [self.kind, config, *reader.vocabulary, reader.query_length, reader.document_length, reader.lowercase]
        digest = hashlib.sha256(json.dumps(content, default=str).encode())
        for weight in self.model.get_weights():
            digest.update(weight.tobytes())
        return digest.hexdigest()[:16]


def words_as_they_are(source: EncoderSource) -> TrainedRanker:
    """Return a "maxsim" ranker of an encoder's word vectors, without training it to rank.

    It reads 32 tokens of a query and 128 of a document, or as many as the encoder reads.
    """
    longest = source.max_length
    reader = TextReader(source.vocabulary, min(32, longest), min(128, longest), source.lowercase)
    model = WordVectors(source.make("float32"), left_out=no_words([*source.vocabulary]))
    model.build({"token_ids": (None, None)})
    return TrainedRanker("maxsim", model, reader)


def texts_as_they_are(source: EncoderSource, length: int = 256) -> TrainedRanker:
    """Return a "dssm" ranker of the mean of an encoder's outputs, without training it to rank.

    Args:
        source: of an encoder whose publishers have trained this mean.
        length: the longest document; limited to what the encoder reads. Queries have a quarter of it.
    """
    longest = min(length, source.max_length)
    reader = TextReader(source.vocabulary, max(3, longest // 4), longest, source.lowercase)
    model = Towers(source.make("float32"))
    model.build({"token_ids": (None, None)})
    return TrainedRanker("dssm", model, reader)


def save_ranker(folder: Path, ranker: TrainedRanker) -> None:
    """Write ranker.keras, vocabulary.txt and ranker.json into a new folder, atomically.

    Raises:
        CourseError: the folder exists already, or cannot be written.
        TypeError: not a ranker.
    """
    require_instance(ranker, "ranker", TrainedRanker)
    reader = ranker.reader
    settings = {"kind": ranker.kind, "query_length": reader.query_length, "document_length": reader.document_length}
    with atomic_folder(folder) as draft:
        copy_of(ranker.model).save(draft / _MODEL)
        reader.vocabulary.save(draft / _VOCABULARY)
        write_json(draft / _SETTINGS, {**settings, "lowercase": reader.lowercase})


def load_ranker(folder: Path) -> TrainedRanker:
    """Load a ranker that `save_ranker` wrote; or an encoder.

    An encoder in the format of Sentence Transformers becomes a ranker by `texts_as_they_are`, any other by
    `words_as_they_are`.

    Raises:
        CourseError: the folder has neither, or is damaged; or makes vectors in another way than by the mean.
        TypeError: not a path.
    """
    require_instance(folder, "folder", Path)
    if not (folder / _SETTINGS).is_file() and not (folder / _MODEL).is_file():
        try:
            source = from_folder(folder)
            length = mean_pooling_length(folder)
            if length is None:
                return words_as_they_are(source)
            return texts_as_they_are(source, length)
        except (CourseError, OSError, ValueError) as error:
            raise CourseError(
                f"{folder} has no ranker, as `train-ranker` writes it, and cannot be read as an encoder: {error}"
            ) from error
    try:
        settings: dict[str, Any] = json.loads((folder / _SETTINGS).read_text(encoding="utf-8"))
        kind = settings.pop("kind")
        model = load_keras_file(folder / _MODEL)
        return TrainedRanker(kind, model, TextReader(Vocabulary.load(folder / _VOCABULARY), **settings))
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise CourseError(f"{folder} has no complete ranker: {reason}. Get it again, or retrain it.") from error
