"""python -m grading course: a semester in one folder, with its people, chapters and marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from grading.commands.options import (
    CourseFolder,
    From,
    Jobs,
    Regrade,
    Scheduler,
    Section,
    Submissions,
    WithoutIsolation,
)
from grading.errors import GradingError
from grading.terminal import output

if TYPE_CHECKING:
    from grading.classroom.submission_record import SubmissionRecord
    from grading.semester.course import Course
    from grading.semester.preview import Change

_MOST_NAMED = 20

course = typer.Typer(help="Keeps a semester in one folder: its people, chapters and marks.", no_args_is_help=True)


class _Format(StrEnum):
    CSV = "csv"
    CANVAS = "canvas"


@course.command()
def init(
    folder: Annotated[Path, typer.Argument(help="The folder to make; or a course, to take results over into it.")],
    chapter: Annotated[
        list[int] | None, typer.Option(help="A chapter of a new course; may be repeated. By default those taken over.")
    ] = None,
    take: Annotated[
        list[Path] | None, typer.Option(help="A folder of results to take over; may be repeated. It stays as it is.")
    ] = None,
) -> None:
    """Makes a course's folder, in which you edit course.toml."""
    from grading.semester.take import make_course

    made = make_course(folder, chapter or (), take or ())
    numbers = ", ".join(map(str, made.settings.chapters))
    output.print(Text(f"{folder}: a course with the chapters {numbers}. Weights and deadlines are in course.toml."))
    _say_proposals(made)


@course.command()
def grade(
    folder: CourseFolder,
    chapter: Annotated[int, typer.Argument(help="The chapter.")],
    submissions: Submissions,
    *,
    regrade: Regrade = None,
    preview: Annotated[
        bool, typer.Option("--preview", help="With --regrade: show what would change, and change nothing.")
    ] = False,
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    system: From = None,
    without_isolation: WithoutIsolation = False,
) -> None:
    """Grades a download for a chapter of the course, and writes the chapter's pages."""
    from grading.classroom.records import read_record
    from grading.commands.grade import graded, say_set_aside
    from grading.commands.publishing import publish
    from grading.semester.attempts import keep_attempts
    from grading.semester.course import Course
    from grading.semester.preview import preview as previewed

    opened = Course(folder)
    opened.require_tables()
    results = opened.results(chapter)
    grading = partial(
        graded,
        submissions,
        jobs=jobs,
        scheduler=scheduler,
        system=system,
        without_isolation=without_isolation,
        regrade=regrade or (),
    )
    if preview:
        if not regrade:
            raise GradingError("--preview shows what a regrade would change; name an exercise with --regrade")
        _show(previewed(opened, chapter, grading))
        return
    with opened.locked():  # what a killed run has graded, before a newer attempt takes its place
        keep_attempts(folder, chapter, _readable(results.paths()))
    grading(results)
    with opened.locked():
        opened.join([chapter])
        keep_attempts(folder, chapter, map(read_record, results.paths()))
    results = opened.results(chapter)
    publish(results, results.all())
    say_set_aside(results)
    _say_proposals(opened)


@course.command()
def export(
    folder: CourseFolder,
    to: Annotated[Path, typer.Option(help="The CSV file.")],
    *,
    form: Annotated[_Format, typer.Option("--format", help="The system that will read the marks.")] = _Format.CSV,
    chapter: Annotated[
        int | None, typer.Option(help="The only chapter to write; by default, all that are graded.")
    ] = None,
    section: Section = None,
) -> None:
    """Writes the marks of all chapters and the total, a row for each student."""
    from grading.commands.counting import warn_of_contested, warn_of_not_graded
    from grading.semester.course import Course
    from grading.semester.spreadsheets import canvas_csv, course_csv
    from grading.storage.files import write_file

    opened = Course(folder)
    if chapter is not None:
        opened.settings.chapter(chapter)
    chapters = [number for number in opened.graded if chapter in (None, number)]
    if not chapters:
        of = "" if chapter is None else f" of chapter {chapter}"
        raise GradingError(f"{folder} has no results{of}; grade it first")
    standings = opened.standings(section)
    for number in chapters:
        warn_of_not_graded(opened.results(number), section)
    warn_of_contested(standing.student for standing in standings if standing.is_contested)
    text = canvas_csv(opened, standings, chapters) if form is _Format.CANVAS else course_csv(standings, chapters)
    write_file(to, text)
    output.print(f"{to}: {len(standings)} students, for {form}", style="green")


