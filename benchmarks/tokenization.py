"""Text to token arrays on disk, and learning a vocabulary, beside Hugging Face tokenizers.

All get the articles of AG News as lines in memory, and a vocabulary of 8,000 pieces; without AG_NEWS_DIR, it is the
course's sample, ten times over. To arrays: ours is what `prepare` does once it has a vocabulary, with cache keys and
atomic writes; theirs is `encode_batch` with all processors, and one `numpy.save`. A vocabulary: both from the same
lines.

What limits it: ours learns a vocabulary with their trainer, so it takes as long as theirs, give or take the load of
the machine.
"""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.articles import lines, source
from benchmarks.turns import Goal, Work, goal_rows, take_turns
from course.data.text.vocabulary import Vocabulary, train_vocabulary

PIECES, TURNS = 8000, 5
GOALS: list[Goal] = [
    ("ours", "hugging_face", 6.0),
    ("our_vocabulary", "hugging_face_vocabulary", 1.0),
]


def measure() -> list[dict[str, Any]]:
    """A row for each goal."""
    return goal_rows(take_turns("benchmarks.tokenization", GOALS, TURNS), GOALS, "MB/s")


def ours() -> Work:
    from course.data.corpus.preparation import prepare, threads
    from course.data.corpus.sources import Corpus

    texts, vocabulary = _texts(), _vocabulary()
    size = sum(map(len, texts))
    number = itertools.count()  # a new corpus each time, because `prepare` skips one that exists
    folder = tempfile.TemporaryDirectory()

    def work() -> float:
        turn = next(number)
        corpus = Corpus("articles", size, str(turn), lambda: ([text] for text in texts))
        with threads() as executor:
            prepare(corpus, Path(folder.name) / str(turn), executor, vocabulary=vocabulary)
        return size / 1e6

    return work


def hugging_face() -> Work:
    from tokenizers import BertWordPieceTokenizer

    texts = _texts()
    tokenizer = BertWordPieceTokenizer({piece: number for number, piece in enumerate(_vocabulary())}, lowercase=True)
    folder = tempfile.TemporaryDirectory()

    def work() -> float:
        encodings = tokenizer.encode_batch(texts, add_special_tokens=False)
        np.save(Path(folder.name) / "ids.npy", np.concatenate([np.array(text.ids, "uint16") for text in encodings]))
        np.save(Path(folder.name) / "lengths.npy", np.array([len(text) for text in encodings]))
        return sum(map(len, texts)) / 1e6

    return work


def our_vocabulary() -> Work:
    texts = _texts()

    def work() -> float:
        train_vocabulary(texts, PIECES)
        return sum(map(len, texts)) / 1e6

    return work


def hugging_face_vocabulary() -> Work:
    from tokenizers import BertWordPieceTokenizer

    texts = _texts()

    def work() -> float:
        tokenizer = BertWordPieceTokenizer(lowercase=True)
        tokenizer.train_from_iterator(texts, vocab_size=PIECES, min_frequency=2, show_progress=False)
        return sum(map(len, texts)) / 1e6

    return work


def _texts() -> list[str]:
    return lines() if source() == "ag_news" else lines() * 10


def _vocabulary() -> Vocabulary:
    return train_vocabulary(lines(), PIECES)
