"""What can be seen of hidden spans, and what is wrong with them.

Every sentence of a judge says which mistake it is, and holds no number that chance could change.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.judging.comparison import describe
from grading.judging.proxies import Proxy
from grading.judging.significance import explained_by_chance

Random = np.random.RandomState

PADDING, UNKNOWN, CLS, SEP = 0, 7, 11, 13
SPECIAL_IDS = [PADDING, UNKNOWN, CLS, SEP]
MOST_PIECES = 4  # of a word

Rows = tuple[np.ndarray, np.ndarray]


def texts(random: Random, rows: int, length: int) -> Rows:
    """[CLS] words [SEP] words [SEP] padding, of every length, and of which word of its sentence each piece is."""
    token_ids = np.full((rows, length), PADDING, "int32")
    word_ids = np.full((rows, length), -1, "int32")
    for row, numbers in zip(token_ids, word_ids, strict=True):
        end = random.randint(8, length)
        middle = random.randint(3, end - 2)
        row[:end] = random.randint(20, 90, end)
        for start, stop in ((1, middle), (middle + 1, end)):
            words = np.repeat(np.arange(stop - start), random.randint(1, MOST_PIECES + 1, stop - start))
            numbers[start:stop] = words[: stop - start]
        row[[0, middle, end]] = CLS, SEP, SEP
        unknown = random.randint(1, middle)
        row[unknown], numbers[unknown] = UNKNOWN, length  # a word of its own
        # What stands at a special token says nothing, even where it is the number of the word beside it.
        numbers[[0, middle]] = numbers[[1, middle - 1]]
    return token_ids, word_ids


def words_alone(random: Random, rows: int, length: int) -> Rows:
    """Rows of words of one piece each, without special tokens."""
    token_ids = random.randint(20, 90, (rows, length)).astype("int32")
    return token_ids, np.tile(np.arange(length, dtype="int32"), (rows, 1))


def words_long_and_short(random: Random, rows: int, words: int) -> Rows:
    """Rows of so many words without special tokens: one of one piece, one of five, and so on."""
    word_ids = np.repeat(np.arange(words, dtype="int32"), np.resize([1, 5], words))
    return random.randint(20, 90, (rows, len(word_ids))).astype("int32"), np.tile(word_ids, (rows, 1))


def short_texts(random: Random, rows: int, length: int) -> Rows:
    """[CLS] words of one piece [SEP] padding, of every length."""
    token_ids, word_ids = words_alone(random, rows, length)
    ends = random.randint(2, length, rows)
    token_ids[np.arange(length) > ends[:, None]] = PADDING
    token_ids[np.arange(rows), ends] = SEP
    token_ids[:, 0] = CLS
    return token_ids, word_ids


def hidden(implementation: Proxy, rows: Rows, seed: Any, **options: Any) -> Any:
    """What the implementation hides; it works on NumPy arrays, as they are before training."""
    token_ids, word_ids = (implementation.make("numpy.array", array) for array in rows)
    return implementation(token_ids, word_ids, SPECIAL_IDS, seed=seed, **options)


def seen(rows: Rows, spans: Any, **more: Any) -> dict[str, Any]:
    return {"token_ids": rows[0], "word_ids": rows[1], "spans": spans, **more}


def wrong_form(one: dict[str, Any]) -> str | None:
    spans, shape = one["spans"], one["token_ids"].shape
    if not isinstance(spans, np.ndarray):
        return f"returns {describe(spans)}; wanted an array, the number of the span at each token"
    if spans.shape != shape:
        return f"returns an array of shape {spans.shape}; wanted {shape}, a number for each token"
    if spans.dtype.kind not in "iu":
        return f"returns {spans.dtype}; wanted whole numbers, those of the spans"
    if not spans.any():
        return "hides nothing at all"
    return None


# Of what a span is made ------------------------------------------------------------------------------------


def judge_words(one: dict[str, Any]) -> str | None:
    if problem := wrong_form(one):
        return problem
    token_ids, word_ids, spans = one["token_ids"], one["word_ids"], one["spans"]
    is_special = np.isin(token_ids, SPECIAL_IDS)
    if (spans[is_special] > 0).any():
        kinds = {"padding": PADDING, "[CLS]": CLS, "[SEP]": SEP, "[UNK]": UNKNOWN}
        found = [name for name, number in kinds.items() if (spans[token_ids == number] > 0).any()]
        return f"hides special tokens: {', '.join(found)}"
    if problem := _parts_of_words(word_ids, spans, is_special):
        return problem
    return _not_in_one_piece(spans, is_special)


def _parts_of_words(word_ids: np.ndarray, spans: np.ndarray, is_special: np.ndarray) -> str | None:
    goes_on = (word_ids[:, 1:] == word_ids[:, :-1]) & ~is_special[:, 1:] & ~is_special[:, :-1]
    before, after = spans[:, :-1][goes_on], spans[:, 1:][goes_on]
    if not (before != after).any():
        return None
    if not ((after > 0) & (before != after)).any():
        only_first = not (after > 0).any()
        return "hides only the first piece of words" if only_first else "ends spans in the middle of a word"
    if not ((before > 0) & (before != after)).any():
        return "begins spans in the middle of a word"
    return "begins and ends spans in the middle of a word"


def _not_in_one_piece(spans: np.ndarray, is_special: np.ndarray) -> str | None:
    """Each number stands at one stretch, and the numbers of a row are 1, 2, ..., in whatever order."""
    begin_with_one, gaps = [], False
    for row, special in zip(spans, is_special, strict=True):
        numbers = np.unique(row[row > 0])
        for number in numbers:
            first, last = np.flatnonzero(row == number)[[0, -1]]
            between = row[first : last + 1] != number
            if between.any():
                only_special = special[first : last + 1][between].all()
                what = "go on behind special tokens" if only_special else "lie on each other, or share a number"
                return f"lets spans {what}"
        begin_with_one.append(not len(numbers) or numbers[0] == 1)
        gaps |= len(numbers) > 0 and numbers[-1] - numbers[0] != len(numbers) - 1
    if gaps or (not all(begin_with_one) and any(begin_with_one[1:])):
        return "leaves out numbers: spans are lost behind others"
    return None if all(begin_with_one) else "does not begin with span 1 in each row"


# How much is hidden ----------------------------------------------------------------------------------------


def judge_share(answers: dict[str, dict[str, Any]]) -> str | None:
    """No count here is left to chance: of words with one piece, exactly the share is hidden."""
    wrong = []
    for name, one in answers.items():
        finding = wrong_form(one) or _wrong_share(one)
        if finding:
            wrong.append(f"{finding} {name}")
    return "; ".join(wrong) or None


def _wrong_share(one: dict[str, Any]) -> str | None:
    is_word = ~np.isin(one["token_ids"], SPECIAL_IDS)
    pieces, count = is_word.sum(axis=1), ((one["spans"] > 0) & is_word).sum(axis=1)
    wanted = np.maximum(1, np.round(one["rate"] * pieces))
    longest = _longest_words(one["word_ids"], is_word)
    only_word = np.array([len(np.unique(row[row > 0])) == 1 for row in one["spans"]]) & (count <= longest)
    too_many, too_few = (count > wanted) & ~only_word, count < wanted - (longest - 1)
    if (count == 0).any():
        return "hides nothing in short rows,"
    if too_many.any() and too_few.any():
        return "hides too much in some rows and too little in others,"
    if not (too_many.any() or too_few.any()):
        return None
    wrong = too_many | too_few
    some = " some" if wrong.mean() < 0.5 else ""
    more = "more than twice as much as it should" if count.sum() > 2.3 * wanted.sum() else "too much"
    return f"hides {more if too_many.any() else 'too little'} of{some} rows,"


def _longest_words(word_ids: np.ndarray, is_word: np.ndarray) -> np.ndarray:
    """How many pieces the longest word of each row has."""
    longest = np.ones(len(word_ids), int)
    for number, (row, word) in enumerate(zip(word_ids, is_word, strict=True)):
        begins = np.append(True, (row[1:] != row[:-1]) | ~word[1:] | ~word[:-1])
        longest[number] = np.diff(np.append(np.flatnonzero(begins), len(row)))[word[begins]].max(initial=1)
    return longest


# How long spans are ----------------------------------------------------------------------------------------


def geometric(p: float, longest: int) -> np.ndarray:
    """P(1), ..., P(longest)."""
    longer = (1 - p) ** np.arange(
        longest + 1
    )  # P(more than 0), ..., P(more than `longest`), of what is not drawn again
    return -np.diff(longer) / (1 - longer[-1])


def judge_lengths(answers: dict[str, dict[str, Any]]) -> str | None:
    """24 counts, so a false alarm in at most 3 of 100 million runs.

    The last span of a row is cut, which changes little: what is left of it has nearly the same distribution.
    """
    for name, one in answers.items():
        finding = wrong_form(one) or _wrong_lengths(one["spans"], one["p"], one["longest"])
        if finding:
            return f"{finding}, {name}"
    return None


def _wrong_lengths(spans: np.ndarray, p: float, longest: int) -> str | None:
    lengths = np.concatenate([np.bincount(row[row > 0])[1:] for row in spans])
    lengths = lengths[lengths > 0]
    counts = np.bincount(lengths, minlength=longest + 1)[1:]
    total = len(lengths)
    shares = geometric(p, longest)
    if len(counts) == longest and explained_by_chance(counts, total, shares):
        return None
    if len(counts) > longest:
        return "draws spans that are longer than `longest`"
    if np.count_nonzero(counts) == 1:
        return "draws spans of one and the same length"
    uniform = np.full(longest, 1 / longest)
    # Of equally likely lengths, the cut ones change more; so this is only held against what is wanted.
    if _nearer(counts, uniform, shares):
        return "draws all lengths alike"
    clipped = shares * (1 - (1 - p) ** longest)
    clipped[-1] += 1 - clipped.sum()
    if explained_by_chance(counts, total, clipped):
        return f"draws spans of {'the longest length'} too often: longer ones were cut, not drawn again"
    if p != 0.5 and explained_by_chance(counts, total, geometric(1 - p, longest)):
        return "draws with p and 1 - p the wrong way round"
    mean, wanted = counts @ np.arange(1, longest + 1) / total, shares @ np.arange(1, longest + 1)
    return f"draws lengths by another distribution: spans are too {'long' if mean > wanted else 'short'}"


def _nearer(counts: np.ndarray, one: np.ndarray, other: np.ndarray) -> bool:
    """Whether what was counted has no share far from those of `one`, and is far from those of `other`."""
    found = counts / counts.sum()
    return bool(np.abs(found - one).max() < 0.06 < np.abs(found - other).max())


# Where spans are -------------------------------------------------------------------------------------------


def judge_places(answers: dict[str, dict[str, Any]]) -> str | None:
    """One word a row is hidden. 35 counts, so a false alarm in at most 4 of 100 million runs."""
    for one in answers.values():
        if problem := wrong_form(one):
            return problem
    return _wrong_places(answers["of one piece"]) or _drawn_by_pieces(answers["of one piece and of five"])


def _drawn_by_pieces(one: dict[str, Any]) -> str | None:
    # All rows have the same words; of each, the first piece says whether it is hidden.
    firsts = np.flatnonzero(np.diff(one["word_ids"][0], prepend=-1))
    counts = (one["spans"][:, firsts] > 0).sum(axis=0)
    if explained_by_chance(counts, len(one["spans"]), 1 / len(firsts)):
        return None
    return "begins spans at long words more often than at short ones, or less often; each word is as likely"


def _wrong_places(one: dict[str, Any]) -> str | None:
    is_hidden = one["spans"] > 0
    rows, length = is_hidden.shape
    counts = is_hidden.sum(axis=0)
    drawn = geometric(one["p"], one["longest"])
    shares = np.zeros(length)
    for number, share in enumerate(drawn, start=1):  # a span of so many words, of which one is left, its first
        shares[: length - number + 1] += share / (length - number + 1)
    if (is_hidden == is_hidden[0]).all():
        return "begins the spans of all rows at the same place"
    if explained_by_chance(counts, rows, shares):
        return None
    if explained_by_chance(counts, rows, 1 / length):
        return "cuts spans at the end of the row, instead of choosing among the words from which a whole one stands"
    if not counts[0]:
        return "never hides the first word of a row"
    if not counts[-1]:
        return "never hides the last word of a row"
    return "hides words at some places more often than it should"


# All of a row ----------------------------------------------------------------------------------------------


def judge_crowded(answers: dict[str, dict[str, Any]]) -> str | None:
    for name, one in answers.items():
        if problem := wrong_form(one):
            return problem
        is_word = ~np.isin(one["token_ids"], SPECIAL_IDS)
        if not (one["spans"] > 0)[is_word].all():
            return f"hides less than all where the rate is 1, {name}"
        if problem := _not_in_one_piece(one["spans"], ~is_word):
            return problem
    return None


# Seeds -----------------------------------------------------------------------------------------------------


def hidden_with_seeds(implementation: Proxy, rows: Rows, number: int) -> dict[str, Any]:
    generator = implementation.make("numpy.random.default_rng", number + 2)
    seeds = {
        "integer": number,
        "integer again": number,
        "other integer": number + 1,
        "generator": generator,
        "generator again": generator,
        "none": None,
        "none again": None,
    }
    return {name: seen(rows, hidden(implementation, rows, each)) for name, each in seeds.items()}


def judge_seeds(answers: dict[str, Any]) -> str | None:
    for one in answers.values():
        if problem := wrong_form(one):
            return problem
    spans = {name: one["spans"] for name, one in answers.items()}
    if not np.array_equal(spans["integer"], spans["integer again"]):
        return "hides other spans though the seed is the same integer"
    for name, before, after in (
        ("a generator", "generator", "generator again"),
        ("None as seed", "none", "none again"),
        ("another integer", "integer", "other integer"),
    ):
        if np.array_equal(spans[before], spans[after]):
            return f"hides the same spans again with {name}"
    return None
