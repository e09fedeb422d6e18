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
CHOSEN = 'random.choice(words, round(rate * len(words)), replace=kind == "insert")'
STRETCHES = "np.split(words, np.flatnonzero(np.diff(words) > 1) + 1)"
STRETCH = "random.poisson(MEAN_SPAN)"
WINDOWS = "[stretch[start : start + WINDOW] for stretch in stretches for start in range(0, len(stretch), WINDOW)]"
MIXED = "mixed = [texts[place] for place in random.permutation(window)]"
MASKED = "[[mask_id]] + [[]] * (count - 1)"
MORE = "while left > 0:"
STARTS = "starts = np.flatnonzero(before[count:] - before[: len(free) + 1 - count] == count)"


def counting(words: str, windows: str) -> dict[str, str]:
    """Return a change of the numbers of words and windows that are corrupted."""
    return {
        "round(rate * len(words)), replace": f"{words}, replace",
        "round(rate * len(words)), mask_id": f"{words}, mask_id",
        "round(rate * len(windows))": windows,
    }


spoiling.mistake(
    "by_itself",
    "A word may be replaced by itself, which changes nothing there.",
    hint="How likely is a draw to be the word that is already there?",
    change={", other_than=token_ids[place]": ""},
)
spoiling.mistake(
    "any_id",
    "Words are drawn uniformly from the whole vocabulary, special tokens included.",
    hint="`probabilities` gives the frequency of each word, and 0 to every other id.",
    change={DRAWN: "random.integers(len(probabilities))"},
)
spoiling.mistake(
    "drawn_alike",
    "All words that occur are drawn with the same probability.",
    hint="Some words are ten times as frequent as others. Which argument of `choice` expresses that?",
    change={'np.array(probabilities, "float64")': '(np.asarray(probabilities) > 0).astype("float64")'},
)
spoiling.mistake(
    "likeliest_word",
    "Every replacement is the likeliest word.",
    hint="argmax does not draw. What does a model learn if the wrong word is always the same?",
    change={DRAWN: "probabilities.argmax()"},
)
spoiling.mistake(
    "padding_left",
    "Deleted words leave padding in their place.",
    hint="If the gap is visible, the model need not find it. Does the text get shorter?",
    change={DELETED: "texts[place] = [special_ids[0]]"},
)
spoiling.mistake(
    "mask_left",
    "Deleted words leave [MASK] in their place.",
    hint="That is another kind of noise. What is left where a word was deleted?",
    change={DELETED: "texts[place] = [mask_id]"},
)
spoiling.mistake(
    "overwritten",
    "An inserted word overwrites another word, so the text does not grow.",
    hint="All words stay, and new ones are added. How long is the text afterwards?",
    change={'replace=kind == "insert"': "replace=False", INSERTED: "texts[place] = [_draw(probabilities, random)]"},
)
spoiling.mistake(
    "inserted_anywhere",
    "Words are inserted anywhere, even before [CLS] and between special tokens.",
    hint="Insertions are next to a word. Which places of a text are next to a word?",
    change={INSERTED: "texts[random.integers(len(texts))].insert(0, _draw(probabilities, random))"},
)
spoiling.mistake(
    "behind_only",
    "Words are only inserted after other words.",
    hint="The docstring says before or after a word, each equally likely.",
    change={"text.insert(random.integers(2) * len(text), word)": "text.append(word)"},
)
spoiling.mistake(
    "masks_inserted",
    "[MASK] is inserted instead of words.",
    hint="A [MASK] would reveal that it does not belong there. What is drawn by `probabilities`?",
    change={INSERTED: "_put_beside(texts[place], mask_id, random)"},
)
spoiling.mistake(
    "cut_to_length",
    "The noisy text is cut to its old length, so the words pushed past the end are lost.",
    hint="Lists may grow. Cutting them to a row is not this function's job.",
    change={SPOILED: f"{SPOILED}[: len(token_ids)]"},
)
spoiling.mistake(
    "mask_for_each_word",
    "Each word of a stretch gets its own [MASK].",
    hint="A stretch of five words becomes one [MASK], so the model must find out how many words are missing.",
    change={MASKED: "[[mask_id]] * count"},
)
spoiling.mistake(
    "no_empty_stretches",
    "No stretch has length 0, so no [MASK] is inserted where nothing is missing.",
    hint="How likely is 0 in a Poisson distribution of mean 3? The docstring says what to do with it.",
    change={"more += count == 0": "if count == 0:\n    continue"},
)
spoiling.mistake(
    "always_three",
    "Every stretch has three words.",
    hint="3 is the mean. Poisson draws vary around it.",
    change={STRETCH: "MEAN_SPAN", MORE: "for _ in range(20 * len(texts)):\n    if left <= 0:\n        break"},
)
spoiling.mistake(
    "geometric_stretches",
    "The lengths of stretches come from another distribution, such as SpanBERT's geometric one.",
    hint="Here they are drawn from a Poisson distribution, in which long stretches are rare.",
    change={STRETCH: "random.geometric(0.2) - (random.random() < 0.05)"},
)
spoiling.mistake(
    "shortened_stretches",
    "A stretch that fits nowhere is shortened until it fits, instead of drawn again.",
    hint="Between two special tokens stand three words, and your code draws a length of 5. What does the docstring do?",
    change={STARTS: f"{STARTS}\nwhile count and not len(starts):\n    count -= 1\n    {STARTS}"},
)
spoiling.mistake(
    "merged_stretches",
    "Overlapping stretches are merged, so fewer words disappear than the rate says.",
    hint="Which words are still free when the next stretch is drawn? Count the hidden ones.",
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
    "The rate counts stretches instead of words, so far too much disappears.",
    hint="A stretch has three words on average. After each one, how many words are left to hide?",
    change={"round(rate * len(words)), mask_id": "round(min(1.0, 3 * rate) * len(words)), mask_id"},
)
spoiling.mistake(
    "rate_of_all_tokens",
    "The rate is applied to all tokens, special ones included.",
    hint="[CLS] and [SEP] are no words. Which number does `rate` multiply?",
    change={WORDS: f"{WORDS}\nrate = min(1.0, rate * len(token_ids) / max(1, len(words)))"},
)
spoiling.mistake(
    "number_by_chance",
    "Each word is changed with probability `rate`, so the number of changed words varies.",
    hint="The docstring fixes the number of words: `rate` times n, rounded.",
    change=counting("random.binomial(len(words), rate)", "random.binomial(len(windows), rate)"),
)
spoiling.mistake(
    "cut_off",
    "The number of words is truncated instead of rounded.",
    hint="30% of 122 words are 36.6. Is that nearer to 36 or to 37? What does int() do?",
    change=counting("int(rate * len(words))", "int(rate * len(windows))"),
)
spoiling.mistake(
    "specials_spoiled",
    "Special tokens are changed like words.",
    hint="They stay, in their order. Which places may you draw?",
    change={WORDS: "np.arange(len(token_ids))"},
)
spoiling.mistake(
    "masked_too",
    "Every kind of noise also masks words, so a text gets two kinds at once.",
    hint="Each text gets one kind of noise. Which line runs for every `kind`?",
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
    "The given list is changed in place, and with it the text that the model should restore.",
    hint="`text = token_ids` gives the list a second name. What does the model learn if input and target are one list?",
    change={RETURNED: f"spoiled = {SPOILED}\ntoken_ids[:] = spoiled\nreturn spoiled"},
)
spoiling.mistake(
    "at_least_one",
    "At least one word is changed, even at rate 0.",
    hint="That is the rule of `mask_tokens`. Here, a rate of 0 must change nothing.",
    change=counting(
        "min(len(words), max(1, round(rate * len(words))))", "min(len(windows), max(1, round(rate * len(windows))))"
    ),
)
spoiling.mistake(
    "own_generator",
    "Each call makes a new generator, so it draws the same places every time.",
    hint="`random` continues from call to call. Which line makes another one?",
    change={TEXTS: f"random = np.random.default_rng(3)\n{TEXTS}"},
)
spoiling.mistake(
    "first_words",
    "The first words are changed instead of random ones.",
    hint="Which words does `words[:count]` select?",
    change={CHOSEN: "words[: round(rate * len(words))]"},
)
spoiling.mistake(
    "first_words_deleted",
    'With "delete" and "substitute", the first words are changed instead of random ones.',
    hint="Which words does `words[:count]` select? Each kind draws its own.",
    change={
        CHOSEN: f'words[: round(rate * len(words))] if kind in ("delete", "substitute") else {CHOSEN}',
    },
)
spoiling.mistake(
    "all_alike_deleted",
    "With a word, all words like it are deleted.",
    hint="A text may have a word twice. Which of the two was drawn: a place, or a word?",
    change={DELETED: "texts = [[] if text == [token_ids[place]] else text for text in texts]"},
)
spoiling.mistake(
    "with_replacement",
    "Windows are filled by drawing with replacement, so some words are lost and others doubled.",
    hint="A permutation contains each word once. What does `choice` do with words it has already drawn?",
    change={"random.permutation(window)": "random.choice(window, len(window))"},
)
spoiling.mistake(
    "over_borders",
    "Windows cross special tokens, so words of one sentence move into the other.",
    hint="What lies between two windows where a stretch ends?",
    change={STRETCHES: "[words]"},
)
spoiling.mistake(
    "special_tokens_moved",
    "Special tokens are permuted with the words.",
    hint="[CLS] stays first and [SEP] last. Which places may be permuted?",
    change={STRETCHES: "[np.arange(len(texts))]"},
)
spoiling.mistake(
    "whole_stretches",
    "Whole stretches are permuted instead of windows.",
    hint="No word moves by more than two places. How long is a window?",
    change={WINDOWS: "stretches"},
)
spoiling.mistake(
    "turned_round",
    "Each window is reversed, which gives only one order.",
    hint="Three words have six orders, all equally likely.",
    change={"random.permutation(window)": "window[::-1]"},
)
spoiling.mistake(
    "not_reordered",
    "Nothing is reordered: the permuted copy is discarded.",
    hint="`permutation` returns a new array; `shuffle` changes the given one. Which of them do you use?",
    change={MIXED: "random.permutation(window)\nmixed = [texts[place] for place in window]"},
)
spoiling.mistake(
    "whole_windows",
    "The last window of a stretch is never reordered if it has fewer than three words.",
    hint="Which windows does a stretch of five words have? And one of two words?",
    change={"range(0, len(stretch), WINDOW)": "range(0, len(stretch) - WINDOW + 1, WINDOW)"},
)
spoiling.mistake(
    "every_window",
    "Every window is permuted, whatever the rate is.",
    hint="How many of ten windows should be permuted if `rate` is 0.3?",
    change={"round(rate * len(windows))": "len(windows) if rate else 0"},
)
spoiling.mistake(
    "share_of_all_tokens",
    "The rate is taken of all tokens, special ones included, instead of the words.",
    hint="Of what is `rate` the share?",
    change={
        "round(rate * len(words)), mask_id": "min(len(words), round(rate * len(texts))), mask_id",
        "round(rate * len(words)), replace": "min(len(words), round(rate * len(texts))), replace",
    },
)
spoiling.mistake(
    "halves_up",
    "Halves are rounded up instead of to the even number.",
    hint="What is round(2.5) in Python?",
    change=counting("int(rate * len(words) + 0.5)", "int(rate * len(windows) + 0.5)"),
)
spoiling.mistake(
    "other_word_by_chance",
    "If the word that is already there is drawn, another one is taken, all equally likely.",
    hint="How likely are the other words if the one that is already there cannot be drawn?",
    change={
        "probabilities[other_than] = 0.0": """
            if random.random() * probabilities.sum() < probabilities[other_than]:
                probabilities = (probabilities > 0).astype("float64")
            probabilities[other_than] = 0.0
        """
    },
)
spoiling.mistake(
    "beside_inserted",
    "Words are also inserted next to inserted ones, so some words of the text get far more than others.",
    hint="The docstring says next to a word of the given text. Between which words does your code choose?",
    change={INSERTED: f"place = random.choice(np.repeat(words, [len(texts[word]) for word in words]))\n{INSERTED}"},
)
spoiling.mistake(
    "beside_the_first",
    "With several equal words, words are only inserted next to the first of them.",
    hint="`index` finds the first of equal words. What was drawn: a place, or a word?",
    change={INSERTED: INSERTED.replace("[place]", "[token_ids.index(token_ids[place])]")},
)
spoiling.mistake(
    "last_stretch_lost",
    "Words after the last special token are never reordered.",
    hint="A stretch may end with the text. Which line takes it over if no special token follows?",
    change={STRETCHES: f"{STRETCHES}\nstretches = [stretch for stretch in stretches if len(texts) - 1 not in stretch]"},
)
spoiling.mistake(
    "windows_of_each_stretch",
    "`rate` times the number of windows is rounded in each stretch, and not once for the whole text.",
    hint="Two stretches of one window each, at a rate of 0.5: how many windows of the text are drawn?",
    change={
        "random.choice(len(windows), round(rate * len(windows)), replace=False)": """
            [
                number
                for stretch in stretches
                for own in [[n for n, window in enumerate(windows) if set(window) & set(stretch)]]
                for number in random.choice(own, round(rate * len(own)), replace=False)
            ]
        """
    },
)
spoiling.mistake(
    "single_words_not_counted",
    "Windows of a single word do not count among the windows.",
    hint="Of all windows, how many are drawn? A window of one word is one, too.",
    change={"range(0, len(stretch), WINDOW)": "range(0, len(stretch) - 1, WINDOW)"},
)
