"""A semester of 40 people and 4 chapters, handed in through 5 systems, graded in the sandbox as an instructor would.

`python -m tests.grading.semester.made` leaves it in build/semester to be looked at.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from grading.cli import app
from grading.exercises.registry import chapter
from grading.sample_class.make import submissions
from grading.storage.files import write_file
from grading.storage.project import PROJECT
from grading.terminal import output

CHAPTERS = (1, 2, 3, 6)
# Solutions of the sample classes, by letter.
SOLUTIONS = {"A": "ada", "D": "dmitri", "E": "elif", "P": "petra"}
LEFT = "s40"  # dropped the course after chapter 1


class Pupil(NamedTuple):
    """A student of the semester.

    Attributes:
        work: the letter of the solution in each chapter; `-` where nothing was handed in, `0` where the file is empty.
        section: in the end.
    """

    id: str
    name: str
    work: str
    section: str

    @property
    def number(self) -> int:
        return int(self.id[1:])

    @property
    def email(self) -> str:
        return f"{self.id}@school.edu"


PUPILS = [
    Pupil("s01", "王伟", "AAAA", "A"),  # two of one name
    Pupil("s02", "王伟", "DDDD", "A"),
    Pupil("s03", "Łukasz Żółć", "EEEE", "A"),
    Pupil("s04", "Нина Петрова", "PPPP", "B"),
    Pupil("s05", "अनिल कुमार", "ADEA", "B"),
    Pupil("s06", "עדה לוי", "DAPE", "A"),
    Pupil("s07", "Nguyễn Ánh", "PEDD", "B"),
    Pupil("s08", "Zoë Weiß", "AAAA", "A"),
    Pupil("s09", "Ines Rey", "AAAA", "A"),  # handed in chapter 1 twice, in one download
    Pupil("s10", "Tomas Berg", "AAAA", "B"),  # handed in chapter 3 again, in a second download
    Pupil("s11", "Amira Haddad", "AAAA", "A"),  # late by one day, then by three
    Pupil("s12", "Kofi Mensah", "AAAA", "B"),  # has an extension
    Pupil("s13", "Lena Vogel", "AAAP", "A"),  # gets points by hand
    Pupil("s14", "Omar Farouk", "ADEA", "B"),  # was in section A until chapter 3
    Pupil("s15", "Petra Novak", "A-AA", "A"),  # missed chapter 2
    Pupil("s16", "Rosa Conti", "A0AA", "B"),  # handed in an empty file
    *(
        Pupil(f"s{number}", name, work, "AB"[number % 2])
        for number, name, work in [
            (17, "Adam Olsen", "DDDD"),
            (18, "Bea Fontaine", "EEEE"),
            (19, "Carl Dietz", "PPPP"),
            (20, "Dana Ilic", "ADEA"),
            (21, "Emil Sand", "DAPE"),
            (22, "Fay Lindqvist", "PEDD"),
            (23, "Gus Moreau", "DDDD"),
            (24, "Hana Sato", "EEEE"),
            (25, "Ivo Kral", "PPPP"),
            (26, "Jana Duda", "ADEA"),
            (27, "Kim Park", "DAPE"),
            (28, "Leo Grassi", "PEDD"),
            (29, "Mia Holm", "DDDD"),
            (30, "Nils Aho", "EEEE"),
            (31, "Olga Reyes", "PPPP"),
            (32, "Pia Wolff", "ADEA"),
            (33, "Quinn Baker", "DAPE"),
            (34, "Ravi Menon", "PEDD"),
            (35, "Sara Lund", "DDDD"),
            (36, "Tim Okafor", "EEEE"),
            (37, "Ute Brandt", "PPPP"),
            (38, "Vera Simic", "ADEA"),
            (39, "Wim de Boer", "DAPE"),
        ]
    ),
    Pupil(LEFT, "Yara Costa", "A---", "B"),
]
SETTINGS = """\
version = 1
name = "BERT from nothing, autumn 2026"

[late]
free_days = 2
percent = 10

[[chapters]]
number = 1
weight = 20
due = 2026-10-05T12:00:00+01:00

[[chapters]]
number = 2
weight = 20
due = 2026-10-19T12:00:00+01:00

[[chapters]]
number = 3
weight = 35
due = 2026-11-09T12:00:00+01:00
drop = ["causal_mask"]

