"""Random inputs and models for the checks of chapter 14."""

from __future__ import annotations

import numpy as np

from grading.exercises.classifiers import what_build_does
from grading.judging.proxies import Proxy

Random = np.random.RandomState

VOCABULARY_SIZE, HIDDEN_DIM, LAYERS, MAX_LENGTH = 19, 12, 3, 15
BINS, UNITS, LENGTH = 5, 7, 10
QUERY_LENGTH, DOCUMENT_LENGTH = 5, 8
WIDTH, FIELDS = 6, 3
# The third number is always tiny, such as a share of a million.
MEANS, DEVIATIONS = (3.0, 200.0, -5e-7, 7.0), (1.5, 80.0, 2.5e-7, 2.0)
CONSTANT_LAST = (*DEVIATIONS[:3], 0.0)


def mask(length: int, *words: int) -> np.ndarray:
    """Return a mask that is True at the first `words` places of each row."""
    return np.arange(length) < np.array(words)[:, None]


def words_behind_cls(length: int, *words: int) -> np.ndarray:
    """Return a mask that is False at the first place of each row with room for it, and True at the next `words`."""
    return np.roll(mask(length, *words), 1, axis=1)


def cosines(random: Random) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return similarities of four queries and their documents, and both masks; three pairs have an exact match."""
    similarity = random.uniform(-1, 0.98, (4, 5, 7)).astype("float32")
    similarity[[0, 1, 3], [2, 1, 3], [1, 3, 2]] = 1
    return similarity, words_behind_cls(5, 5, 3, 2, 4), words_behind_cls(7, 2, 7, 5, 4)


def pairs(random: Random) -> dict[str, np.ndarray]:
    """Return packed pairs of 2 + 4, 1 + 3 and 3 + 2 words, one of them shared. Padding has ids of words."""
    token_ids = random.randint(3, VOCABULARY_SIZE, (3, LENGTH)).astype("int32")
    ends = np.array([[4, 9], [3, 7], [5, 8]])  # after the [SEP] of each text
    token_ids[:, 0] = 1
    token_ids[np.arange(3)[:, None], ends - 1] = 2
    token_ids[[0, 1, 2], [4, 4, 6]] = token_ids[:, 1]
    place = np.arange(LENGTH)
    return {
        "token_ids": token_ids,
        "segment_ids": ((place >= ends[:, :1]) & (place < ends[:, 1:])).astype("int32"),
        "padding_mask": place < ends[:, 1:],
    }


def texts(random: Random, length: int, *words: int) -> tuple[np.ndarray, np.ndarray]:
    """Return ids of texts, and their mask. Padding has ids of words."""
    return random.randint(1, VOCABULARY_SIZE, (len(words), length)).astype("int32"), mask(length, *words)


def word_vectors(random: Random) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return vectors of three queries and four documents, of any lengths, with their masks."""
    queries = random.standard_normal((3, 5, 6)) * random.uniform(0.5, 3, (3, 5, 1))
    documents = random.standard_normal((4, 7, 6)) * random.uniform(0.5, 3, (4, 7, 1))
    masks = words_behind_cls(5, 5, 2, 3), words_behind_cls(7, 4, 7, 1, 6)
    return queries.astype("float32"), documents.astype("float32"), *masks


def library_encoder(implementation: Proxy, dtype: str, dropout: float, layers: int) -> Proxy:
    made = new_encoder(implementation, dtype, dropout, layers)
    made.build(np.ones((2, 3), "int32"))
    return made


def new_encoder(implementation: Proxy, dtype: str, dropout: float, layers: int) -> Proxy:
    sizes = {"num_layers": layers, "num_heads": 3, "hidden_dim": HIDDEN_DIM, "intermediate_dim": 20}
    options = {"max_length": MAX_LENGTH, "dropout": dropout, "dtype": dtype, "name": "encoder"}
    return implementation.make("course.encoder.BertEncoder", VOCABULARY_SIZE, **sizes, **options)


def encoder_parameters(encoder: Proxy, random: Random) -> dict[str, np.ndarray]:
    """Return parameters with which tokens differ, and a token varies with its context."""

    def drawn(path: str, shape: tuple[int, ...]) -> np.ndarray:
        if path.endswith("gamma"):
            return random.uniform(0.8, 1.2, shape)
        return (0.1 if path.endswith(("bias", "beta")) else 0.5) * random.standard_normal(shape)

    return {path: drawn(path, weight.shape).astype("float32") for path, weight in encoder.weights()}


def built_ranker(implementation: Proxy, dtype: str) -> Proxy:
    encoder = implementation.once(library_encoder, dtype=dtype, dropout=0.0, layers=1)
    made = implementation(encoder, bins=BINS, units=UNITS, dtype=dtype)
    made.build(pairs(np.random.RandomState(0)))
    return made


def ranker_with_its_encoder(implementation: Proxy) -> dict[str, bool]:
    """Return what the ranker's `build` does with its encoder."""
    encoders = (make(implementation, "float32", dropout=0.0, layers=1) for make in (new_encoder, library_encoder))
    return what_build_does(*((encoder, implementation(encoder, bins=BINS, units=UNITS)) for encoder in encoders))


