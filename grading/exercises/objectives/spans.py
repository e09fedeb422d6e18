"""Judge hidden spans: what they show, and what is wrong with them.

The sentences of a judge identify mistakes, so they contain no number that varies with the seed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.exercises.objectives.fakes import kinds_of_seeds
from grading.judging.comparison import describe
from grading.judging.proxies import Proxy
from grading.judging.significance import explained_by_chance
from grading.messages import Message, enumerated, in_turn

Random = np.random.RandomState

PADDING, UNKNOWN, CLS, SEP = 0, 7, 11, 13
SPECIAL_IDS = [PADDING, UNKNOWN, CLS, SEP]
MOST_PIECES = 4  # of a word

Rows = tuple[np.ndarray, np.ndarray]


def texts(random: Random, rows: int, length: int) -> Rows:
    """Return rows of [CLS] words [SEP] words [SEP] padding, of any length, and each piece's word number."""
    token_ids = np.full((rows, length), PADDING, "int32")
    word_ids = np.full((rows, length), -1, "int32")
    for row, numbers in zip(token_ids, word_ids, strict=True):
        end = random.randint(8, length)
        middle = random.randint(3, end - 2)
        row[:end] = random.randint(20, 90, end)
        for start, stop in ((1, middle), (middle + 1, end)):
            # Five numbers in turn, some left out: only those of neighbours say where a word begins.
            words = np.cumsum(random.randint(1, 4, stop - start)) % 5
            words = np.repeat(words, random.randint(1, MOST_PIECES + 1, stop - start))
            numbers[start:stop] = words[: stop - start]
        row[[0, middle, end]] = CLS, SEP, SEP
        unknown = random.randint(1, middle)
        row[unknown], numbers[unknown] = UNKNOWN, length  # a word of its own
        # The number at a special token is meaningless, even if it equals that of the word next to it.
        numbers[[0, middle]] = numbers[[1, middle - 1]]
    return token_ids, word_ids


def words_alone(random: Random, rows: int, length: int) -> Rows:
    """Return rows of words of one piece each, without special tokens."""
    token_ids = random.randint(20, 90, (rows, length)).astype("int32")
    return token_ids, np.tile(np.arange(length, dtype="int32"), (rows, 1))


def words_in_threes(random: Random, rows: int, threes: int) -> Rows:
    """Return rows of three words of one piece each and a [SEP], `threes` times."""
    token_ids, word_ids = words_alone(random, rows, 4 * threes)
    token_ids[:, 3::4] = SEP
    return token_ids, word_ids


def words_long_and_short(random: Random, rows: int, words: int) -> Rows:
    """Return rows of `words` words without special tokens: of one piece and of five in turn."""
    word_ids = np.repeat(np.arange(words, dtype="int32"), np.resize([1, 5], words))
    return random.randint(20, 90, (rows, len(word_ids))).astype("int32"), np.tile(word_ids, (rows, 1))


def short_texts(random: Random, rows: int, length: int) -> Rows:
    """Return rows of [CLS], words of one piece, [SEP] and padding, of any length."""
    token_ids, word_ids = words_alone(random, rows, length)
    ends = random.randint(2, length, rows)
    token_ids[np.arange(length) > ends[:, None]] = PADDING
    token_ids[np.arange(rows), ends] = SEP
    token_ids[:, 0] = CLS
    return token_ids, word_ids


def hidden(implementation: Proxy, rows: Rows, seed: Any, special_ids: list[int] = SPECIAL_IDS, **options: Any) -> Any:
    """Return what the implementation hides in NumPy arrays, the form that data has before training."""
    return implementation.on_arrays(*rows, special_ids, seed=seed, **options)


def seen(rows: Rows, spans: Any, **more: Any) -> dict[str, Any]:
    return {"token_ids": rows[0], "word_ids": rows[1], "spans": spans, **more}