@course.command()
def report(
    folder: CourseFolder,
    earlier: Annotated[Path | None, typer.Option(help="The folder of another course, to compare with.")] = None,
    pages: Annotated[
        bool, typer.Option("--pages", help="Write the chapters' pages again, too, with people and overrides as now.")
    ] = False,
) -> None:
    """Writes the page of the course."""
    from grading.commands.publishing import publish
    from grading.semester.course import Course
    from grading.semester.page import write_page

    opened = Course(folder)
    for number in opened.graded if pages else ():
        results = opened.results(number)
        publish(results, results.all())
    index = write_page(opened, Course(earlier) if earlier else None)
    output.print(f"{index}: open it in a browser", style="green")
    _say_proposals(opened)


@course.command()
def people(
    folder: CourseFolder,
    confirm: Annotated[
        bool, typer.Option("--confirm", help="Confirm all proposals that name one person, instead of editing the file.")
    ] = False,
) -> None:
    """Lists who may be the same person; you decide in people.csv."""
    from grading.semester.course import Course

    opened = Course(folder)
    with opened.locked():
        people = opened.people
        if confirm:
            people = people.confirmed(people.proposals)
        people.write(folder)
    output.print(Text(f"{folder / 'people.csv'}: {len(people.persons)} people"))
    output.print("`course report --pages` writes all pages again.")
    _say_proposals(opened)


def override(
    folder: CourseFolder,
    student: Annotated[str, typer.Argument(help="The student's id, name, e-mail or login.")],
    exercise: Annotated[str, typer.Argument(help="The exercise.")],
    points: Annotated[float, typer.Argument(help="The points that count instead of the grader's.")],
    why: Annotated[str, typer.Option(help="The reason, which the student reads.")],
) -> None:
    """Gives points by hand. They stay through regrading, and the student's page says so."""
    from datetime import date

    from grading.classroom.overrides import Override, write_override
    from grading.semester.course import Course

    opened = Course(folder)
    with opened.locked():
        people = opened.people
        person = people.find(student)
        write_override(folder, people, Override(person.id, exercise, points, why, date.today().isoformat()))
    output.print(
        Text(
            f"{person.name or person.id}: {points:g} in {exercise}. `course report --pages` writes the student's page."
        )
    )


def _readable(paths: Iterable[Path]) -> Iterator[SubmissionRecord]:
    """The records that can be read. Grading makes the others again."""
    from grading.classroom.records import read_record

    for path in paths:
        try:
            record = read_record(path)
        except GradingError:
            continue
        yield record


def _say_proposals(opened: Course) -> None:
    proposals = opened.people.proposals
    if proposals:
        output.print(Text("They stay different people until you write an id into same_as in people.csv:", "yellow"))
    for proposal in proposals[:_MOST_NAMED]:
        output.print(Text(f"    {proposal.sentence}"))
    if len(proposals) > _MOST_NAMED:
        output.print(f"    and {len(proposals) - _MOST_NAMED} more in people.csv")


def _show(changes: list[Change]) -> None:
    for change in changes:
        stays = "" if change.by_hand is None else f", but {change.by_hand:g} given by hand stay"
        output.print(Text(f"{change.student}: {change.exercise}: {change.before:g} -> {change.after:g}{stays}"))
    output.print(Text(f"{len(changes)} would change. Nothing was written; without --preview, the regrade is applied."))
