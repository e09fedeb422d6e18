"""Tests whether a value fits a parameter's annotation, which rules out most callables."""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np

_CONTAINERS = {"Iterable", "Collection", "Container"}
_SEQUENCES = _CONTAINERS | {"list", "tuple", "Sequence"}
_ANYTHING = {"Any", "object", "Value", "T"}
_FITTING: dict[type, set[str]] = {
    bool: {"bool", "int", "float"},
    int: {"int", "float"},
    float: {"float"},
    str: {"str", "Path"},
    list: _SEQUENCES | {"ndarray", "ArrayLike"},
    tuple: _SEQUENCES | {"ndarray", "ArrayLike"},
    dict: _CONTAINERS | {"dict", "Mapping", "Counter"},
    type(None): {"None", "Optional"},
}
_ARRAY = {"ndarray", "ArrayLike", "Tensor", "Variable"}
_PLAIN = {"bool", "int", "float", "str", "bytes", "Path", "None"}


def fits(value: Any, annotation: Any) -> bool:
    """Whether a value fits an annotation, as far as the annotation tells."""
    if annotation is inspect.Parameter.empty:
        return True
    text = annotation.__name__ if inspect.isclass(annotation) else str(annotation)
    while "[" in text and text != (text := re.sub(r"\[[^\[\]]*\]", "", text)):
        pass  # in list[str], the type of the items does not matter
    names = set(re.findall(r"\w+", text))
    if names & _ANYTHING:
        return True
    if is_array(value):
        return bool(names & _ARRAY)
    kinds = next((_FITTING[kind] for kind in type(value).__mro__ if kind in _FITTING), None)
    if kinds is not None:
        return bool(names & kinds)
    return not names <= _PLAIN  # an object fits any class


def is_array(value: Any) -> bool:
    """Whether a value is an array or a tensor of any library."""
    return isinstance(value, np.ndarray | np.generic) or (hasattr(value, "dtype") and hasattr(value, "shape"))
