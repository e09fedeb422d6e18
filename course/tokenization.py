"""Text to ids: a model does not read text but numbers, one for each piece of a word.

Words are split off (`basic_tokenize`) and cut into pieces of a vocabulary (`wordpiece_tokenize`), which is
learned from text (`learn_bpe` shows how); the ids of one text or two become a row of the model's input
(`pack_pair`).

Reference: Devlin et al., "BERT", 2018, https://arxiv.org/abs/1810.04805, section 3, and its published code.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence
from functools import cache  # a hundred characters make up most texts
from itertools import pairwise

import numpy as np

from course.validation.values import require_counts, require_id_lists, require_text

# They stand for no word: padding, an unknown word, the start, the end of a text, and a word to be guessed.
SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
# Finds them in a text.
SPECIAL_TOKEN_PATTERN = re.compile("(" + "|".join(map(re.escape, SPECIAL_TOKENS)) + ")")

# A piece that continues a word starts with this in the vocabulary.
CONTINUATION = "##"
# A symbol of its own at the end of each word, so that "est" in "newest" differs from "est" in "estate".
END_OF_WORD = "</w>"

# The blocks of Chinese characters, which are written without spaces, each almost a word.
_CJK_BLOCKS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


@cache
def is_space(character: str) -> bool:
    """Whether the character is white space."""
    return unicodedata.category(character) in ("Zs", "Zl", "Zp") or character in "\t\n\r"


@cache
def is_control(character: str) -> bool:
    """Whether the character is an invisible one that means nothing here, such as a soft hyphen or a null."""
    return character == "\ufffd" or (unicodedata.category(character) in ("Cc", "Cf") and character not in "\t\n\r")


@cache
def is_punctuation(character: str) -> bool:
    """Whether the character is punctuation, or an ASCII symbol such as "$", which BERT counts with it."""
    is_ascii_symbol = "!" <= character <= "~" and not character.isalnum()
    return is_ascii_symbol or unicodedata.category(character).startswith("P")


@cache
def is_cjk(character: str) -> bool:
    """Whether the character is a Chinese one. Hangul and kana are not: Korean and Japanese have words."""
    return any(first <= ord(character) <= last for first, last in _CJK_BLOCKS)


@cache
def is_accent(character: str) -> bool:
    """Whether the character is an accent that stands apart from its letter, as in Unicode's form NFD."""
    return unicodedata.category(character) == "Mn"


def basic_tokenize(text: str, lowercase: bool = True) -> list[str]:
    """Splits a text into words and marks of punctuation.

    What must hold:
        - Words end at white space (`is_space`), which is dropped.
        - Every mark of punctuation (`is_punctuation`) and every Chinese character (`is_cjk`) is a token of
          its own.
        - Control characters (`is_control`) are removed without a gap: they end no word. This comes before lowercasing,
          but after special tokens are found: a control character inside "[MASK]" makes three tokens of it.
        - With `lowercase`, the text is lowercased, and its accents are removed, but not the letters under them: in
          Unicode's form NFD, an accent is a character of its own (`is_accent`).
        - The special tokens stay whole and as they are, wherever they are typed: "[MASK]" is one token, so
          that a gap can be written into a sentence. Only this spelling counts; "[mask]" is three tokens.

    Args:
        text: any text, or an empty one.
        lowercase: whether case and accents are dropped, as for "uncased" vocabularies.

    Returns:
        The tokens, in order.

    Raises:
        TypeError: `text` is not a string.

    Example:
        >>> basic_tokenize("The café's naïve guest paid $5 [MASK].")
        ['the', 'cafe', "'", 's', 'naive', 'guest', 'paid', '$', '5', '[MASK]', '.']

    Reference: `BasicTokenizer` in BERT's published code, https://github.com/google-research/bert. There, a
    typed special token is split like any other text; here it is kept, as Hugging Face's tokenizers do.
    """
    require_text(text, "text")
    tokens = []
    for part in SPECIAL_TOKEN_PATTERN.split(text):
        if part in SPECIAL_TOKENS:
            tokens.append(part)
            continue
        # Remove control characters first: whether a Σ ends its word, and so becomes ς, depends on what follows.
        visible = "".join(character for character in part if not is_control(character))
        characters = unicodedata.normalize("NFD", visible.lower()) if lowercase else visible
        spaced = ""
        for character in characters:
            if is_space(character):
                spaced += " "
            elif is_punctuation(character) or is_cjk(character):
                spaced += f" {character} "
            elif not (lowercase and is_accent(character)):
                spaced += character
        tokens.extend(spaced.split())
    return tokens


