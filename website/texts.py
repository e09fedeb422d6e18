"""The text pages: the site's own, of which the first begins with the start of the README, and the project's texts."""

from __future__ import annotations

import re
from pathlib import Path

from grading.errors import GradingError
from grading.lessons.lesson import find_lessons
from grading.storage.files import read_text
from grading.storage.project import PROJECT

# Their paths in the site and in the project are the same, so the links between them work.
_TEXTS = (
    *("CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", "benchmarks/README.md"),
    *("docs/classes.md", "docs/facts.md", "docs/grader.md", "docs/instructors.md", "docs/marks.md", "docs/search.md"),
    *("docs/slurm.md", "docs/students.md", "docs/training.md"),
    *("recipes/README.md", "recipes/tried.md", "datasets/README.md", "datasets/sample_encoder/README.md"),
)
_PAGES = Path(__file__).parent / "pages"
# A placeholder in a page: the README up to its second heading, or the list of chapters.
_TAKEN = re.compile(r"^<!-- (README|chapters) -->$", re.MULTILINE)
# A badge is a picture from GitHub, and the site takes nothing from the network.
_BADGE = re.compile(r"^\[!\[.*\n", re.MULTILINE)
_LINK = re.compile(r"\]\(([\w./-]+)(?:#[\w-]+)?\)")


def text_pages(repository: str) -> dict[str, str | bytes]:
    """The pages, and the files that they link to, by their paths in the site.

    Args:
        repository: "owner/name" on GitHub, for commands to type in Colab; "" if it is unknown.

    Raises:
        GradingError: a link is broken.
    """
    paths = {path.name: path for path in sorted(_PAGES.glob("*.md"))} | {name: PROJECT / name for name in _TEXTS}
    pages: dict[str, str | bytes] = {name: _filled(read_text(path), repository) for name, path in paths.items()}
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


def _filled(text: str, repository: str) -> str:
    text = text.replace("OWNER/NAME", repository or "OWNER/NAME")
    return _TAKEN.sub(lambda match: _taken(match[1]), text)


def _taken(source: str) -> str:
    if source == "chapters":
        lessons = find_lessons(PROJECT / "notebooks" / "source")
        return "\n".join(f"{lesson.chapter} {lesson.title} <chapters/{lesson.slug}>" for lesson in lessons)
    first, *_ = read_text(PROJECT / "README.md").partition("\n## ")
    return _BADGE.sub("", first.partition("\n")[2])
