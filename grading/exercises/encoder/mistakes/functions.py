"""What goes wrong in gelu and layer_normalization."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import keras
from keras import ops

import course.encoder as right
from grading.exercises.encoder.checks import activation, normalization


def by_tanh(x: Any, *, scale: float = math.sqrt(2 / math.pi), cubic: float = 0.044715, power: int = 3) -> Any:
    return 0.5 * x * (1 + ops.tanh(scale * (x + cubic * x**power)))


def either(x: Any, approximate: bool, exact: Callable[[Any], Any]) -> Any:
    """A mistake in the exact GELU only."""
    return right.gelu(x, approximate=True) if approximate else exact(x)


@activation.whole_mistake(
    "The approximation is used where the exact GELU is asked for.",
    hint="They differ by up to 4.7e-4 only. Which of the two equations has no tanh in it?",
)
def always_approximate(x: Any, approximate: bool = False) -> Any:
    return right.gelu(x, approximate=True)


@activation.whole_mistake(
    "`approximate` is ignored: the exact GELU is always computed.",
    hint="Some published weights were trained with the approximation. There are two equations.",
)
def never_approximate(x: Any, approximate: bool = False) -> Any:
    return right.gelu(x)


@activation.whole_mistake(
    "`approximate` is the wrong way round.",
    hint="Which of the two equations is the default?",
)
def approximate_inverted(x: Any, approximate: bool = False) -> Any:
    return right.gelu(x, approximate=not approximate)


@activation.whole_mistake(
    "It is a ReLU: negative numbers become 0.",
    hint="GELU lets a little of a negative number through. gelu(-1) is -0.1587.",
)
def relu(x: Any, approximate: bool = False) -> Any:
    return ops.relu(x)


@activation.whole_mistake(
    "It is x · sigmoid(x), called SiLU or swish.",
    hint="Sigmoid, too, goes from 0 to 1, but Φ is the normal distribution's. What has erf to do with it?",
)
def silu(x: Any, approximate: bool = False) -> Any:
    return x * ops.sigmoid(x)


@activation.whole_mistake(
    "It is the approximation by a sigmoid, x · sigmoid(1.702 x).",
    hint="That is another approximation than BERT's. The docstring has both equations that are wanted.",
)
def by_sigmoid(x: Any, approximate: bool = False) -> Any:
    return x * ops.sigmoid(1.702 * x)


@activation.whole_mistake(
    "x is not divided by √2 inside erf.",
    hint="erf is the integral of exp(-t²), Φ that of exp(-t²/2). What must be done to x to go from one to the other?",
)
def without_root_of_two(x: Any, approximate: bool = False) -> Any:
    return either(x, approximate, lambda x: 0.5 * x * (1 + ops.erf(x)))


@activation.whole_mistake(
    "The factor ½ is missing.",
    hint="For a large x, gelu(x) is nearly x. What is 1 + erf(x / √2) there?",
)
def without_half(x: Any, approximate: bool = False) -> Any:
    return 2 * right.gelu(x, approximate)


@activation.whole_mistake(
    "It is Φ(x), and is not multiplied by x.",
    hint="GELU is the number times its share. For a large x it is nearly x, and not 1.",
)
def without_x(x: Any, approximate: bool = False) -> Any:
    return either(x, approximate, lambda x: 0.5 * (1 + ops.erf(x / math.sqrt(2))))


@activation.whole_mistake(
    "In the approximation, x is squared instead of cubed.",
    hint="Inside tanh stands an odd function of x. Is x² odd?",
)
def squared(x: Any, approximate: bool = False) -> Any:
    return by_tanh(x, power=2) if approximate else right.gelu(x)


@activation.whole_mistake(
    "In the approximation, the factor √(2/π) is missing.",
    hint="What is multiplied by the bracket inside tanh?",
)
def without_scale(x: Any, approximate: bool = False) -> Any:
    return by_tanh(x, scale=1.0) if approximate else right.gelu(x)


@activation.whole_mistake(
    "In the approximation, the term with x³ is missing.",
    hint="Inside tanh, x has company.",
)
def without_cube(x: Any, approximate: bool = False) -> Any:
    return by_tanh(x, cubic=0.0) if approximate else right.gelu(x)


def normalize(
    x: Any,
    gamma: Any,
    beta: Any,
    *,
    axes: Any = -1,
    mean: Callable[[Any], Any] | None = None,
    variance: Callable[[Any], Any] | None = None,
    divide: Callable[[Any, Any], Any],
    precise: str = "float32",
) -> Any:
    """Layer normalization in steps, one of which a mistake gets wrong."""
    features, gamma, beta = (ops.cast(tensor, precise) for tensor in (x, gamma, beta))
    centre = mean(features) if mean else ops.mean(features, axis=axes, keepdims=True)
    centred = features - centre
    spread = variance(centred) if variance else ops.mean(centred * centred, axis=axes, keepdims=True)
    return ops.cast(gamma * divide(centred, spread) + beta, x.dtype)


def by_deviation(epsilon: float) -> Callable[[Any, Any], Any]:
    return lambda centred, variance: centred / ops.sqrt(variance + epsilon)


@normalization.whole_mistake(
    "Epsilon is added outside the root, to the standard deviation.",
    hint="What stands under the root in the equation?",
)
def epsilon_outside(x: Any, gamma: Any, beta: Any, epsilon: float = 1e-12) -> Any:
    return normalize(x, gamma, beta, divide=lambda centred, variance: centred / (ops.sqrt(variance) + epsilon))


@normalization.whole_mistake(
    "The variance is divided by hidden_dim - 1 instead of hidden_dim.",
    hint="σ² is the mean of the squares. Some libraries estimate it in another way unless they are told.",
)
def unbiased(x: Any, gamma: Any, beta: Any, epsilon: float = 1e-12) -> Any:
    width = x.shape[-1]
    return normalize(
        x,
        gamma,
        beta,
        variance=lambda centred: ops.sum(centred * centred, axis=-1, keepdims=True) / (width - 1),
        divide=by_deviation(epsilon),
    )


@normalization.whole_mistake(
    "γ is left out.",
    hint="Each feature has a scale of its own.",
)
def no_gamma(x: Any, gamma: Any, beta: Any, epsilon: float = 1e-12) -> Any:
    return right.layer_normalization(x, ops.ones_like(gamma), beta, epsilon)


@normalization.whole_mistake(
    "β is left out.",
    hint="Each feature has a shift of its own.",
)
def no_beta(x: Any, gamma: Any, beta: Any, epsilon: float = 1e-12) -> Any:
    return right.layer_normalization(x, gamma, ops.zeros_like(beta), epsilon)


@normalization.whole_mistake(
    "γ and β are both left out.",
    hint="What do you do with the second and the third argument?",
)
def no_gamma_no_beta(x: Any, gamma: Any, beta: Any, epsilon: float = 1e-12) -> Any:
    return right.layer_normalization(x, ops.ones_like(gamma), ops.zeros_like(beta), epsilon)


@normalization.whole_mistake(
    "γ and β are exchanged.",
    hint="One scales and one shifts. Which is multiplied?",
)
def exchanged(x: Any, gamma: Any, beta: Any, epsilon: float = 1e-12) -> Any:
    return right.layer_normalization(x, beta, gamma, epsilon)


@normalization.whole_mistake(
    "β is added before γ is multiplied.",
    hint="In the equation, does γ scale β, too?",
)
def shifted_first(x: Any, gamma: Any, beta: Any, epsilon: float = 1e-12) -> Any:
    return right.layer_normalization(x, gamma, gamma * beta, epsilon)


@normalization.whole_mistake(
    "The features are normalized over the tokens (axis 0 or 1) instead of over each token's features.",
    hint="No token may have a part in another one's mean. Which axis are the features?",
)
def over_tokens(x: Any, gamma: Any, beta: Any, epsilon: float = 1e-12) -> Any:
    return normalize(x, gamma, beta, axes=max(len(x.shape) - 2, 0), divide=by_deviation(epsilon))


@normalization.whole_mistake(
    "Mean and variance are those of the batch, over axis 0: that is batch normalization.",
    hint="A text must give the same in any batch. Which axis are the features?",
)
def over_batch(x: Any, gamma: Any, beta: Any, epsilon: float = 1e-12) -> Any:
    return normalize(x, gamma, beta, axes=0, divide=by_deviation(epsilon))


@normalization.whole_mistake(
    "Mean and variance are taken over all numbers at once.",
    hint="Each token has a mean of its own. Is there an `axis`?",
)
def over_everything(x: Any, gamma: Any, beta: Any, epsilon: float = 1e-12) -> Any:
    return normalize(x, gamma, beta, axes=None, divide=by_deviation(epsilon))


@normalization.whole_mistake(
    "The mean is not taken away.",
    hint="What is the mean of a token's features after normalizing?",
)
def not_centred(x: Any, gamma: Any, beta: Any, epsilon: float = 1e-12) -> Any:
    return normalize(x, gamma, beta, mean=lambda features: 0.0, divide=by_deviation(epsilon))


@normalization.whole_mistake(
    "The features are divided by the variance instead of by its root.",
    hint="If x is in metres, then σ² is in square metres. In what should the result be?",
)
def by_variance(x: Any, gamma: Any, beta: Any, epsilon: float = 1e-12) -> Any:
    return normalize(x, gamma, beta, divide=lambda centred, variance: centred / (variance + epsilon))


@normalization.whole_mistake(
    "Epsilon is left out: a token without variance gives NaN.",
    hint="What is 0 / 0?",
)
def no_epsilon(x: Any, gamma: Any, beta: Any, epsilon: float = 1e-12) -> Any:
    return normalize(x, gamma, beta, divide=by_deviation(0.0))


@normalization.whole_mistake(
    "Epsilon is always 1e-12: the argument is ignored.",
    hint="Other models were trained with another epsilon.",
)
def epsilon_fixed(x: Any, gamma: Any, beta: Any, epsilon: float = 1e-12) -> Any:
    return right.layer_normalization(x, gamma, beta)


@normalization.whole_mistake(
    "In float16 it computes in float16: squares overflow, and 1e-12 is 0.",
    hint="Which dtype should the mean and the variance be computed in?",
)
def in_its_own_dtype(x: Any, gamma: Any, beta: Any, epsilon: float = 1e-12) -> Any:
    dtype = keras.backend.standardize_dtype(x.dtype)
    return normalize(x, gamma, beta, divide=by_deviation(epsilon), precise=dtype)


@normalization.whole_mistake(
    "float32 comes back where float16 came in.",
    hint="Compute in float32. And what should the next layer get?",
)
def not_cast_back(x: Any, gamma: Any, beta: Any, epsilon: float = 1e-12) -> Any:
    return right.layer_normalization(ops.cast(x, "float32"), gamma, beta, epsilon)
