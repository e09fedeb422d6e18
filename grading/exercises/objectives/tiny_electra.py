"""A small ELECTRA for the checks, with parameters such that its answers show what its two models saw."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from grading.judging.proxies import Proxy, changes
from grading.messages import Message

Random = np.random.RandomState
Answer = dict[str, Any]

VOCABULARY_SIZE, MAX_LENGTH, RATE = 26, 17, 0.4
# The ids of special tokens differ from the published ones, so hard-coded ids fail.
PADDING_ID, MASK_ID, CLS_ID, SEP_ID = SPECIAL_IDS = 0, 6, 8, 13
WORDS = np.setdiff1d(np.arange(VOCABULARY_SIZE), SPECIAL_IDS)
GUESS = 20  # the word that the generator puts everywhere
ROWS, LENGTH = 131, 17
PREDICTIONS = 7  # 0.4 · 17, rounded

HIDDEN_DIM, INTERMEDIATE_DIM, NARROW_DIM, NARROW_INTERMEDIATE_DIM = 10, 11, 6, 7


def built(
    implementation: Proxy,
    hidden_dim: int,
    narrow_dim: int,
    encoder_dropout: float = 0.0,
    generator_dropout: float = 0.0,
    **options: Any,
) -> Proxy:
    """Return a model with an encoder and a generator of one block each, by default without dropout."""
    encoder = implementation.make(
        "course.encoder.BertEncoder",
        VOCABULARY_SIZE,
        num_layers=1,
        num_heads=2,
        hidden_dim=hidden_dim,
        intermediate_dim=INTERMEDIATE_DIM,
        max_length=MAX_LENGTH,
        dropout=encoder_dropout,
        name="encoder",
    )
    generator = implementation.make(
        "course.given.generator.Generator",
        num_layers=1,
        num_heads=2,
        hidden_dim=narrow_dim,
        intermediate_dim=NARROW_INTERMEDIATE_DIM,
        dropout=generator_dropout,
        name="generator",
    )
    return implementation(encoder, generator, MASK_ID, list(SPECIAL_IDS), **options)


def loaded(implementation: Proxy, random: Random, **options: Any) -> Proxy:
    """Return a model with random parameters and a generator that is certain of one word, so nothing is random."""
    made = implementation.once(built, hidden_dim=HIDDEN_DIM, narrow_dim=NARROW_DIM, **options)
    made.method("reset_metrics")()
    shapes = _shapes(HIDDEN_DIM, NARROW_DIM)
    parameters = {name: (0.5 * random.standard_normal(shape)).astype("float32") for name, shape in shapes.items()}
    parameters["masked_lm_head/bias"][GUESS] += 80.0
    made.load(parameters)
    return made


def seeing(implementation: Proxy, seed: int = 11, guess: int = GUESS, around: float = 0.0) -> Proxy:
    """Return a model whose generator logits are largest at the word that it sees, except for one fixed guess.

    The discriminator's logit is the id of the word that it sees, minus 12.5, times a constant.

    Args:
        around: how much the generator attends to all words of its text, which raises their logits, too.
    """
    made = implementation.once(
        built, hidden_dim=VOCABULARY_SIZE, narrow_dim=VOCABULARY_SIZE, rate=RATE, seed=seed, weight=50.0
    )
    shapes = _shapes(VOCABULARY_SIZE, VOCABULARY_SIZE)
    parameters: dict[str, np.ndarray] = {
        name: np.full(shape, 1.0 if name.endswith("gamma") else 0.0, "float32") for name, shape in shapes.items()
    }
    for name in (
        "encoder/embedding/token_embedding/embeddings",
        "generator/narrow/kernel",
        "generator/widen/kernel",
        "masked_lm_head/dense/kernel",
        "replaced_token_head/dense/kernel",
    ):
        parameters[name] = np.eye(VOCABULARY_SIZE, dtype="float32")
    for name in ("value", "output"):
        parameters[f"generator/block_0/attention/{name}/kernel"] = around * np.eye(VOCABULARY_SIZE, dtype="float32")
    parameters["masked_lm_head/bias"][guess] = 60.0
    numbers = np.arange(VOCABULARY_SIZE, dtype="float32") - (VOCABULARY_SIZE - 1) / 2
    parameters["replaced_token_head/score/kernel"] = numbers[:, None]
    made.load(parameters)
    return made


def drawn(implementation: Proxy, random: Random) -> list[Answer]:
    """Return draws outside training, in training, and with another seed; all words are equally likely."""
    texts = {"token_ids": random.choice(WORDS[:2], (40, 9)).astype("int32")}
    answers = []
    for options, calls in (({}, (False, False, True, True)), ({"seed": 12}, (False,))):
        made = implementation.once(built, hidden_dim=HIDDEN_DIM, narrow_dim=NARROW_DIM, rate=1.0, **options)
        shapes = _shapes(HIDDEN_DIM, NARROW_DIM)
        parameters = {name: np.zeros(shape, "float32") for name, shape in shapes.items()}
        parameters["masked_lm_head/bias"][WORDS[:2]] = 50.0
        made.load(parameters)
        answers += [made(texts, training=training) for training in calls]
    return answers


def _shapes(width: int, narrow: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of every parameter, by the library's names."""
    shapes: dict[str, tuple[int, ...]] = {
        f"encoder/embedding/{name}_embedding/embeddings": (rows, width)
        for name, rows in (("token", VOCABULARY_SIZE), ("position", MAX_LENGTH), ("segment", 2))
    }
    sizes = {
        **_block_sizes("encoder/block_0", width, INTERMEDIATE_DIM),
        "encoder/pooler": (width, width),
        **_block_sizes("generator/block_0", narrow, NARROW_INTERMEDIATE_DIM),
        "generator/narrow": (width, narrow),
        "generator/widen": (narrow, width),
        "masked_lm_head/dense": (width, width),
        "replaced_token_head/dense": (width, width),
        "replaced_token_head/score": (width, 1),
    }
    for owner, size in sizes.items():
        shapes |= {f"{owner}/kernel": size, f"{owner}/bias": size[1:]}
    norms = {"encoder/embedding/norm": width, "masked_lm_head/norm": width}
    for block, features in (("encoder/block_0", width), ("generator/block_0", narrow)):
        norms |= {f"{block}/attention_norm": features, f"{block}/feed_forward_norm": features}
    for norm, features in norms.items():
        shapes |= {f"{norm}/gamma": (features,), f"{norm}/beta": (features,)}
    return shapes | {"masked_lm_head/bias": (VOCABULARY_SIZE,)}


