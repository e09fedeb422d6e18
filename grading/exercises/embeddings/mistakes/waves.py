"""What goes wrong in sinusoidal_positions."""

from __future__ import annotations

import numpy as np

import course.embeddings as right
from grading.exercises.embeddings.checks import positions


def angles(length: int, hidden_dim: int, *, base: float = 10000, start: int = 0) -> np.ndarray:
    """(length, hidden_dim / 2): the angle of each pair at each position."""
    exponent = np.arange(0, hidden_dim, 2) / hidden_dim
    return np.arange(start, start + length)[:, None] / base**exponent


def in_turn(sines: np.ndarray, cosines: np.ndarray) -> np.ndarray:
    """Sine and cosine of each pair beside each other."""
    return np.stack([sines, cosines], axis=-1).reshape(len(sines), -1).astype("float32")


@positions.whole_mistake(
    "The first half of the features are sines, the second cosines; they must take turns.",
    hint="Features 0 and 1 are one pair. Where do features 0, 2, 4, ... of the table begin and end in a slice?",
)
def halves(length: int, hidden_dim: int) -> np.ndarray:
    angle = angles(length, hidden_dim)
    return np.concatenate([np.sin(angle), np.cos(angle)], axis=-1).astype("float32")


@positions.whole_mistake(
    "Sines and cosines are exchanged.",
    hint="What is sin(0), and what is cos(0)? Position 0 begins with one of them.",
)
def exchanged(length: int, hidden_dim: int) -> np.ndarray:
    angle = angles(length, hidden_dim)
    return in_turn(np.cos(angle), np.sin(angle))


@positions.whole_mistake(
    "The exponent is i / hidden_dim instead of 2i / hidden_dim: the wavelengths grow too slowly.",
    hint="i counts pairs, so it ends at half of hidden_dim. How large must the last exponent be, nearly?",
)
def half_the_exponent(length: int, hidden_dim: int) -> np.ndarray:
    angle = angles(length, hidden_dim, base=100)  # the square root of 10000
    return in_turn(np.sin(angle), np.cos(angle))


@positions.whole_mistake(
    "The exponent is 4i / hidden_dim instead of 2i / hidden_dim: the wavelengths grow too fast.",
    hint="If your i already goes 0, 2, 4, ..., is it the i of the equation, or its 2i?",
)
def twice_the_exponent(length: int, hidden_dim: int) -> np.ndarray:
    angle = angles(length, hidden_dim, base=10000**2)
    return in_turn(np.sin(angle), np.cos(angle))


@positions.whole_mistake(
    "Each cosine has a wavelength of its own; it must share that of the sine before it.",
    hint="In the equation, features 2i and 2i + 1 have the same angle.",
)
def own_wavelengths(length: int, hidden_dim: int) -> np.ndarray:
    angle = np.arange(length)[:, None] / 10000 ** (np.arange(hidden_dim) / hidden_dim)
    return in_turn(np.sin(angle[:, 0::2]), np.cos(angle[:, 1::2]))


@positions.whole_mistake(
    "Positions are counted from 1.",
    hint="The first token stands at position 0. What are its sines?",
)
def from_one(length: int, hidden_dim: int) -> np.ndarray:
    angle = angles(length, hidden_dim, start=1)
    return in_turn(np.sin(angle), np.cos(angle))


@positions.whole_mistake(
    "The position is multiplied by 10000^(2i / hidden_dim) instead of divided.",
    hint="Waves must grow longer from pair to pair. Do yours?",
)
def multiplied(length: int, hidden_dim: int) -> np.ndarray:
    angle = angles(length, hidden_dim, base=1 / 10000)
    return in_turn(np.sin(angle), np.cos(angle))


@positions.whole_mistake(
    "There are no cosines: all features are sines.",
    hint="Half of the features are cosines, of the same angles.",
)
def only_sines(length: int, hidden_dim: int) -> np.ndarray:
    angle = angles(length, hidden_dim)
    return in_turn(np.sin(angle), np.sin(angle))


@positions.whole_mistake(
    "The base is 1000 instead of 10000.",
    hint="Count the zeros of the number in the equation.",
)
def base_of_a_thousand(length: int, hidden_dim: int) -> np.ndarray:
    angle = angles(length, hidden_dim, base=1000)
    return in_turn(np.sin(angle), np.cos(angle))


@positions.whole_mistake(
    "The last wavelength is 10000 · 2π itself: the exponents are spread from 0 to 1, with 1 in them.",
    hint="The last pair is i = hidden_dim / 2 - 1. What is its exponent?",
)
def spread_to_the_end(length: int, hidden_dim: int) -> np.ndarray:
    angle = np.arange(length)[:, None] / 10000 ** np.linspace(0, 1, hidden_dim // 2)
    return in_turn(np.sin(angle), np.cos(angle))


@positions.whole_mistake(
    "The table is transposed: it is (hidden_dim, length).",
    hint="Each position has a row of the table.",
)
def transposed(length: int, hidden_dim: int) -> np.ndarray:
    return right.sinusoidal_positions(length, hidden_dim).T


@positions.whole_mistake(
    "The positions are shrunk to 0 ... 1 before the waves are taken.",
    hint="In the equation, pos is a whole number. Position 7 has the same vector in a short and in a long text.",
)
def shrunk(length: int, hidden_dim: int) -> np.ndarray:
    angle = angles(length, hidden_dim) / length
    return in_turn(np.sin(angle), np.cos(angle))
