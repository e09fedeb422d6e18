"""A complete tagger in one folder: a model, its tokenizer, and the names of its tags."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from course.applications.tagging.texts import Rows, TaggedText, read_rows, word_offsets
from course.applications.tagging.training import predict_tags
from course.data.text.vocabulary import Vocabulary
from course.data.text.wordpiece import WordPieceTokenizer
from course.entities import TokenClassifier, bio_transitions, viterbi
from course.errors import CourseError
from course.storage.atomic import atomic_folder
from course.storage.outputs import write_json, write_text
from course.training.keras_file import copy_of, load_keras_file
from course.validation.values import require_instance, require_texts
from course.weights.files import TOKENIZER_CONFIG, read_lowercase

_MODEL, _VOCABULARY, _TAGS = "tagger.keras", "vocabulary.txt", "tags.txt"


@dataclass(frozen=True)
class Tagger:
    """Finds the names in texts.

    Args:
        model: returns logits of the tags.
        vocabulary: of the model's pieces.
        tags: in the order of their ids.
        lowercase: whether to drop case and accents. None: only if no piece has a capital letter.

    Raises:
        ValueError: the number of tags differs from the model's, the vocabulary has more pieces than the model knows, or
            the tags are of another scheme.
    """

    model: TokenClassifier
    vocabulary: Vocabulary
    tags: Sequence[str]
    lowercase: bool | None = None

    def __post_init__(self) -> None:
        bio_transitions(self.tags)
        given, expected = (
            (len(self.tags), len(self.vocabulary)),
            (self.model.num_tags, self.model.encoder.vocabulary_size),
        )
        if given[0] != expected[0] or given[1] > expected[1]:
            raise ValueError(
                f"the model has {expected[0]} tags and knows {expected[1]} pieces. Received: {given[0]} and {given[1]}"
            )

    @cached_property
    def tokenizer(self) -> WordPieceTokenizer:
        return WordPieceTokenizer(self.vocabulary, self.vocabulary.drops_case(self.lowercase))

    @property
    def tag_ids(self) -> dict[str, int]:
        return {tag: number for number, tag in enumerate(self.tags)}

    def rows(self, texts: Sequence[str], offsets: Sequence[np.ndarray]) -> Rows:
        """Return the rows of tokens that the encoder reads."""
        return read_rows(texts, offsets, self.tokenizer, self.model.encoder.max_length)

    def word_scores(self, texts: Sequence[str], offsets: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Return log P of each tag for each word of each text, (words, tags), from the word's first piece.

        A word without a piece, such as a control character, is no name: 0 for "O", and -10,000 for all other tags.
        """
        rows = self.rows(texts, offsets)
        log_probabilities = predict_tags(self.model, rows.inputs)
        outside = np.where(np.arange(len(self.tags)) == self.tag_ids["O"], 0.0, -1e4).astype("float32")
        scores = [np.tile(outside, (len(places), 1)) for places in offsets]
        for number, word_ids, row in zip(rows.text_ids, rows.word_ids, log_probabilities, strict=True):
            first = (word_ids >= 0) & (np.diff(word_ids, prepend=-1) != 0)
            scores[number][word_ids[first]] = row[first]
        return scores

    def tag_words(
        self, texts: Sequence[str], offsets: Sequence[np.ndarray], allowed_only: bool = True
    ) -> list[list[str]]:
        """Return the tags of the words of each text.

        Args:
            texts: unchanged strings.
            offsets: of their words, (words, 2) each.
            allowed_only: True: the best sequence of tags that IOB2 allows. False: each word's likeliest tag, whatever
                its neighbours are.
        """
        paths = bio_transitions(self.tags)
        tags = []
        for scores in self.word_scores(texts, offsets):
            best = viterbi(scores, *paths) if allowed_only and len(scores) else scores.argmax(axis=-1)
            tags.append([self.tags[number] for number in best])
        return tags

    def tag(self, texts: Iterable[str], allowed_only: bool = True) -> list[TaggedText]:
        """Return texts with a tag for each word that the tokenizer finds.

        Args:
            texts: of any length.
            allowed_only: as in `tag_words`.

        Raises:
            TypeError: a single string, or texts that are not strings.
        """
        texts = require_texts(texts, "texts")
        if not texts:
            return []
        offsets = [word_offsets(encoded) for encoded in self.tokenizer.encode_with_offsets(texts)]
        return [
            TaggedText(*row) for row in zip(texts, offsets, self.tag_words(texts, offsets, allowed_only), strict=True)
        ]


def save_tagger(folder: Path, tagger: Tagger) -> None:
    """Write tagger.keras, vocabulary.txt and tags.txt into a new folder, atomically.

    Raises:
        CourseError: the folder exists already, or cannot be written.
    """
    require_instance(tagger, "tagger", Tagger)
    with atomic_folder(folder) as draft:
        copy_of(tagger.model).save(draft / _MODEL)
        tagger.vocabulary.save(draft / _VOCABULARY)
        write_text(draft / _TAGS, "\n".join(tagger.tags) + "\n")
        if tagger.lowercase is not None:
            write_json(draft / TOKENIZER_CONFIG, {"do_lower_case": tagger.lowercase})


def load_tagger(folder: Path) -> Tagger:
    """Load a tagger that `save_tagger` wrote.

    Raises:
        CourseError: the folder is missing, or has no complete tagger.
    """
    require_instance(folder, "folder", Path)
    expected = f"Wanted: {_MODEL}, {_VOCABULARY} and {_TAGS}, as `tag` writes them"
    if not (folder / _MODEL).is_file():
        raise CourseError(f"{folder} has no tagger. {expected}; name another folder, or none to train a new tagger")
    try:
        model = load_keras_file(folder / _MODEL)
        require_instance(model, "the model", TokenClassifier)
        tags = (folder / _TAGS).read_text(encoding="utf-8").split()
        return Tagger(model, Vocabulary.load(folder / _VOCABULARY), tags, read_lowercase(folder))
    except (OSError, TypeError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise CourseError(
            f"{folder} has no complete tagger: {reason}. {expected}. Delete the folder, and `tag` trains a new one"
        ) from error
