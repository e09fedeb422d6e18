"""From characters to tags of words, to labels of pieces, and back: examples by hand, and properties."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.data.datasets import load_sample
from course.entities import align_labels, bio_tags, entities_of

TEXT = "Zeno Novak's team, Upper-Radland Harriers Varga"
WORDS = ["Zeno", "Novak", "'", "s", "team", ",", "Upper", "-", "Radland", "Harriers", "Varga"]


def offsets(text: str, words: list[str]) -> np.ndarray:
    places, start = [], 0
    for word in words:
        start = text.index(word, start)
        places.append((start, start + len(word)))
        start += len(word)
    return np.array(places)


def span(words: str, kind: str) -> tuple[int, int, str]:
    return TEXT.index(words), TEXT.index(words) + len(words), kind


def test_names_get_b_and_then_i_tags() -> None:
    spans = [span("Varga", "place"), span("Zeno Novak", "person"), span("Upper-Radland Harriers", "club")]
    begins = ["B-person", "I-person", "O", "O", "O", "O"]
    assert bio_tags(offsets(TEXT, WORDS), spans) == [*begins, "B-club", "I-club", "I-club", "I-club", "B-place"]


def test_adjacent_names_of_one_kind_both_begin_with_b() -> None:
    spans = [span("Varga", "club"), span("Upper-Radland Harriers", "club")]
    assert bio_tags(offsets(TEXT, WORDS), spans)[-5:] == ["B-club", "I-club", "I-club", "I-club", "B-club"]


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([(0, 3, "x")], ["B-x", "O", "O"]),  # the name ends within the word
        ([(0, 5, "x")], ["B-x", "O", "O"]),  # it ends with the space
        ([(0, 6, "x")], ["B-x", "I-x", "O"]),  # it ends after the next word's first letter
        ([(2, 8, "x")], ["O", "B-x", "O"]),  # it begins within a word, which is not part of it
        ([(2, 4, "x")], ["O", "O", "O"]),  # no word begins in it
        ([(4, 5, "x")], ["O", "O", "O"]),  # it is a space
        ([(0, 4, "a-b"), (5, 8, "a-b")], ["B-a-b", "B-a-b", "O"]),
        ([], ["O", "O", "O"]),
    ],
)
def test_a_words_start_decides_its_name(spans: list, expected: list[str]) -> None:
    assert bio_tags([(0, 4), (5, 8), (9, 12)], spans) == expected


def test_without_words_there_are_no_tags() -> None:
    assert bio_tags([], []) == []


def test_tags_restore_every_name_of_the_sample() -> None:
    """Words end at spaces and punctuation marks. All names of the sample begin and end with a word."""
    import re

    for _, article in load_sample()[:300].iterrows():
        words = [match.span() for match in re.finditer(r"\w+|[^\w\s]", article["description"])]
        found = entities_of(bio_tags(words, article["entities"]))
        assert {(words[first][0], words[last - 1][1], kind) for first, last, kind in found} == set(article["entities"])


TAG_IDS = {"O": 0, "B-person": 1, "I-person": 2}


@pytest.mark.parametrize(
    ("tags", "word_ids", "expected"),
    [
        (["B-person", "O"], [-1, 0, 0, 1, -1], [-100, 1, -100, 0, -100]),
        (["B-person", "B-person"], [0, 1], [1, 1]),  # a repeated word counts as two words
        (["O", "B-person", "I-person"], [0, 2], [0, 2]),  # a word without a piece has no label
        (["O", "B-person", "I-person"], [-1, 0, 1, -1], [-100, 0, 1, -100]),  # the third was cut off
        (["B-person"], [0, 0, 0], [1, -100, -100]),
        ([], [-1, -1], [-100, -100]),
        (["O"], [], []),
    ],
)
def test_the_first_piece_of_a_word_gets_its_tag(tags: list[str], word_ids: list[int], expected: list[int]) -> None:
    labels = align_labels(tags, np.array(word_ids, int), TAG_IDS)
    assert labels.tolist() == expected
    assert labels.dtype == np.int32


def test_ignored_pieces_get_the_given_label() -> None:
    assert align_labels(["B-person"], np.array([-1, 0, 0]), TAG_IDS, ignore=-1).tolist() == [-1, 1, -1]


KINDS = ("person", "a-b")
TAGS = ["O", *(f"{place}-{kind}" for kind in KINDS for place in "BI")]


@pytest.mark.parametrize(
    ("tags", "lenient", "strict"),
    [
        # conlleval's rules, case by case: where a name starts, and where it ends.
        ("B-x I-x O", {(0, 2, "x")}, {(0, 2, "x")}),
        ("B-x B-x", {(0, 1, "x"), (1, 2, "x")}, {(0, 1, "x"), (1, 2, "x")}),
        ("O B-x", {(1, 2, "x")}, {(1, 2, "x")}),
        ("O I-x I-x", {(1, 3, "x")}, set()),
        ("I-x", {(0, 1, "x")}, set()),
        ("B-x I-y I-y", {(0, 1, "x"), (1, 3, "y")}, {(0, 1, "x")}),
        ("B-x I-y I-x", {(0, 1, "x"), (1, 2, "y"), (2, 3, "x")}, {(0, 1, "x")}),
        ("I-x O I-x", {(0, 1, "x"), (2, 3, "x")}, set()),
        ("I-x B-x", {(0, 1, "x"), (1, 2, "x")}, {(1, 2, "x")}),
        ("B-a-b I-a-b", {(0, 2, "a-b")}, {(0, 2, "a-b")}),
        ("O", set(), set()),
    ],
)
def test_names_follow_the_rules_of_conlleval_and_iob2(tags: str, lenient: set, strict: set) -> None:
    assert entities_of(tags.split()) == sorted(lenient)
    assert entities_of(tags.split(), strict=True) == sorted(strict)


def test_no_tags_have_no_names() -> None:
    assert entities_of([]) == []


@given(st.lists(st.sampled_from(TAGS), max_size=12))
@settings(max_examples=200, deadline=None)
def test_names_do_not_overlap_and_survive_a_round_trip(tags: list[str]) -> None:
    for strict in (False, True):
        names = entities_of(tags, strict)
        assert names == sorted(names)
        assert all(first[1] <= second[0] for first, second in pairwise(names))
        written = bio_tags([(word, word + 1) for word in range(len(tags))], names)
        assert entities_of(written, strict=True) == entities_of(written) == names
