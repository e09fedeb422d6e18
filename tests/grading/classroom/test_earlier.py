"""Solutions are compared with those of earlier years, and pairs that are alike in several chapters are named."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from benchmarks.made_class import LAYER, made_record, write_records
from grading.classroom.earlier import pairs_of_class
from grading.classroom.results import Results, page_name
from grading.classroom.similarity import Pair, fingerprints
from grading.classroom.submission_record import SubmissionRecord
from grading.cli import app
from grading.exercises.registry import chapter
from grading.exercises.solutions import SOLUTIONS
from grading.submission import Person
from tests.grading.classroom.test_similarity import disguised

SOURCES = [solution.source for solution in SOLUTIONS[LAYER]]


def record(student: str, source: str, person: Person | None = None) -> SubmissionRecord:
    return made_record(student, fingerprints={LAYER: fingerprints(source)}, person=person)


def two_years(to: Path) -> tuple[Path, Path]:
    now = [record("ada", SOURCES[0]), record("bob", SOURCES[1]), record("cleo", SOURCES[2], Person(name="Cleo Kay"))]
    before = [record("zoe", disguised(SOURCES[0])), record("yan", SOURCES[3]), record("xi", disguised(SOURCES[3]))]
    before.append(record("kay", SOURCES[2], Person(name="Cleo Kay")))  # who repeats the course
    write_records(to / "now", now)
    write_records(to / "2025", before)
    return to / "now", to / "2025"


def pairs(results: Path, *compare: Path) -> list[Pair]:
    return pairs_of_class(chapter(3), list(Results(results, 3).all()), results, compare)


def test_a_solution_of_an_earlier_year_is_found_and_the_same_person_is_not(tmp_path: Path) -> None:
    now, before = two_years(tmp_path)
    assert pairs(now) == []
    (pair,) = pairs(now, before)
    assert (pair.exercise, pair.first, pair.second, pair.earlier) == (LAYER, "ada", "zoe", str(before))


def test_pairs_that_are_alike_in_another_chapter_say_so(tmp_path: Path) -> None:
    now = tmp_path / "now"
    write_records(now, [record("ada", SOURCES[0]), record("bob", disguised(SOURCES[0]))])
    name = "BertEmbedding"
    sources = SOLUTIONS[name]
    folder = tmp_path / "chapter 2" / "records" / "02"
    folder.mkdir(parents=True)
    for student in ("ada", "bob"):
        made = {**record(student, ""), "chapter": 2, "fingerprints": {name: fingerprints(sources[0].source * 3)}}
        (folder / f"{page_name(student)}.json").write_text(json.dumps({"key": "", "record": made}))
    assert [pair.also for pair in pairs(now)] == [()]
    assert [pair.also for pair in pairs(now, tmp_path / "chapter 2")] == [(2,)]


def test_the_report_names_the_earlier_class_and_links_to_no_page_of_it(tmp_path: Path) -> None:
    now, before = two_years(tmp_path)
    done = CliRunner().invoke(app, ["report", str(now), "--compare", str(before)])
    assert done.exit_code == 0, done.output
    said = f"MultiHeadAttention is built like that of zoe in {before}"
    assert said in (now / "index.html").read_text() and page_name("zoe") not in (now / "index.html").read_text()
    assert all("zoe" not in path.read_text() for path in (now / "students").iterdir())
    assert sum(said in path.read_text() for path in (now / "review").iterdir()) == 1


def test_folders_without_results_and_pseudonyms_are_refused(tmp_path: Path) -> None:
    now, before = two_years(tmp_path)
    (tmp_path / "empty").mkdir()
    for name in ("empty", "nowhere"):
        done = CliRunner().invoke(app, ["report", str(now), "--compare", str(tmp_path / name)])
        assert f"there are no results in {tmp_path / name}" in str(done.exception)
    done = CliRunner().invoke(app, ["report", str(now), "--compare", str(before), "--anonymous"])
    assert "leave out --anonymous" in str(done.exception)
