"""A small ELECTRA whose answers say what its two readers saw, and what is wrong with that."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from grading.judging.proxies import Proxy

Random = np.random.RandomState

VOCABULARY_SIZE, MAX_LENGTH, RATE = 26, 17, 0.4
# The numbers of special tokens differ from the published ones, so that none can be written into the code.
PADDING_ID, MASK_ID, CLS_ID, SEP_ID = SPECIAL_IDS = 0, 6, 8, 13
WORDS = np.setdiff1d(np.arange(VOCABULARY_SIZE), SPECIAL_IDS)
GUESS = 20  # the word that the generator puts everywhere
ROWS, LENGTH = 61, 17
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
    """An encoder of one block and a generator of one, without dropout unless it is asked for."""
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
        "course.self_supervision.generator.Generator",
        num_layers=1,
        num_heads=2,
        hidden_dim=narrow_dim,
        intermediate_dim=NARROW_INTERMEDIATE_DIM,
        dropout=generator_dropout,
        name="generator",
    )
    return implementation(encoder, generator, MASK_ID, list(SPECIAL_IDS), **options)


def loaded(implementation: Proxy, random: Random, **options: Any) -> Proxy:
    """With random parameters, and a generator that is certain of one word, so that nothing is left to chance."""
    made = implementation.once(built, hidden_dim=HIDDEN_DIM, narrow_dim=NARROW_DIM, **options)
    made.method("reset_metrics")()
    shapes = _shapes(HIDDEN_DIM, NARROW_DIM)
    parameters = {name: (0.5 * random.standard_normal(shape)).astype("float32") for name, shape in shapes.items()}
    parameters["masked_lm_head/bias"][GUESS] += 80.0
    made.load(parameters)
    return made


def seeing(implementation: Proxy, seed: int = 11) -> Proxy:
    """The generator's logits are the largest at the word that it sees, but for a word that it always guesses.

    The detective's logit is the number of the word that it sees, less 12.5, times a constant.
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
    parameters["masked_lm_head/bias"][GUESS] = 60.0
    numbers = np.arange(VOCABULARY_SIZE, dtype="float32") - (VOCABULARY_SIZE - 1) / 2
    parameters["replaced_token_head/score/kernel"] = numbers[:, None]
    made.load(parameters)
    return made


def _shapes(width: int, narrow: int) -> dict[str, tuple[int, ...]]:
    """The shape of every parameter, by the library's names."""
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
    """[CLS], four to fifteen words of which no two are the same, [SEP], and padding."""
    token_ids = np.full((ROWS, LENGTH), PADDING_ID, "int32")
    for row in token_ids:
        count = random.randint(4, LENGTH - 1)
        row[: count + 2] = [CLS_ID, *random.permutation(WORDS)[:count], SEP_ID]
    return {"token_ids": token_ids}


# Hidden words ----------------------------------------------------------------------------------------------

Answer = dict[str, Any]


def judge_hidden(answers: dict[str, Any]) -> str | None:
    return _wrong_hiding(answers["texts"], answers["answer"])


def _wrong_hiding(token_ids: np.ndarray, answer: Answer) -> str | None:
    logits, words, weights = (answer[name] for name in ("word_logits", "words", "word_weights"))
    wanted = (ROWS, PREDICTIONS, VOCABULARY_SIZE)
    if logits.shape != wanted:
        return f"scores words in an array of shape {logits.shape}; wanted (batch, predictions, vocabulary) = {wanted}"
    if words.shape != wanted[:2] or weights.shape != wanted[:2]:
        return f"returns words of shape {words.shape}, weights of shape {weights.shape}; wanted {wanted[:2]}"
    if np.allclose(logits.sum(axis=-1), 1.0, atol=1e-4):
        return "returns probabilities of words; wanted logits, as they come from the head"
    asked = weights > 0
    if asked.all():
        return "gives weight to positions that only fill up a row"
    if (words[asked] == MASK_ID).any():
        return "asks for [MASK], which it put there itself; wanted the word that stood there before"
    if (words[asked] == GUESS).all():
        return "asks for the words that the generator drew; wanted those that stood there before"
    if np.isin(words[asked], SPECIAL_IDS).any():
        return "hides special tokens, such as [CLS]"
    if not (words[:, :, None] == token_ids[:, None, :]).any(axis=-1)[asked].all():
        return "asks for words that do not stand in the text"
    num_words = np.isin(token_ids, WORDS).sum(axis=1)
    if (asked.sum(axis=1) != np.maximum(np.round(RATE * num_words), 1)).any():
        return f"asks for another share of the words than the rate that it was made with, {RATE}"
    others = np.array(logits)
    others[:, :, GUESS] = -np.inf
    is_hidden = others.argmax(axis=-1)[asked] == MASK_ID
    if not is_hidden.any():
        return "shows the generator something else than [MASK] where words are hidden"
    if not is_hidden.all():
        return "shows the generator [MASK] at some of the hidden words only"
    return None


