"""The site is complete, hides answers in folds, and needs no network."""

from __future__ import annotations

import ast
import gzip
import importlib
import inspect
import itertools
import pkgutil
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
from PIL import Image

import course
from grading.exercises.registry import chapter
from grading.lessons.answers import find_answers
from grading.lessons.lesson import Lesson, find_lessons
from grading.storage.project import PROJECT
from tests.website.conftest import REPOSITORY
from tests.website.pages import Page

pytestmark = pytest.mark.long

LESSONS = find_lessons(PROJECT / "notebooks" / "source")
FETCHED = ("script", "img", "iframe", "source", "video", "audio", "embed")
LIGHT = 120_000  # the most bytes of a page without its figures, as servers compress them
SEARCHED = 200_000  # the same with an index, which has every two neighbouring characters of a Chinese text
by_slug = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)


def page_of(lesson: Lesson, pages: dict[str, Page]) -> Page:
    return pages[f"chapters/{lesson.slug}.html"]


def fetched(page: Page) -> list[str]:
    """What a browser fetches to show a page, without the targets of links."""
    links = [element for element in page.elements("link") if "href" in element.attrib]
    of_style = [link.attrib["href"] for link in links if link.get("rel") not in ("index", "search", "next", "prev")]
    return [*page.attributes("src", *FETCHED), *of_style]


def test_no_link_is_broken(pages: dict[str, Page], site: Path) -> None:
    broken, followed = [], 0
    for name, page in pages.items():
        for address in [*page.attributes("href", "a"), *fetched(page)]:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            followed += 1
            place = page.path.parent / unquote(parts.path) if parts.path else page.path
            target = pages.get(str(place.resolve().relative_to(site)))
            missing = parts.fragment and target and unquote(parts.fragment) not in target.ids
            if not place.is_file() or missing:
                broken.append(f"{name}: {address}")
    assert broken == []
    assert followed > 1_000


def test_pages_load_nothing_from_the_network(pages: dict[str, Page], site: Path) -> None:
    everything = [(name, address) for name, page in pages.items() for address in fetched(page)]
    assert len(everything) > len(pages)
    assert [one for one in everything if urlsplit(one[1]).scheme or one[1].startswith("//")] == []
    sheets = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.css")}
    assert any("KaTeX_Main" in text for text in sheets.values())
    assert [path for path, text in sheets.items() if re.search(r"(url\(|@import)\s*['\"]?(https?:)?//", text)] == []


def test_markup_is_valid_and_headings_are_in_order(pages: dict[str, Page]) -> None:
    for name, page in pages.items():
        assert page.errors == [], name
        levels = [int(element.tag[1]) for element in page.elements("h1", "h2", "h3", "h4", "h5", "h6")]
        assert levels[:1] == [1] and levels.count(1) == 1, name
        assert all(later <= level + 1 for level, later in itertools.pairwise(levels)), (name, levels)


def test_pages_are_light_before_their_figures(pages: dict[str, Page]) -> None:
    for name, page in pages.items():
        files = {page.path, *(page.path.parent / urlsplit(one).path for one in fetched(page))}
        light = [path for path in files if path.suffix in (".html", ".css", ".js")]
        sizes = {path.name: len(gzip.compress(path.read_bytes())) for path in light}
        assert sum(sizes.values()) < (SEARCHED if "searchindex.js" in sizes else LIGHT), (name, sizes)


def test_the_first_page_leads_to_every_chapter_with_its_figure_and_minutes(pages: dict[str, Page]) -> None:
    tiles = [element for element in pages["index.html"].elements("ul") if element.get("class") == "tiles"]
    links = [one for one in tiles[0].iter() if one.tag == "a"]
    assert [one.get("href") for one in links] == [f"chapters/{lesson.slug}.html" for lesson in LESSONS]
    for link, lesson in zip(links, LESSONS, strict=True):
        assert "".join(link.itertext()).split() == [
            str(lesson.chapter),
            *lesson.title.split(),
            str(lesson.minutes),
            "minutes",
        ]
        (figure,) = (one.get("src") for one in link.iter() if one.tag == "img")
        assert figure in {address.removeprefix("../") for address in fetched(page_of(lesson, pages))}


