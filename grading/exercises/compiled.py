"""Whether code does in a compiled model what it does in a call, right or wrong: how it is wrong, other checks say."""

from __future__ import annotations

from typing import Any

from grading.judging.comparison import compare
from grading.judging.proxies import Proxy


def same_when_compiled(implementation: Proxy, *args: Any) -> bool:
    """Whether its answer in a compiled model, where no size is known beforehand, is that of a call."""
    return compare(implementation.in_graph(*args), implementation(*args), tolerance=1e-3) is None
