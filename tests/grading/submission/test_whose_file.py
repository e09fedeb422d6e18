"""One student's text (a file name, an archive, a text like a receipt) never affects another student."""

from __future__ import annotations

import re
import zipfile
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.submissions.layouts import LAYOUTS, PLAIN, Layout, notebook
from grading.submission import Found, find
from grading.submission.class_archive import ArchiveMember

_RECEIPT = "Name: Mal Jones ({user})\nAssignment: Chapter 3\n"


class Case(NamedTuple):
    """A class, and where a system puts the text of one more student, `{}`.

    Attributes:
        student: the name under which that student is found.
        others: what the system itself adds about the student.
    """

    layout: Layout
    student: str
    path: str
    others: dict[str, bytes]


_GRADESCOPE = """submission_22399:
  :submitters:
  - :name: Mal Jones
    :sid: mjones
    :email: mal@school.edu
"""
_BLACKBOARD = "Chapter 3_mjones_attempt_2026-11-20-10-00-00"
_GRADESCOPE_CLASS = LAYOUTS["Gradescope"].files["submission_metadata.yml"] + _GRADESCOPE.encode()
_BRIGHTSPACE = "12399-67890 - Mal Jones - Nov 20, 2026 1000 AM"
_MOODLE = "Mal Jones_12399_assignsubmission_file_"
CASES = {
    "Blackboard": Case(
        LAYOUTS["Blackboard"],
        "mjones",
        f"{_BLACKBOARD}_{{}}",
        {f"{_BLACKBOARD}.txt": _RECEIPT.format(user="mjones").encode()},
    ),
    "Brightspace": Case(LAYOUTS["Brightspace"], "Mal Jones_12399", f"{_BRIGHTSPACE}/{{}}", {}),
    "Brightspace, without folders": Case(LAYOUTS["Brightspace"], "Mal Jones_12399", f"{_BRIGHTSPACE} - {{}}", {}),
    "Canvas": Case(LAYOUTS["Canvas"], "jonesmal_1099", "jonesmal_1099_9099_{}", {}),
    "Canvas, several attempts": Case(
        LAYOUTS["Canvas, several attempts"], "jonesmal_1099", "jonesmal_LATE_1099_9099_{}", {}
    ),
    "GitHub Classroom": Case(LAYOUTS["GitHub Classroom"], "mjones", "chapter-3-mjones/{}", {}),
    "Google Classroom": Case(LAYOUTS["Google Classroom"], "Mal Jones", "Mal Jones - {}.ipynb", {}),
    "Gradescope": Case(
        LAYOUTS["Gradescope"], "mjones", "submission_22399/{}", {"submission_metadata.yml": _GRADESCOPE_CLASS}
    ),
    "Moodle": Case(LAYOUTS["Moodle"], "Mal Jones_12399", f"{_MOODLE}/{{}}", {}),
    "Moodle, without folders": Case(LAYOUTS["Moodle, without folders"], "Mal Jones_12399", f"{_MOODLE}{{}}", {}),
    "nbgrader": Case(LAYOUTS["nbgrader"], "mjones", "submitted/mjones/03_attention/{}", {}),
    "plain, files": Case(PLAIN["files"], "mallory", "mallory/{}", {}),
    "plain, folders": Case(PLAIN["folders"], "mallory", "mallory/{}", {}),
}
# The names of all systems, as they come and as of a later attempt.
_PATHS = sorted({path for layout in LAYOUTS.values() for path in layout.files})
_NAMES = [*_PATHS, *(re.sub("2026-11|Nov", lambda month: {"Nov": "Dec"}.get(month[0], "2026-12"), p) for p in _PATHS)]
_RECEIPTS = [_RECEIPT.format(user=user).encode() for user in ("asmith", "bob_o", "mjones")]
texts = st.lists(st.sampled_from([*_NAMES, "_", " - ", "-1", "\\", "\u2028"]), min_size=1, max_size=4).map("".join)
contents = st.sampled_from([notebook("mallory"), *_RECEIPTS, LAYOUTS["Moodle"].archive(), _GRADESCOPE.encode()])


