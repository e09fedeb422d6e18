"""The state of a training in one file: weights, optimizer and random generators, whole or not there at all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import keras
import numpy as np
from keras import ops
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from course.encoder import BertEncoder
from course.errors import CourseError
from course.storage.atomic import atomic_file


def save_checkpoint(
    path: Path, model: keras.Model, note: dict[str, Any], more: Mapping[str, np.ndarray] | None = None
) -> None:
    """Writes the state of a training.

    Args:
        path: the file.
        model: compiled; its optimizer is built.
        note: what else belongs to it, such as the settings and the number of steps.
        more: other arrays, by names that are no numbers.

    Raises:
        CourseError: it cannot be written. An older one at `path` is still there.
    """
    arrays = {name: value_of(variable) for name, variable in _variables(model).items()} | dict(more or {})
    with atomic_file(path) as draft:
        try:
            save_file(arrays, draft, metadata={"note": json.dumps(note)})
        except SafetensorError as error:
            raise OSError(str(error)) from error


def read_note(path: Path) -> dict[str, Any] | None:
    """What was noted with a checkpoint; None where there is none.

    Raises:
        CourseError: the file is damaged.
    """
    if not path.exists():
        return None
    try:
        with safe_open(path, framework="np") as checkpoint:
            return json.loads(checkpoint.metadata()["note"])
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise CourseError(f"{path} is no checkpoint of a training ({error}). Delete it to start anew.") from error


def load_checkpoint(path: Path, model: keras.Model) -> None:
    """Puts a saved state into a model that was made and compiled as the one that was saved.

    Raises:
        CourseError: it is of another model, or the file is damaged.
    """
    variables = _variables(model)
    arrays = {name: values for name, values in load_arrays(path).items() if name.isdecimal()}
    _require_same_shapes(path, arrays, variables)
    for name, variable in variables.items():
        variable.assign(arrays[name])


def load_arrays(path: Path, prefix: str = "") -> dict[str, np.ndarray]:
    """The arrays of a checkpoint whose names begin so.

    Raises:
        CourseError: the file is damaged.
    """
    try:
        with safe_open(path, framework="np") as checkpoint:
            return {name: checkpoint.get_tensor(name) for name in list(checkpoint.keys()) if name.startswith(prefix)}
    except (OSError, SafetensorError) as error:
        raise CourseError(f"{path} cannot be read ({error}). Delete it to start anew.") from error


def save_encoder(encoder: BertEncoder, path: Path) -> None:
    """Saves an encoder in float32: in which precision it was trained binds nobody who uses it.

    Raises:
        CourseError: it cannot be written.
    """
    plain = BertEncoder.from_config({**encoder.get_config(), "dtype": "float32"})
    plain.build((None, None))
    plain.set_weights([value_of(weight) for weight in encoder.weights])
    with atomic_file(path) as draft:
        plain.save(draft)


def value_of(variable: keras.Variable) -> np.ndarray:
    """The value of a variable, which may be spread over several devices."""
    return ops.convert_to_numpy(ops.convert_to_tensor(variable))


def _variables(model: keras.Model) -> dict[str, keras.Variable]:
    """All that changes in training, in an order that is always the same. Keras's own names count the models made."""
    variables = [*model.variables, *model.optimizer.variables]
    return {f"{number:05}": variable for number, variable in enumerate(variables)}


def _require_same_shapes(path: Path, saved: dict[str, np.ndarray], variables: dict[str, keras.Variable]) -> None:
    if saved.keys() != variables.keys():
        raise CourseError(
            f"{path} is of another model: it has {len(saved)} arrays, and this model has {len(variables)} variables."
        )
    for name, variable in variables.items():
        if saved[name].shape != tuple(variable.shape):
            shapes = f"{saved[name].shape} there and {tuple(variable.shape)} here"
            raise CourseError(f"{path} is of another model: {variable.path} is {shapes}.")