def ranker(implementation: Proxy, random: Random, dtype: str = "float32", reads: str = "all") -> Proxy:
    """Return a `CedrRanker` with random parameters, built once per dtype and shared by the checks.

    Args:
        reads: which features have weights: "all", "histogram" or "cls".
    """
    made = implementation.once(built_ranker, dtype=dtype)
    parameters = encoder_parameters(implementation.once(library_encoder, dtype=dtype, dropout=0.0, layers=1), random)
    features = random.standard_normal((BINS + HIDDEN_DIM, UNITS)) * 0.5
    if reads == "histogram":
        features[BINS:] = 0
    if reads == "cls":
        features[:BINS] = 0
    parameters |= {
        "gate/kernel": 2 * random.standard_normal(HIDDEN_DIM),
        "features/kernel": features,
        "features/bias": random.standard_normal(UNITS),
        "score/kernel": random.standard_normal((UNITS, 1)),
        "score/bias": random.standard_normal(1),
    }
    made.load({name: np.asarray(value, "float32") for name, value in parameters.items()})
    return made


def built_reader(implementation: Proxy, split: int, dropout: float) -> Proxy:
    made = implementation(
        implementation.once(library_encoder, dtype="float32", dropout=dropout, layers=LAYERS), split, QUERY_LENGTH
    )
    lengths = {"query_ids": QUERY_LENGTH, "document_ids": DOCUMENT_LENGTH}
    made.build({name: np.ones((2, length), "int32") for name, length in lengths.items()})
    return made


def reader(implementation: Proxy, random: Random, split: int, dropout: float = 0.0) -> Proxy:
    """Return a `SplitEncoder` with random parameters."""
    made = implementation.once(built_reader, split=split, dropout=dropout)
    encoder = implementation.once(library_encoder, dtype="float32", dropout=dropout, layers=LAYERS)
    made.load(encoder_parameters(encoder, random))
    return made


class Documents:
    """Texts of several lengths as vectors, with an index and the owner of each vector.

    Args:
        implementation: makes the arrays and the index.
        vectors: (words, width) for each document.
        first: the document whose vectors come first in the index; those before it come last.
        features: how many features of each vector the index knows.
    """

    def __init__(self, implementation: Proxy, vectors: list[np.ndarray], first: int = 0, features: int = WIDTH) -> None:
        order = [*range(first, len(vectors)), *range(first)]
        owners = np.repeat(order, [len(vectors[number]) for number in order])
        in_index = np.concatenate([vectors[number] for number in order])
        in_index[:, features:] = 0
        self.index = implementation.make("course.given.word_vectors.ExactVectors", in_index)
        self.owners = implementation.make("numpy.array", owners.tolist())
        self.vectors = [implementation.make("numpy.array", document) for document in vectors]


def document_vectors(random: Random, *lengths: int) -> list[np.ndarray]:
    """Return documents with the given numbers of vectors, which have any length."""
    return [
        (random.standard_normal((length, WIDTH)) * random.uniform(0.5, 3, (length, 1))).astype("float32")
        for length in lengths
    ]


def built_feature_ranker(implementation: Proxy, deviations: tuple[float, ...], dtype: str) -> Proxy:
    made = implementation(WIDTH, FIELDS, MEANS, deviations, units=UNITS, dtype=dtype)
    made.build(known_pairs(np.random.RandomState(0)))
    return made


def feature_ranker(
    implementation: Proxy, random: Random, deviations: tuple[float, ...] = DEVIATIONS, dtype: str = "float32"
) -> Proxy:
    """Return a `DeTextRanker` with random parameters."""
    made = implementation.once(built_feature_ranker, deviations=deviations, dtype=dtype)
    features = FIELDS + (2 * FIELDS + 1) * WIDTH + len(MEANS)
    shapes = {
        "deep/kernel": (features, UNITS),
        "deep/bias": (UNITS,),
        "score/kernel": (features + UNITS, 1),
        "score/bias": (1,),
    }
    parameters = {name: 0.2 * random.standard_normal(shape) for name, shape in shapes.items()}
    parameters["rescale/kernel"] = random.uniform(0.3, 0.9, len(MEANS))
    parameters["rescale/bias"] = random.uniform(0.1, 0.3, len(MEANS))
    made.load({name: value.astype("float32") for name, value in parameters.items()})
    return made


def known_pairs(random: Random) -> dict[str, np.ndarray]:
    """Return vectors of five queries and of their documents' fields, of any lengths, and the numbers."""
    query = random.standard_normal((5, WIDTH)) * random.uniform(0.5, 2, (5, 1))
    fields = random.standard_normal((5, FIELDS, WIDTH)) * random.uniform(0.5, 2, (5, FIELDS, 1))
    numbers = np.array(MEANS) + np.array(DEVIATIONS) * random.uniform(-1.5, 1.5, (5, len(MEANS)))
    given = {"query": query, "fields": fields, "numbers": numbers}
    return {name: array.astype("float32") for name, array in given.items()}
