"""Where an encoder to fine-tune comes from: your own pretraining, published weights, or random weights."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file

from course.data.text.vocabulary import Vocabulary, train_vocabulary
from course.encoder import BertEncoder
from course.errors import CourseError
from course.presets import sizes_of
from course.training.keras_file import load_keras_file
from course.validation.values import require_instance, require_sizes
from course.weights import load_keras_hub, read_hugging_face
from course.weights.files import CONFIG, KERAS_HUB_VOCABULARY, read_lowercase
from course.weights.hugging_face import make_encoder

# The files of a pretraining.
ENCODER, VOCABULARY, HEADS = "encoder.keras", "vocabulary.txt", "heads.safetensors"


@dataclass(frozen=True)
class EncoderSource:
    """Makes any number of equal encoders.

    Attributes:
        said: a short description of them.
        vocabulary: the pieces that their ids stand for.
        arguments: those of `BertEncoder`.
        weights: their weights, as `set_weights` takes them. None: random ones, different each time.
        lowercase: whether they read lower case only; None if unknown.
        heads: the weights of the heads that were trained with them, as `assign` takes them, by "masked_lm_head" and
            "next_sentence_head".
    """

    said: str
    vocabulary: Vocabulary
    arguments: dict[str, Any]
    weights: list[np.ndarray] | None
    lowercase: bool | None = None
    heads: dict[str, dict[str, np.ndarray]] = field(default_factory=dict)

    @property
    def max_length(self) -> int:
        """The longest text that they can read."""
        return self.arguments["max_length"]

    def digest(self) -> str | None:
        """Return a hash of the weights; None if they are random."""
        if self.weights is None:
            return None
        digest = hashlib.sha256()
        for weight in self.weights:
            digest.update(weight.tobytes())
        return digest.hexdigest()[:16]

    def fresh(self) -> EncoderSource:
        """Return the twin that has not been pretrained: the same sizes and vocabulary, random weights."""
        return replace(self, said=f"{self.said}, with fresh weights", weights=None, heads={})

    def with_dropout(self, dropout: float) -> EncoderSource:
        """Return the same source with another dropout rate of features; that of attention weights does not change."""
        return replace(self, arguments={**self.arguments, "dropout": dropout})

    def make(self, dtype: str) -> BertEncoder:
        """Make a new encoder, built, that computes in this dtype."""
        encoder = BertEncoder(**self.arguments, name="encoder", dtype=dtype)
        encoder.build((None, None))
        if self.weights is not None:
            encoder.set_weights(self.weights)
        return encoder


def from_preset(preset: str, texts: Iterable[str], max_length: int, vocabulary_size: int = 8000) -> EncoderSource:
    """Return an encoder of a published size with random weights, and a vocabulary learned from texts.

    Raises:
        TypeError: `texts` is a single string, or has something that is not a string.
        ValueError: the preset is unknown, a number is not a valid size, or the vocabulary is too small for these texts.
    """
    sizes = sizes_of(preset)
    require_sizes(max_length=max_length)
    vocabulary = train_vocabulary(texts, vocabulary_size)
    reading = {"vocabulary_size": len(vocabulary), "max_length": max_length, "padding_id": vocabulary.padding_id}
    return EncoderSource(f"{preset}, from nothing", vocabulary, {**sizes, **reading, "dropout": 0.1}, None)


def from_folder(folder: Path) -> EncoderSource:
    """Read a pretrained encoder.

    Args:
        folder: what `pretrain` wrote, with encoder.keras, vocabulary.txt and perhaps heads.safetensors; or published
            weights as Hugging Face's library writes them, with config.json, vocab.txt and model.safetensors; or a
            preset of keras-hub.

    Raises:
        CourseError: the folder does not exist, is none of these, or a file in it is damaged.
        TypeError: `folder` is not a path.
    """
    require_instance(folder, "folder", Path)
    readers: dict[str, Callable[[Path], EncoderSource]] = {
        ENCODER: _of_pretraining,
        str(KERAS_HUB_VOCABULARY): _of_keras_hub,
        CONFIG: _of_hugging_face,
    }
    for name, read in readers.items():
        if (folder / name).is_file():
            try:
                return read(folder)
            except (OSError, ValueError, KeyError, SafetensorError) as error:
                raise CourseError(f"{folder} cannot be read: {error}") from error
    if folder.is_dir():
        given = ", ".join(sorted(path.name for path in folder.iterdir())[:8])
    else:
        given = "a file, not its folder" if folder.exists() else "no such folder, and nothing is downloaded"
    raise CourseError(
        f"{folder} has no encoder. Wanted: {ENCODER} and {VOCABULARY}, as `pretrain` writes them, or config.json, "
        "vocab.txt and model.safetensors, as Hugging Face's library does, or a preset of keras-hub. "
        f"Given: {given or 'an empty folder'}."
    )


def _of_pretraining(folder: Path) -> EncoderSource:
    vocabulary = Vocabulary.load(folder / VOCABULARY)
    encoder = load_keras_file(folder / ENCODER)
    if not isinstance(encoder, BertEncoder):
        raise ValueError(f"{ENCODER} holds a {type(encoder).__name__}, not a BertEncoder")
    if len(vocabulary) != encoder.vocabulary_size:
        raise ValueError(
            f"{VOCABULARY} has {len(vocabulary):,} pieces, and the encoder knows {encoder.vocabulary_size:,}; "
            "the two belong to different runs"
        )
    return EncoderSource(
        folder.name,
        vocabulary,
        _arguments(encoder),
        encoder.get_weights(),
        read_lowercase(folder),
        _read_heads(folder / HEADS),
    )


def _read_heads(path: Path) -> dict[str, dict[str, np.ndarray]]:
    """Return the heads of a pretraining, as `EncoderSource` has them; empty if it wrote none."""
    heads: dict[str, dict[str, np.ndarray]] = {}
    for name, values in (load_file(path) if path.is_file() else {}).items():
        head, _, parameter = name.partition("/")
        heads.setdefault(head, {})[parameter] = values
    return heads


def _of_hugging_face(folder: Path) -> EncoderSource:
    published = read_hugging_face(folder)
    encoder = make_encoder(published, folder)
    heads = {"masked_lm_head": published.masked_lm_head, "next_sentence_head": published.next_sentence_head}
    arguments = {**_arguments(encoder), "padding_id": published.vocabulary.padding_id}
    return EncoderSource(
        folder.name, published.vocabulary, arguments, encoder.get_weights(), published.lowercase, heads
    )


def _of_keras_hub(folder: Path) -> EncoderSource:
    vocabulary = Vocabulary.load(folder / KERAS_HUB_VOCABULARY)
    encoder = load_keras_hub(str(folder.resolve()))  # a bare name could be that of a preset to download
    if len(vocabulary) > encoder.vocabulary_size:
        raise ValueError(
            f"{KERAS_HUB_VOCABULARY} has {len(vocabulary):,} pieces, and the encoder knows {encoder.vocabulary_size:,}"
        )
    arguments = {**_arguments(encoder), "padding_id": vocabulary.padding_id}
    return EncoderSource(folder.name, vocabulary, arguments, encoder.get_weights(), read_lowercase(folder))


def _arguments(encoder: BertEncoder) -> dict[str, Any]:
    return {name: value for name, value in encoder.get_config().items() if name not in ("name", "dtype", "trainable")}
