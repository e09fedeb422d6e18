"""Compares what a translation must keep with the English: formulas, code, addresses, tags, placeholders, numbers."""

from __future__ import annotations

import re
from collections import Counter

from markdown_it import MarkdownIt

_FORMULA = re.compile(r"\$\$?[^$]+\$\$?")
_WORDS_IN_FORMULA = re.compile(r"\\(text|mathrm)\{[^{}]*\}")
_CODE = re.compile(r"`+[^`]+`+")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_ADDRESS = re.compile(r"https?://[\w.~:/?#@!&+,;=%-]*[\w/]", re.ASCII)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_PLACEHOLDER = re.compile(r"\{\{.*?\}\}|\{\w*\}|%\(\w+\)s|\[[A-Z]+\]")
_FORM = re.compile(r":\w+\}")  # of a value in a message, which each language may have in another
# Russian has 0,93 for 0.93 and a space in 10 000; so only digits are compared.
_NUMBER = re.compile(r"\d+(?:[.,]\d+|[\u00a0\u2009\u202f ]\d{3}(?!\d))*")
_MARKDOWN = MarkdownIt()


def damages(english: str, translated: str, cell: bool = False) -> list[str]:
    """What a translation has lost or added, and should not have; each as "is missing `mask`".

    Args:
        cell: whether it is a cell of a table.
    """
    found: list[str] = []
    if "\n" in translated and "\n" not in english:
        found.append("has several lines; a block has one")
    if translated.startswith("???"):
        found.append("starts like a mark of an answer, ???")
    if cell and re.search(r"(?<!\\)\|", translated):
        found.append(r"has a | that ends the table's cell; write \|")
    before, after = _kept(english), _kept(translated)
    for part in (before - after).elements():
        found.append(f"is missing {part}")
    for part in (after - before).elements():
        found.append(f"has {part}, which the English has not, or less often")
    found += [f"is missing the number {number}" for number in _lost_numbers(english, translated)]
    if _stars(translated) > _stars(english):
        found.append("has a * or ** that Markdown does not read as emphasis: put a space or a word beside it")
    return found


def _kept(text: str) -> Counter[str]:
    """What must be the same. Names in code count once, because a language may have to repeat them."""
    formulas = Counter(_WORDS_IN_FORMULA.sub(r"\\\1", "".join(one.split())) for one in _FORMULA.findall(text))
    text = _FORMULA.sub(" ", text)
    code = Counter(set(_CODE.findall(text)))
    text = _CODE.sub(" ", text)
    links = Counter(_LINK.findall(text))
    text = _LINK.sub("]", text)
    addresses = Counter(_ADDRESS.findall(text))
    text = _ADDRESS.sub(" ", text)
    return (
        formulas
        + code
        + links
        + addresses
        + Counter(_TAG.findall(text))
        + Counter(set(_PLACEHOLDER.findall(_FORM.sub("}", text))))
    )


def _lost_numbers(english: str, translated: str) -> list[str]:
    """The English text's numbers that a translation does not have; it may write others, 12 for twelve."""
    given = {_digits(number) for number in _NUMBER.findall(plain(translated))}
    return [number for number in dict.fromkeys(_NUMBER.findall(plain(english))) if _digits(number) not in given]


def plain(text: str) -> str:
    """A text without its formulas, code and addresses."""
    for pattern in (_FORMULA, _CODE, _LINK, _ADDRESS):
        text = pattern.sub(" ", text)
    return text


def _digits(number: str) -> str:
    return re.sub(r"\D", "", number)


def _stars(text: str) -> int:
    """How many stars stay stars when Markdown is read."""
    tokens = _MARKDOWN.parseInline(_FORMULA.sub(" ", text))[0].children or []
    return sum(token.content.count("*") for token in tokens if token.type == "text")
