"""python -m grading feedback: give the students' pages back to them."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from grading.commands.options import (
    Drop,
    Due,
    Extra,
    FreeDays,
    GradedChapter,
    GradedResults,
    LatePercent,
    Section,
    Times,
)
from grading.errors import GradingError
from grading.terminal import errors, output

if TYPE_CHECKING:
    from grading.gradebook import Mark
    from grading.gradebook.returning import Page


class _For(StrEnum):
    CANVAS = "canvas"
    MOODLE = "moodle"
    BRIGHTSPACE = "brightspace"
    FOLDER = "folder"
    EMAIL = "email"


def feedback(
    results: GradedResults,
    to: Annotated[Path, typer.Option(help="The zip file to upload; for folder and email, a folder.")],
    *,
    form: Annotated[_For, typer.Option("--for", help="The system that takes the pages in bulk.")],
    chapter: GradedChapter = None,
    sender: Annotated[str | None, typer.Option(help="For email: the address that students answer to.")] = None,
    smtp: Annotated[
        str | None, typer.Option(help="For email: send through this server, HOST:PORT, after a confirmation.")
    ] = None,
    smtp_user: Annotated[
        str, typer.Option(help="For --smtp: the user to log in as; the command asks for the password.")
    ] = "",
    drop: Drop = None,
    extra: Extra = None,
    due: Due = None,
    times: Times = None,
    free_days: FreeDays = 0,
    late_percent: LatePercent = 0.0,
    section: Section = None,
) -> None:
    """Writes the students' pages as a system takes them in bulk: a zip file, a folder, or e-mails.

    Pages and e-mails show the points that count under the options, and the points off for being late.
    """
    from grading.classroom.results import graded_chapter
    from grading.commands.counting import counted_marks, policy_of
    from grading.gradebook import counted_record
    from grading.gradebook.returning import ARCHIVES, write_archive, write_folder
    from grading.report.pages import student_page

    if (smtp or sender or smtp_user) and form is not _For.EMAIL:
        raise GradingError(f"--smtp, --smtp-user and --sender are for --for email; {form} writes files")
    number = graded_chapter(results, chapter)
    policy = policy_of(results, number, section, drop, extra, times, free_days, late_percent, due)
    marks = [mark for mark in counted_marks(results, number, policy, section) if not mark.is_missing]

    def page(mark: Mark) -> str:
        return student_page(counted_record(mark))

    if form in ARCHIVES:
        count, unknown = write_archive(to, form, marks, page)
        if unknown:
            said = f"{form} cannot match these students, whose pages are left out: {', '.join(unknown)}"
            errors.print(Text(said, "yellow"))
        output.print(f"{to}: {count} pages, to upload to {form}", style="green")
    elif form is _For.FOLDER:
        output.print(f"{to}: {write_folder(to, marks, page)} pages", style="green")
    else:
        _by_mail(to, number, marks, page, sender, smtp, smtp_user)


def _by_mail(
    to: Path, number: int, marks: Collection[Mark], page: Page, sender: str | None, smtp: str | None, user: str
) -> None:
    from grading.exercises.registry import chapter as chapter_of
    from grading.gradebook.mail import has_address, send, write_messages

    if not sender:
        raise GradingError("an e-mail needs a sender; give the address that students answer to with --sender")
    host, port = _server(smtp) if smtp else ("", 0)
    subject = f"Feedback on chapter {number}, {chapter_of(number).title}"
    messages = write_messages(to, marks, page, sender, subject)
    without = [mark.student for mark in marks if not has_address(mark)]
    if without:
        errors.print(Text(f"No e-mail address is known, so no message is written for: {', '.join(without)}", "yellow"))
    output.print(f"{to}: {len(messages)} messages that were not sent yet", style="green")
    if not smtp or not messages:
        return
    typer.confirm(f"Send {len(messages)} messages from {sender} through {smtp}?", abort=True)
    password = typer.prompt(f"Password of {user}", hide_input=True) if user else ""
    refused = send(messages, host, port, user, password)
    output.print(f"{len(messages) - len(refused)} messages sent", style="green")
    if refused:
        errors.print(Text(f"Refused by {smtp}: {', '.join(refused)}", "red"))
        raise typer.Exit(1)


def _server(smtp: str) -> tuple[str, int]:
    host, _, port = smtp.rpartition(":")
    if not host or not port.isdecimal():
        raise GradingError(f"{smtp!r} is not a mail server; write HOST:PORT, such as mail.school.edu:587")
    return host, int(port)
