"""What a school's system takes to check or grade a chapter by itself, as files by path.

Gradescope and PrairieLearn grade in containers that students cannot see into, so they get the whole grader. GitHub runs
workflows in the students' own repositories, and Classroom 50 publishes its autograders, so both get what students have.

References:
    https://gradescope-autograders.readthedocs.io/en/latest/specs/
    https://docs.prairielearn.com/externalGrading/
    https://github.com/foundation50/classroom50/wiki/Advanced-Autograding
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grading.errors import GradingError
from grading.exercises.registry import chapter as registered_chapter
from grading.languages import ENGLISH
from grading.release.bundle import last_changed, manifest, pack, template
from grading.release.library import lesson_of, self_check_modules
from grading.release.publishing import MANIFEST, publish, require_free
from grading.storage.files import read_text
from grading.storage.project import PROJECT

_GRADER = ("course", "grading", "locale", "notebooks/source", "datasets")
_GRADER_FILES = ("pyproject.toml", "requirements.lock", "README.md", "LICENSE")
_GRADER_SECONDS = 300
_IMAGE = "bert-from-nothing"
_RUNTIME_OF_CLASSROOM50 = {"runs-on": "ubuntu-24.04", "python": "3.12"}


def release_for(
    system: str,
    chapter: int,
    to: Path,
    shown: str,
    bundle: Callable[[], dict[str, bytes]],
    root: Path = PROJECT,
    language: str = ENGLISH,
) -> None:
    """Write what a system takes to a folder, and beside it to a zip file with the same files at its top.

    Args:
        system: `gradescope`, `prairielearn`, `classroom50` or `github`.
        chapter: the chapter's number.
        to: the folder. An older release in it is replaced, unless somebody has worked in it.
        shown: when Gradescope shows a result to its student, in its own words.
        bundle: makes the files of the chapter's bundle, for systems that get what students have.
        root: the folder that contains `course`, `grading`, `locale` and `notebooks`.
        language: the code of the one that the bundle is in.

    Raises:
        GradingError: there is no such chapter, something is in the way, or the disk is full. Then nothing changes.
    """
    require_free(to)
    registered_chapter(chapter)
    contents: dict[str, Callable[[], dict[str, bytes]]] = {
        "gradescope": lambda: _gradescope(chapter, shown, root),
        "prairielearn": lambda: _prairielearn(chapter, root),
        "classroom50": lambda: {**self_check_modules(root), **bundle(), **_classroom50(chapter, root)},
        "github": lambda: {**self_check_modules(root), **bundle(), **_github(chapter, root)},
    }
    files = contents[system]()
    files[MANIFEST] = manifest(chapter, files, language)
    changed = last_changed((path.removeprefix("image/") for path in files), root)
    publish(files, pack(files, "", changed), to)


def _gradescope(chapter: int, shown: str, root: Path) -> dict[str, bytes]:
    """The autograder: `setup.sh` installs it, and `run_autograder` runs it for each submission."""
    return {**_grader(root), "run_autograder": _render("run_autograder.jinja", chapter=chapter, shown=shown)}


def _prairielearn(chapter: int, root: Path) -> dict[str, bytes]:
    """The question's folder, and the folder of which its image is made."""
    lesson = lesson_of(chapter, root)
    grade = ["grade-one", "/grade/student", "--chapter", str(chapter), "--as", "prairielearn"]
    info: dict[str, Any] = {
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"bert-from-nothing/{lesson.slug}")),
        "title": f"Chapter {chapter}: {lesson.title}",
        "topic": "BERT from nothing",
        "type": "v3",
        "singleVariant": True,
        "gradingMethod": "External",
        "externalGradingOptions": {
            "enabled": True,
            "image": _IMAGE,
            "entrypoint": [
                "/autograder/source/.venv/bin/python",
                *("-P", "-m", "grading"),
                *grade,
                *("--to", "/grade/results/results.json"),
            ],
            "timeout": _GRADER_SECONDS,
        },
    }
    question = {
        "info.json": json.dumps(info, indent=4).encode() + b"\n",
        "question.html": _render("question.html.jinja", lesson=lesson),
    }
    image = {**_grader(root), "Dockerfile": _templated("Dockerfile")}
    return {
        **{f"questions/{lesson.slug}/{name}": data for name, data in question.items()},
        **{f"image/{name}": data for name, data in image.items()},
    }


def _classroom50(chapter: int, root: Path) -> dict[str, bytes]:
    points = registered_chapter(chapter).points
    return {
        "autograder.py": _render("autograder.py.jinja", lesson=lesson_of(chapter, root), points=points),
        "runtime.json": json.dumps(_RUNTIME_OF_CLASSROOM50, indent=1).encode() + b"\n",
    }


def _github(chapter: int, root: Path) -> dict[str, bytes]:
    return {".github/workflows/check.yml": _render("check.yml.jinja", lesson=lesson_of(chapter, root))}


def _grader(root: Path) -> dict[str, bytes]:
    """The grader with all that it knows, and the script that installs it."""
    folders = [path for name in _GRADER for path in sorted((root / name).rglob("*"))]
    paths = [path for path in folders if path.is_file() and "__pycache__" not in path.parts]
    try:
        files = {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
    except OSError as error:
        raise GradingError(f"cannot read {error.filename}: {error.strerror}") from error
    files |= {name: read_text(root / name).encode() for name in _GRADER_FILES}
    return {**files, "setup.sh": _templated("setup.sh")}


def _templated(name: str) -> bytes:
    return read_text(Path(__file__).parent / "templates" / name).encode()


def _render(name: str, **values: object) -> bytes:
    return template(name).render(**values).encode()
