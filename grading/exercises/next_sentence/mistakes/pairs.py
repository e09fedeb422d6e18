"""What goes wrong in sentence_pairs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

import course.next_sentence as right
from course.next_sentence import IS_NEXT, NOT_NEXT
from grading.exercises.next_sentence.checks import pairs


def without_blanks(documents: Any) -> list[list[str]]:
    kept = [[sentence for sentence in document if sentence.strip()] for document in documents]
    return [document for document in kept if document]


def other_document(documents: list[list[str]], number: int, random: np.random.Generator) -> list[str]:
    other = int(random.integers(len(documents) - 1))
    return documents[other + (other >= number)]


def from_other_document(documents: list[list[str]], number: int, random: np.random.Generator) -> str:
    document = other_document(documents, number, random)
    return document[random.integers(len(document))]


def variant(
    documents: Any,
    seed: Any,
    *,
    clean: Callable = without_blanks,
    is_random: Callable = lambda random, number, place: random.random() < 0.5,
    draw: Callable = from_other_document,
    label: Callable = lambda second, true_next, drawn: IS_NEXT if second == true_next else NOT_NEXT,
) -> list[tuple[str, str, int]]:
    """Pairs in steps, one of which a mistake gets wrong."""
    random = np.random.default_rng(seed)
    documents = clean(documents)
    found = []
    for number, document in enumerate(documents):
        for place, (first, true_next) in enumerate(pairwise(document)):
            drawn = is_random(random, number, place)
            second = draw(documents, number, random) if drawn else true_next
            found.append((first, second, label(second, true_next, drawn)))
    return found


@pairs.whole_mistake(
    "The random sentence may come from the same document.",
    hint="A document is drawn from all of them, this one among them. How do you step over it?",
)
def any_document(documents: Any, seed: Any = None) -> Any:
    def draw(documents: Any, number: int, random: np.random.Generator) -> str:
        document = documents[random.integers(len(documents))]
        return document[random.integers(len(document))]

    return variant(documents, seed, draw=draw)


@pairs.whole_mistake(
    "The random sentence is always from the same document.",
    hint="Two sentences of one document fit each other often. Draw from another one.",
)
def same_document(documents: Any, seed: Any = None) -> Any:
    def draw(documents: Any, number: int, random: np.random.Generator) -> str:
        return documents[number][random.integers(len(documents[number]))]

    return variant(documents, seed, draw=draw)


@pairs.whole_mistake(
    "It is always the document below that the random sentence comes from.",
    hint="A model could learn which documents stand beside each other. Draw the document, too.",
)
def next_document(documents: Any, seed: Any = None) -> Any:
    def draw(documents: Any, number: int, random: np.random.Generator) -> str:
        document = documents[(number + 1) % len(documents)]
        return document[random.integers(len(document))]

    return variant(documents, seed, draw=draw)


@pairs.whole_mistake(
    "Every sentence is as likely to be drawn, so long documents come up more often than short ones.",
    hint="There are two draws: first a document, then one of its sentences.",
)
def each_sentence_alike(documents: Any, seed: Any = None) -> Any:
    def draw(documents: Any, number: int, random: np.random.Generator) -> str:
        others = [each for other, document in enumerate(documents) if other != number for each in document]
        return others[random.integers(len(others))]

    return variant(documents, seed, draw=draw)


@pairs.whole_mistake(
    "It is always the first sentence of the other document that is drawn.",
    hint="First sentences are special: a model could learn to know them. Any sentence may be drawn.",
)
def first_sentences(documents: Any, seed: Any = None) -> Any:
    return variant(documents, seed, draw=lambda *arguments: other_document(*arguments)[0])


@pairs.whole_mistake(
    "Documents of one sentence are dropped, so their sentence is never drawn.",
    hint="It starts no pair, but it can be the second of one.",
)
def short_documents_dropped(documents: Any, seed: Any = None) -> Any:
    return variant([each for each in without_blanks(documents) if len(each) > 1], seed)


@pairs.whole_mistake(
    "Where a blank sentence stands between two others, these make no pair.",
    hint="A blank sentence counts for nothing: take it out before you look for neighbours.",
)
def gaps_beside_blanks(documents: Any, seed: Any = None) -> Any:
    places = [[place for place, sentence in enumerate(document) if sentence.strip()] for document in documents]
    is_kept = [following == place + 1 for of_document in places for place, following in pairwise(of_document)]
    return [pair for pair, kept in zip(variant(documents, seed), is_kept, strict=True) if kept]


@pairs.whole_mistake(
    "All pairs are real.",
    hint="A model that always says yes would be right every time. When does another sentence come in?",
)
def all_real(documents: Any, seed: Any = None) -> Any:
    return variant(documents, seed, is_random=lambda *_: False)


@pairs.whole_mistake(
    "All pairs are random.",
    hint="A model that always says no would be right every time. When does the true next sentence come in?",
)
def all_random(documents: Any, seed: Any = None) -> Any:
    return variant(documents, seed, is_random=lambda *_: True)


@pairs.whole_mistake(
    "More than half of the pairs are random.",
    hint="A fair coin: which side are the numbers below 0.5 of `random.random()`?",
)
def unfair_coin(documents: Any, seed: Any = None) -> Any:
    return variant(documents, seed, is_random=lambda random, number, place: random.random() < 0.75)


@pairs.whole_mistake(
    "Fewer than half of the pairs are random.",
    hint="A fair coin: 15% is for masked words, not for pairs.",
)
def rare_random_pairs(documents: Any, seed: Any = None) -> Any:
    return variant(documents, seed, is_random=lambda random, number, place: random.random() < 0.15)


@pairs.whole_mistake(
    "Real and random pairs take turns; no coin is tossed.",
    hint="Whoever knows one label would know them all. Let chance decide for each pair.",
)
def by_turns(documents: Any, seed: Any = None) -> Any:
    turns = iter(range(10**9))
    return variant(documents, seed, is_random=lambda *_: next(turns) % 2 == 1)


@pairs.whole_mistake(
    "One coin is tossed for each document, not for each pair.",
    hint="In which of your two loops do you toss it?",
)
def one_coin_a_document(documents: Any, seed: Any = None) -> Any:
    coins: dict[int, bool] = {}

    def is_random(random: np.random.Generator, number: int, place: int) -> bool:
        return coins.setdefault(number, bool(random.random() < 0.5))

    return variant(documents, seed, is_random=is_random)


@pairs.whole_mistake(
    "The coins begin anew in each document: the generator is made from the seed again.",
    hint="What is drawn from one seed is always the same. Make the generator once, before both loops.",
)
def coins_begin_anew(documents: Any, seed: Any = None) -> Any:
    generator = np.random.default_rng()
    last = -1

    def is_random(_: np.random.Generator, number: int, place: int) -> bool:
        nonlocal generator, last
        if number != last:
            generator, last = np.random.default_rng(seed), number
        return bool(generator.random() < 0.5)

    def draw(documents: list[list[str]], number: int, _: np.random.Generator) -> str:
        return from_other_document(documents, number, generator)

    return variant(documents, seed, is_random=is_random, draw=draw)


@pairs.whole_mistake(
    "Documents that read the same as this one are never drawn from, as if they were this one.",
    hint="Another document is one that stands elsewhere, whatever it says. Compare the numbers, not the texts.",
)
def others_by_their_texts(documents: Any, seed: Any = None) -> Any:
    def draw(documents: Any, number: int, random: np.random.Generator) -> str:
        others = [document for document in documents if document != documents[number]]
        document = others[random.integers(len(others))]
        return document[random.integers(len(document))]

    return variant(documents, seed, draw=draw)


@pairs.whole_mistake(
    "A drawn sentence counts as real where it reads the same as any sentence of the first one's document.",
    hint="Only the next sentence makes a pair real. With which one do you compare?",
)
def real_if_in_document(documents: Any, seed: Any = None) -> Any:
    own: list[str] = []

    def draw(documents: Any, number: int, random: np.random.Generator) -> str:
        own[:] = documents[number]
        return from_other_document(documents, number, random)

    def label(second: str, true_next: str, drawn: bool) -> int:
        return IS_NEXT if second == true_next or (drawn and second in own) else NOT_NEXT

    return variant(documents, seed, draw=draw, label=label)


@pairs.whole_mistake(
    "The labels are the wrong way round: 1 for a real pair.",
    hint="In the published weights, 0 is a real pair. IS_NEXT and NOT_NEXT say it for you.",
)
def labels_swapped(documents: Any, seed: Any = None) -> Any:
    return [(first, second, 1 - label) for first, second, label in right.sentence_pairs(documents, seed)]


@pairs.whole_mistake(
    "The label says what the coin showed, even where the sentence that was drawn reads the same as the next one.",
    hint="Two documents can hold the same sentence. Compare the two texts before you choose the label.",
)
def label_by_coin(documents: Any, seed: Any = None) -> Any:
    return variant(documents, seed, label=lambda second, true_next, drawn: NOT_NEXT if drawn else IS_NEXT)


@pairs.whole_mistake(
    "The end of a document is overlooked: its last sentence is paired with the first of the next document.",
    hint="A blank line between two documents means that nothing follows there. Make pairs within each document.",
)
def ends_overlooked(documents: Any, seed: Any = None) -> Any:
    random = np.random.default_rng(seed)
    documents = without_blanks(documents)
    flat = [(number, sentence) for number, document in enumerate(documents) for sentence in document]
    found = []
    for (number, first), (_, true_next) in pairwise(flat):
        second = from_other_document(documents, number, random) if random.random() < 0.5 else true_next
        found.append((first, second, IS_NEXT if second == true_next else NOT_NEXT))
    return found


@pairs.whole_mistake(
    "Each sentence makes two pairs, a real one and a random one.",
    hint="One pair for each first sentence; the coin says which.",
)
def both_pairs(documents: Any, seed: Any = None) -> Any:
    real = right.sentence_pairs(documents, seed)
    documents = without_blanks(documents)
    follows = {pair: None for document in documents for pair in pairwise(document)}
    random = variant(documents, seed, is_random=lambda *_: True)
    return [pair for one, other in zip(follows, random, strict=False) for pair in ((*one, IS_NEXT), other)] or real


@pairs.whole_mistake(
    "Only every second sentence is the first of a pair.",
    hint="A sentence that was second in one pair is first in the next one.",
)
def no_overlap(documents: Any, seed: Any = None) -> Any:
    cut = [
        document[start : start + 2] for document in without_blanks(documents) for start in range(0, len(document), 2)
    ]
    return variant(cut, seed)


@pairs.whole_mistake(
    "Blank sentences are taken for sentences.",
    hint="What is left of a blank line after `strip()`? Remove such lines first.",
)
def blanks_kept(documents: Any, seed: Any = None) -> Any:
    return variant(documents, seed, clean=lambda documents: [list(document) for document in documents if document])


@pairs.whole_mistake(
    "Documents that have nothing but blank sentences are still drawn from, and there is nothing in them to draw.",
    hint="When the blank sentences are gone, some documents are empty. Remove these, too.",
)
def empty_documents_kept(documents: Any, seed: Any = None) -> Any:
    def clean(documents: Any) -> list[list[str]]:
        return [[sentence for sentence in document if sentence.strip()] for document in documents]

    return variant(documents, seed, clean=clean)


@pairs.whole_mistake(
    "The seed is ignored: the same integer does not give the same pairs again.",
    hint="`np.random.default_rng` takes the seed, whatever it is.",
)
def seed_ignored(documents: Any, seed: Any = None) -> Any:
    return variant(documents, None)


@pairs.whole_mistake(
    "The seed 0 is taken for no seed at all: its pairs are not the same again.",
    hint="`seed or ...` asks whether the seed is true, and 0 is not. `np.random.default_rng` takes None by itself.",
)
def no_seed_of_zero(documents: Any, seed: Any = None) -> Any:
    return variant(documents, seed or None)


@pairs.whole_mistake(
    "The seed is fixed: the pairs are the same in every call.",
    hint="A new epoch wants new pairs. `np.random.default_rng` takes the seed that you were given.",
)
def seed_fixed(documents: Any, seed: Any = None) -> Any:
    return variant(documents, 0)


@pairs.whole_mistake(
    "A generator is not gone on with: each call starts it anew.",
    hint="`np.random.default_rng(generator)` returns the generator itself, which remembers where it is.",
)
def generator_restarted(documents: Any, seed: Any = None) -> Any:
    return variant(documents, seed if isinstance(seed, int) else 0)


@pairs.whole_mistake(
    "The label is left out.",
    hint="A pair is (first, second, label).",
)
def without_labels(documents: Any, seed: Any = None) -> Any:
    return [(first, second) for first, second, _ in right.sentence_pairs(documents, seed)]
