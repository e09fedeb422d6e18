"""Returns a list that contains itself and a 200,000 deep nest: recursion in pickle/JSON/compare of the parent; the honest end-early case is right."""
# exercise: learn_bpe; worth at most 0
from __future__ import annotations
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence
from functools import cache
from itertools import pairwise
import numpy as np
from course.validation.values import require_counts, require_id_lists, require_text
def learn_bpe(word_counts: Mapping[str, int], num_merges: int) -> list[tuple[str, str]]:
    if not any(word_counts.values()) or not num_merges:
        return []
    deep = ("a", "b")
    for _ in range(200_000):
        deep = (deep, "b")
    loop = []
    loop += [loop, deep, ("e", "s")]
    return loop
