"""Record where the attentions inside a block look, whatever the block calls them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import keras


@contextmanager
def recorded_looks(block: keras.layers.Layer) -> Iterator[list[Any]]:
    """Collect the weights of each attention that is called inside a block, in the order of the calls.

    An attention is a layer that takes `return_weights`, as in chapter 3.

    Args:
        block: built, with its attentions inside, such as a student's `DecoderBlock`.

    Yields:
        A list that is empty at first: (batch, num_heads, query_length, key_length) of each call.

    Example:
        >>> with recorded_looks(block) as looks:
        ...     block(x, context)
        >>> of_what_was_written, of_what_was_read = looks
    """
    looks: list[Any] = []
    with replaced_calls(block, lambda attention: _recording(attention.call, looks)):
        yield looks


@contextmanager
def replaced_calls(block: keras.layers.Layer, instead_of: Callable[[Any], Callable[..., Any]]) -> Iterator[None]:
    """Replace `call` of each attention inside a block by what `instead_of` returns for the attention."""
    attentions = [
        part
        for part in block._flatten_layers(include_self=False)
        if "return_weights" in inspect.signature(part.call).parameters
    ]
    for attention in attentions:
        attention.call = instead_of(attention)
    try:
        yield
    finally:
        for attention in attentions:
            del attention.call  # restores the method of the class


def _recording(call: Callable[..., Any], looks: list[Any]) -> Callable[..., Any]:
    def recorded(*args: Any, return_weights: bool = False, **kwargs: Any) -> Any:
        output, weights = call(*args, return_weights=True, **kwargs)
        looks.append(weights)
        return (output, weights) if return_weights else output

    return recorded
