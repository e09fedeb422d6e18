"""Heapq.nsmallest over a generator of NamedTuples instead of argsort."""
# exercise: beam_search; right: 6
from __future__ import annotations


from typing import Any

import keras
import numpy as np
from keras import ops

import course.attention
from my_bert.attention import MultiHeadAttention, causal_mask, merge_heads, scaled_dot_product_attention, split_heads
from my_bert.encoder import FeedForward, LayerNorm, arguments
from my_bert.positions import PositionedAttention
from course.validation.arrays import (
    require_additive_shapes,
    require_cache,
    require_divisible,
    require_integers,
    require_padded_on_the_right,
    require_rank,
)
from course.validation.steps import Step, log_probabilities
from course.validation.values import require_distinct_ids, require_numbers, require_shares, require_sizes

import heapq
from typing import NamedTuple


class Text(NamedTuple):
    words: tuple
    total: float

    def worth(self, penalty):
        return self.total / len(self.words) ** penalty

def beam_search(
    step: Step, start_id: int, end_id: int, beams: int, max_length: int, length_penalty: float = 0.0
) -> tuple[list[int], float]:
    live, finished = [Text((), 0.0)], []
    for _ in range(max_length):
        if not live:
            break
        asked = np.array([(start_id, *text.words) for text in live], "int32")
        logs = log_probabilities(step, asked, start_id=start_id, end_id=end_id)
        found = [
            (-(text.total + log), row, word) for row, text in enumerate(live) for word, log in enumerate(logs[row].tolist())
        ]
        for worth, row, word in heapq.nsmallest(beams, found):
            if word == end_id:
                finished.append(Text((*live[row].words, word), -worth))
        go_on = heapq.nsmallest(beams, (one for one in found if one[2] != end_id))
        live = [Text((*live[row].words, word), -worth) for worth, row, word in go_on]
    best = max(finished + live, key=lambda text: text.worth(length_penalty))
    return [int(word) for word in best.words], float(best.worth(length_penalty))
