"""An instructor opens the page of a class from a file, and finds a student by keyboard, and on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from grading.classroom.similarity import Pair
from grading.exercises.registry import chapter
from grading.report.pages import write_pages
from tests.grading.classroom.made_class import ATTENTION, LAYER, SPLIT, made_record

EVIL = "<script>document.title = 'broken'</script>"


@pytest.fixture
def class_page(page: Page, tmp_path: Path) -> Iterator[Page]:
    """The page of five students, open, without a network."""
    class_ = [
        made_record(EVIL, {SPLIT: 2}, flags=[EVIL]),
        made_record("ada"),
        made_record("bob", {LAYER: 7.5}, crashes=1),
        made_record("cleo", {ATTENTION: 6, LAYER: 10}),
        made_record("dora", problem="the file is empty"),
    ]
    index = write_pages(tmp_path, chapter(3), class_, [Pair(LAYER, "ada", "bob", 0.8)])
    browser = page.context.browser
    assert browser is not None
    with browser.new_context(offline=True, viewport={"width": 1200, "height": 1400}) as context:
        opened = context.new_page()
        complaints: list[str] = []
        opened.on("console", lambda message: complaints.append(message.text))
        opened.on("pageerror", lambda error: complaints.append(str(error)))
        opened.goto(index.as_uri())
        yield opened
        assert not complaints


def shown(page: Page) -> list[str]:
    names = page.locator("#students tbody tr:visible th")
    return names.all_inner_texts()


def heading(page: Page, name: str) -> Locator:
    return page.locator("#students thead button").filter(has_text=name)


def test_an_instructor_finds_students_by_keyboard(class_page: Page, screenshots: Path) -> None:
    page = class_page
    assert shown(page) == [EVIL, "ada", "bob", "cleo", "dora"]
    page.locator("#search").focus()
    page.keyboard.type("O")
    assert shown(page) == [EVIL, "bob", "cleo", "dora"]  # there is an o in document, too
    page.keyboard.press("Backspace")
    page.keyboard.press("Tab")
    page.keyboard.type("alike")
    assert shown(page) == ["ada", "bob"]
    expect(page.locator("#shown")).to_have_text("2 of 5 students")
    page.keyboard.press("Home")
    page.keyboard.press("Tab")  # the region that scrolls
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(heading(page, "Points")).to_be_focused()
    page.keyboard.press("Enter")
    assert shown(page) == ["dora", "cleo", "bob", EVIL, "ada"]
    page.keyboard.press("Space")
    assert shown(page) == ["ada", EVIL, "bob", "cleo", "dora"]  # as numbers: 7 is less than 15.5
    expect(page.locator("#students [aria-sort]")).to_have_attribute("aria-sort", "descending")
    page.screenshot(path=screenshots / "class.png", full_page=True)


def test_nothing_of_a_students_runs_in_it(class_page: Page) -> None:
    expect(class_page).to_have_title("Chapter 3, Attention: the class")
    class_page.locator("#students").get_by_role("link", name=EVIL).click()
    expect(class_page.locator("h1")).to_have_text(f"Chapter 3: {EVIL}")
    expect(class_page).to_have_title(f"Chapter 3: {EVIL}")


def test_it_fits_a_phone(class_page: Page, screenshots: Path) -> None:
    class_page.set_viewport_size({"width": 375, "height": 700})
    assert class_page.evaluate("document.documentElement.scrollWidth") <= 375
    buttons = class_page.locator("#students button").all()
    assert all((button.bounding_box() or {"height": 0})["height"] >= 24 for button in buttons)  # WCAG 2.2, 2.5.8
    class_page.screenshot(path=screenshots / "class-on-a-phone.png")
