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
    "Every piece of a word has its tag: a word of three pieces begins three names.",
    hint="Only the first piece of a word is learned and counted. What do the others get?",
    change={COUNTS: "if word >= 0:"},
)
aligning.mistake(
    "inside_for_pieces",
    "The other pieces of a name's first word have I- instead of `ignore`.",
    hint="That is one way to do it, and not the one of this course: here only first pieces have a label.",
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
    "The last piece of a word has its tag, and not the first one.",
    hint="The head reads one piece of each word. Which one did BERT's authors take?",
    change={IS_FIRST: "place == len(word_ids) - 1 or word_ids[place + 1] != word"},
)
aligning.mistake(
    "specials_outside",
    "[CLS], [SEP] and padding have the label of O, so the loss counts them.",
    hint="They are no words, so they have no tag. What says that a token does not count?",
    change={IGNORED: 'np.where(word_ids < 0, tag_ids["O"], ignore).astype("int32")'},
)
aligning.mistake(
    "shifted",
    "All labels stand one place too early: [CLS] has that of the first word.",
    hint="[CLS] is a token, too. Go through the tokens, and ask of each to which word it belongs.",
    change={"return labels": 'return np.append(labels[1:], np.array([ignore], "int32"))'},
)
aligning.mistake(
    "last_word_for_specials",
    "-1 is used as an index: [CLS] and padding get the tag of the last word.",
    hint="`tags[-1]` is no error in Python. Which tokens must not be looked up?",
    change={COUNTS: "if word < 0 or is_first:"},
)
aligning.mistake(
    "by_tag",
    "Tags are compared instead of words: the second of two words with one tag is taken for a piece of the first.",
    hint='Two words in a row may have the same tag, "O" for instance. What tells one word from the next?',
    change={IS_FIRST: "place == 0 or word_ids[place - 1] < 0 or tags[word_ids[place - 1]] != tags[word]"},
)
aligning.mistake(
    "one_after_the_other",
    "The tags are taken one after the other: a word without a piece shifts all after it.",
    hint="A word may vanish in the tokenizer. The token says of which word it is: use that number.",
    change={IGNORED: f"{IGNORED}\nseen = 0", TAG_ID: "tag_ids[tags[seen]]\nseen += 1"},
)
aligning.mistake(
    "always_minus_100",
    "What is ignored is always -100, whatever was asked for.",
    hint="`ignore` is an argument.",
    change={IGNORED: 'np.full(len(word_ids), -100, "int32")'},
)
aligning.mistake(
    "outside_ignored",
    "Words without a name are ignored, too: the model never learns what no name is.",
    hint='"O" is a tag like the others, and most words have it.',
    change={COUNTS: 'if word >= 0 and is_first and tags[word] != "O":'},
)
aligning.mistake(
    "own_ids",
    "The ids are those of the order of the tags in this sentence, and not those of `tag_ids`.",
    hint="A tag must have the same id in every sentence. Where are the ids?",
    change={KNOWN_TAGS: "tag_ids = {tag: number for number, tag in enumerate(dict.fromkeys(tags))}"},
)
aligning.mistake(
    "nought_ignored",
    "A tag whose id is 0 is ignored: 0 counts as no id.",
    hint="In Python, `0 or ignore` is `ignore`. Ask whether there is an id, not whether it is true.",
    change={TAG_ID: f"{TAG_ID} or ignore"},
)