def found_in(case: Case, files: dict[str, bytes], to: Path) -> Found:
    """What is found in the class with further files of the student's, whose names are these texts."""
    # A slash is no part of a file's name, and Google Drive takes out backslashes, too.
    kept = "/\\" if case.path.endswith("/{}") else "" if case.layout.system == "google-classroom" else "\\"
    named = {
        case.path.format("".join("_" if letter in "/\\" and letter not in kept else letter for letter in text)): content
        for text, content in files.items()
    }
    layout = replace(case.layout, files=case.layout.files | case.others | named)
    # Each archive has a path of its own: an open one is known by its path.
    return find(layout.write_archive(Path(mkdtemp(dir=to)), wrapped=False))


def others_of(case: Case, found: Found) -> dict[str, object]:
    """All that is known about the other students."""
    return {
        file.student: (
            file.person,
            file.problem,
            file.notes,
            [(one.name, one.read(10_000)) for one in file.files if isinstance(one, ArchiveMember)],
        )
        for file in found.submissions
        if file.student != case.student
    }


@pytest.mark.parametrize("name", CASES)
@given(files=st.dictionaries(texts, contents, min_size=1, max_size=4))
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_of_a_student_changes_another_student(name: str, files: dict[str, bytes], tmp_path: Path) -> None:
    case = CASES[name]
    found = found_in(case, files, tmp_path)
    assert (found.system.name if found.system else "") == case.layout.system
    assert others_of(case, found) == others_of(case, found_in(case, {"03_attention.ipynb": b"{}"}, tmp_path))
    said = " ".join(found.sentences())
    assert all(f"{entry.shown} could belong to " in said for entry in found.unclear)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("of", LAYOUTS)
def test_many_files_of_a_student_do_not_make_the_class_another_systems(name: str, of: str, tmp_path: Path) -> None:
    case = CASES[name]
    files = {
        f"{copy}{path}{end}": notebook(path) for path in LAYOUTS[of].files for copy in range(9) for end in ("", "\\x")
    }
    found = found_in(case, files, tmp_path)
    assert (found.system.name if found.system else "") == case.layout.system
    assert others_of(case, found) == others_of(case, found_in(case, {"03_attention.ipynb": b"{}"}, tmp_path))


def test_many_attachments_of_a_student_are_one_students(tmp_path: Path) -> None:
    for name in ("alice", "bob", *(f"Mal_1_assignsubmission_file_{copy}" for copy in range(20))):
        (tmp_path / f"{name}.ipynb").write_bytes(notebook(name))
    found = find(tmp_path)
    assert found.system is None and {"alice", "bob"} <= {file.student for file in found.submissions}


_STOLEN = "Chapter 3_asmith_attempt_2026-12-31-12-00-00_03_attention.ipynb"


def test_a_name_with_two_attempts_in_it_is_nobodys_and_says_what_to_do(tmp_path: Path) -> None:
    found = found_in(CASES["Blackboard"], {_STOLEN: notebook("mallory")}, tmp_path)
    (said,) = [line for line in found.sentences() if line.startswith("Not graded")]
    assert said == (
        f"Not graded: {_BLACKBOARD}_{_STOLEN} could belong to mjones or to asmith."
        " Find out whose it is, and replace the end of its name, which its author chose"
    )


def test_a_file_that_holds_its_own_students_name_twice_stays_the_students(tmp_path: Path) -> None:
    found = found_in(CASES["Blackboard"], {_STOLEN.replace("asmith", "mjones"): notebook("mallory")}, tmp_path)
    (mallory,) = [file for file in found.submissions if file.student == "mjones"]
    assert len(mallory.files) == 1 and not found.unclear


def test_user_names_that_end_in_one_another_are_not_taken_for_one(tmp_path: Path) -> None:
    for user in ("smith", "a_smith"):
        (tmp_path / f"Chapter 3_{user}_attempt_2026-11-01-12-00-00_03.ipynb").write_bytes(notebook(user))
    assert [*find(tmp_path).unclear.values()] == [["smith", "Chapter 3_a_smith"], ["smith", "Chapter 3_smith"]]
    receipt = tmp_path / "Chapter 3_smith_attempt_2026-11-01-12-00-00.txt"
    receipt.write_text("Name: Ann Smith (smith)\n")
    assert [file.student for file in find(tmp_path).submissions] == ["a_smith", "smith"]


