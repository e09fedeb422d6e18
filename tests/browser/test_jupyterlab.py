"""A student opens a released chapter in JupyterLab, runs it, makes a mistake and corrects it."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Locator, Page, expect

from grading.exercises.registry import chapter

pytestmark = pytest.mark.long

NAME = "scaled_dot_product_attention"
SOLUTION = """\
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.cast(query @ ops.swapaxes(key, -1, -2){scale}, keras.backend.result_type(query.dtype, "float32"))
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.cast(ops.softmax(scores), value.dtype)
    if mask is not None:
        weights = ops.where(mask, weights, 0.0)
    return weights @ value, weights
"""
WRONG = SOLUTION.format(scale="")
RIGHT = SOLUTION.format(scale=" / query.shape[-1] ** 0.5")


class Notebook:
    """A notebook open in the page, with its cells by id."""

    def __init__(self, page: Page, path: Path) -> None:
        self.page = page
        self._places = [cell.id for cell in nbformat.read(path, as_version=4).cells]

    def cell(self, cell_id: str) -> Locator:
        return self.page.locator(".jp-Notebook .jp-Cell").nth(self._places.index(cell_id))

    def write(self, cell_id: str, source: str) -> None:
        self.cell(cell_id).locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(source)

    def run(self, cell_id: str) -> None:
        self.cell(cell_id).locator(".cm-content").click()
        self.page.keyboard.press("Control+Enter")

    def run_all(self) -> None:
        self.page.get_by_role("menuitem", name="Run", exact=True).click()
        self.page.get_by_role("menuitem", name="Run All Cells", exact=True).click()

    def wait_for_kernel(self) -> None:
        """Waits until the kernel is idle."""
        expect(self.page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible()

    def card(self) -> Locator:
        """The output of the exercise's check."""
        return self.cell(f"check-{NAME.replace('_', '-')}").locator(f'section[aria-label^="Check of {NAME}"]')


@pytest.fixture(scope="module")
def notebook(page: Page, jupyterlab: str, bundle: Path) -> Notebook:
    page.goto(f"{jupyterlab}/lab/tree/03_attention.ipynb?token=student")
    notebook = Notebook(page, bundle / "03_attention.ipynb")
    expect(notebook.cell("setup")).to_be_visible()
    notebook.wait_for_kernel()  # without a kernel, cells cannot run
    return notebook


def test_a_picture_in_the_text_shows(notebook: Notebook, screenshots: Path) -> None:
    picture = notebook.page.get_by_role("img", name="Tokens, split into two heads.")
    picture.scroll_into_view_if_needed()
    assert picture.evaluate("image => image.complete && image.naturalWidth > image.width")
    notebook.page.screenshot(path=screenshots / "picture.png")


def test_an_answer_unfolds_on_click(notebook: Notebook, screenshots: Path) -> None:
    answer = notebook.page.locator("details", has_text="What is missing is the division")
    expect(answer.locator("summary")).to_have_text("Answer")
    assert answer.get_attribute("open") is None
    answer.locator("summary").click()
    expect(answer).to_have_attribute("open", "")
    answer.scroll_into_view_if_needed()
    notebook.page.screenshot(path=screenshots / "answer.png")


def test_a_mistake_is_named_and_its_correction_saved(notebook: Notebook, bundle: Path, screenshots: Path) -> None:
    chapter(3).load_mistakes()
    unscaled = next(m for m in chapter(3).exercises[NAME].mistakes if "not divided" in m.sentence)
    card = notebook.card()

    notebook.run_all()
    expect(card).to_contain_text("Not written yet")
    notebook.wait_for_kernel()  # on a busy machine, the cells below take long
    card.scroll_into_view_if_needed()
    notebook.page.screenshot(path=screenshots / "not_written.png")

    notebook.write(f"exercise-{NAME.replace('_', '-')}", WRONG)
    for cell in (f"exercise-{NAME.replace('_', '-')}", f"check-{NAME.replace('_', '-')}"):
        notebook.run(cell)
    expect(card).to_contain_text(unscaled.sentence)
    hint = card.locator("details", has_text="Hint")
    hint.locator("summary").click()
    expect(hint).to_have_attribute("open", "")
    card.scroll_into_view_if_needed()
    notebook.page.screenshot(path=screenshots / "mistake.png")

    notebook.write(f"exercise-{NAME.replace('_', '-')}", RIGHT)
    for cell in (f"exercise-{NAME.replace('_', '-')}", f"check-{NAME.replace('_', '-')}"):
        notebook.run(cell)
    expect(card).to_contain_text("6 of 6 points")
    expect(card).to_contain_text("Kept in my_bert/attention.py")
    card.scroll_into_view_if_needed()
    notebook.page.screenshot(path=screenshots / "passed.png")
    assert f"def {NAME}" in (bundle / "my_bert" / "attention.py").read_text()
