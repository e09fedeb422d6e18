"""What goes wrong in span_mask."""

from __future__ import annotations

from typing import Any

import numpy as np

import course.objectives as right
from grading.exercises.objectives.checks import hiding
from grading.exercises.objectives.mistakes.span_steps import Hider


@hiding.whole_mistake(
    "All lengths are alike: they are drawn from 1 to `longest`.",
    hint="The docstring gives P(ℓ). How much likelier is one word than ten?",
)
def uniform_lengths(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def length(self) -> int:
            return int(self.random.integers(1, self.longest + 1))

    return Wrong.hide(*args, **options)


@hiding.whole_mistake(
    "Lengths are drawn by a Poisson distribution.",
    hint="That is BART's. SpanBERT's has one parameter, p, and its likeliest length is 1.",
)
def poisson_lengths(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def length(self) -> int:
            return int(np.clip(self.random.poisson(1 / self.p), 1, self.longest))

    return Wrong.hide(*args, **options)


@hiding.whole_mistake(
    "p and 1 - p are the wrong way round: nearly all spans are one word.",
    hint="p is the chance that a span ends behind its first word. What is the mean, with p = 0.2?",
)
def other_p(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def length(self) -> int:
            while True:
                drawn = int(self.random.geometric(1 - self.p))
                if drawn <= self.longest:
                    return drawn

    return Wrong.hide(*args, **options)


@hiding.whole_mistake(
    "Lengths that are too long are cut to `longest`, instead of drawn again.",
    hint="With p = 0.2, one of ten would have ten words. What does the docstring do with a length of 14?",
)
def clipped_lengths(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def length(self) -> int:
            return min(int(self.random.geometric(self.p)), self.longest)

    return Wrong.hide(*args, **options)


@hiding.whole_mistake(
    "Nothing stops a span at `longest` words.",
    hint="A geometric distribution has no end. Which argument gives it one?",
)
def endless_lengths(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def length(self) -> int:
            return int(self.random.geometric(self.p))

    return Wrong.hide(*args, **options)


@hiding.whole_mistake(
    "The geometric distribution is taken to begin with 1 where it begins with 0: each span is a word too long.",
    hint="np.random's geometric begins with 1 already. Who adds one more?",
)
def one_word_more(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def length(self) -> int:
            return min(1 + super().length(), self.longest)

    return Wrong.hide(*args, **options)


@hiding.whole_mistake(
    "The geometric distribution begins with 0: some spans are empty, and their numbers are missing.",
    hint="A span has a word at least. What is the smallest number that your distribution gives?",
)
def empty_spans(*args: Any, **options: Any) -> Any:
    spans = right.span_mask(*args, **options)
    spans[spans > 1] += 1  # the second one was empty
    return spans


@hiding.whole_mistake(
    "Every span is one word.",
    hint="Neighbours give each other away. How many words does a span have in the mean?",
)
def words_alone(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def length(self) -> int:
            return 1

    return Wrong.hide(*args, **options)


@hiding.whole_mistake(
    "p and longest are ignored.",
    hint="0.2 and 10 are only what they are unless somebody says otherwise.",
)
def options_ignored(
    token_ids: Any,
    word_ids: Any,
    special_ids: Any,
    rate: float = 0.15,
    p: float = 0.2,
    longest: int = 10,
    seed: Any = None,
) -> Any:
    return right.span_mask(token_ids, word_ids, special_ids, rate, seed=seed)


@hiding.whole_mistake(
    "The share counts spans instead of pieces: far too much is hidden.",
    hint="After each span, how much of the row is hidden? Count pieces.",
)
def budget_of_spans(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def cost(self, pieces: int) -> int:
            return 1

        def cut(self, bounds: np.ndarray, first: int, last: int, left: int, hidden: bool) -> int:
            return last

    return Wrong.hide(*args, **options)


@hiding.whole_mistake(
    "The share counts words instead of pieces.",
    hint="A word of four pieces hides four tokens. The share is one of pieces.",
)
def budget_of_words(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def of_row(self, spans: np.ndarray, tokens: np.ndarray, word_ids: np.ndarray) -> None:
            special = self.is_special(tokens)
            begins = self.begins(word_ids, special)
            of_words = np.zeros((1, int(begins.sum())), "int32")
            numbers = np.arange(of_words.shape[1])[None]
            first = tokens[begins][None]  # (1, words)
            found = right.span_mask(first, numbers, self.special_ids, self.rate, self.p, self.longest, self.random)
            spans[:] = found[0][np.cumsum(begins) - 1]

    return Wrong.hide(*args, **options)


@hiding.whole_mistake(
    "The last span is never cut, so more is hidden than the share says.",
    hint="When little is left to hide, and the span is long: what does the docstring do with its last words?",
)
def never_cut(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def cut(self, bounds: np.ndarray, first: int, last: int, left: int, hidden: bool) -> int:
            return last

    return Wrong.hide(*args, **options)


@hiding.whole_mistake(
    "The last span is left out where it is too long, so less is hidden than the share says.",
    hint="It loses words at its end, as many as needed. It is lost altogether only if not one word fits.",
)
def left_out(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def cut(self, bounds: np.ndarray, first: int, last: int, left: int, hidden: bool) -> int:
            fits = bounds[last] - bounds[first] <= left
            return last if fits else first if hidden else first + 1

    return Wrong.hide(*args, **options)


@hiding.whole_mistake(
    "The last span is cut in the middle of a word.",
    hint="Spans are made of whole words. Where may one that is too long end?",
)
def cut_within_words(*args: Any, **options: Any) -> Any:
    spans = never_cut(*args, **options)
    token_ids, special_ids = np.asarray(args[0]), args[2]
    rate = options.get("rate", 0.15)
    for row, tokens in zip(spans, token_ids, strict=True):
        wanted = max(1, round(rate * np.count_nonzero(~np.isin(tokens, special_ids))))
        last = np.flatnonzero(row == row.max())
        row[last[max(0, len(last) - max(0, np.count_nonzero(row) - wanted)) :]] = 0
    return spans


@hiding.whole_mistake(
    "The share is taken of the whole row, with special tokens and padding.",
    hint="A row with ten words and fifty [PAD] has ten words. `rate` times which number?",
)
def share_of_the_row(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def budget(self, row: np.ndarray, word_ids: np.ndarray, special: np.ndarray) -> int:
            return max(1, round(self.rate * len(row)))

    return Wrong.hide(*args, **options)


@hiding.whole_mistake(
    "In short rows nothing is hidden.",
    hint="15% of three pieces round to 0, and nothing would be learned from them. At least one, says the docstring.",
)
def none_of_few(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def budget(self, row: np.ndarray, word_ids: np.ndarray, special: np.ndarray) -> int:
            return round(self.rate * np.count_nonzero(~special))

    return Wrong.hide(*args, **options)


@hiding.whole_mistake(
    "The rate is ignored: it is always 15%.",
    hint="0.15 is only what `rate` is unless somebody says otherwise.",
)
def rate_ignored(*args: Any, rate: float = 0.15, **options: Any) -> Any:
    return right.span_mask(*args, **options)


@hiding.whole_mistake(
    "Spans are made of pieces, so that they begin and end in the middle of words.",
    hint="Half a word tells the other half. What does word_ids say of two neighbours?",
)
def spans_of_pieces(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def begins(self, word_ids: np.ndarray, special: np.ndarray) -> np.ndarray:
            return np.ones(len(word_ids), bool)

    return Wrong.hide(*args, **options)


@hiding.whole_mistake(
    "Only the first piece of each word is hidden.",
    hint="The other pieces would tell the word. All pieces of a hidden word are hidden.",
)
def first_pieces(*args: Any, **options: Any) -> Any:
    spans, word_ids = right.span_mask(*args, **options), np.asarray(args[1])
    spans[:, 1:][word_ids[:, 1:] == word_ids[:, :-1]] = 0
    return spans


@hiding.whole_mistake(
    "Spans go on behind special tokens, into the next text.",
    hint="What stands behind [SEP] has nothing to do with what stands before it. Which words stand side by side?",
)
def over_special_tokens(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def start(self, free: np.ndarray, count: int) -> int | None:
            starts = np.flatnonzero(free[: len(free) - count + 1])
            return int(self.random.choice(starts)) if len(starts) else None

    spans = Wrong.hide(*args, **options)
    spans[np.isin(np.asarray(args[0]), args[2])] = 0
    return spans


@hiding.whole_mistake(
    "Special tokens are hidden like words.",
    hint="[CLS], [SEP] and padding are no words. Which argument lists them?",
)
def specials_hidden(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def is_special(self, token_ids: np.ndarray) -> np.ndarray:
            return np.zeros(len(token_ids), bool)

    return Wrong.hide(*args, **options)


@hiding.whole_mistake(
    "Only padding is left out; the other special tokens are hidden like words.",
    hint="[CLS] and [SEP] are always where they are; there is nothing to learn from guessing them.",
)
def only_padding_left_out(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def is_special(self, token_ids: np.ndarray) -> np.ndarray:
            return np.asarray(token_ids == self.special_ids[0])

    return Wrong.hide(*args, **options)


@hiding.whole_mistake(
    "Spans may lie on each other; words that are hidden twice count twice, so too little is hidden.",
    hint="A word can be hidden once. Which words are still free when the next span is drawn?",
)
def overlapping(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def taken(self, free: np.ndarray, first: int, last: int) -> None:
            pass

    return Wrong.hide(*args, **options)


@hiding.whole_mistake(
    "All spans have the number 1: two that stand side by side are one.",
    hint="Whoever hides them draws once for a span. How does he know where one ends?",
)
def one_number(*args: Any, **options: Any) -> Any:
    return (right.span_mask(*args, **options) > 0).astype("int32")


@hiding.whole_mistake(
    "Spans are counted through all rows.",
    hint="The numbers begin with 1 in each row. Where is the counter set back?",
)
def counted_through(*args: Any, **options: Any) -> Any:
    spans = right.span_mask(*args, **options)
    before = np.append(0, np.cumsum(spans.max(axis=1))[:-1])[:, None]
    return np.where(spans > 0, spans + before, 0).astype("int32")


@hiding.whole_mistake(
    "The first span that fits is taken: the same words are hidden in each text.",
    hint="Each start is as likely. Which function draws one of several?",
)
def first_start(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def start(self, free: np.ndarray, count: int) -> int | None:
            before = np.append(0, np.cumsum(free))
            starts = np.flatnonzero(before[count:] - before[:-count] == count)
            return int(starts[0]) if len(starts) else None

    return Wrong.hide(*args, **options)


@hiding.whole_mistake(
    "A span begins at any free word, and is cut where the stretch ends: the last words are hidden more often.",
    hint="Only words from which the whole span stands side by side can begin it.",
)
def cut_at_the_end(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def start(self, free: np.ndarray, count: int) -> int | None:
            starts = np.flatnonzero(free)
            self.stop = len(free)
            if not len(starts):
                return None
            first = int(self.random.choice(starts))
            taken = np.flatnonzero(~free[first:])
            self.stop = first + (int(taken[0]) if len(taken) else len(free) - first)
            return first

        def cut(self, bounds: np.ndarray, first: int, last: int, left: int, hidden: bool) -> int:
            return super().cut(bounds, first, min(last, self.stop), left, hidden)

    return Wrong.hide(*args, **options)


@hiding.whole_mistake(
    "The end of a row is never hidden: starts stop one word too early.",
    hint="Of 13 words, how many starts does a span of one word have? `range` leaves its end out already.",
)
def never_the_end(*args: Any, **options: Any) -> Any:
    class Wrong(Hider):
        def start(self, free: np.ndarray, count: int) -> int | None:
            before = np.append(0, np.cumsum(free))
            starts = np.flatnonzero(before[count:] - before[:-count] == count)
            if len(free) > 1:
                starts = starts[starts < len(free) - count]
            return int(self.random.choice(starts)) if len(starts) else None

    return Wrong.hide(*args, **options)


@hiding.whole_mistake(
    "The seed is fixed: the same spans are hidden in each epoch.",
    hint="A generator that comes as `seed` goes on where it was. Who makes a new one from 0?",
)
def fixed_seed(*args: Any, seed: Any = None, **options: Any) -> Any:
    return right.span_mask(*args, **{**options, "seed": 0})


@hiding.whole_mistake(
    "The seed is ignored: nobody can hide the same spans again.",
    hint="np.random.default_rng takes a seed. Which one does it get?",
)
def seed_ignored(*args: Any, seed: Any = None, **options: Any) -> Any:
    return right.span_mask(*args, **options)
