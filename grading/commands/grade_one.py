"""python -m grading grade-one: grade one notebook, where a school's system runs an autograder."""

from __future__ import annotations

import json
import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from grading.commands.options import Shown, WhenShown
from grading.errors import GradingError
from grading.terminal import output

if TYPE_CHECKING:
    from grading.gradebook import Mark
    from grading.sandbox.host import Backend

_ISOLATION = {
    "namespaces": "namespaces, seccomp and Landlock",
    "bubblewrap": "bubblewrap's namespaces, seccomp and Landlock",
    "landlock": "seccomp and Landlock without namespaces, which is enough for one submission in a container of its own",
    None: "none: the submission ran with all rights of the grader",
}


class System(StrEnum):
    """A system that runs autograders in its own containers."""

    GRADESCOPE = "gradescope"
    PRAIRIELEARN = "prairielearn"


def grade_one(
    submission: Annotated[Path, typer.Argument(help="The notebook, or a folder with what the student submitted.")],
    chapter: Annotated[int, typer.Option(help="The chapter.")],
    *,
    form: Annotated[System | None, typer.Option("--as", help="The system that reads the result.")] = None,
    to: Annotated[Path | None, typer.Option(help="The file for the result, with --as.")] = None,
    shown: WhenShown = Shown.VISIBLE,
    without_isolation: Annotated[
        bool, typer.Option("--without-isolation", help="Run it without a sandbox. Only for code you fully trust.")
    ] = False,
) -> None:
    """Grades one student's notebook, and prints the feedback or writes it for a system that runs autograders.

    Each run draws its own inputs for the checks. The last line says what isolated the submission.
    """
    from grading.gradebook import feedback_text

    if (form is None) != (to is None):
        raise GradingError("give --as and --to together, or neither to print the feedback")
    if shown is not Shown.VISIBLE and form is not System.GRADESCOPE:
        raise GradingError("only Gradescope shows results later; use --shown with --as gradescope")
    # As in the sandbox; it has to be set before TensorFlow is imported.
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    mark, backend = _graded(submission, chapter, without_isolation)
    if form and to:
        _write(to, mark, form, shown)
    else:
        output.print(Text(feedback_text(mark)))
    output.print(Text(f"{mark.points:g} of {mark.out_of:g} points"))
    output.print(Text(f"Isolation: {_ISOLATION[backend]}"))


def _graded(submission: Path, number: int, without_isolation: bool) -> tuple[Mark, Backend | None]:
    from grading.classroom.grader import Grader
    from grading.classroom.results import new_secret
    from grading.exercises.registry import chapter
    from grading.gradebook import marks
    from grading.submission import one_submission

    with Grader(new_secret(), without_isolation, alone=True) as grader:
        backend = grader.prepare(number).backend
        record = grader.grade(one_submission(submission), number)
    (mark,) = marks(chapter(number), [record])
    return mark, backend


def _write(to: Path, mark: Mark, form: System, shown: Shown) -> None:
    from grading.gradebook import gradescope, prairielearn
    from grading.storage.files import write_file

    result = gradescope(mark, shown) if form is System.GRADESCOPE else prairielearn(mark)
    write_file(to, json.dumps(result, indent=1, ensure_ascii=False) + "\n")
