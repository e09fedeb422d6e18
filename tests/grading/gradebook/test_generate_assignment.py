"""nbgrader's own tools on the course folder: what it makes of the instructor's notebook is what students get."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode

from benchmarks.made_class import made_record
from grading.exercises.registry import chapter, chapters
from grading.gradebook import marks
from grading.gradebook.course_folder import released_notebook, write_course

# What nbgrader adds to each cell that it releases.
_ITS_OWN = {"checksum", "deletable", "editable", "cell_type"}
_ITS_STUB = "# YOUR CODE HERE\n{0}raise NotImplementedError()"


@pytest.fixture
def course(new_gradebook: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "course"
    folder.mkdir()
    shutil.copy(new_gradebook, folder)
    return folder


def nbgrader(course: Path) -> Any:
    """The interface of nbgrader's own pages, with the settings that lie in the course."""
    from nbgrader.apps.api import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import Config, PyFileConfigLoader

    settings = course / "nbgrader_config.py"
    config = PyFileConfigLoader(settings.name, path=str(course)).load_config() if settings.exists() else Config()
    config.merge(Config({"CourseDirectory": {"root": str(course)}}))
    return NbGraderAPI(CourseDirectory(config=config), config=config)


def generated(course: Path, name: str) -> NotebookNode:
    """What `nbgrader generate_assignment` makes."""
    result = nbgrader(course).generate_assignment(name)
    assert result["success"], result
    return nbformat.read(course / "release" / name / f"{name}.ipynb", as_version=4)


def said(notebook: NotebookNode) -> list[Any]:
    """Of each cell, all that the course says."""
    cells = []
    for cell in notebook.cells:
        about = {key: value for key, value in cell.metadata.items() if key not in _ITS_OWN}
        grading = {key: value for key, value in about.pop("nbgrader", {}).items() if key not in _ITS_OWN}
        cells.append((cell.id, cell.cell_type, cell.source, about, grading, cell.get("outputs")))
    return cells


@pytest.mark.parametrize("number", chapters())
def test_the_generated_assignment_is_exactly_the_released_notebook(number: int, course: Path) -> None:
    of = chapter(number)
    released = released_notebook(of)
    write_course(course, of, released, [], None)
    source = nbformat.read(course / "source" / of.slug / f"{of.slug}.ipynb", as_version=4)
    for cell in source.cells:
        if cell.cell_type == "code":
            compile(cell.source, cell.id, "exec")
    assert "NotImplementedError" not in "".join(cell.source for cell in source.cells if cell.id.startswith("exercise"))
    assert said(generated(course, of.slug)) == said(released)


def test_with_an_instructors_own_settings_only_the_stubs_are_nbgraders(course: Path) -> None:
    of = chapter(3)
    (course / "nbgrader_config.py").write_text("c = get_config()\n")
    released = released_notebook(of)
    write_course(course, of, released, [], None)
    assert (course / "nbgrader_config.py").read_text() == "c = get_config()\n"
    made = {cell.id: cell.source for cell in generated(course, of.slug).cells}
    for cell in released.cells:
        lines = cell.source.split("\n")
        for place, line in enumerate(lines):
            if line.lstrip().startswith('raise NotImplementedError("Write'):
                indent = line[: len(line) - len(line.lstrip())]
                lines[place] = indent + _ITS_STUB.format(indent)
        assert made[cell.id] == "\n".join(lines)


def test_hints_keep_their_triangle_in_nbgraders_feedback(course: Path) -> None:
    """Its stylesheet turns each summary into a plain block, which has none."""
    of = chapter(3)
    record = made_record("ada", {"split_heads": 2}, mistakes={"split_heads": "Cut wrongly."})
    write_course(course, of, released_notebook(of), marks(of, [record]), None)
    from grading.gradebook import Policy
    from grading.gradebook.database import open_database

    with open_database(f"sqlite:///{course}/gradebook.db", of, released_notebook(of), Policy()) as database:
        for mark in marks(of, [record]):
            database.write_mark(mark)
    result = nbgrader(course).generate_feedback(of.slug, "ada")
    assert result["success"], result
    page = (course / "feedback" / "ada" / of.slug / f"{of.slug}.html").read_text()
    assert '<summary style="display:list-item;' in page and "Look again." in page
