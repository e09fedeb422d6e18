"""What goes wrong in greedy."""

from __future__ import annotations

from grading.exercises.decoder.checks import greedily

LOGS = "log_probabilities(step, written, **known)"
LIKELIEST = f"likeliest = {LOGS}.argmax(axis=1)"
RETURNED = "return written[:, 1:]"

greedily.mistake(
    "goes_on",
    "A row goes on after its end.",
    hint="What stands behind the end of a row that waits for the others?",
    change={"np.where(has_ended, padding_id, likeliest)": "likeliest"},
)
greedily.mistake(
    "stops_with_the_first",
    "Writing stops when the first row has ended; the others are cut off.",
    hint="Rows end by themselves. When is there nothing left to do?",
    change={"has_ended.all()": "has_ended.any()"},
)
greedily.mistake(
    "never_stops",
    "It never stops before max_length, though all rows have ended.",
    hint="What could still change when each row has said the end?",
    change={" and not has_ended.all()": ""},
)
greedily.mistake(
    "with_the_start",
    "The start is part of what is returned.",
    hint="What has the model written itself?",
    change={RETURNED: "return written"},
)
greedily.mistake(
    "one_too_few",
    "A word too few is written: the start is counted in max_length.",
    hint="How many words are there when max_length is 1?",
    change={"<= max_length": "< max_length"},
)
greedily.mistake(
    "one_too_many",
    "A word too many is written: max_length is passed by one.",
    hint="How many words are there when max_length is 1?",
    change={"<= max_length": "<= max_length + 1"},
)
greedily.mistake(
    "one_word_for_all",
    "All rows get the word that is likeliest anywhere in the batch.",
    hint="Each row has its own likeliest word. Along which axis do you look for it?",
    change={LIKELIEST: f"found = {LOGS}\nlikeliest = found[found.max(axis=1).argmax()].argmax()"},
)
greedily.mistake(
    "last_word_only",
    "The step only sees the last word, and not all that was written.",
    hint="What follows depends on the whole text so far.",
    change={"(step, written,": "(step, written[:, -1:],"},
)
greedily.mistake(
    "start_forgotten",
    "The step never sees the start.",
    hint="What does a text begin with, for the model?",
    change={"(step, written,": "(step, written[:, 1:] if written.shape[1] > 1 else written,"},
)
greedily.mistake(
    "least_likely",
    "The least likely word is taken.",
    hint="log P is negative. Which one is the likeliest, the highest or the lowest?",
    change={".argmax(axis=1)": ".argmin(axis=1)"},
)
greedily.mistake(
    "end_replaced",
    "The end itself is replaced by padding.",
    hint="Padding stands behind the end, so that one sees where a text stops.",
    change={RETURNED: "return np.where(written == end_id, padding_id, written)[:, 1:]"},
)
greedily.mistake(
    "padding_of_zero",
    "padding_id is ignored: behind the end stands 0.",
    hint="What stands behind the end is said by an argument.",
    change={"padding_id, likeliest": "0, likeliest"},
)