def _block_sizes(block: str, width: int, intermediate_dim: int) -> dict[str, tuple[int, int]]:
    return {
        **{f"{block}/attention/{name}": (width, width) for name in ("query", "key", "value", "output")},
        f"{block}/feed_forward/intermediate": (width, intermediate_dim),
        f"{block}/feed_forward/output": (intermediate_dim, width),
    }


def texts(random: Random) -> dict[str, np.ndarray]:
    """Return rows of [CLS], four to fifteen different words, [SEP], and padding."""
    token_ids = np.full((ROWS, LENGTH), PADDING_ID, "int32")
    for row in token_ids:
        count = random.randint(4, LENGTH - 1)
        row[: count + 2] = [CLS_ID, *random.permutation(WORDS)[:count], SEP_ID]
    return {"token_ids": token_ids}


def judged(random: Random, words: list[int], dtype: str = "float32") -> dict[str, np.ndarray]:
    """Return possible outputs of `call`: seven tokens per text, the given numbers of words, and four guesses."""
    rows = len(words)
    is_word = np.arange(7) < np.array(words)[:, None]
    return {
        "word_logits": (2 * random.standard_normal((rows, 4, 9))).astype(dtype),
        "words": random.randint(0, 9, (rows, 4)).astype("int32"),
        "word_weights": (np.arange(4) < (np.array(words)[:, None] + 1) // 2).astype("float32"),
        "fake_logits": (2 * random.standard_normal((rows, 7))).astype(dtype),
        "fakes": (random.random_sample((rows, 7)) < 0.4) & is_word,
        "fake_weights": is_word.astype("float32"),
    }


def read(implementation: Proxy, random: Random) -> dict[str, Any]:
    """Return the logits of both models for plain ids, two segments, two documents, and padding."""
    made = loaded(implementation, random, rate=1.0)
    token_ids = random.choice(WORDS, (3, 11)).astype("int32")
    padded = np.where(np.arange(11) < np.array([[11], [7], [4]]), token_ids, PADDING_ID)
    segment_ids = (np.arange(11) >= np.array([[4], [9], [2]])).astype("int32")
    document_ids = 1 + segment_ids
    inputs = {
        Message("ids alone"): {"token_ids": token_ids},
        Message("two segments"): {"token_ids": token_ids, "segment_ids": segment_ids},
        Message("two documents"): {"token_ids": token_ids, "document_ids": document_ids},
        Message("padding"): {"token_ids": padded},
        Message("one text"): {"token_ids": token_ids[:1]},
    }
    answers: dict[str, Any] = {}
    for case, given in inputs.items():
        outputs, is_word = made(given), np.isin(given["token_ids"], WORDS)
        answers[Message("the logits of words, {case}", case=case)] = outputs["word_logits"][outputs["word_weights"] > 0]
        answers[Message("the logits of fakes, {case}", case=case)] = outputs["fake_logits"][is_word]
    return answers


def moved(implementation: Proxy, random: Random, weight: float) -> dict[str, np.ndarray]:
    """Return the changes of one training step with this λ; models of the same seed hide and draw the same words."""
    made = implementation(*_parts(implementation), MASK_ID, list(SPECIAL_IDS), rate=RATE, seed=5, weight=weight)
    parameters = {path: 0.5 * random.standard_normal(array.shape) for path, array in made.weights()}
    made.load({path: value.astype("float32") for path, value in parameters.items()})
    before = made.weights()
    made.method("compile")(optimizer="sgd", run_eagerly=True)
    with warnings.catch_warnings():
        # The pooler is not used, so it has no gradient. To a student, Keras's warning would look like a mistake.
        warnings.filterwarnings("ignore", message="Gradients do not exist")
        made.method("train_on_batch")({"token_ids": random.choice(WORDS, (3, 11)).astype("int32")})
    return changes(before, made.weights())


def _parts(implementation: Proxy) -> tuple[Proxy, Proxy]:
    sizes = {"num_layers": 1, "num_heads": 2, "dropout": 0.0}
    encoder = implementation.make(
        "course.encoder.BertEncoder",
        VOCABULARY_SIZE,
        hidden_dim=HIDDEN_DIM,
        intermediate_dim=INTERMEDIATE_DIM,
        max_length=MAX_LENGTH,
        name="encoder",
        **sizes,
    )
    generator = implementation.make(
        "course.given.generator.Generator",
        hidden_dim=NARROW_DIM,
        intermediate_dim=NARROW_INTERMEDIATE_DIM,
        name="generator",
        **sizes,
    )
    return encoder, generator
