"""The state of a training in one file, written atomically: weights, optimizer and random generators."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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
    """Write the state of a training.

    Args:
        path: the file.
        model: compiled; its optimizer is built.
        note: other plain values to save, such as the settings and the number of steps.
        more: other arrays, by names that are not numbers.

    Raises:
        CourseError: the file cannot be written. An older one at `path` is unchanged.
    """
    arrays = {name: value_of(variable) for name, variable in _variables(model).items()} | dict(more or {})
    with atomic_file(path) as draft:
        save_file(arrays, draft, metadata={"note": json.dumps(note)})


def read_note(path: Path) -> dict[str, Any] | None:
    """Return the note of a checkpoint; None if there is no checkpoint.

    Raises:
        CourseError: the file is damaged, or cannot be read.
    """
    if not path.exists():
        return None
    with _opened(path) as checkpoint:
        return json.loads(checkpoint.metadata()["note"])


def load_checkpoint(path: Path, model: keras.Model) -> None:
    """Load a saved state into a model that was made and compiled like the saved one.

    Raises:
        CourseError: the state belongs to another model, or the file is damaged or cannot be read.
    """
    variables = _variables(model)
    arrays = {name: values for name, values in load_arrays(path).items() if name.isdecimal()}
    _require_same_shapes(path, arrays, variables)
    for name, variable in variables.items():
        variable.assign(arrays[name])


def load_arrays(path: Path, prefix: str = "") -> dict[str, np.ndarray]:
    """Return the arrays of a checkpoint whose names begin with `prefix`.

    Raises:
        CourseError: the file is damaged, or cannot be read.
    """
    with _opened(path) as checkpoint:
        return {name: checkpoint.get_tensor(name) for name in list(checkpoint.keys()) if name.startswith(prefix)}


def save_encoder(encoder: BertEncoder, path: Path) -> None:
    """Save an encoder in float32, so that its users are not bound to the precision of its training.

    Raises:
        CourseError: the file cannot be written.
    """
    plain = BertEncoder.from_config({**encoder.get_config(), "dtype": "float32"})
    plain.build((None, None))
    plain.set_weights([value_of(weight) for weight in encoder.weights])
    with atomic_file(path) as draft:
        plain.save(draft)


def value_of(variable: keras.Variable) -> np.ndarray:
    """Return the value of a variable, which may be spread over several devices."""
    return ops.convert_to_numpy(ops.convert_to_tensor(variable))


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    try:
        with safe_open(path, framework="np") as checkpoint:
            yield checkpoint
    except OSError as error:  # damage is none: see SafetensorError
        raise CourseError(f"{path} cannot be read ({error}).", "Try again when the disk can be read.") from error
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise CourseError(f"{path} is not a checkpoint of a training ({error}).", "Delete it to start over.") from error


def _variables(model: keras.Model) -> dict[str, keras.Variable]:
    """Number all variables that training changes, in a fixed order. Keras's own names depend on earlier models."""
    variables = [*model.variables, *model.optimizer.variables]
    return {f"{number:05}": variable for number, variable in enumerate(variables)}


def _require_same_shapes(path: Path, saved: dict[str, np.ndarray], variables: dict[str, keras.Variable]) -> None:
    if saved.keys() != variables.keys():
        raise CourseError(
            f"{path} belongs to another model: it has {len(saved)} arrays; this model has {len(variables)} variables."
        )
    for name, variable in variables.items():
        if saved[name].shape != tuple(variable.shape):
            shapes = f"{saved[name].shape} there and {tuple(variable.shape)} here"
            raise CourseError(f"{path} belongs to another model: {variable.path} is {shapes}.")
