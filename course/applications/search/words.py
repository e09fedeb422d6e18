"""The words of queries and documents, and their stems."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from threading import Lock
from typing import Any

from course.tokenization import basic_tokenize, is_punctuation

# The stemmers of Snowball by ISO 639 code. In other languages words are searched as they stand.
STEMMERS = {
    **{"ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english"},
    **{"eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish"},
    **{"fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian"},
    **{"it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian"},
    **{"no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian"},
    "st": "sesotho",
    **{"sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish"},
}
# English articles, pronouns, prepositions, conjunctions, auxiliary verbs and question words. Longer lists, such as
# scikit-learn's, drop words that say something, such as "system".
_STOP_WORDS = """
a an the this that these those some any such each all both no not nor only i me my we us our you your he him
his she her it its they them their who whom whose which what of in on at by for from to with without into onto
upon about between among through during under over within and or but if then so because while although whether
as than when where why how there here also am is are was were be been being do does did done has have had
having can could may might must shall should will would
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
_ONE_AT_A_TIME = Lock()  # a stemmer keeps the word that it works on, and the search page answers in several threads


def search_words(text: str, language: str | None = None) -> list[str]:
    """Return the words of a text: those of `basic_tokenize`, in lower case, without punctuation.

    Half of a surrogate pair, which UTF-8 cannot encode, becomes "?".

    Args:
        text: of a document or a query.
        language: the ISO 639 code of the language whose endings are removed. None: "wing" does not find "wings".

    Raises:
        TypeError: not a string.

    Example:
        >>> search_words("The café's wings.")
        ['the', 'cafe', 's', 'wings']
        >>> search_words("The café's wings.", "en")
        ['the', 'cafe', 's', 'wing']
    """
    return stems((word for word in search_tokens(text) if len(word) > 1 or not is_punctuation(word)), language)


def query_words(query: str, language: str | None = None) -> list[str]:
    """Return the words of a query as they stand, in English without stop words such as "the", unless all are.

    Documents keep their stop words, so a query such as "to be or not to be" finds them.

    Args:
        query: any text.
        language: of the index, as in `search_words`. None: all words count.

    Raises:
        TypeError: not a string.
    """
    words = search_words(query)
    return [word for word in words if word not in STOP_WORDS] or words if language == "en" else words


def stems(words: Iterable[str], language: str | None) -> list[str]:
    """Return words without their endings; as they stand if the language is None, or has no stemmer."""
    if language not in STEMMERS:
        return list(words)
    return [_stem(word, language) for word in words]


def search_tokens(text: str) -> list[str]:
    """Return the words and punctuation marks of a text, in their order."""
    return basic_tokenize(writable(text) if isinstance(text, str) else text)


def writable(text: str) -> str:
    """Return the text with "?" for each character that UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode("utf-8")


@lru_cache(maxsize=200_000)
def _stem(word: str, language: str) -> str:
    with _ONE_AT_A_TIME:
        return _stemmer(language).stemWord(word) or word


@cache
def _stemmer(language: str) -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer(STEMMERS[language])
