"""A helper class with __slots__ and __call__, chosen from a dictionary by a property."""
# exercise: gelu; right: 4
from __future__ import annotations
import inspect
import math
from typing import Any
import keras
from keras import ops
from course.validation.arrays import require_divisible, require_features, require_floats
from course.validation.values import require_id, require_shares, require_sizes
from functools import partial
from operator import mul


class _Share:
    """The share of a normal distribution below x: by erf, or nearly, by tanh."""

    __slots__ = ("approximate",)

    def __init__(self, approximate: bool) -> None:
        self.approximate = approximate

    @property
    def curve(self):
        return {False: lambda x: ops.erf(x * 0.5**0.5), True: self._tanh}[bool(self.approximate)]

    @staticmethod
    def _tanh(x):
        return ops.tanh(x * (1.0 + 0.044715 * ops.square(x)) * (2.0 / math.pi) ** 0.5)

    def __call__(self, x):
        return 0.5 + 0.5 * self.curve(x)
def gelu(x: Any, approximate: bool = False) -> Any:
    x = ops.convert_to_tensor(x)
    return partial(mul, x)(_Share(approximate)(x))
