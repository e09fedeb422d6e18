"""What goes wrong in mask_tokens."""

from __future__ import annotations

from grading.exercises.masked_lm.checks import masks

IDS = 'token_ids = ops.convert_to_tensor(token_ids, dtype="int32")'
MOST = "most = _most_selected(length, rate)"
NUMBERS = 'numbers = random.uniform((batch, length + 2 * most), dtype="float32", seed=seed)'
SELECT, HAPPEN, REPLACE = "numbers[:, :length]", "numbers[:, length : length + most]", "numbers[:, length + most :]"
SPECIAL_IDS = 'special_ids = ops.convert_to_tensor(list(special_ids), dtype="int32")'
IS_WORD = "ops.all(ops.not_equal(token_ids[:, :, None], special_ids), axis=-1)"
NUM_WORDS = 'ops.sum(ops.cast(is_word, "float32"), axis=-1, keepdims=True)'
LARGEST = "largest, positions = ops.top_k(ops.where(is_word, select, -1.0), most)"
IS_SELECTED = 'ops.logical_and(largest >= 0.0, ops.arange(most, dtype="int32") < num_selected)'
DRAWN = 'ops.searchsorted(cumulative, ops.reshape(replace, (-1,)), side="right")'
WORDS = "words = ops.take_along_axis(token_ids, positions, axis=1)"
CORRUPTED = "ops.where(happen < 0.8, mask_id, ops.where(happen < 0.9, drawn, words))"
MASKED_IDS = "ops.where(selected, corrupted, token_ids)"
RETURNED = f"return {MASKED_IDS}, selected"

# From word to word and from call to call, and in what is returned -------------------------------------------

masks.mistake(
    "one_fate_a_row",
    "There is one decision for each row: all its selected words become [MASK], or all change, or all stay.",
    hint="What is the shape of the random numbers that decide? Each word needs one of its own.",
    change={HAPPEN: "numbers[:, length : length + 1]"},
)
masks.mistake(
    "one_fate_a_place",
    "There is one decision for each place: it is the same in all rows.",
    hint="What is the shape of the random numbers that decide? Each word needs one of its own.",
    change={
        NUMBERS: "numbers = random.uniform((3, batch, length), seed=seed)",
        SELECT: "numbers[0]",
        HAPPEN: "numbers[1, 0]",
        REPLACE: "numbers[2, :, :most]",
        WORDS: f"{WORDS}\nhappen = ops.take(happen, positions)",
    },
)
masks.mistake(
    "one_word_a_row",
    "One random word is drawn for each row, and put in wherever the row needs one.",
    hint="What is the shape of what you draw? Each place needs a word of its own.",
    change={REPLACE: "numbers[:, -1:]", "ops.shape(positions)": "(-1, 1)"},
)
masks.mistake(
    "quota_of_a_row",
    "Each row gets its shares exactly, 80% of its selected words, so what happens to one depends on the others.",
    hint="A row with one selected word now always gets [MASK]. Toss for each word by itself.",
    change={
        # The selected words stand in random order.
        WORDS: f'{WORDS}\nhappen = (ops.arange(most, dtype="float32") + 0.5) / ops.cast(num_selected, "float32")'
    },
)
masks.mistake(
    "fixed_seed",
    "The seed is fixed: every call masks the same words, in every epoch.",
    hint="An integer as seed means the same numbers each time. Hand on the `seed` that you were given.",
    change={"seed=seed": "seed=42"},
)
masks.mistake(
    "seed_ignored",
    "The seed is ignored: the same integer does not give the same masks again.",
    hint="Without a seed nobody can repeat an experiment. Hand on the `seed` that you were given.",
    change={", seed=seed": ""},
)
masks.mistake(
    "no_seed_of_zero",
    "The seed 0 is taken for no seed at all: its masks are not the same again.",
    hint="`seed or ...` asks whether the seed is true, and 0 is not. What tells None from 0?",
    change={"seed=seed": "seed=seed or None"},
)
masks.mistake(
    "three_draws_with_one_seed",
    "Where the seed is an integer, each draw gives the same numbers again, so they are not independent.",
    hint="Two draws with the same integer are one and the same. Can you draw all numbers at once?",
    change={
        NUMBERS: "numbers = [random.uniform((batch, length), seed=seed) for _ in range(3)]",
        SELECT: "numbers[0]",
        HAPPEN: "numbers[1]",
        REPLACE: "numbers[2]",
        # The smallest numbers instead of the largest, which are those that become [MASK].
        "is_word, select": "is_word, 1.0 - select",
        f"is_selected = {IS_SELECTED}": f"""
            is_selected = {IS_SELECTED}
            happen = ops.take_along_axis(happen, positions, axis=1)
            replace = ops.take_along_axis(replace, positions, axis=1)
        """,
    },
)
masks.mistake(
    "in_numpy",
    "It is written in NumPy, which cannot be compiled into a training step.",
    hint="In a compiled step there are no numbers yet, only tensors. `keras.ops` has what NumPy has.",
    change={IDS: 'token_ids = np.array(token_ids, dtype="int32")'},
)
masks.mistake(
    "loop_over_rows",
    "A Python loop goes through the rows, which cannot be compiled into a training step.",
    hint="In a compiled step the number of rows is not known yet. Work on all rows at once.",
    change={IDS: f"{IDS}\ntoken_ids = ops.stack([row for row in token_ids])"},
)
masks.mistake(
    "ids_only",
    "Only the corrupted ids are returned; which words were selected is wanted, too.",
    hint="Without it, the loss cannot know which words to score, least of all those that stayed.",
    change={RETURNED: f"return {MASKED_IDS}"},
)
masks.mistake(
    "selected_as_numbers",
    "What was selected is returned as numbers; it must be boolean.",
    hint="A comparison gives truth values by itself. No cast is needed.",
    change={RETURNED: f'return {MASKED_IDS}, ops.cast(selected, "float32")'},
)
masks.mistake(
    "wrong_order",
    "The two results are returned in the wrong order.",
    hint="Look at the docstring: the corrupted ids come first.",
    change={RETURNED: f"return selected, {MASKED_IDS}"},
)

