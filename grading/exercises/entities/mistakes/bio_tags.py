"""What goes wrong in bio_tags."""

from __future__ import annotations

from grading.exercises.entities.checks import tagging

IN_ORDER = "require_apart(spans, offsets)"
EACH_NAME = "for start, end, kind in spans:"
FROM_START, TO_END = "offsets[:, 0] >= start", "offsets[:, 0] < end"
FIRST = "if len(inside):"
BEGINS, GOES_ON = 'f"B-{kind}"', 'f"I-{kind}"'

tagging.mistake(
    "inside_everywhere",
    "Every word of a name gets I-, even the first.",
    hint="Two adjacent names of one kind would become one. Which tag marks the beginning of the second?",
    change={BEGINS: GOES_ON},
)
tagging.mistake(
    "every_word_begins",
    "Every word of a name gets B-, so a name of three words becomes three names.",
    hint="B- marks the word that begins a name. What do its other words get?",
    change={GOES_ON: BEGINS},
)
tagging.mistake(
    "end_inclusive",
    "The end of a name is treated as inclusive, so a word that begins at the end counts as part of it.",
    hint="`text[start:end]` leaves `end` out. Does a word that begins at `end` belong to the name?",
    change={TO_END: "offsets[:, 0] <= end"},
)
tagging.mistake(
    "whole_words_only",
    "A word is tagged only if it lies completely inside the name.",
    hint="A name may end within a word, as before a possessive s. Which character of the word decides?",
    change={TO_END: "offsets[:, 1] <= end"},
)
tagging.mistake(
    "touched_words",
    "Every word that shares a character with the name is tagged, even one that begins before it.",
    hint="A word belongs to the name in which its first character lies.",
    change={FROM_START: "offsets[:, 1] > start"},
)
tagging.mistake(
    "by_last_character",
    "A word is tagged if its last character lies in the name, instead of its first.",
    hint="Which of a word's two offsets do you compare? Its beginning decides.",
    change={FROM_START: "offsets[:, 1] > start", TO_END: "offsets[:, 1] <= end"},
)
tagging.mistake(
    "begins_exactly",
    "B- needs a word that begins exactly where the name begins; otherwise the name starts with I-.",
    hint="A name may begin within a word. Then the first word that begins in it gets B-.",
    change={FIRST: "if len(inside) and offsets[inside[0], 0] == start:"},
)
tagging.mistake(
    "neighbours_merged",
    "Adjacent names of one kind are merged: B- only appears if the word before has another kind.",
    hint="Each name has its own B-, whatever comes before it.",
    change={FIRST: "if len(inside) and (inside[0] == 0 or tags[inside[0] - 1][2:] != kind):"},
)
tagging.mistake(
    "first_words_only",
    "Only the first word of a name is tagged.",
    hint="`Zeno Novak` is two words. What is the tag of the second one?",
    change={GOES_ON: '"O"'},
)
tagging.mistake(
    "in_the_order_given",
    "Names are searched in the given order, so a name that comes earlier in the text is lost.",
    hint="The names come in any order. Does your search go back to the beginning of the text for each?",
    change={
        f"spans = {IN_ORDER}": """
            kept = []
            for span in spans:
                if not kept or span > kept[-1]:
                    kept.append(span)
            spans = require_apart(kept, offsets)
        """
    },
)
tagging.mistake(
    "numbers_of_words",
    "The offsets of names are used as word numbers.",
    hint="The offsets count characters. Which characters does word 3 have?",
    change={f"np.flatnonzero(({FROM_START}) & ({TO_END}))": "np.arange(start, min(end, len(tags)))"},
)
tagging.mistake(
    "first_name_only",
    "Only the first name is tagged.",
    hint="A text may have many names. Where does your loop return?",
    change={IN_ORDER: "require_apart(spans[:1], offsets)"},
)
tagging.mistake(
    "kind_cut",
    "The kind is cut at its first hyphen.",
    hint="What is the kind in (0, 4, 'creative-work')? The tag contains all of it.",
    change={EACH_NAME: f'{EACH_NAME}\n    kind = kind.split("-")[0]'},
)
tagging.mistake(
    "one_step_per_word",
    "Each word skips at most one name, so the name after one in which no word begins loses its words.",
    hint="How many names may end between two words? How many does your code skip there?",
    instead="""
        def bio_tags(offsets, spans):
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
    """,
)
