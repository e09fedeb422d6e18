"""Recursion with a walrus; an own exception says that no piece fits."""
# exercise: wordpiece_tokenize; right: 4
from __future__ import annotations
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence
from functools import cache
from itertools import pairwise
import numpy as np
from course.validation.values import require_counts, require_id_lists, require_text
class _NoPiece(LookupError):
    """No piece of the vocabulary fits here."""
def wordpiece_tokenize(word: str, vocabulary: Container[str], unknown: str = "[UNK]", max_chars: int = 100) -> list[str]:
    def cut(rest: str, prefix: str = "") -> list[str]:
        if not rest:
            return []
        ends = range(len(rest), 0, -1)
        if (end := next((e for e in ends if prefix + rest[:e] in vocabulary), None)) is None:
            raise _NoPiece(rest)
        return [prefix + rest[:end], *cut(rest[end:], "##")]

    try:
        return [unknown] if len(word) > max_chars else cut(word)
    except _NoPiece:
        return [unknown]
