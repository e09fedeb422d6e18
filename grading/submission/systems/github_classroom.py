"""GitHub Classroom's repositories, cloned side by side: one for each student, named `ASSIGNMENT-LOGIN`.

`gh classroom clone student-repos` puts them into a folder `ASSIGNMENT-submissions`.

Reference:
    https://docs.github.com/en/education/manage-coursework-with-github-classroom
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import takewhile

from grading.submission.download import Download
from grading.submission.submission_file import Person
from grading.submission.systems.parts import Part, Reading, System

_FOLDER = "-submissions"


def _read(download: Download) -> Reading:
    folders = {entry.parts[0] for entry in download.entries if entry.is_folder or len(entry.parts) > 1}
    prefix = _assignment(folders, download.name)
    named = {name for name in folders if prefix and name.startswith(prefix) and name not in {prefix, download.name}}
    # One student may submit a git repository, but nobody can make most folders one.
    cloned = sum(entry.repository and entry.parts[0] in named for entry in download.entries if len(entry.parts) == 1)
    is_cloned = download.name.endswith(_FOLDER) or cloned * 2 > len(named)
    reading = Reading([], [])
    for entry in download.entries:
        if is_cloned and entry.parts[0] in named:
            login = entry.parts[0].removeprefix(prefix)
            reading.parts.append(Part(entry, login, Person("github-classroom", "", login)))
        else:
            reading.others.append(entry)
    return reading


def _assignment(names: Collection[str], folder: str) -> str:
    """The common beginning of all repositories' names, up to a hyphen, or ""."""
    if folder.endswith(_FOLDER):
        return folder.removesuffix(_FOLDER) + "-"
    if len(names) < 2:
        return ""
    pairs = zip(min(names), max(names), strict=False)
    common = "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return common[: common.rfind("-") + 1]


GITHUB_CLASSROOM = System(
    "github-classroom",
    "GitHub Classroom",
    "chapter-3-submissions/chapter-3-alicesmith/03_attention.ipynb",
    _read,
    False,
)
