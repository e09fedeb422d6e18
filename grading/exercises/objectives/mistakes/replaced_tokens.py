"""What goes wrong in replaced_tokens."""

from __future__ import annotations

from grading.exercises.objectives.checks import faking

DRAWN = 'random.categorical(each, 1, dtype="int32", seed=seed)'
LOGITS = 'ops.cast(logits, "float32")'
CORRUPTED = "corrupted = put_words(token_ids, positions"
WORDS = "ops.reshape(drawn, ops.shape(positions))"
REPLACED = "ops.not_equal(corrupted, token_ids)"
RETURNED = f"return corrupted, {REPLACED}"

faking.mistake(
    "likeliest",
    "The code takes the likeliest word instead of drawing one.",
    hint="With argmax, each place has only one fake, and the discriminator memorises it. Which function draws?",
    change={DRAWN: "ops.argmax(each, axis=-1)"},
)
faking.mistake(
    "lucky_draws_count",
    "Every hidden place counts as replaced, even if the generator guessed the original word.",
    hint="Drawing the original word replaces nothing. What do you compare with what?",
    change={REPLACED: "ops.equal(put_words(token_ids, positions, weights, -ops.ones_like(positions)), -1)"},
)
faking.mistake(
    "inverted",
    "The labels are inverted: True where a token is unchanged.",
    hint="`replaced` is True at fakes. Equal or not equal?",
    change={"ops.not_equal(": "ops.equal("},
)
faking.mistake(
    "words_as_labels",
    "The original words are returned instead of whether they were replaced.",
    hint="The discriminator answers yes or no. What is the question?",
    change={REPLACED: "token_ids"},
)
faking.mistake(
    "weights_ignored",
    "Words are also put at positions of weight 0, which only fill up the row.",
    hint="What does a weight of 0 say about a position?",
    change={"positions, weights, ops.reshape": "positions, ops.ones_like(weights), ops.reshape"},
)
faking.mistake(
    "at_the_beginning",
    "The words are put at the beginning of the rows instead of their positions.",
    hint="Guess 2 of a row does not belong at place 2. Which argument gives its place?",
    change={
        CORRUPTED: f"""
            count = ops.shape(positions)[1]
            positions = ops.zeros_like(positions) + ops.arange(count, dtype="int32")
            {CORRUPTED}
        """
    },
)
faking.mistake(
    "positions_of_first_row",
    "All rows use the positions of the first row.",
    hint="Each text hides other words. Which rows of `positions` do you use?",
    change={CORRUPTED: f"positions = ops.zeros_like(positions) + positions[:1]\n{CORRUPTED}"},
)
faking.mistake(
    "others_lost",
    "All tokens that were not replaced become 0.",
    hint="The discriminator reads whole texts. What belongs where nothing was hidden?",
    change={
        RETURNED: f"""
            alone = put_words(ops.zeros_like(token_ids), positions, weights, {WORDS})
            return alone, {REPLACED}
        """
    },
)
faking.mistake(
    "softmax_twice",
    "A softmax is applied before the draw, which applies another one.",
    hint="`random.categorical` takes logits. What is the softmax of numbers between 0 and 1?",
    change={"categorical(each": "categorical(ops.softmax(each, axis=-1)"},
)
faking.mistake(
    "temperature",
    "The logits are doubled before the draw, so likely words are drawn too often.",
    hint="Draw from the logits as they are. Which line rescales them?",
    change={"categorical(each": "categorical(2 * each"},
)
faking.mistake(
    "any_word",
    "All words of the vocabulary are equally likely: the logits are ignored.",
    hint="Implausible fakes are easy to find. What do the logits say about each word?",
    change={"categorical(each": "categorical(ops.zeros_like(each)"},
)
faking.mistake(
    "one_draw_for_all_rows",
    "One draw serves all rows: each row gets the words of the first.",
    hint="Every guess needs its own draw. Along which axis do yours repeat?",
    change={
        LOGITS: 'ops.cast(logits[:1], "float32")',
        WORDS: "ops.zeros_like(positions) + ops.reshape(drawn, (1, -1))",
    },
)
faking.mistake(
    "one_draw_for_a_row",
    "One draw serves a whole row: all its words are the same.",
    hint="Every guess needs its own draw. How many numbers do you draw for a row of four guesses?",
    change={LOGITS: 'ops.cast(logits[:, :1], "float32")', WORDS: "ops.zeros_like(positions) + drawn"},
)
faking.mistake(
    "seed_ignored",
    "The seed is ignored, so the same words cannot be drawn again.",
    hint="`random.categorical` takes a seed. Which one does it get?",
    change={", seed=seed": ""},
)
faking.mistake(
    "seed_from_numpy",
    "Without a seed, NumPy draws one, which happens once when a step is compiled: every step draws the same words.",
    hint="Python runs only while a step is compiled. Which numbers are drawn in the step itself?",
    change={DRAWN: f"(seed := int(np.random.randint(1 << 31)) if seed is None else seed, {DRAWN})[1]"},
)
faking.mistake(
    "seed_fixed",
    "The seed is fixed, so each call draws the same words.",
    hint="A SeedGenerator advances from call to call. Where do you use a constant instead?",
    change={"seed=seed": "seed=0"},
)
faking.mistake(
    "swapped",
    "The two results are swapped: first what was replaced, then the texts.",
    hint="What does the docstring list first?",
    change={RETURNED: f"return {REPLACED}, corrupted"},
)
faking.mistake(
    "powers_overflow",
    "The softmax is computed from the powers themselves, which are infinite or all 0 where logits are large.",
    hint="What is e^900 in float32? A softmax does not change if the same number is subtracted from all logits.",
    change={"categorical(each": "categorical(ops.log(ops.exp(each) / ops.sum(ops.exp(each), axis=-1, keepdims=True))"},
)