@by_slug
def test_a_chapter_has_all_cells_and_links_the_students_notebook(
    lesson: Lesson, pages: dict[str, Page], site: Path
) -> None:
    page = page_of(lesson, pages)
    solved = nbformat.read(PROJECT / "notebooks" / "solved" / f"{lesson.slug}.ipynb", as_version=4)
    code = [" ".join(cell.source.split()) for cell in solved.cells if cell.cell_type == "code"]
    text = page.text(folded=True)
    assert [source for source in code if source not in text] == []
    printed = [
        " ".join(output.text.split()) for cell in solved.cells for output in cell.get("outputs", ()) if "text" in output
    ]
    assert printed
    assert [words for words in printed if words not in text] == []  # includes marks such as </w>
    figures = [attribute for attribute in page.attributes("src", "img") if "figures/" in attribute]
    drawn = sum("data:image/png" in str(output) for cell in solved.cells for output in cell.get("outputs", ()))
    drawn += sum(cell.source.count("data:image/png") for cell in solved.cells if cell.cell_type == "markdown")
    assert len(figures) >= drawn > 0

    links = page.attributes("href", "a")
    assert f"https://colab.research.google.com/github/{REPOSITORY}/blob/main/notebooks/{lesson.slug}.ipynb" in links
    assert f"../notebooks/{lesson.slug}.ipynb" in links
    given = site / "notebooks" / f"{lesson.slug}.ipynb"
    assert given.read_bytes() == (PROJECT / "notebooks" / given.name).read_bytes()


@by_slug
def test_an_exercise_has_a_statement_hints_and_an_answer(lesson: Lesson, pages: dict[str, Page]) -> None:
    page = page_of(lesson, pages)
    shown, all_of_it = page.text(folded=False), page.text(folded=True)
    chapter(lesson.chapter).load_mistakes()
    for task in lesson.tasks:
        assert f"Write {task.name}" in shown
        assert f"Answer: the course's own {task.name}, and its check" in all_of_it
        for mistake in chapter(lesson.chapter).exercises[task.name].mistakes:
            hint = " ".join(mistake.hint.replace("`", "").split())
            assert hint in all_of_it


def lines_of_answers(lesson: Lesson) -> set[str]:
    """The lines that students must write: those of function bodies that are not in their notebooks."""
    teaching = find_answers(lesson)
    lines = teaching.module.path.read_text(encoding="utf-8").splitlines()
    given = "\n".join(path.read_text(encoding="utf-8") for path in (PROJECT / "notebooks").glob("*.ipynb"))
    found = set()
    for answer in teaching.answers:
        for body in answer.bodies.values():
            first = body.body[1 if ast.get_docstring(body) else 0]
            for line in lines[first.lineno - 1 : body.end_lineno]:
                words = " ".join(line.partition("  #")[0].split())
                # Checks of arguments are no secret: the reference lists them as functions.
                if len(words) > 30 and not words.startswith("require_") and words.replace('"', '\\"') not in given:
                    found.add(words)
    return found


@by_slug
def test_code_of_answers_is_only_in_folds(lesson: Lesson, pages: dict[str, Page]) -> None:
    answers = lines_of_answers(lesson)
    assert len(answers) > 5
    folded = page_of(lesson, pages).text(folded=True)
    assert [line for line in answers if line not in folded] == []
    for name, page in pages.items():
        shown = page.text(folded=False)
        assert [line for line in answers if line in shown] == [], name


@by_slug
def test_answers_to_questions_are_in_folds(lesson: Lesson, pages: dict[str, Page]) -> None:
    source = lesson.path.read_text(encoding="utf-8")
    answers = re.findall(r"^\?\?\? answer.*?\n(.*?)^\?\?\?$", source, re.MULTILINE | re.DOTALL)
    assert answers
    page = page_of(lesson, pages)
    folded, shown = page.text(folded=True), page.text(folded=False)
    for answer in answers:
        plain = max(re.findall(r"[A-Za-z ,]+", " ".join(answer.split())), key=len).strip()
        assert plain in folded
        assert plain not in shown


