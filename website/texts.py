"""The text pages: the site's own, with what is computed for them, and the project's texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from grading.errors import GradingError
from grading.storage.files import read_text
from grading.storage.project import PROJECT

# Their paths in the site and in the project are the same, so the links between them work.
_TEXTS = (
    *("CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", "benchmarks/README.md"),
    *("docs/classes.md", "docs/facts.md", "docs/grader.md", "docs/instructors.md", "docs/marks.md", "docs/search.md"),
    *("docs/semester.md", "docs/slurm.md", "docs/students.md", "docs/training.md"),
    *("recipes/README.md", "recipes/tried.md", "datasets/README.md", "datasets/sample_encoder/README.md"),
)
_PAGES = Path(__file__).parent / "pages"
# A placeholder in a page, for something that is computed.
_PART = re.compile(r"^<!-- ([\w ]+) -->$", re.MULTILINE)
_LINK = re.compile(r"\]\(([\w./-]+)(?:#[\w-]+)?\)")


def text_pages(repository: str, parts: Mapping[str, str]) -> dict[str, str | bytes]:
    """The pages, and the files that they link to, by their paths in the site.

    Args:
        repository: "owner/name" on GitHub, for commands to type in Colab; "" if it is unknown.
        parts: what stands for the site's own pages' placeholders, by name.

    Raises:
        GradingError: a link is broken.
    """
    own = {path.name: filled(read_text(path), parts) for path in sorted(_PAGES.glob("*.md"))}
    texts = {name: read_text(PROJECT / name).replace("OWNER/NAME", repository or "OWNER/NAME") for name in _TEXTS}
    pages: dict[str, str | bytes] = {**own, **texts}
    for name, text in list(pages.items()):
        for target in _LINK.findall(str(text)):
            place = ((PROJECT / name).parent / target).resolve()
            linked = place.relative_to(PROJECT).as_posix() if place.is_relative_to(PROJECT) else ""
            if linked in pages or linked.partition("/")[0] in ("chapters", "reference"):
                continue
            if not linked or not place.is_file():
                raise GradingError(f"{name} links to {target}, which is no file of the project and no page of the site")
            pages[linked] = place.read_bytes()
    return pages


def filled(text: str, parts: Mapping[str, str]) -> str:
    """A page with its placeholders filled."""
    return _PART.sub(lambda placeholder: parts[placeholder[1]], text)
