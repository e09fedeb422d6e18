"""A classifier in one file: a .keras file that also holds its vocabulary, its settings for reading, and its classes.

If `course.training.mean_pooling` is imported, `keras.saving.load_model` reads the model from it, without the modules
that trained it. With weights in 8 bits, the file holds these instead of Keras's weights, and only `load_classifier`
reads it.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import keras
from safetensors import SafetensorError

import course.training.mean_pooling  # noqa: F401  Keras must know every kind of classifier
from course.classification import Inputs, TextClassifier
from course.data.text.vocabulary import Vocabulary
from course.errors import CourseError
from course.storage.atomic import atomic_file
from course.training.int8_weights import pack, unpack
from course.training.keras_file import copy_of
from course.validation.values import require_instance

if TYPE_CHECKING:
    import pandas as pd

    from course.data.text.wordpiece import WordPieceTokenizer

# Keras keeps everything except weights in the folder `assets` of its archives.
_READER, _INT8 = "assets/reader.json", "assets/int8.safetensors"
_CONFIG = "config.json"  # Keras's own name


@dataclass(frozen=True)
class Reader:
    """Turn articles into a classifier's inputs, and name its classes.

    Args:
        pieces: the vocabulary, in the order of the ids.
        class_names: the name of each class.
        max_length: the longest article, in tokens; longer ones are cut.
        text_columns: the columns of the texts in the classifier's training; two if it reads pairs.
        lowercase: whether case and accents are dropped. None: they are kept if a piece has a capital letter.
    """

    pieces: tuple[str, ...]
    class_names: tuple[str, ...]
    max_length: int
    text_columns: tuple[str, ...] = ("title", "description")
    lowercase: bool | None = None

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.pieces)

    @cached_property
    def reads_lowercase(self) -> bool:
        """Whether case and accents are dropped."""
        return self.vocabulary.drops_case(self.lowercase)

    @cached_property
    def _tokenizer(self) -> WordPieceTokenizer:
        from course.data.text.wordpiece import WordPieceTokenizer

        return WordPieceTokenizer(self.vocabulary, self.reads_lowercase)

    def read(self, firsts: Sequence[str], seconds: Sequence[str] | None = None) -> Inputs:
        """Return the inputs of texts or pairs, (texts, max_length) each. The texts of a pair are the two segments.

        Raises:
            TypeError: texts are a single string, or not strings.
            ValueError: first and second texts differ in number, or `max_length` is too small for a row.
        """
        return self._tokenizer(firsts, seconds, self.max_length)

    def read_frame(self, texts: pd.DataFrame) -> Inputs:
        """Return the inputs of the texts of a frame, by its columns."""
        return self.read(*(texts[column].tolist() for column in self.text_columns))

    def of_columns(self, text: Sequence[str]) -> Reader:
        """Return a reader of texts in other columns.

        Raises:
            CourseError: the number of columns is not the same.
        """
        if len(text) != len(self.text_columns):
            raise CourseError(
                f"the classifier reads {len(self.text_columns)} texts in a row, {', '.join(self.text_columns)}. "
                f"Given: {', '.join(text)}."
            )
        return replace(self, text_columns=tuple(text))


def save_classifier(path: Path, model: TextClassifier, reader: Reader, int8: bool = False) -> None:
    """Write a classifier to one file, without its optimizer.

    Args:
        path: the file.
        model: the classifier.
        reader: of its texts.
        int8: whether its matrices are stored in 8 bits, a quarter of the disk size. Everything else is stored in
            float32, and everything is loaded as float32.

    Raises:
        CourseError: the file cannot be written. An older file is unchanged.
        TypeError: `model` is not a classifier.
        ValueError: the reader belongs to another classifier, or, for int8, weights are not finite.
    """
    require_instance(model, "model", TextClassifier)
    _require_fit(model, reader)
    plain = copy_of(model, dtype="float32", encoder={**model.encoder.get_config(), "dtype": "float32"})
    with atomic_file(path) as draft:
        if int8:
            _save_in_int8(draft, plain)
        else:
            plain.save(draft)
        with zipfile.ZipFile(draft, "a", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(_READER, json.dumps(asdict(reader)))


def load_classifier(path: Path) -> tuple[TextClassifier, Reader]:
    """Read what `save_classifier` wrote.

    Raises:
        CourseError: there is no such file, it is damaged, or it holds something else.
        TypeError: `path` is not a path.
    """
    require_instance(path, "path", Path)
    if not path.is_file():
        raise CourseError(f"there is no file {path}. Name a classifier.keras that `finetune` wrote.")
    try:
        with zipfile.ZipFile(path) as archive:
            reader = _reader(json.loads(archive.read(_READER)))
            in_int8 = _INT8 in archive.namelist()
            model = _load_in_int8(archive) if in_int8 else keras.saving.load_model(path)
    except (OSError, zipfile.BadZipFile, zlib.error, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise CourseError(
            f"{path} is not a whole classifier ({error}). Name a classifier.keras that `finetune` wrote; if this is "
            "one, it was cut short in transfer: get it again."
        ) from error
    return model, reader


def _save_in_int8(path: Path, model: TextClassifier) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_CONFIG, json.dumps(keras.saving.serialize_keras_object(model)))
        archive.writestr(_INT8, pack(model))


def _load_in_int8(archive: zipfile.ZipFile) -> TextClassifier:
    model = keras.saving.deserialize_keras_object(json.loads(archive.read(_CONFIG)))
    require_instance(model, "model", TextClassifier)
    unpack(model, archive.read(_INT8))
    return model


def _reader(saved: dict[str, Any]) -> Reader:
    """Make a reader from its saved values. Older files have no `text_columns` and no `lowercase`."""
    names = {name: tuple(saved[name]) for name in ("pieces", "class_names", "text_columns") if name in saved}
    return Reader(**names, max_length=int(saved["max_length"]), lowercase=saved.get("lowercase"))


def _require_fit(model: TextClassifier, reader: Reader) -> None:
    """Raise a ValueError unless the reader fits the model; otherwise the file would be written, but useless."""
    encoder = model.encoder
    given = (len(reader.class_names), len(reader.pieces), reader.max_length)
    expected = (model.num_classes, encoder.vocabulary_size, encoder.max_length)
    if given[0] != expected[0] or given[1] > expected[1] or given[2] > expected[2]:
        raise ValueError(
            f"reader must name the model's {expected[0]} classes, and have at most {expected[1]} pieces and a "
            f"max_length of at most {expected[2]}. Received: {given[0]} classes, {given[1]} pieces, "
            f"max_length={given[2]}"
        )
