"""The pages of a class: their numbers, whom they flag, and that students' texts never become markup."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import re
from pathlib import Path
from xml.etree import ElementTree

import html5lib
import pytest
from rich.cells import cell_len
from rich.console import Console
from typer.testing import CliRunner

from benchmarks.made_class import (
    ATTENTION,
    CAUSAL,
    LAYER,
    MERGE,
    PADDING,
    SPLIT,
    made_record,
    write_records,
)
from grading.classroom.pseudonyms import keep_key
from grading.classroom.reasons import reasons_of_class
from grading.classroom.records import outline
from grading.classroom.results import Results, page_name
from grading.classroom.similarity import Pair
from grading.classroom.submission_record import SubmissionRecord
from grading.cli import app
from grading.errors import GradingError
from grading.exercises.registry import chapter
from grading.feedback.card import breakable
from grading.report.pages import write_pages
from grading.report.statistics import _interval, exercise_statistics, mistake_counts, summary
from grading.report.table import class_table, look_lines
from grading.submission import Person

EVIL = '"><script>alert(1)</script><img src=x onerror=alert(2)>&amp;</style>{{ 7 * 7 }}'


def parsed(path: Path) -> ElementTree.Element:
    """The page's elements. Raises if the page is not well-formed."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    return parser.parse(path.read_text(encoding="utf-8"))


