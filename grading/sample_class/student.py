"""A student of the sample class: the submitted code, and the expected results."""

from __future__ import annotations

from dataclasses import dataclass, field

from grading.judging.changes import Change


@dataclass(frozen=True)
class Student:
    """One student in one chapter. An exercise that is not named here is solved as in the library.

    Attributes:
        name: the name of the submitted file.
        about: what this submission shows.
        wrote: for each exercise that differs from the library's: the file in the chapter's folder of `answers` with
            its code; or how it changes the library's; or None, which leaves it as it was released.
        lost: for each exercise without full marks: the points that it gets.
        mistakes: the sentences that the student must be told, by exercise.
        helpers: the file in that folder with the code that the student added in a cell at the end of the notebook.
        quirk: what else happened to the notebook: the name of a function in `make`.
    """

    name: str
    about: str
    wrote: dict[str, str | Change | None] = field(default_factory=dict)
    lost: dict[str, float] = field(default_factory=dict)
    mistakes: dict[str, str] = field(default_factory=dict)
    helpers: str = ""
    quirk: str = ""
