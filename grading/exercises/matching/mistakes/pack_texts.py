"""What goes wrong in pack_texts."""

from __future__ import annotations

from grading.exercises.matching.checks import packing

ROOM = "room = max_length - 1 - len(texts)"
BEGUN = "token_ids, segment_ids = [cls_id], [0]"
KEPT = "kept = list(ids)[:room]"
TOKENS = "token_ids += [*kept, sep_id]"
SEGMENTS = "segment_ids += [segment] * (len(kept) + 1)"
PADDING = "padding = max_length - len(token_ids)"
CUT_AT_THE_END = f"token_ids, segment_ids = token_ids[:max_length], segment_ids[:max_length]\n{PADDING}"
MASK = "np.arange(max_length) < len(token_ids)"

packing.mistake(
    "two_segments",
    "There are only two segments: all texts after the first have segment 1.",
    hint="Title and body are two texts. How should the encoder distinguish them?",
    change={"[segment]": "[min(segment, 1)]"},
)
packing.mistake(
    "one_segment",
    "All tokens have segment 0.",
    hint="The segment says which text a token belongs to.",
    change={"[segment]": "[0]"},
)
packing.mistake(
    "segments_from_1",
    "Segments are counted from 1.",
    hint="The first text, with [CLS], has segment 0.",
    change={BEGUN: "token_ids, segment_ids = [cls_id], [1]", "[segment]": "[segment + 1]"},
)
packing.mistake(
    "alternating",
    "The segments alternate: 0, 1, 0.",
    hint="That is how summarisation models mark sentences. Here each text has its own segment.",
    change={"[segment]": "[segment % 2]"},
)
packing.mistake(
    "sep_in_the_next",
    "Each [SEP] has the segment of the text after it instead of the text it ends.",
    hint="A [SEP] belongs to the text before it.",
    change={SEGMENTS: "segment_ids += [segment] * len(kept) + [segment + 1]"},
)
packing.mistake(
    "padding_in_the_last",
    "Padding has the segment of the last text instead of 0.",
    hint="The places after the last [SEP] belong to no text.",
    change={"segment_ids + [0] * padding": "segment_ids + [segment] * padding"},
)
packing.mistake(
    "longest_cut",
    "The longest text is cut, as in chapter 1, instead of the last one.",
    hint="The most important text comes first. Which one can spare words?",
    change={
        BEGUN: f"""
            texts = [list(ids) for ids in texts]
            while sum(map(len, texts)) > room:
                max(reversed(texts), key=len).pop()
            {BEGUN}
        """
    },
)
packing.mistake(
    "longest_cut_the_first",
    "The longest text is cut, and the first of equally long ones, instead of the last text.",
    hint="The most important text comes first. Which one can spare words?",
    change={
        BEGUN: f"""
            texts = [list(ids) for ids in texts]
            while sum(map(len, texts)) > room:
                max(texts, key=len).pop()
            {BEGUN}
        """
    },
)
packing.mistake(
    "first_cut",
    "The first text is cut first: the query disappears, while the whole body stays.",
    hint="Without its query, what is a row about?",
    change={KEPT: "kept = list(ids)[: max(room - sum(map(len, texts[segment + 1 :])), 0)]"},
)
packing.mistake(
    "cut_from_the_left",
    "Texts lose their first ids instead of the last.",
    hint="Which end of a text should stay?",
    change={KEPT: "kept = list(ids)[max(len(ids) - room, 0) :]"},
)
packing.mistake(
    "equal_shares",
    "Each text gets the same share of the space, even if others need less.",
    hint="The space that the first text leaves goes to the second, and so on.",
    change={KEPT: "kept = list(ids)[: room // len(texts)]", "room -= len(kept)": ""},
)
packing.mistake(
    "cut_at_the_end",
    "The whole row is packed and then cut, so the last [SEP] is lost.",
    hint="[CLS] and each [SEP] stay. How many places are left for ids?",
    change={KEPT: "kept = list(ids)", PADDING: CUT_AT_THE_END},
)
packing.mistake(
    "room_of_pairs",
    "The code reserves three special tokens, as for two texts.",
    hint="Count one [CLS], and one [SEP] for each text.",
    change={ROOM: "room = max_length - 3", PADDING: CUT_AT_THE_END},
)
packing.mistake(
    "empty_left_out",
    "A text without ids is dropped with its [SEP], so the next text gets its segment.",
    hint="An empty title is still a title: the text after it is the body.",
    change={ROOM: f"texts = [ids for ids in texts if len(ids)]\n{ROOM}"},
)
packing.mistake(
    "cls_everywhere",
    "[CLS] comes before each text.",
    hint="[CLS] stands for the whole row. How many does a row need?",
    change={ROOM: f"texts = [texts[0], *([cls_id, *ids] for ids in texts[1:])]\n{ROOM}"},
)
packing.mistake(
    "one_sep",
    "Only the last text is followed by a [SEP].",
    hint="[SEP] separates texts: each text ends with one.",
    change={
        TOKENS: "token_ids += kept",
        SEGMENTS: "segment_ids += [segment] * len(kept)",
        PADDING: f"token_ids, segment_ids = [*token_ids, sep_id], [*segment_ids, segment]\n{PADDING}",
    },
)
packing.mistake(
    "mask_inverted",
    "The mask is inverted: True at padding.",
    hint="True marks tokens, as in chapter 1.",
    change={MASK: "np.arange(max_length) >= len(token_ids)"},
)
packing.mistake(
    "always_0",
    "Short rows are padded with 0, whatever `padding_id` is.",
    hint="`padding_id` is an argument.",
    change={"[padding_id] * padding": "[0] * padding"},
)
packing.mistake(
    "other_dtypes",
    "The arrays are int64, and the mask holds numbers.",
    hint="The encoder takes int32 ids and a boolean mask. `np.array` has a dtype argument.",
    change={
        '[padding_id] * padding, "int32"': '[padding_id] * padding, "int64"',
        '[0] * padding, "int32"': '[0] * padding, "int64"',
        MASK: f'({MASK}).astype("int64")',
    },
)
packing.mistake(
    "no_room_no_sep",
    "A text for which no space is left loses its [SEP], too.",
    hint="For how many [SEP] is space reserved, and which texts get one?",
    change={KEPT: f"{KEPT}\nif ids and not kept:\n    continue"},
)
