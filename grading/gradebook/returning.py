"""Feedback pages in the form in which school systems take them in bulk: an archive whose names say whose they are.

Each name is made from that in the download, so feedback on results of another system is refused.

References:
    Canvas: `infer_comment_context_from_filename` in its app/models/assignment.rb
    Moodle: `is_valid_filename_for_import` in its mod/assign/feedback/file/importziplib.php
    Brightspace: https://community.d2l.com/brightspace/kb/articles/3551-evaluate-assignments
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

from grading.errors import GradingError
from grading.gradebook.policy import Mark
from grading.storage.files import write_file
from grading.untrusted import visible

PAGE = "feedback.html"
Page = Callable[[Mark], str]
_CANVAS = re.compile(r"((?:(?!_\d+_).)+_\d+_\d+)_.*", re.DOTALL)
_BRIGHTSPACE = re.compile(r"(\d+-\d+ - .+? - [A-Z][a-z]{2,8} \d{1,2}, \d{4} \d{3,4} [AP]M)(?: - .+)?", re.DOTALL)
_NO_FILE_NAME = re.compile(r'[/\\:*?"<>|]')
_LONGEST = 60  # characters of up to four bytes, of which names of files have 255


def canvas_name(mark: Mark) -> str:
    """The name with the numbers of the student and of the file, by which Canvas finds the submission; "" if unknown."""
    found = _CANVAS.fullmatch(_file(mark, "canvas"))
    return f"{found[1]}_{PAGE}" if found else ""


def moodle_name(mark: Mark) -> str:
    """The name with the participant's number, by which Moodle finds the student; "" if unknown."""
    person = mark.record["person"]
    name = _safe(person["name"]).replace("_", " ")  # Moodle takes the number after the first underscore
    return f"{name}_{person['number']}_assignsubmission_file_{PAGE}" if person["system"] == "moodle" else ""


def brightspace_name(mark: Mark) -> str:
    """The name of the student's folder in the download, with the page in it; "" if unknown."""
    found = _BRIGHTSPACE.fullmatch(_file(mark, "brightspace"))
    return f"{found[1]}/{PAGE}" if found else ""


ARCHIVES: dict[str, Callable[[Mark], str]] = {
    "canvas": canvas_name,
    "moodle": moodle_name,
    "brightspace": brightspace_name,
}


def write_archive(to: Path, system: str, marks: Iterable[Mark], page: Page) -> tuple[int, list[str]]:
    """Write the pages of a class as an archive to upload, the same bytes from the same pages.

    Returns:
        How many pages it holds, and the students whom the download does not identify to the system.

    Raises:
        GradingError: it identifies nobody, or the archive cannot be written.
    """
    buffer = io.BytesIO()
    count, unknown = 0, []
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for mark in marks:
            name = ARCHIVES[system](mark)
            if not name:
                unknown.append(mark.student)
                continue
            archive.writestr(zipfile.ZipInfo(name), page(mark).encode(errors="replace"), zipfile.ZIP_DEFLATED)
            count += 1
    if not count:
        raise GradingError(f"no result comes from a download of {system}; grade one, or choose --for folder or email")
    write_file(to, buffer.getvalue())
    return count, unknown


def write_folder(to: Path, marks: Iterable[Mark], page: Page) -> int:
    """Write each page to a file that has the student's name, and return how many there are.

    Raises:
        GradingError: a file cannot be written.
    """
    taken: set[str] = set()
    for mark in marks:
        name = _safe(mark.student)
        while name.casefold() in taken:
            name = f"{name}'"
        taken.add(name.casefold())
        write_file(to / f"{name}.html", page(mark))
    return len(taken)


def _file(mark: Mark, system: str) -> str:
    person = mark.record["person"]
    return person.get("file", "") if person["system"] == system else ""


def _safe(name: str) -> str:
    """A name as part of a file's name on any system, in its own alphabet."""
    return _NO_FILE_NAME.sub("-", visible(name)).strip(". ")[:_LONGEST] or "-"
