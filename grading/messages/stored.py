"""The messages in a record: the record itself holds their English, and a table beside it what they were made of.

A page in another language looks each text up in that table. A text that is not there, as in an old record, is English,
or a sentence without values that the catalogue has as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypedDict

from grading.messages.message import Message


class StoredMessage(TypedDict):
    """A message as JSON can hold it; a value that is a message itself is stored in the same way."""

    english: str
    template: str
    plural: str
    values: dict[str, Any]


def messages_in(value: Any) -> list[StoredMessage]:
    """The messages in a plain value, however deep, each once."""
    return list({message: _stored(message) for message in _messages(value)}.values())


def _messages(value: Any) -> Iterator[Message]:
    if isinstance(value, Message):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _messages(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _messages(item)


def _stored(message: Message) -> StoredMessage:
    values = {
        name: _stored(value) if isinstance(value, Message) else value if isinstance(value, int | float) else str(value)
        for name, value in message.values.items()
    }
    return {"english": "".join(message), "template": message.template, "plural": message.plural, "values": values}


def by_english(stored: Sequence[StoredMessage]) -> dict[str, Message]:
    """The stored messages by their English. What is no message, as in a damaged file, is left out."""
    found = {one["english"]: _message(one) for one in stored if _is_stored(one)}
    return {english: message for english, message in found.items() if message is not None}


def _message(stored: StoredMessage) -> Message | None:
    values = {name: _message(value) if _is_stored(value) else value for name, value in stored["values"].items()}
    if any(not isinstance(value, str | int | float) for value in values.values()):
        return None
    counts = isinstance(values.get("count"), int | float)
    return Message.of_parts(stored["template"], stored["plural"] if counts else "", values)


def _is_stored(value: Any) -> bool:
    kinds = {"english": str, "template": str, "plural": str, "values": dict}
    return isinstance(value, dict) and all(isinstance(value.get(key), kind) for key, kind in kinds.items())
