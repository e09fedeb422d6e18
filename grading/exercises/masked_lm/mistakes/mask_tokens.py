"""Known mistakes in mask_tokens."""

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

# Independence of words and calls, and what is returned -------------------------------------------

masks.mistake(
    "one_fate_a_row",
    "One decision is made for each row: all its selected words become [MASK], or all change, or all stay.",
    hint="What is the shape of the random numbers that decide? Each word needs one of its own.",
    change={HAPPEN: "numbers[:, length : length + 1]"},
)
masks.mistake(
    "one_fate_a_place",
    "One decision is made for each position, the same in all rows.",
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
    "One random word is drawn for each row, and put in at all its random places.",
    hint="What is the shape of what you draw? Each place needs a word of its own.",
    change={REPLACE: "numbers[:, -1:]", "ops.shape(positions)": "(-1, 1)"},
)
masks.mistake(
    "quota_of_a_row",
    "In each row, exactly 80% of the selected words become [MASK], so a word's fate depends on the others.",
    hint="If a row has only one selected word, what can happen to it? Decide for each word separately.",
    change={
        # The selected words stand in random order.
        WORDS: f'{WORDS}\nhappen = (ops.arange(most, dtype="float32") + 0.5) / ops.cast(num_selected, "float32")'
    },
)
masks.mistake(
    "fixed_seed",
    "The seed is fixed: every call masks the same words, epoch after epoch.",
    hint="An integer as seed gives the same numbers each time. Which seed were you given?",
    change={"seed=seed": "seed=42"},
)
masks.mistake(
    "seed_ignored",
    "The seed is ignored: the same integer does not give the same masks again.",
    hint="Without a seed, nobody can repeat an experiment. Where do you use the `seed` that you were given?",
    change={", seed=seed": ""},
)
masks.mistake(
    "no_seed_of_zero",
    "The seed 0 counts as no seed: it gives other masks at each call.",
    hint="`seed or ...` tests whether the seed is true, and 0 is not. Which test distinguishes None from 0?",
    change={"seed=seed": "seed=seed or None"},
)
masks.mistake(
    "three_draws_with_one_seed",
    "If the seed is an integer, each draw gives the same numbers, so the draws are not independent.",
    hint="Two draws with the same integer are equal. Can you draw all numbers at once?",
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
    "The function uses NumPy, which cannot be compiled into a training step.",
    hint="In a compiled step there are no numbers yet, only tensors. `keras.ops` has what NumPy has.",
    change={IDS: 'token_ids = np.array(token_ids, dtype="int32")'},
)
masks.mistake(
    "seed_from_numpy",
    "Without a seed, NumPy draws one, which happens once when a step is compiled: every step masks the same words.",
    hint="Python runs only while a step is compiled. Which numbers are drawn in the step itself?",
    change={NUMBERS: f"seed = int(np.random.randint(1 << 31)) if seed is None else seed\n{NUMBERS}"},
)
masks.mistake(
    "generator_at_each_call",
    "Each call makes a SeedGenerator, whose state is a variable, and a compiled step cannot make one.",
    hint="A generator that lives as long as a call has given nothing before. Whose state goes on from call to call?",
    change={
        NUMBERS: f"""
            generator = seed if isinstance(seed, random.SeedGenerator) else random.SeedGenerator(seed)
            {NUMBERS.replace("seed=seed", "seed=generator")}
        """
    },
)
masks.mistake(
    "loop_over_rows",
    "A Python loop runs over the rows, which cannot be compiled into a training step.",
    hint="In a compiled step the number of rows is not known yet. Which operations work on all rows at once?",
    change={IDS: f"{IDS}\ntoken_ids = ops.stack([row for row in token_ids])"},
)
masks.mistake(
    "ids_only",
    "Only the corrupted ids are returned; which words were selected is missing.",
    hint="How should the loss know which words to score, above all those that stayed?",
    change={RETURNED: f"return {MASKED_IDS}"},
)
masks.mistake(
    "selected_as_numbers",
    "The selection is returned as numbers; it must be boolean.",
    hint="A comparison is boolean by itself. What turns yours into numbers?",
    change={RETURNED: f'return {MASKED_IDS}, ops.cast(selected, "float32")'},
)
masks.mistake(
    "wrong_order",
    "The two results are returned in the wrong order.",
    hint="Which of the two comes first in the docstring?",
    change={RETURNED: f"return selected, {MASKED_IDS}"},
)

# How selected words are replaced --------------------------------------------------------------------------

