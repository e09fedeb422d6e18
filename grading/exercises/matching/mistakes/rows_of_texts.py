"""What goes wrong in pack_texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

import course.matching as right
from grading.exercises.matching.checks import packing

Texts = Sequence[Sequence[int]]
Row = dict[str, np.ndarray]


def in_order(texts: Texts, room: int) -> list[list[int]]:
    """What is kept of each text, where the last is cut first."""
    kept = []
    for ids in texts:
        kept.append(list(ids)[: max(room, 0)])
        room -= len(kept[-1])
    return kept


def packed(
    texts: Texts,
    max_length: int,
    cls_id: int,
    sep_id: int,
    padding_id: int,
    *,
    cut: Callable[[Texts, int], list[list[int]]] = in_order,
    segment_of: Callable[[int, int], int] = lambda number, texts: number,
    padding_segment: int = 0,
) -> Row:
    """A row in three steps, one of which a mistake gets wrong."""
    token_ids, segments = [cls_id], [segment_of(0, len(texts))]
    for number, ids in enumerate(cut(texts, max_length - 1 - len(texts))):
        token_ids += [*ids, sep_id]
        segments += [segment_of(number, len(texts))] * (len(ids) + 1)
    padding = max_length - len(token_ids)
    return {
        "token_ids": np.array(token_ids + [padding_id] * padding, "int32"),
        "segment_ids": np.array(segments + [padding_segment] * padding, "int32"),
        "padding_mask": np.arange(max_length) < len(token_ids),
    }


@packing.whole_mistake(
    "There are only two segments: all texts behind the first have segment 1.",
    hint="Title and body are two texts. How would the encoder tell them apart?",
)
def two_segments(texts: Texts, max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0) -> Row:
    return packed(texts, max_length, cls_id, sep_id, padding_id, segment_of=lambda number, texts: min(number, 1))


@packing.whole_mistake(
    "All tokens have segment 0.",
    hint="The segment says which text a token belongs to.",
)
def one_segment(texts: Texts, max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0) -> Row:
    return packed(texts, max_length, cls_id, sep_id, padding_id, segment_of=lambda number, texts: 0)


@packing.whole_mistake(
    "Segments are counted from 1.",
    hint="The first text, with [CLS], has segment 0.",
)
def segments_from_1(texts: Texts, max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0) -> Row:
    return packed(texts, max_length, cls_id, sep_id, padding_id, segment_of=lambda number, texts: number + 1)


@packing.whole_mistake(
    "The segments take turns: 0, 1, 0.",
    hint="That is how sentences are told apart in summaries. Here each text has a segment of its own.",
)
def alternating(texts: Texts, max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0) -> Row:
    return packed(texts, max_length, cls_id, sep_id, padding_id, segment_of=lambda number, texts: number % 2)


@packing.whole_mistake(
    "Each [SEP] has the segment of the text behind it, not of the one that it ends.",
    hint="A [SEP] belongs to the text before it.",
)
def sep_in_the_next(texts: Texts, max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0) -> Row:
    row = right.pack_texts(texts, max_length, cls_id=cls_id, sep_id=sep_id, padding_id=padding_id)
    places = np.flatnonzero((row["token_ids"] == sep_id) & row["padding_mask"])
    row["segment_ids"][places] += 1
    return row


@packing.whole_mistake(
    "Padding has the last text's segment; it has 0.",
    hint="Behind the last [SEP] stands nothing of any text.",
)
def padding_in_the_last(texts: Texts, max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0) -> Row:
    return packed(texts, max_length, cls_id, sep_id, padding_id, padding_segment=len(texts) - 1)


def _longest_first(texts: Texts, room: int) -> list[list[int]]:
    kept = [list(ids) for ids in texts]
    while sum(map(len, kept)) > room:
        max(reversed(kept), key=len).pop()
    return kept


@packing.whole_mistake(
    "The longest text is cut, as in chapter 1; here the last one is cut first.",
    hint="The most important text stands first. Which one can spare words?",
)
def longest_cut(texts: Texts, max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0) -> Row:
    return packed(texts, max_length, cls_id, sep_id, padding_id, cut=_longest_first)


@packing.whole_mistake(
    "The first text is cut first: of a query nothing is left, and of the body all.",
    hint="A row without its query can be about anything.",
)
def first_cut(texts: Texts, max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0) -> Row:
    def cut(texts: Texts, room: int) -> list[list[int]]:
        return in_order(texts[::-1], room)[::-1]

    return packed(texts, max_length, cls_id, sep_id, padding_id, cut=cut)


@packing.whole_mistake(
    "Texts lose their first ids instead of their last ones.",
    hint="Keep the beginning of a text.",
)
def cut_from_the_left(texts: Texts, max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0) -> Row:
    def cut(texts: Texts, room: int) -> list[list[int]]:
        sizes = map(len, in_order(texts, room))
        return [list(ids)[len(ids) - size :] for ids, size in zip(texts, sizes, strict=True)]

    return packed(texts, max_length, cls_id, sep_id, padding_id, cut=cut)


@packing.whole_mistake(
    "Each text gets the same share of the room, though others may need less.",
    hint="What the first text does not need is for the second, and so on.",
)
def equal_shares(texts: Texts, max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0) -> Row:
    def cut(texts: Texts, room: int) -> list[list[int]]:
        return [list(ids)[: room // len(texts)] for ids in texts]

    return packed(texts, max_length, cls_id, sep_id, padding_id, cut=cut)


@packing.whole_mistake(
    "The row is packed whole, and then cut: the last [SEP] is lost.",
    hint="[CLS] and each [SEP] stay. How much room is left for ids?",
)
def cut_at_the_end(texts: Texts, max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0) -> Row:
    longest = max(max_length, 1 + sum(len(ids) + 1 for ids in texts))
    whole = right.pack_texts(texts, longest, cls_id=cls_id, sep_id=sep_id, padding_id=padding_id)
    return {name: array[:max_length] for name, array in whole.items()}


@packing.whole_mistake(
    "The room is counted as for two texts, with three special tokens.",
    hint="[CLS] is one, and each text has its [SEP].",
)
def room_of_pairs(texts: Texts, max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0) -> Row:
    row = packed(texts, max_length + 99, cls_id, sep_id, padding_id, cut=lambda t, room: in_order(t, max_length - 3))
    return {name: array[:max_length] for name, array in row.items()}


@packing.whole_mistake(
    "A text without ids is left out, with its [SEP], and the next one gets its segment.",
    hint="An empty title is still a title: what stands behind it is the body.",
)
def empty_left_out(texts: Texts, max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0) -> Row:
    rest = [ids for ids in texts if len(ids)]
    return right.pack_texts(rest, max_length, cls_id=cls_id, sep_id=sep_id, padding_id=padding_id)


@packing.whole_mistake(
    "A [CLS] stands before each text.",
    hint="[CLS] speaks for the row, so there is one.",
)
def cls_everywhere(texts: Texts, max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0) -> Row:
    first, *others = texts
    begun = [list(first), *([cls_id, *ids] for ids in others)]
    return right.pack_texts(begun, max_length, cls_id=cls_id, sep_id=sep_id, padding_id=padding_id)


@packing.whole_mistake(
    "Only the last text has a [SEP] behind it.",
    hint="[SEP] separates: one stands behind each text.",
)
def one_sep(texts: Texts, max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0) -> Row:
    row = right.pack_texts(texts, max_length, cls_id=cls_id, sep_id=sep_id, padding_id=padding_id)
    places = np.flatnonzero((row["token_ids"] == sep_id) & row["padding_mask"])[:-1]
    fill = {"token_ids": padding_id, "segment_ids": 0, "padding_mask": False}
    return {
        name: np.append(np.delete(row[name], places), [fill[name]] * len(places)).astype(row[name].dtype)
        for name in row
    }


@packing.whole_mistake(
    "The mask is turned round: True at padding.",
    hint="True stands at tokens, as in chapter 1.",
)
def mask_inverted(texts: Texts, max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0) -> Row:
    row = right.pack_texts(texts, max_length, cls_id=cls_id, sep_id=sep_id, padding_id=padding_id)
    return {**row, "padding_mask": ~row["padding_mask"]}


@packing.whole_mistake(
    "Short rows are filled with 0, whatever the id of padding is.",
    hint="`padding_id` is an argument.",
)
def always_0(texts: Texts, max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0) -> Row:
    return right.pack_texts(texts, max_length, cls_id=cls_id, sep_id=sep_id)


@packing.whole_mistake(
    "The arrays are int64, and the mask is of numbers.",
    hint="The encoder takes int32 ids and a boolean mask. `np.array` takes a dtype.",
)
def other_dtypes(texts: Texts, max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0) -> Row:
    row = right.pack_texts(texts, max_length, cls_id=cls_id, sep_id=sep_id, padding_id=padding_id)
    return {name: array.astype("int64") for name, array in row.items()}
