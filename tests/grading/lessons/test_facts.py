"""Every fact that docs/facts.md lists is told where it says."""

from __future__ import annotations

import re

import pytest

from grading.lessons.lesson import find_lessons
from grading.storage.project import PROJECT

ROW = re.compile(r"^\| (\d+) \| (.+?) \| (.+) \|$", re.MULTILINE)
TABLE = (PROJECT / "docs" / "facts.md").read_text(encoding="utf-8")
FACTS = [(int(chapter), fact, words.replace("\\|", "|")) for chapter, fact, words in ROW.findall(TABLE)]
LESSONS = {lesson.chapter: lesson for lesson in find_lessons(PROJECT / "notebooks" / "source")}


def test_every_chapter_has_facts() -> None:
    assert {chapter for chapter, *_ in FACTS} == LESSONS.keys()
    assert len(FACTS) == len(TABLE.partition("|---")[2].splitlines()) - 1


@pytest.mark.parametrize(("chapter", "fact", "words"), FACTS, ids=lambda value: str(value)[:40])
def test_a_fact_is_in_one_cell(chapter: int, fact: str, words: str) -> None:
    cells = [" ".join(cell.source.split()) for cell in LESSONS[chapter].cells]
    found = [cell for cell in cells if " ".join(words.split()) in cell]
    assert len(found) == 1, f"{fact!r} is told in {len(found)} cells of chapter {chapter} with {words!r}"
