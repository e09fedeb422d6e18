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
    "The likeliest word is taken instead of one that is drawn.",
    hint="With argmax each place has one fake only, and the detective learns it by heart. Which function draws?",
    change={DRAWN: "ops.argmax(each, axis=-1)"},
)
faking.mistake(
    "lucky_draws_count",
    "Every hidden place counts as replaced, even where the generator guessed right.",
    hint="Who draws the word that stood there has replaced nothing. What is compared with what?",
    change={REPLACED: "ops.equal(put_words(token_ids, positions, weights, -ops.ones_like(positions)), -1)"},
)
faking.mistake(
    "inverted",
    "It is the wrong way round: True where a token is what it was.",
    hint="`replaced` is True at fakes. Equal or not equal?",
    change={"ops.not_equal(": "ops.equal("},
)
faking.mistake(
    "words_as_labels",
    "The words that stood there are returned instead of whether they were replaced.",
    hint="The detective answers yes or no. What is it asked?",
    change={REPLACED: "token_ids"},
)
faking.mistake(
    "weights_ignored",
    "Words are put at positions of weight 0, too, which only fill up the row.",
    hint="What does a weight of 0 say of a position?",
    change={"positions, weights, ops.reshape": "positions, ops.ones_like(weights), ops.reshape"},
)
faking.mistake(
    "at_the_beginning",
    "The words are put at the beginning of the rows instead of at their positions.",
    hint="Guess 2 of a row does not stand at place 2. Which argument says where it does?",
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
    "The positions of the first row are taken for all rows.",
    hint="In each text other words are hidden. Which rows of `positions` are used?",
    change={CORRUPTED: f"positions = ops.zeros_like(positions) + positions[:1]\n{CORRUPTED}"},
)
faking.mistake(
    "others_lost",
    "What was not replaced is lost: 0 stands there.",
    hint="The detective reads whole texts. What stands where nothing was hidden?",
    change={
        RETURNED: f"""
            alone = put_words(ops.zeros_like(token_ids), positions, weights, {WORDS})
            return alone, {REPLACED}
        """
    },
)
faking.mistake(
    "softmax_twice",
    "A softmax is taken before words are drawn, and the draw takes another one.",
    hint="`random.categorical` wants logits. What is the softmax of numbers between 0 and 1?",
    change={"categorical(each": "categorical(ops.softmax(each, axis=-1)"},
)
faking.mistake(
    "temperature",
    "The logits are doubled before words are drawn: likely words come too often.",
    hint="Nothing divides or multiplies the logits. Where does a temperature come from?",
    change={"categorical(each": "categorical(2 * each"},
)
faking.mistake(
    "any_word",
    "All words of the vocabulary are drawn alike: the logits do not matter.",
    hint="Fakes that nobody would write are easy to find. Whose opinion are the logits?",
    change={"categorical(each": "categorical(ops.zeros_like(each)"},
)
faking.mistake(
    "one_draw_for_all_rows",
    "There is one draw for all rows: each row gets the words of the first one.",
    hint="Every guess has a draw of its own. Along which axis do yours repeat?",
    change={
        LOGITS: 'ops.cast(logits[:1], "float32")',
        WORDS: "ops.zeros_like(positions) + ops.reshape(drawn, (1, -1))",
    },
)
faking.mistake(
    "one_draw_for_a_row",
    "There is one draw for a row: its words are all the same.",
    hint="Every guess has a draw of its own. How many numbers are drawn for a row of four guesses?",
    change={LOGITS: 'ops.cast(logits[:, :1], "float32")', WORDS: "ops.zeros_like(positions) + drawn"},
)
faking.mistake(
    "seed_ignored",
    "The seed is ignored: nobody can draw the same words again.",
    hint="`random.categorical` takes a seed. Which one does it get?",
    change={", seed=seed": ""},
)
faking.mistake(
    "seed_fixed",
    "The seed is fixed: the same words are drawn at each call.",
    hint="A SeedGenerator goes on from call to call. Who takes a number instead?",
    change={"seed=seed": "seed=0"},
)
faking.mistake(
    "swapped",
    "Two are returned the wrong way round: first what was replaced, then the texts.",
    hint="What does the docstring return first?",
    change={RETURNED: f"return {REPLACED}, corrupted"},
)
