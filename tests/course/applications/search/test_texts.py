"""The documents of your own files, and the errors if there are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from course.applications.search.texts import open_texts
from course.errors import CourseError
from tests.course.data.tables.files import bytes_of, write

ROWS = [
    {"head": "Wings", "body": "They lift.", "more": "A lot."},
    {"head": "", "body": "", "more": ""},
    {"head": "Heat", "body": "It flows,\nslowly.", "more": ""},
]


def test_files_of_a_folder_are_read_in_order(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "b.txt").write_text("One. Two\nthree.\n\n\nFour.\n")
    (tmp_path / "sub" / "a.md").write_text("# Wings\nThey *lift*.\n## Heat\n[It](x) flows.\n")
    (tmp_path / "picture.png").write_bytes(b"png")
    texts = open_texts(tmp_path)
    assert list(texts.documents()) == list(texts.documents())
    assert [tuple(document) for document in texts.documents()] == [
        ("b.txt, 1", "", "One. Two three."),
        ("b.txt, 2", "", "Four."),
        ("sub/a.md, 1", "", "Wings They *lift*."),
        ("sub/a.md, 2", "", "Heat It flows."),
    ]
    assert texts.name == tmp_path.name
    assert texts.size == sum((tmp_path / name).stat().st_size for name in ("b.txt", "sub/a.md"))
    assert texts.skipped == (tmp_path / "picture.png",)


@pytest.mark.parametrize("kind", [".csv", ".tsv", ".jsonl", ".parquet", ".csv.gz"])
def test_rows_of_a_table_are_documents(kind: str, tmp_path: Path) -> None:
    path = write(tmp_path / f"table{kind}", bytes_of(ROWS, kind.removesuffix(".gz")))
    texts = open_texts(path, ["body", "more"], "head")
    assert [tuple(document) for document in texts.documents()] == [
        (f"table{kind}, 1", "Wings", "They lift. A lot."),
        (f"table{kind}, 2", "", ""),
        (f"table{kind}, 3", "Heat", "It flows,\nslowly."),
    ]
    assert [document.title for document in open_texts(path, ["body"]).documents()] == ["", "", ""]


def test_missing_sources_and_columns_are_named(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=r"has no text that can be read.*Given: an empty folder"):
        open_texts(tmp_path)
    with pytest.raises(CourseError, match="does not exist"):
        open_texts(tmp_path / "nowhere")
    path = write(tmp_path / "table.csv", bytes_of(ROWS, ".csv"))
    with pytest.raises(CourseError, match=r"--text NAME.*head, body, more"):
        open_texts(path)
    with pytest.raises(CourseError, match=r"has no column.*titel"):
        list(open_texts(path, ["body"], "titel").documents())
    (tmp_path / "a.txt").write_text("Text.")
    with pytest.raises(CourseError, match=r"a\.txt has no table, so no column body"):
        open_texts(tmp_path / "a.txt", ["body"])
