"""Finds the words that code and templates say, marked as texts to be translated.

They are literals: the first argument of `Message`, `say` or `gettext`, which may have another as `plural`, and the
first two of `ngettext`. In templates, `{% trans %}` is read as well.
"""

from __future__ import annotations

import ast
import io
from collections.abc import Iterator
from pathlib import Path

from jinja2.ext import babel_extract

from grading.errors import GradingError
from grading.lessons.catalogue import Text
from grading.storage.files import read_text

_SINGLE, _COUNTED = ("Message", "say", "gettext"), ("ngettext",)
_ALL_LITERALS = ("Observation", "_meaning")  # each literal that they are given is a text
_TEMPLATES = (".html", ".jinja", ".css", ".js")


def words_of(folder: Path, root: Path) -> list[Text]:
    """The marked texts of all code and templates in a folder, each once, by file.

    Args:
        folder: "grading" or "website" in `root`.
        root: the project's folder; files are named relative to it.

    Raises:
        GradingError: a marked text is not a literal.
    """
    found: dict[str, Text] = {}
    for path in sorted(folder.rglob("*")):
        if "node_modules" in path.parts or not path.is_file():
            continue
        name = path.relative_to(root).as_posix()
        texts = _in_python(path, name) if path.suffix == ".py" else _in_template(path, name)
        for text in texts:
            found.setdefault(text.english, text)
    return list(found.values())


def _in_python(path: Path, name: str) -> Iterator[Text]:
    source = read_text(path)
    if path.name == "checks.py":
        yield from (Text(part, f"{name}: part of an answer", "") for part in _parts_in(source))
    if not any(f"{function}(" in source for function in (*_SINGLE, *_COUNTED, *_ALL_LITERALS)):
        return
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        function = getattr(call.func, "attr", getattr(call.func, "id", ""))
        if function in _ALL_LITERALS:
            for argument in call.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield Text(argument.value, name, "")
        if function in (*_SINGLE, *_COUNTED):
            plurals = [keyword.value for keyword in call.keywords if keyword.arg == "plural"]
            given = [*call.args[:1], *(call.args[1:2] if function in _COUNTED else plurals)]
            yield _text(function, [getattr(argument, "value", None) for argument in given], name, call.lineno)


def _parts_in(source: str) -> Iterator[str]:
    """What a check calls the parts of an answer: the keys of dictionaries in probes that have no judge."""
    for probe in ast.walk(ast.parse(source)):
        if isinstance(probe, ast.FunctionDef) and any(map(_registers_probe, probe.decorator_list)):
            for node in ast.walk(probe):
                for key in node.keys if isinstance(node, ast.Dict) else ():
                    if isinstance(key, ast.Constant) and isinstance(key.value, str) and " " in key.value.strip():
                        yield key.value


def _registers_probe(decorator: ast.expr) -> bool:
    if not isinstance(decorator, ast.Call) or getattr(decorator.func, "attr", "") != "check":
        return False
    return not any(keyword.arg == "judge" for keyword in decorator.keywords)


def _in_template(path: Path, name: str) -> Iterator[Text]:
    if not path.name.endswith(_TEMPLATES):
        return
    data = io.BytesIO(read_text(path).encode())
    for line, function, given, _ in babel_extract(data, (*_SINGLE, *_COUNTED), (), {"trimmed": "true"}):
        first, *others = given if isinstance(given, tuple) else [given]
        # A named argument comes as None. So a plural is the second argument here, without a name.
        yield _text(function, [first, *filter(None, others[:1])], name, line)


def _text(function: str, given: list[object], name: str, line: int) -> Text:
    if not given or not all(isinstance(text, str) for text in given):
        raise GradingError(f"{name}, line {line}: {function} needs a literal text, so that it can be translated")
    english, plural = [*map(str, given), ""][:2]
    return Text(english, name, plural)
