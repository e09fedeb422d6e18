"""Cards and pages in the student's language, from real checks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.made_class import LAYER, made_record
from grading.classroom.submission_record import SubmissionRecord
from grading.exercises.registry import chapter
from grading.feedback.card import Card
from grading.feedback.record import ExerciseRecord, record, record_refused
from grading.judging.expectations import LiveExpectations
from grading.judging.verdict import judge_exercise
from grading.messages import Message
from grading.messages.stored import messages_in
from grading.messages.translator import translator
from grading.report.pages import student_page, write_pages
from grading.sandbox.interpreter import Interpreter
from grading.student_kernel import language as language_module
from grading.student_kernel.check import check
from grading.submission import SubmissionFile, read_notebooks

HOSTILE = '{hint} %(x)s <script>alert("{what}")</script> {{ 7 * 7 }}'
LETTERS = {"ru": re.compile(r"[А-Яа-яё]"), "zh_CN": re.compile(r"[\u4e00-\u9fff]")}


def returns_nothing(token_ids, padding_id=0):
    pass


def not_written(token_ids, padding_id=0):
    raise NotImplementedError("Write padding_mask, then run the check below.")


def raises(token_ids, padding_id=0):
    raise ValueError(HOSTILE)


def other_shape(token_ids, padding_id=0):
    return token_ids[0] != padding_id


def inverted(token_ids, padding_id=0):
    return (token_ids == padding_id)[:, None, None, :]


def other_name(token_ids, padding_id=0):
    return undefined_name(token_ids)  # type: ignore[name-defined]  # noqa: F821


SAID = {
    returns_nothing: {"ru": "нужно: массив формы", "zh_CN": "期望：形状为"},
    not_written: {"ru": "Напишите padding_mask, затем запустите", "zh_CN": "请写出 padding_mask"},
    raises: {"ru": f"ValueError: {HOSTILE}", "zh_CN": f"ValueError: {HOSTILE}"},
    other_shape: {"ru": "форма (", "zh_CN": "形状为 ("},
    inverted: {"ru": "неверных чисел", "zh_CN": "个不同"},
    other_name: {"ru": "`undefined_name` не определено.", "zh_CN": "`undefined_name` 没有定义。"},
}


@pytest.fixture(scope="module")
def live() -> LiveExpectations:
    return LiveExpectations(chapter(3))


def result_of(implementation: Any, live: LiveExpectations, scratch: Path) -> ExerciseRecord:
    exercise = chapter(3).exercises["padding_mask"]
    return record(judge_exercise(exercise, Interpreter(scratch, {"padding_mask": implementation}), live))


@pytest.mark.parametrize("language", ["ru", "zh_CN"])
@pytest.mark.parametrize("wrong", SAID, ids=lambda wrong: wrong.__name__)
def test_the_card_of_a_wrong_answer_speaks_the_language(
    wrong: Any, language: str, live: LiveExpectations, tmp_path: Path
) -> None:
    result = result_of(wrong, live, tmp_path)
    said = translator(language, chapter(3).slug)
    assert SAID[wrong][language] in Card(result, translator=said).text()
    # The same from the disk, without a new check.
    stored = json.loads(json.dumps(result))
    assert Card(stored, translator=said).text() == Card(result, translator=said).text()
    assert Card(stored).text() == Card(result).text()
    assert not LETTERS[language].search(Card(result).text())


@pytest.mark.parametrize("language", ["ru", "zh_CN"])
def test_a_refused_name_is_said_in_the_language(language: str) -> None:
    refused = record_refused(chapter(3).exercises["padding_mask"], "import os\nopen('x')\n")
    assert refused
    shown = Card(refused, translator=translator(language)).text()
    assert {"ru": "`os` нельзя использовать", "zh_CN": "答案中不能使用 `os`"}[language] in shown
    assert "may not be used" not in shown


def test_an_old_record_without_messages_reads_in_english_where_it_must(live: LiveExpectations, tmp_path: Path) -> None:
    old = json.loads(json.dumps(result_of(inverted, live, tmp_path)))
    english = Card(old).text()
    del old["messages"]
    assert Card(old).text() == english
    shown = Card(old, translator=translator("ru")).text()
    assert "балл" in shown and "places" in shown


def test_what_a_student_wrote_stays_a_value_on_a_page_in_russian() -> None:
    hostile = made_record(HOSTILE, {LAYER: 4}, message=HOSTILE)
    note = Message("{file} was left out: it is damaged ({error})", file=HOSTILE, error="{file}")
    page = student_page({**hostile, "language": "ru", "notes": [note], "messages": messages_in(note)})  # type: ignore[typeddict-item]
    assert '<html lang="ru">' in page
    assert "<script>" not in page and "49" not in re.sub(r"#\w+", "", page.partition("<main>")[2])
    assert "{hint} %(x)s &lt;script&gt;" in page
    assert "файл повреждён ({file})" in page


@pytest.mark.parametrize("language, html", [("ru", "ru"), ("zh_CN", "zh-CN"), ("xx", "en"), (7, "en"), (None, "en")])
def test_each_student_has_a_page_in_the_language_of_the_record(language: Any, html: str) -> None:
    mine: SubmissionRecord = {**made_record("ada"), "language": language}  # type: ignore[typeddict-item]
    assert f'<html lang="{html}">' in student_page(mine)


def test_a_class_of_three_languages_has_pages_in_three(tmp_path: Path) -> None:
    class_ = [made_record(name) for name in ("ada", "bob", "eve")]
    class_[1]["language"], class_[2]["language"] = "ru", "zh_CN"
    index = write_pages(tmp_path, chapter(3), class_)
    pages = [path.read_text(encoding="utf-8") for path in sorted((tmp_path / "students").iterdir())]
    found = [re.search(r'<html lang="([\w-]+)">', page) for page in pages]
    assert [one and one[1] for one in found] == ["en", "ru", "zh-CN"]
    assert "из" in pages[1] and "第 3 章" in pages[2]
    assert '<html lang="en">' in index.read_text(encoding="utf-8")
    write_pages(tmp_path, chapter(3), class_, language="ru")
    assert all('lang="ru"' in path.read_text(encoding="utf-8") for path in (tmp_path / "students").iterdir())
    assert all('lang="en"' in path.read_text(encoding="utf-8") for path in (tmp_path / "review").iterdir())


@pytest.mark.parametrize(
    "metadata, language",
    [
        ({"course": {"chapter": 3, "language": "ru"}}, "ru"),
        ({"course": {"language": "zh", "chapter": 3}}, "zh_CN"),
        ({"course": {"chapter": 3}}, "en"),
        ({"course": {"chapter": 3, "language": "../../etc"}}, "en"),
        ({"course": {"chapter": 3, "language": ["ru"]}}, "en"),
        ({"course": "ru"}, "en"),
        ("ru", "en"),
    ],
)
def test_a_notebook_says_its_language_and_only_a_known_one_counts(metadata: Any, language: str, tmp_path: Path) -> None:
    cell = {"cell_type": "code", "id": "a", "source": "x = 1", "metadata": {}, "outputs": [], "execution_count": None}
    path = tmp_path / "ada.ipynb"
    path.write_text(json.dumps({"cells": [cell], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}))
    assert read_notebooks(SubmissionFile("ada", path, (path,)))[0].language == language


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The manifest of a bundle, which the kernel reads instead of the project's."""
    monkeypatch.setattr(language_module, "PROJECT", tmp_path)
    language_module._language.cache_clear()
    yield tmp_path / "release.json"
    language_module._language.cache_clear()


@pytest.mark.parametrize(
    "manifest, language",
    [('{"language": "ru"}', "ru"), ('{"language": "xx"}', "en"), ('{"chapter": 3}', "en"), ("[]", "en"), ("{", "en")],
)
def test_a_kernel_speaks_the_language_of_its_bundle(bundle: Path, manifest: str, language: str) -> None:
    bundle.write_text(manifest)
    assert language_module.said().language == language


def test_check_says_in_russian_what_it_was_given(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bundle.write_text('{"language": "ru"}')
    check(3)
    assert "✗ Проверить это нельзя: check получил int 3; передайте саму функцию" in capsys.readouterr().out
