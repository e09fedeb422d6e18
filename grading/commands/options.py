"""Arguments and options that several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Project = Annotated[Path, typer.Option(help="The folder that holds course, grading and notebooks.")]
GradedResults = Annotated[Path, typer.Argument(help="The folder of results that `grade` wrote.")]
GradedChapter = Annotated[int | None, typer.Option(help="The chapter; by default, the only one that was graded.")]

Anonymous = Annotated[
    bool, typer.Option("--anonymous", help="Without names; pseudonyms.csv in the results says who is who.")
]
Section = Annotated[str | None, typer.Option(help="Only the students of this section of the roster.")]

# What counts, and how lateness does: see `grading.gradebook.Policy`.
Drop = Annotated[list[str] | None, typer.Option(help="An exercise that counts for nobody. Give it once for each.")]
Extra = Annotated[list[str] | None, typer.Option(help="An exercise whose points are extra credit.")]
Times = Annotated[Path | None, typer.Option(help="A CSV file with the columns student, due and submitted.")]
FreeDays = Annotated[int, typer.Option(min=0, help="Late days in the whole course that cost a student nothing.")]
LatePercent = Annotated[float, typer.Option(min=0, max=100, help="Percent of the points for each other late day.")]