def test_commands_are_shown_as_code(pages: dict[str, Page]) -> None:
    """The page on training begins with code, which must not be joined into prose."""
    page = pages["docs/training.html"]
    (first, *_) = ("".join(element.itertext()) for element in page.elements("pre"))
    assert first.startswith(".venv/bin/python -m course prepare --help")
    assert not [name for name, page in pages.items() if re.search(r"–[a-z]", page.text(folded=True))]


def test_the_reference_index_describes_each_module(pages: dict[str, Page]) -> None:
    about = {
        "".join(term.itertext()): "".join(details.itertext()).strip()
        for term, details in zip(*(pages["reference/index.html"].elements(one) for one in ("dt", "dd")), strict=True)
    }
    assert set(about) == {f"course.{path.stem}" for path in pages_of_modules(pages)}
    assert about["course.attention"] == "Attention: every token looks at every other one and takes what it needs."
    assert all(about.values())


def pages_of_modules(pages: dict[str, Page]) -> list[Path]:
    return [page.path for name, page in pages.items() if Path(name).parts[0] == "reference" and "index" not in name]


def test_generated_members_of_named_tuples_are_not_listed(pages: dict[str, Page]) -> None:
    """The fields are listed as attributes, and nobody calls `__new__`."""
    for path in pages_of_modules(pages):
        text = path.read_text(encoding="utf-8")
        assert "Alias for field number" not in text and "__new__" not in text, path


def test_figures_have_sizes_before_they_load(pages: dict[str, Page], site: Path) -> None:
    seen = 0
    # The first pages show figures in tiles, which have one height for all by their style sheet.
    for page in (page for name, page in pages.items() if not name.endswith("index.html")):
        for element in page.elements("img"):
            if "/figures/" in element.get("src", ""):
                width, height = Image.open(page.path.parent / element.attrib["src"]).size
                assert int(element.attrib["height"]) == pytest.approx(
                    int(element.attrib["width"]) * height / width, abs=0.51
                )
                seen += 1
    assert seen > 30


def test_a_chapter_links_to_the_page_to_touch(pages: dict[str, Page]) -> None:
    leading = [name for name, page in pages.items() if name.startswith("chapters/") and touches(page)]
    assert leading == ["chapters/07_pretraining.html"]
    # Of its three cells without stored outputs, one shows that page.
    assert pages[leading[0]].text(folded=True).count("The notebook shows a page to touch here.") == 1


def touches(page: Page) -> bool:
    """Whether a link in the text, not only in the margin, leads to the page to touch."""
    (article,) = page.elements("article")
    return any(one.get("href") == "../touch.html" for one in article.iter("a"))


def test_every_public_function_and_class_has_an_entry(pages: dict[str, Page]) -> None:
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(course.__path__, "course.")
        if not found.name.endswith("__main__")
    ]
    public = {
        f"{module.__name__}.{name}"
        for module in modules
        for name, value in vars(module).items()
        if (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__ == module.__name__
        and value.__name__ == name
        and not name.startswith("_")
    }
    entries = set().union(*(page.ids for name, page in pages.items() if name.startswith("reference/")))
    assert len(public) > 200
    assert public - entries == set()


def test_unchanged_files_are_not_written_again(site: Path, tmp_path: Path) -> None:
    from website.staging import Staging

    for texts in ({"a.md": "one", "b.md": "two"}, {"a.md": "one", "b.md": "other"}, {"b.md": "other"}):
        before = {path.name: path.stat().st_ino for path in tmp_path.glob("*.md")}
        staging = Staging(tmp_path)
        for name, text in texts.items():
            staging.put(name, text)
        staging.finish()
        after = {path.name: path.stat().st_ino for path in tmp_path.glob("*.md")}
        assert {path.name: path.read_text() for path in tmp_path.glob("*.md")} == texts
        if "a.md" in texts and before:
            assert after["a.md"] == before["a.md"]