def test_in_google_classroom_an_upload_in_anothers_name_is_nobodys(tmp_path: Path) -> None:
    for name in ("Alice Smith", "Bob O'Neil", "Mal Jones"):
        (tmp_path / f"{name} - 03_attention.ipynb").write_bytes(notebook(name))
    honest = find(tmp_path).submissions
    forged = ("Alice Smith - 03 attention, last.ipynb", "Copy of Alice Smith - 03_attention.ipynb")
    for name in forged:
        (tmp_path / name).write_bytes(notebook("mallory"))
    found = find(tmp_path)
    assert found.submissions == honest
    assert {entry.name for entry in found.unclear} == set(forged)


def test_a_folder_under_git_does_not_make_a_class_github_classrooms(tmp_path: Path) -> None:
    for name in ("team-alice", "team-bob", "team-mallory/.git"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("alice", "bob", "mallory"):
        (tmp_path / f"team-{name}" / "03.ipynb").write_bytes(notebook(name))
    assert [file.student for file in find(tmp_path).submissions] == ["team-alice", "team-bob", "team-mallory"]


def test_an_anonymous_files_name_is_not_read_as_a_canvas_number(tmp_path: Path) -> None:
    class_ = {path.name: path for path in LAYOUTS["Canvas"].write_folder(tmp_path).iterdir()}
    folder = class_["smithalice_1000_9000_03_attention.ipynb"].parent
    (folder / "anon_x1_9009_a_smithalice_1000_9999_b.ipynb").write_bytes(notebook("mallory"))
    assert [file.person.number for file in find(folder).submissions].count("1000") == 1


def test_an_archive_of_one_student_stays_the_students(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "mallory.zip", "w") as archive:
        archive.writestr("alice.ipynb", notebook("mallory"))
    (tmp_path / "alice.ipynb").write_bytes(notebook("alice"))
    assert [file.student for file in find(tmp_path).submissions] == ["alice", "mallory"]


def test_in_gradescope_a_students_output_names_nobody(tmp_path: Path) -> None:
    case = CASES["Gradescope"]
    lines = ["submission_22345:", "  :submitters:", "  - :name: Mal Jones", "    :sid: asmith"]
    output = "".join(f"{end}{line}" for end in "\u2028\x85\v" for line in lines)
    forged = case._replace(
        others={
            name: data + f"  :results:\n    output: |-\n      {output}\n".encode() for name, data in case.others.items()
        }
    )
    honest = others_of(case, found_in(case, {"03.ipynb": b"{}"}, tmp_path))
    assert others_of(forged, found_in(forged, {"03.ipynb": b"{}"}, tmp_path)) == honest


def test_in_gradescope_the_rest_of_a_long_name_is_no_member_of_a_group(tmp_path: Path) -> None:
    case = CASES["Gradescope"]
    name = f"'Alice Smith: {'-' * 66}\n      - :x\n      :sid: asmith'"
    forged = case._replace(
        others={path: data.replace(b"Mal Jones", name.encode()) for path, data in case.others.items()}
    )
    assert forged.others != case.others
    found = found_in(forged, {"03.ipynb": b"{}"}, tmp_path)
    assert [file.student for file in found.submissions] == [
        file.student for file in found_in(case, {"03.ipynb": b"{}"}, tmp_path).submissions
    ]


def test_in_moodle_a_name_that_holds_another_students_folder_is_nobodys(tmp_path: Path) -> None:
    case = CASES["Moodle"]
    forged = case._replace(path="Alice Smith_12345_assignsubmission_file__12399_assignsubmission_file_/{}")
    found = found_in(forged, {"03.ipynb": notebook("mallory")}, tmp_path)
    assert others_of(case, found) == others_of(case, found_in(case, {"03.ipynb": b"{}"}, tmp_path))
    assert len(found.unclear) == 1
