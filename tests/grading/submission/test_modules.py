"""A module of the student's own beside the notebook counts as the notebook does, if the notebook imports it."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from grading.classroom.reading import cut, read_submission
from grading.student_kernel.self_check import check_notebook
from grading.submission import SubmissionFile, find_submissions, read_files
from grading.submission.modules import MOST_BYTES

ANSWERS = "from shapes import first\n\n\ndef causal_mask(length):\n    return first(length)\n"
SHAPES = "def first(length):\n    return length\n"
STUB = "def causal_mask(length):\n    raise NotImplementedError\n"


def notebook(*sources: str) -> bytes:
    cells = [
        {"cell_type": "code", "id": f"c{place}", "metadata": {}, "source": source, "outputs": []}
        for place, source in enumerate(sources)
    ]
    return json.dumps({"cells": cells, "metadata": {"course": {"chapter": 3}}, "nbformat": 4}).encode()


def source_of(file: SubmissionFile) -> tuple[str, list[str]]:
    """The text that would run for `causal_mask`, and the notes."""
    read = read_submission(file, 3)
    assert read.notebook, read.problem
    return cut(read.notebook, 3).extraction.exercises["causal_mask"].source, list(read.notebook.notes)


def layout(name: str, module: str) -> str:
    """The path of a file of Alice's in a download."""
    return {
        "plain": f"alice/{module}",
        "canvas": f"smithalice_1000_9000_{module}",
        "canvas, again": f"smithalice_1000_9000_{module.replace('.', '-2.')}",
        "moodle": f"Alice Smith_12345_assignsubmission_file_/{module}",
        "moodle, flat": f"Alice Smith_12345_assignsubmission_file_{module}",
        "blackboard": f"Chapter 3_asmith_attempt_2026-11-01-12-00-00_{module}",
        "brightspace": f"12345-67890 - Alice Smith - Nov 1, 2026 1200 PM/{module}",
        "brightspace, flat": f"12345-67890 - Alice Smith - Nov 1, 2026 1200 PM - {module}",
        "github": f"chapter-3-submissions/chapter-3-alice/notebooks/{module}",
    }[name]


FILES = {
    "03_attention.ipynb": notebook("import keras\nfrom my_answers import causal_mask", STUB),
    "my_answers.py": ANSWERS.encode(),
    "shapes.py": SHAPES.encode(),
    "unused.py": b"def causal_mask(length):\n    return 'unused'\n",
}


@pytest.mark.parametrize(
    "name",
    [
        *("plain", "canvas", "canvas, again", "moodle", "moodle, flat"),
        *("blackboard", "brightspace", "brightspace, flat", "github"),
    ],
)
@pytest.mark.parametrize("zipped", [False, True])
def test_a_module_that_the_notebook_imports_is_read_in_each_download(name: str, zipped: bool, tmp_path: Path) -> None:
    files = {layout(name, file): data for file, data in FILES.items()}
    path = tmp_path / "class.zip"
    if zipped:
        with zipfile.ZipFile(path, "w") as archive:
            for file, data in files.items():
                archive.writestr(f"class/{file}", data)
    else:
        path = tmp_path / "class"
        for file, data in files.items():
            (path / file).parent.mkdir(parents=True, exist_ok=True)
            (path / file).write_bytes(data)
    path = path / "chapter-3-submissions" if name == "github" and not zipped else path
    (alice,) = find_submissions(path)
    source, notes = source_of(alice)
    assert "return first(length)" in source and "def first(length)" in source and "unused" not in source
    assert [
        note.rpartition(" was read as cell ")[2] for note in notes if "because the notebook imports it" in note
    ] == [
        "0, because the notebook imports it",
        "-1, because the notebook imports it",
    ]


