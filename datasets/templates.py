"""The notation of the grammar files: parsing it, and expanding it into text.

(a|b)     one of these                   [a]       a, or nothing
<word>    a word of the list of that name, drawn each time   <2-9>   a number from 2 to 9
{role}    a name or a fact of the article, the same throughout; {role.they} is its pronoun
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

_TOKENS = re.compile(r"[(|)\[\]]|<[^<>]+>|\{[^{}]+\}|[^(|)\[\]<>{}]+")
_RANGE = re.compile(r"(\d+)-(\d+)$")

# A piece of text, and the kind of entity that it names, if it names one.
Piece = tuple[str, str | None]


@dataclass(frozen=True)
class Reference:
    """`<name>`, or `{name}` if its value stays the same throughout the article."""

    name: str
    kept: bool


@dataclass(frozen=True)
class Choice:
    """Alternatives, each a sequence."""

    options: tuple[tuple[str | Reference | Choice, ...], ...]

    def references(self) -> Iterator[Reference]:
        """Yields every reference in any alternative."""
        for option in self.options:
            for node in option:
                if isinstance(node, Reference):
                    yield node
                elif isinstance(node, Choice):
                    yield from node.references()


@dataclass
class Section:
    """A story or a pool of sentences: its fixed values (`let`), and the templates of each kind."""

    lets: dict[str, Choice] = field(default_factory=dict)
    templates: dict[str, list[Choice]] = field(default_factory=dict)


@dataclass
class Grammar:
    """A grammar file: its lists of words, and its sections by name."""

    words: dict[str, Choice]
    sections: dict[str, Section]


def parse(text: str) -> Choice:
    """Parses a template.

    Raises:
        ValueError: a bracket that is not closed, or closed without having been opened.
    """
    tokens = _TOKENS.findall(text)
    if "".join(tokens) != text:
        raise ValueError(f"a < or {{ without its partner in {text!r}")
    position = 0

    def choice(closing: str) -> Choice:
        nonlocal position
        options: list[list[str | Reference | Choice]] = [[]]
        while position < len(tokens):
            token = tokens[position]
            position += 1
            if token == closing:
                break
            if token == "|":
                options.append([])
            elif token == "(":
                options[-1].append(choice(")"))
            elif token == "[":
                options[-1].append(Choice((choice("]").options[0], ())))
            elif token in (")", "]"):
                raise ValueError(f"an unexpected {token} in {text!r}")
            elif token[0] in "<{":
                options[-1].append(Reference(token[1:-1], kept=token[0] == "{"))
            else:
                options[-1].append(token)
        else:
            if closing:
                raise ValueError(f"a missing {closing} in {text!r}")
        return Choice(tuple(map(tuple, options)))

    return choice("")


def load(path: Path) -> Grammar:
    """Reads a grammar file: lists of words first, then sections, each under a line `== name`.

    Raises:
        ValueError: a line that is no part of it, with its number.
    """
    grammar = Grammar({}, {})
    section = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line or line.startswith("#"):
            continue
        if line.startswith("== "):
            section = grammar.sections.setdefault(line.removeprefix("== "), Section())
            continue
        key, colon, text = line.replace(" | ", "|").partition(": ")
        if not colon:
            raise ValueError(f"{path.name}, line {number}: wanted `name: template`. Received: {line!r}")
        try:
            if section is None:
                grammar.words[key] = parse(text)
            elif key.startswith("let "):
                section.lets[key.removeprefix("let ")] = parse(text)
            else:
                section.templates.setdefault(key, []).append(parse(text))
        except ValueError as error:
            raise ValueError(f"{path.name}, line {number}: {error}") from error
    return grammar


def expand(choice: Choice, random: Random, resolve: Callable[[Reference], Iterator[Piece]]) -> Iterator[Piece]:
    """Draws one text from a template, in pieces.

    Args:
        choice: the parsed template.
        random: where the draws come from.
        resolve: gives the pieces of a reference.
    """
    for node in random.choice(choice.options):
        if isinstance(node, str):
            yield node, None
        elif isinstance(node, Choice):
            yield from expand(node, random, resolve)
        elif bounds := _RANGE.match(node.name):
            yield str(random.randint(int(bounds[1]), int(bounds[2]))), None
        else:
            yield from resolve(node)
