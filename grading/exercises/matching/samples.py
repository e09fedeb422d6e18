"""What the checks on matching are made of: judged rankings, vectors, scored pairs, and a classifier with its rows."""

from __future__ import annotations

import numpy as np

from grading.judging.proxies import Proxy

Random = np.random.RandomState

VOCABULARY_SIZE, HIDDEN_DIM, NUM_SEGMENTS, BATCH, LENGTH = 19, 12, 3, 4, 7


def judged_queries(random: Random, queries: int) -> tuple[list[list[int]], list[list[int]]]:
    """Gains of 13 results for each query, of which the first is mostly worth nothing, and those of all judged ones."""
    ranked_gains, all_gains = [], []
    for query in range(queries):
        ranked = random.choice([0, 0, 0, 1, 2, 3], 13)
        ranked[[0, 3 + query % 5]] = 0, 2
        missed = random.choice([1, 2, 3], 1 + query % 3)
        judged = random.permutation(np.concatenate([ranked, missed, np.zeros(2, int)]))
        ranked_gains.append(ranked.tolist())
        all_gains.append(judged.tolist())
    return ranked_gains, all_gains


def vectors(random: Random, batch: int = 5, width: int = 7) -> tuple[np.ndarray, np.ndarray]:
    """Vectors of queries, and of documents that are somewhat like them, of other lengths."""
    queries = random.standard_normal((batch, width))
    documents = (queries + 2.5 * random.standard_normal((batch, width))) * random.uniform(0.5, 4, (batch, 1))
    return queries.astype("float32"), documents.astype("float32")


def scored_pairs(random: Random, pairs: int, shift: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Logits, and labels that follow them in part: rather those of low logits match than the model believes."""
    logits = 3 * random.standard_normal(pairs) + shift
    labels = (random.random_sample(pairs) < 1 / (1 + np.exp(1.2 - 0.6 * logits))).astype("int64")
    labels[np.argsort(logits)[[1, -2]]] = 1, 0  # some of both, and no threshold is perfect
    return logits, labels


def rows(random: Random) -> dict[str, np.ndarray]:
    """Rows without padding, all of one segment."""
    token_ids = random.randint(1, VOCABULARY_SIZE, (BATCH, LENGTH)).astype("int32")
    return {
        "token_ids": token_ids,
        "segment_ids": np.zeros_like(token_ids),
        "padding_mask": np.ones_like(token_ids, bool),
    }


def library_encoder(implementation: Proxy, dtype: str) -> Proxy:
    sizes = {"num_layers": 1, "num_heads": 3, "hidden_dim": HIDDEN_DIM, "intermediate_dim": 20, "max_length": 8}
    made = implementation.make(
        "course.encoder.BertEncoder",
        VOCABULARY_SIZE,
        num_segments=NUM_SEGMENTS,
        dropout=0.0,
        dtype=dtype,
        name="encoder",
        **sizes,
    )
    made.build(np.ones((BATCH, LENGTH), "int32"))
    return made


def built(implementation: Proxy, dropout: float, dtype: str) -> Proxy:
    encoder = implementation.once(library_encoder, dtype=dtype)
    made = implementation(encoder, dropout=dropout, dtype=dtype)
    made.build(rows(np.random.RandomState(0)))
    return made


def loaded(
    implementation: Proxy,
    random: Random,
    dropout: float = 0.0,
    dtype: str = "float32",
    only_feature: int | None = None,
) -> Proxy:
    """A classifier on the library's encoder with random parameters, built once for all checks that want it so.

    Args:
        only_feature: the one that the projection reads, where it reads no others; its bias is 1 then.
    """
    made = implementation.once(built, dropout=dropout, dtype=dtype)
    encoder = implementation.once(library_encoder, dtype=dtype)
    parameters = {path: 0.4 * random.standard_normal(weight.shape) for path, weight in encoder.weights()}
    parameters["logit/kernel"] = random.standard_normal((HIDDEN_DIM, 1))
    parameters["logit/bias"] = random.standard_normal(1)
    if only_feature is not None:
        parameters["logit/kernel"] = 2.0 * np.eye(HIDDEN_DIM)[:, only_feature : only_feature + 1]
        parameters["logit/bias"] = np.ones(1)
    made.load({name: value.astype("float32") for name, value in parameters.items()})
    return made
