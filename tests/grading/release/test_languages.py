"""A bundle in another language says so, speaks it, and tells no more than the English one."""

from __future__ import annotations

import gettext
import io
import json
from pathlib import Path

import nbformat
import pytest

from grading.exercises.registry import chapter
from grading.lessons.catalogue import lesson_texts
from grading.lessons.lesson import read_lesson
from grading.release.bundle import manifest, written_files
from grading.storage.project import PROJECT
from tests.grading.lessons.catalogues import marked, project_without_catalogues, translate

LESSON = read_lesson(PROJECT / "notebooks" / "source" / "03_attention.md")
CATALOGUE = f"locale/ru/LC_MESSAGES/{LESSON.slug}.mo"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The bundle of chapter 3 in a language in which every text is between marks."""
    root = project_without_catalogues(tmp_path_factory.mktemp("project"))
    for name in (LESSON.slug, "messages"):
        translate(root, name, marked)
    return written_files(3, root, "ru")


def test_only_texts_differ_from_the_english_bundle(files: dict[str, bytes]) -> None:
    english = written_files(3)
    assert set(files) - set(english) == {CATALOGUE, "locale/ru/LC_MESSAGES/messages.mo"}
    assert set(english) <= set(files)
    different = {path for path in english if files[path] != english[path]}
    assert different == {"README.md", f"{LESSON.slug}.ipynb"}


def test_the_notebook_and_the_manifest_name_the_language(files: dict[str, bytes]) -> None:
    notebook = nbformat.reads(files[f"{LESSON.slug}.ipynb"].decode(), as_version=4)
    assert notebook.metadata.course == {"chapter": 3, "language": "ru"}
    assert json.loads(manifest(3, files, "ru"))["language"] == "ru"
    assert "language" not in json.loads(manifest(3, files, "en"))


def test_the_readme_keeps_its_commands(files: dict[str, bytes]) -> None:
    readme, english = (one["README.md"].decode() for one in (files, written_files(3)))
    commands = [line for line in english.splitlines() if line.startswith("    ")]
    assert [line for line in readme.splitlines() if line.startswith("    ")] == commands
    assert readme.startswith("# «Chapter 3: «Attention»»") and "«2 points»" in readme


def test_the_catalogue_has_what_checks_say_and_no_other_text(files: dict[str, bytes]) -> None:
    catalogue = gettext.GNUTranslations(io.BytesIO(files[CATALOGUE]))
    chapter(3).load_mistakes()
    exercises = chapter(3).exercises.values()
    said = {text for one in exercises for mistake in one.mistakes for text in (mistake.sentence, mistake.hint)}
    said |= {check.title for one in exercises for check in one.checks} | {chapter(3).title}
    assert {text for text in said if catalogue.gettext(text) == text} == set()
    others = {text.english for text in lesson_texts(LESSON)} - said
    assert len(others) > 100
    assert {text for text in others if catalogue.gettext(text) != text} == set()


def test_the_same_bundle_is_made_again(files: dict[str, bytes], tmp_path: Path) -> None:
    root = project_without_catalogues(tmp_path)
    for name in (LESSON.slug, "messages"):
        translate(root, name, marked)
    assert written_files(3, root, "ru") == files
