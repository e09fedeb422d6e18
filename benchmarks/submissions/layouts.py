"""Eleven layouts in which eight systems hand over a class, as files, exactly as the systems name them."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

_RECEIPT = """Name: {name} ({user})
Assignment: Chapter 3: Attention
Date Submitted: Sunday, November 1, 2026 12:00:00 PM CET
Current Grade: Not Graded Yet

Submission Field:
There is no student submission text data for this assignment.

Comments:
There are no student comments for this assignment.

Files:
\tOriginal filename: 03_attention.ipynb
\tFilename: {file}
"""
_GRADESCOPE = """---
submission_22345:
  :submitters:
  - :name: Alice Smith
    :sid: asmith
    :email: alice@school.edu
  :created_at: 2026-11-01 11:00:00.000000000 Z
  :score: 0.0
  :status: processed
  :health: healthy
  :results:
    tests:
    - name: ":submitters:"
      output: "  - :name: Mallory"
  :history:
  - :id: 22340
    :created_at: 2026-10-31 11:00:00.000000000 Z
submission_22346:
  :submitters:
  - :name: Bob O'Neil
    :sid: '007'
    :email: bob@school.edu
  - :name: 'Zoë ''Z'' Weiß'
    :sid:
    :email: zoe@school.edu
  :created_at: 2026-11-01 12:00:00.000000000 Z
  :score:
