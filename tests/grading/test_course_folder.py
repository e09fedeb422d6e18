"""What is in `submitted/`: what was collected is never touched, and what was written here is never out of date."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from grading.exercise import chapter
from grading.gradebook import marks
from grading.gradebook.course_folder import released_notebook, write_course
from tests.grading.made_class import made_record

ATTENTION = chapter(3)


def hand_in(submissions: Path, body: str) -> None:
    """Ada's notebook, with one exercise written."""
    notebook = released_notebook(ATTENTION)
    (cell,) = [cell for cell in notebook.cells if cell.id == "exercise-causal-mask"]
    cell.source = f"def causal_mask(length):\n    return {body}"
    submissions.mkdir(exist_ok=True)
    nbformat.write(notebook, submissions / "ada.ipynb")


def write(course: Path, submissions: Path) -> Path:
    """Writes the course folder. Returns Ada's part of `submitted/`."""
    notebook = released_notebook(ATTENTION)
    write_course(course, ATTENTION, notebook, marks(ATTENTION, [made_record("ada")]), submissions)
    return course / "submitted" / "ada" / "03_attention"


def test_what_is_handed_in_again_is_shown(tmp_path: Path) -> None:
    for body in ("first_try(length)", "second_try(length)"):
        hand_in(tmp_path / "submissions", body)
        submitted = write(tmp_path / "course", tmp_path / "submissions") / "03_attention.ipynb"
        assert body in submitted.read_text()
        nbformat.validate(nbformat.read(submitted, as_version=4))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("03_attention.ipynb", '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'),
        ("03_attention.ipynb", "[" * 100_000),
        ("03_attention.ipynb", '{"metadata": 3}'),
        ("03_attention.ipynb", "\ud800"),
        ("homework.ipynb", "{}"),
    ],
    ids=["a notebook", "nested", "no notebook", "no text", "another name"],
)
def test_what_was_collected_stays(name: str, content: str, tmp_path: Path) -> None:
    hand_in(tmp_path / "submissions", "later(length)")
    folder = tmp_path / "course" / "submitted" / "ada" / "03_attention"
    folder.mkdir(parents=True)
    collected = content.encode(errors="surrogatepass")
    (folder / name).write_bytes(collected)
    assert write(tmp_path / "course", tmp_path / "submissions") == folder
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {name: collected}
