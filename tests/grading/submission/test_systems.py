"""A download from a school's system, folder or zip, becomes exactly one submission for each student."""

from __future__ import annotations

import io
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from benchmarks.submissions.layouts import LAYOUTS, PLAIN, Layout, notebook
from grading.classroom.reading import read_submission
from grading.classroom.results import page_name
from grading.errors import GradingError
from grading.exercises.registry import chapters
from grading.storage.project import PROJECT
from grading.submission import Found, SubmissionFile, find, find_submissions

ALL = LAYOUTS | {f"plain {name}": layout for name, layout in PLAIN.items()}


def graded(file: SubmissionFile) -> str | None:
    """The marker of the notebook that counts."""
    read = read_submission(file, 3)
    return read.notebook.cells[0].source.splitlines()[0].removeprefix("# ") if read.notebook else None


def check(found: Found, layout: Layout) -> None:
    assert (found.system.name if found.system else "") == layout.system
    assert {file.student: graded(file) for file in found.submissions} == layout.graded
    people = {file.student: (file.person.name, file.person.number) for file in found.submissions}
    assert people | layout.people == people
    several = {file.student for file in found.submissions if any("several attempts" in note for note in file.notes)}
    assert several == layout.attempts
    assert {entry.shown for entry in found.others} == layout.others


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("form", ["folder", "archive", "archive with a folder in it"])
def test_a_download_is_understood_as_it_comes(name: str, form: str, tmp_path: Path) -> None:
    layout = ALL[name]
    if form == "folder":
        path = layout.write_folder(tmp_path)
    else:
        path = layout.write_archive(tmp_path, wrapped=form != "archive")
    found = find(path)
    check(found, layout)
    said = " ".join(found.sentences())
    assert (found.system.title if found.system else "named after students") in said
    assert all(other in said for other in layout.others)


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_system_can_be_given(name: str, tmp_path: Path) -> None:
    layout = LAYOUTS[name]
    path = layout.write_folder(tmp_path)
    check(find(path, layout.system), layout)
    assert find(path, "plain").system is None
    wrong = "brightspace" if layout.system != "brightspace" else "blackboard"
    with pytest.raises(GradingError, match=r"no file in .* has a name as"):
        find(path, wrong)


def test_an_unknown_system_is_refused_and_the_known_ones_are_listed(tmp_path: Path) -> None:
    with pytest.raises(GradingError, match=r"'ilias' is not a known system.*canvas.*plain"):
        find(PLAIN["files"].write_folder(tmp_path), "ilias")


def test_of_several_attempts_the_last_counts_and_the_note_names_all_in_their_order(tmp_path: Path) -> None:
    found = find(LAYOUTS["Canvas, several attempts"].write_folder(tmp_path))
    alice = next(file for file in found.submissions if file.student == "smithalice_1000")
    read = read_submission(alice, 3)
    assert read.notebook
    (note,) = read.notebook.notes
    first, second, last = (note.index(part) for part in ("_9000_", "_9500_", "_10003_"))
    assert first < second < last


def test_a_last_attempt_without_a_notebook_is_not_replaced_by_an_earlier_one(tmp_path: Path) -> None:
    for time, name in {"1200 PM": "03_attention.ipynb", "130 PM": "photo.png"}.items():
        folder = tmp_path / f"12345-67890 - Alice Smith - Nov 1, 2026 {time}"
        folder.mkdir()
        (folder / name).write_bytes(notebook("first"))
    (alice,) = find_submissions(tmp_path)
    assert "the last attempt does not contain" in (alice.problem or "") and "photo.png" in (alice.problem or "")
    assert graded(alice) is None


@pytest.mark.parametrize("name", [name for name in LAYOUTS if LAYOUTS[name].system != "github-classroom"])
@pytest.mark.parametrize("wrapped", [False, True])
def test_the_archive_of_a_class_among_the_submissions_is_never_one_student(
    name: str, wrapped: bool, tmp_path: Path
) -> None:
    (tmp_path / "carol.ipynb").write_bytes(notebook("carol"))
    LAYOUTS[name].write_archive(tmp_path, wrapped)
    carol, bulk = sorted(find_submissions(tmp_path), key=lambda file: file.student != "carol")
    assert (graded(carol), graded(bulk)) == ("carol", None)


