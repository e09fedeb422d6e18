"""Quora question pairs from folders: the loader reads them correctly and refuses wrong files."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from course.data.datasets import load_quora_pairs
from tests.course.local_data import QUORA_PAIRS

NAME = "quora_duplicate_questions.tsv"
HEADER = "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n"
ROWS = """0\t1\t2\tWhat is this?\tWhat is that?\t0
1\t3\t4\t"What does ""a, b"" mean?"\t"What\nis\ta "" b?"\t1
2\t5\t6\tIs 5" more than 4"?\t\t0
3\t7\t8\tNA\tnull\t1
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a small file in the form of Quora's."""
    monkeypatch.delenv("QUORA_PAIRS_DIR", raising=False)
    (tmp_path / NAME).write_text(HEADER + ROWS, encoding="utf-8")
    return tmp_path


def test_reads_pairs(folder: Path):
    pairs = load_quora_pairs(folder)
    assert list(pairs.columns) == ["question1", "question2", "is_duplicate"]
    assert pairs["is_duplicate"].dtype == bool
    assert pairs.to_numpy().tolist() == [
        ["What is this?", "What is that?", False],
        ['What does "a, b" mean?', 'What\nis\ta " b?', True],
        ['Is 5" more than 4"?', "", False],
        ["NA", "null", True],
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"its first row is \[\].*question1, question2, is_duplicate, separated by tabs"),
        (ROWS.encode(), "its first row is"),
        ((HEADER + "0\t1\t2\tone\ttwo\n").encode(), r"row 2 has 5 columns and ends with \['two'\]"),
        ((HEADER + ROWS + "4\t1\t2\tone\ttwo\t0.5\n").encode(), "row 6.*0 or 1"),
        ((HEADER + '0\t1\t2\tone\t"two\t1\n').encode(), "row 2 has 5 columns"),
        (HEADER.encode() + b"0\t1\t2\t\xff\ttwo\t1\n", "utf-8"),
    ],
)
def test_says_what_is_wrong_with_a_file(folder: Path, content: bytes, message: str):
    (folder / NAME).write_bytes(content)
    with pytest.raises(ValueError, match=f"(?s){message}") as caught:
        load_quora_pairs(folder)
    assert str(folder / NAME) in str(caught.value)


@pytest.mark.parametrize("source", [QUORA_PAIRS])
def test_the_original_file(source: Path | None, folder: Path):
    # Without it on this machine, the part of it that a course hands out is converted, or the small file is read.
    expected = 4
    if source and (source / NAME).is_file():
        folder, expected = source, 404_290
    elif source:
        expected = write_part(source / "quora-dev.csv", folder / NAME)
    pairs = load_quora_pairs(folder)
    assert len(pairs) == expected
    assert 0.3 < pairs["is_duplicate"].mean() < 0.6
    assert (pairs["question1"].str.len() > 0).mean() > 0.99


def write_part(part: Path, to: Path) -> int:
    """Write the labelled rows in Quora's form, and return how many there are."""
    with part.open(encoding="utf-8", newline="") as lines:
        rows = [row[2:] for row in csv.reader(lines, delimiter="\t")][1:]
    rows = [(first, second, str(int(float(label)))) for first, second, label in rows if label]
    with to.open("w", encoding="utf-8", newline="") as file:
        file.write(HEADER)
        csv.writer(file, delimiter="\t").writerows((n, 2 * n, 2 * n + 1, *row) for n, row in enumerate(rows))
    return len(rows)
