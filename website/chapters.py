"""A chapter's page: the solved notebook, with the student's exercises, and each answer in a fold.

Nothing is executed: the outputs come from the solved notebook.
"""

from __future__ import annotations

import html
import re

import nbformat
from nbformat import NotebookNode, v4

from grading.exercises.registry import chapter, find
from grading.judging.exercise import Mistake
from grading.lessons.build import solved_path, student_path
from grading.lessons.lesson import Lesson
from grading.lessons.notebook import REMOVE_OUTPUT_TAG
from grading.storage.files import read_text
from grading.storage.project import PROJECT
from grading.submission.cell_ids import check_cell_id, exercise_cell_id
from website.figures import Figures

# Markup from pandas that HTML no longer allows: a style element in the body, and the border attribute.
_OUTDATED = re.compile(r"<style scoped>.*?</style>\s*| border=\"\d+\"(?= class=\"dataframe\")", re.DOTALL)
# The empty header cells of a pandas table.
_HEADS_NOTHING = re.compile(r"<th(?: class=\"blank[^\"]*\" ?)?>(?:&nbsp;)?</th>")
# Replaces an output that a notebook shows and does not store.
_TOUCHED = "*The notebook shows a page to touch here. [Touch an encoder](../touch.md) has it for the course's encoder.*"


def chapter_page(lesson: Lesson, figures: Figures, repository: str) -> str:
    """The notebook from which Sphinx builds a chapter's page.

    Args:
        figures: moves the figures from texts and outputs into files.
        repository: "owner/name" on GitHub for the link to Colab, or "".

    Raises:
        GradingError: one of the lesson's notebooks is missing.
    """
    folder = PROJECT / "notebooks"
    solved = nbformat.reads(read_text(solved_path(lesson, folder)), as_version=4)
    student = nbformat.reads(read_text(student_path(lesson, folder)), as_version=4)
    asked = {cell.id: cell.source for cell in student.cells}
    chapter(lesson.chapter).load_mistakes()
    exercises = {exercise_cell_id(task.name): task.name for task in lesson.tasks}
    checks = {check_cell_id(name) for name in exercises.values()}

    cells: list[NotebookNode] = []
    for cell in solved.cells:
        _clean(cell, figures)
        if cell.id in exercises:
            name = exercises[cell.id]
            cells += [_code(asked[cell.id]), _markdown(_hints(find(name)[1].mistakes)), _opened(name), cell]
        elif cell.id in checks:
            cells += [cell, _markdown("</details>")]
        elif cell.id == "setup":
            cells += [_markdown("<details>\n<summary>What is imported</summary>"), cell, _markdown("</details>")]
        elif REMOVE_OUTPUT_TAG in cell.metadata.get("tags", []):
            cells += [cell, _markdown(_TOUCHED)]
        else:
            cells.append(cell)
    cells[0].source = _with_links(cells[0].source, lesson.slug, repository)
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"  # ids must be unique in the page
    solved.cells = cells
    return nbformat.writes(solved)


def _clean(cell: NotebookNode, figures: Figures) -> None:
    if cell.cell_type == "markdown":
        cell.source = figures.taken_out(cell.source)
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        if "text/html" in data:
            data["text/html"] = figures.taken_out(_HEADS_NOTHING.sub("<td></td>", _OUTDATED.sub("", data["text/html"])))
            data.pop("text/plain", None)


def _with_links(source: str, slug: str, repository: str) -> str:
    """The chapter's first cell, with links to its notebook below the line with the chapter's duration."""
    links = [f'<a href="../notebooks/{slug}.ipynb" download>Download the notebook</a>']
    if repository:
        colab = f"https://colab.research.google.com/github/{repository}/blob/main/notebooks/{slug}.ipynb"
        links.append(f'<a href="{html.escape(colab)}">Open in Colab</a>')
    title, about, rest = source.split("\n\n", 2)
    return f'{title}\n\n{about}\n\n<p class="notebook-links">{" ".join(links)}</p>\n\n{rest}'


def _hints(mistakes: list[Mistake]) -> str:
    """The known mistakes of an exercise, each with its hint in a fold."""
    items = "\n".join(
        f"<li><details><summary>{_inline(mistake.sentence)}</summary><p>{_inline(mistake.hint)}</p></details></li>"
        for mistake in mistakes
    )
    summary = f"Hints: {len(mistakes)} mistakes that are made here, and where to look then"
    return f'<details class="hints">\n<summary>{summary}</summary>\n<ul>\n{items}\n</ul>\n</details>'


def _inline(text: str) -> str:
    """A sentence as HTML; text between backticks becomes code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


def _opened(name: str) -> NotebookNode:
    summary = f"Answer: the course's own <code>{name}</code>, and its check"
    return _markdown(f'<details class="answer">\n<summary>{summary}</summary>')


def _markdown(source: str) -> NotebookNode:
    return v4.new_markdown_cell(source)


def _code(source: str) -> NotebookNode:
    return v4.new_code_cell(source)
