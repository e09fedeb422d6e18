"""Reads the files of a folder of published weights."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.numpy
from safetensors import SafetensorError

from course.data.text.vocabulary import Vocabulary
from course.weights.parameters import WeightsError

CONFIG, WEIGHTS, INDEX = "config.json", "model.safetensors", "model.safetensors.index.json"
TOKENIZER_CONFIG = "tokenizer_config.json"
KERAS_HUB_VOCABULARY = Path("assets", "tokenizer", "vocabulary.txt")

_PICKLE = "pytorch_model.bin"
_WANTED = "A folder of published weights has config.json, vocab.txt and model.safetensors."


def existing(folder: Path, name: str) -> Path:
    """The path of a file that must be there.

    Raises:
        FileNotFoundError: it is not.
    """
    path = folder / name
    if path.is_file():
        return path
    if not folder.is_dir():
        raise FileNotFoundError(f"There is no folder {folder}. {_WANTED}")
    advice = f" {_way_out_of_pickle(folder)}" if name == WEIGHTS and (folder / _PICKLE).is_file() else ""
    raise FileNotFoundError(f"{folder} has no {name}. {_WANTED}{advice}")


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file.

    Raises:
        WeightsError: the file is not JSON, or not an object.
    """
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise WeightsError(f"{path} is not JSON: {error}. Get the file again.") from error
    if not isinstance(config, dict):
        raise WeightsError(f"{path} must hold an object. Given: {type(config).__name__}.")
    return config


def read_arrays(folder: Path) -> dict[str, np.ndarray]:
    """All weights, by their names: from model.safetensors, or from the files that its index names.

    Raises:
        FileNotFoundError: a file is missing.
        WeightsError: a file is damaged, or lacks a weight that the index lists.
    """
    index = folder / INDEX
    if (folder / WEIGHTS).is_file() or not index.is_file():
        return _read_safetensors(existing(folder, WEIGHTS))
    files = read_json(index).get("weight_map")
    if not isinstance(files, dict) or not files or any("/" in str(file) for file in files.values()):
        raise WeightsError(f"{index} must have a weight_map, from the names of weights to those of files beside it.")
    arrays: dict[str, np.ndarray] = {}
    for file in sorted(set(files.values())):
        arrays |= _read_safetensors(existing(folder, file))
    missing = sorted(files.keys() - arrays.keys())
    if missing:
        raise WeightsError(
            f"{folder} lacks {len(missing)} of the weights in {INDEX}. Wanted, among others: {missing[0]} in "
            f"{files[missing[0]]}. Get that file again."
        )
    return arrays


def read_vocabulary(folder: Path) -> Vocabulary:
    """The vocabulary from vocab.txt, or else from tokenizer.json, which newer versions of Hugging Face's library write.

    Raises:
        FileNotFoundError: neither is there.
        WeightsError: a vocabulary of another kind.
        ValueError: it is damaged.
    """
    newer = folder / "tokenizer.json"
    if (folder / "vocab.txt").is_file() or not newer.is_file():
        return Vocabulary.load(existing(folder, "vocab.txt"))
    model = read_json(newer).get("model")
    kind, ids = (model.get("type"), model.get("vocab")) if isinstance(model, dict) else (None, None)
    if kind != "WordPiece" or not isinstance(ids, dict) or sorted(ids.values()) != list(range(len(ids))):
        raise WeightsError(f"{newer} must hold a WordPiece vocabulary with the ids 0, 1, 2, ... Given: {kind}.")
    return Vocabulary(sorted(ids, key=ids.__getitem__))


def find_vocabulary(path: Path) -> Vocabulary:
    """The vocabulary from a file with one piece per line, or from a folder of weights of any kind.

    Raises:
        FileNotFoundError: it is not there.
        ValueError: it is damaged.
    """
    for name in ("vocabulary.txt", str(KERAS_HUB_VOCABULARY)):
        if (path / name).is_file():
            return Vocabulary.load(path / name)
    return read_vocabulary(path) if path.is_dir() else Vocabulary.load(path)


def read_lowercase(folder: Path) -> bool | None:
    """Whether the model reads only lower case; None if no file says so.

    The vocabulary does not show it: bert-base-chinese reads lower case, and its vocabulary has pieces with capitals.
    `do_lower_case` in tokenizer_config.json takes precedence over the normalizer of tokenizer.json, as in Hugging
    Face's library; a keras-hub preset has it in the configuration of its tokenizer.

    Raises:
        WeightsError: a file is damaged.
    """
    fields = _read_optional(folder / TOKENIZER_CONFIG)
    if isinstance(fields.get("do_lower_case"), bool):
        return fields["do_lower_case"]
    tokenizer = _read_optional(folder / "tokenizer.json")
    for part in ("normalizer", "config"):  # of Hugging Face, and of keras-hub
        settings = tokenizer.get(part)
        if isinstance(settings, dict) and isinstance(settings.get("lowercase"), bool):
            return settings["lowercase"]
    return None


def require_same_reading(folder: Path, lowercase: bool) -> None:
    """Raises a WeightsError if a file says that the model splits texts into other words than this course.

    Args:
        folder: has the files.
        lowercase: whether texts lose case, and accents with it.
    """
    normalizer = _read_optional(folder / "tokenizer.json").get("normalizer")
    said = (normalizer if isinstance(normalizer, dict) else {}) | _read_optional(folder / TOKENIZER_CONFIG)
    if isinstance(said.get("tokenize_chinese_chars"), bool):  # in the older file, which counts
        said.pop("handle_chinese_chars", None)
    wanted = {
        "strip_accents": lowercase,
        "tokenize_chinese_chars": True,
        "handle_chinese_chars": True,  # the same in tokenizer.json
        "word_tokenizer_type": "basic",
        "subword_tokenizer_type": "wordpiece",
    }
    for field, value in wanted.items():
        if said.get(field) not in (None, value):
            raise WeightsError(
                f"{folder} splits texts into other pieces than this course does. Given: {field} = {said[field]!r}. "
                f"Wanted: {value!r}, with lower case: {lowercase}. Take another model; or, to use this one with pieces "
                "that it was not trained with, delete the field from its tokenizer's files."
            )


def _read_optional(path: Path) -> dict[str, Any]:
    return read_json(path) if path.is_file() else {}


def _read_safetensors(path: Path) -> dict[str, np.ndarray]:
    try:
        return safetensors.numpy.load_file(path)
    except SafetensorError as error:
        raise WeightsError(
            f"{path} cannot be read: {error}. It has {path.stat().st_size:,} bytes; if the published file has more, "
            "this one is cut short: get it again."
        ) from error


def _way_out_of_pickle(folder: Path) -> str:
    pickle, weights = ((folder / name).as_posix() for name in (_PICKLE, WEIGHTS))  # "\\" would begin an escape
    program = (
        "import torch, safetensors.torch as s; "
        f"w = torch.load('{pickle}', weights_only=True); "
        f"s.save_file({{n: a.clone().contiguous() for n, a in w.items()}}, '{weights}')"
    )
    return (
        f"Its {_PICKLE} is a pickle, which can run code, and is not read here. If PyTorch is installed, this command "
        f'converts it to {WEIGHTS} without running its code: python -c "{program}"'
    )
