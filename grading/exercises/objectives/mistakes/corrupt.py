"""What goes wrong in corrupt."""

from __future__ import annotations

from grading.exercises.objectives.checks import spoiling

TEXTS = "texts = [[number] for number in token_ids]"
WORDS = "np.flatnonzero(~np.isin(token_ids, list(special_ids)))"
DELETED = "texts[place] = []"
INSERTED = "_put_beside(texts[place], _draw(probabilities, random), random)"
SPOILED = "[int(number) for text in texts for number in text]"
RETURNED = f"return {SPOILED}"
DRAWN = "random.choice(len(probabilities), p=probabilities / probabilities.sum())"
STRETCHES = "np.split(words, np.flatnonzero(np.diff(words) > 1) + 1)"
STRETCH = "random.poisson(MEAN_SPAN)"
WINDOWS = "[stretch[start : start + WINDOW] for stretch in stretches for start in range(0, len(stretch), WINDOW)]"
MIXED = "mixed = [texts[place] for place in random.permutation(window)]"
MASKED = "[[mask_id]] + [[]] * (count - 1)"
MORE = "while left > 0:"


def counting(words: str, windows: str) -> dict[str, str]:
    """A change of how many words and windows are concerned."""
    return {
        "round(rate * len(words)), replace": f"{words}, replace",
        "round(rate * len(words)), mask_id": f"{words}, mask_id",
        "round(rate * len(windows))": windows,
    }