# Where selected words are replaced --------------------------------------------------------------------------

masks.mistake(
    "all_masked",
    "Every selected word becomes [MASK].",
    hint="Is it one random number that selects a word and then decides what happens to it? Then it is always small.",
    change={CORRUPTED: "mask_id"},
)
masks.mistake(
    "random_overwritten",
    "The random words are overwritten by [MASK].",
    hint="Of two replacements, the second wins where both apply. Which numbers get [MASK]: all below 0.9?",
    change={"happen < 0.8": "happen < 0.9"},
)
masks.mistake(
    "none_kept",
    "No selected word stays as it is: all that do not become [MASK] are replaced.",
    hint="80% and 10% leave 10%.",
    change={CORRUPTED: "ops.where(happen < 0.8, mask_id, drawn)"},
)
masks.mistake(
    "none_random",
    "No word is replaced by a random one: all that do not become [MASK] stay.",
    hint="80% and 10% leave 10%. Where do the drawn words come in?",
    change={CORRUPTED: "ops.where(happen < 0.8, mask_id, words)"},
)
masks.mistake(
    "share_of_the_rest",
    "The 10% of random words are taken of those that did not become [MASK], so they are 2%.",
    hint="10% of all selected words are how much of the 20% that are left?",
    change={"happen < 0.9": "happen < 0.82"},
)
masks.mistake(
    "shares_swapped",
    "80% and 10% have changed places: most selected words stay as they are.",
    hint="Follow a random number of 0.5 through your code. What happens to its word?",
    change={CORRUPTED: "ops.where(happen < 0.8, words, ops.where(happen < 0.9, drawn, mask_id))"},
)
masks.mistake(
    "not_selected_replaced",
    "Words that were not selected are replaced as well.",
    hint="All three fates are for selected words only. Which `where` says so?",
    change={MASKED_IDS: "ops.where(selected, corrupted, ops.where(is_word & (select < 0.1), drawn[:, :1], token_ids))"},
)
masks.mistake(
    "not_applied",
    "The corrupted ids are never used: the texts come back as they were.",
    hint="What does the first of your two results hold where a word was selected?",
    change={RETURNED: "return token_ids, selected"},
)
masks.mistake(
    "kept_not_selected",
    "Words that stay as they are do not count as selected, so they would not be predicted.",
    hint="A kept word is part of the task: the model must not be able to trust what it sees.",
    change={"selected = corrupted >= 0": "selected = ops.logical_and(corrupted >= 0, corrupted != token_ids)"},
)
masks.mistake(
    "uniform_over_ids",
    "The random words are drawn from all ids alike, special tokens among them.",
    hint="In a text, some words occur a thousand times as often as others. Which argument knows?",
    change={"np.cumsum(unigram_probabilities": "np.cumsum(np.ones_like(unigram_probabilities)"},
)
masks.mistake(
    "uniform_over_words",
    "The random words are drawn from all words alike, those among them that never occur.",
    hint="In a text, some words occur a thousand times as often as others. Which argument knows?",
    change={
        SPECIAL_IDS: f"""
            unigram_probabilities = np.ones_like(unigram_probabilities)
            unigram_probabilities[list(special_ids)] = 0.0
            {SPECIAL_IDS}
        """
    },
)
masks.mistake(
    "uniform_over_seen",
    "The random words are drawn alike from those that occur, not by how often they do.",
    hint="Does a word of probability 0.1 come up ten times as often as one of 0.01?",
    change={"np.cumsum(unigram_probabilities": "np.cumsum(unigram_probabilities > 0"},
)
masks.mistake(
    "words_of_the_batch",
    "The random words are other tokens of the same batch.",
    hint="A small batch has few words. Draw from the vocabulary, by the probabilities that are given.",
    change={
        f"drawn = {DRAWN}": """
            words_first = ops.argsort(ops.where(ops.reshape(is_word, (-1,)), 0, 1))
            drawn = ops.take(words_first, ops.cast(replace * ops.sum(num_words), "int32"))
            drawn = ops.take(ops.reshape(token_ids, (-1,)), drawn)
        """,
    },
)
masks.mistake(
    "next_id",
    "The word with the next id is put in for the one that was drawn.",
    hint="With the probabilities 0.5 and 0.5, which id belongs to the number 0.2? Print what `searchsorted` gives.",
    change={DRAWN: f"{DRAWN} + 1"},
)
masks.mistake(
    "likeliest_word",
    "It is always the likeliest word that is put in.",
    hint="A draw is random: the likeliest word comes up most often, and others come up, too.",
    change={DRAWN: "ops.full_like(replace, np.argmax(unigram_probabilities))"},
)
masks.mistake(
    "fate_and_word_together",
    "One random number decides what happens to a word and which word replaces it, so only a few words can come.",
    hint="If the number lies between 0.8 and 0.9, which part of the cumulative probabilities can it reach?",
    change={REPLACE: HAPPEN},
)

