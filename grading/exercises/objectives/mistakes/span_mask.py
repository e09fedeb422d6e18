"""What goes wrong in span_mask."""

from __future__ import annotations

from grading.exercises.objectives.checks import hiding

SHARES = "shares = p * (1 - p) ** np.arange(longest)"
LEFT = "rate * np.count_nonzero(~is_special)"
MORE = "while left > 0 and free.any():"
LENGTH = "generator.choice(longest, p=shares) + 1"
STARTS = "np.flatnonzero(before[count:] - before[:-count] == count)"
FITTING = 'np.searchsorted(bounds, bounds[first] + left, side="right") - 1'
LAST = "last = min(first + count, max(last, first + (not row.any())))"
NUMBER = "row.max() + 1"
HIDDEN = "left -= bounds[last] - bounds[first]"
RETURNED = "return spans"
# Even a mistake has an end.
ENDS = {MORE: "for _ in range(20 * len(of_row)):\n    if left <= 0 or not free.any():\n        break"}

hiding.mistake(
    "uniform_lengths",
    "All lengths are alike: they are drawn from 1 to `longest`.",
    hint="The docstring gives P(ℓ). How much likelier is one word than ten?",
    change={LENGTH: "generator.integers(1, longest + 1)"},
)
hiding.mistake(
    "poisson_lengths",
    "Lengths are drawn by a Poisson distribution.",
    hint="That is BART's. SpanBERT's has one parameter, p, and its likeliest length is 1.",
    change={LENGTH: "int(np.clip(generator.poisson(1 / p), 1, longest))"} | ENDS,
)
hiding.mistake(
    "other_p",
    "p and 1 - p are the wrong way round: nearly all spans are one word.",
    hint="p is the chance that a span ends behind its first word. What is the mean, with p = 0.2?",
    change={"p * (1 - p) ** np.arange": "(1 - p) * p ** np.arange"},
)
hiding.mistake(
    "clipped_lengths",
    "Lengths that are too long are cut to `longest`, instead of drawn again.",
    hint="With p = 0.2, one of ten would have ten words. What does the docstring do with a length of 14?",
    change={LENGTH: "min(generator.geometric(p), longest)"},
)
hiding.mistake(
    "endless_lengths",
    "Nothing stops a span at `longest` words.",
    hint="A geometric distribution has no end. Which argument gives it one?",
    change={LENGTH: "generator.geometric(p)"},
)
hiding.mistake(
    "one_word_more",
    "The geometric distribution is taken to begin with 1 where it begins with 0: each span is a word too long.",
    hint="np.random's geometric begins with 1 already. Who adds one more?",
    change={LENGTH: f"min({LENGTH} + 1, longest)"} | ENDS,
)
# The second span of each row is empty.
hiding.mistake(
    "empty_spans",
    "The geometric distribution begins with 0: some spans are empty, and their numbers are missing.",
    hint="A span has a word at least. What is the smallest number that your distribution gives?",
    change={RETURNED: "spans[spans > 1] += 1\nreturn spans"},
)
hiding.mistake(
    "words_alone",
    "Every span is one word.",
    hint="Neighbours give each other away. How many words does a span have in the mean?",
    change={LENGTH: "1"},
)
hiding.mistake(
    "options_ignored",
    "p and longest are ignored.",
    hint="0.2 and 10 are only what they are unless somebody says otherwise.",
    change={SHARES: f"p, longest = 0.2, 10\n{SHARES}"},
)
hiding.mistake(
    "budget_of_spans",
    "The share counts spans instead of pieces: far too much is hidden.",
    hint="After each span, how much of the row is hidden? Count pieces.",
    change={LAST: "last = first + count", HIDDEN: "left -= 1"},
)
hiding.mistake(
    "budget_of_words",
    "The share counts words instead of pieces.",
    hint="A word of four pieces hides four tokens. The share is one of pieces.",
    change={LEFT: "rate * np.count_nonzero(free)", FITTING: "first + left", HIDDEN: "left -= last - first"},
)
hiding.mistake(
    "never_cut",
    "The last span is never cut, so more is hidden than the share says.",
    hint="When little is left to hide, and the span is long: what does the docstring do with its last words?",
    change={LAST: "last = first + count"},
)
hiding.mistake(
    "left_out",
    "The last span is left out where it is too long, so less is hidden than the share says.",
    hint="It loses words at its end, as many as needed. It is lost altogether only if not one word fits.",
    change={
        LAST: """
            last = first + count
            if bounds[last] - bounds[first] > left:
                last = first + (not row.any())
        """
    },
)
hiding.mistake(
    "cut_within_words",
    "The last span is cut in the middle of a word.",
    hint="Spans are made of whole words. Where may one that is too long end?",
    change={
        LAST: "last = first + count",
        "row[bounds[first] : bounds[last]]": "row[bounds[first] : min(bounds[last], bounds[first] + left)]",
    },
)
hiding.mistake(
    "share_of_the_row",
    "The share is taken of the whole row, with special tokens and padding.",
    hint="A row with ten words and fifty [PAD] has ten words. `rate` times which number?",
    change={LEFT: "rate * len(of_row)"},
)
hiding.mistake(
    "none_of_few",
    "In short rows nothing is hidden.",
    hint="15% of three pieces round to 0, and nothing would be learned from them. At least one, says the docstring.",
    change={f"max(1, round({LEFT}))": f"round({LEFT})"},
)
hiding.mistake(
    "rate_ignored",
    "The rate is ignored: it is always 15%.",
    hint="0.15 is only what `rate` is unless somebody says otherwise.",
    change={LEFT: "0.15 * np.count_nonzero(~is_special)"},
)
hiding.mistake(
    "spans_of_pieces",
    "Spans are made of pieces, so that they begin and end in the middle of words.",
    hint="Half a word tells the other half. What does word_ids say of two neighbours?",
    change={
        "np.append(True, (of_row[1:] != of_row[:-1]) | is_special[1:] | is_special[:-1])": "np.ones(len(of_row), bool)"
    },
)
hiding.mistake(
    "first_pieces",
    "Only the first piece of each word is hidden.",
    hint="The other pieces would tell the word. All pieces of a hidden word are hidden.",
    change={RETURNED: "spans[:, 1:][word_ids[:, 1:] == word_ids[:, :-1]] = 0\nreturn spans"},
)
hiding.mistake(
    "over_special_tokens",
    "Spans go on behind special tokens, into the next text.",
    hint="What stands behind [SEP] has nothing to do with what stands before it. Which words stand side by side?",
    change={
        STARTS: "np.flatnonzero(free[: len(free) - count + 1])",
        RETURNED: "spans[np.isin(token_ids, list(special_ids))] = 0\nreturn spans",
    },
)
hiding.mistake(
    "specials_hidden",
    "Special tokens are hidden like words.",
    hint="[CLS], [SEP] and padding are no words. Which argument lists them?",
    change={"np.isin(token_ids, list(special_ids))": "np.zeros(token_ids.shape, bool)"},
)
hiding.mistake(
    "only_padding_left_out",
    "Only padding is left out; the other special tokens are hidden like words.",
    hint="[CLS] and [SEP] are always where they are; there is nothing to learn from guessing them.",
    change={"np.isin(token_ids, list(special_ids))": "token_ids == special_ids[0]"},
)
hiding.mistake(
    "overlapping",
    "Spans may lie on each other; words that are hidden twice count twice, so too little is hidden.",
    hint="A word can be hidden once. Which words are still free when the next span is drawn?",
    change={"free[first:last] = False": ""},
)
hiding.mistake(
    "one_number",
    "All spans have the number 1: two that stand side by side are one.",
    hint="Whoever hides them draws once for a span. How does he know where one ends?",
    change={NUMBER: "1"},
)
hiding.mistake(
    "counted_through",
    "Spans are counted through all rows.",
    hint="The numbers begin with 1 in each row. Where is the counter set back?",
    change={NUMBER: "spans.max() + 1"},
)
hiding.mistake(
    "first_start",
    "The first span that fits is taken: the same words are hidden in each text.",
    hint="Each start is as likely. Which function draws one of several?",
    change={"generator.choice(starts)": "starts[0]"},
)
hiding.mistake(
    "cut_at_the_end",
    "A span begins at any free word, and is cut where the stretch ends: the last words are hidden more often.",
    hint="Only words from which the whole span stands side by side can begin it.",
    change={
        STARTS: "np.flatnonzero(free)",
        LAST: "end = first + np.argmin(np.append(free[first:], False))\n"
        "last = min(first + count, end, max(last, first + (not row.any())))",
    },
)
hiding.mistake(
    "never_the_end",
    "The end of a row is never hidden: starts stop one word too early.",
    hint="Of 13 words, how many starts does a span of one word have? `range` leaves its end out already.",
    change={STARTS: "np.flatnonzero((before[count:] - before[:-count] == count)[:-1])"} | ENDS,
)
hiding.mistake(
    "fixed_seed",
    "The seed is fixed: the same spans are hidden in each epoch.",
    hint="A generator that comes as `seed` goes on where it was. Who makes a new one from 0?",
    change={"default_rng(seed)": "default_rng(0)"},
)
hiding.mistake(
    "seed_ignored",
    "The seed is ignored: nobody can hide the same spans again.",
    hint="np.random.default_rng takes a seed. Which one does it get?",
    change={"default_rng(seed)": "default_rng()"},
)
