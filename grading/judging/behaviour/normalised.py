"""Whether what comes out is normalised, where it should be: seen through the γ and β of a layer's normalizations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from grading.judging.behaviour.answers import Pair
from grading.judging.behaviour.observation import Observation, Seen


def normalised(pair: Pair, parameters: Mapping[str, np.ndarray]) -> Seen:
    """What holds of the features' mean and variance, with γ and β taken off, in one of two arrays alone."""
    numbers = pair.numbers
    if numbers is None or numbers[0].shape != numbers[1].shape or numbers[0].ndim < 2:
        return {}
    given, wanted = numbers
    norms = [norm for norm in _norms(parameters) if len(norm[1]) == wanted.shape[-1] > 2]
    by = {name for name, gamma, beta in norms if _is_normal(wanted, gamma, beta).all()}
    instead = {name for name, gamma, beta in norms if _is_normal(given, gamma, beta).all()}
    if by and not instead:
        if any(_is_normal(given, gamma, beta).any() for name, gamma, beta in norms if name in by):
            return {}  # some tokens are normalised; what is wrong is something else
        name = min(by)
        said = Observation(
            f"What comes out is not normalised by `{name}`: with its γ and β taken off, the features of a token have "
            "not the mean 0 and the variance 1.",
            "What comes last, the normalization or something else?",
        )
    elif by and not by & instead:
        said = Observation(
            f"What comes out is normalised by `{min(instead)}`; it should be by `{min(by)}`.",
            "Which is for which part?",
        )
    elif instead and not by:
        said = Observation(
            f"What comes out is normalised by `{min(instead)}`, and should not be: the normalization comes too late.",
            "What is normalised, what goes in or what comes out?",
        )
    else:
        return {}
    return {said: wanted.size}


def _norms(parameters: Mapping[str, np.ndarray]) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    for path, gamma in parameters.items():
        name, _, last = path.rpartition("/")
        beta = parameters.get(f"{name}/beta")
        if last == "gamma" and beta is not None and (np.abs(gamma) > 1e-3).all():
            yield name, gamma.astype("float64"), beta.astype("float64")


def _is_normal(array: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Of each token, whether its features have the mean 0 and the variance 1 with γ and β taken off."""
    features = (array - beta) / gamma
    return (np.abs(features.mean(axis=-1)) < 1e-3) & (np.abs(features.var(axis=-1) - 1) < 0.05)
