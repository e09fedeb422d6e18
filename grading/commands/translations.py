"""python -m grading translations: bring the catalogues up to the texts, and check the translations in them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from grading.commands.options import Project
from grading.storage.project import PROJECT
from grading.terminal import errors, output

if TYPE_CHECKING:
    from grading.lessons.translations import Report


def translations(
    catalogues: Annotated[
        list[Path] | None, typer.Argument(help="Catalogues, such as locale/ru/LC_MESSAGES/03_attention.po; or all.")
    ] = None,
    *,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; fail if a catalogue is out of date.")] = False,
    project: Project = PROJECT,
) -> None:
    """Brings catalogues up to the English texts, and checks what translations must keep."""
    from grading.lessons.translations import all_catalogues, update

    reports = [update(path, project, write=not check) for path in catalogues or all_catalogues(project)]
    for report in reports:
        _say(report, check)
    if any(report.problems or (check and report.is_stale) for report in reports):
        raise typer.Exit(1)


def _say(report: Report, check: bool) -> None:
    state = f"{report.translated} of {report.texts} translated"
    state += f", {report.fuzzy} to look at" if report.fuzzy else ""
    state += f"; {report.changes}" if report.is_stale else ""
    output.print(Text(f"{report.path}: {state}", style="" if report.problems else "green"))
    if check and report.is_stale:
        errors.print(Text(f"{report.path} is out of date; run `python -m grading translations`", style="red"))
    for problem in report.problems:
        errors.print(Text(f"{report.path}, {problem}", style="red"))
