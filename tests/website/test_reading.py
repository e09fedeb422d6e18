"""The site in a browser, from files and without a network: accessibility, phones, dark mode, print."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PROJECT, accessibility_problems
from tests.website.pages import Page as PageRead

pytestmark = pytest.mark.long

# One page of each kind; `test_touch` tests the page to touch.
KINDS = (
    *("chapters/10_decoder", "reference/attention", "reference/index", "index", "search", "genindex"),
    *("chapters/03_attention", "docs/instructors", "docs/facts"),
)

# The theme cuts off overflow, so the page itself is never too wide, but its boxes may be.
WIDER_THAN_THE_SCREEN = """
    [...document.querySelectorAll('.article-container *:not(.katex-mathml, .katex-mathml *, svg *)')].filter((one) => {
        const box = one.getBoundingClientRect();
        if (!box.width || box.right <= window.innerWidth + 1) return false;
        for (let around = one; !around.matches('.article-container'); around = around.parentElement)
            if (['auto', 'scroll'].includes(getComputedStyle(around).overflowX)) return false;
        return true;
    }).map((one) => one.outerHTML.slice(0, 200))
"""


@pytest.fixture
def reader(page: Page) -> Iterator[Page]:
    """A page without a network, on which no error may occur."""
    browser = page.context.browser
    assert browser is not None
    with browser.new_context(offline=True, viewport={"width": 1280, "height": 900}) as context:
        opened = context.new_page()
        complaints: list[str] = []
        opened.on("console", lambda message: complaints.append(message.text))
        opened.on("pageerror", lambda error: complaints.append(str(error)))
        yield opened
        assert not complaints


@pytest.fixture
def looked_at(pages: dict[str, PageRead], request: pytest.FixtureRequest) -> list[str]:
    """The names of the pages to check for accessibility: one of each kind, or all with --every-page."""
    every = [name.removesuffix(".html") for name in pages]
    assert set(KINDS) < set(every)
    return every if request.config.getoption("--every-page") else list(KINDS)


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible_and_fits_the_screen(
    scheme: Literal["light", "dark"], width: int, reader: Page, site: Path, looked_at: list[str]
) -> None:
    reader.set_viewport_size({"width": width, "height": 900})
    reader.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    pictures = PROJECT / "build" / "screenshots"
    problems = []
    for name in looked_at:
        reader.goto((site / f"{name}.html").as_uri())
        reader.screenshot(path=pictures / f"site-{name.replace('/', '-')}-{width}-{scheme}.png")
        reader.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        reader.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")  # for width observers
        problems += [(name, *problem) for problem in accessibility_problems(reader)]
        if wide := reader.evaluate(WIDER_THAN_THE_SCREEN):
            problems.append((name, "wider than the screen", wide))
    assert problems == []


def test_the_words_in_a_wide_figure_stay_legible_on_a_phone(reader: Page, site: Path) -> None:
    reader.set_viewport_size({"width": 390, "height": 900})
    reader.goto((site / "chapters" / "03_attention.html").as_uri())
    figures = "[...document.querySelectorAll('.cell_output img[width]')]"
    shown = reader.evaluate(f"{figures}.map((one) => [+one.getAttribute('width'), one.getBoundingClientRect().width])")
    assert max(width for width, _ in shown) > 800
    assert all(actual >= min(width, 560) for width, actual in shown)


def test_a_chapter_can_be_printed(reader: Page, site: Path) -> None:
    reader.set_viewport_size({"width": 700, "height": 1000})  # of A4, between its margins
    reader.emulate_media(media="print", color_scheme="dark")
    reader.goto((site / "chapters" / "03_attention.html").as_uri())
    reader.screenshot(path=PROJECT / "build" / "screenshots" / "site-printed.png", full_page=True)
    for one in (".sidebar-drawer", ".toc-drawer", ".mobile-header", ".related-pages", ".notebook-links", ".copybtn"):
        for place in reader.locator(one).all():
            expect(place).to_be_hidden()
    cut = (
        "[...document.querySelectorAll('pre, .equation, table')].filter((one) => one.scrollWidth > one.clientWidth + 1)"
    )
    reader.evaluate("document.querySelector('details.answer').open = true")
    assert reader.evaluate(f"{cut}.map((one) => one.textContent)") == []
    assert reader.evaluate("document.documentElement.scrollWidth") <= 700
    said = "(one) => getComputedStyle(one.querySelector('summary'), '::after').content"
    answers = reader.locator("details.answer")
    assert answers.first.evaluate(said) == "none"
    assert "folded" in answers.nth(1).evaluate(said)
    assert reader.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.fixture
def without_scripts(page: Page) -> Iterator[Page]:
    """A page with JavaScript switched off."""
    browser = page.context.browser
    assert browser is not None
    with browser.new_context(offline=True, java_script_enabled=False) as context:
        yield context.new_page()


def test_a_chapter_is_readable_without_scripts(without_scripts: Page, site: Path) -> None:
    without_scripts.goto((site / "chapters" / "03_attention.html").as_uri())
    expect(without_scripts.get_by_role("heading", name="Attention", exact=True)).to_be_visible()
    expect(without_scripts.locator(".katex").first).to_be_visible()
    answer = without_scripts.locator("details.answer").first
    code = answer.get_by_text("ops.softmax", exact=False).first
    expect(code).to_be_hidden()
    answer.locator("summary").click()
    expect(code).to_be_visible()
    expect(without_scripts.get_by_role("link", name="4 The encoder").first).to_be_visible()


def test_the_page_to_touch_says_that_it_needs_scripts(without_scripts: Page, site: Path) -> None:
    without_scripts.goto((site / "touch.html").as_uri())
    expect(without_scripts.get_by_text("the encoder needs JavaScript")).to_be_visible()
    expect(without_scripts.get_by_label("A sentence")).to_be_disabled()
    expect(without_scripts.locator(".explorer-guesses li")).to_have_count(5)


def test_a_search_finds_a_chapter_and_a_function(reader: Page, site: Path) -> None:
    reader.goto((site / "index.html").as_uri())
    reader.locator("input[name=q]").fill("causal_mask")
    reader.keyboard.press("Enter")
    results = reader.locator("#search-results")
    expect(results.get_by_role("link", name="course.attention.causal_mask")).to_be_visible()
    expect(results.get_by_role("link", name="Attention", exact=True)).to_be_visible()
    reader.screenshot(path=PROJECT / "build" / "screenshots" / "site-results.png")


def test_search_excerpts_leave_out_folded_text(reader: Page, site: Path) -> None:
    """The search cuts the excerpt below each result out of this function's output."""
    reader.goto((site / "search.html").as_uri())
    text = "<main role='main'><p>open</p><details><p>one</p><details>two</details>three</details><p>end</p></main>"
    assert reader.evaluate("(text) => Search.htmlToText(text)", text) == "openend"


def test_an_answer_unfolds_on_click(reader: Page, site: Path) -> None:
    reader.goto((site / "chapters" / "03_attention.html").as_uri())
    answer = reader.locator("details.answer", has_text="the course's own padding_mask")
    code = answer.get_by_text("ops.not_equal", exact=False).first
    expect(code).to_be_hidden()
    answer.locator("summary").first.press("Enter")
    expect(code).to_be_visible()


def test_a_page_follows_the_readers_dark_mode(reader: Page, site: Path) -> None:
    reader.goto((site / "chapters" / "03_attention.html").as_uri())
    background = "getComputedStyle(document.body).backgroundColor"
    for scheme in ("light", "dark"):
        reader.emulate_media(color_scheme=scheme)
        red, green, blue = (int(part) for part in reader.evaluate(background)[4:-1].split(","))
        assert (red + green + blue < 3 * 128) == (scheme == "dark")
