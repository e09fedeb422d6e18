"""Loads an encoder and its heads from folders in the format of Hugging Face's library, and saves them there."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import safetensors.numpy

from course.data.text.vocabulary import Vocabulary
from course.encoder import BertEncoder
from course.storage.atomic import atomic_file
from course.validation.values import require_choice, require_instance
from course.weights.files import (
    CONFIG,
    INDEX,
    WEIGHTS,
    existing,
    read_arrays,
    read_json,
    read_lowercase,
    read_vocabulary,
    require_same_reading,
)
from course.weights.names import (
    CLASSIFIER,
    MASKED_LM_HEAD,
    NEXT_SENTENCE_HEAD,
    config_of,
    current_name,
    encoder_arguments,
    their_name,
)
from course.weights.parameters import WeightsError, assign, parameter_paths, parameters, values_at

if TYPE_CHECKING:
    from course.classification import TextClassifier
    from course.masked_lm import MaskedLMHead


@dataclass(frozen=True)
class Checkpoint:
    """The contents of a folder of published weights.

    Attributes:
        arguments: the arguments of the `BertEncoder`.
        vocabulary: the pieces that its ids stand for.
        encoder: the encoder's parameters, by path, as `assign` takes them.
        masked_lm_head: those of a `MaskedLMHead`; empty if the file has none.
        next_sentence_head: those of a `NextSentenceHead`; empty if the file has none.
        unused: the names in the file that this course has no place for.
        lowercase: whether the model reads only lower case; None if no file says so.
    """

    arguments: dict[str, Any]
    vocabulary: Vocabulary
    encoder: dict[str, np.ndarray]
    masked_lm_head: dict[str, np.ndarray]
    next_sentence_head: dict[str, np.ndarray]
    unused: list[str]
    lowercase: bool | None = None


def load_hugging_face(folder: Path | str, encoder_class: type[BertEncoder] = BertEncoder) -> BertEncoder:
    """Loads an encoder with the weights of a folder.

    Args:
        folder: has config.json, model.safetensors or several such files with their index, and vocab.txt or
            tokenizer.json.
        encoder_class: the class to load them into, such as your own `BertEncoder`.

    Returns:
        The encoder, built. If the file has no pooler, the encoder's gets fresh weights, the same each time, and a
        warning says so.

    Raises:
        FileNotFoundError: a file is missing.
        WeightsError: a file is damaged, is of another architecture or tokenizer, or does not fit the configuration.

    Example:
        >>> encoder = load_hugging_face("bert-base-uncased")
        >>> encoder(token_ids)["pooled_output"]  # (batch, 768)
    """
    return make_encoder(read_hugging_face(folder), folder, encoder_class)


def make_encoder(
    checkpoint: Checkpoint, folder: Path | str, encoder_class: type[BertEncoder] = BertEncoder
) -> BertEncoder:
    """Makes the encoder of a checkpoint that was read from a folder, as `load_hugging_face` returns it.

    Raises:
        TypeError: not a checkpoint.
        WeightsError: it does not fit its configuration.
    """
    require_instance(checkpoint, "checkpoint", Checkpoint)
    encoder = encoder_class(**checkpoint.arguments)
    encoder.build((None, None))
    assign(encoder, checkpoint.encoder)
    if "pooler.kernel" not in checkpoint.encoder:
        assign(encoder, _fresh_pooler(encoder.hidden_dim))
        warnings.warn(f"{folder} has no pooler: pooled_output comes from fresh weights", stacklevel=3)
    return encoder


def read_hugging_face(folder: Path | str) -> Checkpoint:
    """Reads everything in a folder of published weights that this course has a place for, and the names of the rest.

    Raises:
        FileNotFoundError: a file is missing.
        WeightsError: a file is damaged, is of another architecture or tokenizer, or does not fit the configuration.
    """
    folder = Path(folder)
    arguments = encoder_arguments(read_json(existing(folder, CONFIG)))
    vocabulary, lowercase = read_vocabulary(folder), read_lowercase(folder)
    require_same_reading(folder, vocabulary.drops_case(lowercase))
    _require_row_for_each(vocabulary, arguments["vocabulary_size"])
    arrays = {current_name(name): (name, array) for name, array in read_arrays(folder).items()}
    file = folder / WEIGHTS if (folder / WEIGHTS).is_file() else folder / INDEX

    theirs = {path: their_name(path) for path in parameter_paths(arguments["num_layers"])}
    encoder = _take(arrays, theirs)
    missing = [name for path, name in theirs.items() if path not in encoder and path.split(".")[0] != "pooler"]
    if missing:
        given = ", ".join(sorted(name for name, _ in arrays.values())[:3]) or "nothing"
        raise WeightsError(
            f"{file} lacks {len(missing)} of the weights of a BERT of {arguments['num_layers']} layers. "
            f"Wanted, among others: {missing[0]}. Left over in the file: {given}."
        )
    masked_lm_head = _take(arrays, MASKED_LM_HEAD)
    next_sentence_head = _take(arrays, NEXT_SENTENCE_HEAD)
    unused = sorted(name for name, _ in arrays.values())
    surplus = [name for name, (_, _) in arrays.items() if name.startswith("encoder.layer.")]
    if surplus:
        raise WeightsError(
            f"{file} has weights of more layers than config.json says, {arguments['num_layers']}. "
            f"Left over, among others: {min(surplus)}. The two belong to different models."
        )
    return Checkpoint(arguments, vocabulary, encoder, masked_lm_head, next_sentence_head, unused, lowercase)


def load_masked_lm(
    folder: Path | str,
    encoder_class: type[BertEncoder] = BertEncoder,
    head_class: type[MaskedLMHead] | None = None,
) -> tuple[BertEncoder, MaskedLMHead]:
    """Loads an encoder and its masked-word head with the weights of a folder.

    Args:
        folder: has config.json, model.safetensors, and vocab.txt or tokenizer.json.
        encoder_class, head_class: the classes to load them into, such as your own. None: a `MaskedLMHead`.

    Returns:
        Both, built.

    Raises:
        FileNotFoundError: a file is missing.
        WeightsError: as `load_hugging_face`; or the file has no such head, or one that `MaskedLMHead` cannot reproduce.

    Example:
        >>> encoder, head = load_masked_lm(SAMPLE_ENCODER)
        >>> logits = head(encoder(token_ids)["sequence_output"], encoder.embedding.token_embeddings)
    """
    from course.masked_lm import MaskedLMHead  # an encoder is loaded in the chapter before this head

    checkpoint = read_hugging_face(folder)
    weights = checkpoint.masked_lm_head
    missing = [name for path, name in MASKED_LM_HEAD.items() if path not in weights]
    if missing:
        raise WeightsError(
            f"{folder} has no head for masked words. Wanted, among others: {missing[0]}. A model that was saved "
            "for another task has lost it; take one of masked words, such as a BertForMaskedLM."
        )
    encoder = make_encoder(checkpoint, folder, encoder_class)
    head_class = head_class or MaskedLMHead
    if encoder.approximate_gelu and head_class is MaskedLMHead:
        raise WeightsError(
            f"{folder} has a head that approximates GELU, by its config.json; MaskedLMHead does not, and its logits "
            "would be off by up to a thousandth. Give a head_class of your own that does, or load only the encoder, "
            "with load_hugging_face."
        )
    head = head_class(encoder.vocabulary_size, encoder.hidden_dim, encoder.epsilon)
    head.build((None, None, encoder.hidden_dim), (encoder.vocabulary_size, encoder.hidden_dim))
    assign(head, weights)
    return encoder, head


def save_hugging_face(
    encoder: BertEncoder,
    folder: Path | str,
    vocabulary: Vocabulary,
    masked_lm_head: MaskedLMHead | None = None,
    dtype: str = "float32",
) -> None:
    """Writes a folder that `transformers.BertModel.from_pretrained` loads.

    The files take their final names only when all are written.

    Args:
        encoder: built.
        folder: created if it is missing. Files of an earlier save in it are replaced.
        vocabulary: the pieces that the encoder's ids stand for.
        masked_lm_head: the head that was trained with it, built. With it, the folder is that of a
            `transformers.BertForMaskedLM`.
        dtype: the dtype of the file: "float32", or "float16", which takes half the disk space.

    Raises:
        WeightsError: the encoder or the head is not built, the vocabulary has more pieces than it has rows for, or
            `folder` is a file.
        CourseError: the folder cannot be written.
        ValueError: another dtype.
    """
    require_choice("dtype", dtype, ("float32", "float16"))
    _require_row_for_each(vocabulary, encoder.vocabulary_size)
    arrays = {their_name(path): _turned(path, array) for path, array in parameters(encoder).items()}
    config = config_of(encoder)
    if masked_lm_head is not None:
        config["architectures"] = ["BertForMaskedLM"]
        arrays = {f"bert.{name}": array for name, array in arrays.items()}
        values = values_at(masked_lm_head, MASKED_LM_HEAD)
        arrays |= {MASKED_LM_HEAD[path]: _turned(path, array) for path, array in values.items()}
    _write_folder(folder, config, vocabulary, {name: array.astype(dtype) for name, array in arrays.items()})


def save_hugging_face_classifier(
    model: TextClassifier, folder: Path | str, vocabulary: Vocabulary, class_names: Sequence[str]
) -> None:
    """Writes a folder that `transformers.BertForSequenceClassification.from_pretrained` loads.

    The files take their final names only when all are written.

    Args:
        model: built.
        folder: created if it is missing. Files of an earlier save in it are replaced.
        vocabulary: the pieces that the encoder's ids stand for.
        class_names: the name of each class.

    Raises:
        WeightsError: the model is not built, the vocabulary has more pieces than it has rows for, or `folder` is a
            file.
        CourseError: the folder cannot be written.
        ValueError: another number of classes.
    """
    _require_row_for_each(vocabulary, model.encoder.vocabulary_size)
    if len(class_names) != model.num_classes:
        raise ValueError(
            f"class_names must be one for each of the {model.num_classes} classes. Received: {len(class_names)}"
        )
    arrays = {f"bert.{their_name(path)}": _turned(path, array) for path, array in parameters(model.encoder).items()}
    values = values_at(model, CLASSIFIER)
    arrays |= {CLASSIFIER[path]: _turned(path, array) for path, array in values.items()}
    config = config_of(model.encoder) | {
        "architectures": ["BertForSequenceClassification"],
        "classifier_dropout": model.dropout,
        "id2label": dict(enumerate(class_names)),
        "label2id": {name: number for number, name in enumerate(class_names)},
        "problem_type": "single_label_classification",
    }
    _write_folder(folder, config, vocabulary, arrays)


def _write_folder(
    folder: Path | str, config: dict[str, Any], vocabulary: Vocabulary, arrays: dict[str, np.ndarray]
) -> None:
    arrays = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise WeightsError(f"{folder} is a file. Wanted: a folder, or a name that is not taken.")
    with ExitStack() as files:  # they take their names together, the last one first
        said, pieces, weights = (
            files.enter_context(atomic_file(folder / name))
            for name in ("config.json", "vocab.txt", "model.safetensors")
        )
        said.write_text(f"{json.dumps(config, indent=2)}\n", encoding="utf-8")
        vocabulary.save(pieces)
        safetensors.numpy.save_file(arrays, weights, metadata={"format": "pt"})


def _fresh_pooler(hidden_dim: int) -> dict[str, np.ndarray]:
    """Returns the same weights in each process, because a training resumes only with the encoder that it began with."""
    kernel = np.random.default_rng(0).normal(0.0, 0.02, (hidden_dim, hidden_dim))
    return {"pooler.kernel": kernel, "pooler.bias": np.zeros(hidden_dim)}


def _take(arrays: dict[str, tuple[str, np.ndarray]], theirs: Mapping[str, str]) -> dict[str, np.ndarray]:
    """Removes from the file's arrays those under `theirs` that exist, and returns them by path."""
    return {path: _turned(path, arrays.pop(name)[1]) for path, name in theirs.items() if name in arrays}


def _turned(path: str, array: np.ndarray) -> np.ndarray:
    """Transposes a kernel: PyTorch keeps it as (out, in), Keras as (in, out)."""
    return array.T if path.endswith("kernel") else array


def _require_row_for_each(vocabulary: Vocabulary, vocabulary_size: int) -> None:
    if len(vocabulary) > vocabulary_size:
        raise WeightsError(
            "The vocabulary has more pieces than the token embedding has rows. "
            f"Given: {len(vocabulary)}. Wanted: at most {vocabulary_size}."
        )
