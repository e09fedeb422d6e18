"""A bundle works without what Windows and macOS lack: names of files, system calls, modules, /proc, a UTF-8 locale."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from grading.exercises.registry import chapter, chapters
from grading.judging.expectations import frozen_path
from grading.release import bundle
from grading.storage.files import write_file
from grading.storage.project import PROJECT
from grading.submission.cell_ids import exercise_cell_id
from tests.grading.release.type_in import points, reference

pytestmark = pytest.mark.long

PROGRAM, RUNNER = (Path(__file__).with_name(name) for name in ("without_linux.py", "bundle_runner.py"))
WRONG, USES_IT = "padding_mask", "MultiHeadAttention"
# Windows takes 260 characters for a path; the folder in which a student unpacks a bundle has most of them.
LONGEST = 100
FORBIDDEN = re.compile(r'[<>:"\\|?*\x00-\x1f]')
RESERVED = {"con", "prn", "aux", "nul", *(f"{name}{number}" for name in ("com", "lpt") for number in range(10))}


@cache
def written_files(number: int) -> dict[str, bytes]:
    return bundle.written_files(number)


def bad_names(paths: list[str]) -> list[str]:
    """The paths that Windows or macOS cannot keep, or keep only in another one's place."""
    parts = {path: PurePosixPath(path).parts for path in paths}
    folded = Counter(path.casefold() for path in {str(ancestor) for path in paths for ancestor in with_parents(path)})
    return [
        path
        for path in paths
        if len(path) > LONGEST
        or any(FORBIDDEN.search(part) or part.endswith((".", " ")) for part in parts[path])
        or any(part.partition(".")[0].lower() in RESERVED for part in parts[path])
        or any(folded[str(ancestor).casefold()] > 1 for ancestor in with_parents(path))
    ]


def with_parents(path: str) -> list[PurePosixPath]:
    """A path and the folders in which it lies: two of these may differ by case alone, too."""
    return [PurePosixPath(path), *PurePosixPath(path).parents][:-1]


@pytest.mark.parametrize("number", chapters())
def test_every_system_can_keep_the_files_of_a_bundle(number: int) -> None:
    frozen = frozen_path(chapter(number)).relative_to(PROJECT).as_posix()
    assert bad_names([*written_files(number), frozen]) == []


@pytest.mark.parametrize(
    "paths",
    [
        ["a/b:c.py"],
        ["a/what?.py"],
        ["a/end./b.py"],
        ["a/end "],
        ["aux.py"],
        ["a/CON"],
        ["a" * (LONGEST + 1)],
        ["a/b.py", "a/B.py"],
        ["a/b.py", "A/c.py"],
    ],
)
def test_a_name_that_some_system_cannot_keep_is_found(paths: list[str]) -> None:
    assert bad_names([*paths, "course/attention.py"]) == paths


@pytest.fixture(scope="module")
def found(released: Callable[[int], Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a process reports that lacks it all: it imports every module of every bundle, and runs chapter 3's notebook.

    One of the answers is wrong.
    """
    bundles = {}
    for number in chapters():
        bundles[number] = tmp_path_factory.mktemp(f"bundle-{number}")
        for path, data in written_files(number).items():
            write_file(bundles[number] / path, data)
    of_student = tmp_path_factory.mktemp("release") / "bundle"
    shutil.copytree(released(3), of_student)
    wrong = f"def {WRONG}(token_ids, padding_id=0):\n    return (token_ids == padding_id)[:, None, None, :]"
    answers = reference(3) | {WRONG: wrong}
    report = of_student.with_suffix(".json")
    job = {
        "bundles": list(map(str, bundles.values())),
        "runner": str(RUNNER),
        "bundle": str(of_student),
        "answers": {exercise_cell_id(name): source for name, source in answers.items()},
        "report": str(report),
    }
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LC_", "MY_BERT"))
    }
    # The locale of no country reads and writes files in ASCII where nobody says UTF-8; Windows does so in cp1252.
    environment |= {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-S", PROGRAM, sysconfig.get_path("purelib"), sysconfig.get_path("platlib")],
        env=environment,
        cwd=of_student,
        input=json.dumps(job),
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-5000:]
    return {**json.loads(report.read_text()), "bundle": of_student}


def test_every_cell_of_a_notebook_runs(found: dict[str, Any]) -> None:
    assert found["errors"] == {}


def test_right_answers_pass_and_a_wrong_one_fails(found: dict[str, Any]) -> None:
    earned = found["earned"]
    assert earned[WRONG] == 0
    assert 0 < earned[USES_IT] < points(3)[USES_IT]
    assert set(points(3).items()) - set(earned.items()) == {(name, points(3)[name]) for name in (WRONG, USES_IT)}


def test_my_bert_keeps_what_has_passed(found: dict[str, Any]) -> None:
    kept = (found["bundle"] / "my_bert" / "attention.py").read_text(encoding="utf-8")
    defined = re.findall(r"^(?:def|class) (\w+)", kept, re.MULTILINE)
    assert set(defined) == set(points(3)) - {WRONG, USES_IT}
