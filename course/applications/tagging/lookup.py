"""The baseline that memorises names: words that were once a name always are one, of its most frequent kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from course.applications.tagging.texts import TaggedText
from course.entities import entities_of


class Lookup:
    """Finds the names that it has seen, word by word and ignoring case. It knows nothing of their context.

    Args:
        texts: to learn from.

    Raises:
        ValueError: no text has a name.

    Example:
        >>> Lookup(sample_texts(articles[:500], tokenizer)).tags(["Varga", "Mining", "grows"])
        ['B-organization', 'I-organization', 'O']
    """

    def __init__(self, texts: Iterable[TaggedText]) -> None:
        kinds: dict[tuple[str, ...], Counter[str]] = {}
        for text in texts:
            words = _lowered(text.words)
            for first, last, kind in entities_of(text.tags):
                kinds.setdefault(words[first:last], Counter())[kind] += 1
        if not kinds:
            raise ValueError("texts must contain at least one name. Received: none")
        self._kind = {name: counts.most_common(1)[0][0] for name, counts in kinds.items()}
        self._longest = max(map(len, self._kind))

    def tags(self, words: Sequence[str]) -> list[str]:
        """Return the tags of words. From left to right, the longest known name that begins at a word is taken."""
        lowered, tags = _lowered(words), ["O"] * len(words)
        word = 0
        while word < len(words):
            lengths = range(min(self._longest, len(words) - word), 0, -1)
            length = next((length for length in lengths if lowered[word : word + length] in self._kind), 0)
            if length:
                kind = self._kind[lowered[word : word + length]]
                tags[word : word + length] = [f"B-{kind}", *[f"I-{kind}"] * (length - 1)]
            word += max(length, 1)
        return tags


def _lowered(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.lower() for word in words)
