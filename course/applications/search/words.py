"""The words that are searched for, and searched in."""

from __future__ import annotations

from course.tokenization import basic_tokenize, is_punctuation


def search_words(text: str) -> list[str]:
    """The words of a text or a query: those of `basic_tokenize`, in lower case, without marks of punctuation.

    Endings stay: "wing" does not find "wings". Half of a surrogate pair, which no file may hold, is read as "?".

    Raises:
        TypeError: it is no string.

    Example:
        >>> search_words("The café's wing.")
        ['the', 'cafe', 's', 'wing']
    """
    return [word for word in search_tokens(text) if len(word) > 1 or not is_punctuation(word)]


def search_tokens(text: str) -> list[str]:
    """The words of a text and its marks of punctuation, in their order."""
    return basic_tokenize(writable(text) if isinstance(text, str) else text)


def writable(text: str) -> str:
    """The text, as UTF-8 can hold it, character by character."""
    return text.encode("utf-8", "replace").decode("utf-8")