# Fakes -----------------------------------------------------------------------------------------------------


def judge_fakes(answers: dict[str, Any]) -> str | None:
    return _wrong_fakes(answers["texts"], answers["answer"])


def seen_by_detective(logits: np.ndarray) -> np.ndarray:
    """The token that it saw at each place; a detective that says something else has seen none of them."""
    own = 5.0 + 0.2 * 0.4207  # gelu(5) - gelu(-0.2): what the normalized vector of a token becomes
    numbers = logits / own + (VOCABULARY_SIZE - 1) / 2
    rounded = np.round(numbers)
    return np.where(np.abs(numbers - rounded) < 0.1, rounded, -1).astype(int)


def _wrong_fakes(token_ids: np.ndarray, answer: Answer) -> str | None:
    logits, fakes, weights = (answer[name] for name in ("fake_logits", "fakes", "fake_weights"))
    for name, array in (("fake_logits", logits), ("fakes", fakes), ("fake_weights", weights)):
        if array.shape != token_ids.shape:
            return f"returns {name} of shape {array.shape}; wanted one for each token, {token_ids.shape}"
    if logits.min() >= 0 and logits.max() <= 1:
        return "returns probabilities of fakes; wanted logits"
    is_word = np.isin(token_ids, WORDS)
    seen = seen_by_detective(logits)
    if (seen[is_word] == MASK_ID).any():
        rest = " where words were hidden" if not (seen[is_word] == GUESS).any() else ", and the fakes beside it"
        return f"shows the detective [MASK]{rest}"
    if np.array_equal(seen, token_ids):
        return "shows the detective the texts as they were"
    is_fake = seen != token_ids
    if (seen[is_fake] != GUESS).any():
        return "shows the detective something else than the texts with the words that the generator drew"
    if (is_fake & ~is_word).any():
        return "puts fakes in place of special tokens"
    return _wrong_labels(np.asarray(fakes).astype(bool), is_fake, np.asarray(weights), is_word, answer)


def _wrong_labels(
    fakes: np.ndarray, is_fake: np.ndarray, weights: np.ndarray, is_word: np.ndarray, answer: Answer
) -> str | None:
    if np.array_equal(fakes, ~is_fake):
        return "calls fakes what is none, and the other way round"
    if (is_fake & ~fakes).any():
        return "does not call all fakes by their name"
    if (fakes & ~is_fake).any():
        return "calls a word a fake that the generator guessed rightly"
    if np.array_equal(weights, is_word):
        return None
    if weights.all():
        return "lets every token count for the detective, also special ones and padding"
    asked = int(answer["word_weights"].sum())
    if np.array_equal(weights, is_fake):
        return "lets only fakes count for the detective"
    if (weights[~is_word] == 0).all():
        if int((weights > 0).sum()) <= asked:
            return "lets only hidden words count for the detective"
        return "lets only some of the words count for the detective"
    return "lets special tokens count for the detective, though not padding"


# What both read from --------------------------------------------------------------------------------------


def read(implementation: Proxy, random: Random) -> dict[str, Any]:
    """What both say of words alone, of two segments, of two documents, and beside padding."""
    made = loaded(implementation, random, rate=1.0)
    token_ids = random.choice(WORDS, (3, 11)).astype("int32")
    padded = np.where(np.arange(11) < np.array([[11], [7], [4]]), token_ids, PADDING_ID)
    segment_ids = (np.arange(11) >= np.array([[4], [9], [2]])).astype("int32")
    document_ids = 1 + segment_ids
    inputs = {
        "ids alone": {"token_ids": token_ids},
        "two segments": {"token_ids": token_ids, "segment_ids": segment_ids},
        "two documents": {"token_ids": token_ids, "document_ids": document_ids},
        "padding": {"token_ids": padded},
    }
    answers: dict[str, Any] = {}
    for case, given in inputs.items():
        found, is_word = made(given), np.isin(given["token_ids"], WORDS)
        answers[f"the logits of words, {case}"] = found["word_logits"][found["word_weights"] > 0]
        answers[f"the logits of fakes, {case}"] = found["fake_logits"][is_word]
    return answers