spoiling.mistake(
    "by_itself",
    "A word may be substituted by itself, so that nothing is changed there.",
    hint="How likely is it that the word which is drawn is the one that stands there?",
    change={", other_than=token_ids[place]": ""},
)
spoiling.mistake(
    "any_id",
    "Words are drawn from the whole vocabulary alike, special tokens among them.",
    hint="`probabilities` says how often each word comes, and 0 for what is no word.",
    change={DRAWN: "random.integers(len(probabilities))"},
)
spoiling.mistake(
    "drawn_alike",
    "All words that occur are drawn alike.",
    hint="Some words are ten times as frequent as others. Which argument of `choice` says so?",
    change={'np.array(probabilities, "float64")': '(np.asarray(probabilities) > 0).astype("float64")'},
)
spoiling.mistake(
    "likeliest_word",
    "The likeliest word is put in everywhere.",
    hint="argmax does not draw. What does a model learn that sees one and the same wrong word?",
    change={DRAWN: "probabilities.argmax()"},
)
spoiling.mistake(
    "padding_left",
    "Deleted words leave padding in their place.",
    hint="Whoever sees where a word was deleted needs not find out. Does the text get shorter?",
    change={DELETED: "texts[place] = [special_ids[0]]"},
)
spoiling.mistake(
    "mask_left",
    "Deleted words leave [MASK] in their place.",
    hint="That is another kind of noise. What stands where a word was deleted?",
    change={DELETED: "texts[place] = [mask_id]"},
)
spoiling.mistake(
    "overwritten",
    "What is inserted takes the place of a word: the text does not grow.",
    hint="All words stay, and as many come to them. How long is the text afterwards?",
    change={'replace=kind == "insert"': "replace=False", INSERTED: "texts[place] = [_draw(probabilities, random)]"},
)
spoiling.mistake(
    "inserted_anywhere",
    "Words are inserted anywhere, even before [CLS] and between special tokens.",
    hint="They stand beside a word. Which places of a text are beside a word?",
    change={INSERTED: "texts[random.integers(len(texts))].insert(0, _draw(probabilities, random))"},
)
spoiling.mistake(
    "behind_only",
    "Words are inserted behind others only.",
    hint="In front of or behind a word, says the docstring, each as likely.",
    change={"text.insert(random.integers(2) * len(text), word)": "text.append(word)"},
)
spoiling.mistake(
    "masks_inserted",
    "[MASK] is inserted instead of words.",
    hint="A [MASK] would say of itself that it does not belong there. What is drawn by `probabilities`?",
    change={INSERTED: "_put_beside(texts[place], mask_id, random)"},
)
spoiling.mistake(
    "cut_to_length",
    "A text that is spoiled is cut to its old length: what was pushed behind the end is lost.",
    hint="Lists may grow. Who cuts them to a row, and when, is not for this function to say.",
    change={SPOILED: f"{SPOILED}[: len(token_ids)]"},
)
spoiling.mistake(
    "mask_for_each_word",
    "Each word of a stretch has a [MASK] of its own.",
    hint="A stretch of five words becomes one [MASK]. So a model must find out how many are missing.",
    change={MASKED: "[[mask_id]] * count"},
)
spoiling.mistake(
    "no_empty_stretches",
    "There is no stretch of length 0, so no [MASK] stands where nothing is missing.",
    hint="How likely is 0 in a Poisson distribution of mean 3? The docstring says what becomes of it.",
    change={"more += count == 0": "if count == 0:\n    continue"},
)
spoiling.mistake(
    "always_three",
    "All stretches have three words.",
    hint="3 is the mean. What is drawn by a Poisson distribution differs.",
    change={STRETCH: "MEAN_SPAN", MORE: "for _ in range(20 * len(texts)):\n    if left <= 0:\n        break"},
)
spoiling.mistake(
    "geometric_stretches",
    "Lengths of stretches are geometric, as in SpanBERT.",
    hint="Here they are drawn by a Poisson distribution, whose long stretches are rare.",
    change={STRETCH: "random.geometric(0.2) - (random.random() < 0.05)"},
)
spoiling.mistake(
    "merged_stretches",
    "Stretches that overlap are merged without a word, so that fewer words are gone than the rate says.",
    hint="Which words are still free when the next stretch is drawn? Count those that are gone.",
    instead="""
        def _infill(texts, words, left, mask_id, random):
            is_word, gone = np.zeros((2, len(texts)), bool)
            is_word[words] = True
            while left > 0:
                count = max(1, min(random.poisson(MEAN_SPAN), left))
                before = np.append(0, np.cumsum(is_word))
                starts = np.flatnonzero(before[count:] - before[:-count] == count)
                left -= count
                if len(starts):
                    first = random.choice(starts)
                    gone[first : first + count] = True
            for place in np.flatnonzero(gone):
                texts[place] = [] if place and gone[place - 1] else [mask_id]
    """,
)
spoiling.mistake(
    "rate_of_stretches",
    "The rate counts stretches instead of words: far too much is gone.",
    hint="Each stretch has three words in the mean. After each, how many words are left to hide?",
    change={"round(rate * len(words)), mask_id": "round(min(1.0, 3 * rate) * len(words)), mask_id"},
)
spoiling.mistake(
    "rate_of_all_tokens",
    "The rate is taken of all tokens, special ones among them.",
    hint="[CLS] and [SEP] are no words. `rate` times which number?",
    change={WORDS: f"{WORDS}\nrate = min(1.0, rate * len(token_ids) / max(1, len(words)))"},
)
spoiling.mistake(
    "number_by_chance",
    "Each word is concerned with the probability `rate`, so chance decides how many are.",
    hint="The docstring says a number of words: `rate` times n, rounded.",
    change=counting("random.binomial(len(words), rate)", "random.binomial(len(windows), rate)"),
)
spoiling.mistake(
    "cut_off",
    "The number of words is cut off instead of rounded.",
    hint="30% of 122 words are 36.6. Is that nearer to 36 or to 37? int() does not round.",
    change=counting("int(rate * len(words))", "int(rate * len(windows))"),
)
spoiling.mistake(
    "specials_spoiled",
    "Special tokens are spoiled like words.",
    hint="They stay, in their order. Which places may be drawn?",
    change={WORDS: "np.arange(len(token_ids))"},
)
spoiling.mistake(
    "masked_too",
    "Whatever kind is asked for, words are masked, too: two kinds of noise in one text.",
    hint="One kind at a time. Which line runs for every `kind`?",
    change={
        RETURNED: f"""
            spoiled = {SPOILED}
            if kind == "mask":
                return spoiled
            options = {{"probabilities": probabilities, "mask_id": mask_id, "special_ids": special_ids}}
            return corrupt(spoiled, "mask", rate, random, **options)
        """
    },
)
spoiling.mistake(
    "in_place",
    "The list that it is given is changed, and with it what the model should write.",
    hint="`text = token_ids` is the same list under another name. What is learned, if question and answer are one?",
    change={RETURNED: f"spoiled = {SPOILED}\ntoken_ids[:] = spoiled\nreturn spoiled"},
)
spoiling.mistake(
    "at_least_one",
    "At least one word is spoiled, even at rate 0.",
    hint="That is the rule of `mask_tokens`. Here, a rate of 0 changes nothing.",
    change=counting(
        "min(len(words), max(1, round(rate * len(words))))", "min(len(windows), max(1, round(rate * len(windows))))"
    ),
)
spoiling.mistake(
    "own_generator",
    "A new generator is made at each call: the same places each time.",
    hint="`random` goes on where it was. Who makes another one?",
    change={TEXTS: f"random = np.random.default_rng(0)\n{TEXTS}"},
)
spoiling.mistake(
    "first_words",
    "The first words are concerned, and not random ones.",
    hint="Which of the words are chosen by `words[:count]`?",
    change={
        'random.choice(words, round(rate * len(words)), replace=kind == "insert")': "words[: round(rate * len(words))]"
    },
)
spoiling.mistake(
    "with_replacement",
    "Windows are filled by drawing with replacement: words are lost, and others doubled.",
    hint="Out of order means each word once. What does `choice` do with words that it has drawn?",
    change={"random.permutation(window)": "random.choice(window, len(window))"},
)
spoiling.mistake(
    "over_borders",
    "Windows reach over special tokens, so words of one sentence come into the other.",
    hint="What stands between two windows, where a stretch ends?",
    change={STRETCHES: "[words]"},
)
spoiling.mistake(
    "special_tokens_moved",
    "Special tokens are mixed with the words.",
    hint="[CLS] comes first and [SEP] last, whatever happens to the words. Which places are permuted?",
    change={STRETCHES: "[np.arange(len(texts))]"},
)
spoiling.mistake(
    "whole_stretches",
    "All words of a stretch are mixed, not those of a window.",
    hint="A word is at most two places from where it was. How long is a window?",
    change={WINDOWS: "stretches"},
)
spoiling.mistake(
    "turned_round",
    "Each window is turned round: one order only.",
    hint="Three words have six orders, and each of them is as likely.",
    change={"random.permutation(window)": "window[::-1]"},
)
spoiling.mistake(
    "not_reordered",
    "Nothing is reordered: the permuted copy is thrown away.",
    hint="`permutation` returns a new array, and `shuffle` changes the one it is given. Which of them is used here?",
    change={MIXED: "random.permutation(window)\nmixed = [texts[place] for place in window]"},
)
spoiling.mistake(
    "every_window",
    "Every window is put out of order, whatever the rate is.",
    hint="Of all windows, `rate` times their number have their words mixed.",
    change={"round(rate * len(windows))": "len(windows) if rate else 0"},
)
