"""A lesson's text names pictures, and its notebooks hold them."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

from grading.errors import GradingError
from grading.lessons.lesson import find_lessons
from grading.lessons.notebook import make_notebooks
from grading.lessons.pictures import picture_names, with_pictures
from grading.storage.project import PROJECT

SOURCE = PROJECT / "notebooks" / "source"
PICTURES = sorted(path.stem for path in (SOURCE / "pictures").glob("*.png"))


def test_each_picture_is_in_one_lesson() -> None:
    named = [name for path in SOURCE.glob("*.md") for name in picture_names(path.read_text(encoding="utf-8"))]
    assert sorted(named) == PICTURES


def test_both_notebooks_hold_the_picture_and_its_text() -> None:
    (lesson,) = [lesson for lesson in find_lessons(SOURCE) if lesson.chapter == 3]
    for notebook in make_notebooks(lesson):
        (tag,) = [tag for cell in notebook.cells for tag in re.findall(r'^<img alt="Tokens, .*>$', cell.source, re.M)]
        (encoded,) = re.findall(r'src="data:image/png;base64,([^"]+)"', tag)
        assert base64.b64decode(encoded) == (SOURCE / "pictures" / "split_heads.png").read_bytes()
        assert "the wrong ones one token each." in tag
        assert 'width="691"' in tag


def test_quotes_in_the_alternative_text_stay_text(lesson: Path) -> None:
    (lesson.parent / "pictures" / "one.txt").write_text('A "gap" & <b>.\n')
    assert '<img alt="A &quot;gap&quot; &amp; &lt;b&gt;." ' in with_pictures("![](pictures/one.png)", lesson)


def test_other_images_and_pictures_within_a_line_are_left_alone(lesson: Path) -> None:
    text = "See ![](pictures/one.png).\n\n![A graph](https://example.org/graph.png)"
    assert with_pictures(text, lesson) == text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda folder: (folder / "one.png").unlink(), r"cannot read pictures/one\.png .*python -m course\.pictures"),
        (lambda folder: (folder / "one.txt").unlink(), r"cannot read .*one\.txt"),
        (lambda folder: (folder / "one.txt").write_text("\n"), r"with an alternative text in pictures/one\.txt"),
        (lambda folder: (folder / "one.png").write_bytes(b"GIF89a"), r"one\.png must be a PNG"),
    ],
)
def test_a_picture_that_cannot_be_shown_is_reported(lesson: Path, change, message: str) -> None:
    change(lesson.parent / "pictures")
    with pytest.raises(GradingError, match=message):
        with_pictures("![](pictures/one.png)", lesson)


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    """The path of a lesson that has one picture beside it."""
    (tmp_path / "pictures").mkdir()
    for ending in ("png", "txt"):
        content = (SOURCE / "pictures" / f"split_heads.{ending}").read_bytes()
        (tmp_path / "pictures" / f"one.{ending}").write_bytes(content)
    return tmp_path / "01_lesson.md"
