"""The lengths by arithmetic, the row by itertools, the columns by zip."""
# exercise: pack_pair; right: 5
from __future__ import annotations
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence
from functools import cache
from itertools import pairwise
import numpy as np
from course.validation.values import require_counts, require_id_lists, require_text
from itertools import chain, islice, repeat
from typing import NamedTuple


class Cell(NamedTuple):
    token_ids: int
    segment_ids: int = 0
    padding_mask: bool = True


def _kept(one: int, other: int, room: int) -> tuple[int, int]:
    """How many stay of each: the longer one falls to the shorter, and then they share."""
    if one + other <= room:
        return one, other
    if one >= other:
        return (room - other, other) if room - other >= other else (room - room // 2, room // 2)
    return (one, room - one) if room - one >= one else (room - room // 2, room // 2)
def pack_pair(first: Sequence[int], second: Sequence[int] | None, max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0) -> dict[str, np.ndarray]:
    room = max_length - (2 if second is None else 3)
    a, b = _kept(len(first), len(second or ()), room)
    cells = chain([Cell(cls_id)], map(Cell, islice(first, a)), [Cell(sep_id)])
    if second is not None:
        cells = chain(cells, (Cell(i, 1) for i in islice(second, b)), [Cell(sep_id, 1)])
    row = [*islice(chain(cells, repeat(Cell(padding_id, 0, False))), max_length)]
    kinds = {"token_ids": "int32", "segment_ids": "int32", "padding_mask": "bool"}
    return {name: np.array(column, kinds[name]) for name, column in zip(Cell._fields, zip(*row))}
