"""Known mistakes in pack_pair."""

from __future__ import annotations

from grading.exercises.tokenization.checks import packing

NUM_SPECIAL = "num_special = 2 if second is None else 3"
CUTTING = "while len(kept_first) + len(kept_second) > room:"
LONGER = "kept_first if len(kept_first) > len(kept_second) else kept_second"
CUT = f"{CUTTING}\n    longer = {LONGER}\n    longer.pop()"
FIRST, SECOND = "[cls_id, *kept_first, sep_id]", "[*kept_second, sep_id]"
FIRST_SEGMENT, SECOND_SEGMENT = "[0] * len(token_ids)", "[1] * (len(kept_second) + 1)"
PADDING = "padding = max_length - len(token_ids)"
PADDED_IDS, PADDED_SEGMENTS = "token_ids + [padding_id] * padding", "segment_ids + [0] * padding"
AT_TOKENS, AT_PADDING = "[True] * len(token_ids)", "[False] * padding"

packing.mistake(
    "no_closing_sep",
    "The closing [SEP] of the second text is missing.",
    hint="Each text ends with [SEP], and so does the last one.",
    change={SECOND: "kept_second", SECOND_SEGMENT: "[1] * len(kept_second)"},
)
packing.mistake(
    "no_sep_between",
    "There is no [SEP] between the texts.",
    hint="How would a model see where the first text ends?",
    change={FIRST: f"{FIRST} if second is None else [cls_id, *kept_first]"},
)
packing.mistake(
    "no_cls",
    "[CLS] is missing.",
    hint="With which id does each row begin, before the first text?",
    change={FIRST: "[*kept_first, sep_id]"},
)
packing.mistake(
    "second_cls",
    "The second text also begins with [CLS]; only the row should.",
    hint="[CLS] stands for the whole row. How many are there?",
    change={FIRST: "[cls_id, *kept_first, sep_id if second is None else cls_id]"},
)
packing.mistake(
    "swapped",
    "cls_id and sep_id are swapped.",
    hint="Which of them begins the row, and which ends each text?",
    change={FIRST: "[sep_id, *kept_first, cls_id]", SECOND: "[*kept_second, cls_id]"},
)
packing.mistake(
    "fixed_special_ids",
    "The ids of [CLS] and [SEP] are always 101 and 102: cls_id and sep_id are ignored.",
    hint="These are the ids of one vocabulary. Which arguments hold those of yours?",
    change={FIRST: "[101, *kept_first, 102]", SECOND: "[*kept_second, 102]"},
)
packing.mistake(
    "closing_sep_in_first_segment",
    "The closing [SEP] of the second text gets segment 0.",
    hint="A [SEP] belongs to the text that it ends.",
    change={SECOND_SEGMENT: "[1] * len(kept_second) + [0]"},
)
packing.mistake(
    "first_sep_in_second_segment",
    "The first [SEP] gets segment 1.",
    hint="A [SEP] belongs to the text that it ends.",
    change={SECOND_SEGMENT: f"{SECOND_SEGMENT}\nsegment_ids[token_ids.index(sep_id)] = 1"},
)
packing.mistake(
    "padding_in_second_segment",
    "Padding gets segment 1.",
    hint="Padding belongs to neither text. What does the docstring say about it?",
    change={PADDED_SEGMENTS: "segment_ids + segment_ids[-1:] * padding"},
)
packing.mistake(
    "segments_from_one",
    "Segments are counted from 1.",
    hint="Which two rows has the table of segment embeddings?",
    change={FIRST_SEGMENT: "[1] * len(token_ids)", SECOND_SEGMENT: "[2] * (len(kept_second) + 1)"},
)
packing.mistake(
    "one_segment",
    "All segment ids are 0: they do not distinguish the two texts.",
    hint="Where does the second text begin and end? Its tokens have segment 1.",
    change={SECOND_SEGMENT: "[0] * (len(kept_second) + 1)"},
)
packing.mistake(
    "not_padded",
    "The row is not padded to max_length.",
    hint="All rows of a batch must have one length. What comes after a short text?",
    change={PADDING: "padding = 0"},
)
packing.mistake(
    "padded_in_front",
    "Padding is put before the tokens.",
    hint="[CLS] is always at position 0, however long the text is.",
    change={
        PADDED_IDS: "[padding_id] * padding + token_ids",
        PADDED_SEGMENTS: "[0] * padding + segment_ids",
        f"{AT_TOKENS} + {AT_PADDING}": f"{AT_PADDING} + {AT_TOKENS}",
    },
)
packing.mistake(
    "padded_with_zero",
    "padding_id is ignored: the row is always padded with 0.",
    hint="Not every vocabulary puts [PAD] first. Which argument says where it is?",
    change={PADDED_IDS: "token_ids + [0] * padding"},
)
packing.mistake(
    "mask_upside_down",
    "padding_mask is inverted: it is True at padding.",
    hint="True means that a token stands there.",
    change={AT_TOKENS: "[False] * len(token_ids)", AT_PADDING: "[True] * padding"},
)
packing.mistake(
    "mask_of_numbers",
    "padding_mask holds numbers; it must be boolean.",
    hint="True and False, not 1 and 0: which dtype is that?",
    change={AT_TOKENS: "[1] * len(token_ids)", AT_PADDING: "[0] * padding"},
)
packing.mistake(
    "special_as_padding",
    "padding_mask is False at [CLS] and [SEP].",
    hint="These are tokens, too: attention may look at them. Which positions alone are padding?",
    change={AT_TOKENS: "[one not in (cls_id, sep_id) for one in token_ids]"},
)
packing.mistake(
    "second_cut",
    "Only the second text is cut: a long first text leaves no room for it, or overflows.",
    hint="Which text should lose an id: always the same, or the longer one?",
    change={LONGER: "kept_second or kept_first"},
)
packing.mistake(
    "first_cut",
    "Only the first text is cut, until nothing is left of it.",
    hint="Which text should lose an id: always the same, or the longer one?",
    change={LONGER: "kept_first or kept_second"},
)
packing.mistake(
    "halves",
    "Each text gets half of the room, even if the other one does not need its half.",
    hint="A short text leaves room. Which text should get it?",
    change={
        CUTTING: """
            if second is not None and len(kept_first) + len(kept_second) > room:
                kept_first, kept_second = kept_first[: room - room // 2], kept_second[: room // 2]
            while len(kept_first) + len(kept_second) > room:
        """
    },
)
packing.mistake(
    "ties_cut_the_first",
    "If both texts have the same length, the first one loses an id; the second should.",
    hint="Is it > or >= that decides which text is the longer one?",
    change={"len(kept_first) > len(kept_second)": "len(kept_first) >= len(kept_second)"},
)
packing.mistake(
    "cut_in_front",
    "Ids are removed from the start of a text instead of its end.",
    hint="From which end of the list does pop() remove an id, and from which does pop(0)?",
    change={"longer.pop()": "longer.pop(0)"},
)
packing.mistake(
    "row_cut",
    "The finished row is cut at max_length, which removes the closing [SEP].",
    hint="[CLS] and [SEP] stay. So when must the texts be cut: before packing, or after?",
    change={CUT: "", PADDING: f"token_ids, segment_ids = token_ids[:max_length], segment_ids[:max_length]\n{PADDING}"},
)
packing.mistake(
    "never_cut",
    "Long texts are not cut: the row becomes longer than max_length.",
    hint="How much room do [CLS] and the [SEP]s leave? What if the texts need more?",
    change={CUT: ""},
)
packing.mistake(
    "cut_by_recursion",
    "`pack_pair` calls itself for each id that it cuts, so Python refuses to go on after a thousand.",
    hint="How long may a text be? A loop does the same, and has no limit.",
    change={
        CUTTING: "if len(kept_first) + len(kept_second) > room:",
        "longer.pop()": """
            longer.pop()
            shorter = None if second is None else kept_second
            return pack_pair(kept_first, shorter, max_length, cls_id=cls_id, sep_id=sep_id, padding_id=padding_id)
        """,
    },
)
packing.mistake(
    "three_special_tokens",
    "Room is always kept for three special tokens, but a single text has only two.",
    hint="Without a second text there is one [SEP]. How much room does that leave?",
    change={NUM_SPECIAL: "num_special = 3"},
)
packing.mistake(
    "none_as_empty",
    "A single text gets a second [SEP], as if an empty text followed.",
    hint="None and [] are not the same. Which of them is a text?",
    change={NUM_SPECIAL: f"second = second or []\n{NUM_SPECIAL}"},
)
packing.mistake(
    "empty_as_none",
    "An empty second text is treated like None: its [SEP] is missing.",
    hint="`if second` is False for an empty list, too. Which test is true only for None?",
    change={NUM_SPECIAL: f"second = second or None\n{NUM_SPECIAL}"},
)
