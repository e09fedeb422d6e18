"""The words of queries and documents."""

from __future__ import annotations

from course.tokenization import basic_tokenize, is_punctuation


def search_words(text: str) -> list[str]:
    """Return the words of a text or query: those of `basic_tokenize`, in lower case, without punctuation.

    There is no stemming: "wing" does not find "wings". Half of a surrogate pair, which UTF-8 cannot encode, becomes
    "?".

    Raises:
        TypeError: not a string.

    Example:
        >>> search_words("The café's wing.")
        ['the', 'cafe', 's', 'wing']
    """
    return [word for word in search_tokens(text) if len(word) > 1 or not is_punctuation(word)]


def search_tokens(text: str) -> list[str]:
    """Return the words and punctuation marks of a text, in their order."""
    return basic_tokenize(writable(text) if isinstance(text, str) else text)


def writable(text: str) -> str:
    """Return the text with "?" for each character that UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode("utf-8")
