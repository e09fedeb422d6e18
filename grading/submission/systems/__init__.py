"""The layouts of downloads from schools' systems: one module per system, each of which recognises its own."""

from __future__ import annotations

from grading.errors import GradingError
from grading.submission.download import Download
from grading.submission.systems.blackboard import BLACKBOARD
from grading.submission.systems.brightspace import BRIGHTSPACE
from grading.submission.systems.canvas import CANVAS
from grading.submission.systems.github_classroom import GITHUB_CLASSROOM
from grading.submission.systems.google_classroom import GOOGLE_CLASSROOM
from grading.submission.systems.gradescope import GRADESCOPE
from grading.submission.systems.moodle import MOODLE
from grading.submission.systems.nbgrader import NBGRADER
from grading.submission.systems.parts import Reading, System

# If two systems understand as much of a download, the first counts, because its names are the least ambiguous.
SYSTEMS = (MOODLE, BLACKBOARD, BRIGHTSPACE, GRADESCOPE, NBGRADER, CANVAS, GITHUB_CLASSROOM, GOOGLE_CLASSROOM)
PLAIN = "plain"


def recognised(download: Download) -> tuple[System, Reading] | None:
    """The system that made a download, or None if none is recognised.

    It is the system that understands more files than any other. So no student can make a class look like another
    system's, which would understand only that student's files.
    """
    for view in _views(download):
        readings = [(system, system.read(view)) for system in SYSTEMS]
        convincing = [reading for reading in readings if reading[1].is_convincing]
        if convincing:
            return max(convincing, key=lambda found: found[1].understood)
    return None


def read_as(download: Download, name: str) -> tuple[System, Reading]:
    """Read a download as one from the system that the instructor names.

    Raises:
        GradingError: there is no such system, or no file has a name in its style.
    """
    system = next((system for system in SYSTEMS if system.name == name), None)
    if not system:
        known = ", ".join(sorted([*(system.name for system in SYSTEMS), PLAIN]))
        raise GradingError(f"{name!r} is not a known system; known are {known}")
    for view in _views(download):
        reading = system.read(view)
        if reading.understood:
            return system, reading
    raise GradingError(f"no file in {download.path} has a name as from {system.title}, such as {system.example}")


def _views(download: Download) -> list[Download]:
    """The download and, if one folder contains all of it, the content of that folder."""
    inner = download.only_folder()
    return [download, inner] if inner else [download]
