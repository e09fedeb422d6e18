"""Texts that students write - names, code, messages, answers - as a terminal, a log and a page can show them."""

from __future__ import annotations

from typing import Any, TypeVar

MOST_CHARACTERS = 500
_LINE_BREAKS = "\n\t"

_Value = TypeVar("_Value")


def visible(text: str, also: str = "") -> str:
    """A text in which nothing moves the cursor, changes colours or turns the writing around.

    Control and bidirectional characters, and whatever else no printer shows, stand there as their codes.

    Args:
        also: characters that are left as they are.
    """
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or letter in also else letter.encode("unicode_escape").decode()
        for letter in text
    )


def shown(text: str) -> str:
    """A text as people are shown it: visible, with its line breaks, and cut where it is longer than anybody reads."""
    cut = text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 1]}…"
    return visible(cut, _LINE_BREAKS)


def shown_throughout(value: _Value) -> _Value:
    """The same plain value in which each text is shown: what a record holds, however deep.

    Whatever of a student's reaches a terminal, a log or a page goes through a record, and each record through this.
    """
    return _walked(value)


def _walked(value: Any) -> Any:
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, dict):
        return {key: _walked(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_walked(item) for item in value]
    return value