[[chapters]]
number = 6
weight = 25
due = 2026-11-30T12:00:00+01:00
"""
TIMES = """\
student,chapter,due,submitted
s11,1,,2026-10-06T09:00:00+01:00
s11,3,,2026-11-12T11:00:00+01:00
s12,1,2026-10-12T12:00:00+01:00,2026-10-10T20:00:00+01:00
"""


def notebook(number: int, letter: str) -> bytes:
    """The notebook of a student of the sample class."""
    return (submissions(number) / f"{SOLUTIONS[letter]}.ipynb").read_bytes()


def run_semester(folder: Path) -> Path:
    """Hand in and grade a whole semester, and return the course's folder."""
    course = folder / "course"
    handed_in = folder / "downloads"
    write_file(course / "course.toml", SETTINGS)
    write_file(course / "times.csv", TIMES)
    first = [pupil._replace(section="A") if pupil.id == "s14" else pupil for pupil in PUPILS]
    write_file(course / "roster.csv", _roster(first))
    _say("course", "grade", course, 1, canvas(handed_in / "1-canvas"))
    _tell_namesakes_apart(course, "canvas:1001", "canvas:1002")
    _say("course", "people", course, "--confirm")
    # One left, and one is in another section from now on.
    write_file(course / "roster.csv", _roster(pupil for pupil in PUPILS if pupil.id != LEFT))
    _say("course", "grade", course, 2, moodle(handed_in / "2-moodle"))
    _tell_namesakes_apart(course, "moodle:501", "moodle:502")
    _say("course", "people", course, "--confirm")
    _say("course", "grade", course, 3, gradescope(handed_in / "3-gradescope", {"s10": "P"}))
    again = [pupil for pupil in PUPILS if pupil.id == "s10"]
    _say("course", "grade", course, 3, gradescope(handed_in / "3-gradescope-again", pupils=again))
    _say("course", "grade", course, 6, blackboard(handed_in / "6-blackboard"))
    _say("course", "grade", course, 6, brightspace(handed_in / "6-brightspace"))
    _say("course", "people", course, "--confirm")
    _say("override", course, "Lena Vogel", "NextSentenceHead", 5, "--why", "The head is right; it was in another cell.")
    _say("course", "report", course, "--pages")
    _say("course", "export", course, "--to", course / "marks.csv")
    _say("course", "export", course, "--format", "canvas", "--to", course / "canvas.csv")
    return course


def canvas(folder: Path) -> Path:
    """Chapter 1, as Canvas names files: two attempts of one, and late ones."""
    for pupil in _handed_in(1):
        *first, last = pupil.name.split()
        name = "".join([last, *first]).lower() + ("_LATE" if pupil.id in ("s11", "s12") else "")
        file = "01_tokenization-1.ipynb" if pupil.id == "s09" else "01_tokenization.ipynb"
        _write(folder / f"{name}_{1000 + pupil.number}_{9100 + pupil.number}_{file}", 1, pupil.work[0])
        if pupil.id == "s09":
            _write(folder / f"{name}_{1000 + pupil.number}_9000_01_tokenization.ipynb", 1, "P")
    return folder


def moodle(folder: Path) -> Path:
    """Chapter 2, as Moodle names folders."""
    for pupil in _handed_in(2):
        to = folder / f"{pupil.name}_{500 + pupil.number}_assignsubmission_file"
        _write(to / "02_embeddings.ipynb", 2, pupil.work[1])
    return folder


def gradescope(folder: Path, instead: dict[str, str] | None = None, pupils: Iterable[Pupil] = PUPILS) -> Path:
    """Chapter 3, as Gradescope exports it. Some hand in another solution first."""
    metadata = ["---"]
    for pupil in _handed_in(3, pupils):
        submission = f"submission_{22000 + pupil.number + (0 if instead else 500)}"
        _write(folder / submission / "03_attention.ipynb", 3, (instead or {}).get(pupil.id, pupil.work[2]))
        metadata += [f"{submission}:", "  :submitters:", f"  - :name: {pupil.name}", f"    :sid: {pupil.id}"]
        metadata += [f"    :email: {pupil.email}", "  :created_at: 2026-11-08 11:00:00.000000000 Z"]
    write_file(folder / "submission_metadata.yml", "\n".join([*metadata, ""]))
    return folder


def blackboard(folder: Path) -> Path:
    """Chapter 6 of section A, as Blackboard names files, without receipts."""
    for pupil in _handed_in(6):
        if pupil.section == "A":
            name = f"Chapter 6_u{pupil.number:02d}_attempt_2026-11-29-12-00-00_06_next_sentence.ipynb"
            _write(folder / name, 6, pupil.work[3])
    return folder


def brightspace(folder: Path) -> Path:
    """Chapter 6 of section B, as Brightspace names folders."""
    for pupil in _handed_in(6):
        if pupil.section == "B":
            name = f"{70000 + pupil.number}-67890 - {pupil.name} - Nov 29, 2026 1200 PM"
            _write(folder / name / "06_next_sentence.ipynb", 6, pupil.work[3])
    return folder


def _handed_in(number: int, pupils: Iterable[Pupil] = PUPILS) -> list[Pupil]:
    return [pupil for pupil in pupils if pupil.work[CHAPTERS.index(number)] != "-"]


def _write(path: Path, number: int, letter: str) -> None:
    write_file(path, b"" if letter == "0" else notebook(number, letter))


def _roster(pupils: Iterable[Pupil]) -> str:
    lines = [f"{pupil.id},{pupil.name},{pupil.email},u{pupil.number:02d},{pupil.section}" for pupil in pupils]
    return "\n".join(["id,name,email,login,section", *lines, ""])


def _tell_namesakes_apart(course: Path, first: str, second: str) -> None:
    """Write into people.csv, as the instructor does who has looked in the system whose number is whose."""
    lines = (course / "people.csv").read_text(encoding="utf-8").splitlines()
    same = {first: "s01", second: "s02"}
    written = [line + same.get(line.partition(",")[0], "") for line in lines]
    write_file(course / "people.csv", "\n".join([*written, ""]))


def _say(*words: object) -> None:
    output.print("python -m grading", *words, style="bold", markup=False)
    app([*map(str, words)], standalone_mode=False)


def main() -> None:
    folder = PROJECT / "build" / "semester"
    shutil.rmtree(folder, ignore_errors=True)
    course = run_semester(folder)
    output.print(f"The semester's course is in {course}: open {course / 'index.html'} in a browser.", style="green")
    output.print(f"Its {len(CHAPTERS)} chapters: {', '.join(chapter(number).title for number in CHAPTERS)}.")


if __name__ == "__main__":
    main()
