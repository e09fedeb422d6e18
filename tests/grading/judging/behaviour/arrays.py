"""Arrays to observe, and the sentences that are observed of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from grading.judging.behaviour.arrangement import text_differences, wrong_places
from grading.judging.behaviour.observation import ENOUGH, Pair
from grading.judging.behaviour.properties import shape_differences
from grading.judging.behaviour.relations import relations

SEEDS = st.integers(0, 10_000)
SIZES = {"batch": 2, "length": 5, "head_dim": 8}


def numbers(seed: int) -> np.ndarray:
    return np.random.RandomState(seed).normal(size=(2, 5, 8))


def sentences(given: Any, expected: Any, **inputs: Any) -> list[str]:
    """What is observed of a wrong answer by itself, if enough numbers support it."""
    pair = Pair("", given, expected, 1e-5, SIZES | {"num_heads": 3}, inputs, of_axes=SIZES)
    evidence = {**relations(pair), **shape_differences(pair), **text_differences(pair), **wrong_places(pair)}
    return [observation.sentence for observation, support in evidence.items() if support >= ENOUGH]
