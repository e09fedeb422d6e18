"""A classifier in one file: Keras's own .keras file, and in it what is needed to read a text and to name its class.

`keras.saving.load_model` reads the model from it where `course.classification` is imported, and needs nothing of how
it was trained.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import keras

from course.classification import Inputs, TextClassifier
from course.errors import CourseError
from course.tokenization import SPECIAL_TOKENS
from course.vocabulary import Vocabulary
from course.whole import whole_file

if TYPE_CHECKING:
    from course.wordpiece import WordPieceTokenizer

# Keras keeps what is no weight of a model in this folder of its archives.
_READER = "assets/reader.json"


@dataclass(frozen=True)
class Reader:
    """Turns articles into what a classifier takes, and knows what its classes are called.

    Args:
        pieces: the vocabulary, in the order of the ids. Where it has a capital letter, case is kept.
        class_names: the name of each class.
        max_length: the longest article, in tokens; longer ones are cut.
    """

    pieces: tuple[str, ...]
    class_names: tuple[str, ...]
    max_length: int

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.pieces)

    @cached_property
    def _tokenizer(self) -> WordPieceTokenizer:
        from course.wordpiece import WordPieceTokenizer

        lowercase = all(piece == piece.lower() for piece in self.pieces if piece not in SPECIAL_TOKENS)
        return WordPieceTokenizer(self.vocabulary, lowercase)

    def read(self, titles: Sequence[str], descriptions: Sequence[str]) -> Inputs:
        """The inputs of articles, (articles, max_length) each: the title is the first segment, the text the second."""
        return self._tokenizer(titles, descriptions, self.max_length)


def save_classifier(path: Path, model: TextClassifier, reader: Reader) -> None:
    """Writes a classifier to one file, in float32 and without its optimizer.

    Raises:
        CourseError: the file cannot be written. What was there before is still there.
    """
    config = model.get_config()
    plain = TextClassifier.from_config(
        {**config, "dtype": "float32", "encoder": {**config["encoder"], "dtype": "float32"}}
    )
    plain.build({"token_ids": (None, None)})
    plain.set_weights(model.get_weights())
    with whole_file(path) as draft:
        plain.save(draft)
        with zipfile.ZipFile(draft, "a", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(_READER, json.dumps(asdict(reader)))


def load_classifier(path: Path) -> tuple[TextClassifier, Reader]:
    """Reads what `save_classifier` wrote.

    Raises:
        CourseError: there is no such file, it is damaged, or it holds something else.
    """
    if not path.is_file():
        raise CourseError(f"there is no file {path}. Name a classifier.keras that `finetune` wrote.")
    try:
        with zipfile.ZipFile(path) as archive:
            kept = json.loads(archive.read(_READER))
        reader = Reader(tuple(kept["pieces"]), tuple(kept["class_names"]), int(kept["max_length"]))
        model = keras.saving.load_model(path)
    except (OSError, zipfile.BadZipFile, KeyError, TypeError, ValueError) as error:
        raise CourseError(
            f"{path} is not a whole classifier ({error}). Name a classifier.keras that `finetune` wrote; if this is "
            "one, it was cut short on its way: get it again."
        ) from error
    return model, reader
