"""Sentences with two nouns and a pronoun, in which an adjective alone decides which noun the pronoun means.

"The animal did not cross the street because it was too tired": the animal. With "wide" it is the street. Neither the
order of the nouns nor their kind nor their number gives the answer without the adjective. Where the nouns differ in
number, the pronoun agrees with the noun that it means.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from templates import Choice, Grammar, Piece, Reference, expand, parse

MOVERS, WAYS = ("animal", "vehicle"), ("street", "bridge", "river", "field")
_PLURAL_SHARE = 1 / 3
# Of all pairs of a mover and a way, every fourth stands in no article, so that a reader can be tested with it.
_HELD_OUT = 4


class Pairs:
    """Draws the sentences from their grammar, which also says what the words in it mean."""

    def __init__(self, grammar: Grammar, random: Random) -> None:
        self._words = grammar.words
        self._sentences = grammar.sections["pairs"].templates["sentence"]
        self._random = random

    def _nouns(self, kinds: tuple[str, ...]) -> list[tuple[str, str, str]]:
        """The kind, the singular and the plural of each noun of some kinds."""
        return [(kind, *str(option[0]).split("/")) for kind in kinds for option in self._words[kind].options]

    def combinations(self, held_out: bool) -> list[tuple[tuple[str, str, str], tuple[str, str, str]]]:
        """The pairs of a mover and a way that articles may have, or those that are held out."""
        return [
            (mover, way)
            for row, mover in enumerate(self._nouns(MOVERS))
            for column, way in enumerate(self._nouns(WAYS))
            if ((row + column) % _HELD_OUT == 0) == held_out
        ]

    def sentence(self) -> Choice:
        """A sentence with all of its choices made; only names of the article, such as {city}, remain."""
        random = self._random
        nouns = random.choice(self.combinations(held_out=False))
        plural = [random.random() < _PLURAL_SHARE for _ in nouns]
        mover, way = (noun[1 + is_plural] for noun, is_plural in zip(nouns, plural, strict=True))
        meant = random.randrange(2)
        facts = {
            "a mover": parse(f"(the|two|some) {mover}" if plural[0] else f"(the|a{'n' * (mover[0] in 'ae')}) {mover}"),
            "mover": parse(mover),
            "way": parse(way),
            "meant": parse((mover, way)[meant]),
            "they": parse("they" if plural[meant] else "it"),
            "was": parse("were" if plural[meant] else "was"),
            "quality": self._words[f"{nouns[meant][0]}_quality"],
        }

        def resolve(reference: Reference) -> Iterator[Piece]:
            template = facts.get(reference.name) if reference.kept else self._words[reference.name]
            yield from expand(template, random, resolve) if template else [(f"{{{reference.name}}}", None)]

        return parse("".join(text for text, _ in expand(random.choice(self._sentences), random, resolve)))
