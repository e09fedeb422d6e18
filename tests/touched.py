"""Selects the tests that a change affects, and prints the arguments that `make check` passes to pytest.

A test is selected if it has changed, if it directly imports a changed module, or if it goes through the exercises of a
chapter whose answers, checks, mistakes or solutions have changed. This misses indirect effects, so run `make test`
before you rely on a change.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import grimp

from grading.exercises.registry import chapters
from grading.storage.project import PROJECT

PACKAGES = ("course", "grading", "benchmarks", "recipes", "website", "tests")
EXERCISES = "tests/grading/judging/test_exercises.py"
# Tests that read files instead of importing them.
READERS = {
    "CONTRIBUTING.md": ["tests/grading/test_contributing.py"],
    "README.md": ["tests/benchmarks/test_tables.py"],
    "benchmarks": ["tests/benchmarks/test_tables.py"],
    "notebooks": ["tests/grading/lessons"],
    "locale": ["tests/grading/lessons/test_translations.py", "tests/grading/release/test_languages.py"],
    "docs": ["tests/benchmarks/test_tables.py", "tests/website/test_texts.py"],
}


def changed_files(since: str = "HEAD") -> list[str]:
    """The paths of the files that differ from a commit, and of untracked files."""
    commands = (["git", "diff", "--name-only", since], ["git", "ls-files", "--others", "--exclude-standard"])
    runs = [subprocess.run(command, cwd=PROJECT, check=True, capture_output=True, text=True) for command in commands]
    return sorted({path for run in runs for path in run.stdout.splitlines()})


def touched(files: Iterable[str]) -> list[str]:
    """The arguments for pytest: files and folders of tests, and the exercises, if any, with `-k`."""
    graph = grimp.build_graph(*PACKAGES, include_external_packages=False, cache_dir=None)
    tests, exercises = set(), []
    for file in files:
        tests.update(READERS.get(file.partition("/")[0], ()))
        module = ".".join(Path(file).with_suffix("").parts).removesuffix(".__init__")
        importers = graph.find_modules_that_directly_import(module) if module in graph.modules else set()
        names = [name.replace(".", "/") + ".py" for name in {module, *importers}]
        tests.update(name for name in names if Path(name).name.startswith("test_") and (PROJECT / name).exists())
        exercises += exercises_of(file)
    if exercises:
        return [*sorted(tests | {EXERCISES}), "-k", f"not test_exercises or {' or '.join(dict.fromkeys(exercises))}"]
    return sorted(tests)


def exercises_of(file: str) -> list[str]:
    """The exercises that a file belongs to: all of its chapter, or the one that it is named after."""
    for chapter in chapters().values():
        folder = f"grading/exercises/{chapter.package}/"
        if file.startswith((f"{folder}students.py", f"{folder}answers/")):
            return []  # of the sample class
        if file.startswith((f"course/{chapter.package}.py", folder)):
            return [name for name in chapter.exercises if name in file] or list(chapter.exercises)
    return []


if __name__ == "__main__":
    arguments = touched(changed_files(*sys.argv[1:]))
    print(*(arguments or ["tests/test_project_files.py"]), sep="\n")
