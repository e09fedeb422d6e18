"""A slotted dataclass with methods, functools.reduce over merges, and a generator."""
# exercise: learn_bpe; right: 5
from __future__ import annotations
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence
from functools import cache
from itertools import pairwise
import numpy as np
from course.validation.values import require_counts, require_id_lists, require_text
from collections import Counter
from dataclasses import dataclass, field
from functools import reduce


@dataclass(slots=True)
class Word:
    symbols: list[str]
    count: int
    length: int = field(init=False, default=0)

    def __post_init__(self):
        self.length = len(self.symbols)

    @property
    def pairs(self):
        return zip(self.symbols, self.symbols[1:])

    def merge(self, pair):
        def step(done, symbol):
            if done and done[-1][1] and (done[-1][0], symbol) == pair:
                return [*done[:-1], (done[-1][0] + symbol, False)]
            return [*done, (symbol, True)]

        self.symbols = [symbol for symbol, _ in reduce(step, self.symbols, [])]


def _merges(words):
    while counts := sum((Counter({p: n * word.count for p, n in Counter(word.pairs).items()}) for word in words), Counter()):
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        yield best
        for word in words:
            if best in set(word.pairs):
                word.merge(best)
def learn_bpe(word_counts: Mapping[str, int], num_merges: int) -> list[tuple[str, str]]:
    words = [Word([*word, "</w>"], count) for word, count in word_counts.items() if count]
    return [pair for pair, _ in zip(_merges(words), range(num_merges))] if num_merges else []
