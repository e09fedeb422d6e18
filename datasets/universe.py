"""The made-up world of the sample: its countries, with their towns, people, clubs, companies and laboratories.

It is the same in every article: a club keeps its coach, a company its products. So there is something to learn
about them, and the names of a person, a place and a company may be the same, as they may in real news.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from templates import Choice, Grammar, Piece, Reference, expand

PERSON, PLACE, ORGANIZATION, PRODUCT = "person", "place", "organization", "product"

_TOWNS_A_COUNTRY = 5
_LAB_NOUNS = ("University", "Institute", "Laboratory", "Observatory", "Polytechnic")
_PRODUCT_LETTERS = "abdegkmpqrstvxz"
_PRODUCT_WORDS = ("Orion", "Swift", "Atlas", "Lumen", "Pico", "Delta", "Nimbus", "Vega")


@dataclass(frozen=True)
class Name:
    """Something with a name.

    Attributes:
        kind: person, place, organization or product.
        full: the name as it stands at first mention.
        short: the name afterwards, or "" where it is `common` instead.
        common: a noun that stands for it afterwards, such as "the university". It is no name.
        article: "the " where the full name wants it.
        is_woman: of a person.
    """

    kind: str
    full: str
    short: str = ""
    common: str = ""
    article: str = ""
    is_woman: bool = False


@dataclass
class Country:
    """A country and all that is in it; the first town is the capital."""

    name: Name
    towns: list[Name]
    leader: Name
    opponent: Name
    ministries: list[tuple[Name, Name]] = field(default_factory=list)  # with the minister
    groups: list[Name] = field(default_factory=list)
    clubs: list[tuple[Name, Name, list[Name]]] = field(default_factory=list)  # with coach and players
    companies: list[tuple[Name, Name, list[Name]]] = field(default_factory=list)  # with head and products
    banks: list[tuple[Name, list[Name]]] = field(default_factory=list)  # with analysts
    labs: list[tuple[Name, list[Name]]] = field(default_factory=list)  # with scientists


class Universe:
    """Draws the world from the lists of names."""

    def __init__(self, names: Grammar, random: Random) -> None:
        self._names = names
        self._random = random
        self._taken: set[str] = set()
        self.countries = [self._country(*entry.split("/")) for entry in self._list("country")]

    def _list(self, name: str) -> list[str]:
        return [str(option[0]) for option in self._names.words[name].options]

    def _draw(self, name: str) -> str:
        return self._random.choice(self._list(name))

    def _country(self, name: str, adjective: str) -> Country:
        place = Name(PLACE, name, name)
        towns = [self._town() for _ in range(_TOWNS_A_COUNTRY)]
        country = Country(place, towns, leader=self._person(), opponent=self._person())
        known = {"country": name, "adjective": adjective}
        for pattern in self._random.sample(self._names.words["ministry"].options, 3):
            ministry = self._organization(Choice((pattern,)), towns, known, common="the ministry")
            country.ministries.append((ministry, self._person()))
        for pattern in self._random.sample(self._names.words["group"].options, 3):
            country.groups.append(self._organization(Choice((pattern,)), towns, known))
        for town in self._random.sample(towns, 2):
            club = Name(ORGANIZATION, f"{town.full} {self._draw('club_end')}", town.full)
            country.clubs.append((club, self._person(), [self._person() for _ in range(6)]))
        for owner in self._random.sample(self._list("surname"), 3):
            company = Name(ORGANIZATION, f"{owner} {self._draw('company_end')}", owner)
            country.companies.append((company, self._person(), [self._product() for _ in range(3)]))
        bank = self._organization(self._names.words["bank"], towns, known, common="the bank")
        country.banks.append((bank, [self._person() for _ in range(3)]))
        for _ in range(2):
            lab = self._organization(self._names.words["lab"], towns, known, common="the {}")
            country.labs.append((lab, [self._person() for _ in range(4)]))
        return country

    def _organization(self, patterns: Choice, towns: list[Name], known: dict[str, str], common: str = "") -> Name:
        """Fills in a pattern of names; "{}" in `common` becomes the name's own noun, as in "the university"."""

        def resolve(reference: Reference) -> Iterator[Piece]:
            name = known.get(reference.name) or (
                self._random.choice(towns).full if reference.name == "town" else self._draw(reference.name)
            )
            yield name, None

        full = "".join(text for text, _ in expand(patterns, self._random, resolve))
        noun = next((noun for noun in _LAB_NOUNS if noun in full), "")
        wants_article = any(word in full for word in ("University", "Ministry", "Union", "League", "Bank", "Fund"))
        return Name(
            ORGANIZATION,
            full,
            short="" if common else full,
            common=common.format(noun.lower()),
            article="the " if wants_article or full.endswith("Institute of Technology") else "",
        )

    def _fresh(self, draw: Callable[[], str]) -> str:
        """Draws until something comes that nothing else is called."""
        while (name := draw()) in self._taken:
            pass
        self._taken.add(name)
        return name

    def _town(self) -> Name:
        def draw() -> str:
            name = self._draw("town_start") + self._draw("town_end")
            return f"{self._draw('town_before')} {name}" if self._random.random() < 0.1 else name

        name = self._fresh(draw)
        return Name(PLACE, name, name)

    def _person(self) -> Name:
        is_woman = self._random.random() < 0.5

        def draw() -> str:
            return f"{self._draw('woman' if is_woman else 'man')} {self._draw('surname')}"

        full = self._fresh(draw)
        return Name(PERSON, full, short=full.split()[-1], is_woman=is_woman)

    def _product(self) -> Name:
        def draw() -> str:
            letters = "".join(self._random.choice(_PRODUCT_LETTERS) for _ in range(2))
            number = self._random.randint(10, 999)
            word = self._random.choice(_PRODUCT_WORDS)
            return self._random.choice(
                (
                    f"{letters[0]}{number}",
                    f"{letters[0].upper()}{number}",
                    f"{letters.upper()}-{number}",
                    f"{word} {number % 10 + 1}",
                )
            )

        code = self._fresh(draw)
        return Name(PRODUCT, code, code)