"""


def notebook(marker: str) -> bytes:
    """A notebook of chapter 3 that is told from others by its marker."""
    source = f"# {marker}\ndef causal_mask(length):\n    return length\n"
    cell: dict[str, object] = {
        "cell_type": "code",
        "id": "a",
        "metadata": {},
        "source": source,
        "outputs": [],
        "execution_count": None,
    }
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


@dataclass(frozen=True)
class Layout:
    """A download and what is to be found in it.

    Attributes:
        files: contents by path.
        folder: how the system calls the folder or the archive.
        graded: the marker of the notebook that counts, by student; None where none does.
        people: name and number, by student, as far as the download says.
        attempts: the students of whom there are several.
        others: the paths that say nothing of whose they are.
    """

    system: str
    folder: str
    files: dict[str, bytes]
    graded: dict[str, str | None]
    people: dict[str, tuple[str, str]]
    attempts: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)

    def write_folder(self, to: Path) -> Path:
        for name, content in self.files.items():
            path = to / self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return to / self.folder

    def archive(self, wrapped: bool = False) -> bytes:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in self.files.items():
                archive.writestr(f"{self.folder}/{name}" if wrapped else name, content)
        return buffer.getvalue()

    def write_archive(self, to: Path, wrapped: bool) -> Path:
        path = to / f"{self.folder}.zip"
        path.write_bytes(self.archive(wrapped))
        return path


# The layout in which two students have one name.
NAMESAKES = "Moodle, without folders"
LAYOUTS = {
    "Canvas": Layout(
        "canvas",
        "submissions",
        {
            "smithalice_1000_9000_03_attention.ipynb": notebook("alice"),
            "oneilbob_LATE_1001_9001_solution.ipynb": notebook("bob"),
            "oneilbob_LATE_1001_9002_plot.png": b"\x89PNG",
            "weißzoë_1002_text.html": b"<p>I could not upload it.</p>",
        },
        {"smithalice_1000": "alice", "oneilbob_1001": "bob", "weißzoë_1002": None},
        {"smithalice_1000": ("smithalice", "1000"), "oneilbob_1001": ("oneilbob", "1001")},
    ),
    "Canvas, several attempts": Layout(
        "canvas",
        "submissions",
        {
            "smithalice_1000_9000_03_attention.ipynb": notebook("first"),
            "smithalice_LATE_1000_10003_03_attention-2.ipynb": notebook("last"),
            "smithalice_1000_9500_03_attention-1.ipynb": notebook("second"),
            "oneilbob_1001_9001_03_attention.ipynb": notebook("bob"),
            "notes from the course.ipynb": notebook("nobody"),
        },
        {"smithalice_1000": "last", "oneilbob_1001": "bob"},
        {"smithalice_1000": ("smithalice", "1000")},
        attempts={"smithalice_1000"},
        others={"notes from the course.ipynb"},
    ),
    "Moodle": Layout(
        "moodle",
        "BERT-Chapter 3-4711",
        {
            "Alice Smith_12345_assignsubmission_file_/03_attention.ipynb": notebook("alice"),
            "Bob O'Neil_12346_assignsubmission_file/deep/03_attention.ipynb": notebook("bob"),
            "Zoë Weiß_12347_assignsubmission_file_/03_attention.pdf": b"%PDF",
        },
        {"Alice Smith_12345": "alice", "Bob O'Neil_12346": "bob", "Zoë Weiß_12347": None},
        {"Alice Smith_12345": ("Alice Smith", "12345"), "Zoë Weiß_12347": ("Zoë Weiß", "12347")},
    ),
    "Moodle, online text": Layout(
        "moodle",
        "BERT-Chapter 3-4711",
        {
            "Alice Smith_12345_assignsubmission_file_/03_attention.ipynb": notebook("alice"),
            "Alice Smith_12345_assignsubmission_onlinetext_/onlinetext.html": b"<p>See my notebook.</p>",
            "Bob O'Neil_12346_assignsubmission_onlinetext_/onlinetext.html": b"<p>Sorry.</p>",
        },
        {"Alice Smith_12345": "alice", "Bob O'Neil_12346": None},
        {"Bob O'Neil_12346": ("Bob O'Neil", "12346")},
    ),
    NAMESAKES: Layout(
        "moodle",
        "BERT-Chapter 3-4711",
        {
            "Alice Smith_12345_assignsubmission_file_03_1_2_attention.ipynb": notebook("alice"),
            "Alice Smith_12345_assignsubmission_onlinetext_onlinetext.html": b"<p>See my notebook.</p>",
            "Alice Smith_12346_assignsubmission_file_03_attention.ipynb": notebook("the other Alice"),
        },
        {"Alice Smith_12345": "alice", "Alice Smith_12346": "the other Alice"},
        {"Alice Smith_12346": ("Alice Smith", "12346")},
    ),
    "Gradescope": Layout(
        "gradescope",
        "assignment_5555_export",
        {
            "submission_metadata.yml": _GRADESCOPE.encode(),
            "submission_22345/03_attention.ipynb": notebook("alice"),
            "submission_22346/03_attention.ipynb": notebook("a group"),
            "submission_22399/03_attention.ipynb": notebook("nobody"),
        },
        {"asmith": "alice", "007": "a group", "zoe@school.edu": "a group"},
        {"asmith": ("Alice Smith", "asmith"), "zoe@school.edu": ("Zoë 'Z' Weiß", "")},
        others={"submission_22399/03_attention.ipynb"},
    ),
    "Google Classroom": Layout(
        "google-classroom",
        "Chapter 3-20261101T120000Z-001",
        {
            "Alice Smith - 03_attention.ipynb": notebook("alice"),
            "Bob O'Neil - Chapter 3 - 03_attention.ipynb": notebook("bob"),
            "Untitled.ipynb": notebook("nobody"),
        },
        {"Alice Smith": "alice", "Bob O'Neil": "bob"},
        {"Bob O'Neil": ("Bob O'Neil", "")},
        others={"Untitled.ipynb"},
    ),
    "Blackboard": Layout(
        "blackboard",
        "gradebook_BERT-2026_Chapter203_2026-11-02-08-00-00",
        {
            "Chapter 3_asmith_attempt_2026-11-01-12-00-00_03_attention.ipynb": notebook("first"),
            "Chapter 3_asmith_attempt_2026-11-01-12-00-00.txt": _RECEIPT.format(
                name="Alice Smith", user="asmith", file="03_attention.ipynb"
            ).encode(),
            "Chapter 3_asmith_attempt_2026-11-01-18-30-00_03_attention.ipynb": notebook("last"),
            "Chapter 3_bob_o_attempt_2026-11-01-12-00-00_03_attention.ipynb": notebook("bob"),
            "Chapter 3_bob_o_attempt_2026-11-01-12-00-00.txt": _RECEIPT.format(
                name="Bob O'Neil", user="bob_o", file="03_attention.ipynb"
            ).encode(),
        },
        {"asmith": "last", "bob_o": "bob"},
        {"asmith": ("Alice Smith", "asmith"), "bob_o": ("Bob O'Neil", "bob_o")},
        attempts={"asmith"},
    ),
    "Brightspace": Layout(
        "brightspace",
        "Chapter 3 Download Nov 2, 2026 800 AM",
        {
            "index.html": b"<html>Submissions</html>",
            "12345-67890 - Alice Smith - Nov 1, 2026 1200 PM/03_attention.ipynb": notebook("last"),
            "12345-67890 - Alice Smith - Nov 1, 2026 930 AM/03_attention.ipynb": notebook("first"),
            "12346-67890 - Bob O'Neil - Oct 31, 2026 1159 PM/03_attention.ipynb": notebook("bob"),
        },
        {"Alice Smith_12345": "last", "Bob O'Neil_12346": "bob"},
        {"Alice Smith_12345": ("Alice Smith", "12345")},
        attempts={"Alice Smith_12345"},
    ),
    "nbgrader": Layout(
        "nbgrader",
        "course",
        {
            "source/03_attention/03_attention.ipynb": notebook("the instructor's"),
            "submitted/asmith/03_attention/03_attention.ipynb": notebook("alice"),
            "submitted/asmith/03_attention/timestamp.txt": b"2026-11-01 12:00:00 UTC",
            "submitted/boneil/03_attention/03_attention.ipynb": notebook("bob"),
        },
        {"asmith": "alice", "boneil": "bob"},
        {"asmith": ("", "")},
    ),
    "GitHub Classroom": Layout(
        "github-classroom",
        "chapter-3-submissions",
        {
            "chapter-3-asmith/03_attention.ipynb": notebook("alice"),
            "chapter-3-asmith/.git/HEAD": b"ref: refs/heads/main",
            "chapter-3-asmith/README.md": b"# Chapter 3",
            "chapter-3-bob-oneil/notebooks/03_attention.ipynb": notebook("bob"),
            "chapter-3-bob-oneil/.git/HEAD": b"ref: refs/heads/main",
            "chapter-3-zoe/README.md": b"# Chapter 3",
        },
        {"asmith": "alice", "bob-oneil": "bob", "zoe": None},
        {"bob-oneil": ("", "bob-oneil")},
    ),
}
ROSTER = """id,name,e-mail,section
asmith,Alice Smith,alice@school.edu,A
boneil,Bob O'Neil,bob@school.edu,A
zweiss,Zoë Weiß,zoe@school.edu,B
nora,Nora Nobody,nora@school.edu,B
"""


def roster_for(name: str) -> str:
    """The class of a layout as the school lists it, with the names that people have in that system."""
    text = ROSTER.replace("Bob O'Neil", "Alice Smith") if name == NAMESAKES else ROSTER
    logins = {"GitHub Classroom": "bob-oneil", "Blackboard": "bob_o"}
    return text.replace("boneil,", f"{logins.get(name, 'boneil')},").replace("zweiss,", "zoe,")


PLAIN = {
    "files": Layout(
        "",
        "handed in",
        {"alice.ipynb": notebook("alice"), "bob.ipynb": notebook("bob"), "grades.csv": b"alice,3"},
        {"alice": "alice", "bob": "bob"},
        {"alice": ("", "")},
    ),
    "folders": Layout(
        "",
        "handed in",
        {"alice/03.ipynb": notebook("alice"), "bob/deep/03.ipynb": notebook("bob"), "zoe/essay.pdf": b"%PDF"},
        {"alice": "alice", "bob": "bob", "zoe": None},
        {"alice": ("", "")},
    ),
}