@pytest.mark.parametrize("name", [name for name in LAYOUTS if LAYOUTS[name].system != "github-classroom"])
@pytest.mark.parametrize("wrapped", [False, True])
def test_a_folder_that_holds_the_archive_of_a_class_alone_is_that_class(
    name: str, wrapped: bool, tmp_path: Path
) -> None:
    LAYOUTS[name].write_archive(tmp_path, wrapped)
    (tmp_path / "roster.csv").write_text("id,name\n")
    found = find(tmp_path)
    check(found, LAYOUTS[name])
    assert f"in {LAYOUTS[name].folder}.zip" in found.sentences()[0]


def test_the_parts_of_a_download_from_google_drive_are_one_class(tmp_path: Path) -> None:
    for part, name in enumerate(("Alice Smith", "Bob O'Neil", "Zoë Weiß"), 1):
        path = tmp_path / f"Chapter 3 - Attention-20261101T120000Z-00{part}.zip"
        path.write_bytes(
            zip_of([(f"Chapter 3 - Attention/{name} - hand-in.zip", zip_of([("03.ipynb", notebook(name))]))])
        )
    found = find(tmp_path)
    assert found.system and found.system.name == "google-classroom"
    assert {file.student: graded(file) for file in found.submissions} == {
        name: name for name in ("Alice Smith", "Bob O'Neil", "Zoë Weiß")
    }
    (tmp_path / "mallory.ipynb").write_bytes(notebook("mallory"))
    assert len(find(tmp_path).submissions) == 4 and find(tmp_path).system is None


def test_an_only_archive_that_is_damaged_stays_one_students(tmp_path: Path) -> None:
    (tmp_path / "alice.zip").write_bytes(b"PK\x03\x04" + b"?" * 50 + b"PK\x05\x06" + b"\0" * 18)
    (alice,) = find(tmp_path).submissions
    assert (alice.student, graded(alice)) == ("alice", None)


def test_an_archive_of_notebooks_named_after_students_is_never_one_student(tmp_path: Path) -> None:
    (tmp_path / "carol.ipynb").write_bytes(notebook("carol"))
    PLAIN["files"].write_archive(tmp_path, wrapped=True)
    bulk = next(file for file in find_submissions(tmp_path) if file.student == "handed in")
    problem = read_submission(bulk, 3).problem
    assert "2 different notebooks of chapter 3" in problem
    assert "alice.ipynb" in problem and "bob.ipynb" in problem


def test_a_copy_of_the_same_code_is_no_second_notebook(tmp_path: Path) -> None:
    (tmp_path / "alice").mkdir()
    for name in ("03.ipynb", "03 copy.ipynb"):
        (tmp_path / "alice" / name).write_bytes(notebook("alice"))
    assert graded(find_submissions(tmp_path)[0]) == "alice"


def test_the_untouched_original_beside_the_solved_notebook_is_set_aside_and_named(tmp_path: Path) -> None:
    folder = tmp_path / "alice"
    folder.mkdir()
    shutil.copy(PROJECT / "notebooks" / "03_attention.ipynb", folder)
    assert graded(find_submissions(tmp_path)[0]) is not None
    (folder / "mine.ipynb").write_bytes(notebook("alice"))
    (alice,) = find_submissions(tmp_path)
    assert graded(alice) == "alice"
    read = read_submission(alice, 3)
    assert read.notebook and any("03_attention.ipynb was set aside" in note for note in read.notebook.notes)
    (folder / "half.ipynb").write_bytes(notebook("half").replace(b"causal_mask", b"split_heads"))
    problem = read_submission(find_submissions(tmp_path)[0], 3).problem
    assert "2 different notebooks of chapter 3" in problem and "03_attention" not in problem