def wordpiece_tokenize(
    word: str, vocabulary: Container[str], unknown: str = "[UNK]", max_chars: int = 100
) -> list[str]:
    """Cuts a word into the longest pieces that the vocabulary has, from left to right.

    What must hold:
        - The first piece is the longest start of the word that is in the vocabulary. The rest is cut in the same way,
          but is looked up with "##" in front, such as "##ing".
        - Where no piece fits, the whole word is unknown, whatever was found before.
        - So is a word of more than `max_chars` characters.

    Args:
        word: one word, as from `basic_tokenize`. An empty one has no pieces.
        vocabulary: anything that answers `piece in vocabulary`.
        unknown: the token for a word that cannot be cut.
        max_chars: the length of the longest word that is cut.

    Returns:
        The pieces, or `[unknown]`.

    Raises:
        TypeError: `word` is not a string, or `vocabulary` is one: `"a" in "cat"` means something else.

    Example:
        >>> wordpiece_tokenize("unaffable", {"un", "##aff", "##able", "##a", "[UNK]"})
        ['un', '##aff', '##able']
        >>> wordpiece_tokenize("unaided", {"un", "##aff", "##able", "##a", "[UNK]"})
        ['[UNK]']

    Reference: Wu et al., "Google's Neural Machine Translation System", 2016, section 4.1;
    `WordpieceTokenizer` in BERT's published code.
    """
    require_text(word, "word")
    if isinstance(vocabulary, str) or not isinstance(vocabulary, Container):
        raise TypeError(f"vocabulary must be a set of pieces. Received: {type(vocabulary).__name__}")
    if len(word) > max_chars:
        return [unknown]
    pieces = []
    start = 0
    while start < len(word):
        prefix = CONTINUATION if start else ""
        for end in range(len(word), start, -1):
            piece = prefix + word[start:end]
            if piece in vocabulary:
                break
        else:
            return [unknown]
        pieces.append(piece)
        start = end
    return pieces


def learn_bpe(word_counts: Mapping[str, int], num_merges: int) -> list[tuple[str, str]]:
    """Learns which symbols to merge, so that frequent words need few of them: byte-pair encoding.

    At first a word's symbols are its characters and, last, "</w>". Then, `num_merges` times, the most
    frequent pair of neighbours becomes one symbol everywhere.

    What must hold:
        - A pair counts at each place where it occurs, times the count of the word. In "aaa" the pair (a, a) occurs
          twice, though only the first can be merged: merging goes from left to right.
        - Of pairs that are equally frequent, the first one is merged: `min(pairs)`, which compares their first symbols
          as strings, and then their second ones. So the result does not depend on the order of the words.
        - If no pair is left, learning ends early. A word that occurs 0 times is ignored.

    Recounting all words after each merge is right, but slow. Only words that contain the merged pair change.

    Args:
        word_counts: how often each word occurs.
        num_merges: how many merges to learn at most.

    Returns:
        The merged pairs, the first one first.

    Raises:
        TypeError: counts that are not a dictionary from words to whole numbers.
        ValueError: a negative count, or a negative `num_merges`.

    Example:
        >>> learn_bpe({"low": 5, "lower": 2, "newest": 6, "widest": 3}, num_merges=4)
        [('e', 's'), ('es', 't'), ('est', '</w>'), ('l', 'o')]

    Reference: Sennrich et al., "Neural Machine Translation of Rare Words with Subword Units", 2016,
    https://arxiv.org/abs/1508.07909, section 3.2 and algorithm 1. The paper leaves ties open.
    """
    require_counts(word_counts, num_merges)
    # A word that never occurs has no pairs to count.
    words = [([*word, END_OF_WORD], count) for word, count in word_counts.items() if count]
    pair_counts: Counter[tuple[str, str]] = Counter()
    words_with: defaultdict[tuple[str, str], set[int]] = defaultdict(set)

    def count_pairs(index: int, sign: int) -> None:
        symbols, count = words[index]
        for pair in pairwise(symbols):
            pair_counts[pair] += sign * count
            words_with[pair].add(index)
            if not pair_counts[pair]:
                del pair_counts[pair]

    def merge(symbols: list[str], pair: tuple[str, str]) -> list[str]:
        merged: list[str] = []
        position = 0
        while position < len(symbols):
            width = 2 if tuple(symbols[position : position + 2]) == pair else 1
            merged.append("".join(symbols[position : position + width]))
            position += width
        return merged

    for index in range(len(words)):
        count_pairs(index, sign=1)

    merges: list[tuple[str, str]] = []
    while pair_counts and len(merges) < num_merges:
        highest = max(pair_counts.values())
        best = min(pair for pair, count in pair_counts.items() if count == highest)
        for index in words_with.pop(best):
            count_pairs(index, sign=-1)
            symbols, count = words[index]
            words[index] = (merge(symbols, best), count)
            count_pairs(index, sign=1)
        merges.append(best)
    return merges


