"""What goes wrong in bio_tags."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import course.entities as right
from course.entities import Span
from grading.exercises.entities.checks import tagging

# Whether a word, by its start and end, is of a name, by the same.
Rule = Callable[[int, int, int, int], bool]


def tagged_by(rule: Rule, offsets: Any, spans: Sequence[Span]) -> list[str]:
    """Tags of words that a rule gives to names."""
    tags = ["O"] * len(offsets)
    for first, last, kind in sorted(spans):
        inside = [number for number, (start, end) in enumerate(offsets) if rule(start, end, first, last)]
        for number in inside:
            tags[number] = f"{'B' if number == inside[0] else 'I'}-{kind}"
    return tags


@tagging.whole_mistake(
    "Every word of a name has I-, its first one, too.",
    hint="Two names of one kind side by side would be one. What tells where the second one begins?",
)
def inside_everywhere(offsets: Any, spans: Sequence[Span]) -> list[str]:
    return [tag.replace("B-", "I-") for tag in right.bio_tags(offsets, spans)]


@tagging.whole_mistake(
    "Every word of a name has B-: a name of three words becomes three names.",
    hint="B- is for the word that begins a name. What do its other words have?",
)
def every_word_begins(offsets: Any, spans: Sequence[Span]) -> list[str]:
    return [tag.replace("I-", "B-") for tag in right.bio_tags(offsets, spans)]


@tagging.whole_mistake(
    "The end of a name is taken for its last character, so a word that begins right behind it is in.",
    hint="`text[start:end]` leaves `end` out. Does a word that begins at `end` belong to the name?",
)
def end_inclusive(offsets: Any, spans: Sequence[Span]) -> list[str]:
    return tagged_by(lambda start, end, first, last: first <= start <= last, offsets, spans)


@tagging.whole_mistake(
    "A word counts only if all of it lies in the name.",
    hint="A name may end within a word, as before a possessive s. Which character of the word decides?",
)
def whole_words_only(offsets: Any, spans: Sequence[Span]) -> list[str]:
    return tagged_by(lambda start, end, first, last: first <= start and end <= last, offsets, spans)


@tagging.whole_mistake(
    "Every word that shares a character with the name is in, even one that begins before it.",
    hint="A word belongs to the name in which its first character lies.",
)
def touched_words(offsets: Any, spans: Sequence[Span]) -> list[str]:
    return tagged_by(lambda start, end, first, last: start < last and end > first, offsets, spans)


@tagging.whole_mistake(
    "A word is in where its last character lies in the name, not its first one.",
    hint="Which of a word's two offsets do you compare? Take where it begins.",
)
def by_last_character(offsets: Any, spans: Sequence[Span]) -> list[str]:
    return tagged_by(lambda start, end, first, last: first < end <= last, offsets, spans)


@tagging.whole_mistake(
    "Only a word that begins exactly where the name begins gets B-; without one, the name begins with I-.",
    hint="A name may begin within a word. Then the first word that begins in it gets B-.",
)
def begins_exactly(offsets: Any, spans: Sequence[Span]) -> list[str]:
    tags, starts = right.bio_tags(offsets, spans), {start for start, _, _ in spans}
    return [
        tag.replace("B-", "I-") if start not in starts else tag
        for tag, (start, _) in zip(tags, np.asarray(offsets), strict=True)
    ]


@tagging.whole_mistake(
    "Names of one kind that stand side by side are one: B- only where the word before is of another kind.",
    hint="What begins a name is the name itself, and not what stands before it.",
)
def neighbours_merged(offsets: Any, spans: Sequence[Span]) -> list[str]:
    tags, before = [], "O"
    for tag in right.bio_tags(offsets, spans):
        tags.append(f"I-{tag[2:]}" if tag != "O" and tag[2:] == before[2:] else tag)
        before = tag
    return tags


@tagging.whole_mistake(
    "Only the first word of a name is tagged.",
    hint="`Zeno Novak` is two words. What is the tag of the second one?",
)
def first_words_only(offsets: Any, spans: Sequence[Span]) -> list[str]:
    return ["O" if tag.startswith("I-") else tag for tag in right.bio_tags(offsets, spans)]


@tagging.whole_mistake(
    "Names are looked for in the order in which they are given, and one that stands earlier is lost.",
    hint="The names come in any order. Do you go back to the beginning of the text for each?",
)
def in_the_order_given(offsets: Any, spans: Sequence[Span]) -> list[str]:
    passed, kept = -1, []
    for span in spans:
        if span[0] > passed:
            kept.append(span)
            passed = span[0]
    return right.bio_tags(offsets, kept)


@tagging.whole_mistake(
    "The offsets of names are taken for numbers of words.",
    hint="Names are given by characters. Which characters are those of word 3?",
)
def numbers_of_words(offsets: Any, spans: Sequence[Span]) -> list[str]:
    return tagged_by(
        lambda start, end, first, last: first <= start < last,
        [(number, number + 1) for number in range(len(offsets))],
        spans,
    )


@tagging.whole_mistake(
    "Only the first name is tagged.",
    hint="A text may have many names. Where does your loop return?",
)
def first_name_only(offsets: Any, spans: Sequence[Span]) -> list[str]:
    return right.bio_tags(offsets, list(spans)[:1])


@tagging.whole_mistake(
    "The kind ends at its first hyphen.",
    hint="What is the kind in ('creative-work')? All of it belongs into the tag.",
)
def kind_cut(offsets: Any, spans: Sequence[Span]) -> list[str]:
    return right.bio_tags(offsets, [(start, end, kind.split("-")[0]) for start, end, kind in spans])


@tagging.whole_mistake(
    "At each word only one name is passed: behind a name in which no word begins, the next one loses its words.",
    hint="Between two words, more than one name may end. With `while` in place of `if`, all of them are passed.",
)
def one_step_per_word(offsets: Any, spans: Sequence[Span]) -> list[str]:
    names, tags = sorted(spans), []
    current, before = 0, -1
    for start, _ in np.asarray(offsets):
        if current < len(names) and start >= names[current][1]:
            current += 1
        if current < len(names) and names[current][0] <= start < names[current][1]:
            tags.append(f"{'I' if before == current else 'B'}-{names[current][2]}")
            before = current
        else:
            tags.append("O")
    return tags
