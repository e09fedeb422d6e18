"""Generates the bundled sample: `python datasets/generate.py` writes datasets/sample.jsonl.gz, the same each time.

An article is a cast (a club, its coach, a player...), drawn from a world of made-up names, and a story of its topic. It
opens with what happened, goes on with what followed, and closes with what people said, while the cast stays the same.
Sentences from a second topic stand in between, so that single words do not give the topic away.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from random import Random

from pairs import Pairs
from templates import Choice, Grammar, Piece, Reference, Section, expand, load
from universe import Country, Name, Universe

FOLDER = Path(__file__).parent
TOPICS = ("world", "sports", "business", "science")  # In the order of their labels, which are AG News's.
SEED = 20181011  # The day that BERT was published.
ARTICLES = 5000

# The share of articles that report a second event, of another topic. Their topic is that of the first event, which
# single words cannot show: this share limits the accuracy of a bag of words.
SECOND_EVENT_SHARE = 0.4
# The share of articles with a pair of nouns whose pronoun only an adjective explains.
PAIR_SHARE = 0.5
# How often the title does not mention the event.
SHARED_TITLE_SHARE = 0.5

# A text, and the spans of its entities: start, end, kind.
Sentence = tuple[str, list[tuple[int, int, str]]]


class Writer:
    """Writes the sentences of one article, and remembers its names and choices."""

    def __init__(
        self, words: dict[str, Choice], lets: dict[str, Choice], cast: dict[str, Name], random: Random
    ) -> None:
        self._words = words
        self._lets = lets
        self._cast = cast
        self._random = random
        self._facts: dict[str, list[Piece]] = {}
        self._named: set[Name] = set()

    def pick(self, templates: list[Choice], count: int) -> list[Choice]:
        """Draws different templates that do not name one member of the cast under two roles."""
        return self._random.sample([template for template in templates if self._has_clear_roles(template)], count)

    def _has_clear_roles(self, template: Choice) -> bool:
        roles = {reference.name.partition(".")[0] for reference in template.references() if reference.kept}
        members = [self._cast[role] for role in roles if role in self._cast]
        return len(members) == len(set(members))

    def title(self, template: Choice) -> str:
        """A headline: without articles before names, and with people by their surname."""
        text, _ = render(expand(template, self._random, self._resolve_in_title))
        return text

    def sentence(self, template: Choice, opening: Choice | None = None, random: Random | None = None) -> Sentence:
        """A sentence, and the spans of its entities; with an opening, such as "On the same day", before it."""
        pieces = expand(template, random or self._random, self._resolve)
        if opening:
            first, kind = next(pieces)
            first = first if kind else first[:1].lower() + first[1:]
            pieces = chain(expand(opening, self._random, self._resolve), [(", ", None), (first, kind)], pieces)
        return render(pieces)

    def _resolve_in_title(self, reference: Reference) -> Iterator[Piece]:
        name = self._cast.get(reference.name)
        if name and reference.kept:
            yield (name.short or name.full), name.kind
        else:
            yield from self._resolve(reference)

    def _resolve(self, reference: Reference) -> Iterator[Piece]:
        if not reference.kept:
            yield from expand(self._words[reference.name], self._random, self._resolve)
            return
        role, _, pronoun = reference.name.partition(".")
        if pronoun:
            yield pronoun_of(self._cast[role], pronoun), None
        elif role in self._cast:
            yield from self._mention(self._cast[role])
        else:
            if role not in self._facts:
                self._facts[role] = list(expand(self._lets[role], self._random, self._resolve))
            yield from self._facts[role]

    def _mention(self, name: Name) -> Iterator[Piece]:
        if name not in self._named:
            self._named.add(name)
            yield name.article, None
            yield name.full, name.kind
        elif name.common:
            yield name.common, None
        else:
            yield name.article, None
            yield name.short, name.kind


def pronoun_of(person: Name, form: str) -> str:
    """The person's pronoun in the place of "they", "them" or "their"."""
    woman, man = {"they": ("she", "he"), "them": ("her", "him"), "their": ("her", "his")}[form]
    return woman if person.is_woman else man


def render(pieces: Iterable[Piece]) -> Sentence:
    """Joins pieces to a sentence, with a capital at its start and the right "a" or "an", and its entities' spans."""
    text = ""
    spans = []
    for piece, kind in pieces:
        if not piece:
            continue
        if text.endswith((" a ", "A ")) and piece[0].lower() in "aeiou" and not piece.startswith(("uni", "one")):
            text = text[:-1] + "n "
        if kind:
            spans.append((len(text), len(text) + len(piece), kind))
        text += piece if text or kind else piece[0].upper() + piece[1:]
    return text, spans


