"""What each head looks at: one number per head for every question of the form "how much goes to these keys?".

Reference: Clark et al., "What Does BERT Look At?", 2019, https://arxiv.org/abs/1906.04341, sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from course.validation.arrays import require_rank


def simple_targets(token_ids: np.ndarray, special_ids: Sequence[int], sep_id: int) -> dict[str, np.ndarray]:
    """The keys that a head would look at if it did one simple thing.

    Args:
        token_ids: integers, (batch, length).
        special_ids: the ids that are not words. Only words are queries.
        sep_id: the id of [SEP].

    Returns:
        For each of "previous word", "next word", "same word elsewhere" and "separator": boolean,
        (batch, query, key). A query may have no such key.

    Raises:
        ValueError: another shape.
    """
    require_rank(token_ids, "token_ids", ("batch", "length"))
    is_word = ~np.isin(token_ids, list(special_ids))  # (batch, length)
    words = is_word[:, :, None] & is_word[:, None, :]  # (batch, query, key)
    place = np.arange(token_ids.shape[1])
    distance = place - place[:, None]  # (query, key), from the query to the key
    return {
        "previous word": words & (distance == -1),
        "next word": words & (distance == 1),
        "same word elsewhere": words & (token_ids[:, :, None] == token_ids[:, None, :]) & (distance != 0),
        "separator": is_word[:, :, None] & (token_ids == sep_id)[:, None, :],
    }


def probe_heads(weights: np.ndarray, targets: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """How much of its attention each head gives to some keys.

    Args:
        weights: (layers, batch, heads, query, key), of `attention_weights`.
        targets: for each name the keys to measure, boolean, (batch, query, key).

    Returns:
        A row for each head and a column for each name: the sum of the weights on these keys, averaged over the queries
        that have such a key. The last row, "spread evenly", is for a head that looks at all of a text alike.

    Raises:
        ValueError: the shapes do not fit each other, or no query has such a key.
    """
    layers, batch, heads, queries, keys = weights.shape
    in_text = (weights > 0).any(axis=(0, 2, 3))  # (batch, key): False at padding
    evenly = in_text / in_text.sum(axis=-1, keepdims=True)
    columns = {}
    for name, target in targets.items():
        if target.shape != (batch, queries, keys):
            raise ValueError(
                f"each of targets must be (batch, query, key), for these weights {(batch, queries, keys)}. "
                f"Received: {name}: {target.shape}"
            )
        queries_with_key = np.count_nonzero(target.any(axis=-1))
        if not queries_with_key:
            raise ValueError(f"each of targets must have a key for some query. Received: {name}: none for any")
        shares = np.einsum("lbhqk,bqk->lh", weights, target) / queries_with_key  # (layers, heads)
        columns[name] = [*shares.ravel(), np.einsum("bk,bqk->", evenly, target) / queries_with_key]
    rows = [f"layer {layer}, head {head}" for layer in range(layers) for head in range(heads)]
    return pd.DataFrame(columns, index=[*rows, "spread evenly"])