def text(element: ElementTree.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def all_pages(folder: Path) -> list[Path]:
    return [folder / "index.html", *(folder / "students").iterdir(), *(folder / "review").iterdir()]


@pytest.fixture
def evil_class() -> list[SubmissionRecord]:
    record = made_record(EVIL, {LAYER: 4}, mistakes={LAYER: EVIL}, message=EVIL)
    layer = record["exercises"][-1]
    layer["refused"] = [EVIL]
    layer["panels"] = [{"title": EVIL, "rows": [[["#d1495b", "nan"]]], "description": EVIL}]
    record["notes"] = [EVIL]
    unread = made_record("=2+5", problem=EVIL)
    crashed = made_record("zoe", {SPLIT: 2}, mistakes={SPLIT: "Cut wrongly."}, crashes=2)
    return [unread, record, made_record("ada"), crashed]


@pytest.fixture
def pages(evil_class: list[SubmissionRecord], tmp_path: Path) -> Path:
    (tmp_path / "grades.csv").write_text("")
    return write_pages(tmp_path, chapter(3), evil_class, [Pair(LAYER, EVIL, "ada", 0.914)]).parent


def test_every_page_is_valid_and_stands_alone(pages: Path) -> None:
    files = all_pages(pages)
    assert len(files) == 9
    for file in files:
        page = parsed(file)
        ids = [element.get("id") for element in page.iter() if element.get("id")]
        assert len(ids) == len(set(ids))
        assert page.get("lang") and text(page.find(".//title")) and len(page.findall(".//h1")) == 1
        assert all(header.get("scope") for header in page.iter("th"))
        heat_maps = [table for table in page.iter("table") if table.get("role") == "img"]
        pictures = [*page.iter("{http://www.w3.org/2000/svg}svg"), *heat_maps]
        assert pictures or file.name != "index.html"
        for picture in pictures:
            assert picture.get("aria-label") or picture.get("aria-labelledby") in ids
        for control in (*page.iter("input"), *page.iter("select")):
            assert any(control in label.iter() for label in page.iter("label"))
        for link in page.iter("a"):
            path, _, anchor = link.get("href").partition("#")
            assert (file.parent / path).is_file() if path else anchor in ids
        assert not re.search(r"(?:src|href)=.?(?:https?:)?//|url\(|@import", file.read_text())


def test_nothing_that_a_student_wrote_becomes_markup(pages: Path) -> None:
    for file in all_pages(pages):
        page = parsed(file)
        assert not list(page.iter("img"))
        assert not [name for element in page.iter() for name in element.keys() if name.startswith("on")]  # noqa: SIM118
        scripts = [script.text or "" for script in page.iter("script")]
        assert len(scripts) == (file.name == "index.html")
        policy = page.find(".//meta[@http-equiv]").get("content")
        allowed = {f"'sha256-{base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()}'" for s in scripts}
        assert set(re.findall(r"'sha256-[^']+'", policy)) == allowed
        assert "default-src 'none'" in policy
    assert EVIL.replace("\n", " ") in text(parsed(pages / "index.html"))


def test_the_script_finds_what_it_works_on(pages: Path) -> None:
    page = parsed(pages / "index.html")
    script = page.find(".//script").text
    for wanted in re.findall(r'getElementById\("(\w+)"\)', script):
        assert page.find(f".//*[@id='{wanted}']") is not None, wanted
    table = page.find(".//table[@id='students']")
    headers = table.findall("./thead/tr/th")
    assert all(text(header.find("button")) for header in headers)
    for row in table.findall("./tbody/tr"):
        assert len(row) == len(headers)
        assert row.get("data-kinds") is not None
        numbers = [cell for cell in row if cell.get("class") in ("number", "number lost")]
        assert len(numbers) == 7
        assert all(text(cell).replace(".", "").isdigit() for cell in numbers)


def test_the_class_page_shows_what_needs_a_look(pages: Path) -> None:
    page = parsed(pages / "index.html")
    rows = {text(row[0]): row for row in page.findall(".//table[@id='students']/tbody/tr")}
    kinds = {name: row.get("data-kinds") for name, row in rows.items()}
    assert kinds == {"=2+5": "damaged", EVIL: "flagged,alike,read with care", "ada": "alike", "zoe": "crashed"}
    assert [option.text for option in page.findall(".//option")] == [
        "all",
        "all that need a look",
        "damaged",
        "crashed",
        "flagged",
        "alike",
        "read with care",
    ]
    said = text(page)
    assert f"MultiHeadAttention is built like that of {EVIL}, 91 %" in said
    assert "its process ended or hung 2 times" in said
    assert "not verdicts" in said


def test_a_student_learns_nothing_of_the_others(pages: Path) -> None:
    for name in ("ada", "zoe"):
        (file,) = (pages / "students").glob(f"{name}-*.html")
        said = text(parsed(file))
        assert name in said
        assert "script" not in said and "built like" not in said
        assert ("Cut wrongly." in said) == (name == "zoe")


def test_the_numbers_of_a_class() -> None:
    class_ = [
        made_record("ada"),
        made_record("bob", {LAYER: 2}, mistakes={LAYER: "b"}),
        made_record("cleo", {SPLIT: 2, LAYER: 4}, mistakes={SPLIT: "a", LAYER: "b"}),
        made_record("dora", {SPLIT: 2, LAYER: 6}, mistakes={SPLIT: "a", LAYER: "b"}),
        made_record("emil", problem="the file is empty"),
    ]
    whole = summary(class_)
    assert (whole.mean, whole.median) == (15.2, 17)  # of 23, 21, 17, 15 and 0
    assert [bin.students for bin in whole.bins] == [1, 0, 0, 0, 0, 0, 1, 1, 0, 2]  # 0, 65, 74, 91 and 100 %
    found = {exercise.name: exercise for exercise in exercise_statistics(chapter(3), class_)}
    assert (found[SPLIT].passed, found[SPLIT].tried, found[SPLIT].pass_rate, found[SPLIT].share) == (2, 4, 50, 50)
    assert (found[LAYER].pass_rate, found[LAYER].share) == (25, 70)
    # Those who split well have 21 and 19 points elsewhere, the others 17 and 15:
    # (mean 20 - mean 16) / deviation √5 * √(half * half).
    assert found[SPLIT].discrimination == pytest.approx(4 / 5**0.5 / 2, abs=0.005)
    assert all(found[name].discrimination is None for name in (ATTENTION, PADDING, CAUSAL, MERGE))
    assert [tuple(count) for count in mistake_counts(class_)] == [
        (LAYER, "b", [1, 2, 3]),
        (SPLIT, "a", [2, 3]),
    ]


def test_an_exercise_that_everybody_passes_and_a_class_of_one_can_be_shown(tmp_path: Path) -> None:
    write_pages(tmp_path, chapter(3), [made_record("ada", problem="the file is empty")])
    assert "0 of 0" in text(parsed(tmp_path / "index.html"))
    write_pages(tmp_path, chapter(3), [made_record("ada")])
    assert "The grader found no known mistake." in text(parsed(tmp_path / "index.html"))


def test_no_page_of_an_earlier_run_is_left_for_who_is_not_in_the_class(tmp_path: Path) -> None:
    write_pages(tmp_path, chapter(3), [made_record("ada"), made_record("ben")])
    (tmp_path / "students" / "my notes.html").write_text("of the instructor")
    write_pages(tmp_path, chapter(3), [made_record("ada")])
    for folder, others in (("students", ["my notes.html"]), ("review", [])):
        pages = sorted(path.name for path in (tmp_path / folder).iterdir())
        assert pages == [f"{page_name('ada')}.html", *others]


def test_a_lone_surrogate_does_not_break_a_page(tmp_path: Path) -> None:
    write_pages(tmp_path, chapter(3), [made_record("ada", {SPLIT: 2}, message="half \udfff")])
    (file,) = (tmp_path / "students").iterdir()
    assert "half ?" in text(parsed(file))


def test_a_name_is_broken_between_its_words() -> None:
    assert str(breakable("MultiHeadAttention")) == "Multi<wbr>Head<wbr>Attention"
    assert str(breakable("split_heads")) == "split_<wbr>heads"
    assert str(breakable("<b>")) == "&lt;b&gt;"
    assert "".join(re.split("<wbr>", str(breakable("BERTPretrainer_2")))) == "BERTPretrainer_2"


def test_a_class_is_read_one_record_at_a_time_and_kept_as_outlines(tmp_path: Path) -> None:
    panel = {"title": "Yours", "rows": [[["#000000", "1"]] * 20] * 20, "description": ""}
    class_ = [made_record(f"s{number:03d}", {SPLIT: number % 3}, fingerprints={LAYER: [7]}) for number in range(210)]
    for record in class_:
        record["exercises"][3]["panels"] = [panel]
    write_records(tmp_path, class_)
    records = Results(tmp_path, 3).all()
    assert len(records) == 210 and list(records) == list(records) == class_  # as often as wanted, and in order
    short = outline(class_[4])
    assert (short["earned"], list(short["fingerprints"][LAYER])) == (class_[4]["earned"], [7])
    assert not any(exercise["checks"] or exercise["panels"] for exercise in short["exercises"])
    assert exercise_statistics(chapter(3), [*map(outline, class_)]) == exercise_statistics(chapter(3), class_)
    table = class_table(chapter(3), class_, {}, 200)
    assert (table.row_count, str(table.caption)) == (200, "and 10 more in grades.csv")
    (tmp_path / "records" / "03" / f"{page_name('s004')}.json").write_text("{}")
    with pytest.raises(GradingError, match=r"s004.*delete it and grade again"):
        list(records)


def test_in_a_narrow_terminal_exercises_become_numbers_and_no_name_is_cut() -> None:
    names = ["Maria del Carmen Fernández", "ada", "王" * 13, "x" * 70]
    class_ = [made_record(name, crashes=1) for name in names]
    for record in class_:
        record["exercises"][0]["refused"] = ["getattr", "open"]
    found = reasons_of_class(class_)
    assert [reason.text for reason in found["ada"] if reason.kind == "flagged"] == [
        "scaled_dot_product_attention uses getattr, open"
    ]
    for width in (80, 260):
        console = Console(width=width, record=True, file=io.StringIO())
        console.print(class_table(chapter(3), class_, found, width))
        said = console.export_text()
        assert all(cell_len(line) <= width for line in said.splitlines())
        assert all(name in said for name in names[:3])
        assert sum(line.count("x") for line in said.splitlines()) >= 70 and "…" not in said
        assert ("1 scaled_dot_product_attention /6, 2 padding_mask /2" in " ".join(said.split())) == (width == 80)
        assert "crashed" in said and "/23" in said


def test_terminal_and_page_name_the_same_students_to_look_at(evil_class: list[SubmissionRecord], pages: Path) -> None:
    found = reasons_of_class(evil_class, [Pair(LAYER, EVIL, "ada", 0.914)])
    lines = look_lines(found)
    assert "crashed: zoe: its process ended or hung 2 times" in lines
    assert f"flagged: {EVIL}: MultiHeadAttention uses {EVIL}" in lines
    page = parsed(pages / "index.html")
    shown = [
        f"{text(group.find('./summary/strong'))}: {text(entry)}"
        for group in page.findall(".//details")
        if group.find("./summary/strong") is not None
        for entry in group.findall("./ul/li")
    ]
    assert shown == [" ".join(line.split()) for line in lines]


def test_points_given_by_hand_make_no_rounding_error_a_discrimination() -> None:
    class_ = [made_record(f"s{number}") for number in range(8)]
    by_hand = made_record("zoe", {LAYER: 1})
    (layer,) = (exercise for exercise in by_hand["exercises"] if exercise["name"] == LAYER)
    layer["earned"] = 4.1
    by_hand["earned"] = sum(exercise["earned"] for exercise in by_hand["exercises"])
    (found,) = (one for one in exercise_statistics(chapter(3), [*class_, by_hand]) if one.name == LAYER)
    assert found.discrimination is None


def test_negative_discrimination_is_marked_and_explained(tmp_path: Path) -> None:
    class_ = [made_record("ada", {SPLIT: 2}), made_record("bob", {LAYER: 9}), made_record("cleo", {LAYER: 8})]
    page = parsed(write_pages(tmp_path, chapter(3), class_))
    assert not page.findall(".//td/strong") and "−1.00" in text(page)  # three students show nothing
    assert "Mean 16.7 of 23 points, median 15." in text(page)
    class_ += [
        made_record(f"{one['student']}{copy}", lost)
        for copy in range(4)
        for one, lost in zip(class_, ({SPLIT: 2}, {LAYER: 9}, {LAYER: 8}), strict=False)
    ]
    page = parsed(write_pages(tmp_path, chapter(3), class_))
    marked = [text(strong) for strong in page.findall(".//td/strong")]
    assert len(marked) == 2 and all(re.fullmatch("−(0.[0-9]+|1.00) negative", mark) for mark in marked)
    assert "students who get it right do worse in the others" in text(page)


def test_the_interval_of_discrimination_is_fishers() -> None:
    """r = 0.5 of 28 pairs: z = 0.5493 ± 1.96 / 5, so from tanh 0.1573 to tanh 0.9413."""
    assert _interval(0.5, 28) == (0.16, 0.74)
    assert _interval(1.0, 28) == (1.0, 1.0) and _interval(-0.5, 3) is None


def test_a_students_code_stands_beside_what_was_said_of_it_and_each_paragraph_once(tmp_path: Path) -> None:
    record = made_record("ada", {SPLIT: 2, CAUSAL: 1}, code={SPLIT: f"def split_heads(x):\n    {EVIL}"})
    split = record["exercises"][3]
    split["checks"] = [{**split["checks"][0], "message": "no answer within 10 seconds"}] * 3
    record["notes"] = ["cell 3 was left out"] * 2
    write_pages(tmp_path, chapter(3), [record])
    (file,) = (tmp_path / "students").iterdir()
    page = parsed(file)
    headings = {text(heading): section for section in page.iter("section") for heading in section.findall("./h2")}
    assert list(headings)[2] == "causal_mask ✗ 0 of 1 point"
    section = headings["split_heads ✗ 0 of 2 points"]
    assert EVIL in text(section.find(".//pre"))
    assert headings["padding_mask ✓ 2 of 2 points"].find(".//pre") is None
    assert text(section).count("no answer within 10 seconds") == 1 and text(section).count("as above") == 2
    for file in all_pages(tmp_path)[1:]:
        assert text(parsed(file)).count("cell 3 was left out") == 1


def test_anonymous_pages_and_marks_do_not_identify_students(tmp_path: Path) -> None:
    names = ["Ada Lovelace", "Grace Hopper", "Zoe Nobody"]
    class_ = [made_record(name, {SPLIT: 2}, person=Person("canvas", name, f"{name}98765432")) for name in names]
    class_[1]["notes"] = ["there are several attempts: gracehopper_LATE_1.ipynb"]
    class_[2].update({"problem": "Zoe.zip is empty"})
    results = tmp_path / "results"
    write_records(results, class_)
    for command in (["report", str(results)], ["export", str(results), "--to", str(tmp_path / "marks.csv")]):
        done = CliRunner().invoke(app, [*command, "--anonymous"])
        assert done.exit_code == 0, done.output
    said = "".join(path.name + path.read_text() for path in (results / "anonymous").rglob("*.*"))
    said += done.output + (tmp_path / "marks.csv").read_text()
    assert not re.search("lovelace|hopper|nobody|zoe|ada |98765432", said, re.IGNORECASE)
    key = dict(csv.reader((results / "pseudonyms.csv").open()))
    assert {key[row["student"]] for row in csv.DictReader((tmp_path / "marks.csv").open())} == set(names)
    assert (results / "pseudonyms.csv").stat().st_mode & 0o077 == 0
    keep_key(tmp_path, b"secret", ["=1+1"])
    assert [row["student"] for row in csv.DictReader((tmp_path / "pseudonyms.csv").open())] == ["'=1+1"]
    order = [row["student"] for row in csv.DictReader((results / "anonymous" / "grades.csv").open())]
    assert order == sorted(order)
    refused = CliRunner().invoke(app, ["export", str(results), "--to", "x", "--format", "canvas", "--anonymous"])
    assert "--format csv" in str(refused.exception)