def draw_cast(topic: str, countries: list[Country], random: Random) -> dict[str, Name]:
    """Draws the people and things of an article. `org`, `speaker` and `critic` are the main ones of its topic."""
    country, neighbour = random.sample(countries, 2)
    ministry, minister = random.choice(country.ministries)
    club, coach, players = random.choice(country.clubs)
    rival, rival_coach, rival_players = random.choice(neighbour.clubs)
    company, boss, products = random.choice(country.companies)
    partner, _, _ = random.choice([entry for entry in country.companies if entry[0] != company])
    bank, analysts = random.choice(country.banks)
    lab, scientists = random.choice(country.labs)
    scientist, colleague = random.sample(scientists, 2)
    analyst = random.choice(analysts)
    org, speaker, critic = {
        "world": (ministry, minister, country.opponent),
        "sports": (club, coach, rival_coach),
        "business": (company, boss, analyst),
        "science": (lab, scientist, colleague),
    }[topic]
    return {
        "country": country.name,
        "neighbour": neighbour.name,
        "capital": country.towns[0],
        "city": random.choice(country.towns[1:]),
        "leader": country.leader,
        "opponent": country.opponent,
        "minister": minister,
        "group": random.choice(country.groups),
        "club": club,
        "rival": rival,
        "coach": coach,
        "player": random.choice(players),
        "scorer": random.choice(rival_players),
        "company": company,
        "partner": partner,
        "boss": boss,
        "product": random.choice(products),
        "bank": bank,
        "analyst": analyst,
        "lab": lab,
        "scientist": scientist,
        "colleague": colleague,
        "org": org,
        "speaker": speaker,
        "critic": critic,
    }


class Newsroom:
    """Writes articles from the grammar files."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._topics = [load(FOLDER / "grammar" / f"{topic}.txt") for topic in TOPICS]
        shared = load(FOLDER / "grammar" / "shared.txt")
        self._any = shared.sections["any"]
        self._pools = [grammar.sections.pop("pool") for grammar in self._topics]
        self._words = {name: word for grammar in (shared, *self._topics) for name, word in grammar.words.items()}
        self._countries = Universe(load(FOLDER / "grammar" / "names.txt"), random).countries
        # The pairs have draws of their own, so that the rest of the sample is the same with and without them.
        self._pair_random = Random(SEED)
        pairs = load(FOLDER / "grammar" / "pairs.txt")
        self._pairs = Pairs(Grammar(self._words | pairs.words, pairs.sections), self._pair_random)

    def article(self, label: int) -> dict:
        """One article of a topic, as a row of the sample."""
        random = self._random
        own, second = label, random.choice([topic for topic in range(len(TOPICS)) if topic != label])
        story, aside = (random.choice(list(self._topics[topic].sections.values())) for topic in (own, second))
        lets = {name: let for section in (*self._pools, aside, story) for name, let in section.lets.items()}
        cast = draw_cast(TOPICS[label], self._countries, random)
        writer = Writer(self._words, lets, cast, random)

        titles = self._any if random.random() < SHARED_TITLE_SHARE else story
        title = writer.title(writer.pick(titles.templates["title"], 1)[0])
        sentences = self._event(story, writer)
        if random.random() < SECOND_EVENT_SHARE:
            sentences += self._event(aside, writer, self._words["opening"])
            sentences += self._middle(writer, [self._any.templates["quote"]])
        else:
            pools = [self._pools[own].templates["body"], self._pools[second].templates["body"]]
            sentences += self._middle(writer, [*pools, self._any.templates["quote"]])
        sentences += [writer.sentence(end) for end in writer.pick(self._any.templates["end"], random.randint(0, 1))]
        return {"label": label, "title": title, **join(sentences)}

    def _event(self, story: Section, writer: Writer, opening: Choice | None = None) -> list[Sentence]:
        """The sentences about an event and its consequences."""
        lead = writer.pick(story.templates["lead"], 1)[0]
        steps = writer.pick(story.templates["step"], self._random.randint(1, 3))
        return [writer.sentence(lead, opening), *map(writer.sentence, steps)]

    def _middle(self, writer: Writer, pools: list[list[Choice]]) -> list[Sentence]:
        """Up to two sentences of each pool, in any order, and a pair of nouns in some articles."""
        templates = [template for pool in pools for template in writer.pick(pool, self._random.randint(0, 2))]
        self._random.shuffle(templates)
        drawn = [(template, self._random) for template in templates]
        if self._pair_random.random() < PAIR_SHARE:
            place = self._pair_random.randint(0, len(drawn))
            drawn.insert(place, (self._pairs.sentence(), self._pair_random))
        return [writer.sentence(template, random=random) for template, random in drawn]


def join(sentences: list[Sentence]) -> dict:
    """The sentences, and the spans of all entities in the text of these sentences joined by spaces."""
    entities = []
    offset = 0
    for text, spans in sentences:
        entities += [[offset + start, offset + end, kind] for start, end, kind in spans]
        offset += len(text) + 1
    return {"sentences": [text for text, _ in sentences], "entities": entities}


def sample(seed: int = SEED, articles: int = ARTICLES) -> bytes:
    """The whole sample, one JSON object per line: equally many articles of each topic, in random order."""
    random = Random(seed)
    newsroom = Newsroom(random)
    labels = [number % len(TOPICS) for number in range(articles)]
    random.shuffle(labels)
    rows = (json.dumps(newsroom.article(label), ensure_ascii=False) for label in labels)
    return "".join(f"{row}\n" for row in rows).encode()


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the bundled sample.")
    parser.add_argument("--to", type=Path, default=FOLDER / "sample.jsonl.gz", help="the file to write")
    path = parser.parse_args().to
    # Without a time or a name in it, the file is the same each time.
    with path.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(sample())
    print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
