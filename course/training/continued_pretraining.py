"""Continue a pretraining from existing weights: your own, or published ones."""

from __future__ import annotations

from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from typing import Any

import keras
import numpy as np
from safetensors.numpy import save_file

from course.data.corpus.token_arrays import TokenArrays
from course.encoder import BertEncoder
from course.errors import CourseError
from course.storage.atomic import atomic_file
from course.training.checkpoint import value_of
from course.training.encoder_source import EncoderSource
from course.weights import assign
from course.weights.names import MASKED_LM_HEAD, NEXT_SENTENCE_HEAD

_HEADS = {"masked_lm_head": MASKED_LM_HEAD, "next_sentence_head": NEXT_SENTENCE_HEAD}
_PREPARE_AGAIN = (
    "Prepare it again: python -m course prepare CORPUS --vocabulary FOLDER, with the folder of the weights."
)


def require_same_reading(corpus: TokenArrays, start: EncoderSource, max_length: int) -> None:
    """Raise a CourseError unless the corpus has the encoder's vocabulary and case, and its rows are not too long."""
    if tuple(corpus.vocabulary) != tuple(start.vocabulary):
        raise CourseError(
            f"{corpus.folder} was prepared with another vocabulary, of {len(corpus.vocabulary):,} pieces, than that of "
            f"{start.said}, of {len(start.vocabulary):,}. {_PREPARE_AGAIN}"
        )
    lowercase = corpus.description.get("lowercase")
    if start.lowercase is not None and lowercase is not None and lowercase != start.lowercase:
        prepared, read = ("dropped", "kept") if lowercase else ("kept", "dropped")
        raise CourseError(
            f"{corpus.folder} was prepared with case {prepared}, and {start.said} reads with case {read}. "
            f"{_PREPARE_AGAIN}"
        )
    if max_length > start.max_length:
        raise CourseError(
            f"{start.said} reads rows of at most {start.max_length} tokens. Given: --max-length {max_length}; ask for "
            "fewer."
        )


def encoder_of(start: EncoderSource, dropout: float, attention_dropout: float, dtype: str) -> BertEncoder:
    """Build the encoder to continue with, with these dropout rates.

    A published embedding table may have more rows than pieces, for a round size. The extra rows are left out.
    """
    changed = {"vocabulary_size": len(start.vocabulary), "dropout": dropout, "attention_dropout": attention_dropout}
    encoder = BertEncoder(**{**start.arguments, **changed}, name="encoder", dtype=dtype)
    encoder.build((None, None))
    if start.weights is not None:
        weights = zip(encoder.weights, start.weights, strict=True)
        encoder.set_weights([values[: variable.shape[0]] for variable, values in weights])
    return encoder


def take_heads(model: keras.Model, start: EncoderSource) -> None:
    """Copy the heads that were trained with the encoder into a pretrainer, if both have them."""
    for name, head in _heads(model).items():
        weights = start.heads.get(name)
        if weights:
            assign(head, {path: _rows(path, values, len(start.vocabulary)) for path, values in weights.items()})


def save_heads(model: keras.Model, path: Path) -> None:
    """Write a pretrainer's heads to a file, for `from_folder` to read; nothing if it has none like the course's.

    Raises:
        CourseError: the file cannot be written.
    """
    weights: dict[str, np.ndarray] = {}
    for name, head in _heads(model).items():
        with suppress(AttributeError):  # a learner's own head may keep its weights under other names
            weights |= {f"{name}/{parameter}": value_of(attrgetter(parameter)(head)) for parameter in _HEADS[name]}
    if weights:
        with atomic_file(path) as draft:
            save_file(weights, draft)


def _heads(model: keras.Model) -> dict[str, Any]:
    """Return a pretrainer's heads, except those of ELECTRA: its generator has its own encoder."""
    if hasattr(model, "generator"):
        return {}
    return {name: getattr(model, name) for name in _HEADS if hasattr(model, name)}


def _rows(path: str, values: np.ndarray, count: int) -> np.ndarray:
    return values[:count] if path == "output_bias" else values
