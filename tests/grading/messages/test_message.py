"""Messages are English text for all that knows nothing of them, and are rebuilt in other languages."""

from __future__ import annotations

import ast
import copy
import json
import pickle
from collections.abc import Iterable, Iterator
from gettext import NullTranslations
from itertools import chain
from pathlib import Path
from typing import TypeGuard

import pytest

from grading.errors import GradingError
from grading.messages import Message, all_of, in_turn
from grading.messages.stored import by_english, messages_in
from grading.messages.translator import Translator, translator
from grading.storage.project import PROJECT

HOSTILE = "{name} {count} %(name)s %s {{ 7 * 7 }} <b>{0.__class__}</b>"
SAID_OF = (
    "Observation",
    "Difference",
    "_meaning",
    "Refusal",
    "record_unchecked",
    "DamagedSubmission",
    "SubmissionFile",
    "Entry",
)
# Of others, a catalogue has the literals.
MESSAGES_ALONE = ("Difference", "record_unchecked", "DamagedSubmission", "SubmissionFile", "Entry")
# What a judge returns, or a part of it.
JUDGED = ("str | None", "Message | None", "Message")


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
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    found = [
        *(text for text in _said(tree, *SAID_OF) if _is_made(text)),
        *(text for text in _said(tree, *MESSAGES_ALONE) if _is_words(text)),
        *(text for function in functions for text in _values(function, _returned(function)) if _is_glued(text)),
        *(text for function in functions for text in _values(function, _put_in(function)) if _is_words(text)),
        *(key for function in functions for key in _values(function, _keys(function)) if _has_words(key)),
        *(text for text in (*_literals(tree), *chain(*map(_keys, functions))) if _is_piece(text)),
    ]
    for text in found:
        yield f"{path.name}, line {text.lineno}: {ast.unparse(text)[:60]}"


def _calls(tree: ast.AST, *names: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            yield node


def _literals(tree: ast.AST) -> Iterator[ast.expr]:
    """The texts of messages."""
    for call in _calls(tree, "Message"):
        plurals = [keyword.value for keyword in call.keywords if keyword.arg == "plural"]
        yield from (*call.args, *plurals)


def _said(tree: ast.AST, *names: str) -> Iterator[ast.expr]:
    for call in _calls(tree, *names):
        # what follows is for instructors
        yield from call.args[:1] if getattr(call.func, "id", "") == "DamagedSubmission" else call.args


def _returned(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """What a judge says, or collects to say it together."""
    if function.returns is None or ast.unparse(function.returns) not in JUDGED:
        return
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and node.value:
            yield node.value
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "append":
            yield from node.args


def _put_in(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """The values of messages."""
    for call in _calls(function, "Message"):
        yield from (keyword.value for keyword in call.keywords if keyword.arg != "plural")


def _values(function: ast.FunctionDef, expressions: Iterable[ast.expr]) -> Iterator[ast.expr]:
    """What expressions may be: their branches, and what local names in them stand for."""
    known = _locals(function)
    left, seen = list(expressions), set()
    while left:
        expression = left.pop()
        if isinstance(expression, ast.IfExp):
            left += [expression.body, expression.orelse]
        elif isinstance(expression, ast.BoolOp):
            left += expression.values
        elif isinstance(expression, ast.Name) and expression.id not in seen:
            seen.add(expression.id)
            left += known.get(expression.id, [])
        else:
            yield expression


def _locals(function: ast.FunctionDef) -> dict[str, list[ast.expr]]:
    """What is assigned to the names in a function, also by a loop over tuples that stand there."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            pairs = [(target, node.value) for target in node.targets]
        elif isinstance(node, ast.For | ast.comprehension) and isinstance(node.iter, ast.Tuple | ast.List):
            pairs = [(node.target, value) for value in node.iter.elts]
        else:
            continue
        for target, value in pairs:
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs += zip(target.elts, value.elts, strict=False)
            elif isinstance(target, ast.Name):
                found.setdefault(target.id, []).append(value)
    return found


def _keys(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """What a check may call the parts of an answer."""
    for node in ast.walk(function):
        if isinstance(node, ast.Dict):
            yield from filter(None, node.keys)
        elif isinstance(node, ast.DictComp):
            yield node.key
        elif isinstance(node, ast.Assign):
            yield from (target.slice for target in node.targets if isinstance(target, ast.Subscript))


def _has_words(text: ast.expr) -> bool:
    """Whether a text is made from words and values."""
    pieces = [piece.value for piece in text.values if isinstance(piece, ast.Constant)] if _is_f_string(text) else []
    return any(" " in piece and any(map(str.isalpha, piece)) for piece in pieces)


def _is_f_string(text: ast.expr) -> TypeGuard[ast.JoinedStr]:
    return isinstance(text, ast.JoinedStr)


def _is_words(text: ast.expr) -> bool:
    """Whether a text has words that no catalogue has."""
    is_literal = isinstance(text, ast.Constant) and isinstance(text.value, str) and " " in text.value
    return is_literal or _has_words(text) or _is_joined(text)


def _is_joined(text: ast.expr) -> bool:
    """Whether texts are joined by more than commas."""
    if not (isinstance(text, ast.Call) and getattr(text.func, "attr", "") == "join"):
        return False
    separator = getattr(text.func, "value", None)
    return isinstance(separator, ast.Constant) and separator.value.strip() not in ("", ",")


def _is_piece(text: ast.expr) -> bool:
    """Whether a text is to be put behind another one, or in front of it."""
    words = getattr(text, "value", None)
    return isinstance(words, str) and words != words.strip() and any(map(str.isalpha, words))


def _is_made(text: ast.expr) -> bool:
    """Whether a text is made from pieces."""
    is_sum = isinstance(text, ast.BinOp) and isinstance(text.op, ast.Add | ast.Mod)
    literals = (part.value for part in ast.walk(text) if isinstance(part, ast.Constant))
    return isinstance(text, ast.JoinedStr) or (is_sum and any(isinstance(literal, str) for literal in literals))


def _is_glued(text: ast.expr) -> bool:
    return _is_made(text) or _is_words(text)


@pytest.mark.parametrize(
    "folder",
    [
        *("judging", "judging/behaviour", "feedback", "student_kernel", "student_kernel/my_bert"),
        *("submission", "submission/systems", "classroom", "exercises"),
        *(f"exercises/{path.parent.name}" for path in sorted(PROJECT.glob("grading/exercises/*/checks.py"))),
    ],
)
def test_no_sentence_for_students_is_glued(folder: str) -> None:
    assert [found for path in sorted((PROJECT / "grading" / folder).glob("*.py")) for found in glued(path)] == []


@pytest.mark.parametrize(
    "line",
    [
        'return f"hides {some} rows"',
        'findings.append("%s at a rate of 1" % finding)',
        'return "; ".join(findings) or None',
        'return Message("lets spans {wrong}", wrong="share a number")',
        'return Message("leaves {what}", what=" and ".join(what))',
        'return Message("The last one{place} is missing", place=Message(" along axis {axis}", axis=1))',
        'return {" with a long text": 1}',
        'return {f"the mask of length {length}": 1}',
        'return {f"the mask of length {length}": 1 for length in lengths}',
        'name = f"words {first} to {last}"; answers[name] = 1',
        'for name, other in (("a generator", 1), ("an integer", 2)): return Message("hides with {name}", name=name)',
    ],
)
def test_a_glued_sentence_is_found(line: str, tmp_path: Path) -> None:
    path = tmp_path / "checks.py"
    path.write_text(f"def judge(answers) -> str | None:\n    {line}\n", encoding="utf-8")
    assert list(glued(path))
