"""python -m website: builds the site, and rebuilds only what has changed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grading.errors import GradingError
from grading.storage.project import PROJECT


def main(
    to: Annotated[Path, typer.Option(help="The folder of the pages.")] = PROJECT / "build" / "site",
    repository: Annotated[
        str,
        typer.Option(envvar="GITHUB_REPOSITORY", help="OWNER/NAME on GitHub, where Colab finds the notebooks."),
    ] = "",
) -> None:
    """Builds the course as a site: chapters, reference, and the project's texts."""
    from website.build import build  # not at the top: it imports TensorFlow, for which --help need not wait

    try:
        index = build(to.resolve(), repository)
    except GradingError as error:
        typer.secho(f"Error: {error}", fg="red", err=True)
        raise typer.Exit(1) from error
    typer.echo(f"The site is built: {index}")
    if not repository:
        typer.echo("It has no links to Colab. Pass --repository OWNER/NAME to add them.")


typer.run(main)
