"""What goes wrong in align_labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import course.entities as right
from grading.exercises.entities.checks import aligning


@aligning.whole_mistake(
    "Every piece of a word has its tag: a word of three pieces begins three names.",
    hint="Only the first piece of a word is learned and counted. What do the others get?",
)
def every_piece(tags: Sequence[str], word_ids: Any, tag_ids: Mapping[str, int], ignore: int = -100) -> np.ndarray:
    return np.array([tag_ids[tags[word]] if word >= 0 else ignore for word in word_ids], "int32")


@aligning.whole_mistake(
    "The other pieces of a name's first word have I- instead of `ignore`.",
    hint="That is one way to do it, and not the one of this course: here only first pieces have a label.",
)
def inside_for_pieces(tags: Sequence[str], word_ids: Any, tag_ids: Mapping[str, int], ignore: int = -100) -> np.ndarray:
    labels = right.align_labels(tags, word_ids, tag_ids, ignore)
    for place, word in enumerate(word_ids):
        if word >= 0 and labels[place] == ignore:
            labels[place] = tag_ids[tags[word].replace("B-", "I-")]
    return labels


@aligning.whole_mistake(
    "The last piece of a word has its tag, and not the first one.",
    hint="The head reads one piece of each word. Which one did BERT's authors take?",
)
def last_pieces(tags: Sequence[str], word_ids: Any, tag_ids: Mapping[str, int], ignore: int = -100) -> np.ndarray:
    backwards = np.asarray(word_ids)[::-1]
    return right.align_labels(tags, backwards, tag_ids, ignore)[::-1]


@aligning.whole_mistake(
    "[CLS], [SEP] and padding have the label of O, so the loss counts them.",
    hint="They are no words, so they have no tag. What says that a token does not count?",
)
def specials_outside(tags: Sequence[str], word_ids: Any, tag_ids: Mapping[str, int], ignore: int = -100) -> np.ndarray:
    labels = right.align_labels(tags, word_ids, tag_ids, ignore)
    return np.where(np.asarray(word_ids) < 0, tag_ids["O"], labels).astype("int32")


@aligning.whole_mistake(
    "All labels stand one place too early: [CLS] has that of the first word.",
    hint="[CLS] is a token, too. Go through the tokens, and ask of each to which word it belongs.",
)
def shifted(tags: Sequence[str], word_ids: Any, tag_ids: Mapping[str, int], ignore: int = -100) -> np.ndarray:
    labels = right.align_labels(tags, word_ids, tag_ids, ignore)
    return np.append(labels[1:], np.array([ignore], "int32"))


@aligning.whole_mistake(
    "-1 is used as an index: [CLS] and padding get the tag of the last word.",
    hint="`tags[-1]` is no error in Python. Which tokens must not be looked up?",
)
def last_word_for_specials(
    tags: Sequence[str], word_ids: Any, tag_ids: Mapping[str, int], ignore: int = -100
) -> np.ndarray:
    labels = right.align_labels(tags, word_ids, tag_ids, ignore)
    return np.where(np.asarray(word_ids) < 0, tag_ids[tags[-1]], labels).astype("int32")


@aligning.whole_mistake(
    "Tags are compared instead of words: the second of two words with one tag is taken for a piece of the first.",
    hint='Two words in a row may have the same tag, "O" for instance. What tells one word from the next?',
)
def by_tag(tags: Sequence[str], word_ids: Any, tag_ids: Mapping[str, int], ignore: int = -100) -> np.ndarray:
    labels, before = [], None
    for word in word_ids:
        tag = tags[word] if word >= 0 else None
        labels.append(ignore if tag is None or tag == before else tag_ids[tag])
        before = tag
    return np.array(labels, "int32")


@aligning.whole_mistake(
    "The tags are taken one after the other: a word without a piece shifts all after it.",
    hint="A word may vanish in the tokenizer. The token says of which word it is: use that number.",
)
def one_after_the_other(
    tags: Sequence[str], word_ids: Any, tag_ids: Mapping[str, int], ignore: int = -100
) -> np.ndarray:
    labels, seen, before = [], 0, -1
    for word in word_ids:
        is_first = word >= 0 and word != before
        labels.append(tag_ids[tags[seen]] if is_first else ignore)
        seen, before = seen + is_first, word
    return np.array(labels, "int32")


@aligning.whole_mistake(
    "What is ignored is always -100, whatever was asked for.",
    hint="`ignore` is an argument.",
)
def always_minus_100(tags: Sequence[str], word_ids: Any, tag_ids: Mapping[str, int], ignore: int = -100) -> np.ndarray:
    return right.align_labels(tags, word_ids, tag_ids)


@aligning.whole_mistake(
    "Words without a name are ignored, too: the model never learns what no name is.",
    hint='"O" is a tag like the others, and most words have it.',
)
def outside_ignored(tags: Sequence[str], word_ids: Any, tag_ids: Mapping[str, int], ignore: int = -100) -> np.ndarray:
    labels = right.align_labels(tags, word_ids, tag_ids, ignore)
    return np.where(labels == tag_ids["O"], ignore, labels).astype("int32")


@aligning.whole_mistake(
    "The ids are those of the order of the tags in this sentence, and not those of `tag_ids`.",
    hint="A tag must have the same id in every sentence. Where are the ids?",
)
def own_ids(tags: Sequence[str], word_ids: Any, tag_ids: Mapping[str, int], ignore: int = -100) -> np.ndarray:
    own = {tag: number for number, tag in enumerate(dict.fromkeys(tags))}
    return right.align_labels(tags, word_ids, own, ignore)


@aligning.whole_mistake(
    "A tag whose id is 0 is ignored: 0 counts as no id.",
    hint="In Python, `0 or ignore` is `ignore`. Ask whether there is an id, not whether it is true.",
)
def nought_ignored(tags: Sequence[str], word_ids: Any, tag_ids: Mapping[str, int], ignore: int = -100) -> np.ndarray:
    return right.align_labels(tags, word_ids, {tag: number or ignore for tag, number in tag_ids.items()}, ignore)
