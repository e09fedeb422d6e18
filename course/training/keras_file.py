"""Copies models to be saved, reads models from .keras files, and says if a file is damaged."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path
from typing import Any

import keras

from course.validation.values import require_instance


def copy_of(model: keras.Model, **changes: Any) -> Any:
    """Return a copy of a model that reads texts, with its weights, but without its optimizer and loss.

    Args:
        model: built; made from an encoder.
        changes: arguments that differ.

    Raises:
        TypeError: not a model.
    """
    require_instance(model, "model", keras.Model)
    copy = type(model).from_config({**model.get_config(), **changes})
    copy.build({"token_ids": (None, None)})
    copy.set_weights(model.get_weights())
    return copy


def load_keras_file(path: Path) -> Any:
    """Return the model in a .keras file.

    Raises:
        OSError: the file is missing, cannot be opened, or has damaged weights.
        ValueError: it is cut short or damaged, or has no model that Keras can make.
    """
    with path.open("rb") as file:
        if not zipfile.is_zipfile(file):  # Keras would say that there is no such file
            raise ValueError(f"{path.name} is not a whole .keras file, as after a copy that broke off")
    try:
        return keras.saving.load_model(path)
    except (zipfile.BadZipFile, zlib.error, KeyError, TypeError) as error:
        raise ValueError(f"{path.name} cannot be read as a model ({error})") from error
