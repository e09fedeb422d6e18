"""Your own table reads the same from every kind of file; errors name the file and what to do."""

from __future__ import annotations

import gzip
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from course.data.tables.delimited import delimited
from course.data.tables.opened import kind_of, opened
from course.data.tables.table import as_text, column_names, read_table
from course.errors import CourseError
from tests.course.data.tables.files import bytes_of, write

ROWS = [
    {"id": "1", "text": 'Said "no", and left; twice', "stars": "5"},
    {"id": "2", "text": "Zürich,\n东京", "stars": ""},
    {"id": "3", "text": "", "stars": "3"},
]
NAMES = ("a.csv", "A.CSV", "a.tsv", "a.jsonl", "a.Parquet", "a.csv.gz", "A.TSV.GZ", "a.jsonl.gz", "a.parquet.gz")


def read(path: Path, *columns: str, everything: bool = False) -> list[dict[str, str]]:
    return list(read_table(path, columns, everything))


def text_file(folder: Path, content: str, name: str = "a.csv", encoding: str = "utf-8") -> Path:
    return write(folder / name, content.encode(encoding))


class TestKinds:
    @pytest.mark.parametrize("name", NAMES)
    def test_all_give_the_same_rows(self, name: str, tmp_path: Path) -> None:
        path = write(tmp_path / name, bytes_of(ROWS, kind_of(Path(name))))
        assert read(path, "stars", "text") == [{"stars": row["stars"], "text": row["text"]} for row in ROWS]
        assert read(path, "text", everything=True) == ROWS
        assert column_names(path) == ["id", "text", "stars"]

    @pytest.mark.parametrize("name", NAMES)
    def test_a_missing_column_error_names_the_columns(self, name: str, tmp_path: Path) -> None:
        path = write(tmp_path / name, bytes_of(ROWS, kind_of(Path(name))))
        with pytest.raises(CourseError, match=rf"{name} has no column label.* id, text, stars"):
            read(path, "text", "label")

    def test_half_a_surrogate_pair_becomes_a_question_mark(self, tmp_path: Path) -> None:
        path = text_file(tmp_path, '{"a": "x \\ud83d y", "b": "\\ud83d\\ude00"}\n', "a.jsonl")
        assert read(path, "a", "b") == [{"a": "x ? y", "b": "\N{GRINNING FACE}"}]

    def test_numbers_and_missing_cells_become_text(self, tmp_path: Path) -> None:
        rows = [{"a": 1, "b": None, "c": True}, {"a": 2.5, "b": float("nan"), "c": False}]
        expected = [{"a": "1.0", "b": "", "c": "true"}, {"a": "2.5", "b": "", "c": "false"}]
        assert (
            read(
                write(tmp_path / "a.parquet", bytes_of([{**row, "a": float(row["a"])} for row in rows], ".parquet")),
                *"abc",
            )
            == expected
        )
        assert as_text(np.float32("nan")) == ""
        assert as_text(np.int64(3)) == "3"
        jsonl = text_file(tmp_path, '{"a": 1}\n\n{"a": 2.5, "b": "x"}\n', "a.jsonl")
        assert read(jsonl, "a", "b") == [{"a": "1", "b": ""}, {"a": "2.5", "b": "x"}]