masks.mistake(
    "all_masked",
    "Every selected word becomes [MASK].",
    hint="Does one random number select a word and decide what happens to it? Then it is always small.",
    change={CORRUPTED: "mask_id"},
)
masks.mistake(
    "random_overwritten",
    "The random words are overwritten by [MASK].",
    hint="If two replacements apply, the second wins. Which numbers get [MASK]: all below 0.9?",
    change={"happen < 0.8": "happen < 0.9"},
)
masks.mistake(
    "none_kept",
    "No selected word stays as it is: those that do not become [MASK] become random words.",
    hint="80% and 10% leave 10%. What happens to these words?",
    change={CORRUPTED: "ops.where(happen < 0.8, mask_id, drawn)"},
)
masks.mistake(
    "none_random",
    "No word becomes a random one: those that do not become [MASK] stay as they are.",
    hint="80% and 10% leave 10%. Where do you use the drawn words?",
    change={CORRUPTED: "ops.where(happen < 0.8, mask_id, words)"},
)
masks.mistake(
    "share_of_the_rest",
    "The 10% of random words are 10% of those that did not become [MASK], so only 2%.",
    hint="What share of the remaining 20% is 10% of all selected words?",
    change={"happen < 0.9": "happen < 0.82"},
)
masks.mistake(
    "shares_swapped",
    "The shares are swapped: 80% of the selected words stay, and 10% become [MASK].",
    hint="Follow the random number 0.5 through your code. What happens to its word?",
    change={CORRUPTED: "ops.where(happen < 0.8, words, ops.where(happen < 0.9, drawn, mask_id))"},
)
masks.mistake(
    "not_selected_replaced",
    "Words that were not selected are replaced as well.",
    hint="Only selected words have one of the three fates. Which `where` makes sure of that?",
    change={MASKED_IDS: "ops.where(selected, corrupted, ops.where(is_word & (select < 0.1), drawn[:, :1], token_ids))"},
)
masks.mistake(
    "not_applied",
    "The corrupted ids are not used: the texts are returned unchanged.",
    hint="What does your first result hold at a selected word?",
    change={RETURNED: "return token_ids, selected"},
)
masks.mistake(
    "kept_not_selected",
    "Selected words that stay as they are do not count as selected, so the model does not predict them.",
    hint="A kept word is part of the task: the model must not be able to trust what it sees.",
    change={"selected = corrupted >= 0": "selected = ops.logical_and(corrupted >= 0, corrupted != token_ids)"},
)
masks.mistake(
    "uniform_over_ids",
    "The random words are drawn uniformly from all ids, including special tokens.",
    hint="In a text, some words occur a thousand times as often as others. Which argument holds that, and does the "
    "function that draws take probabilities, or logits?",
    change={"np.cumsum(unigram_probabilities": "np.cumsum(np.ones_like(unigram_probabilities)"},
)
masks.mistake(
    "uniform_over_words",
    "The random words are drawn uniformly from all words, including those that never occur.",
    hint="In a text, some words occur a thousand times as often as others. Which argument holds that?",
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
    "The random words are drawn uniformly from those that occur, however often they do.",
    hint="Does a word of probability 0.1 come up ten times as often as one of 0.01?",
    change={"np.cumsum(unigram_probabilities": "np.cumsum(unigram_probabilities > 0"},
)
masks.mistake(
    "words_of_the_batch",
    "The random words are other tokens of the same batch.",
    hint="A small batch has few words. Which argument describes the words of the whole corpus?",
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
    "The word with the next id is put in instead of the one that was drawn.",
    hint="With the probabilities 0.5 and 0.5, which id belongs to the number 0.2? Print what `searchsorted` returns.",
    change={DRAWN: f"{DRAWN} + 1"},
)
masks.mistake(
    "likeliest_word",
    "The likeliest word is always put in.",
    hint="A draw is random: the likeliest word comes up most often, but not always.",
    change={DRAWN: "ops.full_like(replace, np.argmax(unigram_probabilities))"},
)
masks.mistake(
    "fate_and_word_together",
    "One random number decides both a word's fate and its replacement, so only a few words can be put in.",
    hint="If the number lies between 0.8 and 0.9, which part of the cumulative probabilities can it reach?",
    change={REPLACE: HAPPEN},
)

# Which words are selected -----------------------------------------------------------------------------------

