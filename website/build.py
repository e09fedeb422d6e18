"""Collects the pages, and runs Sphinx to build the site."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from grading.errors import GradingError
from grading.languages import ENGLISH, LANGUAGES
from grading.lessons.lesson import find_lessons
from grading.lessons.notebook import make_notebooks, notebook_text
from grading.lessons.translating import Translation
from grading.storage.files import read_text
from grading.storage.project import PROJECT
from website.chapters import chapter_page
from website.figures import Figures
from website.home import card, chapter_title, filled_gap, tiles
from website.reference import reference_pages
from website.staging import Staging
from website.texts import filled, text_pages
from website.touch import touch_files

HERE = Path(__file__).parent


def build(to: Path, repository: str = "") -> Path:
    """Builds the site, or the parts that have changed.

    Args:
        to: the folder of the pages. Their sources are beside it, in a folder of the same name with `-source`.
        repository: "owner/name" on GitHub, where Colab finds the student's notebooks; "" for no links to Colab.

    Returns:
        The path of the first page.

    Raises:
        GradingError: a source is missing, or Sphinx reports an error or a warning.
    """
    source = to.with_name(f"{to.name}-source")
    _stage(source, repository)
    for language in LANGUAGES:
        if language != ENGLISH:
            _stage_in(language, source / language)
    with ThreadPoolExecutor() as executor:
        done = list(executor.map(partial(_run_sphinx, to, source), LANGUAGES))
    if any(done):
        raise GradingError("Sphinx could not build the site; see its messages above")
    return to / "index.html"


def _run_sphinx(to: Path, source: Path, language: str) -> int:
    """Builds one language's pages: English ones at the top, all others in a folder of their own."""
    part = "" if language == ENGLISH else language
    # `make site` installs Sphinx and KaTeX; only this command needs them.
    command = [
        *(sys.executable, "-m", "sphinx", "--builder", "html", "--fail-on-warning", "--keep-going", "--quiet"),
        *("--conf-dir", str(HERE), "--doctree-dir", f"{to}-doctrees/{language}"),
        *(str(source / part / "pages"), str(to / part)),
    ]
    named = {"SITE_EXTRA": str(source / part / "extra"), "SITE_LANGUAGE": language, "TF_CPP_MIN_LOG_LEVEL": "3"}
    return subprocess.run(command, cwd=PROJECT, env={**os.environ, **named}, check=False).returncode


def _stage(folder: Path, repository: str) -> None:
    """Writes the files that Sphinx reads (`pages`), and those that are copied into the site (`extra`), in English."""
    pages, extra, figures = Staging(folder / "pages"), Staging(folder / "extra"), Figures()
    lessons = find_lessons(PROJECT / "notebooks" / "source")
    chapters = [(lesson, chapter_page(lesson, figures, repository)) for lesson in lessons]
    for lesson, page in chapters:
        name = f"{lesson.slug}.ipynb"
        pages.put(f"chapters/{name}", page)
        extra.put(f"notebooks/{name}", read_text(PROJECT / "notebooks" / name))
    for name, figure in figures.files.items():
        extra.put(f"figures/{name}", figure)
    for name, script in touch_files().items():
        extra.put(name, script)
    parts = {
        "a filled gap": filled_gap(),
        "a card": card(),
        "tiles": tiles(chapters),
        "chapters": "\n".join(f"{chapter_title(lesson)} <chapters/{lesson.slug}>" for lesson in lessons),
    }
    for name, text in {**reference_pages(), **text_pages(repository, parts)}.items():
        pages.put(name, text)
    katex = HERE / "node_modules" / "katex" / "dist"
    if not katex.is_dir():
        raise GradingError(f"{katex} is missing, which typesets equations; run `make site`, or `npm ci` in {HERE}")
    extra.put("katex/katex.min.css", read_text(katex / "katex.min.css"))
    for font in katex.glob("fonts/*.woff2"):  # the other formats are for browsers from before 2016
        extra.put(f"katex/fonts/{font.name}", font.read_bytes())
    pages.finish()
    extra.finish()


def _stage_in(language: str, folder: Path) -> None:
    """Writes the files of another language's pages: the chapters, and a first page that leads to them."""
    pages, extra = Staging(folder / "pages"), Staging(folder / "extra")
    lessons, translation = find_lessons(PROJECT / "notebooks" / "source"), Translation(language, "website")
    chapters = []
    for lesson in lessons:
        # Figures are those of the English pages.
        page = chapter_page(lesson, Figures(), "", Translation(language, "website", lesson.slug))
        chapters.append((lesson, page))
        pages.put(f"chapters/{lesson.slug}.ipynb", page)
        extra.put(f"notebooks/{lesson.slug}.ipynb", notebook_text(make_notebooks(lesson, PROJECT, language)[0]))
    entries = "\n".join(f"{chapter_title(lesson, translation)} <chapters/{lesson.slug}>" for lesson in lessons)
    contents = f"```{{toctree}}\n:hidden:\n\n{entries}\n```"
    parts = {"tiles": tiles(chapters, translation), "contents": contents}
    pages.put("index.md", filled(translation.prose(read_text(HERE / "languages.md")), parts))
    pages.finish()
    extra.finish()