def wrong_form(answer: dict[str, Any]) -> str | None:
    spans, shape = answer["spans"], answer["token_ids"].shape
    if not isinstance(spans, np.ndarray):
        return Message("returns {spans}; wanted an array with the span number of each token", spans=describe(spans))
    if spans.shape != shape:
        return Message(
            "returns an array of shape {shape}; wanted {shape_2}, one number per token",
            shape=spans.shape,
            shape_2=shape,
        )
    if spans.dtype.kind not in "iu":
        return Message("returns {dtype}; wanted integers, the numbers of the spans", dtype=spans.dtype)
    if not spans.any():
        return Message("hides nothing at all")
    return None


# Of what a span is made ------------------------------------------------------------------------------------


def judge_words(answer: dict[str, Any]) -> str | None:
    if problem := wrong_form(answer):
        return problem
    token_ids, word_ids, spans = answer["token_ids"], answer["word_ids"], answer["spans"]
    if spans.dtype != "int32":
        return Message("returns {dtype}; wanted int32", dtype=spans.dtype)
    is_special = np.isin(token_ids, SPECIAL_IDS)
    if (spans[is_special] > 0).any():
        kinds = {Message("padding"): PADDING, "[CLS]": CLS, "[SEP]": SEP, "[UNK]": UNKNOWN}
        hidden_kinds = [name for name, number in kinds.items() if (spans[token_ids == number] > 0).any()]
        return Message("hides special tokens: {hidden_kinds}", hidden_kinds=enumerated(hidden_kinds))
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
        return (
            Message("hides only the first piece of words")
            if only_first
            else Message("ends spans in the middle of a word")
        )
    if not ((before > 0) & (before != after)).any():
        return Message("begins spans in the middle of a word")
    return Message("begins and ends spans in the middle of a word")


def _not_in_one_piece(spans: np.ndarray, is_special: np.ndarray) -> str | None:
    """Judge the numbers: each marks one stretch, and the numbers of a row are 1, 2, ..., in any order."""
    begin_with_one, gaps = [], False
    for row, special in zip(spans, is_special, strict=True):
        numbers = np.unique(row[row > 0])
        for number in numbers:
            first, last = np.flatnonzero(row == number)[[0, -1]]
            between = row[first : last + 1] != number
            if between.any():
                if special[first : last + 1][between].all():
                    return Message("lets spans continue after special tokens")
                return Message("lets spans overlap or share a number")
        begin_with_one.append(not len(numbers) or numbers[0] == 1)
        gaps |= len(numbers) > 0 and numbers[-1] - numbers[0] != len(numbers) - 1
    if gaps or (not all(begin_with_one) and any(begin_with_one[1:])):
        return Message("skips numbers: later spans overwrite earlier ones")
    return None if all(begin_with_one) else Message("does not begin with span 1 in each row")


# How much is hidden ----------------------------------------------------------------------------------------


def judge_share(answers: dict[str, dict[str, Any]]) -> str | None:
    """Judge counts that do not depend on the seed: of words with one piece, exactly the share is hidden."""
    wrong = []
    for name, answer in answers.items():
        if form := wrong_form(answer):
            wrong.append(Message("{finding} {where}", finding=form, where=name))
        elif finding := _wrong_share(answer, name):
            wrong.append(finding)
    return in_turn(wrong) if wrong else None


def _wrong_share(answer: dict[str, Any], where: str) -> Message | None:
    is_word = ~np.isin(answer["token_ids"], SPECIAL_IDS)
    pieces, count = is_word.sum(axis=1), ((answer["spans"] > 0) & is_word).sum(axis=1)
    expected = np.maximum(1, np.round(answer["rate"] * pieces))
    longest = _longest_words(answer["word_ids"], is_word)
    only_word = np.array([len(np.unique(row[row > 0])) == 1 for row in answer["spans"]]) & (count <= longest)
    too_many, too_few = (count > expected) & ~only_word, count < expected - (longest - 1)
    if (count == 0).any():
        return Message("hides nothing in short rows, {where}", where=where)
    if too_many.any() and too_few.any():
        return Message("hides too much in some rows and too little in others, {where}", where=where)
    if not (too_many.any() or too_few.any()):
        return None
    of_row = np.minimum(pieces, np.maximum(1, np.round(answer["rate"] * is_word.shape[1])))
    if (longest == 1).all() and (count == of_row).all():
        return Message("hides as much as if special tokens and padding were words, {where}", where=where)
    of_some = (too_many | too_few).mean() < 0.5
    if not too_many.any():
        if of_some:
            return Message("hides too little of some rows, {where}", where=where)
        return Message("hides too little of rows, {where}", where=where)
    if count.sum() > 2.3 * expected.sum():
        if of_some:
            return Message("hides more than twice as much as it should of some rows, {where}", where=where)
        return Message("hides more than twice as much as it should of rows, {where}", where=where)
    if of_some:
        return Message("hides too much of some rows, {where}", where=where)
    return Message("hides too much of rows, {where}", where=where)


