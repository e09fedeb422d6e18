"""The pages of a class, opened from files: by keyboard, on a phone, in dark mode, and printed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from benchmarks.made_class import ATTENTION, CAUSAL, LAYER, SPLIT, made_record
from grading.classroom.similarity import Pair
from grading.classroom.submission_record import SubmissionRecord
from grading.exercises.registry import chapter
from grading.report.pages import write_pages
from tests.browser.conftest import accessibility_problems

EVIL = "<script>document.title = 'broken'</script>"
CODE = "def split_heads(x, num_heads):\n    " + "\n    ".join(f"x{n} = x[..., {n}]  # {'long ' * 20}" for n in range(9))
PANEL = {"title": "Yours [0, 1]", "rows": [[["#00224e", "0.5"]] * 24] * 6, "description": "Yours: 6 rows, 24 columns"}


def made_class() -> list[SubmissionRecord]:
    cleo = made_record(
        "cleo", {ATTENTION: 6, LAYER: 10, SPLIT: 2}, mistakes={SPLIT: "Cut along the wrong axis."}, code={SPLIT: CODE},
        message="a" * 300,
    )  # fmt: skip
    cleo["exercises"][3]["panels"] = [PANEL, PANEL, PANEL]
    cleo["notes"] = ["its cells have no ids"]
    evil = made_record(EVIL, {SPLIT: 2}, mistakes={SPLIT: "Cut along the wrong axis."})
    evil["exercises"][0]["refused"] = [EVIL]
    return [
        evil,
        made_record("ada", code={LAYER: "class MultiHeadAttention: ..."}),
        made_record("bob", {LAYER: 7.5, CAUSAL: 1}, crashes=1, mistakes={LAYER: "Heads are not merged."}),
        cleo,
        made_record("dora", problem="the file is empty"),
    ]


@pytest.fixture
def class_page(page: Page, tmp_path: Path) -> Iterator[Page]:
    """The page of five students, open, without a network."""
    index = write_pages(tmp_path, chapter(3), made_class(), [Pair(LAYER, "ada", "bob", 0.8)])
    browser = page.context.browser
    assert browser is not None
    with browser.new_context(offline=True, viewport={"width": 1280, "height": 1400}) as context:
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


def test_an_instructor_finds_students_by_keyboard(class_page: Page) -> None:
    page = class_page
    assert shown(page) == [EVIL, "ada", "bob", "cleo", "dora"]
    page.locator("#search").focus()
    page.keyboard.type("O")
    assert shown(page) == [EVIL, "bob", "cleo", "dora"]  # "document" has an o, too
    page.keyboard.press("Backspace")
    page.keyboard.press("Tab")
    page.keyboard.type("alike")
    assert shown(page) == ["ada", "bob"]
    expect(page.locator("#shown")).to_have_text("2 of 5 students, 2 of 2 mistakes")
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


def test_text_of_students_is_never_executed(class_page: Page) -> None:
    expect(class_page).to_have_title("Chapter 3, Attention: the class")
    class_page.locator("#students").get_by_role("link", name=EVIL).click()
    expect(class_page.locator("h1")).to_have_text(f"Chapter 3: {EVIL}")
    expect(class_page).to_have_title(f"Chapter 3: {EVIL}")


def test_a_search_finds_mistakes_and_their_students(class_page: Page) -> None:
    page = class_page
    page.locator("#search").fill("wrong axis")
    assert shown(page) == [EVIL, "cleo"]
    expect(page.locator("#shown")).to_have_text("2 of 5 students, 1 of 2 mistakes")
    mistake = page.locator("#mistakes + p + ul > li:visible")
    expect(mistake.get_by_role("link", name="cleo")).to_be_hidden()
    mistake.locator("summary").press("Enter")
    mistake.get_by_role("link", name="cleo").click()
    expect(page.locator("h1")).to_have_text("Chapter 3: cleo")
    page.go_back()
    page.locator("#search").fill("bob")
    assert page.locator("#mistakes + p + ul > li:visible summary").all_inner_texts() == [
        "Heads are not merged. MultiHeadAttention, 1 student"
    ]


def test_an_instructor_browses_students_and_reads_code_beside_its_findings(class_page: Page) -> None:
    page = class_page
    page.locator("#students").get_by_role("link", name="bob").click()
    expect(page.locator(".reasons")).to_contain_text("its process ended or hung once")
    page.get_by_role("link", name="cleo →").click()
    section = page.locator("section", has=page.get_by_role("heading", name="split_heads"))
    code, found = (section.locator(f"{part}").bounding_box() or {} for part in ("pre", ".said"))
    assert found["x"] > code["x"] + code["width"] and found["y"] < code["y"] + code["height"]
    page.get_by_role("link", name="The student's page").click()
    expect(page.locator("h1")).to_have_text("Chapter 3: cleo")
    assert page.get_by_role("link", name="bob").count() == 0


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible_and_fits_the_screen(
    scheme: Literal["light", "dark"], width: int, class_page: Page, screenshots: Path
) -> None:
    page = class_page
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    for name, link in (("class", None), ("review", "cleo"), ("student", "The student's page")):
        if link:
            page.get_by_role("link", name=link, exact=True).first.click()
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        assert not accessibility_problems(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.screenshot(path=screenshots / f"{name}-{width}-{scheme}.png", full_page=True)


def test_a_wide_table_is_marked_as_scrolling_and_printed_whole(class_page: Page) -> None:
    page = class_page
    hint = page.locator(".hint", has_text="scrolls sideways").first
    expect(hint).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 700})
    expect(hint).to_be_visible()
    page.emulate_media(media="print")
    expect(hint).to_be_hidden()
    expect(page.locator("#controls")).to_be_hidden()
    expect(page.locator("#students")).to_be_visible()


def test_touch_targets_are_large_enough(class_page: Page) -> None:
    class_page.set_viewport_size({"width": 390, "height": 700})
    buttons = class_page.locator("#students button").all()
    assert all((button.bounding_box() or {"height": 0})["height"] >= 24 for button in buttons)  # WCAG 2.2, 2.5.8
