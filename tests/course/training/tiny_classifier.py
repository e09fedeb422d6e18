"""A tiny classifier, and texts of a few words in which one word gives the class, for the tests of training."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import keras
import numpy as np

from course.classification import Examples, TextClassifier
from course.encoder import BertEncoder
from course.tokenization import SPECIAL_TOKENS

WORDS = ["war", "goal", "bank", "moon", "a", "day", "in", "town", "was", "long"]
PIECES = (*SPECIAL_TOKENS, *WORDS)
LENGTHS, LENGTH, NUM_CLASSES, NUM_LAYERS = (5, 11), 11, 4, 1


@contextlib.contextmanager
def uncompiled() -> Iterator[None]:
    """Let TensorFlow run eagerly, because compiling takes longer than a few small steps."""
    if keras.backend.backend() != "tensorflow":
        yield
        return
    import tensorflow as tf

    tf.config.run_functions_eagerly(True)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(False)


def classifier(dropout: float = 0.0, dtype: str = "float32") -> TextClassifier:
    """A built classifier of one block, with the same weights each time."""
    keras.utils.set_random_seed(5)
    sizes = {"num_layers": NUM_LAYERS, "num_heads": 2, "hidden_dim": 12, "intermediate_dim": 20, "max_length": LENGTH}
    encoder = BertEncoder(len(PIECES), dropout=dropout, name="encoder", dtype=dtype, **sizes)
    model = TextClassifier(encoder, NUM_CLASSES, dropout, name="classifier", dtype=dtype)
    model.build({"token_ids": (None, None)})
    return model


def texts(count: int, seed: int) -> Examples:
    """[CLS], the word of the class, and any other words."""
    random = np.random.default_rng(seed)
    labels = random.integers(NUM_CLASSES, size=count)
    lengths = random.choice(LENGTHS, size=count)  # each other length would be compiled again
    padding_mask = np.arange(LENGTH) < lengths[:, None]
    token_ids = random.integers(len(PIECES) - 6, len(PIECES), (count, LENGTH))
    token_ids[:, 0], token_ids[:, 1] = 2, 5 + labels
    token_ids = np.where(padding_mask, token_ids, 0).astype("int32")
    return {"token_ids": token_ids, "segment_ids": np.zeros_like(token_ids), "padding_mask": padding_mask}, labels
