"""How a folder in the format of Sentence Transformers makes one vector of a text from an encoder's outputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from course.weights.files import CONFIG, existing, read_json
from course.weights.parameters import WeightsError

_MODULES = "modules.json"
_LENGTH = "sentence_bert_config.json"
_MODE = "pooling_mode"  # newer files name the mode; older ones have a field for each, such as pooling_mode_cls_token


def mean_pooling_length(folder: Path) -> int | None:
    """Return how many tokens of a text such a folder's model reads, if it makes vectors as `Towers` does.

    `Towers` returns the mean of the encoder's outputs for all tokens. Its vectors are compared by cosine, so they need
    no Normalize module.

    Returns:
        The number of tokens, with [CLS] and [SEP]; None if the folder is not in this format.

    Raises:
        FileNotFoundError: a file is missing.
        WeightsError: a file is damaged; or a module computes something else, such as a Dense layer behind the pooling.
    """
    if not (folder / _MODULES).is_file():
        return None
    for kind, path in _modules(folder):
        if kind == "Pooling":
            _require_mean(folder / path / CONFIG)
        elif kind not in ("Transformer", "Normalize"):
            raise WeightsError(
                f"{folder / _MODULES} has a module that is not computed here. Given: {kind}, in {path or folder}. "
                "Wanted: Transformer, Pooling by the mean, and Normalize. To train the encoder alone, name the folder "
                "with --from."
            )
    file = folder / _LENGTH
    length = read_json(file).get("max_seq_length") if file.is_file() else None
    length = read_json(existing(folder, CONFIG)).get("max_position_embeddings") if length is None else length
    if type(length) is not int or length < 3:
        raise WeightsError(f"{file} must have a max_seq_length of 3 or more. Given: {length!r}.")
    return length


def _modules(folder: Path) -> list[tuple[str, str]]:
    """The name of each module's class, and its folder."""
    path = folder / _MODULES
    try:
        modules = json.loads(path.read_text(encoding="utf-8"))
        return [(module["type"].rpartition(".")[2], module["path"]) for module in modules]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise WeightsError(f"{path} must be a list of modules, each with a type and a path: {error}.") from error


def _require_mean(path: Path) -> None:
    config = read_json(existing(path.parent, path.name))
    older = [name.removeprefix(f"{_MODE}_") for name, is_on in config.items() if name.startswith(f"{_MODE}_") and is_on]
    given: Any = config.get(_MODE, older)
    if given not in ("mean", ["mean"], ["mean_tokens"]):
        raise WeightsError(f"{path} must pool by the mean over all tokens. Given: {given}.")
