"""A classifier in one file: Keras's own .keras file, and in it what is needed to read a text and to name its class.

`keras.saving.load_model` reads the model from it where `course.training.mean_pooling` is imported, and needs nothing of
how it was trained. Where the weights are in 8 bits, a file of the same name has them instead of Keras's weights, and
`load_classifier` alone reads it.
"""

from __future__ import annotations

import json
import zipfile
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
from course.validation.values import require_instance

if TYPE_CHECKING:
    import pandas as pd

    from course.data.text.wordpiece import WordPieceTokenizer

# Keras keeps what is no weight of a model in this folder of its archives.
_READER, _INT8 = "assets/reader.json", "assets/int8.safetensors"
_CONFIG = "config.json"  # as Keras calls it


@dataclass(frozen=True)
class Reader:
    """Turns articles into what a classifier takes, and knows what its classes are called.

    Args:
        pieces: the vocabulary, in the order of the ids.
        class_names: the name of each class.
        max_length: the longest article, in tokens; longer ones are cut.
        text_columns: what the texts were called where the classifier learned from them; two, where it reads pairs.
        lowercase: whether case and accents are dropped. None: they are kept where a piece has a capital letter.
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
        """The inputs of texts, (texts, max_length) each. Of a pair, such as a title and what is below it, the first is
        the first segment, and the second the second.

        Raises:
            TypeError: a single string, or what are no strings.
            ValueError: as many second texts as first ones are not there, or no rows can be that short.
        """
        return self._tokenizer(firsts, seconds, self.max_length)

    def read_frame(self, texts: pd.DataFrame) -> Inputs:
        """The same of a frame that has the columns of the texts."""
        return self.read(*(texts[column].tolist() for column in self.text_columns))

    def of_columns(self, text: Sequence[str]) -> Reader:
        """The same for texts that stand in these columns.

        Raises:
            CourseError: they are more or fewer than those of before.
        """
        if len(text) != len(self.text_columns):
            raise CourseError(
                f"the classifier reads {len(self.text_columns)} texts in a row, {', '.join(self.text_columns)}. "
                f"Given: {', '.join(text)}."
            )
        return replace(self, text_columns=tuple(text))


def save_classifier(path: Path, model: TextClassifier, reader: Reader, int8: bool = False) -> None:
    """Writes a classifier to one file, without its optimizer.

    Args:
        path: where.
        model: what is kept.
        reader: of its texts.
        int8: whether its matrices are kept in 8 bits, which takes a quarter of the room. All else is in float32, as is
            all that is loaded.

    Raises:
        CourseError: the file cannot be written. What was there before is still there.
        TypeError: what is no classifier.
        ValueError: a reader that belongs to another classifier, or, for int8, weights that are not finite.
    """
    require_instance(model, "model", TextClassifier)
    _require_fit(model, reader)
    config = model.get_config()
    plain = type(model).from_config(
        {**config, "dtype": "float32", "encoder": {**config["encoder"], "dtype": "float32"}}
    )
    plain.build({"token_ids": (None, None)})
    plain.set_weights(model.get_weights())
    with atomic_file(path) as draft:
        if int8:
            _save_in_int8(draft, plain)
        else:
            plain.save(draft)
        with zipfile.ZipFile(draft, "a", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(_READER, json.dumps(asdict(reader)))


def load_classifier(path: Path) -> tuple[TextClassifier, Reader]:
    """Reads what `save_classifier` wrote.

    Raises:
        CourseError: there is no such file, it is damaged, or it holds something else.
        TypeError: what is no path.
    """
    require_instance(path, "path", Path)
    if not path.is_file():
        raise CourseError(f"there is no file {path}. Name a classifier.keras that `finetune` wrote.")
    try:
        with zipfile.ZipFile(path) as archive:
            reader = _reader(json.loads(archive.read(_READER)))
            in_int8 = _INT8 in archive.namelist()
            model = _load_in_int8(archive) if in_int8 else keras.saving.load_model(path)
    except (OSError, zipfile.BadZipFile, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise CourseError(
            f"{path} is not a whole classifier ({error}). Name a classifier.keras that `finetune` wrote; if this is "
            "one, it was cut short on its way: get it again."
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


def _reader(kept: dict[str, Any]) -> Reader:
    """A file of before knows of articles alone, and nothing of case."""
    names = {name: tuple(kept[name]) for name in ("pieces", "class_names", "text_columns") if name in kept}
    return Reader(**names, max_length=int(kept["max_length"]), lowercase=kept.get("lowercase"))


def _require_fit(model: TextClassifier, reader: Reader) -> None:
    """Where they do not fit, the file could be written, and nothing be done with it."""
    encoder = model.encoder
    given = (len(reader.class_names), len(reader.pieces), reader.max_length)
    wanted = (model.num_classes, encoder.vocabulary_size, encoder.max_length)
    if given[0] != wanted[0] or given[1] > wanted[1] or given[2] > wanted[2]:
        raise ValueError(
            f"reader must name the model's {wanted[0]} classes, and have at most {wanted[1]} pieces and a max_length "
            f"of at most {wanted[2]}. Received: {given[0]} classes, {given[1]} pieces, max_length={given[2]}"
        )
