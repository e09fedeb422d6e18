"""Messages are English text for all that knows nothing of them, and are rebuilt in other languages."""

from __future__ import annotations

import ast
import copy
import json
import pickle
from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path

import pytest

from grading.errors import GradingError
from grading.messages import Message, all_of, in_turn
from grading.messages.stored import by_english, messages_in
from grading.messages.translator import Translator, translator
from grading.storage.project import PROJECT

HOSTILE = "{name} {count} %(name)s %s {{ 7 * 7 }} <b>{0.__class__}</b>"
SAID_OF = ("Observation", "Difference", "_meaning", "Refusal", "record_unchecked", "DamagedSubmission")


class Words(NullTranslations):
    """A catalogue in memory."""

    def __init__(self, words: dict[str, str | tuple[str, str]]) -> None:
        super().__init__()
        self._words = words

    def gettext(self, message: str) -> str:
        return str(self._words.get(message, message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        found = self._words.get(msgid1)
        return found[n != 1] if isinstance(found, tuple) else msgid1 if n == 1 else msgid2


def test_a_message_is_its_english_text() -> None:
    message = Message("{name} has {count} axis", plural="{name} has {count} axes", name="query", count=3)
    assert message == "query has 3 axes"
    assert hash(message) == hash("query has 3 axes")
    assert json.dumps([message]) == '["query has 3 axes"]'
    assert Message("{name} has {count} axis", plural="{name} has {count} axes", name="query", count=1).endswith("axis")


@pytest.mark.parametrize("copied", [str, copy.deepcopy, lambda message: pickle.loads(pickle.dumps(message))])
def test_a_copy_of_a_message_has_its_parts(copied) -> None:
    message = Message("{first} and {second}", first=Message("the result"), second="x")
    again = copied(message)
    assert (again, again.template, again.values) == (message, message.template, message.values)
    assert str(GradingError(message)).template == message.template  # type: ignore[attr-defined]


def test_a_value_is_never_read_as_a_template() -> None:
    message = Message("`{name}` is {count}", name=HOSTILE, count=2)
    assert message == f"`{HOSTILE}` is 2"
    say = Translator("xx", [Words({"`{name}` is {count}": "{count} ist `{name}`", HOSTILE: "translated"})])
    assert say(message) == f"2 ist `{HOSTILE}`"


def test_each_language_has_its_own_order_and_forms() -> None:
    message = Message(
        "{where:differs} in {count} place", plural="{where:differs} in {count} places", where="x", count=2
    )
    assert message == "x differs in 2 places"
    words = {"{where:differs} in {count} place": ("eins: {where:capital}", "{count}: {where:capital}")}
    assert Translator("xx", [Words(words)])(message) == "2: X"


def test_messages_in_a_message_are_translated_with_it() -> None:
    words: dict[str, str | tuple[str, str]] = {"{first} and {second}": "{first} und {second}", "the result": "Ergebnis"}
    assert Translator("xx", [Words(words)])(all_of(["the result", "`b`", "`c`"])) == "Ergebnis und `b` und `c`"


def test_what_has_no_translation_is_said_in_english() -> None:
    message = Message("{name} is new", name=Message("the result"))
    assert Translator("xx", [Words({"the result": "Ergebnis"})])(message) == "the result is new"
    assert translator("ru")("A sentence that no catalogue has.") == "A sentence that no catalogue has."


def test_points_in_parts_have_a_form_in_each_language() -> None:
    message = Message("{earned} point", plural="{earned} points", earned="2.5", count=2.5)
    assert message == "2.5 points"
    assert translator("ru")(message) == "2.5 балла"


@pytest.mark.parametrize("points, said", [(1, "1 балл"), (2, "2 балла"), (5, "5 баллов"), (21, "21 балл")])
def test_russian_counts_in_three_forms(points: int, said: str) -> None:
    message = Message("{earned} point", plural="{earned} points", earned=str(points), count=points)
    assert translator("ru")(message) == said


def test_stored_messages_come_back_from_json() -> None:
    inner = in_turn([Message("needs {name}", name=HOSTILE), "the result"])
    message = Message("{what}, at `{line}`", what=inner, line="x = '{what}'")
    stored = json.loads(json.dumps(messages_in({"deep": [{"message": message}]})))
    again = by_english(stored)[str(message)]
    assert again == message
    assert translator("ru")(again) == translator("ru")(message) != message


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"english": "x"},
        {"english": "x", "template": 1, "plural": "", "values": {}},
        {"english": "x", "template": "{a}", "plural": "", "values": {"a": ["b"]}},
        "x",
    ],
)
def test_a_damaged_message_is_left_out(broken) -> None:
    assert by_english([broken]) == {}


def test_a_plural_without_its_count_is_one() -> None:
    stored = {"english": "x", "template": "{name} point", "plural": "{name} points", "values": {"name": "x"}}
    assert by_english([stored])["x"] == "x point"  # type: ignore[list-item]


def glued(path: Path) -> Iterator[str]:
    """Texts for students that are put together, so that no catalogue has them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAID_OF:
            said = (
                node.args[:1] if node.func.id == "DamagedSubmission" else node.args
            )  # what follows is for instructors
            for argument in said:
                if isinstance(argument, ast.JoinedStr | ast.BinOp):
                    yield f"{path.name}, line {argument.lineno}: {ast.unparse(argument)[:60]}"


@pytest.mark.parametrize(
    "folder",
    ["judging", "judging/behaviour", "feedback", "student_kernel", "student_kernel/my_bert", "submission", "classroom"],
)
def test_no_sentence_for_students_is_glued(folder: str) -> None:
    assert [found for path in sorted((PROJECT / "grading" / folder).glob("*.py")) for found in glued(path)] == []
