"""How near computed numbers must be to those that are wanted."""

from __future__ import annotations

from typing import Any

import numpy as np


def assert_close(given: Any, wanted: Any, tolerance: float = 1e-5) -> None:
    """Raises AssertionError where a number is further off than `tolerance` of the largest finite one, or of 1.

    A sum in float32 is rounded as its terms are, however small it comes out: which digits are lost, another processor
    decides otherwise. So numbers of one array share a bound, and it grows with the largest of them.
    """
    wanted = np.asarray(wanted)
    largest = float(np.max(np.abs(wanted), where=np.isfinite(wanted), initial=1.0))
    np.testing.assert_allclose(given, wanted, rtol=0, atol=tolerance * largest)
