"""Answers in a lesson's text, which a notebook keeps folded until you click on them.

    ??? answer 2
    The answer to question 2.
    ???

An answer without a number belongs to the section's only question. It is Markdown, with a blank line after each
paragraph. In the notebook it is a `details` element, which JupyterLab, VS Code and Colab unfold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from grading.errors import GradingError

_BLOCK = re.compile(r"^\?\?\? answer(?: (\d+))?\n(.*?)\n\?\?\?$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_QUESTION = re.compile(r"^(\d+)\. ", re.MULTILINE)
# The titles of sections with questions: with a single one, and with a numbered list.
_ONE, _LIST = "Find the bug", "Questions to think about"


@dataclass(frozen=True)
class _Section:
    title: str
    text: str


def unfolding(text: str, titled: Callable[[str], str]) -> str:
    """A lesson's text for a notebook: each answer block becomes an element that unfolds.

    Args:
        titled: the title of the answer to the question of a number; of an only answer, the number is "".
    """

    def details(block: re.Match[str]) -> str:
        title = titled(block[1] or "")
        return f"<details>\n<summary>{title}</summary>\n\n{block[2].strip()}\n\n</details>"

    return _BLOCK.sub(details, text)


def count_answers(text: str) -> int:
    """How many answer blocks a text has."""
    return len(_BLOCK.findall(text))


def require_answers(texts: Iterable[str]) -> None:
    """Require an answer to each question, and a question for each answer.

    Args:
        texts: a lesson's text cells, in order.

    Raises:
        GradingError: a question without an answer, an answer without a question, or a block that is not one.
    """
    for section in _sections(texts):
        rest = _BLOCK.sub("", section.text)
        if stray := re.search(r"^\?\?\?.*$", rest, re.MULTILINE):
            raise GradingError(
                f"{section.title!r} has the line {stray[0]!r}; wanted '??? answer' or '??? answer 2', text, and '???'"
            )
        given = [number for number, _ in _BLOCK.findall(section.text)]
        asked = _asked(section.title, rest)
        if given != asked:
            raise GradingError(f"{section.title!r} asks {_listed(asked)} and answers {_listed(given)}")


def _asked(title: str, text: str) -> list[str]:
    """The numbers of a section's questions; "" stands for a section's only question."""
    if title == _ONE:
        return [""]
    return _QUESTION.findall(text) if title == _LIST else []


def _sections(texts: Iterable[str]) -> Iterator[_Section]:
    """The sections of a lesson; code between its texts does not end a section."""
    title, lines = "", ""
    for text in texts:
        start = 0
        for heading in _HEADING.finditer(text):
            yield _Section(title, lines + text[start : heading.start()])
            title, lines, start = heading[1], "", heading.end()
        lines += text[start:] + "\n"
    yield _Section(title, lines)


def _listed(numbers: list[str]) -> str:
    return ", ".join(number or "one thing" for number in numbers) or "nothing"
