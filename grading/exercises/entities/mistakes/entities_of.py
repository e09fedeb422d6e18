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
    hint="A name is stored when it ends. What ends the last one?",
    change={'enumerate([*tags, "O"])': "enumerate(tags)"},
)
reading.mistake(
    "merged",
    "B- directly after a name of the same kind does not end it, so the two become one.",
    hint="B- always begins a name, whatever comes before it.",
    change={SAME_KIND: "kind == open_kind", BEGINS: 'not goes_on and (place == "B" or (place == "I" and not strict))'},
)
reading.mistake(
    "kind_not_compared",
    "I- of another kind continues the name.",
    hint="Compare the kind of the I- with the kind of the name before it.",
    change={SAME_KIND: 'place == "I"'},
)
reading.mistake(
    "always_strict",
    "The function is always strict: an I- without a name before it is dropped.",
    hint="Without `strict`, such an I- begins a name, as in conlleval.",
    change={BEGINS: 'place == "B"'},
)
reading.mistake(
    "never_strict",
    "The function is never strict: an I- without a name before it always begins one.",
    hint="With `strict` only B- begins a name.",
    change={BEGINS: 'place == "B" or (place == "I" and not goes_on)'},
)
reading.mistake(
    "end_inclusive",
    "The end is the last word instead of the word after it.",
    hint="`words[first:last]` should be the name. How many words does a name from 3 to 5 have?",
    change={NOTED: "found.append((start, word - 1, open_kind))"},
)
reading.mistake(
    "single_words_lost",
    "Names of a single word are lost.",
    hint="A B- alone is a complete name.",
    change={NOTED: f"if word - start > 1:\n    {NOTED}"},
)
reading.mistake(
    "kind_cut",
    "The kind is cut at its second hyphen.",
    hint='Split "B-creative-work" at its first hyphen only.',
    change={PARTS: f'{PARTS}\nkind = kind.split("-")[0]'},
)
reading.mistake(
    "gap_bridged",
    "O does not end a name: I- of the same kind continues it after a gap.",
    hint="A name before an O has ended. What does the I- after it continue?",
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
    "Every word of a name becomes a name of its own.",
    hint="I- continues a name. When do you store a name, and with which first word?",
    change={NOTED: "found += [(one, one + 1, open_kind) for one in range(start, word)]"},
)
reading.mistake(
    "stray_passed_over",
    "With strict, a stray I- is skipped, and the name before it continues after it.",
    hint="Any tag that does not continue a name ends it, even if it begins none itself.",
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