def _longest_words(word_ids: np.ndarray, is_word: np.ndarray) -> np.ndarray:
    """Return how many pieces the longest word of each row has."""
    longest = np.ones(len(word_ids), int)
    for number, (row, word) in enumerate(zip(word_ids, is_word, strict=True)):
        begins = np.append(True, (row[1:] != row[:-1]) | ~word[1:] | ~word[:-1])
        longest[number] = np.diff(np.append(np.flatnonzero(begins), len(row)))[word[begins]].max(initial=1)
    return longest


# How long spans are ----------------------------------------------------------------------------------------


def geometric(p: float, longest: int) -> np.ndarray:
    """Return P(1), ..., P(longest)."""
    longer = (1 - p) ** np.arange(
        longest + 1
    )  # P(more than 0), ..., P(more than `longest`), of what is not drawn again
    return -np.diff(longer) / (1 - longer[-1])


def judge_lengths(answers: dict[str, dict[str, Any]]) -> str | None:
    """Judge 24 counts, so a false alarm in at most 3 of 100 million runs.

    The last span of a row is cut, which changes little: its remaining length has nearly the same distribution.
    """
    for name, answer in answers.items():
        finding = wrong_form(answer) or _wrong_lengths(answer["spans"], answer["p"], answer["longest"])
        if finding:
            return Message("{finding}, {name}", finding=finding, name=name)
    return None


def _wrong_lengths(spans: np.ndarray, p: float, longest: int) -> str | None:
    lengths = np.concatenate([np.unique(row[row > 0], return_counts=True)[1] for row in spans])
    counts = np.bincount(lengths, minlength=longest + 1)[1:]
    total = len(lengths)
    shares = geometric(p, longest)
    if len(counts) == longest and explained_by_chance(counts, total, shares):
        return None
    if len(counts) > longest:
        return Message("draws spans that are longer than `longest`")
    if np.count_nonzero(counts) == 1:
        return Message("draws spans of a single length")
    uniform = np.full(longest, 1 / longest)
    # With equally likely lengths, cutting changes more; so this only compares with the right distribution.
    if _nearer(counts, uniform, shares):
        return Message("draws all lengths equally often")
    clipped = shares * (1 - (1 - p) ** longest)
    clipped[-1] += 1 - clipped.sum()
    if explained_by_chance(counts, total, clipped):
        return Message("draws spans of the longest length too often: longer ones are clipped instead of drawn again")
    if p not in (0.5, 1) and explained_by_chance(counts, total, geometric(1 - p, longest)):
        return Message("swaps p and 1 - p")
    mean, expected = counts @ np.arange(1, longest + 1) / total, shares @ np.arange(1, longest + 1)
    if mean > expected:
        return Message("draws lengths from another distribution: spans are too long")
    return Message("draws lengths from another distribution: spans are too short")


def _nearer(counts: np.ndarray, near: np.ndarray, far: np.ndarray) -> bool:
    """Return whether the counted shares are all close to `near`, and not all close to `far`."""
    shares = counts / counts.sum()
    return bool(np.abs(shares - near).max() < 0.06 < np.abs(shares - far).max())


# Where spans are -------------------------------------------------------------------------------------------


def judge_places(answers: dict[str, dict[str, Any]]) -> str | None:
    """Judge rows with one hidden word, some with two, some with many: 37 counts, a false alarm in 4 of 10^8 runs."""
    for answer in answers.values():
        if problem := wrong_form(answer):
            return problem
    return (
        _not_as_often(answers["in stretches of three"])
        or _wrong_places(answers["of one piece"])
        or _drawn_by_pieces(answers["of one piece and of five"])
        or _not_done(answers["where two pieces are hidden"])
    )


