"""Says a lesson in a language: translated blocks take the place of the English ones, all else stays.

What has no translation, or one of words that have changed since, stays English and gets a small mark, except in code.
"""

from __future__ import annotations

import ast
import json
import re
import unicodedata
from functools import partial
from pathlib import Path

from grading.errors import GradingError
from grading.languages import ENGLISH, catalogue_path, read_catalogue, translation
from grading.lessons.blocks import Block, docstring_pieces, joined, markdown_pieces
from grading.lessons.figures import parsed, words_in_figures
from grading.lessons.library import docstrings, place_of
from grading.storage.project import PROJECT

# Plain letters: headings, cells of tables, docstrings and pictures' descriptions have no other markup in common.
MARK = "ᴱᴺ"
_WIDTH = 112  # columns of a docstring's line; a Chinese character takes two
# Where a line may be broken: at a space, or beside a Chinese character, but not before a mark that ends a phrase.
_CHINESE = r"[\u2e80-\u9fff\uff00-\uffef]"
_UNBROKEN = re.compile(rf"\s+|{_CHINESE}[，。、；：！？）》」』”]*|(?:(?!{_CHINESE})\S)+")


class Translation:
    """The texts of a lesson, or of anything else that has a catalogue, in a language.

    Args:
        language: its code; in English, every text stays as it is.
        catalogues: such as "03_attention", besides "messages".
        root: the folder that contains `locale`.

    Attributes:
        shown, missing: how many texts were asked for, and how many of these are shown in English.

    Raises:
        GradingError: a catalogue is damaged.
    """

    def __init__(self, language: str = ENGLISH, *catalogues: str, root: Path = PROJECT) -> None:
        self.language = language
        self.shown = self.missing = 0
        self._words = translation(language, "messages", root)
        known = [_known(language, catalogue, root) for catalogue in ("messages", *catalogues)]
        self._known = {english: found for one in known for english, found in one.items()}

    def prose(self, source: str) -> str:
        """A piece of Markdown."""
        return source if self.language == ENGLISH else joined(markdown_pieces(source), self._block)

    def code(self, source: str) -> str:
        """Code with its docstrings in the language.

        Raises:
            GradingError: a translation ends its docstring.
        """
        if self.language == ENGLISH:
            return source
        said = source
        for place in reversed(docstrings(source)):
            column = place.start - source.rfind("\n", 0, place.start) - 1
            text = joined(docstring_pieces(source[place]), partial(self._wrapped, column))
            said = said[: place.start] + text + said[place.stop :]
        if not same_code(said, source):
            raise GradingError(
                f"a translation into {self.language!r} changes code: look for quotes and backslashes in the docstring "
                f"that begins with {source[docstrings(source)[0]].splitlines()[0]!r}"
            )
        return said

    def figures(self, source: str) -> str:
        """A cell's code with the words in its figures in the language; those without a translation stay as they are.

        Raises:
            GradingError: a translation changes more than its literal.
        """
        said, tree = source, parsed(source)
        for literal, english in reversed(words_in_figures(tree)):
            if found := self._known.get(english):
                place = place_of(literal, source)
                said = said[: place.start] + json.dumps(found, ensure_ascii=False) + said[place.stop :]
                literal.value = found
        if ast.dump(parsed(said)) != ast.dump(tree):
            raise GradingError(
                f"a translation into {self.language!r} changes code: look for quotes and backslashes in the words in "
                f"figures of the cell that begins with {source.splitlines()[0]!r}"
            )
        return said

    def text(self, english: str) -> str:
        """A text that is not prose of a lesson, such as the title of a check."""
        if self.language == ENGLISH:
            return english
        return self._found(english) or f"{english} {MARK}"

    def say(self, template: str, /, **values: object) -> str:
        """A sentence with values in it."""
        return self.text(template).format(**values)

    def points(self, points: float) -> str:
        """Points with their unit."""
        # Where something is counted in parts, languages take the form of a few.
        number = int(points) if points == int(points) else 2
        template = self._words.ngettext("{earned} point", "{earned} points", number)
        return template.format(earned=f"{points:g}")

    def _found(self, english: str) -> str:
        """The translation, or ""."""
        found = self._known.get(english, "")
        self.shown += 1
        self.missing += not found
        return found

    def _block(self, block: Block) -> str:
        return self._found(block.text) or f"{block.source} {MARK}"

    def _wrapped(self, column: int, block: Block) -> str:
        """A docstring's block, broken into lines; its first one may begin after the quotes, in that column."""
        found = self._found(block.text)
        if block.kind == "title of a section":
            return found or block.source
        first, indent = (len(block.indent), block.indent) if block.indent else (column, " " * (column - 3))
        return _broken(found, indent, first) if found else f"{block.source} {MARK}"


def _known(language: str, catalogue: str, root: Path) -> dict[str, str]:
    """The translations of a catalogue that still fit their English."""
    path = catalogue_path(language, catalogue, root)
    if language == ENGLISH or not path.is_file():
        return {}
    return {entry.msgid: entry.msgstr for entry in read_catalogue(path).translated_entries()}


def _broken(text: str, indent: str, column: int) -> str:
    """A text in lines of a readable width; the first one begins in a column."""
    lines, width = [""], column
    for part in _UNBROKEN.findall(text):
        part_width = sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in part)
        if width + part_width > _WIDTH and lines[-1].strip():
            lines.append("")
            width = len(indent)
        if lines[-1] or part.strip():
            lines[-1] += part
            width += part_width
    return f"\n{indent}".join(line.rstrip() for line in lines)


def same_code(said: str, source: str) -> bool:
    """Whether two pieces of code differ in nothing but docstrings."""
    try:
        return _without_docstrings(said) == _without_docstrings(source)
    except SyntaxError:
        return False


def _without_docstrings(source: str) -> str:
    """A piece of code as its syntax tree, with empty docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            and ast.get_docstring(node) is not None
        ):
            node.body[0] = ast.Expr(ast.Constant(""))
    return ast.dump(tree)


IN_ENGLISH = Translation()
