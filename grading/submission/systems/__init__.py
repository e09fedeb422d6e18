"""How schools' systems lay out what they hand over: one file a system, each of which recognises its own."""

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

# Where two understand as much of a download, the first counts: its names cannot be meant otherwise.
SYSTEMS = (MOODLE, BLACKBOARD, BRIGHTSPACE, GRADESCOPE, NBGRADER, CANVAS, GITHUB_CLASSROOM, GOOGLE_CLASSROOM)
PLAIN = "plain"


def recognised(download: Download) -> tuple[System, Reading] | None:
    """The system that wrote a download; None where it is of none that is known.

    It understands more of the download than any other. So no student can make a class look like another system's: that
    one would understand the files of this student alone.
    """
    for view in _views(download):
        readings = [(system, system.read(view)) for system in SYSTEMS]
        convincing = [found for found in readings if found[1].is_convincing]
        if convincing:
            return max(convincing, key=lambda found: found[1].understood)
    return None


def read_as(download: Download, name: str) -> tuple[System, Reading]:
    """A download, taken for one of the system that the instructor names.

    Raises:
        GradingError: there is no such system, or nothing in the download is named as it names things.
    """
    system = next((system for system in SYSTEMS if system.name == name), None)
    if not system:
        known = ", ".join(sorted([*(system.name for system in SYSTEMS), PLAIN]))
        raise GradingError(f"{name!r} is no system that is known here; known are {known}")
    for view in _views(download):
        reading = system.read(view)
        if reading.understood:
            return system, reading
    raise GradingError(f"nothing in {download.path} is named as {system.title} names it, such as {system.example}")


def _views(download: Download) -> list[Download]:
    """The download, and what is in the folder that may hold all of it."""
    inner = download.only_folder()
    return [download, inner] if inner else [download]