class TestMarks:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
    def test_byte_order_marks_are_no_text(self, encoding: str, tmp_path: Path) -> None:
        path = text_file(tmp_path, "text,label\nŽivjo,é\n", encoding=encoding)
        assert read(path, "text", "label") == [{"text": "Živjo", "label": "é"}]

    @pytest.mark.parametrize("mark", [",", ";", "\t"])
    def test_delimiters_are_recognised(self, mark: str, tmp_path: Path) -> None:
        path = text_file(tmp_path, f'text{mark}label\n"a, b; c\td"{mark}x\n')
        assert read(path, "text", "label") == [{"text": "a, b; c\td", "label": "x"}]
        assert read(path, "2", "1")[1] == {"2": "x", "1": "a, b; c\td"}  # by number, the header is a row, too

    def test_a_file_of_tabs_may_have_commas(self, tmp_path: Path) -> None:
        path = text_file(tmp_path, "a,text,b\ttext\nx,y,z\tone\n", "a.tsv")
        assert read(path, "text") == [{"text": "one"}]
        path = text_file(tmp_path, "a, b\tone\nc, d\ttwo\n", "b.tsv")
        assert [row["2"] for row in read(path, "2")] == ["one", "two"]

    def test_columns_without_a_header_are_numbered(self, tmp_path: Path) -> None:
        path = text_file(tmp_path, '"3","Title; one, two; three","Text"\n"4","Other","More"\n')
        assert read(path, "2", "1") == [{"2": "Title; one, two; three", "1": "3"}, {"2": "Other", "1": "4"}]
        with pytest.raises(CourseError, match=r"no column 4\. Its first row is 3, Title; one, two; three, Text"):
            read(path, "4")

    def test_a_first_cell_may_be_the_number_of_a_column(self, tmp_path: Path) -> None:
        path = text_file(tmp_path, "3,Title,Text\n4,Other,More\n")
        assert read(path, "3") == [{"3": "Text"}, {"3": "More"}]

    def test_a_header_may_be_a_number(self, tmp_path: Path) -> None:
        assert read(text_file(tmp_path, "2,1\na,b\n"), "1") == [{"1": "b"}]
        assert read(text_file(tmp_path, ",0,1\n0,a,b\n"), "1") == [{"1": "b"}]  # as pandas writes it
        assert read(text_file(tmp_path, "1,text\na,b\n"), "1") == [{"1": "a"}]
        assert read(text_file(tmp_path, "name,2019,2020\na,b,c\n"), "2019") == [{"2019": "b"}]
        assert read(text_file(tmp_path, "index,0,1\n0,a,b\n"), "1") == [{"1": "b"}]
        assert read(text_file(tmp_path, "text,1\na,b\n"), "1", "text") == [{"1": "b", "text": "a"}]

    def test_of_two_columns_with_the_same_name_the_first_keeps_it(self, tmp_path: Path) -> None:
        path = text_file(tmp_path, "text,text\na,b\n")
        assert read(path, "text", everything=True) == [{"text": "a", "text (2)": "b"}]

    def test_quotes_in_files_with_tabs_may_be_text(self, tmp_path: Path) -> None:
        plain = text_file(tmp_path, 'text\tlabel\n"Oh", he said\t1\nno " end\t2\n"open\t3\n', "a.tsv")
        assert [row["text"] for row in read(plain, "text")] == ['"Oh", he said', 'no " end', '"open']
        quoted = text_file(tmp_path, 'text\tlabel\n"two\tcells, ""one""\nline"\t1\n', "b.tsv")
        assert [row["text"] for row in read(quoted, "text")] == ['two\tcells, "one"\nline']

    def test_cells_may_have_any_length(self, tmp_path: Path) -> None:
        long = "word " * 100_000
        assert read(text_file(tmp_path, f'text,label\n"{long}",1\n'), "text") == [{"text": long}]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"text,label\na\n", r"a\.csv is no table: line 2: 1 cells, where the first row has 2"),
        ("a.csv", b'text,label\n"a,1\n', r"a\.csv is no table: line 2: unexpected end"),
        ("a.csv", b"text,label\n\xff,1\n", r"a\.csv is not UTF-8 text"),
        ("a.csv", b"", r"a\.csv has no column text\. Its first row is empty"),
        ("a.jsonl", b'{"text": "a"}\n{"text": \n', r"a\.jsonl, line 2, is not JSON"),
        ("a.jsonl", b'["a"]\n', r"a\.jsonl, line 1, must be an object, not list"),
        ("a.jsonl", b'{"text": ["a"]}\n', r"a\.jsonl, line 1: a cell must be text or a number, not list"),
        ("a.jsonl", b"\n", r"a\.jsonl has no column text\. It is empty"),
        ("a.parquet", b"PAR1 and no more", r"a\.parquet is not a whole Parquet file"),
        ("a.xlsx", b"PK", r"a\.xlsx is no table that can be read\. Wanted: \.csv, \.tsv, \.jsonl, \.parquet"),
    ],
)
def test_damaged_files_are_refused(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=message):
        read(write(tmp_path / name, content), "text")


def test_the_columns_of_another_kind_are_not_looked_for(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=r"a\.xlsx is no table that can be read\. Wanted: \.csv"):
        column_names(write(tmp_path / "a.xlsx", b"PK"))


@pytest.mark.parametrize("name", ["a.csv.gz", "a.parquet.gz"])
def test_a_compressed_file_that_is_cut_short_is_refused(name: str, tmp_path: Path) -> None:
    packed = gzip.compress(bytes_of(ROWS, kind_of(Path(name))))
    (tmp_path / name).write_bytes(packed[:-9])
    with pytest.raises(CourseError, match=rf"{name} is not a whole \.gz file .* Get it again"):
        read(tmp_path / name, "text")


def test_a_missing_column_or_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=r"a\.csv is a table: name the columns to read\. It seems to have a, b\."):
        read(text_file(tmp_path, "a,b\n1,2\n"))
    with pytest.raises(CourseError, match=r"there is no file .*b\.csv\. Name a table: \.csv, \.tsv"):
        read(tmp_path / "b.csv", "text")


def test_parquet_without_pyarrow_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.parquet", bytes_of(ROWS, ".parquet"))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(CourseError, match=r"pyarrow.* -m pip install -c requirements\.lock -e '\.\[parquet\]'$"):
        read(path, "text")


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.jsonl.gz"])
def test_memory_does_not_grow_with_the_file(name: str, tmp_path: Path) -> None:
    def peak(count: int) -> int:
        rows = [{"text": f"Row {number} of many.", "label": "1"} for number in range(count)]
        path = write(tmp_path / name, bytes_of(rows, kind_of(Path(name))))
        tracemalloc.start()
        try:
            assert sum(1 for _ in read_table(path, ["text"])) == count
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(20_000) < 1.2 * peak(2_000) + 100_000


def test_opened_text_has_its_lines_and_no_mark(tmp_path: Path) -> None:
    with opened(text_file(tmp_path, "a\r\nb", "a.txt.gz", "utf-16")) as text:
        assert text.read() == "a\nb"


def test_the_delimiter_is_the_one_that_gives_the_columns(tmp_path: Path) -> None:
    assert delimited(text_file(tmp_path, "a,c;b\n1;2\n"), ["b"]).delimiter == ";"
