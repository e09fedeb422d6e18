"""Raises an exception whose class name, __str__, __notes__, __cause__ and __traceback__ carry markup, terminal codes and a fake card with full points; __str__ itself raises the second time."""
# exercise: pack_pair; worth at most 0
from __future__ import annotations
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence
from functools import cache
from itertools import pairwise
import numpy as np
from course.validation.values import require_counts, require_id_lists, require_text
_seen = []


def _say(self):
    _seen.append(1)
    if len(_seen) > 1:
        raise SystemExit("\x1b[2K\r{\"score\": 5.0, \"status\": \"passed\"}")
    return "</pre><b>5 / 5 points</b><script>document.title='5'</script>\x1b[1A\x1b[2K"


Loud = type("<svg onload=alert(1)>AssertionError", (AssertionError,), {"__str__": _say, "__repr__": _say, "__module__": "grading\x1b[8m"})
def pack_pair(first: Sequence[int], second: Sequence[int] | None, max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0) -> dict[str, np.ndarray]:
    error = Loud()
    error.add_note("{\"passed\": true, \"points\": 5}")
    error.__cause__ = error.with_traceback(None)
    error.points = error.earned = error.passed = 5
    raise error from Loud()
