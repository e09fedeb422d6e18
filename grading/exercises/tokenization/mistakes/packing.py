"""What goes wrong in pack_pair."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import course.tokenization as right
from grading.exercises.tokenization.checks import packing

Ids = list[int]


def longest_first(first: Ids, second: Ids, room: int) -> tuple[Ids, Ids]:
    first, second = list(first), list(second)
    while len(first) + len(second) > room:
        (first if len(first) > len(second) else second).pop()
    return first, second


def row_of(token_ids: Ids, segment_ids: Ids, max_length: int, padding_id: int) -> dict[str, np.ndarray]:
    padding = max_length - len(token_ids)
    return {
        "token_ids": np.array(token_ids + [padding_id] * padding, "int32"),
        "segment_ids": np.array(segment_ids + [0] * padding, "int32"),
        "padding_mask": np.arange(max_length) < len(token_ids),
    }


def variant(
    first: Ids,
    second: Ids | None,
    max_length: int,
    special: dict[str, int],
    *,
    cut: Callable[[Ids, Ids, int], tuple[Ids, Ids]],
) -> dict[str, np.ndarray]:
    """A row whose texts are cut by another rule, and which then is packed as it should be."""
    room = max_length - (2 if second is None else 3)
    kept_first, kept_second = cut(list(first), list(second or []), room)
    return right.pack_pair(kept_first, None if second is None else kept_second, max_length, **special)


def changed(row: dict[str, np.ndarray], **parts: Any) -> dict[str, Any]:
    return {**row, **parts}


def second_place(row: dict[str, np.ndarray], sep_id: int) -> int:
    """Where the second text begins: behind the first [SEP]."""
    return int(np.argmax(row["token_ids"] == sep_id)) + 1


def length_of(row: dict[str, np.ndarray]) -> int:
    return int(row["padding_mask"].sum())


@packing.whole_mistake(
    "The closing [SEP] of the second text is missing.",
    hint="Each text ends with [SEP], the last one, too.",
)
def no_closing_sep(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    if second is None:
        return right.pack_pair(first, second, max_length, **special)
    kept = longest_first(first, second, max_length - 3)
    token_ids = [special["cls_id"], *kept[0], special["sep_id"], *kept[1]]
    segment_ids = [0] * (len(kept[0]) + 2) + [1] * len(kept[1])
    return row_of(token_ids, segment_ids, max_length, special.get("padding_id", 0))


@packing.whole_mistake(
    "There is no [SEP] between the texts.",
    hint="How could a model see where the first text ends?",
)
def no_sep_between(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    if second is None:
        return right.pack_pair(first, second, max_length, **special)
    kept = longest_first(first, second, max_length - 3)
    token_ids = [special["cls_id"], *kept[0], *kept[1], special["sep_id"]]
    segment_ids = [0] * (len(kept[0]) + 1) + [1] * (len(kept[1]) + 1)
    return row_of(token_ids, segment_ids, max_length, special.get("padding_id", 0))


@packing.whole_mistake(
    "[CLS] is missing.",
    hint="With which id does each row begin, before the first text?",
)
def no_cls(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    row = right.pack_pair(first, second, max_length, **special)
    length = length_of(row)
    padding_id = special.get("padding_id", 0)
    return row_of(row["token_ids"][1:length].tolist(), row["segment_ids"][1:length].tolist(), max_length, padding_id)


@packing.whole_mistake(
    "The second text begins with [CLS]; only the row does.",
    hint="[CLS] stands for the whole row. How many are there?",
)
def second_cls(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    row = right.pack_pair(first, second, max_length, **special)
    if second is None:
        return row
    token_ids = row["token_ids"].copy()
    token_ids[second_place(row, special["sep_id"]) - 1] = special["cls_id"]
    return changed(row, token_ids=token_ids)


@packing.whole_mistake(
    "cls_id and sep_id are swapped.",
    hint="Which of them begins the row, and which ends each text?",
)
def swapped(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    exchanged = special | {"cls_id": special["sep_id"], "sep_id": special["cls_id"]}
    return right.pack_pair(first, second, max_length, **exchanged)


@packing.whole_mistake(
    "The ids 101 and 102 are always taken for [CLS] and [SEP].",
    hint="These are the ids of one vocabulary. The arguments say those of yours.",
)
def fixed_special_ids(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    return right.pack_pair(first, second, max_length, **(special | {"cls_id": 101, "sep_id": 102}))


@packing.whole_mistake(
    "The closing [SEP] of the second text gets segment 0.",
    hint="A [SEP] belongs to the text that it ends.",
)
def closing_sep_in_first_segment(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    row = right.pack_pair(first, second, max_length, **special)
    segment_ids = row["segment_ids"].copy()
    segment_ids[length_of(row) - 1] = 0
    return changed(row, segment_ids=segment_ids)


@packing.whole_mistake(
    "The first [SEP] gets segment 1.",
    hint="A [SEP] belongs to the text that it ends.",
)
def first_sep_in_second_segment(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    row = right.pack_pair(first, second, max_length, **special)
    segment_ids = row["segment_ids"].copy()
    if second is not None:
        segment_ids[second_place(row, special["sep_id"]) - 1] = 1
    return changed(row, segment_ids=segment_ids)


@packing.whole_mistake(
    "Padding gets segment 1.",
    hint="Padding belongs to neither text. What does the docstring say of it?",
)
def padding_in_second_segment(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    row = right.pack_pair(first, second, max_length, **special)
    segment_ids = row["segment_ids"] if second is None else row["segment_ids"] | ~row["padding_mask"]
    return changed(row, segment_ids=segment_ids)


@packing.whole_mistake(
    "Segments are counted from 1.",
    hint="Which two rows has the table of segment embeddings?",
)
def segments_from_one(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    row = right.pack_pair(first, second, max_length, **special)
    return changed(row, segment_ids=row["segment_ids"] + row["padding_mask"].astype("int32"))


@packing.whole_mistake(
    "All segments are 0: the texts cannot be told apart.",
    hint="From where to where does the second text go? Its tokens have segment 1.",
)
def one_segment(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    row = right.pack_pair(first, second, max_length, **special)
    return changed(row, segment_ids=np.zeros_like(row["segment_ids"]))


@packing.whole_mistake(
    "The row is not filled up to max_length.",
    hint="Rows of a batch must be of one length. What is put behind a short one?",
)
def not_padded(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    row = right.pack_pair(first, second, max_length, **special)
    return {name: part[: length_of(row)] for name, part in row.items()}


@packing.whole_mistake(
    "Padding is put before the tokens.",
    hint="[CLS] is always at place 0, whatever the length of the text.",
)
def padded_in_front(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    row = right.pack_pair(first, second, max_length, **special)
    return {name: np.roll(part, max_length - length_of(row)) for name, part in row.items()}


@packing.whole_mistake(
    "padding_id is ignored: 0 always fills up the row.",
    hint="Not every vocabulary puts [PAD] first. Which argument says where it is?",
)
def padded_with_zero(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    return right.pack_pair(first, second, max_length, **(special | {"padding_id": 0}))


@packing.whole_mistake(
    "padding_mask is upside down: True at padding.",
    hint="True says that a token is there.",
)
def mask_upside_down(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    row = right.pack_pair(first, second, max_length, **special)
    return changed(row, padding_mask=~row["padding_mask"])


@packing.whole_mistake(
    "padding_mask holds numbers; it must be boolean.",
    hint="True and False, not 1 and 0: which dtype is that?",
)
def mask_of_numbers(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    row = right.pack_pair(first, second, max_length, **special)
    return changed(row, padding_mask=row["padding_mask"].astype("int32"))


@packing.whole_mistake(
    "padding_mask is False at [CLS] and [SEP].",
    hint="These are tokens, too: attention may look at them. What alone is padding?",
)
def special_as_padding(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    row = right.pack_pair(first, second, max_length, **special)
    is_special = np.isin(row["token_ids"], [special["cls_id"], special["sep_id"]])
    return changed(row, padding_mask=row["padding_mask"] & ~is_special)


@packing.whole_mistake(
    "Only the second text is cut; a long first text leaves it nothing, or overflows.",
    hint="Which text should lose an id: always the same, or the longer one?",
)
def second_cut(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    def cut(first: Ids, second: Ids, room: int) -> tuple[Ids, Ids]:
        return first[:room], second[: max(0, room - len(first))]

    return variant(first, second, max_length, special, cut=cut)


@packing.whole_mistake(
    "Only the first text is cut, until nothing is left of it.",
    hint="Which text should lose an id: always the same, or the longer one?",
)
def first_cut(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    def cut(first: Ids, second: Ids, room: int) -> tuple[Ids, Ids]:
        return first[: max(0, room - len(second))], second[:room]

    return variant(first, second, max_length, special, cut=cut)


@packing.whole_mistake(
    "Each text gets half of the room, even where the other one leaves some of it free.",
    hint="A short text does not need its half. What is left belongs to the longer one.",
)
def halves(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    def cut(first: Ids, second: Ids, room: int) -> tuple[Ids, Ids]:
        if len(first) + len(second) <= room or not second:
            return first[:room], second
        return first[: room - room // 2], second[: room // 2]

    return variant(first, second, max_length, special, cut=cut)


@packing.whole_mistake(
    "Where both texts are equally long, the first one loses an id; it should be the second.",
    hint="Is it > or >= that decides which text is the longer one?",
)
def ties_cut_the_first(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    def cut(first: Ids, second: Ids, room: int) -> tuple[Ids, Ids]:
        while len(first) + len(second) > room:
            (first if len(first) >= len(second) else second).pop()
        return first, second

    return variant(first, second, max_length, special, cut=cut)


@packing.whole_mistake(
    "Ids are taken from the start of a text instead of its end.",
    hint="Which end of the list does pop() take from, and which pop(0)?",
)
def cut_in_front(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    def cut(first: Ids, second: Ids, room: int) -> tuple[Ids, Ids]:
        kept_first, kept_second = longest_first(first, second, room)
        return first[len(first) - len(kept_first) :], second[len(second) - len(kept_second) :]

    return variant(first, second, max_length, special, cut=cut)


@packing.whole_mistake(
    "The finished row is cut at max_length, and the [SEP] at its end with it.",
    hint="[CLS] and [SEP] stay. So when must the texts be cut: before packing, or after?",
)
def row_cut(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    enough = len(first) + len(second or []) + 3
    row = right.pack_pair(first, second, max(enough, max_length), **special)
    return {name: part[:max_length] for name, part in row.items()}


@packing.whole_mistake(
    "Long texts are not cut: the row becomes longer than max_length.",
    hint="How much room is there beside [CLS] and the [SEP]s? What if the texts need more?",
)
def never_cut(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    enough = len(first) + len(second or []) + (2 if second is None else 3)
    return right.pack_pair(first, second, max(enough, max_length), **special)


@packing.whole_mistake(
    "Room is kept for three special tokens, even where one text has only two.",
    hint="Without a second text there is one [SEP]. How much room is there then?",
)
def three_special_tokens(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    return right.pack_pair(first[: max_length - 3] if second is None else first, second, max_length, **special)


@packing.whole_mistake(
    "One text alone gets a second [SEP], as if an empty text followed.",
    hint="None and [] are not the same. Which of them is a text?",
)
def none_as_empty(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    return right.pack_pair(first, [] if second is None else second, max_length, **special)


@packing.whole_mistake(
    "An empty second text is taken for none: its [SEP] is missing.",
    hint="`if second` is False for an empty list, too. What asks only for None?",
)
def empty_as_none(first: Ids, second: Ids | None, max_length: int, **special: int) -> Any:
    return right.pack_pair(first, second or None, max_length, **special)
