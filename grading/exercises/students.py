"""The words of each chapter's `students.py`: what the students of its sample class submit, and what they get for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from grading.errors import GradingError
from grading.exercises.solutions import SOLUTIONS
from grading.judging.changes import Change, changed, code_alone
from grading.judging.exercise import Chapter


class Wrote(NamedTuple):
    """What a student wrote in a cell.

    Attributes:
        code: makes it, from the chapter, the exercise's name and the library's answer.
        told: the sentence that the student must be told, or "".
    """

    code: Callable[[Chapter, str, str], str]
    told: str = ""


def solution(style: str) -> Wrote:
    """One of the exercise's right solutions."""
    return Wrote(lambda of, name, library: next(one.source for one in SOLUTIONS[name] if one.style == style))


def mistake(sentence: str) -> Wrote:
    """The library's answer with one of the exercise's known mistakes, which the student must be told."""

    def code(of: Chapter, name: str, library: str) -> str:
        of.load_mistakes()
        known = next((one for one in of.exercises[name].mistakes if one.sentence == sentence), None)
        if known is None or not known.change:
            raise GradingError(f"no change of {name} makes the mistake {sentence!r}; write the code as an `answer`")
        return changed(code_alone(library), known.change, f"{name}, {known.name}")

    return Wrote(code, sentence)


def change(texts: Change) -> Wrote:
    """The library's answer with other texts in place of some."""
    return Wrote(lambda of, name, library: changed(library, texts, f"a student's {name}"))


def answer(file: str) -> Wrote:
    """The code in a file of the chapter's folder `answers`."""
    return Wrote(lambda of, name, library: answer_in(of, file))


def answer_in(of: Chapter, file: str) -> str:
    return Path(__file__).with_name(of.package).joinpath("answers", f"{file}.py").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Student:
    """One student in one chapter. An exercise that is not named here is solved as in the library.

    Attributes:
        name: the name of the submitted file.
        about: what this submission shows.
        wrote: what the student wrote for each exercise that differs from the library's; None leaves it as released.
        lost: for each exercise without full marks: the points that it gets.
        helpers: the file in the chapter's folder `answers` that the student added as the last cell of the notebook.
        quirk: what else happened to the notebook: the name of a function in `grading.sample_class.make`.
    """

    name: str
    about: str
    wrote: dict[str, Wrote | None] = field(default_factory=dict)
    lost: dict[str, float] = field(default_factory=dict)
    helpers: str = ""
    quirk: str = ""

    @property
    def mistakes(self) -> dict[str, str]:
        """The sentences that the student must be told, by exercise."""
        return {name: wrote.told for name, wrote in self.wrote.items() if wrote and wrote.told}
