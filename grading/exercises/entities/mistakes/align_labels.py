"""What goes wrong in align_labels."""

from __future__ import annotations

from grading.exercises.entities.checks import aligning

KNOWN_TAGS = "require_known_tags(tags, tag_ids)"
IGNORED = 'np.full(len(word_ids), ignore, "int32")'
IS_FIRST = "place == 0 or word_ids[place - 1] != word"
COUNTS = "if word >= 0 and is_first:"
TAG_ID = "tag_ids[tags[word]]"

aligning.mistake(
    "every_piece",
    "Every piece of a word gets its tag, so a word of three pieces begins three names.",
    hint="Only the first piece of a word is trained and counted. What do the others get?",
    change={COUNTS: "if word >= 0:"},
)
aligning.mistake(
    "inside_for_pieces",
    "The other pieces of a name's first word get I- instead of `ignore`.",
    hint="Some taggers do that. In this course, only first pieces have a label.",
    change={
        f"{COUNTS}\n    labels[place] = {TAG_ID}": f"""
            {COUNTS}
                labels[place] = {TAG_ID}
            elif word >= 0:
                labels[place] = tag_ids[tags[word].replace("B-", "I-")]
        """
    },
)
aligning.mistake(
    "last_pieces",
    "The last piece of a word gets its tag instead of the first.",
    hint="The head reads one piece of each word. Which one did BERT's authors take?",
    change={IS_FIRST: "place == len(word_ids) - 1 or word_ids[place + 1] != word"},
)
aligning.mistake(
    "specials_outside",
    "[CLS], [SEP] and padding get the label of O, so the loss counts them.",
    hint="They are no words, so they have no tag. Which label makes the loss skip a token?",
    change={IGNORED: 'np.where(word_ids < 0, tag_ids["O"], ignore).astype("int32")'},
)
aligning.mistake(
    "shifted",
    "All labels are one place too early: [CLS] has the label of the first word.",
    hint="[CLS] is a token, too. For each token, look up which word it belongs to.",
    change={"return labels": 'return np.append(labels[1:], np.array([ignore], "int32"))'},
)
aligning.mistake(
    "last_word_for_specials",
    "-1 is used as an index, so [CLS] and padding get the tag of the last word.",
    hint="`tags[-1]` is no error in Python. Which tokens must not be looked up?",
    change={COUNTS: "if word < 0 or is_first:"},
)
aligning.mistake(
    "by_tag",
    "Tags are compared instead of words, so a word with the same tag as the one before counts as a piece of it.",
    hint='Two adjacent words may have the same tag, "O" for instance. How do you know that a new word begins?',
    change={IS_FIRST: "place == 0 or word_ids[place - 1] < 0 or tags[word_ids[place - 1]] != tags[word]"},
)
aligning.mistake(
    "one_after_the_other",
    "The tags are used up one after the other, so a word without a piece shifts all later tags.",
    hint="A word may vanish in the tokenizer. Each token knows the number of its word: use it.",
    change={IGNORED: f"{IGNORED}\nseen = 0", TAG_ID: "tag_ids[tags[seen]]\nseen += 1"},
)
aligning.mistake(
    "always_minus_100",
    "Ignored tokens always get -100, whatever `ignore` is.",
    hint="`ignore` is an argument.",
    change={IGNORED: 'np.full(len(word_ids), -100, "int32")'},
)
aligning.mistake(
    "outside_ignored",
    "Words outside names are ignored, too, so the model never learns what is no name.",
    hint='"O" is a tag like the others, and most words have it.',
    change={COUNTS: 'if word >= 0 and is_first and tags[word] != "O":'},
)
aligning.mistake(
    "own_ids",
    "The ids follow the order of the tags in this sentence instead of `tag_ids`.",
    hint="A tag must have the same id in every sentence. Where are the ids?",
    change={KNOWN_TAGS: "tag_ids = {tag: number for number, tag in enumerate(dict.fromkeys(tags))}"},
)
aligning.mistake(
    "nought_ignored",
    "A tag with the id 0 is ignored: the code treats 0 as a missing id.",
    hint="What is `0 or -100` in Python? Where does your code treat an id as true or false?",
    change={TAG_ID: f"{TAG_ID} or ignore"},
)
aligning.mistake(
    "dtype_of_word_ids",
    "The labels have the dtype of the word ids instead of int32.",
    hint="np.full_like takes over more than the shape. What does the docstring return?",
    change={IGNORED: "np.full_like(word_ids, ignore)"},
)
