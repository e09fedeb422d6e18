"""python -m website: builds the site. What has not changed since the last time is not built again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grading.errors import GradingError
from grading.storage.project import PROJECT
from website.build import build


def main(
    to: Annotated[Path, typer.Option(help="The folder of the pages.")] = PROJECT / "build" / "site",
    repository: Annotated[
        str,
        typer.Option(envvar="GITHUB_REPOSITORY", help="OWNER/NAME on GitHub, from where Colab opens the notebooks."),
    ] = "",
) -> None:
    """Builds the course as a site: chapters, reference, and what the project's texts say."""
    try:
        index = build(to.resolve(), repository)
    except GradingError as error:
        typer.secho(f"Error: {error}", fg="red", err=True)
        raise typer.Exit(1) from error
    typer.echo(f"The site is built: {index}")
    if not repository:
        typer.echo("Without --repository OWNER/NAME it has no links to Colab.")


typer.run(main)
