"""A student of the sample class: what they wrote, and what the grader must say to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from grading.judging.changes import Change


@dataclass(frozen=True)
class Student:
    """One student in one chapter. An exercise that is not named here is solved as in the library.

    Attributes:
        name: of the file that is handed in.
        about: what is to be seen in this submission.
        wrote: for each exercise that differs from the library's: the file in the chapter's folder of `answers` with
            its code; or how it changes the library's; or None, which leaves it as it was released.
        lost: for each exercise that does not get all points: how many it gets.
        mistakes: the sentences that the student must be told, by exercise.
        helpers: the file in that folder with what the student put into a cell at the end of the notebook.
        quirk: what else happened to the notebook; a function of `make`.
    """

    name: str
    about: str
    wrote: dict[str, str | Change | None] = field(default_factory=dict)
    lost: dict[str, float] = field(default_factory=dict)
    mistakes: dict[str, str] = field(default_factory=dict)
    helpers: str = ""
    quirk: str = ""
