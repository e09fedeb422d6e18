"""Cuts prose into blocks that are translated one by one: paragraphs, headings, items of lists, cells of tables.

What lies between blocks stays as it is: code, displayed formulas, marks of lists and tables. A block's text is on
one line, however its lines are broken in the source, so that breaking them elsewhere needs no new translation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

# What needs no translation by itself: formulas, code, addresses, and shapes such as "(batch, length)."
_FORMULA = r"\$\$?[^$]+\$\$?"
_CODE = r"`[^`]+`"
_SHAPE = re.compile(r"\([\w\s,.*+/-]*\)[.,;]?")
_FILLED = r"\{\{.*?\}\}"  # in a template
_NO_PROSE = re.compile(rf"{_FORMULA}|{_CODE}|{_FILLED}|https?://\S+")
_WORD = re.compile(r"[^\W\d_]{2,}")

_HEADING = re.compile(r"(#+ )(.+)")
_ITEM = re.compile(r"((?:\d+\.|-) )(.+)")
_RULE = re.compile(r"\|[\s:|-]+\|?")
# In a docstring: a section's title, and the name that an item of a section explains.
_SECTION = re.compile(r"(Args|Returns|Raises|Example|What must hold):")
_NAMED = re.compile(r"(\*{0,2}\w+: )(.+)")


@dataclass(frozen=True)
class Block:
    """A piece of prose.

    Attributes:
        text: its words, on one line.
        source: the same as the source breaks it.
        kind: what it is, such as "heading".
        indent: what stands before its second line, and those after that.
    """

    text: str
    source: str
    kind: str
    indent: str = ""


Piece = str | Block


def markdown_pieces(source: str) -> list[Piece]:
    """A lesson's text as blocks and what lies between them; together, they are the text."""
    pieces: list[Piece] = []
    for number, lines in enumerate(_markdown_groups(source.split("\n"))):
        pieces += ["\n"] if number else []
        pieces += _markdown_group(lines)
    return pieces


def docstring_pieces(source: str) -> list[Piece]:
    """A docstring as blocks and what lies between them; together, they are the docstring.

    Args:
        source: the text between the quotes, indented as in its file.
    """
    pieces: list[Piece] = []
    for number, (kind, lines) in enumerate(_docstring_groups(source.split("\n"))):
        pieces += ["\n"] if number else []
        pieces += _docstring_group(kind, lines)
    return pieces


def blocks(pieces: list[Piece]) -> list[Block]:
    return [piece for piece in pieces if isinstance(piece, Block)]


def joined(pieces: list[Piece], written: Callable[[Block], str]) -> str:
    """The text of pieces, with each block as a function writes it."""
    return "".join(written(piece) if isinstance(piece, Block) else piece for piece in pieces)


def _block(text: str, kind: str, indent: str = "") -> Piece:
    """A block of a text that may have several lines; the text itself where there is nothing to translate."""
    line = " ".join(text.split())
    return Block(line, text, kind, indent) if has_words(line) else text


def has_words(line: str) -> bool:
    """Whether a line has something to translate, besides formulas, code and shapes."""
    return bool(_WORD.search(_NO_PROSE.sub(" ", line))) and not _SHAPE.fullmatch(line)


def _markdown_groups(lines: list[str]) -> Iterator[list[str]]:
    """Groups of lines that belong together: each is a block, a row of a table, or nothing to translate."""
    group: list[str] = []
    for line in lines:
        first = group[0] if group else ""
        goes_on = (
            not (len(group) > 1 and group[-1].endswith("$$")) and not (len(first) > 2 and first.endswith("$$"))
            if first.startswith("$$")
            else line.strip() and first.strip() and not _starts(line, first) and not _stands_alone(first)
        )
        if group and not goes_on:
            yield group
            group = []
        group.append(line)
    yield group


def _starts(line: str, first: str) -> bool:
    """Whether a line starts a group, and does not continue the one with this first line."""
    item = _ITEM.match(line)
    # In a paragraph, "20. " at the start of a line is no item: only "1. " and "- " are.
    return (
        _stands_alone(line) or line.startswith("$$") or bool(item and (_ITEM.match(first) or item[1] in ("1. ", "- ")))
    )


def _stands_alone(line: str) -> bool:
    """Whether a line is a group by itself: a heading, a row, a line of code, a picture, a command."""
    return line.startswith(("#", "|", "???", "![", "    ", "{%", "<!--"))


def _markdown_group(lines: list[str]) -> list[Piece]:
    text = "\n".join(lines)
    if text.startswith(("???", "![", "    ", "$$", "{%", "<!--")) or not text.strip():
        return [text]
    if heading := _HEADING.fullmatch(text):
        return [heading[1], _block(heading[2], f"heading {len(heading[1]) - 1}")]
    if text.startswith("|"):
        return [text] if _RULE.fullmatch(text) or "{{" in text else _cells(text)
    if item := _ITEM.match(lines[0]):
        return [item[1], _block(text[len(item[1]) :], "item of a list", " " * len(item[1]))]
    return [_block(text, "paragraph")]


def _cells(row: str) -> list[Piece]:
    """The cells of a table's row."""
    pieces: list[Piece] = []
    for part in re.split(r"(\s*(?<!\\)\|\s*)", row):
        pieces.append(part if "|" in part or not part else _block(part, "cell of a table"))
    return pieces


def _docstring_groups(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Groups of lines that belong together, each with the section that it is in."""
    base = min((_indent(line) for line in lines[1:] if line.strip()), default=0)
    section, in_code, group = "", False, [lines[0]]
    for line in lines[1:]:
        words, indent = line.strip(), _indent(line) - base
        title = _SECTION.fullmatch(words) if indent == 0 else None
        starts_code = words.startswith(">>>") or (indent >= 4 and not section and not group[-1].strip())
        ends = not words or title or not group[-1].strip() or _SECTION.fullmatch(group[-1].strip())
        if not in_code and (ends or starts_code or _starts_item(words, indent, section)):
            yield section, group
            group = []
        elif in_code and not words:
            yield "code", group
            group = []
        in_code = bool(words) and (in_code or starts_code)
        if title or (words and indent == 0 and not group and not title and section != ""):
            section = title[1] if title else ""
        group.append(line)
    yield "code" if in_code else section, group


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _starts_item(words: str, indent: int, section: str) -> bool:
    """Whether a line of a docstring starts an item of a section or of a list."""
    if words.startswith("- "):
        return True
    return indent == 4 and section in ("Args", "Raises", "Returns") and bool(_NAMED.match(words))


def _docstring_group(section: str, lines: list[str]) -> list[Piece]:
    text = "\n".join(lines)
    words = text.strip()
    if section == "code" or not words:
        return [text]
    if title := _SECTION.fullmatch(words):
        return [text[: text.index(words)], Block(title[1], title[1], "title of a section"), ":"]
    start = text[: text.index(words)]
    end = text[len(start) + len(words) :]
    name = _NAMED.match(words) if section in ("Args", "Raises", "Returns") else None
    mark = name[1] if name else "- " if words.startswith("- ") else ""
    hang = len(start.rpartition("\n")[2]) + (2 if mark == "- " else 4 if name else 0)
    kind = section or "paragraph"
    return [start + mark, _block(words[len(mark) :], kind, " " * hang), *([end] if end else [])]
