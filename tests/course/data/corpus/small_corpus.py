"""Token arrays of random pieces, made without any text, for the tests of pretraining."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from course.data.corpus.token_arrays import Shard, TokenArrays, write_rest
from course.data.text.vocabulary import Vocabulary
from course.tokenization import SPECIAL_TOKENS

WORDS = 60
VOCABULARY = Vocabulary([*SPECIAL_TOKENS, *(f"w{number}" for number in range(WORDS))])


def random_shard(random: np.random.Generator, documents: int, longest: int = 9) -> Shard:
    """Documents of 1 to 6 sentences of 1 to `longest` pieces."""
    document_lengths = random.integers(1, 7, documents)
    sentence_lengths = random.integers(1, longest + 1, document_lengths.sum())
    pieces = random.integers(len(SPECIAL_TOKENS), len(VOCABULARY), sentence_lengths.sum()).astype("uint16")
    return Shard.of_lengths(pieces, sentence_lengths, document_lengths)


def small_corpus(folder: Path, shards: list[Shard], key: str = "small") -> TokenArrays:
    """Writes shards as a prepared corpus."""
    folder.mkdir(parents=True)
    for number, shard in enumerate(shards):
        shard.save(folder, number)
    pieces = np.concatenate([shard.pieces for shard in shards])
    counts = np.bincount(pieces, minlength=len(VOCABULARY))
    write_rest(folder, VOCABULARY, counts, {"key": key, "pieces": len(pieces), "shards": len(shards)})
    return TokenArrays(folder)
