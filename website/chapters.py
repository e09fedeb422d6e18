"""A chapter's page: the solved notebook, with the student's exercises, and each answer in a fold.

Nothing is executed: the outputs come from the solved notebook.
"""

from __future__ import annotations

import html
import re

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from grading.exercises.registry import chapter, find
from grading.feedback.card import with_code
from grading.judging.exercise import Mistake
from grading.languages import ENGLISH
from grading.lessons.build import solved_path, student_path, translated_notebooks
from grading.lessons.lesson import Lesson
from grading.lessons.notebook import REMOVE_OUTPUT_TAG
from grading.lessons.translating import IN_ENGLISH, Translation
from grading.storage.files import read_text
from grading.storage.project import PROJECT
from grading.submission.cell_ids import check_cell_id, exercise_cell_id
from website.figures import Figures

# Markup from pandas that HTML no longer allows: a style element in the body, and the border attribute.
_OUTDATED = re.compile(r"<style scoped>.*?</style>\s*| border=\"\d+\"(?= class=\"dataframe\")", re.DOTALL)
# The empty header cells of a pandas table.
_HEADS_NOTHING = re.compile(r"<th(?: class=\"blank[^\"]*\" ?)?>(?:&nbsp;)?</th>")


def chapter_page(lesson: Lesson, figures: Figures, repository: str, translation: Translation = IN_ENGLISH) -> str:
    """The notebook from which Sphinx builds a chapter's page.

    Args:
        figures: moves the figures from texts and outputs into files.
        repository: "owner/name" on GitHub for the link to Colab, or "".
        translation: says the lesson's texts and the site's.

    Raises:
        GradingError: one of the lesson's notebooks is missing.
    """
    student, solved = _notebooks(lesson, translation.language)
    asked = {cell.id: cell.source for cell in student.cells}
    chapter(lesson.chapter).load_mistakes()
    exercises = {exercise_cell_id(task.name): task.name for task in lesson.tasks}
    checks = {check_cell_id(name) for name in exercises.values()}

    cells: list[NotebookNode] = []
    for cell in solved.cells:
        _clean(cell, figures)
        if cell.id in exercises:
            name = exercises[cell.id]
            hints = _hints(find(name)[1].mistakes, translation)
            cells += [new_code_cell(asked[cell.id]), new_markdown_cell(hints), _opened(name, translation), cell]
        elif cell.id in checks:
            cells += [cell, new_markdown_cell("</details>")]
        elif cell.id == "setup":
            opening = f"<details>\n<summary>{translation.say('What is imported')}</summary>"
            cells += [new_markdown_cell(opening), cell, new_markdown_cell("</details>")]
        elif REMOVE_OUTPUT_TAG in cell.metadata.get("tags", []) and "explore(" in cell.source:
            cells += [cell, _touched(translation)]
        else:
            cells.append(cell)
    cells[0].source = _with_links(cells[0].source, lesson.slug, repository, translation)
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"  # ids must be unique in the page
    solved.cells = cells
    # The pages of all languages show the same figures.
    return nbformat.writes(solved).replace("../figures/", f"{to_top(translation.language)}../figures/")


def to_top(language: str) -> str:
    """The way from a language's part of the site to the top."""
    return "" if language == ENGLISH else "../"


def _notebooks(lesson: Lesson, language: str) -> tuple[NotebookNode, NotebookNode]:
    """The student's notebook and the solved one. The English ones are stored, the others are made."""
    if language != ENGLISH:
        return translated_notebooks(language, lesson)
    folder = PROJECT / "notebooks"
    texts = [read_text(path(lesson, folder)) for path in (student_path, solved_path)]
    student, solved = (nbformat.reads(text, as_version=4) for text in texts)
    return student, solved


def _touched(translation: Translation) -> NotebookNode:
    """Replaces an output that a notebook shows and does not store."""
    link = f"{to_top(translation.language)}../touch.html"
    return new_markdown_cell(
        translation.say(
            'The notebook shows a page to touch here. <a href="{link}">Touch an encoder</a> has it for the course\'s '
            "encoder.",
            link=link,
        )
    )


def _clean(cell: NotebookNode, figures: Figures) -> None:
    if cell.cell_type == "markdown":
        cell.source = figures.taken_out(cell.source)
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        if "text/html" in data:
            data["text/html"] = figures.taken_out(_HEADS_NOTHING.sub("<td></td>", _OUTDATED.sub("", data["text/html"])))
            data.pop("text/plain", None)


def _with_links(source: str, slug: str, repository: str, translation: Translation) -> str:
    """The chapter's first cell, with links to its notebook below the line with the chapter's duration."""
    links = [f'<a href="../notebooks/{slug}.ipynb" download>{translation.say("Download the notebook")}</a>']
    if repository and translation.language == ENGLISH:  # a repository has no other notebooks
        colab = f"https://colab.research.google.com/github/{repository}/blob/main/notebooks/{slug}.ipynb"
        links.append(f'<a href="{html.escape(colab)}">{translation.say("Open in Colab")}</a>')
    title, about, rest = source.split("\n\n", 2)
    return f'{title}\n\n{about}\n\n<p class="notebook-links">{" ".join(links)}</p>\n\n{rest}'


def _hints(mistakes: list[Mistake], translation: Translation) -> str:
    """The known mistakes of an exercise, each with its hint in a fold."""
    said = [(translation.text(mistake.sentence), translation.text(mistake.hint)) for mistake in mistakes]
    items = "\n".join(
        f"<li><details><summary>{with_code(sentence)}</summary><p>{with_code(hint)}</p></details></li>"
        for sentence, hint in said
    )
    summary = translation.say("Hints: {count} mistakes that are made here, and where to look then", count=len(mistakes))
    return f'<details class="hints">\n<summary>{summary}</summary>\n<ul>\n{items}\n</ul>\n</details>'


def _opened(name: str, translation: Translation) -> NotebookNode:
    summary = translation.say("Answer: the course's own <code>{name}</code>, and its check", name=name)
    return new_markdown_cell(f'<details class="answer">\n<summary>{summary}</summary>')
