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


def word_targets(
    token_ids: np.ndarray, queries: Sequence[int], right: Sequence[int], wrong: Sequence[int]
) -> dict[str, np.ndarray]:
    """The keys of one word in each text, such as a pronoun: the word that it belongs to, and one that it does not.

    Args:
        token_ids: integers, (batch, length).
        queries: (batch,), for each text the id of the word that looks.
        right: (batch,), the id of the word where it should look.
        wrong: (batch,), the id of the word where it should not.

    Returns:
        For "right" and "wrong": boolean, (batch, query, key).

    Raises:
        ValueError: another shape, or a text without one of its words.
    """
    require_rank(token_ids, "token_ids", ("batch", "length"))
    asked, *keys = (token_ids == np.array(ids)[:, None] for ids in (queries, right, wrong))  # (batch, length)
    for name, found in zip(("queries", "right", "wrong"), (asked, *keys), strict=True):
        if not found.any(axis=-1).all():
            raise ValueError(f"each text must have its word of {name}. Received: none in text {found.any(-1).argmin()}")
    return {name: asked[:, :, None] & key[:, None, :] for name, key in zip(("right", "wrong"), keys, strict=True)}


def head_contrasts(weights: np.ndarray, targets: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """How much more each head looks at the right word than at the wrong one, text by text.

    Args:
        weights: (layers, batch, heads, query, key), of `attention_weights`.
        targets: of `word_targets`.

    Returns:
        A row for each text and a column for each head: the attention to the right word less that to the wrong one, from
        -1 to 1. In two texts in which right and wrong change places, a head without a clue has two contrasts whose mean
        is 0.
    """
    layers, _, heads, _, _ = weights.shape
    shares = np.einsum("lbhqk,bqk->blh", weights, targets["right"].astype("float32") - targets["wrong"])
    names = [f"layer {layer}, head {head}" for layer in range(layers) for head in range(heads)]
    return pd.DataFrame(shares.reshape(len(shares), -1), columns=names)


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
