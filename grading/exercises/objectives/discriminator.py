"""Judge what an ELECTRA hides, shows its discriminator and learns; `tiny_electra` makes the models."""

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
from grading.messages import Message

# Hidden words ----------------------------------------------------------------------------------------------


def judge_hidden(answers: dict[str, Any]) -> str | None:
    token_ids = answers["texts"]
    return _wrong_hiding(token_ids, answers["answer"]) or _wrong_rest(token_ids, answers["looking around"])


def _wrong_hiding(token_ids: np.ndarray, answer: Answer) -> str | None:
    logits, words, weights = (answer[name] for name in ("word_logits", "words", "word_weights"))
    expected = (ROWS, PREDICTIONS, VOCABULARY_SIZE)
    if logits.shape != expected:
        return Message(
            "returns word_logits of shape {shape}; wanted (batch, predictions, vocabulary) = {expected}",
            shape=logits.shape,
            expected=expected,
        )
    if words.shape != expected[:2] or weights.shape != expected[:2]:
        return Message(
            "returns words of shape {shape}, weights of shape {shape_2}; wanted {expected}",
            shape=words.shape,
            shape_2=weights.shape,
            expected=expected[:2],
        )
    if np.allclose(logits.sum(axis=-1), 1.0, atol=1e-4):
        return Message("returns probabilities of words; wanted the logits of the head")
    asked = weights > 0
    if asked.all():
        return Message("gives weight to positions that only fill up a row")
    if (words[asked] == MASK_ID).any():
        return Message("asks for [MASK], which it put there itself; wanted the original word")
    if (words[asked] == GUESS).all():
        return Message("asks for the words that the generator drew; wanted the original words")
    if np.isin(words[asked], SPECIAL_IDS).any():
        return Message("hides special tokens, such as [CLS]")
    if not (words[:, :, None] == token_ids[:, None, :]).any(axis=-1)[asked].all():
        return Message("asks for words that are not in the text")
    num_words = np.isin(token_ids, WORDS).sum(axis=1)
    if (asked.sum(axis=1) != np.maximum(np.round(RATE * num_words), 1)).any():
        return Message("hides another share of the words than the rate of the model, {rate}", rate=RATE)
    others = np.array(logits)
    others[:, :, GUESS] = -np.inf
    is_hidden = others.argmax(axis=-1)[asked] == MASK_ID
    if not is_hidden.any():
        return Message("shows the generator something other than [MASK] where words are hidden")
    if not is_hidden.all():
        return Message("shows the generator [MASK] at only some of the hidden words")
    return None


def _wrong_rest(token_ids: np.ndarray, answer: Answer) -> str | None:
    """Judge what the generator sees besides the hidden words: all words that are not hidden, and no others."""
    first = np.array(answer["word_logits"][:, 0])
    hidden = np.where(answer["word_weights"] > 0, answer["words"], PADDING_ID)
    for row, words, logits in zip(token_ids, hidden, first, strict=True):
        seen = np.setdiff1d(row, [*words, *SPECIAL_IDS, GUESS])
        unseen = np.setdiff1d(WORDS, [*seen, GUESS])
        if len(seen) and logits[seen].min() <= logits[unseen].max():
            return Message("shows the generator something other than the text where no words are hidden")
    return None


# Fakes -----------------------------------------------------------------------------------------------------


def judge_fakes(answers: dict[str, Any]) -> str | None:
    token_ids = answers["texts"]
    if wrong := _wrong_fakes(token_ids, answers["answer"]):
        return wrong
    if not np.array_equal(answers["guessing [SEP]"]["fake_weights"], np.isin(token_ids, WORDS)):
        return Message("gives a word no weight for the discriminator if the generator replaced it by a special token")
    return None


def seen_by_discriminator(logits: np.ndarray) -> np.ndarray:
    """Return the token that the discriminator saw at each place, or -1 if its logit stands for no token."""
    own = 5.0 + 0.2 * 0.4207  # gelu(5) - gelu(-0.2), for the normalized vector of a token
    numbers = logits / own + (VOCABULARY_SIZE - 1) / 2
    rounded = np.round(numbers)
    return np.where(np.abs(numbers - rounded) < 0.1, rounded, -1).astype(int)


def _wrong_fakes(token_ids: np.ndarray, answer: Answer) -> str | None:
    logits, fakes, weights = (answer[name] for name in ("fake_logits", "fakes", "fake_weights"))
    for name, array in (("fake_logits", logits), ("fakes", fakes), ("fake_weights", weights)):
        if array.shape != token_ids.shape:
            return Message(
                "returns {name} of shape {shape}; wanted one number per token, {shape_2}",
                name=name,
                shape=array.shape,
                shape_2=token_ids.shape,
            )
    if logits.min() >= 0 and logits.max() <= 1:
        return Message("returns probabilities of fakes; wanted logits")
    is_word = np.isin(token_ids, WORDS)
    seen = seen_by_discriminator(logits)
    if (seen[is_word] == MASK_ID).any():
        if (seen[is_word] == GUESS).any():
            return Message("shows the discriminator [MASK] as well as the fakes")
        return Message("shows the discriminator [MASK] where words were hidden")
    if np.array_equal(seen, token_ids):
        return Message("shows the discriminator the original texts")
    is_fake = seen != token_ids
    if (seen[is_fake] != GUESS).any():
        return Message("shows the discriminator something other than the texts with the words that the generator drew")
    if (is_fake & ~is_word).any():
        return Message("puts fakes in place of special tokens")
    return _wrong_labels(np.asarray(fakes).astype(bool), is_fake, np.asarray(weights), is_word, answer)


