"""Known mistakes in unigram_probabilities."""

from __future__ import annotations

from grading.exercises.masked_lm.checks import unigrams

COUNTED = 'np.bincount(np.ravel(token_ids), minlength=vocabulary_size).astype("float64")'
SPECIALS_LEFT_OUT = "counts[list(special_ids)] = 0.0"

unigrams.mistake(
    "specials_counted",
    "Special tokens are counted as words.",
    hint="[CLS] and [SEP] stand in every text. May they be drawn as random words?",
    change={SPECIALS_LEFT_OUT: ""},
)
unigrams.mistake(
    "tuple_as_index",
    "The counts are indexed by special_ids as they are; NumPy takes a tuple for one index per axis.",
    hint="`vocabulary.special_ids` is a tuple. What does counts[(0, 1)] ask of an array with one axis?",
    change={SPECIALS_LEFT_OUT: "counts[special_ids] = 0.0"},
)
unigrams.mistake(
    "divided_by_all_tokens",
    "Special tokens get 0, but they still count in the sum that the counts are divided by.",
    hint="Probabilities sum to 1. What do yours sum to? In which order do you divide and set to 0?",
    change={"counts.sum()": "np.size(token_ids)"},
)
unigrams.mistake(
    "not_divided",
    "The counts are returned instead of the probabilities.",
    hint="Probabilities sum to 1. By what must each count be divided?",
    change={"return counts / counts.sum()": "return counts"},
)
unigrams.mistake(
    "uniform",
    "All words that occur are equally likely, however often they do.",
    hint="How much likelier is a word that occurs twice as often?",
    change={COUNTED: f"({COUNTED} > 0).astype(float)"},
)
unigrams.mistake(
    "once_a_row",
    "A word is counted once for each text that contains it, however often it occurs there.",
    hint="Does a word that occurs twice in one row count twice?",
    change={"np.ravel(token_ids)": "np.concatenate([np.unique(row) for row in np.atleast_2d(token_ids)])"},
)
unigrams.mistake(
    "too_short",
    "The probabilities end at the largest id that occurs instead of the end of the vocabulary.",
    hint="The result has vocabulary_size numbers. Which argument of `np.bincount` sets its length?",
    change={
        ", minlength=vocabulary_size": "",
        "counts[list(special_ids)]": "counts[[each for each in special_ids if each < len(counts)]]",
    },
)
unigrams.mistake(
    "smoothed",
    "1 is added to every count, so even a word that never occurs gets a probability.",
    hint="Smoothing helps elsewhere. May a word that never occurs be drawn here?",
    change={COUNTED: f"{COUNTED} + 1.0"},
)
unigrams.mistake(
    "flattened",
    "The counts are raised to a power below 1, as for the negative examples of word2vec.",
    hint="A power makes rare words likelier. How likely should a word be here?",
    change={COUNTED: f"{COUNTED} ** 0.75"},
)
unigrams.mistake(
    "softmax_of_counts",
    "The result is a softmax of the counts instead of the counts divided by their sum.",
    hint="A softmax takes exponentials first. Does a word that occurs twice as often come out twice as likely?",
    change={COUNTED: f"np.exp({COUNTED})"},
)
unigrams.mistake(
    "counted_in_the_dtype_of_ids",
    "The counts have the dtype of token_ids, so those of small integers overflow.",
    hint="An id may fit into a byte. Does the number of its occurrences, too? Which dtype do you count in?",
    change={COUNTED: COUNTED.replace('.astype("float64")', ".astype(token_ids.dtype)")},
)
