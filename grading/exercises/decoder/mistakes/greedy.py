"""What goes wrong in greedy."""

from __future__ import annotations

from grading.exercises.decoder.checks import greedily

LOGS = "log_probabilities(step, written, **known)"
LIKELIEST = f"likeliest = {LOGS}.argmax(axis=1)"
RETURNED = "return written[:, 1:]"

greedily.mistake(
    "goes_on",
    "A row continues after its end.",
    hint="What comes after the end of a row that waits for the others?",
    change={"np.where(has_ended, padding_id, likeliest)": "likeliest"},
)
greedily.mistake(
    "stops_with_the_first",
    "Writing stops as soon as one row has ended; the others are cut off.",
    hint="Each row ends by itself. When is there nothing left to do?",
    change={"has_ended.all()": "has_ended.any()"},
)
greedily.mistake(
    "ended_at_the_start",
    "A row whose start has the id of the end counts as ended before a word is written.",
    hint="GPT-2 begins and ends a text with the same id. Which words can be an end?",
    change={"has_ended = np.zeros(len(starts), bool)": "has_ended = starts == end_id"},
)
greedily.mistake(
    "never_stops",
    "Writing never stops before max_length, even if all rows have ended.",
    hint="What can still change once every row has ended?",
    change={" and not has_ended.all()": ""},
)
greedily.mistake(
    "with_the_start",
    "The result includes the start.",
    hint="Which words did the model write itself?",
    change={RETURNED: "return written"},
)
greedily.mistake(
    "one_too_few",
    "One word too few is written: max_length counts the start.",
    hint="How many words are there when max_length is 1?",
    change={"<= max_length": "< max_length"},
)
greedily.mistake(
    "one_too_many",
    "One word too many is written: max_length is exceeded by one.",
    hint="How many words are there when max_length is 1?",
    change={"<= max_length": "<= max_length + 1"},
)
greedily.mistake(
    "one_word_for_all",
    "All rows get the single likeliest word of the whole batch.",
    hint="Each row has its own likeliest word. Along which axis do you search?",
    change={LIKELIEST: f"found = {LOGS}\nlikeliest = found[found.max(axis=1).argmax()].argmax()"},
)
greedily.mistake(
    "last_word_only",
    "The step sees only the last word instead of the whole text so far.",
    hint="The next word depends on all words before it.",
    change={"(step, written,": "(step, written[:, -1:],"},
)
greedily.mistake(
    "start_forgotten",
    "The step never sees the start.",
    hint="For the model, what does every text begin with?",
    change={"(step, written,": "(step, written[:, 1:] if written.shape[1] > 1 else written,"},
)
greedily.mistake(
    "least_likely",
    "The least likely word is taken.",
    hint="log P is negative. Which value is the likeliest, the highest or the lowest?",
    change={".argmax(axis=1)": ".argmin(axis=1)"},
)
greedily.mistake(
    "end_replaced",
    "Padding replaces the end itself.",
    hint="Padding comes after the end, so that the reader sees where a text stops.",
    change={RETURNED: "return np.where(written == end_id, padding_id, written)[:, 1:]"},
)
greedily.mistake(
    "padding_of_zero",
    "padding_id is ignored: 0 fills the places after the end.",
    hint="Which argument names the padding?",
    change={"padding_id, likeliest": "0, likeliest"},
)
greedily.mistake(
    "end_repeated",
    "After its end, a row repeats the end instead of getting padding.",
    hint="Which of the two ids fills up a row?",
    change={"np.where(has_ended, padding_id, likeliest)": "np.where(has_ended, end_id, likeliest)"},
)
greedily.mistake(
    "in_64_bits",
    "The ids are int64; they must be int32.",
    hint="np.argmax returns int64. What is the dtype of your result?",
    change={RETURNED: 'return written[:, 1:].astype("int64")'},
)
