"""Compares computed numbers with expected ones, within a tolerance."""

from __future__ import annotations

from typing import Any

import numpy as np


def assert_close(given: Any, wanted: Any, tolerance: float = 1e-5) -> None:
    """Raises AssertionError if a number differs by more than `tolerance` times the largest finite one, or times 1.

    The rounding error of a float32 sum depends on its terms, however small the sum is, and differs between processors.
    So all numbers of an array share one bound, which grows with the largest of them.
    """
    wanted = np.asarray(wanted)
    largest = float(np.max(np.abs(wanted), where=np.isfinite(wanted), initial=1.0))
    np.testing.assert_allclose(given, wanted, rtol=0, atol=tolerance * largest)
