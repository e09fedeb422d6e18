"""The chapters of the site in other languages: each page says its language and leads to the same page in the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grading.languages import ENGLISH, LANGUAGES, html_language
from grading.lessons.lesson import find_lessons
from grading.lessons.translating import Translation
from grading.storage.project import PROJECT
from tests.website.pages import Page

pytestmark = pytest.mark.long

SLUGS = [lesson.slug for lesson in find_lessons(PROJECT / "notebooks" / "source")]
by_language = pytest.mark.parametrize("language", LANGUAGES)


def name_of(page: str, language: str) -> str:
    return page if language == ENGLISH else f"{language}/{page}"


@by_language
def test_each_page_says_its_language(pages: dict[str, Page], language: str) -> None:
    others = tuple(f"{code}/" for code in LANGUAGES if code != ENGLISH)
    own = [name for name in pages if name.startswith(others) == (language != ENGLISH)]
    own = [name for name in own if language == ENGLISH or name.startswith(f"{language}/")]
    assert {pages[name].root.get("lang") for name in own} == {html_language(language)}
    assert {name_of(f"chapters/{slug}.html", language) for slug in SLUGS} <= set(own)


@by_language
def test_what_surrounds_a_text_is_in_its_language(pages: dict[str, Page], language: str) -> None:
    say = Translation(language, "website").say
    page = pages[name_of("chapters/07_pretraining.html", language)]
    labels = [one.get("aria-label") for one in page.elements("aside")]
    assert labels == [say("Pages"), say("On this page")]
    (title,) = page.elements("title")
    assert (title.text or "").endswith(say("BERT from nothing"))
    assert any(say("(folded: open it before you print)") in (style.text or "") for style in page.elements("style"))
    outputs = [one.get("lang") for one in page.elements("div") if "cell_output" in one.get("class", "").split()]
    assert len(outputs) > 10 and set(outputs) == {None if language == ENGLISH else "en"}


@by_language
@pytest.mark.parametrize("page", ["index.html", "search.html", *(f"chapters/{slug}.html" for slug in SLUGS)])
def test_the_switch_stays_on_the_page(pages: dict[str, Page], site: Path, language: str, page: str) -> None:
    shown = pages[name_of(page, language)]
    (switch,) = (one for one in shown.elements("nav") if one.get("class") == "languages")
    assert ["".join(one.itertext()) for one in switch] == list(LANGUAGES.values())
    (here,) = (one for one in switch if one.get("aria-current"))
    assert here.get("lang") == html_language(language)
    places = {one.get("lang"): (shown.path.parent / one.get("href", "")).resolve() for one in switch if one.get("href")}
    there = "index.html" if page == "search.html" else page
    wanted = {html_language(other): site / name_of(there, other) for other in LANGUAGES if other != language}
    assert places == {other: path.resolve() for other, path in wanted.items()}


@by_language
def test_the_notebook_of_a_page_is_in_its_language(site: Path, language: str) -> None:
    said = {code: (site / name_of("notebooks/03_attention.ipynb", code)).read_text() for code in LANGUAGES}
    metadata = json.loads(said[language])["metadata"]
    assert metadata["course"].get("language", ENGLISH) == language
    assert len(set(said.values())) == len(LANGUAGES)


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != ENGLISH])
def test_search_finds_the_pages_of_its_language(site: Path, language: str) -> None:
    index = (site / language / "searchindex.js").read_text(encoding="utf-8")
    assert all(f'"chapters/{slug}"' in index for slug in SLUGS) and "reference/" not in index
