"""What is wrong with what an ELECTRA hides, shows to its detective and learns: see `tiny_electra`."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.exercises.objectives.tiny_electra import (
    GUESS,
    MASK_ID,
    PADDING_ID,
    PREDICTIONS,
    RATE,
    ROWS,
    SPECIAL_IDS,
    VOCABULARY_SIZE,
    WORDS,
    Answer,
)

# Hidden words ----------------------------------------------------------------------------------------------


def judge_hidden(answers: dict[str, Any]) -> str | None:
    token_ids = answers["texts"]
    return _wrong_hiding(token_ids, answers["answer"]) or _wrong_rest(token_ids, answers["looking around"])


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


def _wrong_rest(token_ids: np.ndarray, answer: Answer) -> str | None:
    """What the generator sees beside the hidden words: those that are not hidden, and no others."""
    first = np.array(answer["word_logits"][:, 0])
    hidden = np.where(answer["word_weights"] > 0, answer["words"], PADDING_ID)
    for row, words, logits in zip(token_ids, hidden, first, strict=True):
        seen = np.setdiff1d(row, [*words, *SPECIAL_IDS, GUESS])
        unseen = np.setdiff1d(WORDS, [*seen, GUESS])
        if len(seen) and logits[seen].min() <= logits[unseen].max():
            return "shows the generator something else than the text where no words are hidden"
    return None


# Fakes -----------------------------------------------------------------------------------------------------


def judge_fakes(answers: dict[str, Any]) -> str | None:
    token_ids = answers["texts"]
    if wrong := _wrong_fakes(token_ids, answers["answer"]):
        return wrong
    if not np.array_equal(answers["guessing [SEP]"]["fake_weights"], np.isin(token_ids, WORDS)):
        return "does not let a word count for the detective where the generator put a special token"
    return None


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
    if wrong := _wrong_hiding(answers["texts"], answers["training"]):
        return f"in training, {wrong}"
    return _wrong_draws(*answers["drawn"])


def _wrong_draws(quiet: Answer, again: Answer, training: Answer, and_again: Answer, other: Answer) -> str | None:
    """All words are hidden and are guessed alike, so what differs is what was drawn: the words that are no fakes."""
    if not np.array_equal(quiet["fakes"], again["fakes"]):
        return "draws other fakes at each call outside training"
    if np.array_equal(training["fakes"], and_again["fakes"]):
        return "draws the same fakes at each call in training"
    if np.array_equal(quiet["fakes"], other["fakes"]):
        return "draws the same fakes outside training, whatever seed the model was made with"
    return None


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
