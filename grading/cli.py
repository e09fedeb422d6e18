"""python -m grading: build the course's notebooks, release its chapters and grade what comes back."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from rich.text import Text

from grading.commands.audit import audit
from grading.commands.build import build
from grading.commands.check import check
from grading.commands.course import course, override
from grading.commands.defence import defence
from grading.commands.export import export
from grading.commands.feedback import feedback
from grading.commands.grade import grade
from grading.commands.grade_one import grade_one
from grading.commands.gradebook import gradebook
from grading.commands.hunt import hunt
from grading.commands.mutants import mutants
from grading.commands.release import release
from grading.commands.report import report
from grading.commands.sample_class import sample_class
from grading.commands.translations import translations
from grading.errors import GradingError
from grading.storage.project import version
from grading.terminal import errors, output

app = typer.Typer(
    help="Builds the course's notebooks, releases its chapters and grades what comes back.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
_COMMANDS = (
    *(build, translations, release),
    *(grade, grade_one, report, export, feedback, gradebook, override, defence),
    *(check, audit, mutants, hunt, sample_class),
)
for command in _COMMANDS:
    app.command()(command)
app.add_typer(course, name="course")


def _say_version(wanted: bool) -> None:
    if wanted:
        output.print(version())
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Say the version, and end.")
    ] = False,
) -> None:
    """Options of no command."""


def main() -> None:
    """Runs a command. What the person at the keyboard can mend is said in one clear line."""
    _spare_a_grammar()
    try:
        app()
    except GradingError as error:
        errors.print(Text(f"Error: {error}", style="red"))
        sys.exit(1)


def _spare_a_grammar() -> None:
    """Lets nbformat be imported in a tenth of the time.

    It validates notebooks with jsonschema, which on import builds a grammar of internationalised web addresses where
    that package is installed, and does without it where it is not. No notebook's schema asks for such an address.
    """
    modules: dict[str, Any] = sys.modules
    modules.setdefault("rfc3987_syntax", None)
