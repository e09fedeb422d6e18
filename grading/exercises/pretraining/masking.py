"""Judges of masking that hold for any random draw. They look at a model that predicts the tokens it is shown."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.exercises.pretraining.parameters import (
    CLS_ID,
    MASK_ID,
    PADDING_ID,
    SEP_ID,
    SPECIAL_IDS,
    VOCABULARY_SIZE,
    WORDS,
    WORDS_TO_DRAW,
    copying,
)
from grading.judging.proxies import Proxy
from grading.judging.significance import explained_by_chance
from grading.messages import Message

RATE = 0.4
ROWS, LENGTH = 131, 17
PREDICTIONS = 7  # 0.4 · 17, rounded

Random = np.random.RandomState
Answer = dict[str, Any]


def guessing(implementation: Proxy, seed: int = 11) -> Proxy:
    """A model that predicts the tokens it is shown, and masks more words than BERT does."""
    return copying(implementation, rate=RATE, seed=seed)


def texts(random: Random) -> dict[str, np.ndarray]:
    """[CLS], four to fifteen different words, [SEP], and padding; the ids are int64, as in a list of numbers."""
    token_ids = np.full((ROWS, LENGTH), PADDING_ID, "int64")
    for row in token_ids:
        count = random.randint(4, LENGTH - 1)
        row[: count + 2] = [CLS_ID, *random.permutation(WORDS)[:count], SEP_ID]
    return {"token_ids": token_ids, "segment_ids": np.zeros_like(token_ids)}


def judge_masking(answers: dict[str, Any]) -> str | None:
    return _wrong(answers["texts"], answers["answer"])


def judge_seeds(answers: dict[str, Any]) -> str | None:
    moves = not _same_words(answers["quiet"], answers["quiet again"])
    rests = _same_words(answers["training"], answers["training again"])
    if moves and rests:
        return Message("swaps the two seeds: the masks change outside training, and stay the same in training")
    if not moves and not _same_words(answers["quiet"], answers["by default"]):
        return Message("masks other words if `training` is left out than if it is False")
    if moves:
        return Message("masks other words at each call outside training, so that no two evaluations can be compared")
    if rests:
        return Message("masks the same words at each call in training")
    if not _same_words(answers["seed 0"], answers["seed 0 again"]):
        return Message("masks other words at each call outside training if the seed is 0, an integer like any other")
    if _same_words(answers["quiet"], answers["seed 0"]):
        return Message("masks the same words outside training, whatever seed the model was given")
    wrong = _wrong(answers["texts"], answers["training"])
    return Message("in training, {wrong}", wrong=wrong) if wrong else None


def judge_training(answers: dict[str, Any]) -> str | None:
    if wrong := _wrong(answers["texts"], answers["compiled"]):
        return Message("in a compiled step, {wrong}", wrong=wrong)
    if answers["scores all"]:
        return Message("scores the vocabulary at every position in a compiled step; wanted the masked ones alone")
    if not answers["draws"]:
        return Message("draws no masks from `self.seed_generator` in a compiled step, so each step has the same ones")
    for path, change in answers["moved"].items():
        if not np.isfinite(change).all():
            return Message("makes {path} NaN or infinite in one step of training", path=path)
        # The bias of the keys adds the same number to all scores of a query, so the softmax cancels it.
        if not change.any() and not path.endswith("key/bias"):
            return Message("leaves {path} as it was, although it should learn", path=path)
    return None


def _same_words(one: Answer, other: Answer) -> bool:
    return np.array_equal(one["words"], other["words"]) and np.array_equal(one["word_weights"], other["word_weights"])


def _wrong(token_ids: np.ndarray, answer: Answer) -> str | None:
    """What is wrong with an answer of a model that predicts the tokens it is shown, or None.

    One count is compared with chance; right code exceeds the bound in one of 10^9 runs.
    """
    logits, words, weights = (answer[name] for name in ("word_logits", "words", "word_weights"))
    expected = (ROWS, PREDICTIONS, VOCABULARY_SIZE)
    if logits.shape != expected:
        return Message(
            "scores words in an array of shape {shape}; wanted (batch, predictions, vocabulary) = {expected}",
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
    if words.dtype != "int32":
        return Message("returns words in {dtype}; wanted int32", dtype=str(words.dtype))
    if np.allclose(logits.sum(axis=-1), 1.0, atol=1e-4):
        return Message("returns probabilities; wanted logits, as they come from the head")
    asked = weights > 0
    shown = logits.argmax(axis=-1)
    wrong = _wrong_words(token_ids, words, asked) or _wrong_places(shown[asked])
    return wrong or _wrong_random_words(shown[asked], words[asked]) or _wrong_pairs(token_ids, shown, asked, answer)


def _wrong_words(token_ids: np.ndarray, words: np.ndarray, asked: np.ndarray) -> str | None:
    if asked.all():
        return Message("gives weight to positions that only pad a row")
    if (words[asked] == MASK_ID).any():
        return Message("asks for [MASK], which it put in itself; wanted the original word")
    if np.isin(words[asked], SPECIAL_IDS).any():
        return Message("masks special tokens, such as [CLS]")
    stood_there = (words[:, :, None] == token_ids[:, None, :]).any(axis=-1)
    if not stood_there[asked].all():
        return Message("asks for words that are not in the text")
    num_words = np.isin(token_ids, WORDS).sum(axis=1)
    if (asked.sum(axis=1) != np.maximum(np.round(RATE * num_words), 1)).any():
        return Message("asks for another share of the words than its rate of {rate}", rate=RATE)
    return None


def _wrong_places(shown: np.ndarray) -> str | None:
    """Look at what the encoder saw where words are asked for: 80% must be [MASK]."""
    hidden = int((shown == MASK_ID).sum())
    if not hidden:
        return Message("shows the encoder the unmasked texts, so that it only has to copy the answers")
    if not explained_by_chance(hidden, shown.size, 0.8):
        return Message("asks for words at positions that are not the masked ones")
    return None


def _wrong_random_words(shown: np.ndarray, words: np.ndarray) -> str | None:
    """Look at the random words that were put in: only one word in two has a probability."""
    put_in = shown[(shown != MASK_ID) & (shown != words)]
    if np.isin(put_in, WORDS_TO_DRAW).all():
        return None
    return Message("puts in random words whose probability is 0 in the model's unigram_probabilities")


def _wrong_pairs(token_ids: np.ndarray, shown: np.ndarray, asked: np.ndarray, answer: Answer) -> str | None:
    """The pair's logits show how many [MASK] their head saw: in texts of one length, as many as the other head."""
    guesses = answer["next_sentence_logits"]
    if guesses.shape != (ROWS, 2):
        return None
    lengths, hidden = (token_ids != PADDING_ID).sum(axis=1), ((shown == MASK_ID) & asked).sum(axis=1)
    if np.ptp(guesses[:, 0]) < 1e-6 < np.ptp(hidden):
        return Message(
            "predicts the next sentence from the unmasked text: its logits do not depend on the number of [MASK]"
        )
    kinds = zip(lengths, hidden, strict=True)
    rows_alike: dict[tuple[int, int], list[float]] = {}
    for kind, guess in zip(kinds, guesses[:, 0], strict=True):
        rows_alike.setdefault(kind, []).append(float(guess))
    if all(np.ptp(alike) < 1e-4 for alike in rows_alike.values()):
        return None
    return Message("predicts the next sentence and the words from different masks")
