"""Your own files: every kind of file gives the same documents, and memory does not grow with them."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from typer.testing import CliRunner

from course.cli import app
from course.data.corpus.own_files import documents_of
from course.data.corpus.sources import open_corpus
from course.data.tables.opened import kind_of
from course.errors import CourseError
from tests.course.data.tables.files import bytes_of, write

DOCUMENTS = [["Он родился в 1990 г. в Москве.", "Что дальше?"], ["今天天气很好。"], ["it rains.", "it snows."]]
LONG = "A sentence of many. " * 40_000


@pytest.mark.parametrize(
    "name",
    ["a.txt", "A.TXT", "a.md.gz", "a.csv", "a.TSV", "a.jsonl", "a.parquet", "a.Txt.Gz", "a.csv.gz", "a.jsonl.gz"],
)
def test_every_kind_of_file_has_the_same_documents(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    kind = kind_of(path)
    if kind in (".txt", ".md"):
        write(path, ("\n\n" if kind == ".txt" else "\n# \n").join(" ".join(lines) for lines in DOCUMENTS).encode())
    else:
        write(path, bytes_of([{"id": "7", "text": " ".join(lines)} for lines in DOCUMENTS], kind))
    assert list(open_corpus(str(path), ["text"] if kind not in (".txt", ".md") else (), "ru").documents()) == DOCUMENTS


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.txt", [["text"], ["Živjo svet."]]),
        ("a.md", [["text", "Živjo svet."]]),
        ("a.csv", [["Živjo svet."]]),
    ],
)
def test_a_byte_order_mark_is_no_word(name: str, expected: list[list[str]], encoding: str, tmp_path: Path) -> None:
    path = write(tmp_path / name, "text\n\nŽivjo svet.\n".encode(encoding))
    assert list(documents_of(path, ["text"], "en")) == expected


def test_markdown_is_read_without_its_marks(tmp_path: Path) -> None:
    text = """Before *all*.

# The first #
A [link](http://a.b/c) and ![a picture](c.png) here. Next.

> - quoted, in a list
1. one
```python
# no heading
print("no text")
```
2000. A year.
## The second
Text.
"""
    path = write(tmp_path / "a.md", text.encode())
    assert list(documents_of(path, (), "en")) == [
        ["Before *all*."],
        ["The first", "A link and  here.", "Next.", "quoted, in a list", "one", "2000.", "A year."],
        ["The second", "Text."],
    ]


@pytest.mark.parametrize(
    "code",
    [
        "- ```bash\n  pip install x\n  ```\n",
        "1. ~~~\n   x\n   ~~~\n",
        "> ```\n> x\n> ```\n",
        "> ```\n> x\n\n",
        "````\n```\nx\n```\nx\n````\n",
        "```\n~~~\nx\n```\n",
        "~~~ a ` b\n```\n~~~\n",
        "```\n```python\n- ```\nx\n`````  \n",
    ],
)
def test_only_its_own_fence_ends_code(code: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.md", f"Before.\n{code}After.\n".encode())
    assert list(documents_of(path, (), "en")) == [["Before.", "After."]]


def test_code_within_a_line_begins_no_block(tmp_path: Path) -> None:
    path = write(tmp_path / "a.md", b"```pip install x``` first.\nThen this.\n")
    assert list(documents_of(path, (), "en")) == [["```pip install x``` first.", "Then this."]]


class TestLongTexts:
    def test_are_several_documents(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.csv", bytes_of([{"text": LONG}], ".csv"))
        lengths = [len(document) for document in documents_of(path, ["text"], "en")]
        assert lengths == [1000] * 40

    @pytest.mark.parametrize("name", ["a.txt", "a.md", "a.txt.gz"])
    def test_do_not_take_more_memory(self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("course.data.corpus.own_files._MOST_CHARACTERS", 1 << 12)

        def peak(times: int) -> int:
            write(tmp_path / name, (LONG * times).encode())
            tracemalloc.start()
            try:
                assert sum(1 for _ in documents_of(tmp_path / name, (), "en")) >= 39 * times
                return tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()

        peak(1)
        assert peak(4) < 1.2 * peak(1)


class TestCommand:
    def run(self, *arguments: object) -> str:
        command = [str(argument) for argument in ("prepare", *arguments)]
        return CliRunner().invoke(app, command, catch_exceptions=False, env={"COLUMNS": "300"}).output

    def test_lists_skipped_files(self, tmp_path: Path) -> None:
        folder = tmp_path / "texts"
        folder.mkdir()
        write(folder / "a.TXT", b"It rains. It snows.\n\nx\n")
        write(folder / "b.csv.gz", bytes_of([{"said": "It hails."}, {"said": ""}, {"said": "y"}], ".csv"))
        for name in ("c.pdf", "d.PDF", "e.docx"):
            write(folder / name, b"no text")
        printed = self.run(folder, "--column", "said", "--to", tmp_path / "a", "--vocabulary-size", 250)
        assert "Files of other kinds, not read: 3 (2 .pdf, 1 .docx), such as" in printed
        assert "2 documents, 3 sentences" in printed
        assert "Documents of fewer than two pieces, left out: 2." in printed

    def test_asks_for_columns(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.csv", b"id;text\n1;It rains.\n")
        with pytest.raises(CourseError, match=r"a\.csv is a table: which column holds its text\? .* have id, text; "):
            self.run(path, "--to", tmp_path / "a")
        with pytest.raises(CourseError, match=r"language must be an ISO 639 code.*'german'"):
            self.run(path, "--to", tmp_path / "a", "--language", "german")
