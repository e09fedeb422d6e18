"""A sentence that is English text, and that remembers what it was made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any

from grading.messages.grammar import with_verb

# `{name}`, or `{name:form}` where the sentence needs another form of the value.
_PLACE = re.compile(r"\{(\w+)(?::(\w+))?\}")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# "is", "has" and "differs" are English alone: the value and its verb. A translation may use the others.
_FORMS: dict[str | None, Callable[[str], str]] = {
    "is": lambda name: with_verb(name, "is"),
    "has": lambda name: with_verb(name, "has"),
    "differs": lambda name: with_verb(name, "differs"),
    "it": lambda sentence: re.sub("^The result ", "it ", sentence),
    "capital": _capital,
    "unstopped": lambda sentence: sentence.strip().rstrip(".。"),
}


class Message(str):
    """An English sentence made from a template, for all that prints, compares and stores it; and its parts beside it.

    Values are numbers, texts that no language changes, such as names in code, and messages. They are put in as they
    are, no matter who wrote them: what looks like a placeholder in a value stays what it is.

    Attributes:
        template: the English sentence, with names of values in braces. Catalogues have their translations under it.
        plural: the same where the value `count` is not 1; "" if the sentence counts nothing.
        values: by name.

    Example:
        >>> Message("{count} weight is missing", plural="{count} weights are missing", count=2)
        '2 weights are missing'
    """

    template: str
    plural: str
    values: Mapping[str, Any]

    def __new__(cls, template: str, /, plural: str = "", **values: Any) -> Message:
        return cls.of_parts(template, plural, values)

    @classmethod
    def of_parts(cls, template: str, plural: str, values: Mapping[str, Any]) -> Message:
        """The same, for a template that stands as a literal somewhere else."""
        message = super().__new__(cls, filled(plural if plural and values["count"] != 1 else template, values))
        message.template, message.plural, message.values = template, plural, values
        return message

    @classmethod
    def of(cls, text: str) -> Message:
        """A text that a catalogue has as it stands, such as a known mistake's sentence; a message stays what it is."""
        return text if isinstance(text, Message) else cls.of_parts(text, "", {})

    def __str__(self) -> Message:
        return self  # Python's own would forget the parts

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        return (self.template,), {"plural": self.plural, **self.values}


def all_of(texts: Iterable[str]) -> Message:
    """Some texts as "a and b and c"; each may be a message."""
    return _one_by_one(texts, lambda first, second: Message("{first} and {second}", first=first, second=second))


def any_of(texts: Iterable[str]) -> Message:
    """Some texts as "a or b or c"."""
    return _one_by_one(texts, lambda first, second: Message("{first} or {second}", first=first, second=second))


def enumerated(texts: Iterable[str]) -> Message:
    """Some texts as "a, b, c"."""
    return _one_by_one(texts, lambda first, second: Message("{first}, {second}", first=first, second=second))


def in_turn(texts: Iterable[str]) -> Message:
    """Some sentences, or parts of one, as "a; b; c"."""
    return _one_by_one(texts, lambda first, second: Message("{first}; {second}", first=first, second=second))


def _one_by_one(texts: Iterable[str], join: Callable[[Message, Message], Message]) -> Message:
    return reduce(join, map(Message.of, texts))


def has_no_words(template: str) -> bool:
    """Whether a template only joins values, so that it may be the same in another language."""
    return not any(letter.isalpha() for letter in _PLACE.sub("", template))


def filled(template: str, values: Mapping[str, Any]) -> str:
    """A template with values in place of their names. A name without a value stays as it is."""

    def value_at(place: re.Match[str]) -> str:
        if place[1] not in values:
            return place[0]
        text = str(values[place[1]])
        return _FORMS[place[2]](text) if place[2] in _FORMS else text

    return _PLACE.sub(value_at, template)
