"""What goes wrong in wordpiece_tokenize."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import course.tokenization as right
from grading.exercises.tokenization.checks import wordpiece

Pieces = Container[str]


def variant(
    word: str,
    vocabulary: Pieces,
    unknown: str,
    max_chars: int,
    *,
    shortest: bool = False,
    inside: str = "##",
    shown: str = "##",
    start: str = "",
) -> list[str]:
    """The greedy cut, of which a mistake gets one part wrong.

    Args:
        shortest: whether the shortest piece is taken.
        inside: what is put before a piece inside the word when it is looked up.
        shown: what is put before it in the answer.
        start: what is put before the first piece when it is looked up.
    """
    if len(word) > max_chars:
        return [unknown]
    pieces: list[str] = []
    place = 0
    while place < len(word):
        prefix, said = (inside, shown) if place else (start, start)
        ends = range(len(word), place, -1)
        found = next((e for e in (reversed(ends) if shortest else ends) if prefix + word[place:e] in vocabulary), None)
        if found is None:
            return [unknown]
        pieces.append(said + word[place:found])
        place = found
    return pieces


@wordpiece.whole_mistake(
    "The shortest piece is taken each time; it should be the longest.",
    hint="From which end must you try: the whole rest of the word, or its first letter?",
)
def shortest_first(word: str, vocabulary: Pieces, unknown: str = "[UNK]", max_chars: int = 100) -> Any:
    return variant(word, vocabulary, unknown, max_chars, shortest=True)


@wordpiece.whole_mistake(
    "## is forgotten: pieces inside a word are looked up as if they began it.",
    hint="The vocabulary has 'able' and '##able'. Which of them can end a word?",
)
def no_continuation(word: str, vocabulary: Pieces, unknown: str = "[UNK]", max_chars: int = 100) -> Any:
    return variant(word, vocabulary, unknown, max_chars, inside="", shown="")


@wordpiece.whole_mistake(
    "Pieces inside a word are returned without their ##.",
    hint="Each piece must be in the vocabulary as you return it, or its id cannot be found.",
)
def continuation_taken_off(word: str, vocabulary: Pieces, unknown: str = "[UNK]", max_chars: int = 100) -> Any:
    return variant(word, vocabulary, unknown, max_chars, shown="")


@wordpiece.whole_mistake(
    "Pieces inside a word are looked up without ##, which is put before them afterwards.",
    hint="Is what you return in the vocabulary?",
)
def continuation_put_on(word: str, vocabulary: Pieces, unknown: str = "[UNK]", max_chars: int = 100) -> Any:
    return variant(word, vocabulary, unknown, max_chars, inside="")


@wordpiece.whole_mistake(
    "The first piece is looked up with ##, too.",
    hint="## says that a piece goes on inside a word. Does the first one?",
)
def continuation_everywhere(word: str, vocabulary: Pieces, unknown: str = "[UNK]", max_chars: int = 100) -> Any:
    return variant(word, vocabulary, unknown, max_chars, start="##")


@wordpiece.whole_mistake(
    "The word is cut from right to left.",
    hint="The first piece is the longest start of the word, not the last one its longest end.",
)
def right_to_left(word: str, vocabulary: Pieces, unknown: str = "[UNK]", max_chars: int = 100) -> Any:
    if len(word) > max_chars:
        return [unknown]
    pieces: list[str] = []
    end = len(word)
    while end:
        starts = (s for s in range(end) if ("##" if s else "") + word[s:end] in vocabulary)
        found = next(starts, None)
        if found is None:
            return [unknown]
        pieces.insert(0, ("##" if found else "") + word[found:end])
        end = found
    return pieces


@wordpiece.whole_mistake(
    "Where no piece fits, it goes back and tries a shorter one before; the longest is final.",
    hint="Longest match is greedy. What if its choice leads nowhere?",
)
def goes_back(word: str, vocabulary: Pieces, unknown: str = "[UNK]", max_chars: int = 100) -> Any:
    def cut(place: int) -> list[str] | None:
        if place == len(word):
            return []
        for end in range(len(word), place, -1):
            piece = ("##" if place else "") + word[place:end]
            rest = cut(end) if piece in vocabulary else None
            if rest is not None:
                return [piece, *rest]
        return None

    pieces = None if len(word) > max_chars else cut(0)
    return [unknown] if pieces is None else pieces


def cut_as_far_as_possible(word: str, vocabulary: Pieces) -> tuple[list[str], int]:
    """The pieces that are found, and where no more fits."""
    pieces: list[str] = []
    place = 0
    while place < len(word):
        prefix = "##" if place else ""
        end = next((e for e in range(len(word), place, -1) if prefix + word[place:e] in vocabulary), None)
        if end is None:
            break
        pieces.append(prefix + word[place:end])
        place = end
    return pieces, place


@wordpiece.whole_mistake(
    "A word with an unknown part keeps its known pieces, and [UNK] stands for the rest.",
    hint="Half a word misleads. What should be returned when no piece fits, whatever was found before?",
)
def known_pieces_kept(word: str, vocabulary: Pieces, unknown: str = "[UNK]", max_chars: int = 100) -> Any:
    if len(word) > max_chars:
        return [unknown]
    pieces, place = cut_as_far_as_possible(word, vocabulary)
    return pieces if place == len(word) else [*pieces, unknown]


@wordpiece.whole_mistake(
    "A word with an unknown part keeps its known pieces, and the rest is lost without a sign.",
    hint="What does the loop do when no piece fits? Something must tell the model that there was more.",
)
def rest_lost(word: str, vocabulary: Pieces, unknown: str = "[UNK]", max_chars: int = 100) -> Any:
    if len(word) > max_chars:
        return [unknown]
    return cut_as_far_as_possible(word, vocabulary)[0]


@wordpiece.whole_mistake(
    "A character that no piece fits becomes [UNK], and the cutting goes on behind it.",
    hint="One unknown part makes the whole word unknown.",
)
def unknown_characters(word: str, vocabulary: Pieces, unknown: str = "[UNK]", max_chars: int = 100) -> Any:
    if len(word) > max_chars:
        return [unknown]
    pieces: list[str] = []
    place = 0
    while place < len(word):
        prefix = "##" if place else ""
        end = next((e for e in range(len(word), place, -1) if prefix + word[place:e] in vocabulary), None)
        pieces.append(unknown if end is None else prefix + word[place:end])
        place = place + 1 if end is None else end
    return pieces


@wordpiece.whole_mistake(
    "max_chars is ignored: words of any length are cut.",
    hint="What is a word of 10,000 characters? Where does the function ask for its length?",
)
def no_limit(word: str, vocabulary: Pieces, unknown: str = "[UNK]", max_chars: int = 100) -> Any:
    return variant(word, vocabulary, unknown, len(word))


@wordpiece.whole_mistake(
    "A word of exactly max_chars characters is called unknown, too.",
    hint="A word is too long when it has more than max_chars. Is it > or >=?",
)
def limit_one_too_low(word: str, vocabulary: Pieces, unknown: str = "[UNK]", max_chars: int = 100) -> Any:
    return right.wordpiece_tokenize(word, vocabulary, unknown, max_chars - 1)


@wordpiece.whole_mistake(
    "The limit is always 100 characters, whatever max_chars says.",
    hint="100 is only the default. Which name holds what the caller wants?",
)
def limit_of_one_hundred(word: str, vocabulary: Pieces, unknown: str = "[UNK]", max_chars: int = 100) -> Any:
    return right.wordpiece_tokenize(word, vocabulary, unknown, 100)


@wordpiece.whole_mistake(
    "A word that is too long is cut short and then tokenised.",
    hint="A part of a long word is not the word. What stands for a word that cannot be cut?",
)
def long_word_cut_short(word: str, vocabulary: Pieces, unknown: str = "[UNK]", max_chars: int = 100) -> Any:
    return right.wordpiece_tokenize(word[:max_chars], vocabulary, unknown, max_chars)


@wordpiece.whole_mistake(
    "unknown is ignored: [UNK] is always returned.",
    hint="Other vocabularies have other signs. Which argument says so?",
)
def always_unk(word: str, vocabulary: Pieces, unknown: str = "[UNK]", max_chars: int = 100) -> Any:
    return right.wordpiece_tokenize(word, vocabulary, "[UNK]", max_chars)


@wordpiece.whole_mistake(
    "An empty word is called unknown.",
    hint="Nothing is left of an empty word before it is cut. How many pieces is that?",
)
def empty_is_unknown(word: str, vocabulary: Pieces, unknown: str = "[UNK]", max_chars: int = 100) -> Any:
    return right.wordpiece_tokenize(word, vocabulary, unknown, max_chars) or [unknown]


@wordpiece.whole_mistake(
    "An unknown word is returned as a text instead of a list.",
    hint="Whoever calls the function goes through its pieces one by one. What are those of '[UNK]'?",
)
def unknown_as_text(word: str, vocabulary: Pieces, unknown: str = "[UNK]", max_chars: int = 100) -> Any:
    pieces = right.wordpiece_tokenize(word, vocabulary, unknown, max_chars)
    return unknown if pieces == [unknown] else pieces


@wordpiece.whole_mistake(
    "The ids of the pieces are returned; the pieces themselves are wanted.",
    hint="Ids come in a later step, from the vocabulary. Look at the example in the docstring.",
)
def ids_returned(word: str, vocabulary: Any, unknown: str = "[UNK]", max_chars: int = 100) -> Any:
    pieces = right.wordpiece_tokenize(word, vocabulary, unknown, max_chars)
    return [vocabulary.get(piece, vocabulary["[UNK]"]) for piece in pieces]