# Seeds, and training ---------------------------------------------------------------------------------------


def judge_seeds(answers: dict[str, Any]) -> str | None:
    moves = not _same(answers["quiet"], answers["quiet again"])
    rests = _same(answers["training"], answers["training again"])
    if moves and rests:
        return "has it the wrong way round: what is hidden changes outside training, and stays the same in training"
    if moves:
        return "hides other words at each call outside training, so that no two evaluations can be compared"
    if rests:
        return "hides the same words at each call in training"
    if _same(answers["quiet"], answers["another seed"]):
        return "hides the same words outside training, whatever seed the model was made with"
    wrong = _wrong_hiding(answers["texts"], answers["training"])
    return f"in training, {wrong}" if wrong else None


def _same(one: Answer, other: Answer) -> bool:
    return np.array_equal(one["words"], other["words"]) and np.array_equal(one["word_weights"], other["word_weights"])


def judge_dropout(answers: dict[str, Any]) -> str | None:
    """All words are hidden and one word is guessed, so nothing but dropout can change from call to call."""
    for name, logits in (("generator", "word_logits"), ("detective", "fake_logits")):
        quiet, quiet_again, training, training_again = (answer[logits] for answer in answers[name])
        if not np.array_equal(quiet, quiet_again):
            return f"lets the {name} drop features outside training"
        if np.array_equal(training, training_again):
            return f"lets the {name} drop nothing in training"
    return None


def moved(implementation: Proxy, random: Random, weight: float) -> dict[str, np.ndarray]:
    """What one step of training changes, with this λ; two models of one seed hide and draw the same."""
    made = implementation(*_parts(implementation), MASK_ID, list(SPECIAL_IDS), rate=RATE, seed=5, weight=weight)
    parameters = {path: 0.5 * random.standard_normal(array.shape) for path, array in made.weights()}
    made.load({path: value.astype("float32") for path, value in parameters.items()})
    before = made.weights()
    made.method("compile")(optimizer="sgd", run_eagerly=True)
    with warnings.catch_warnings():
        # Nobody asks the pooler for anything, so no gradient comes to it. A student would take that for a mistake.
        warnings.filterwarnings("ignore", message="Gradients do not exist")
        made.method("train_on_batch")({"token_ids": random.choice(WORDS, (3, 11)).astype("int32")})
    return {path: array - old for (path, array), (_, old) in zip(made.weights(), before, strict=True)}


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
        "course.self_supervision.generator.Generator",
        hidden_dim=NARROW_DIM,
        intermediate_dim=NARROW_INTERMEDIATE_DIM,
        name="generator",
        **sizes,
    )
    return encoder, generator


def judge_training(answers: dict[str, Any]) -> str | None:
    """Looks at one step without the detective's loss, and at the same one with it."""
    token_ids, compiled = answers["texts"], answers["compiled"]
    if wrong := _wrong_hiding(token_ids, compiled) or _wrong_fakes(token_ids, compiled):
        return f"in a compiled step, {wrong}"
    alone, both = answers["alone"], answers["both"]
    for path in both:
        if not np.isfinite(both[path]).all():
            return f"makes {path} NaN or infinite in one step of training"
    # The bias of the keys adds the same to all scores of a query, so a softmax does not see it. No pooler is asked.
    learning = [path for path in both if not path.endswith("key/bias") and "pooler" not in path]
    of_generator = [path for path in learning if path.startswith(("generator", "masked_lm_head"))]
    embeddings = [path for path in learning if path.startswith("encoder/embedding")]
    of_detective = [path for path in learning if path not in (*of_generator, *embeddings)]
    if not all(alone[path].any() for path in of_generator):
        return "lets the generator learn nothing from the words that it should guess"
    if any(not np.allclose(alone[path], both[path], atol=1e-5) for path in of_generator):
        return "lets the generator learn from the detective's loss"
    if not all(alone[path].any() for path in embeddings):
        return "lets the embeddings learn nothing from the generator"
    if any(alone[path].any() for path in of_detective):
        return "trains the detective where λ is 0"
    if not all(both[path].any() for path in of_detective):
        return "lets a part of the detective learn nothing"
    if any(np.allclose(alone[path], both[path], atol=1e-5) for path in embeddings):
        return "lets the embeddings learn nothing from the detective"
    return None


# The loss --------------------------------------------------------------------------------------------------


def judged(random: Random, words: list[int], dtype: str = "float32") -> dict[str, np.ndarray]:
    """What `call` may have returned: of each text seven tokens, of which so many are words, and four guesses."""
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
