"""What goes wrong in entities_of."""

from __future__ import annotations

from collections.abc import Sequence

import course.entities as right
from course.entities import Span
from grading.exercises.entities.checks import reading


@reading.whole_mistake(
    "A name at the end of the sentence is lost.",
    hint="A name is noted when it ends. What ends the last one?",
)
def last_lost(tags: Sequence[str], strict: bool = False) -> list[Span]:
    return [name for name in right.entities_of(tags, strict) if name[1] < len(tags)]


@reading.whole_mistake(
    "B- right behind a name of the same kind does not end it: the two are one.",
    hint="B- always begins a name, whatever stands before it.",
)
def merged(tags: Sequence[str], strict: bool = False) -> list[Span]:
    found: list[Span] = []
    for first, last, kind in right.entities_of(tags, strict):
        if found and found[-1][1:] == (first, kind) and tags[first].startswith("B-"):
            found[-1] = (found[-1][0], last, kind)
        else:
            found.append((first, last, kind))
    return found


@reading.whole_mistake(
    "I- of another kind goes on with the name.",
    hint="Compare the kind of the I- with that of the name that it should go on with.",
)
def kind_not_compared(tags: Sequence[str], strict: bool = False) -> list[Span]:
    alike, kind = [], ""
    for tag in tags:
        kind = kind if tag.startswith("I-") and kind else tag[2:]
        alike.append("O" if tag == "O" else f"{tag[0]}-{kind}")
    return right.entities_of(alike, strict)


@reading.whole_mistake(
    "It is always strict: an I- that has nothing to go on with is dropped.",
    hint="Without `strict` such an I- begins a name, as in conlleval.",
)
def always_strict(tags: Sequence[str], strict: bool = False) -> list[Span]:
    return right.entities_of(tags, strict=True)


@reading.whole_mistake(
    "It is never strict: an I- that has nothing to go on with begins a name even then.",
    hint="With `strict` only B- begins a name.",
)
def never_strict(tags: Sequence[str], strict: bool = False) -> list[Span]:
    return right.entities_of(tags)


@reading.whole_mistake(
    "The last word is given, not the one behind it.",
    hint="`words[first:last]` should be the name. How many words has a name from 3 to 5?",
)
def end_inclusive(tags: Sequence[str], strict: bool = False) -> list[Span]:
    return [(first, last - 1, kind) for first, last, kind in right.entities_of(tags, strict)]


@reading.whole_mistake(
    "A name of a single word is none.",
    hint="B- with nothing behind it is a whole name.",
)
def single_words_lost(tags: Sequence[str], strict: bool = False) -> list[Span]:
    return [name for name in right.entities_of(tags, strict) if name[1] - name[0] > 1]


@reading.whole_mistake(
    "The kind ends at its second hyphen.",
    hint='Split "B-creative-work" at its first hyphen only.',
)
def kind_cut(tags: Sequence[str], strict: bool = False) -> list[Span]:
    return right.entities_of(["-".join(tag.split("-")[:2]) for tag in tags], strict)


@reading.whole_mistake(
    "O does not end a name: I- of its kind goes on behind a gap.",
    hint="What is a name before O is no name any more behind it.",
)
def gap_bridged(tags: Sequence[str], strict: bool = False) -> list[Span]:
    found: list[Span] = []
    for first, last, kind in right.entities_of(tags):
        begins = tags[first].startswith("B-")
        if found and not begins and found[-1][2] == kind and all(tag == "O" for tag in tags[found[-1][1] : first]):
            found[-1] = (found[-1][0], last, kind)
        elif begins or not strict:
            found.append((first, last, kind))
    return found


@reading.whole_mistake(
    "Every word of a name is a name of its own.",
    hint="I- goes on with a name. What is noted when, and with which first word?",
)
def every_word(tags: Sequence[str], strict: bool = False) -> list[Span]:
    return [
        (word, word + 1, kind) for first, last, kind in right.entities_of(tags, strict) for word in range(first, last)
    ]


@reading.whole_mistake(
    "With strict, a stray I- is passed over, and the name before it goes on behind it.",
    hint="Whatever does not go on with a name ends it, even if it is none itself.",
)
def stray_passed_over(tags: Sequence[str], strict: bool = False) -> list[Span]:
    if not strict:
        return right.entities_of(tags)
    found: list[Span] = []
    is_open = False
    for word, tag in enumerate(tags):
        if tag.startswith("B-"):
            found.append((word, word + 1, tag[2:]))
            is_open = True
        elif tag == "O":
            is_open = False
        elif is_open and tag[2:] == found[-1][2]:
            found[-1] = (found[-1][0], word + 1, tag[2:])
    return found
