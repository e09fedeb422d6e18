"""Says messages in a language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from gettext import NullTranslations
from typing import Any

from grading.languages import ENGLISH, html_language, translation
from grading.messages.message import Message, filled, has_no_words


class Translator:
    """Says messages in one language, and in English what its catalogues do not have.

    Args:
        language: the language's code, such as "ru".
        catalogues: looked through in this order.
    """

    def __init__(self, language: str = ENGLISH, catalogues: Sequence[NullTranslations] = ()) -> None:
        self.language = language
        self._catalogues = catalogues

    @property
    def html_language(self) -> str:
        """What a page calls the language."""
        return html_language(self.language)

    def __call__(self, text: str) -> str:
        """A message, or an English sentence without values, in this language."""
        if not isinstance(text, Message):
            return self._found(text) or text
        template = self._found(text.template, text.plural, text.values.get("count", 1))
        if not template:
            return str(text)
        values = {name: self(value) if isinstance(value, Message) else value for name, value in text.values.items()}
        return filled(template, values)

    def say(self, template: str, /, plural: str = "", **values: Any) -> str:
        """The message that is made from this, in this language; for templates of pages."""
        return self(Message.of_parts(template, plural, values))

    def _found(self, template: str, plural: str = "", count: float = 1) -> str:
        """The translation of a template, or ""."""
        for catalogue in self._catalogues if template else ():
            # Where something is counted in parts, languages take the form of a few.
            number = int(count) if count == int(count) else 2
            look_up, count_up = catalogue.gettext, catalogue.ngettext  # not literals, which would be extracted
            found = count_up(template, plural, number) if plural else look_up(template)
            if found not in (template, plural) or has_no_words(template):
                return found
        return ""


@cache
def translator(language: str, lesson: str = "") -> Translator:
    """What says messages in a language.

    Args:
        language: its code.
        lesson: the name of a lesson, such as "03_attention", whose checks and known mistakes are said, too.

    Raises:
        GradingError: a catalogue is damaged.
    """
    names = ["messages", lesson] if lesson else ["messages"]
    return Translator(language, [translation(language, name) for name in names])
