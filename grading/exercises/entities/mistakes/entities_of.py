"""What goes wrong in entities_of."""

from __future__ import annotations

from grading.exercises.entities.checks import reading

PARTS = "place, kind = tag_parts(tag)"
SAME_KIND = 'place == "I" and kind == open_kind'
NOTED = "found.append((start, word, open_kind))"
BEGINS = 'place == "B" or (place == "I" and not goes_on and not strict)'
BEGUN = f"if {BEGINS}:\n    start, open_kind = word, kind"

reading.mistake(
    "last_lost",
    "A name at the end of the sentence is lost.",
    hint="A name is noted when it ends. What ends the last one?",
    change={'enumerate([*tags, "O"])': "enumerate(tags)"},
)
reading.mistake(
    "merged",
    "B- right behind a name of the same kind does not end it: the two are one.",
    hint="B- always begins a name, whatever stands before it.",
    change={SAME_KIND: "kind == open_kind", BEGINS: 'not goes_on and (place == "B" or (place == "I" and not strict))'},
)
reading.mistake(
    "kind_not_compared",
    "I- of another kind goes on with the name.",
    hint="Compare the kind of the I- with that of the name that it should go on with.",
    change={SAME_KIND: 'place == "I"'},
)
reading.mistake(
    "always_strict",
    "It is always strict: an I- that has nothing to go on with is dropped.",
    hint="Without `strict` such an I- begins a name, as in conlleval.",
    change={BEGINS: 'place == "B"'},
)
reading.mistake(
    "never_strict",
    "It is never strict: an I- that has nothing to go on with begins a name even then.",
    hint="With `strict` only B- begins a name.",
    change={BEGINS: 'place == "B" or (place == "I" and not goes_on)'},
)
reading.mistake(
    "end_inclusive",
    "The last word is given, not the one behind it.",
    hint="`words[first:last]` should be the name. How many words has a name from 3 to 5?",
    change={NOTED: "found.append((start, word - 1, open_kind))"},
)
reading.mistake(
    "single_words_lost",
    "A name of a single word is none.",
    hint="B- with nothing behind it is a whole name.",
    change={NOTED: f"if word - start > 1:\n    {NOTED}"},
)
reading.mistake(
    "kind_cut",
    "The kind ends at its second hyphen.",
    hint='Split "B-creative-work" at its first hyphen only.',
    change={PARTS: f'{PARTS}\nkind = kind.split("-")[0]'},
)
reading.mistake(
    "gap_bridged",
    "O does not end a name: I- of its kind goes on behind a gap.",
    hint="What is a name before O is no name any more behind it.",
    change={
        f"if {BEGINS}:": f"""
            is_behind_gap = found and all(one == "O" for one in tags[found[-1][1] : word])
            if place == "I" and kind == open_kind and is_behind_gap:
                start = found.pop()[0]
            elif {BEGINS}:
        """
    },
)
reading.mistake(
    "every_word",
    "Every word of a name is a name of its own.",
    hint="I- goes on with a name. What is noted when, and with which first word?",
    change={NOTED: "found += [(one, one + 1, open_kind) for one in range(start, word)]"},
)
reading.mistake(
    "stray_passed_over",
    "With strict, a stray I- is passed over, and the name before it goes on behind it.",
    hint="Whatever does not go on with a name ends it, even if it is none itself.",
    change={
        PARTS: f"""
            {PARTS}
            if strict and start is not None and place == "I" and kind != open_kind:
                continue
        """,
        NOTED: "found.append((start, end, open_kind))",
        BEGUN: f"{BEGUN}\nend = word + 1",
    },
)
