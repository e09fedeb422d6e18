"""What goes wrong in entity_scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import course.entities as right
from grading.exercises.entities.checks import scoring

Tags = Sequence[Sequence[str]]


def rates(true: set, found: set) -> dict[str, float]:
    shared = len(true & found)
    return {
        "precision": shared / max(len(found), 1),
        "recall": shared / max(len(true), 1),
        "f1": 2 * shared / max(len(true) + len(found), 1),
    }


def scored(true: Iterable, predicted: Iterable, kind_of: Callable[[Any], str] = lambda one: one[-1]) -> dict[str, Any]:
    """The scores of any things that can be true and found."""
    kept, found = set(true), set(predicted)
    kinds = {}
    for kind in sorted(set(map(kind_of, kept | found))):
        of_kind = [{one for one in things if kind_of(one) == kind} for things in (kept, found)]
        kinds[kind] = {**rates(*of_kind), "true": len(of_kind[0]), "predicted": len(of_kind[1])}
    macro = sum(each["f1"] for each in kinds.values()) / max(len(kinds), 1)
    return {**rates(kept, found), "macro_f1": macro, "kinds": kinds}


def named(sentences: Tags, strict: bool) -> list[tuple]:
    return [(number, *name) for number, tags in enumerate(sentences) for name in right.entities_of(tags, strict)]


@scoring.whole_mistake(
    "Words are counted instead of names: half a name is half right.",
    hint="A name is right as a whole, or wrong. Compare what entities_of gives.",
)
def by_words(true: Tags, predicted: Tags, strict: bool = False) -> dict[str, Any]:
    one, other = (
        {(number, word, kind) for number, first, last, kind in named(tags, strict) for word in range(first, last)}
        for tags in (true, predicted)
    )
    return scored(one, other)


@scoring.whole_mistake(
    "O is counted as if it were a name.",
    hint="Most words are no names, and to say so of them is easy. Whoever says O everywhere must get 0.",
)
def outside_counts(true: Tags, predicted: Tags, strict: bool = False) -> dict[str, Any]:
    outside = [
        [
            (number, word, word + 1, "O")
            for number, tags in enumerate(side)
            for word, tag in enumerate(tags)
            if tag == "O"
        ]
        for side in (true, predicted)
    ]
    return scored([*named(true, strict), *outside[0]], [*named(predicted, strict), *outside[1]])


@scoring.whole_mistake(
    "The kind is not compared: a person that was taken for a place is right.",
    hint="Both ends and the kind must agree.",
)
def kind_not_compared(true: Tags, predicted: Tags, strict: bool = False) -> dict[str, Any]:
    found = right.entity_scores(true, predicted, strict)
    one, other = ({name[:-1] for name in named(tags, strict)} for tags in (true, predicted))
    return {**found, **rates(one, other)}


@scoring.whole_mistake(
    "Only the first words are compared: a name that is too long or too short is right.",
    hint="A name has two ends.",
)
def ends_not_compared(true: Tags, predicted: Tags, strict: bool = False) -> dict[str, Any]:
    one, other = (
        {(number, first, kind) for number, first, _, kind in named(tags, strict)} for tags in (true, predicted)
    )
    return scored(one, other)


@scoring.whole_mistake(
    "A name is right if it overlaps with a true one of its kind.",
    hint="Both ends must agree. Half a name is none.",
)
def overlap_counts(true: Tags, predicted: Tags, strict: bool = False) -> dict[str, Any]:
    kept = named(true, strict)

    def partner(name: tuple) -> tuple:
        number, first, last, kind = name
        overlapping = (one for one in kept if one[0] == number and one[3] == kind and one[1] < last and first < one[2])
        return next(overlapping, name)

    return scored(kept, map(partner, named(predicted, strict)))


@scoring.whole_mistake(
    "The sentence of a name is forgotten: names at the same place in two sentences are one.",
    hint="Put the number of the sentence to each name before you count.",
)
def sentences_mixed(true: Tags, predicted: Tags, strict: bool = False) -> dict[str, Any]:
    one, other = ({name[1:] for name in named(tags, strict)} for tags in (true, predicted))
    return scored(one, other)


@scoring.whole_mistake(
    "Precision, recall and F1 are means over the sentences.",
    hint="A sentence with one name now weighs as much as one with ten. Count first, over all, and then divide.",
)
def mean_of_sentences(true: Tags, predicted: Tags, strict: bool = False) -> dict[str, Any]:
    each = [right.entity_scores([one], [other], strict) for one, other in zip(true, predicted, strict=True)]
    means = {name: sum(one[name] for one in each) / len(each) for name in ("precision", "recall", "f1")}
    return {**right.entity_scores(true, predicted, strict), **means}


@scoring.whole_mistake(
    "Precision, recall and F1 are means over the kinds: macro, and not micro.",
    hint="A kind with two names now weighs as much as one with a hundred. That mean is asked for as macro_f1 alone.",
)
def macro_for_micro(true: Tags, predicted: Tags, strict: bool = False) -> dict[str, Any]:
    found = right.entity_scores(true, predicted, strict)
    kinds = found["kinds"].values()
    means = {name: sum(one[name] for one in kinds) / max(len(kinds), 1) for name in ("precision", "recall", "f1")}
    return {**found, **means}


@scoring.whole_mistake(
    "macro_f1 is F1 over all names.",
    hint="Macro is the mean of the kinds' F1, in which a rare kind counts as much as a frequent one.",
)
def micro_for_macro(true: Tags, predicted: Tags, strict: bool = False) -> dict[str, Any]:
    found = right.entity_scores(true, predicted, strict)
    return {**found, "macro_f1": found["f1"]}


@scoring.whole_mistake(
    "F1 is the arithmetic mean of precision and recall.",
    hint="Who calls everything a name has a recall of 1. What should F1 be then?",
)
def arithmetic_mean(true: Tags, predicted: Tags, strict: bool = False) -> dict[str, Any]:
    found = right.entity_scores(true, predicted, strict)
    return {**found, "f1": (found["precision"] + found["recall"]) / 2}


@scoring.whole_mistake(
    "Precision and recall are exchanged.",
    hint="Precision is a share of what was found, recall a share of what is there.",
)
def exchanged(true: Tags, predicted: Tags, strict: bool = False) -> dict[str, Any]:
    found = right.entity_scores(predicted, true, strict)
    for rates_of_kind in found["kinds"].values():
        rates_of_kind["true"], rates_of_kind["predicted"] = rates_of_kind["predicted"], rates_of_kind["true"]
    return found


@scoring.whole_mistake(
    "Kinds that are only found, and never true, are left out.",
    hint="Whoever invents a kind has F1 0 in it. Take the kinds of both sides.",
)
def true_kinds_only(true: Tags, predicted: Tags, strict: bool = False) -> dict[str, Any]:
    found = right.entity_scores(true, predicted, strict)
    kinds = {kind: each for kind, each in found["kinds"].items() if each["true"]}
    macro = sum(each["f1"] for each in kinds.values()) / max(len(kinds), 1)
    return {**found, "kinds": kinds, "macro_f1": macro}


@scoring.whole_mistake(
    "Where nothing is divided by nothing, it is NaN.",
    hint="A model that finds no name at all is no error. What is its precision?",
)
def not_a_number(true: Tags, predicted: Tags, strict: bool = False) -> dict[str, Any]:
    found = right.entity_scores(true, predicted, strict)
    if not named(predicted, strict):
        found |= {"precision": float("nan"), "f1": float("nan")}
    return found


@scoring.whole_mistake(
    "Where nothing is divided by nothing, it is 1.",
    hint="Nothing was found, so nothing that was found is right.",
)
def one_for_nothing(true: Tags, predicted: Tags, strict: bool = False) -> dict[str, Any]:
    found = right.entity_scores(true, predicted, strict)
    return {**found, "precision": found["precision"] if named(predicted, strict) else 1.0}


@scoring.whole_mistake(
    "`strict` is not handed on: stray I- always begin names.",
    hint="entities_of takes it. Do you pass it?",
)
def strict_ignored(true: Tags, predicted: Tags, strict: bool = False) -> dict[str, Any]:
    return right.entity_scores(true, predicted)


@scoring.whole_mistake(
    "`strict` holds for what was found only, and not for what is true.",
    hint="Both sides are read by the same rules.",
)
def strict_on_one_side(true: Tags, predicted: Tags, strict: bool = False) -> dict[str, Any]:
    return scored(named(true, False), named(predicted, strict))


@scoring.whole_mistake(
    "All sentences are read as one: a name goes on from the end of one sentence into the next.",
    hint="An I- at the beginning of a sentence has nothing to go on with. Read the names of each sentence by itself.",
)
def one_long_sentence(true: Tags, predicted: Tags, strict: bool = False) -> dict[str, Any]:
    joined = [[[tag for tags in side for tag in tags]] for side in (true, predicted)]
    return scored(named(joined[0], strict), named(joined[1], strict))
