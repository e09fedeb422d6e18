"""A debugger: finds the first layer whose output differs from a reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import keras
import numpy as np

from course.encoder import BertEncoder
from course.weights.parameters import WeightsError


@dataclass(frozen=True)
class Difference:
    """Where an encoder's outputs first differ from the reference's.

    Attributes:
        layer: "embedding", "block 0", "block 1", ...
        largest: the largest difference between two numbers there.
        position: its indices: (text, token, feature).
        given: the encoder's number there.
        wanted: the reference's.
    """

    layer: str
    largest: float
    position: tuple[int, ...]
    given: float
    wanted: float

    def __str__(self) -> str:
        return (
            f"{self.layer}: off by up to {self.largest:.2e}, at (text, token, feature) = {self.position}: "
            f"{self.given:.6g} instead of {self.wanted:.6g}"
        )


def first_difference(
    encoder: BertEncoder,
    inputs: Mapping[str, Any],
    reference_outputs: Sequence[Any],
    tolerance: float = 1e-5,
) -> Difference | None:
    """Finds the first layer whose output differs from the reference's, and prints one line per layer up to there.

    That layer's input was still right, so the mistake is inside it. Padding is not compared, because outputs there mean
    nothing.

    Args:
        encoder: the encoder to examine.
        inputs: the arguments of its call: "token_ids", and optionally "segment_ids" and "padding_mask".
        reference_outputs: num_layers + 1 arrays, (batch, length, hidden_dim): the embedding's output and each
            block's. Hugging Face calls them `hidden_states`.
        tolerance: how far off a number may be.

    Returns:
        The difference, or None if there is none.

    Raises:
        WeightsError: the reference has another number of layers, or outputs of another shape.

    Example:
        >>> first_difference(encoder, {"token_ids": token_ids}, reference.hidden_states)
        embedding: agrees, 2.4e-07
        block 0: off by up to 3.12e-02, at (text, token, feature) = (1, 4, 7): 0.208144 instead of 0.239350
    """
    if not isinstance(inputs, Mapping) or "token_ids" not in inputs:
        given = ", ".join(inputs) if isinstance(inputs, Mapping) else type(inputs).__name__
        raise WeightsError(f"inputs must be the encoder's, by name. Given: {given}. Wanted: token_ids, at least.")
    outputs = [
        keras.ops.convert_to_numpy(output).astype("float32")
        for output in encoder(**inputs, return_layers=True)["layer_outputs"]
    ]
    references = [np.asarray(output, "float32") for output in reference_outputs]
    if len(outputs) != len(references):
        raise WeightsError(
            "reference_outputs must have the embedding's output and each block's. "
            f"Given: {len(references)}. Wanted: {len(outputs)}."
        )
    padding_mask = inputs.get("padding_mask")
    if padding_mask is None:
        padding_mask = np.not_equal(inputs["token_ids"], encoder.padding_id)
    is_token = keras.ops.convert_to_numpy(padding_mask).astype(bool)
    for index, (given, wanted) in enumerate(zip(outputs, references, strict=True)):
        name = f"block {index - 1}" if index else "embedding"
        if given.shape != wanted.shape:
            raise WeightsError(f"{name} has another shape. Given: {given.shape}. Wanted: {wanted.shape}.")
        difference = _largest(name, given, wanted, is_token)
        if not difference.largest <= tolerance:  # NaN, too, is a difference
            print(difference)
            return difference
        print(f"{name}: agrees, {difference.largest:.1e}")
    return None


def _largest(layer: str, given: np.ndarray, wanted: np.ndarray, is_token: np.ndarray) -> Difference:
    distance = np.where(is_token[:, :, None], np.abs(given - wanted), 0.0)  # (batch, length, hidden_dim)
    position = np.unravel_index(np.argmax(distance), distance.shape)
    where = tuple(int(index) for index in position)
    return Difference(layer, float(distance[where]), where, float(given[where]), float(wanted[where]))
