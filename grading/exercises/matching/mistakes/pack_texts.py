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
    "There are only two segments: all texts behind the first have segment 1.",
    hint="Title and body are two texts. How would the encoder tell them apart?",
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
    "The segments take turns: 0, 1, 0.",
    hint="That is how sentences are told apart in summaries. Here each text has a segment of its own.",
    change={"[segment]": "[segment % 2]"},
)
packing.mistake(
    "sep_in_the_next",
    "Each [SEP] has the segment of the text behind it, not of the one that it ends.",
    hint="A [SEP] belongs to the text before it.",
    change={SEGMENTS: "segment_ids += [segment] * len(kept) + [segment + 1]"},
)
packing.mistake(
    "padding_in_the_last",
    "Padding has the last text's segment; it has 0.",
    hint="Behind the last [SEP] stands nothing of any text.",
    change={"segment_ids + [0] * padding": "segment_ids + [segment] * padding"},
)
packing.mistake(
    "longest_cut",
    "The longest text is cut, as in chapter 1; here the last one is cut first.",
    hint="The most important text stands first. Which one can spare words?",
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
    "first_cut",
    "The first text is cut first: of a query nothing is left, and of the body all.",
    hint="A row without its query can be about anything.",
    change={KEPT: "kept = list(ids)[: max(room - sum(map(len, texts[segment + 1 :])), 0)]"},
)
packing.mistake(
    "cut_from_the_left",
    "Texts lose their first ids instead of their last ones.",
    hint="Keep the beginning of a text.",
    change={KEPT: "kept = list(ids)[max(len(ids) - room, 0) :]"},
)
packing.mistake(
    "equal_shares",
    "Each text gets the same share of the room, though others may need less.",
    hint="What the first text does not need is for the second, and so on.",
    change={KEPT: "kept = list(ids)[: room // len(texts)]", "room -= len(kept)": ""},
)
packing.mistake(
    "cut_at_the_end",
    "The row is packed whole, and then cut: the last [SEP] is lost.",
    hint="[CLS] and each [SEP] stay. How much room is left for ids?",
    change={KEPT: "kept = list(ids)", PADDING: CUT_AT_THE_END},
)
packing.mistake(
    "room_of_pairs",
    "The room is counted as for two texts, with three special tokens.",
    hint="[CLS] is one, and each text has its [SEP].",
    change={ROOM: "room = max_length - 3", PADDING: CUT_AT_THE_END},
)
packing.mistake(
    "empty_left_out",
    "A text without ids is left out, with its [SEP], and the next one gets its segment.",
    hint="An empty title is still a title: what stands behind it is the body.",
    change={ROOM: f"texts = [ids for ids in texts if len(ids)]\n{ROOM}"},
)
packing.mistake(
    "cls_everywhere",
    "A [CLS] stands before each text.",
    hint="[CLS] speaks for the row, so there is one.",
    change={ROOM: f"texts = [texts[0], *([cls_id, *ids] for ids in texts[1:])]\n{ROOM}"},
)
packing.mistake(
    "one_sep",
    "Only the last text has a [SEP] behind it.",
    hint="[SEP] separates: one stands behind each text.",
    change={
        TOKENS: "token_ids += kept",
        SEGMENTS: "segment_ids += [segment] * len(kept)",
        PADDING: f"token_ids, segment_ids = [*token_ids, sep_id], [*segment_ids, segment]\n{PADDING}",
    },
)
packing.mistake(
    "mask_inverted",
    "The mask is turned round: True at padding.",
    hint="True stands at tokens, as in chapter 1.",
    change={MASK: "np.arange(max_length) >= len(token_ids)"},
)
packing.mistake(
    "always_0",
    "Short rows are filled with 0, whatever the id of padding is.",
    hint="`padding_id` is an argument.",
    change={"[padding_id] * padding": "[0] * padding"},
)
packing.mistake(
    "other_dtypes",
    "The arrays are int64, and the mask is of numbers.",
    hint="The encoder takes int32 ids and a boolean mask. `np.array` takes a dtype.",
    change={
        '[padding_id] * padding, "int32"': '[padding_id] * padding, "int64"',
        '[0] * padding, "int32"': '[0] * padding, "int64"',
        MASK: f'({MASK}).astype("int64")',
    },
)
