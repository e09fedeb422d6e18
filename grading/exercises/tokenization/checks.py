"""Checks of the tokenizers that students write.

The checks keep their structure, but each run spells the words with other letters, so that nobody can memorise answers.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Any

import numpy as np

from grading.judging.exercise import Chapter
from grading.judging.proxies import Proxy
from grading.messages import Message

chapter = Chapter(1, "Text to ids", "course.tokenization")

Random = np.random.RandomState

READY_MADE = tuple(
    f"tensorflow_text.{name}"
    for name in ("BertTokenizer", "FastBertTokenizer", "WordpieceTokenizer", "FastWordpieceTokenizer")
)

basic = chapter.exercise("basic_tokenize", ready_made=READY_MADE)
wordpiece = chapter.exercise("wordpiece_tokenize", ready_made=READY_MADE)
bpe = chapter.exercise("learn_bpe")
packing = chapter.exercise("pack_pair")

VOWELS, CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxyz"


def words(random: Random, count: int) -> list[str]:
    """Made-up words of four letters, all different."""
    found: list[str] = []
    while len(found) < count:
        word = "".join(random.choice(list(letters)) for letters in (CONSONANTS, VOWELS, CONSONANTS, VOWELS))
        if word not in found:
            found.append(word)
    return found


# basic_tokenize --------------------------------------------------------------------------------------------


def tokens_of(implementation: Proxy, texts: dict[str, str], **options: Any) -> dict[str, Any]:
    """The tokens of each text, under a name that describes the text, because some characters are invisible in print."""
    return {
        Message("the answer for {text}", text=Message.of(name)): implementation(text, **options)
        for name, text in texts.items()
    }


@basic.check("splits words at every kind of white space, and drops it", points=1)
def white_space(implementation: Proxy, random: Random) -> Any:
    a, b, c, d = words(random, 4)
    number = random.randint(100, 3000)
    texts = {
        "a text of 400 words": " ".join([a, b, c, d] * 100),
        "words between spaces": f"  {a} {b}   {c} ",
        "tabs and ends of lines": f"{a}\t{b}\n{c}\r\n{d}",
        "no-break and wide spaces": f"{a}\u00a0{b}\u3000{c}\u2009{d}",
        "Unicode's own ends of lines and paragraphs": f"{a}\u2028{b}\u2029{c}",
        "an empty text": "",
        "nothing but spaces": " \n ",
        "numbers, and words with digits in them": f"{a}{number} {number}{b} {number}",
    }
    return tokens_of(implementation, texts)


@basic.check("makes every punctuation mark a token of its own", points=1)
def punctuation(implementation: Proxy, random: Random) -> Any:
    a, b, c, d = words(random, 4)
    texts = {
        "marks at the ends of words": f"({a}, {b}!) {c}.",
        "marks inside of words": f"{a}'s {b}-{c}_{d}",
        "several marks together": f"{a}... {b}?!",
        "ASCII symbols": f"${random.randint(2, 10)} {a}+{b} {c}^{d}",
        "marks that are not ASCII": f"“{a}” – «{b}» {c}…",
        "an undertie, which is a mark, too": f"{a}\u203f{b}",
        "symbols that are not ASCII, which are no marks": f"{a}€ {b}±{c} £{d}",
    }
    return tokens_of(implementation, texts)


@basic.check("lowercases text, and removes accents but not the letters under them", points=1)
def lower_case(implementation: Proxy, random: Random) -> Any:
    a, b, c, d = words(random, 4)
    texts = {
        Message("capitals"): f"{a.capitalize()} {b.upper()}",
        "letters with accents": f"{a}é ï{b} Ñ{c}",
        "accents typed after their letters": f"{a}e\u0301 o\u0308{b}",
        "letters with two accents": f"{a}ế ǘ{b}",
        # Not every accent has a combining class.
        "a Hindi vowel sign, which counts as an accent": f"{a} प\u0941{c} {b}",
        "another Hindi vowel sign, which counts as none": f"{b} क\u093e{a}",
        "letters that have no accent, such as ß, ø, Σ and ﬁ": f"{a}ß ø{b} Σ{c} ﬁ{d}",
        "a text with [MÁSK], which is no special token": f"{c} [MÁSK] {d}",
    }
    return tokens_of(implementation, texts)


@basic.check("leaves case and accents alone if lowercase is False", points=0.5)
def cased(implementation: Proxy, random: Random) -> Any:
    a, b, c = words(random, 3)
    texts = {
        Message("capitals"): f"{a.capitalize()}, {b.upper()}",
        "capitals around a soft hyphen": f"{a.upper()}\u00ad{b.capitalize()}",
        "letters with accents": f"{a}é {b}Ü",
        "an accent typed after its letter": f"{c}e\u0301",
        "a text with [MASK]": f"{a.capitalize()} [MASK] {b}",
    }
    tokens_of(implementation, texts)  # a cache must not return the answer for lower case
    return tokens_of(implementation, texts, lowercase=False)


@basic.check("removes control characters without leaving a gap", points=0.5)
def control_characters(implementation: Proxy, random: Random) -> Any:
    a, b, c, d = words(random, 4)
    texts = {
        "a soft hyphen inside a word": f"{a}\u00ad{b} {c}",
        "a zero byte and a vertical tab inside words": f"{a}\x00{b} {c}\x0b{d}",
        "the replacement character inside a word": f"{a}\ufffd{b}",
        "a capital sigma before a zero byte": f"{a}Σ\x00{b}",
        "a special token with a soft hyphen inside": f"{a} [MA\u00adSK] {b}",
        "a zero-width joiner inside a word": f"{c}\u200d{d}",
        "a character for private use, which is no control character": f"{a}\ue000{d}",
    }
    return tokens_of(implementation, texts)


@basic.check("makes every Chinese character a token of its own, but not kana", points=0.5)
def chinese(implementation: Proxy, random: Random) -> Any:
    (word,) = words(random, 1)
    one, two, three = (chr(code) for code in random.choice(np.arange(0x4E00, 0x9FA0), 3, replace=False))
    texts = {
        "Chinese characters": f"{one}{two}{word}{three}",
        "a rare Chinese character": f"{word}\U00020021{one}",
        "Chinese characters of extensions C, D and E": f"{word}\U0002a700\U0002b740\U0002b820{word}",
        "Japanese kana": f"カメラ {word}のこと",
        "a Chinese character of extension A": f"{word}{chr(random.randint(0x3400, 0x4DB6))}{word}",
    }
    # In form NFD, a compatibility character is another one.
    cased = {
        "a compatibility character": f"{word}\uf900{word}",
        "a rare compatibility character": f"{word}\U0002f800{word}",
        "a Korean word": f"{word} 한국{word}",
    }
    return {**tokens_of(implementation, texts), **tokens_of(implementation, cased, lowercase=False)}


@basic.check("keeps special tokens whole, wherever they stand in the text", points=1)
def special_tokens(implementation: Proxy, random: Random) -> Any:
    a, b, c = words(random, 3)
    texts = {
        "a text with [MASK]": f"{a.capitalize()} [MASK] {b}.",
        "a text with [MASK] inside a word": f"{a}[MASK]{b}",
        "a text with special tokens side by side": f"{a} [MASK][MASK][SEP]{b}",
        "a text with other special tokens": f"[CLS] {a} [SEP] {b} [UNK] [PAD]",
        "a text with [mask], which is no special token": f"{a} [mask] {b}",
        "a text with a word in brackets, which is no special token either": f"[{c.upper()}] {a}",
        "a text with [ MASK ], which has spaces inside": f"{a} [ MASK ] {b}",
    }
    return tokens_of(implementation, texts)


# wordpiece_tokenize ----------------------------------------------------------------------------------------


class Spelling:
    """A random permutation of a to z: no check depends on the letters."""

    def __init__(self, random: Random) -> None:
        letters = list(string.ascii_lowercase)
        self.table = str.maketrans(dict(zip(letters, random.permutation(letters).tolist(), strict=True)))

    def __call__(self, text: str) -> str:
        return text.translate(self.table)


def pieces_of(implementation: Proxy, random: Random, pieces: str, cases: dict[str, str], **options: Any) -> Any:
    """The pieces of each word under a vocabulary, both respelled with other letters."""
    spell = Spelling(random)
    known = ["[UNK]", *(spell(piece) for piece in pieces.split())]
    vocabulary = {piece: number for number, piece in enumerate(known)}
    for word in cases.values():  # a cache must not return the answer of another vocabulary
        letters = {mark + letter: 0 for letter in spell(word) for mark in ("", "##")}
        implementation(spell(word), letters, **options)
    return {
        Message("the answer for {text}", text=Message.of(name)): implementation(spell(word), vocabulary, **options)
        for name, word in cases.items()
    }


PIECES = "u un una unaf ##f ##ff ##fa ##aff ##able ##a ##b ##bl ##l ##le ##e able aff ab f p pl pla play ##ing ##i ##ng"


@wordpiece.check("takes the longest piece each time, and looks for ## inside a word", points=1.5)
def longest_first(implementation: Proxy, random: Random) -> Any:
    cases = {
        "a word that is a piece": "play",
        "a word of two pieces": "playing",
        "a word of many pieces": "unaffable",
        "a word that can be cut in many ways": "playable",
    }
    answers = pieces_of(implementation, random, PIECES, cases)
    in_a_list = implementation.make("builtins.list", PIECES.split())
    only_asked = implementation.make("grading.sandbox.arguments.Membership", PIECES.split())
    return {
        **answers,
        "the answer for a vocabulary in a list": implementation("unaffable", in_a_list),
        "the answer for a word with a capital, which is another letter": implementation("Play", in_a_list),
        "the answer for a vocabulary that only answers `in`": implementation("unaffable", only_asked),
    }


@wordpiece.check("makes the whole word unknown if no piece fits", points=1)
def unknown_words(implementation: Proxy, random: Random) -> Any:
    cases = {
        "a word whose start is unknown": "xplay",
        "a word whose end is unknown": "playx",
        "a word whose middle is unknown": "playxing",
        "a word of known pieces, none of which has ##": "ababcab",
        "a word whose start is known only inside of words": "ingplay",
        "a word in which the longest start leaves an unknown end": "cdef",
        "a word that is a piece, and so is known": "play",
    }
    pieces = "ab play ##ing cd cde c ##def ##d"
    return pieces_of(implementation, random, pieces, cases)


@wordpiece.check("makes a word of more than max_chars characters unknown", points=0.5)
def long_words(implementation: Proxy, random: Random) -> Any:
    pieces = "a b ##a ##b abab ##baba é ##é aaaaaa"
    few = {
        "five characters, where max_chars is 5": "ababa",
        "six characters, where max_chars is 5": "bababa",
        "six characters that are a piece, where max_chars is 5": "aaaaaa",
    }
    few |= {"five characters of two bytes each, where max_chars is 5": "ééééé"}
    many = {"100 characters": "ab" * 50, "101 characters": "ab" * 50 + "a"}
    return [
        pieces_of(implementation, random, pieces, few, max_chars=5),
        pieces_of(implementation, random, pieces, many),
        pieces_of(implementation, random, pieces, {"120 characters, where max_chars is 120": "b" * 120}, max_chars=120),
        pieces_of(implementation, random, pieces, {"512 characters, where max_chars is 512": "b" * 512}, max_chars=512),
        pieces_of(implementation, random, pieces, {"one character, where max_chars is 0": "b"}, max_chars=0),
    ]


@wordpiece.check("returns the caller's token for unknown words", points=0.5)
def other_unknown(implementation: Proxy, random: Random) -> Any:
    cases = {"a word without pieces": "ccc", "a word that is too long": "ababab", "a word of two pieces": "ab"}
    return pieces_of(implementation, random, "a ##b", cases, unknown="<unk>", max_chars=4)


@wordpiece.check("finds no pieces in an empty word", points=0.5)
def empty_word(implementation: Proxy, random: Random) -> Any:
    cases = {"an empty word": "", "a word that is a piece": "a"}  # otherwise, code that always returns [] would pass
    return pieces_of(implementation, random, "a ##b", cases)


# learn_bpe -------------------------------------------------------------------------------------------------


def merges_of(implementation: Proxy, random: Random, counts: dict[str, int], num_merges: int) -> Any:
    """The merges learned from the words in a random order."""
    order = random.permutation(sorted(counts)).tolist()
    return implementation({word: counts[word] for word in order}, num_merges)


def respelled(spell: Spelling, counts: dict[str, int]) -> dict[str, int]:
    return {spell(word): count for word, count in counts.items()}


@bpe.check("merges the most frequent pair of symbols, again and again", points=1.5)
def most_frequent(implementation: Proxy, random: Random) -> Any:
    # No two pairs are as frequent at any of the four merges: 43, 33, 23 and 20 times the scale.
    scale = int(random.randint(3, 9))
    counts = {"abcd": 20, "abce": 13, "abf": 9, "bcg": 5, "kd": 3, "hgab": 1}
    counts = {word: scale * count for word, count in counts.items()}
    return merges_of(implementation, random, respelled(Spelling(random), counts), num_merges=4)


@bpe.check("counts a pair at every place, times the count of its word, and merges it at every place", points=1)
def places_and_counts(implementation: Proxy, random: Random) -> Any:
    spell = Spelling(random)
    twice_in_a_word = {"abcab": 6, "dea": 5, "deb": 5}  # (a, b) stands 12 times, (d, e) 10, then (b, </w>) 5
    # (a, b) stands 9 times, each pair beside it 5 times or less, and (c, d) 3 times.
    many_rare_words = {"abx": 5, "aby": 4, "cdv": 1, "cdz": 1, "cdw": 1}
    return {
        "the first two merges, where a word has a pair twice": merges_of(
            implementation, random, respelled(spell, twice_in_a_word), 2
        ),
        # (a, b) stands 18 times; then the pair of the new symbols 9 times, and one of them beside x or y less often.
        "the first two merges, where a pair stands twice in a row": merges_of(
            implementation, random, respelled(spell, {"ababx": 5, "ababy": 4}), 2
        ),
        "the first merge, where many rare words share a pair": merges_of(
            implementation, random, respelled(spell, many_rare_words), 1
        ),
        "the first merge, where counts differ by one in ten million": merges_of(
            implementation, random, {"ab": 10_000_000, "cd": 10_000_001}, 1
        ),
        "the merges where capitals are other letters": merges_of(implementation, random, {"Ab": 3, "ab": 2}, 4),
    }


@bpe.check("merges a pair from left to right where it overlaps itself, as in aaa", points=0.5)
def overlaps(implementation: Proxy, random: Random) -> Any:
    spell = Spelling(random)
    # (a, a) stands 10 times, (b, c) in three words, but 9 times. Merged, aaa is (aa, a), which the last merges show.
    counts = {"aaa": 5, "bcd": 2, "bce": 3, "bcf": 4}
    return merges_of(implementation, random, respelled(spell, counts), num_merges=4)


@bpe.check("merges whole symbols only: (s, t) does not touch es beside t", points=0.5)
def whole_symbols(implementation: Proxy, random: Random) -> Any:
    # (e, s) is merged first, then (es, </w>), (m, </w>), (s, t) in sta and sto, and (t, m</w>); the es of estm waits.
    counts = {"es": 30, "estm": 8, "sta": 7, "sto": 6, "xtm": 2, "m": 4}  # no two pairs are as frequent at any merge
    return {
        "the merges": merges_of(implementation, random, respelled(Spelling(random), counts), num_merges=6),
        # To a regular expression, a point is any character.
        "the merges where a mark is a word": merges_of(implementation, random, {".": 5, "ab": 3, "b": 1}, 3),
        # Where it puts in a text, a backslash is an escape. (\, a) stands 10 times, then the result beside b 6 times.
        "the merges where words begin with a backslash": merges_of(
            implementation, random, respelled(Spelling(random), {r"\ab": 5, r"\ac": 4, r"\abd": 1}), 2
        ),
    }


@bpe.check("has a symbol of its own for the end of a word", points=0.5)
def end_of_word(implementation: Proxy, random: Random) -> Any:
    # (t, </w>) stands 24 times, no pair of letters more than 13 times.
    counts = {"at": 9, "ot": 8, "it": 7, "ta": 6, "to": 5, "ate": 4}
    return merges_of(implementation, random, respelled(Spelling(random), counts), num_merges=2)


@bpe.check("breaks ties: of equally frequent pairs, merges the first in the order of strings", points=0.5)
def ties(implementation: Proxy, random: Random) -> Any:
    # In one of these two orders, the pair that occurs first is the wrong one; in the other, the one that occurs last.
    spell = Spelling(random)
    equally_frequent = sorted(map(spell, ("ab", "cd", "ef", "gh")))
    a, b, c = sorted(random.choice(list("bcdfghjklmnpqrstvwxz"), 3, replace=False).tolist())
    # In the end, (a, bc</w>) and (ab, b) occur twice each: the former is first as a pair, but not as a joined string.
    counts = {b + c: 20, a + b: 8, a + b + c: 2, a + b + b: 2}
    return {
        "the merges where pairs and joined strings differ in order": merges_of(implementation, random, counts, 5),
        "the merges where a pair with the end of a word is first": merges_of(
            implementation, random, {a: 3, a + b: 3}, 2
        ),
        # A digit comes before the < of </w>.
        "the merges where a digit and the end of a word follow the same letter": merges_of(
            implementation, random, {a: 2, a + "1": 2}, 3
        ),
        "the merges of words in order": implementation(dict.fromkeys(equally_frequent, 4), 5),
        "the merges of words in reverse order": implementation(dict.fromkeys(reversed(equally_frequent), 4), 5),
    }


@bpe.check("stops early if no pair is left, and learns nothing from words that never occur", points=0.5)
def ends_early(implementation: Proxy, random: Random) -> Any:
    spell = Spelling(random)
    return {
        "the merges of three short words": merges_of(
            implementation, random, respelled(spell, {"abc": 1, "bc": 1, "c": 1}), 9
        ),
        "the merges of words of which one never occurs": merges_of(
            implementation, random, respelled(spell, {"ab": 2, "b": 1, "cdef": 0}), 9
        ),
        "the merges of no words": merges_of(implementation, random, {}, 3),
        "the merges of a long word": merges_of(implementation, random, {spell(string.ascii_lowercase): 2}, 40),
        "the merges for num_merges=0": merges_of(implementation, random, respelled(spell, {"abc": 3}), 0),
    }


# pack_pair -------------------------------------------------------------------------------------------------


def ids(random: Random, count: int) -> list[int]:
    return random.choice(np.arange(1000, 30_000), count, replace=False).tolist()


def special_ids(random: Random) -> dict[str, int]:
    cls_id, sep_id = random.choice(np.arange(100, 200), 2, replace=False).tolist()
    return {"cls_id": cls_id, "sep_id": sep_id}


def only(row: Any, *names: str, called: Callable[[str], str] = str) -> Any:
    """Parts of a row, so that a check judges one thing. Anything but a dictionary is judged as it is.

    Args:
        called: what a part of this row is called, by its name.
    """
    return {called(name): row[name] for name in names if name in row} if isinstance(row, dict) else row


def with_texts(texts: Message) -> Callable[[str], str]:
    return lambda name: Message("{name} with {texts}", name=name, texts=texts)


@packing.check("puts [CLS] before the first text and [SEP] after each", points=1)
def special_ids_in_place(implementation: Proxy, random: Random) -> Any:
    row = implementation(ids(random, 5), ids(random, 3), 11, **special_ids(random))
    large = implementation([*ids(random, 2), 250_001], [119_546, *ids(random, 1)], 9, **special_ids(random))
    return [
        only(row, "token_ids"),
        only(large, "token_ids", called=lambda name: Message("{name} of ids from a large vocabulary", name=name)),
    ]


@packing.check("gives each token its segment id, and padding segment 0", points=1)
def segments(implementation: Proxy, random: Random) -> Any:
    first, second = random.choice(np.arange(2, 8), 2, replace=False).tolist()
    of_padding = int(random.randint(3, 90))
    row = implementation(ids(random, first), ids(random, second), 17, padding_id=of_padding, **special_ids(random))
    special = special_ids(random)
    with_sep, with_padding = [*ids(random, 2), special["sep_id"], *ids(random, 1)], [0, *ids(random, 2)]
    typed = implementation(with_sep, with_padding, 11, **special)
    empty = implementation(ids(random, 9), [], 7, **special)
    return [
        only(row, "segment_ids"),
        only(
            typed, "segment_ids", called=lambda name: Message("{name} of texts that contain [SEP] and [PAD]", name=name)
        ),
        only(empty, "segment_ids", called=lambda name: Message("{name} of a second text that is empty", name=name)),
    ]


@packing.check("pads a short row, and marks the padding in padding_mask", points=1)
def padding(implementation: Proxy, random: Random) -> Any:
    first, second, special = ids(random, 4), ids(random, 2), special_ids(random)
    default = implementation(first, second, 12, **special)
    other = implementation(first, second, 12, padding_id=int(random.randint(3, 90)), **special)
    typed = implementation([*first, 0], [0, *second], 12, **special)  # 0 is the id of [PAD]
    return [
        only(default, "token_ids", "padding_mask"),
        only(
            other, "token_ids", "padding_mask", called=lambda name: Message("{name} with another padding id", name=name)
        ),
        only(
            typed,
            "token_ids",
            "padding_mask",
            called=lambda name: Message("{name} of texts that contain [PAD]", name=name),
        ),
    ]


@packing.check("cuts ids off the end of the longer text, one at a time", points=1)
def truncation(implementation: Proxy, random: Random) -> Any:
    cases = {
        "a long first text": (10, 2, 9),
        "a long second text": (3, 12, 11),
        "two long texts": (9, 13, 13),
        "two texts of one length, where one place is left over": (8, 8, 10),
        "two texts for a long row": (60, 90, 131),
        "a first text of 3,001 ids": (3001, 2, 9),
    }
    rows = []
    for case, (first, second, max_length) in cases.items():
        row = implementation(ids(random, first), ids(random, second), max_length, **special_ids(random))
        texts = Message.of(case)
        rows.append(only(row, "token_ids", called=with_texts(texts)))
        if isinstance(row, dict):  # other checks look at the contents
            names = ("token_ids", "segment_ids", "padding_mask")
            lengths = [len(row[name]) for name in names if name in row]
            rows.append({Message("how long the arrays are with {texts}", texts=texts): lengths})
    return rows


@packing.check("packs one text if second is None, and an empty second text with its [SEP]", points=1)
def one_text(implementation: Proxy, random: Random) -> Any:
    names = "token_ids", "segment_ids", "padding_mask"
    alone = implementation(ids(random, 4), None, 8, **special_ids(random))
    cut = implementation(ids(random, 9), None, 7, **special_ids(random))
    empty = implementation(ids(random, 3), [], 9, **special_ids(random))
    empty_first = implementation([], ids(random, 3), 8, **special_ids(random))
    no_room = implementation(ids(random, 2), ids(random, 4), 3, **special_ids(random))
    return [
        only(alone, *names, called=lambda name: Message("{name} of one text", name=name)),
        only(cut, *names, called=lambda name: Message("{name} of one text that is cut", name=name)),
        only(empty, *names, called=lambda name: Message("{name} with an empty second text", name=name)),
        only(empty_first, *names, called=lambda name: Message("{name} with an empty first text", name=name)),
        only(no_room, *names, called=lambda name: Message("{name} without room for an id", name=name)),
    ]
