"""Sentences with two nouns and a pronoun, of which an adjective alone tells what the pronoun means.

Reference: such pairs test common sense in Levesque et al., "The Winograd Schema Challenge", 2012. Here each adjective
fits one kind of noun only, so that the sample's articles are enough to learn it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product

import pandas as pd

# For each adjective the nouns that it fits; "animal" and "street" first.
MOVERS = {
    "tired": ["animal", "dog", "horse", "cow", "donkey", "camel", "elephant", "bear", "lion", "mule", "monkey"],
    "heavy": ["truck", "tractor", "van", "cart", "ambulance", "crane", "taxi"],
}
WAYS = {
    "wide": ["street", "road", "square", "highway"],
    "narrow": ["bridge", "footbridge", "dam", "viaduct"],
    "deep": ["river", "canal", "stream"],
    "muddy": ["field", "valley", "meadow", "swamp"],
}
_FORMS = (
    "The {mover} did not cross the {way} because it was too {adjective}.",
    "The {way} could not be crossed by the {mover} because it was too {adjective}.",
)


def unread_pronouns(read: Iterable[str]) -> pd.DataFrame:
    """Sentences whose two nouns stand together in no sentence that an encoder has read.

    Args:
        read: the sentences that it has read.

    Returns:
        The columns `pair`, `text`, `right` (the noun that *it* means), `wrong` (the other noun) and `adjective`. A pair
        of nouns has four rows, two for each order of the nouns. These two differ in their adjective alone, so what is
        right in one is wrong in the other.
    """
    movers = {noun: adjective for adjective, nouns in MOVERS.items() for noun in nouns}
    ways = {noun: adjective for adjective, nouns in WAYS.items() for noun in nouns}
    together: set[tuple[str, str]] = set()
    for sentence in read:
        words = {word.removesuffix("s") for word in re.findall(r"\w+", sentence.lower())}
        together.update(product(words & movers.keys(), words & ways.keys()))
    rows = []
    unread = [nouns for nouns in product(movers, ways) if nouns not in together]
    for pair, (mover, way) in enumerate(unread):
        for form, meant in product(_FORMS, (0, 1)):
            adjective = (movers[mover], ways[way])[meant]
            right, wrong = ((mover, way), (way, mover))[meant]
            rows.append((pair, form.format(mover=mover, way=way, adjective=adjective), right, wrong, adjective))
    return pd.DataFrame(rows, columns=["pair", "text", "right", "wrong", "adjective"])
