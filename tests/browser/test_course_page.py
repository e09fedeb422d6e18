"""The page of a course, opened from a file without a network: sorted, searched, on a phone and in dark mode."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from benchmarks.made_class import LAYER, SPLIT, made_record
from grading.semester.page import write_page
from grading.submission import Person
from tests.browser.conftest import accessibility_problems
from tests.browser.test_class_page import shown
from tests.grading.semester.test_course import make

LAST = "王伟"


@pytest.fixture
def course_page(page: Page, tmp_path: Path) -> Page:
    """A course of chapters 1 and 3, compared with an earlier one."""
    mistakes = {SPLIT: "Cut along the wrong axis."}
    ada = Person("gradescope", "Ada", "1")
    records = [
        *[made_record("ada", person=ada, number=1), made_record("ada", {LAYER: 10, SPLIT: 2}, person=ada)],
        *[made_record("ben", {"learn_bpe": 5}, number=1), made_record("ben", {SPLIT: 2}, mistakes=mistakes)],
        made_record(LAST, number=1),
        made_record("Ada-7", problem="the file is empty", person=Person("moodle", "Ada", "7")),
    ]
    earlier = make(tmp_path / "earlier", made_record("cleo", {SPLIT: 2}, mistakes=mistakes))
    page.goto(write_page(make(tmp_path / "course", *records), earlier).as_uri())
    return page


def test_an_instructor_sorts_and_searches_the_course(course_page: Page) -> None:
    page = course_page
    assert shown(page) == ["Ada (gradescope:1)", "Ada (moodle:7)", "ben", LAST]
    page.locator("#students thead button").filter(has_text="Total").click()
    assert shown(page) == ["Ada (moodle:7)", LAST, "Ada (gradescope:1)", "ben"]
    page.locator("#kind").select_option("who is who")
    assert shown(page) == ["Ada (moodle:7)", "Ada (gradescope:1)"]
    page.locator("#kind").select_option("")
    page.locator("#search").fill("wrong axis")
    assert shown(page) == ["ben"]
    expect(page.locator("#shown")).to_have_text("1 of 4 students, 1 of 1 mistakes")


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible_and_fits_the_screen(
    scheme: Literal["light", "dark"], width: int, course_page: Page, screenshots: Path
) -> None:
    page = course_page
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    assert not accessibility_problems(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(path=screenshots / f"course-{width}-{scheme}.png", full_page=True)
