"""Whether code does in a compiled model what it does in a call, right or wrong: how it is wrong, other checks say."""

from __future__ import annotations

from typing import Any

from grading.judging.comparison import compare
from grading.judging.proxies import Proxy


def same_when_compiled(implementation: Proxy, *args: Any, **kwargs: Any) -> bool:
    """Whether its answer in a compiled model, where no size of `args` is known beforehand, is that of a call."""
    compiled, called = implementation.in_graph(*args, **kwargs), implementation(*args, **kwargs)
    return compare(compiled, called, tolerance=1e-3) is None
