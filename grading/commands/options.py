"""Arguments and options that several commands take."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Shown(StrEnum):
    """When Gradescope shows a result to its student."""

    VISIBLE = "visible"
    AFTER_DUE_DATE = "after_due_date"
    AFTER_PUBLISHED = "after_published"


WhenShown = Annotated[Shown, typer.Option("--shown", help="For gradescope: when students see their result.")]
Project = Annotated[Path, typer.Option(help="The project's folder, which contains course, grading and notebooks.")]
Language = Annotated[str, typer.Option(help="The language of texts: en, ru, or zh for Chinese.")]
GradedResults = Annotated[Path, typer.Argument(help="The folder of results that `grade` wrote.")]
GradedChapter = Annotated[int | None, typer.Option(help="The chapter; by default, the only one that was graded.")]

Submissions = Annotated[Path, typer.Argument(help="The submissions: a folder or zip file, as your system provides it.")]
Jobs = Annotated[int | None, typer.Option(min=1, help="Submissions graded at a time; by default, one per processor.")]
Scheduler = Annotated[str | None, typer.Option(help="The address of a Dask scheduler, to grade on its cluster.")]
Regrade = Annotated[
    list[str] | None,
    typer.Option(
        help="An exercise to regrade for all students; the others keep their points, unless a submission has changed."
    ),
]
From = Annotated[str | None, typer.Option("--from", help="The system it was downloaded from; recognised by default.")]
WithoutIsolation = Annotated[
    bool,
    typer.Option("--without-isolation", help="Run submissions without a sandbox. Only for code you fully trust."),
]

CourseFolder = Annotated[Path, typer.Argument(help="The course's folder, which `course init` made.")]

Anonymous = Annotated[
    bool, typer.Option("--anonymous", help="Use pseudonyms; pseudonyms.csv in the results maps them to names.")
]
Section = Annotated[str | None, typer.Option(help="Only the students of this section of the roster.")]

Compare = Annotated[
    list[Path] | None,
    typer.Option(help="Results of an earlier year, or of another chapter, to compare solutions with; may be repeated."),
]

# See `grading.gradebook.Policy`.
Drop = Annotated[list[str] | None, typer.Option(help="An exercise that counts for nobody; may be repeated.")]
Extra = Annotated[list[str] | None, typer.Option(help="An exercise whose points are extra credit; may be repeated.")]
Times = Annotated[Path | None, typer.Option(help="A CSV file with the columns student, due and submitted.")]
Due = Annotated[
    str | None,
    typer.Option(help="The deadline, as 2026-03-01T23:59+01:00, for the times in the download; --times goes over it."),
]
FreeDays = Annotated[
    int,
    typer.Option(
        min=0,
        help="Late days without penalty for each student. Only a course folder, or --times with all chapters, counts "
        "them over the whole course.",
    ),
]
LatePercent = Annotated[
    float, typer.Option(min=0, max=100, help="Percent of the points deducted for each further late day.")
]