def _not_as_often(answer: dict[str, Any]) -> str | None:
    """Judge stretches of three words: where a whole span has to fit, their first and last words are hidden alike."""
    first, last = ((answer["spans"][:, place::4] > 0).sum() for place in (0, 2))
    if explained_by_chance(first, first + last, 0.5):
        return None
    if first < last:
        return Message("hides the last word of stretches more often than their first")
    return Message("hides the first word of stretches more often than their last")


def _drawn_by_pieces(answer: dict[str, Any]) -> str | None:
    # All rows have the same words; the first piece of each shows whether it is hidden.
    firsts = np.flatnonzero(np.diff(answer["word_ids"][0], prepend=-1))
    counts = (answer["spans"][:, firsts] > 0).sum(axis=0)
    if explained_by_chance(counts, len(answer["spans"]), 1 / len(firsts)):
        return None
    return Message("does not begin spans at long and short words equally often")


def _not_done(answer: dict[str, Any]) -> str | None:
    """Judge rows of five words of one piece and four of five: after a short one, a long one has no room."""
    ended, share = (answer["spans"] > 0).sum(axis=1) == 1, 5 / 9 * 4 / 8
    if explained_by_chance(ended.sum(), len(ended), share):
        return None
    if ended.mean() > share:
        return Message("ends a row where a span still has room")
    return Message("does not end a row where a span has no room for its first word")


def _wrong_places(answer: dict[str, Any]) -> str | None:
    is_hidden = answer["spans"] > 0
    rows, length = is_hidden.shape
    counts = is_hidden.sum(axis=0)
    drawn = geometric(answer["p"], answer["longest"])
    shares = np.zeros(length)
    for number, share in enumerate(drawn, start=1):  # a span of `number` words, of which only the first is left
        shares[: length - number + 1] += share / (length - number + 1)
    if (is_hidden == is_hidden[0]).all():
        return Message("begins the spans of all rows at the same place")
    if explained_by_chance(counts, rows, shares):
        return None
    if explained_by_chance(counts, rows, 1 / length):
        return Message("cuts spans at the end of the row instead of choosing a start from which the whole span fits")
    if not counts[0]:
        return Message("never hides the first word of a row")
    if not counts[-1]:
        return Message("never hides the last word of a row")
    return Message("hides words at some places more often than it should")


# All of a row ----------------------------------------------------------------------------------------------


def judge_crowded(answers: dict[str, dict[str, Any]]) -> str | None:
    for name, answer in answers.items():
        if problem := wrong_form(answer):
            return problem
        is_word = ~np.isin(answer["token_ids"], SPECIAL_IDS)
        if not (answer["spans"] > 0)[is_word].all():
            return Message("hides less than everything at a rate of 1, {name}", name=name)
        if problem := _not_in_one_piece(answer["spans"], ~is_word):
            return problem
    return None


# Seeds -----------------------------------------------------------------------------------------------------


def hidden_with_seeds(implementation: Proxy, rows: Rows, number: int) -> dict[str, Any]:
    generator = implementation.make("numpy.random.default_rng", number + 2)
    seeds = kinds_of_seeds(number, generator)
    return {name: seen(rows, hidden(implementation, rows, seed)) for name, seed in seeds.items()}


def judge_seeds(answers: dict[str, Any]) -> str | None:
    for answer in answers.values():
        if problem := wrong_form(answer):
            return problem
    spans = {name: answer["spans"] for name, answer in answers.items()}
    if not np.array_equal(spans["integer"], spans["integer again"]):
        return Message("hides different spans for the same integer seed")
    if not np.array_equal(spans["0"], spans["0 again"]):
        return Message("hides different spans if the seed is 0, an integer like any other")
    for name, before, after in (
        (Message("a generator"), "generator", "generator again"),
        (Message("None as seed"), "none", "none again"),
        (Message("another integer"), "integer", "other integer"),
    ):
        if np.array_equal(spans[before], spans[after]):
            return Message("hides the same spans again with {name}", name=name)
    return None
