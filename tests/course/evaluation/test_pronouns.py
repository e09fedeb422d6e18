"""Sentences with a pronoun that an adjective explains: balanced, and unread."""

from __future__ import annotations

from course.data.datasets import load_sample
from course.evaluation.pronouns import MOVERS, WAYS, unread_pronouns


def test_sentences_differ_in_pairs_in_the_adjective_alone() -> None:
    table = unread_pronouns([])
    assert len(table) == 4 * sum(map(len, MOVERS.values())) * sum(map(len, WAYS.values()))
    assert table["text"][0] == "The animal did not cross the street because it was too tired."
    for row in range(0, 40, 2):
        first, second = table.iloc[row], table.iloc[row + 1]
        assert first["text"].replace(first["adjective"], second["adjective"]) == second["text"]
        assert (first["right"], first["wrong"]) == (second["wrong"], second["right"])
        assert first["pair"] == second["pair"] == row // 4


def test_nouns_that_were_read_together_are_left_out() -> None:
    without = unread_pronouns(["Two dogs crossed the streets.", "The street was empty."])
    assert len(without) == len(unread_pronouns([])) - 4
    assert not (without["text"].str.contains("dog") & without["text"].str.contains("street")).any()


def test_the_sample_leaves_pairs_of_each_kind_unread() -> None:
    table = unread_pronouns(load_sample()["sentences"][:4000].explode())
    assert table["text"][0] == "The animal did not cross the street because it was too tired."
    assert 60 <= table["pair"].nunique() <= 90
    assert set(table["adjective"]) == {*MOVERS, *WAYS}
