"""python -m course: prepare a corpus, pretrain an encoder on it, and use it."""

from __future__ import annotations

import os
import sys

import typer
from rich.text import Text

from course.commands.compress import compress
from course.commands.evaluate import evaluate
from course.commands.export import export
from course.commands.finetune import finetune
from course.commands.index import index
from course.commands.predict import predict
from course.commands.prepare import prepare
from course.commands.pretrain import pretrain
from course.commands.search import search
from course.commands.tag import tag
from course.commands.terminal import errors
from course.commands.train_ranker import train_ranker
from course.commands.translate import translate
from course.environment import prepare_tensorflow
from course.errors import CourseError, Stopped, how_to_install_package

app = typer.Typer(
    help="Pretrains a BERT on a corpus, and puts it to use.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command()(prepare)
app.command()(pretrain)
app.command()(finetune)
app.command()(evaluate)
app.command()(predict)
app.command()(compress)
app.command()(translate)
app.command()(tag)
app.command()(index)
app.command()(search)
app.command()(train_ranker)

# For other programs.
app.command()(export)


def main() -> None:
    """Runs a command. An error that the user can fix is printed as one clear line."""
    prepare_tensorflow()  # before any command imports it
    try:
        _run()
    except Stopped as stopped:
        errors.print(Text(f"{str(stopped)[:1].upper()}{str(stopped)[1:]}", style="yellow"))
        sys.exit(130)  # a shell's exit status after Ctrl-C
    except CourseError as error:
        errors.print(Text(f"Error: {error}", style="red"))
        sys.exit(1)


def _run() -> None:
    try:
        app()
    except ModuleNotFoundError as error:
        if error.name is None or error.name != os.environ.get("KERAS_BACKEND"):
            raise
        advice = how_to_install_package(error.name)
        raise CourseError(f"KERAS_BACKEND={error.name} needs {error.name}. {advice}") from error