def _wrong_labels(
    fakes: np.ndarray, is_fake: np.ndarray, weights: np.ndarray, is_word: np.ndarray, answer: Answer
) -> str | None:
    if np.array_equal(fakes, ~is_fake):
        return Message("inverts the labels of fakes")
    if (is_fake & ~fakes).any():
        return Message("does not label all fakes as fakes")
    if (fakes & ~is_fake).any():
        return Message("labels a word as a fake although the generator guessed it right")
    if np.array_equal(weights, is_word):
        return None
    if weights.all():
        return Message("lets every token count for the discriminator, even special ones and padding")
    asked = int(answer["word_weights"].sum())
    if np.array_equal(weights, is_fake):
        return Message("lets only fakes count for the discriminator")
    if (weights[~is_word] == 0).all():
        if int((weights > 0).sum()) <= asked:
            return Message("lets only hidden words count for the discriminator")
        return Message("lets only some of the words count for the discriminator")
    return Message("lets special tokens count for the discriminator, but not padding")


# Seeds, and training ---------------------------------------------------------------------------------------


def judge_seeds(answers: dict[str, Any]) -> str | None:
    moves = not _same(answers["quiet"], answers["quiet again"])
    rests = _same(answers["training"], answers["training again"])
    if moves and rests:
        return Message("swaps the seeds: the hidden words change outside training, and stay the same in training")
    if moves:
        return Message("hides different words at each call outside training, so evaluations cannot be compared")
    if rests:
        return Message("hides the same words at each call in training")
    if not _same(answers["seed 0"], answers["seed 0 again"]):
        return Message(
            "hides different words at each call outside training if the seed is 0, an integer like any other"
        )
    if _same(answers["quiet"], answers["seed 0"]):
        return Message("hides the same words outside training, whatever the model's seed is")
    if wrong := _wrong_hiding(answers["texts"], answers["training"]):
        return Message("in training, {wrong}", wrong=wrong)
    return _wrong_draws(*answers["drawn"])


def _wrong_draws(quiet: Answer, again: Answer, training: Answer, and_again: Answer, other: Answer) -> str | None:
    """Judge the draws: all words are hidden and guessed with equal probability, so only the draws can differ."""
    if not np.array_equal(quiet["fakes"], again["fakes"]):
        return Message("draws different fakes at each call outside training")
    if np.array_equal(training["fakes"], and_again["fakes"]):
        return Message("draws the same fakes at each call in training")
    if np.array_equal(quiet["fakes"], other["fakes"]):
        return Message("draws the same fakes outside training, whatever the model's seed is")
    return None


def _same(first: Answer, second: Answer) -> bool:
    return all(np.array_equal(first[name], second[name]) for name in ("words", "word_weights"))


def judge_dropout(answers: dict[str, Any]) -> str | None:
    """Judge dropout: all words are hidden and one word is guessed, so only dropout can change from call to call."""
    for name, logits in ((Message("generator"), "word_logits"), (Message("discriminator"), "fake_logits")):
        quiet, quiet_again, training, training_again = (answer[logits] for answer in answers[name])
        if not np.array_equal(quiet, quiet_again):
            return Message("applies the {name}'s dropout outside training", name=name)
        if np.array_equal(training, training_again):
            return Message("does not apply the {name}'s dropout in training", name=name)
    return None


def judge_training(answers: dict[str, Any]) -> str | None:
    """Compare one training step without the discriminator's loss with the same step with it."""
    token_ids, compiled = answers["texts"], answers["compiled"]
    if wrong := _wrong_hiding(token_ids, compiled) or _wrong_fakes(token_ids, compiled):
        return Message("in a compiled step, {wrong}", wrong=wrong)
    alone, both = answers["alone"], answers["both"]
    for path in both:
        if not np.isfinite(both[path]).all():
            return Message("makes {path} NaN or infinite in one step of training", path=path)
    # The bias of the keys adds the same to all scores of a query, which a softmax ignores. The pooler is not used.
    learning = [path for path in both if not path.endswith("key/bias") and "pooler" not in path]
    of_generator = [path for path in learning if path.startswith(("generator", "masked_lm_head"))]
    embeddings = [path for path in learning if path.startswith("encoder/embedding")]
    of_discriminator = [path for path in learning if path not in (*of_generator, *embeddings)]
    if not all(alone[path].any() for path in of_generator):
        return Message("does not train the generator on the words that it should guess")
    if any(not np.allclose(alone[path], both[path], atol=1e-5) for path in of_generator):
        return Message("trains the generator on the discriminator's loss")
    if not all(alone[path].any() for path in embeddings):
        return Message("does not train the embeddings on the generator's loss")
    if any(alone[path].any() for path in of_discriminator):
        return Message("trains the discriminator although λ is 0")
    if not all(both[path].any() for path in of_discriminator):
        return Message("does not train a part of the discriminator")
    if any(np.allclose(alone[path], both[path], atol=1e-5) for path in embeddings):
        return Message("does not train the embeddings on the discriminator's loss")
    return None
