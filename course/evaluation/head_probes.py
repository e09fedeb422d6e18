"""What each head looks at: a number a head, for every question that can be put as "how much of it goes to these keys?".

Reference: Clark et al., "What Does BERT Look At?", 2019, https://arxiv.org/abs/1906.04341, sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from course.validation.arrays import require_rank


def simple_targets(token_ids: np.ndarray, special_ids: Sequence[int], sep_id: int) -> dict[str, np.ndarray]:
    """The keys that a head would look at which does one simple thing.

    Args:
        token_ids: integers, (batch, length).
        special_ids: the ids that are no words. Only words are queries.
        sep_id: the id of [SEP].

    Returns:
        For each of "previous word", "next word", "same word elsewhere" and "separator": boolean,
        (batch, query, key). A query may have no such key at all.

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
    """How much of its attention each head spends on some keys.

    Args:
        weights: (layers, batch, heads, query, key), of `attention_weights`.
        targets: for each name the keys that are asked about, boolean, (batch, query, key).

    Returns:
        A row a head and a column a name: the sum of the weights on these keys, the mean over all queries that have
        one. The last row, "spread evenly", is what a head would have that looks at all of a text alike.

    Raises:
        ValueError: the shapes do not fit each other, or no query has such a key.
    """
    layers, batch, heads, queries, keys = weights.shape
    in_text = (weights > 0).any(axis=(0, 2, 3))  # (batch, key): what is no padding
    evenly = in_text / in_text.sum(axis=-1, keepdims=True)
    columns = {}
    for name, wanted in targets.items():
        if wanted.shape != (batch, queries, keys):
            raise ValueError(
                f"each of targets must be (batch, query, key), for these weights {(batch, queries, keys)}. "
                f"Received: {name}: {wanted.shape}"
            )
        asked = np.count_nonzero(wanted.any(axis=-1))
        if not asked:
            raise ValueError(f"each of targets must have a key for some query. Received: {name}: none for any")
        on_them = np.einsum("lbhqk,bqk->lh", weights, wanted) / asked
        columns[name] = [*on_them.ravel(), np.einsum("bk,bqk->", evenly, wanted) / asked]
    rows = [f"layer {layer}, head {head}" for layer in range(layers) for head in range(heads)]
    return pd.DataFrame(columns, index=[*rows, "spread evenly"])
