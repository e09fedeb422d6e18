"""What goes wrong in learn_bpe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from course.tokenization import END_OF_WORD
from grading.exercises.tokenization.checks import bpe

Symbols = list[str]
Pair = tuple[str, str]


def with_end(word: str) -> Symbols:
    return [*word, END_OF_WORD]


def every_place(words: list[tuple[Symbols, int]]) -> Counter[Pair]:
    counts: Counter[Pair] = Counter()
    for symbols, count in words:
        for pair in pairwise(symbols):
            counts[pair] += count
    return counts


def first_of_most_frequent(counts: Counter[Pair]) -> Pair:
    return min(counts, key=lambda pair: (-counts[pair], pair))


def from_the_left(symbols: Symbols, pair: Pair) -> Symbols:
    merged: Symbols = []
    place = 0
    while place < len(symbols):
        width = 2 if tuple(symbols[place : place + 2]) == pair else 1
        merged.append("".join(symbols[place : place + width]))
        place += width
    return merged


def variant(
    word_counts: Mapping[str, int],
    num_merges: int,
    *,
    split: Callable[[str], Symbols] = with_end,
    count_pairs: Callable[[list[tuple[Symbols, int]]], Counter[Pair]] = every_place,
    choose: Callable[[Counter[Pair]], Pair] = first_of_most_frequent,
    merge: Callable[[Symbols, Pair], Symbols] = from_the_left,
    least: int = 1,
) -> list[Pair]:
    """Byte-pair encoding in steps, one of which a mistake gets wrong."""
    words = [(split(word), count) for word, count in word_counts.items()]
    merges: list[Pair] = []
    while len(merges) < num_merges:
        counts = count_pairs(words)
        if not counts or max(counts.values()) < least:
            break
        best = choose(counts)
        words = [(merge(symbols, best), count) for symbols, count in words]
        merges.append(best)
    return merges


@bpe.whole_mistake(
    "A pair counts once a word, even where it stands in the word several times.",
    hint="How often does (a, n) stand in banana?",
)
def once_a_word(word_counts: Mapping[str, int], num_merges: int) -> Any:
    def count_pairs(words: list[tuple[Symbols, int]]) -> Counter[Pair]:
        counts: Counter[Pair] = Counter()
        for symbols, count in words:
            for pair in set(pairwise(symbols)):
                counts[pair] += count
        return counts

    return variant(word_counts, num_merges, count_pairs=count_pairs)


@bpe.whole_mistake(
    "The counts of the words are ignored: each word counts once.",
    hint="A word that occurs 1,000 times brings its pairs 1,000 times. Where do you use its count?",
)
def counts_ignored(word_counts: Mapping[str, int], num_merges: int) -> Any:
    return variant({word: int(count > 0) for word, count in word_counts.items()}, num_merges)


@bpe.whole_mistake(
    "A pair that overlaps itself is counted only where it can be merged: once in aaa.",
    hint="In aaa, the first two letters are such a pair. What about the last two?",
)
def overlaps_not_counted(word_counts: Mapping[str, int], num_merges: int) -> Any:
    def count_pairs(words: list[tuple[Symbols, int]]) -> Counter[Pair]:
        counts: Counter[Pair] = Counter()
        for symbols, count in words:
            last: tuple[Pair, int] | None = None
            for place, pair in enumerate(pairwise(symbols)):
                if last == (pair, place - 1):
                    last = None
                    continue
                counts[pair] += count
                last = (pair, place)
        return counts

    return variant(word_counts, num_merges, count_pairs=count_pairs)


@bpe.whole_mistake(
    "Overlapping pairs are both merged: aaa becomes aa aa.",
    hint="A symbol that has become part of a pair is used up. Where does your loop go on after a merge?",
)
def overlaps_merged_twice(word_counts: Mapping[str, int], num_merges: int) -> Any:
    def merge(symbols: Symbols, pair: Pair) -> Symbols:
        merged: Symbols = []
        for place, symbol in enumerate(symbols):
            if tuple(symbols[place : place + 2]) == pair:
                merged.append("".join(pair))
            elif not (place and tuple(symbols[place - 1 : place + 1]) == pair):
                merged.append(symbol)
        return merged

    return variant(word_counts, num_merges, merge=merge)


@bpe.whole_mistake(
    "Pairs are merged from right to left: aaa becomes a aa.",
    hint="Where two places overlap, the first one wins.",
)
def from_the_right(word_counts: Mapping[str, int], num_merges: int) -> Any:
    def merge(symbols: Symbols, pair: Pair) -> Symbols:
        merged: Symbols = []
        end = len(symbols)
        while end:
            width = 2 if tuple(symbols[max(0, end - 2) : end]) == pair else 1
            merged.insert(0, "".join(symbols[end - width : end]))
            end -= width
        return merged

    return variant(word_counts, num_merges, merge=merge)


@bpe.whole_mistake(
    "Only the first place in each word is merged.",
    hint="Once merged, a pair must not be left anywhere. Try a word that has it twice.",
)
def first_place_only(word_counts: Mapping[str, int], num_merges: int) -> Any:
    def merge(symbols: Symbols, pair: Pair) -> Symbols:
        for place in range(len(symbols) - 1):
            if (symbols[place], symbols[place + 1]) == pair:
                return [*symbols[:place], "".join(pair), *symbols[place + 2 :]]
        return symbols

    return variant(word_counts, num_merges, merge=merge)


@bpe.whole_mistake(
    "Text is replaced instead of symbols: with (s, t), the t beside es is merged, too.",
    hint="In 'es t', is s a symbol? A replaced text does not know where symbols begin.",
)
def replaced_as_text(word_counts: Mapping[str, int], num_merges: int) -> Any:
    return variant(
        word_counts,
        num_merges,
        merge=lambda symbols, pair: " ".join(symbols).replace(" ".join(pair), "".join(pair)).split(" "),
    )


@bpe.whole_mistake(
    "The end of a word is forgotten: there is no </w>.",
    hint="The last symbol of each word is not a letter. See the docstring.",
)
def no_end(word_counts: Mapping[str, int], num_merges: int) -> Any:
    return variant(word_counts, num_merges, split=list)


@bpe.whole_mistake(
    "</w> is glued to the last letter; at first it is a symbol of its own.",
    hint="Which symbols does 'low' start with? There are four.",
)
def end_glued(word_counts: Mapping[str, int], num_merges: int) -> Any:
    return variant(word_counts, num_merges, split=lambda word: [*word[:-1], word[-1] + END_OF_WORD])


@bpe.whole_mistake(
    "</w> is cut into its four characters.",
    hint="list(word + '</w>') makes a symbol of each character. How many should the end of a word be?",
)
def end_in_characters(word_counts: Mapping[str, int], num_merges: int) -> Any:
    return variant(word_counts, num_merges, split=lambda word: list(word + END_OF_WORD))


@bpe.whole_mistake(
    "Of pairs that are as frequent, the one that was met first is merged.",
    hint="max takes the first of several. Then the result hangs on the order of the words.",
)
def first_met(word_counts: Mapping[str, int], num_merges: int) -> Any:
    return variant(word_counts, num_merges, choose=lambda counts: max(counts, key=counts.__getitem__))


@bpe.whole_mistake(
    "Of pairs that are as frequent, the last one in the order of strings is merged.",
    hint="max((count, pair)) takes the largest of both. Which pair is wanted?",
)
def last_in_order(word_counts: Mapping[str, int], num_merges: int) -> Any:
    return variant(word_counts, num_merges, choose=lambda counts: max(counts, key=lambda pair: (counts[pair], pair)))


@bpe.whole_mistake(
    "Pairs are counted once, at the start; merges make new pairs.",
    hint="After (e, s) is merged, (es, t) is a pair. When is it counted?",
)
def counted_once(word_counts: Mapping[str, int], num_merges: int) -> Any:
    counts = +every_place([(with_end(word), count) for word, count in word_counts.items()])
    return sorted(counts, key=lambda pair: (-counts[pair], pair))[:num_merges]


@bpe.whole_mistake(
    "The rarest pair is merged; it should be the most frequent.",
    hint="Should a vocabulary spend its room on what is rare, or on what is frequent?",
)
def rarest(word_counts: Mapping[str, int], num_merges: int) -> Any:
    occurring = {word: count for word, count in word_counts.items() if count}
    return variant(occurring, num_merges, choose=lambda counts: min(counts, key=lambda pair: (counts[pair], pair)))


@bpe.whole_mistake(
    "Learning stops where no pair stands more than once; it should go on while there is a pair.",
    hint="The docstring says when learning ends early. Is a count of 1 a reason?",
)
def stops_at_one(word_counts: Mapping[str, int], num_merges: int) -> Any:
    return variant(word_counts, num_merges, least=2)


@bpe.whole_mistake(
    "Words that never occur are learned from, too.",
    hint="A count of 0 says that a word is not there. Should its pairs be merged?",
)
def from_words_that_never_occur(word_counts: Mapping[str, int], num_merges: int) -> Any:
    return variant(word_counts, num_merges, least=0)


@bpe.whole_mistake(
    "Nothing stops learning where no pair is left: it ends in an error.",
    hint="What does max do with nothing? Ask before you call it.",
)
def never_ends_early(word_counts: Mapping[str, int], num_merges: int) -> Any:
    words = [(with_end(word), count) for word, count in word_counts.items() if count]
    merges = []
    for _ in range(num_merges):
        counts = every_place(words)
        highest = max(counts.values())
        best = min(pair for pair in counts if counts[pair] == highest)
        words = [(from_the_left(symbols, best), count) for symbols, count in words]
        merges.append(best)
    return merges


@bpe.whole_mistake(
    "The merged symbols are returned; the pairs are wanted.",
    hint="Of 'est' nobody can tell whether it came from (e, st) or from (es, t).",
)
def symbols_returned(word_counts: Mapping[str, int], num_merges: int) -> Any:
    return ["".join(pair) for pair in variant(word_counts, num_merges, least=1)]


@bpe.whole_mistake(
    "One merge too few is learned.",
    hint="How many pairs does num_merges=1 ask for? Count the rounds of your loop.",
)
def one_too_few(word_counts: Mapping[str, int], num_merges: int) -> Any:
    return variant(word_counts, num_merges - 1)
