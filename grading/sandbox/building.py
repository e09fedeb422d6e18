"""Makes the weights of a student's layer, in the shortest way that Keras knows."""

from __future__ import annotations

from typing import Any

import keras
from keras import tree


def build(layer: Any, inputs: list) -> None:
    """Builds a layer of one input without computing anything, where it says how; else by a call.

    Args:
        layer: a layer or a model, with whatever layers it has inside.
        inputs: what it can be called on: tensors, or dictionaries of them.
    """
    first = tree.flatten(inputs)
    if len(first) == 1 and _says_how(layer):
        layer.build(tuple(first[0].shape))
    build_by_call(layer, inputs)


def build_by_call(layer: Any, inputs: list) -> None:
    """Calls a layer that is not built throughout, so that all of its parts make their weights.

    Before its first call, Keras calls a layer without a `build` symbolically, with each such layer inside, to see
    what weights it makes. This takes longer than anything else here, and the call itself makes the same weights:
    Keras is content with that wherever it cannot call symbolically.
    """
    parts = [part for part in layer._flatten_layers() if not part.built]
    if not parts:
        return
    unbuilt = [part for part in parts if type(part).build is keras.Layer.build]
    for part in unbuilt:
        part.built = True
    try:
        layer(*inputs)
    except Exception:  # its `call` may look at `built`
        for part in unbuilt:
            part.built = False
        layer(*inputs)
        return
    # As at the end of Keras's own way: the layer knows its shape, and no weight can be added any more.
    if layer in unbuilt:
        layer.build(tree.map_structure(lambda tensor: tuple(tensor.shape), inputs[0]))
    for part in unbuilt:
        part._lock_state()


def _says_how(layer: Any) -> bool:
    """Whether its class, or one of its own bases, has a `build`, and not only Keras."""
    owner = next(cls for cls in type(layer).__mro__ if "build" in vars(cls))
    return not owner.__module__.startswith("keras.")