@pytest.mark.parametrize("number", sorted(chapters()))
def test_each_chapters_untouched_original_is_set_aside(tmp_path: Path, number: int) -> None:
    folder = tmp_path / "alice"
    folder.mkdir()
    (original,) = (PROJECT / "notebooks").glob(f"{number:02}_*.ipynb")
    shutil.copy(original, folder / "zz.ipynb")
    shutil.copy(original.parent / "solved" / original.name, folder / "mine.ipynb")
    read = read_submission(find_submissions(tmp_path)[0], number)
    assert read.notebook and read.notebook.path_in_submission == "mine.ipynb", read.problem
    assert any("zz.ipynb was set aside" in note for note in read.notebook.notes)


def test_a_file_and_an_archive_of_one_name_that_differ_do_not_silently_win(tmp_path: Path) -> None:
    (tmp_path / "alice.ipynb").write_bytes(notebook("one"))
    with zipfile.ZipFile(tmp_path / "alice.zip", "w") as archive:
        archive.writestr("03.ipynb", notebook("two"))
    (alice,) = find_submissions(tmp_path)
    assert "different notebooks" in read_submission(alice, 3).problem


def test_repositories_cloned_into_any_folder_are_known_by_what_their_names_share(tmp_path: Path) -> None:
    layout = LAYOUTS["GitHub Classroom"]
    check(find(layout.write_folder(tmp_path).rename(tmp_path / "mine")), layout)


def test_names_that_are_equal_once_they_can_be_printed_are_reported_and_neither_is_graded(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/al\xff.ipynb")).write_bytes(notebook("one"))
    (tmp_path / "al\\xff.ipynb").write_bytes(notebook("two"))
    (file,) = find_submissions(tmp_path)
    assert file.problem == r"2 submissions are all called al\xff"
    assert file.for_instructor == "rename them"
    assert graded(file) is None


def test_lookalike_names_stay_separate_and_are_noted(tmp_path: Path) -> None:
    for name in ("zo\u00eb", "zoe\u0308", "Zo\u00eb", "ada"):
        (tmp_path / f"{name}.ipynb").write_bytes(notebook(name))
    found = find_submissions(tmp_path)
    assert [graded(file) for file in found] == [file.student for file in found]
    assert {file.student for file in found if file.for_instructor} == {"zo\u00eb", "zoe\u0308", "Zo\u00eb"}
    assert len({page_name(file.student) for file in found}) == 4


def zip_of(members: list[tuple[str, bytes]]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


def test_an_odd_entry_in_a_class_archive_costs_only_itself(tmp_path: Path) -> None:
    members = [("alice.ipynb", notebook("alice")), ("bob.ipynb", b"\0" * 210_000_000), ("../carol.ipynb", b"{}")]
    data = bytearray(zip_of([*members, ("dan.ipynb", notebook("dan"))]))
    damaged = data.index(b"dan.ipynb") + len(b"dan.ipynb")
    data[damaged : damaged + 20] = b"?" * 20
    path = tmp_path / "class.zip"
    path.write_bytes(data)
    found = {file.student: read_submission(file, 3) for file in find_submissions(path)}
    assert found["alice"].notebook
    assert "larger than" in found["bob"].problem
    assert "damaged" in found["dan"].problem
    assert "outside the archive's folder" in found[".."].problem


def test_an_archive_that_names_one_packed_text_many_times_is_refused(tmp_path: Path) -> None:
    data = zip_of([("alice.ipynb", notebook("alice")), ("bobby.ipynb", notebook("bobby"))])
    record = data.index(b"PK\x01\x02")
    second = data.index(b"PK\x01\x02", record + 1)
    forged = bytearray(data)
    forged[second + 42 : second + 46] = forged[record + 42 : record + 46]
    path = tmp_path / "class.zip"
    path.write_bytes(forged)
    with pytest.raises(GradingError, match="overlaps another file"):
        find(path)


def test_a_path_that_is_neither_folder_nor_zip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "class.rar"
    path.write_bytes(b"Rar!")
    with pytest.raises(GradingError, match="neither a folder nor a zip file"):
        find(path)
    path.write_bytes(b"PK\x03\x04" + b"?" * 50 + b"PK\x05\x06" + b"\0" * 18)
    with pytest.raises(GradingError, match="zip"):
        find(path)
