"""Known mistakes in learn_bpe."""

from __future__ import annotations

from grading.exercises.tokenization.checks import bpe

SYMBOLS = "[*word, END_OF_WORD]"
IN_PAIRS = "for pair in pairwise(symbols):"
JOINED = 'merged.append("".join(symbols[position : position + width]))'
ONWARDS = "position += width"
BEST = "min(pair for pair, count in pair_counts.items() if count == highest)"
MERGED = "merge(symbols, best)"
MERGED_EVERYWHERE = f"""
    for index in words_with.pop(best):
        count_pairs(index, sign=-1)
        symbols, count = words[index]
        words[index] = ({MERGED}, count)
        count_pairs(index, sign=1)
"""

bpe.mistake(
    "once_a_word",
    "A pair counts once for each word, even if the word contains it several times.",
    hint="How often does (a, n) stand in banana?",
    change={IN_PAIRS: "for pair in set(pairwise(symbols)):"},
)
bpe.mistake(
    "counts_ignored",
    "The counts of the words are ignored: each word counts once.",
    hint="A word that occurs 1,000 times contributes its pairs 1,000 times. Where do you use its count?",
    change={"sign * count": "sign"},
)
bpe.mistake(
    "overlaps_not_counted",
    "A pair that overlaps itself is counted only at places where it can be merged: once in aaa.",
    hint="In aaa, the first two letters are such a pair. What about the last two?",
    change={
        IN_PAIRS: """
            counted = None
            for pair in pairwise(symbols):
                counted = None if pair == counted else pair
                if counted is None:
                    continue
        """
    },
)
bpe.mistake(
    "overlaps_merged_twice",
    "Overlapping pairs are both merged: aaa becomes aa aa.",
    hint="A symbol that has become part of a pair is used up. Where does your loop go on after a merge?",
    change={
        JOINED: f"if width == 2 or tuple(symbols[position - 1 : position + 1]) != pair:\n    {JOINED}",
        ONWARDS: "position += 1",
    },
)
bpe.mistake(
    "from_the_right",
    "Pairs are merged from right to left: aaa becomes a aa.",
    hint="Where two places overlap, the first one wins.",
    change={
        "position = 0": "position = len(symbols)",
        "while position < len(symbols):": "while position:",
        "symbols[position : position + 2]": "symbols[max(0, position - 2) : position]",
        JOINED: 'merged.insert(0, "".join(symbols[position - width : position]))',
        ONWARDS: "position -= width",
    },
)
bpe.mistake(
    "first_place_only",
    "A pair is merged only at its first place in each word.",
    hint="After the merge, the pair must not be left anywhere. Try a word that contains it twice.",
    change={ONWARDS: f"{ONWARDS}\nif width == 2:\n    return merged + symbols[position:]"},
)
bpe.mistake(
    "replaced_as_text",
    "The merge replaces text instead of symbols: (s, t) also merges the t after es.",
    hint="In 'es t', is s a symbol? Replacing text does not know where symbols begin.",
    change={
        "words_with.pop(best)": "range(len(words))",
        MERGED: '" ".join(symbols).replace(" ".join(best), "".join(best)).split(" ")',
    },
)
bpe.mistake(
    "merged_as_template",
    "The merged symbol is the template of a regular expression, which reads a backslash in it as an escape.",
    hint="Try a word that begins with a backslash. What does re.sub make of a backslash in what it puts in?",
    change={
        MERGED: r"""
            re.sub(
                r"(?<!\S)" + re.escape(" ".join(best)) + r"(?!\S)", "".join(best), " ".join(symbols)
            ).split()
        """
    },
)
bpe.mistake(
    "no_end",
    "Words get no end symbol </w>.",
    hint="The last symbol of each word is not a letter. See the docstring.",
    change={SYMBOLS: "list(word)"},
)
bpe.mistake(
    "end_glued",
    "</w> is joined to the last letter; it must start as a symbol of its own.",
    hint="Which symbols does 'low' start with? There are four.",
    change={SYMBOLS: "[*word[:-1], word[-1] + END_OF_WORD]"},
)
bpe.mistake(
    "end_in_characters",
    "</w> is split into its four characters.",
    hint="list(word + '</w>') makes a symbol of each character. How many should the end of a word be?",
    change={SYMBOLS: "list(word + END_OF_WORD)"},
)
bpe.mistake(
    "first_met",
    "Of equally frequent pairs, the one that occurs first is merged.",
    hint="max returns the first of several, so the result depends on the order of the words.",
    change={BEST: "next(pair for symbols, _ in words for pair in pairwise(symbols) if pair_counts[pair] == highest)"},
)
bpe.mistake(
    "last_in_order",
    "Of equally frequent pairs, the last in the order of strings is merged.",
    hint="max((count, pair)) also takes the largest pair. Which pair should win?",
    change={BEST: BEST.replace("min", "max")},
)
bpe.mistake(
    "counted_once",
    "Pairs are counted once, at the start; merges make new pairs.",
    hint="After (e, s) is merged, (es, t) is a pair. When is it counted?",
    change={MERGED_EVERYWHERE: "del pair_counts[best]"},
)
bpe.mistake(
    "old_neighbours",
    "Counts are updated with the neighbours before a merge: if (a, b) stands twice in a row, (ab, ab) is not counted.",
    hint="What stands to the left of the second ab, now that the first one is a symbol?",
    change={
        MERGED_EVERYWHERE: """
            for index in words_with.pop(best, ()):
                symbols, count = words[index]
                merged, position = "".join(best), 0
                while position < len(symbols):
                    if tuple(symbols[position : position + 2]) != best:
                        position += 1
                        continue
                    if position:
                        pair_counts[symbols[position - 1], best[0]] -= count
                        pair_counts[symbols[position - 1], merged] += count
                        words_with[symbols[position - 1], merged].add(index)
                    if position + 2 < len(symbols):
                        pair_counts[best[1], symbols[position + 2]] -= count
                        pair_counts[merged, symbols[position + 2]] += count
                        words_with[merged, symbols[position + 2]].add(index)
                    position += 2
                words[index] = (merge(symbols, best), count)
            del pair_counts[best]
            for pair in [pair for pair, count in pair_counts.items() if count <= 0]:
                del pair_counts[pair]
        """
    },
)
bpe.mistake(
    "rarest",
    "The rarest pair is merged; it should be the most frequent.",
    hint="Should a vocabulary spend its entries on rare strings, or on frequent ones?",
    change={"max(pair_counts.values())": "min(pair_counts.values())"},
)
bpe.mistake(
    "stops_at_one",
    "Learning stops when no pair occurs more than once; it should continue while there is a pair.",
    hint="The docstring says when learning ends early. Is a count of 1 a reason?",
    change={"while pair_counts and": "while pair_counts and max(pair_counts.values()) > 1 and"},
)
bpe.mistake(
    "from_words_that_never_occur",
    "Words with a count of 0 still contribute pairs.",
    hint="A count of 0 means that a word never occurs. Should its pairs be merged?",
    change={
        "word_counts.items() if count]": "word_counts.items()]",
        "if not pair_counts[pair]:": "if sign < 0 and not pair_counts[pair]:",
    },
)
bpe.mistake(
    "never_ends_early",
    "Learning does not stop when no pair is left, and raises an error.",
    hint="What does max do with an empty sequence? Test for it first.",
    change={"while pair_counts and": "while"},
)
bpe.mistake(
    "symbols_returned",
    "The merged symbols are returned instead of the pairs.",
    hint="'est' does not show whether it came from (e, st) or from (es, t).",
    change={"return merges": 'return ["".join(pair) for pair in merges]'},
)
bpe.mistake(
    "one_too_few",
    "One merge too few is learned.",
    hint="How many pairs does num_merges=1 ask for? Count the rounds of your loop.",
    change={"< num_merges": "< num_merges - 1"},
)
bpe.mistake(
    "end_before_digits",
    "In ties, the end of a word comes before all other symbols, digits among them.",
    hint="Symbols are compared as strings. Is '1' < '</w>'?",
    change={
        SYMBOLS: r'[*word, "\0"]',
        "return merges": 'return [tuple(one.replace("\\0", END_OF_WORD) for one in pair) for pair in merges]',
    },
)