def pack_pair(
    first: Sequence[int],
    second: Sequence[int] | None,
    max_length: int,
    *,
    cls_id: int,
    sep_id: int,
    padding_id: int = 0,
) -> dict[str, np.ndarray]:
    """Packs one text or two into a row of the model's input: [CLS] first [SEP] second [SEP] padding.

    What must hold:
        - Texts that are too long together lose their last ids one at a time, always from the text that is
          longer at that moment, and from the second where both are equally long. [CLS] and [SEP] stay.
        - The segment is 0 up to and including the first [SEP], 1 up to and including the second, and 0 at padding.
        - Without a second text, the row is [CLS] first [SEP] padding, all of it segment 0. A second text that
          is empty is still a text: its [SEP] is there.
        - The lists of ids stay as they are: cut a copy.

    Args:
        first: ids of a text.
        second: ids of another text, or None.
        max_length: length of the row.
        cls_id: the id of [CLS].
        sep_id: the id of [SEP].
        padding_id: the id that fills up a short row.

    Returns:
        A dictionary of three arrays, each (max_length,):
        token_ids: int32.
        segment_ids: int32.
        padding_mask: boolean, True at tokens, False at padding.

    Raises:
        TypeError: texts that are not lists of ids.
        ValueError: `max_length` leaves no room for [CLS] and each [SEP], or a negative id.

    Example:
        >>> pack_pair([7, 8, 9], [5], max_length=8, cls_id=2, sep_id=3)
        {'token_ids':    [2, 7, 8, 9, 3, 5, 3, 0],
         'segment_ids':  [0, 0, 0, 0, 0, 1, 1, 0],
         'padding_mask': [True, True, True, True, True, True, True, False]}

    Reference: Devlin et al., 2018, section 3, figure 2; `_truncate_seq_pair` in BERT's published code.
    """
    require_id_lists(first=first, second=() if second is None else second)
    num_special = 2 if second is None else 3
    room = max_length - num_special
    if room < 0:
        raise ValueError(
            f"max_length must be at least {num_special}, for [CLS] and each [SEP]. Received: max_length={max_length}"
        )
    kept_first, kept_second = list(first), [] if second is None else list(second)
    while len(kept_first) + len(kept_second) > room:
        longer = kept_first if len(kept_first) > len(kept_second) else kept_second
        longer.pop()

    token_ids = [cls_id, *kept_first, sep_id]
    segment_ids = [0] * len(token_ids)
    if second is not None:
        token_ids += [*kept_second, sep_id]
        segment_ids += [1] * (len(kept_second) + 1)
    padding = max_length - len(token_ids)
    return {
        "token_ids": np.array(token_ids + [padding_id] * padding, "int32"),
        "segment_ids": np.array(segment_ids + [0] * padding, "int32"),
        "padding_mask": np.array([True] * len(token_ids) + [False] * padding),
    }
