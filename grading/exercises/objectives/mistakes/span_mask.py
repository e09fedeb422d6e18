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
# Even a mistake must terminate.
ENDS = {MORE: "for _ in range(20 * len(of_row)):\n    if left <= 0 or not free.any():\n        break"}

hiding.mistake(
    "uniform_lengths",
    "All lengths from 1 to `longest` are equally likely.",
    hint="The docstring gives P(ℓ). How much likelier is a span of one word than one of ten?",
    change={LENGTH: "generator.integers(1, longest + 1)"},
)
hiding.mistake(
    "poisson_lengths",
    "Lengths are drawn from a Poisson distribution.",
    hint="That is BART's. SpanBERT's distribution has one parameter, p, and its likeliest length is 1.",
    change={LENGTH: "int(np.clip(generator.poisson(1 / p), 1, longest))"} | ENDS,
)
hiding.mistake(
    "other_p",
    "p and 1 - p are swapped, so almost all spans have one word.",
    hint="p is the probability that a span ends after its first word. What is the mean for p = 0.2?",
    change={"p * (1 - p) ** np.arange": "(1 - p) * p ** np.arange"},
)
hiding.mistake(
    "clipped_lengths",
    "Lengths above `longest` are clipped instead of drawn again.",
    hint="With p = 0.2, one span in seven would then have ten words. What does the docstring do with a length of 14?",
    change={LENGTH: "min(generator.geometric(p), longest)"},
)
hiding.mistake(
    "shortened_lengths",
    "A length that fits nowhere is shortened until it fits, instead of drawn again.",
    hint="Between two special tokens stand three words, and your code draws a length of 5. What does the docstring do?",
    change={STARTS: f"{STARTS}\nwhile not len(starts):\n    count -= 1\n    starts = {STARTS}"},
)
hiding.mistake(
    "endless_lengths",
    "Spans can be longer than `longest` words.",
    hint="A geometric distribution has no upper limit. Which argument sets one?",
    change={LENGTH: "generator.geometric(p)"},
)
hiding.mistake(
    "one_word_more",
    "The code adds 1 to a geometric distribution that already begins with 1, so each span is one word too long.",
    hint="np.random's geometric begins with 1. Where do you add one more?",
    change={LENGTH: f"min({LENGTH} + 1, longest)"} | ENDS,
)
# The second span of each row is empty.
hiding.mistake(
    "empty_spans",
    "The geometric distribution begins with 0, so some spans are empty and their numbers are missing.",
    hint="A span has at least one word. What is the smallest number that your distribution returns?",
    change={RETURNED: "spans[spans > 1] += 1\nreturn spans"},
)
hiding.mistake(
    "words_alone",
    "Every span has one word.",
    hint="Neighbours give each other away. How many words does a span have on average?",
    change={LENGTH: "1"},
)
hiding.mistake(
    "options_ignored",
    "p and longest are ignored.",
    hint="0.2 and 10 are only their defaults.",
    change={SHARES: f"p, longest = 0.2, 10\n{SHARES}"},
)
hiding.mistake(
    "budget_of_spans",
    "The share counts spans instead of pieces, so far too much is hidden.",
    hint="After each span, how much of the row is hidden? Count pieces.",
    change={LAST: "last = first + count", HIDDEN: "left -= 1"},
)
hiding.mistake(
    "budget_of_words",
    "The share counts words instead of pieces.",
    hint="A word of four pieces hides four tokens. What does the share count?",
    change={LEFT: "rate * np.count_nonzero(free)", FITTING: "first + left", HIDDEN: "left -= last - first"},
)
hiding.mistake(
    "never_cut",
    "The last span is never cut, so more is hidden than the share allows.",
    hint="Suppose little is left to hide and the span is long. What does the docstring do with its last words?",
    change={LAST: "last = first + count"},
)
hiding.mistake(
    "left_out",
    "A last span that is too long is dropped, so less is hidden than the share says.",
    hint="It loses as many words at its end as needed. It is dropped only if not even one word fits.",
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
    hint="Spans consist of whole words. Where may a long one end?",
    change={
        LAST: "last = first + count",
        "row[bounds[first] : bounds[last]]": "row[bounds[first] : min(bounds[last], bounds[first] + left)]",
    },
)
hiding.mistake(
    "share_of_the_row",
    "The share is taken of the whole row, special tokens and padding included.",
    hint="A row with ten words and fifty [PAD] has ten words. Which number does `rate` multiply?",
    change={LEFT: "rate * len(of_row)"},
)
hiding.mistake(
    "none_of_few",
    "In short rows nothing is hidden.",
    hint="15% of three pieces rounds to 0, and the model would learn nothing. The docstring says at least one.",
    change={f"max(1, round({LEFT}))": f"round({LEFT})"},
)
hiding.mistake(
    "rate_ignored",
    "The rate is ignored: it is always 15%.",
    hint="0.15 is only the default of `rate`.",
    change={LEFT: "0.15 * np.count_nonzero(~is_special)"},
)
hiding.mistake(
    "spans_of_pieces",
    "Spans are made of pieces, so they begin and end in the middle of words.",
    hint="Half a word gives away the other half. What does word_ids say about two neighbours?",
    change={
        "np.append(True, (of_row[1:] != of_row[:-1]) | is_special[1:] | is_special[:-1])": "np.ones(len(of_row), bool)"
    },
)
hiding.mistake(
    "first_pieces",
    "Only the first piece of each word is hidden.",
    hint="The visible pieces give the word away. Which pieces of a hidden word must be hidden?",
    change={RETURNED: "spans[:, 1:][word_ids[:, 1:] == word_ids[:, :-1]] = 0\nreturn spans"},
)
hiding.mistake(
    "over_special_tokens",
    "Spans continue across special tokens, into the next text.",
    hint="The words before and after a [SEP] have nothing to do with each other. Which words are adjacent?",
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
    "Only padding is excluded; the other special tokens are hidden like words.",
    hint="[CLS] and [SEP] have fixed places. Is there anything to learn from guessing them?",
    change={"np.isin(token_ids, list(special_ids))": "token_ids == special_ids[0]"},
)
hiding.mistake(
    "overlapping",
    "Spans may overlap, and a word hidden twice counts twice, so too little is hidden.",
    hint="A word can only be hidden once. Which words are still free when the next span is drawn?",
    change={"free[first:last] = False": ""},
)
hiding.mistake(
    "one_number",
    "All spans have the number 1, so two adjacent spans look like one.",
    hint="The function that hides them draws once per span. How does it know where a span ends?",
    change={NUMBER: "1"},
)
hiding.mistake(
    "counted_through",
    "Spans are numbered across all rows.",
    hint="The numbers begin with 1 in each row. Where do you reset the counter?",
    change={NUMBER: "spans.max() + 1"},
)
hiding.mistake(
    "first_start",
    "The first span that fits is taken, so each text hides the same words.",
    hint="All starts are equally likely. Which function draws one of several?",
    change={"generator.choice(starts)": "starts[0]"},
)
hiding.mistake(
    "cut_at_the_end",
    "A span may begin at any free word and is cut at the end of its stretch, so last words are hidden more often.",
    hint="A span may only begin where all its words are free and adjacent.",
    change={
        STARTS: "np.flatnonzero(free)",
        LAST: "end = first + np.argmin(np.append(free[first:], False))\n"
        "last = min(first + count, end, max(last, first + (not row.any())))",
    },
)
hiding.mistake(
    "shortened_at_first",
    "A length is cut to what may still be hidden before its start is drawn, so it starts where it did not fit.",
    hint="The last span of a row loses words at its end. Which words were drawn first: with the whole length, or less?",
    change={LENGTH: f"min({LENGTH}, left)"},
)
hiding.mistake(
    "never_the_end",
    "The starts stop one word too early, so the end of a row is never hidden.",
    hint="Among 13 words, how many starts does a span of one word have? `range` already excludes its end.",
    change={STARTS: "np.flatnonzero((before[count:] - before[:-count] == count)[:-1])"} | ENDS,
)
hiding.mistake(
    "fixed_seed",
    "The seed is fixed, so each epoch hides the same spans.",
    hint="A generator passed as `seed` continues where it was. Which line makes a new one from 0?",
    change={"default_rng(seed)": "default_rng(0)"},
)
hiding.mistake(
    "seed_ignored",
    "The seed is ignored, so the same spans cannot be hidden again.",
    hint="np.random.default_rng takes a seed. Which one does it get?",
    change={"default_rng(seed)": "default_rng()"},
)
hiding.mistake(
    "dtype_of_ids",
    "The result has another dtype than int32, such as that of the ids.",
    hint="Which dtype does np.zeros_like take, and np.zeros without one? What does the docstring return?",
    change={'np.zeros(token_ids.shape, "int32")': "np.zeros_like(token_ids)"},
)
hiding.mistake(
    "another_one_instead",
    "If a span has no room for its first word, another one is drawn until the row is full.",
    hint="If no word of the last span is left, what does the docstring say of the row?",
    change={"if last == first:\n    break": "if last == first:\n    free[first] = False\n    continue"},
)
hiding.mistake(
    "numbers_alike",
    "All words with the same number are hidden together, not only the neighbours of one span.",
    hint="Only neighbours with the same number are one word. Can two words of a row have the same one?",
    change={
        "row[bounds[first] : bounds[last]]": "row[np.isin(of_row, of_row[bounds[first] : bounds[last]]) & ~is_special]"
    },
)