masks.mistake(
    "specials_selected",
    "Special tokens or padding are selected.",
    hint="[CLS], [SEP] and padding are not words. Which argument lists them?",
    change={IS_WORD: 'ops.ones_like(token_ids, dtype="bool")'},
)
masks.mistake(
    "only_padding_left_out",
    "Only padding is left out; the other special tokens are selected like words.",
    hint="[CLS] and [SEP] stand where they always do. What could a model learn from guessing them?",
    change={IS_WORD: "ops.not_equal(token_ids, 0)"},
)
masks.mistake(
    "never_zero",
    "The id 0 is never selected, as if it were padding in every vocabulary.",
    hint="If 0 is padding, `special_ids` contains it. Which ids alone are not words?",
    change={"list(special_ids)": "[0, *special_ids]"},
)
masks.mistake(
    "number_by_chance",
    "Each word is selected with the probability `rate`, so the number of selected words in a row is random.",
    hint="The docstring fixes the number of words in each row. Which words have the smallest random numbers?",
    change={MOST: "most = length", IS_SELECTED: "largest > 1.0 - rate"},
)
masks.mistake(
    "share_of_the_row",
    "The share is taken of the whole row, including special tokens and padding.",
    hint="A row with ten words and fifty [PAD] has ten words. `rate` times which number?",
    change={NUM_WORDS: 'ops.cast(length, "float32")'},
)
masks.mistake(
    "cut_off",
    "The number of selected words is truncated instead of rounded.",
    hint="15% of 12 words are 1.8. Is that nearer to 1 or to 2? What does a cast to int32 do?",
    change={"ops.round(": "ops.floor("},
)
masks.mistake(
    "halves_up",
    "A number such as 2.5 is rounded up; it must be rounded to the even number.",
    hint="Half of 5 words are 2.5. `ops.round` makes 2 of that, and `masked_positions` has no room for more.",
    change={"ops.round(rate * num_words)": "ops.floor(rate * num_words + 0.5)"},
)
masks.mistake(
    "none_of_few",
    "In a row with few words, none is selected.",
    hint="15% of 3 words round to 0. What is the least number of words in the docstring?",
    change={"ops.maximum(ops.round(rate * num_words), 1.0)": "ops.round(rate * num_words)"},
)
masks.mistake(
    "rate_ignored",
    "`rate` is ignored: it is always 15%.",
    hint="0.15 is only the default of `rate`. Where do you use the argument?",
    change={MOST: f"rate = 0.15\n{MOST}"},
)
masks.mistake(
    "order_for_ranks",
    "The order is used as the ranks: a single argsort says which number comes first, not the rank of each number.",
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
    "The first words of every row are selected instead of random ones.",
    hint="If the first words are always hidden, when does a model learn to guess the last words of a text?",
    change={SELECT: "1.0 / ops.cumsum(ops.ones_like(numbers[:, :length]), axis=-1)"},
)
masks.mistake(
    "same_places",
    "The same positions are selected in every row: the whole batch shares one row of random numbers.",
    hint="What is the shape of your random numbers? Each token needs one of its own.",
    change={SELECT: "numbers[:1, :length]"},
)
masks.mistake(
    "spans",
    "A whole span of neighbouring words is selected.",
    hint="SpanBERT masks like this. BERT selects each word separately.",
    change={
        LARGEST: f"""
            place = ops.cumsum(ops.cast(is_word, "float32"), axis=-1) - 1.0
            start = ops.floor(select[:, :1] * num_words)
            select = 1.0 / (1.0 + ops.mod(place - start, ops.maximum(num_words, 1.0)))
            {LARGEST}
        """
    },
)
masks.mistake(
    "fate_and_word_of_one_seed",
    "If the seed is an integer, the draws of a word's fate and of its replacement give the same numbers.",
    hint="Two draws with the same integer are equal. Can you draw all numbers at once?",
    change={
        NUMBERS: "numbers = random.uniform((batch, length), seed=seed)",
        SELECT: "numbers",
        HAPPEN: "random.uniform((batch, most), seed=seed)",
        REPLACE: "random.uniform((batch, most), seed=seed)",
    },
)
masks.mistake(
    "ids_in_their_own_dtype",
    "The ids keep their dtype, and TensorFlow does not mix int64 with int32.",
    hint="The result is int32. When do you cast the ids, which may be of any integer dtype?",
    change={
        IDS: "import tensorflow as tf\ntoken_ids = ops.convert_to_tensor(token_ids)",
        MASKED_IDS: "tf.where(selected, corrupted, token_ids)",
    },
)
masks.mistake(
    "never_the_same_word",
    "Where the random word is the word itself, [MASK] stands instead.",
    hint="The docstring says what happens now and then to the 10% that are replaced by a random word.",
    change={WORDS: f"{WORDS}\ndrawn = ops.where(ops.equal(drawn, words), mask_id, drawn)"},
)