def test_a_module_in_a_students_archive_is_read_and_those_of_other_folders_are_not(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number in range(60):  # the released library, which students often hand in, too
            archive.writestr(f"work/course/part{number}.py", "def causal_mask(length):\n    return 'course'\n")
        archive.writestr("my_answers.py", "def causal_mask(length):\n    return 'elsewhere'\n")
        for name, data in FILES.items():
            archive.writestr(f"work/{name}", data)
    (tmp_path / "alice.zip").write_bytes(buffer.getvalue())
    source, _ = source_of(find_submissions(tmp_path)[0])
    assert "return first(length)" in source and "elsewhere" not in source and "course" not in source


@pytest.mark.parametrize(
    ("imports", "use"),
    [
        ("import my_answers", "causal_mask = my_answers.causal_mask"),
        ("import keras, my_answers as mine", "causal_mask = mine.causal_mask"),
        ("from my_answers import *", ""),
        ("from my_answers import causal_mask as mine", "causal_mask = mine"),
        ("import shapes as mine", "def causal_mask(length):\n    return mine.first(length) + mine.first(1)"),
    ],
)
def test_all_forms_of_import_lead_to_the_modules_text(imports: str, use: str, tmp_path: Path) -> None:
    folder = tmp_path / "alice"
    folder.mkdir()
    (folder / "03.ipynb").write_bytes(notebook(imports, use))
    (folder / "my_answers.py").write_text(ANSWERS)
    (folder / "shapes.py").write_text(SHAPES)
    source, _ = source_of(find_submissions(tmp_path)[0])
    space: dict[str, object] = {}
    exec(source, space)
    mask = space["causal_mask"]
    assert callable(mask) and mask(3) in (3, 4)


def test_the_notebooks_own_answer_comes_before_a_modules(tmp_path: Path) -> None:
    folder = tmp_path / "alice"
    folder.mkdir()
    (folder / "03.ipynb").write_bytes(notebook("import my_answers", "def causal_mask(length):\n    return 'own'\n"))
    (folder / "my_answers.py").write_text(ANSWERS)
    assert "own" in source_of(find_submissions(tmp_path)[0])[0]


def test_a_module_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "alice"
    folder.mkdir()
    (folder / "03.ipynb").write_bytes(FILES["03_attention.ipynb"])
    (folder / "my_answers.py").write_bytes(b"#" * (MOST_BYTES + 1))
    (alice,) = find_submissions(tmp_path)
    read = read_submission(alice, 3)
    assert read.notebook and "my_answers.py, which the notebook imports, could not be read" in read.notebook.notes[0]


def test_a_module_never_replaces_the_courses_own_and_may_import_itself(tmp_path: Path) -> None:
    folder = tmp_path / "alice"
    folder.mkdir()
    (folder / "03.ipynb").write_bytes(notebook("import course\nfrom loop import causal_mask"))
    (folder / "course.py").write_text("evil = 1")
    (folder / "loop.py").write_bytes("import loop\ndef causal_mask(length):\n    return '\u00e4'\n".encode("cp1252"))
    source, notes = source_of(find_submissions(tmp_path)[0])
    assert "\u00e4" in source and len(notes) == 1


def test_a_module_is_as_hostile_as_the_notebook(tmp_path: Path) -> None:
    folder = tmp_path / "alice"
    folder.mkdir()
    (folder / "03.ipynb").write_bytes(notebook("from my_answers import causal_mask\nfrom secret import key"))
    (folder / "my_answers.py").write_text("import os\n\n\ndef causal_mask(length):\n    return os.environ\n")
    (tmp_path / "secret.py").write_text("key = 1\n")
    (folder / "secret.py").symlink_to(tmp_path / "secret.py")
    alice = next(file for file in find_submissions(tmp_path) if file.student == "alice")
    read = read_submission(alice, 3)
    assert read.notebook and len(read.notebook.notes) == 1  # the link is not followed
    assert "causal_mask" in cut(read.notebook, 3).refused


def test_what_is_checked_at_home_includes_the_module(tmp_path: Path) -> None:
    (tmp_path / "03.ipynb").write_bytes(notebook("from my_answers import causal_mask"))
    mask = (
        "from keras import ops\n\n\ndef causal_mask(length):\n    return ops.tril(ops.ones((length, length), 'bool'))\n"
    )
    (tmp_path / "my_answers.py").write_text(mask)
    cards = {card.result["name"]: card.result["problem"] for card in check_notebook(tmp_path / "03.ipynb")}
    assert cards["causal_mask"] == "" and cards["split_heads"] == "no cell defines split_heads"


def test_another_text_of_a_module_is_another_submission(tmp_path: Path) -> None:
    folder = tmp_path / "alice"
    folder.mkdir()
    hashes = set()
    for text in ("a = 1", "a = 2"):
        (folder / "03.ipynb").write_bytes(FILES["03_attention.ipynb"])
        (folder / "my_answers.py").write_text(text)
        hashes.add(read_files(find_submissions(tmp_path)[0]).sha256)
    assert len(hashes) == 2