# Where words are selected -----------------------------------------------------------------------------------

masks.mistake(
    "specials_selected",
    "Special tokens and padding are selected, too.",
    hint="[CLS], [SEP] and padding are no words. Which argument lists them?",
    change={IS_WORD: 'ops.ones_like(token_ids, dtype="bool")'},
)
masks.mistake(
    "only_padding_left_out",
    "Only padding is left out; the other special tokens are selected like words.",
    hint="[CLS] and [SEP] are always where they are; there is nothing to learn from guessing them.",
    change={IS_WORD: "ops.not_equal(token_ids, 0)"},
)
masks.mistake(
    "never_zero",
    "The id 0 is never selected, as if it were padding in every vocabulary.",
    hint="Where 0 is padding, it is among `special_ids`. Only these say what is no word.",
    change={"list(special_ids)": "[0, *special_ids]"},
)
masks.mistake(
    "number_by_chance",
    "Each word is selected with the probability `rate`, so chance decides how many of a row are.",
    hint="The docstring asks for a number of words in each row. Which words have the smallest random numbers?",
    change={MOST: "most = length", IS_SELECTED: "largest > 1.0 - rate"},
)
masks.mistake(
    "share_of_the_row",
    "The share is taken of the whole row, with special tokens and padding.",
    hint="A row with ten words and fifty [PAD] has ten words. `rate` times which number?",
    change={NUM_WORDS: 'ops.cast(length, "float32")'},
)
masks.mistake(
    "cut_off",
    "The number of selected words is cut off instead of rounded.",
    hint="15% of 12 words are 1.8. Is that nearer to 1 or to 2? A cast to int32 does not round.",
    change={"ops.round(": "ops.floor("},
)
masks.mistake(
    "halves_up",
    "Halves are rounded up; the docstring wants the even number.",
    hint="Half of 5 words are 2.5. `round` makes 2 of them, and `masked_positions` has room for no more.",
    change={"ops.round(rate * num_words)": "ops.floor(rate * num_words + 0.5)"},
)
masks.mistake(
    "none_of_few",
    "In a row of a few words, none is selected.",
    hint="15% of 3 words round to 0, and nothing would be learned from them. At least one, says the docstring.",
    change={"ops.maximum(ops.round(rate * num_words), 1.0)": "ops.round(rate * num_words)"},
)
masks.mistake(
    "rate_ignored",
    "The rate is ignored: it is always 15%.",
    hint="0.15 is only what `rate` is unless somebody says otherwise.",
    change={MOST: f"rate = 0.15\n{MOST}"},
)
masks.mistake(
    "order_for_ranks",
    "The order is taken for the ranks: argsort once says which number comes first, not how far back each one is.",
    hint="For the numbers 0.9, 0.1, 0.5, argsort gives 1, 2, 0. The ranks are 2, 0, 1. What turns one into the other?",
    change={
        MOST: "most = length",
        "largest, positions = ops.top_k(": "_, order = ops.top_k(",
        f"is_selected = {IS_SELECTED}": """
            is_selected = ops.logical_and(is_word, order < num_selected)
            positions = ops.broadcast_to(ops.arange(length, dtype="int32"), (batch, length))
        """,
    },
)
masks.mistake(
    "first_words",
    "The first words of every row are selected; nothing is random about it.",
    hint="Which words are hidden must change from call to call, or else the last words of a text are never guessed.",
    change={SELECT: "1.0 / ops.cumsum(ops.ones_like(numbers[:, :length]), axis=-1)"},
)
masks.mistake(
    "same_places",
    "The same places are selected in every row: there is one row of random numbers for the whole batch.",
    hint="What is the shape of your random numbers? Each token needs one of its own.",
    change={SELECT: "numbers[:1, :length]"},
)
masks.mistake(
    "spans",
    "A whole span is selected: words that stand beside each other.",
    hint="That is how SpanBERT masks. In BERT each word is selected for itself.",
    change={
        LARGEST: f"""
            place = ops.cumsum(ops.cast(is_word, "float32"), axis=-1) - 1.0
            start = ops.floor(select[:, :1] * num_words)
            select = 1.0 / (1.0 + ops.mod(place - start, ops.maximum(num_words, 1.0)))
            {LARGEST}
        """
    },
)
