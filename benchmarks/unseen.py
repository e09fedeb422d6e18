"""python -m benchmarks.unseen FOLDER: solutions by people who have not seen the checks, in the real grader.

FOLDER holds `KIND/NN_chapter/EXERCISE/NAME.py`, each the whole cell of an exercise, with `# what: ...` in its first
line: what is wrong with it, or for the kind "right" what is unusual. Every other exercise is solved as in the library.
The table says how many lose points, get a name or an observation, and cost other exercises points. What each was told
is written to a CSV file with a column `verdict`, for a reader who fills in `right`, `vague` or `misleading`; given as
`--verdicts`, that is counted, too.
"""

from __future__ import annotations

import csv
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.submissions.notebooks import handed_in
from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.exercises.registry import chapter
from grading.feedback.record import ExerciseRecord
from grading.lessons.notebook import notebook_text

_WHAT = re.compile(r"^# what: (.*)$", re.MULTILINE)
_RIGHT = "right"
_COLUMNS = (
    "kind",
    "chapter",
    "exercise",
    "name",
    "what",
    "earned",
    "of",
    "others",
    "named",
    "observed",
    "checks",
    "verdict",
)


class Solution(NamedTuple):
    """One file of the folder."""

    kind: str
    number: int
    exercise: str
    name: str
    source: str

    @property
    def what(self) -> str:
        found = _WHAT.search(self.source)
        return found[1] if found else ""

    @property
    def place(self) -> str:
        return f"{self.kind}/{self.number:02d}/{self.exercise}/{self.name}"


def solutions(folder: Path) -> list[Solution]:
    """All solutions of a folder, in the order of their paths."""
    return [
        Solution(path.parts[-4], int(path.parts[-3][:2]), path.parts[-2], path.stem, path.read_text(encoding="utf-8"))
        for path in sorted(folder.glob("*/*/*/*.py"))
    ]


def main(
    folder: Annotated[Path, typer.Argument(help="The solutions.", exists=True, file_okay=False)],
    to: Annotated[Path, typer.Option(help="The CSV file to write.")] = Path("build/unseen.csv"),
    secrets: Annotated[int, typer.Option(help="How often each is graded, each time on other inputs.", min=1)] = 2,
    verdicts: Annotated[Path | None, typer.Option(help="A CSV file whose column `verdict` is filled in.")] = None,
) -> None:
    """Grades a folder of solutions whose authors have not seen the checks, and counts what they were told."""
    given = solutions(folder)
    judged = _verdicts(verdicts)
    by_chapter = sorted({one.number for one in given})
    rows: list[dict[str, str]] = []
    to.parent.mkdir(parents=True, exist_ok=True)
    with to.open("w", newline="", encoding="utf-8", buffering=1) as file:  # a run that is ended leaves whole chapters
        writer = csv.DictWriter(file, _COLUMNS)
        writer.writeheader()
        for number in track(by_chapter, "Grading chapters"):
            of_chapter = [one for one in given if one.number == number]
            runs = [_graded(number, of_chapter) for _ in range(secrets)]
            new = [_row(one, [run[one.place] for run in runs], judged) for one in of_chapter]
            writer.writerows(new)
            rows += new
    console = Console()
    console.print(_table(rows))
    for row in _failures(rows):
        console.print(f"{row['kind']}, {row['exercise']}, {row['name']}: {row['earned']} of {row['of']}; {row['what']}")
    console.print(f"What each was told is in {to}.")


def _graded(number: int, of_chapter: Sequence[Solution]) -> dict[str, dict[str, ExerciseRecord]]:
    """The records of each solution's notebook by exercise, under a secret of its own."""
    with tempfile.TemporaryDirectory() as scratch:
        submissions = Path(scratch) / "submissions"
        submissions.mkdir()
        for place, one in enumerate(of_chapter):
            notebook = handed_in(number, {one.exercise: one.source})
            (submissions / f"{place}.ipynb").write_text(notebook_text(notebook), encoding="utf-8")
        records = grade_class(submissions, Results(Path(scratch) / "results", number))
        by_place = {record["student"]: record["exercises"] for record in records}
    return {
        one.place: {record["name"]: record for record in by_place[str(place)]} for place, one in enumerate(of_chapter)
    }


def _row(one: Solution, runs: Sequence[dict[str, ExerciseRecord]], judged: dict[str, str]) -> dict[str, str]:
    own = [run[one.exercise] for run in runs]
    others = {name for run in runs for name, record in run.items() if name != one.exercise and not record["passed"]}
    named = dict.fromkeys(mistake["sentence"] for record in own for mistake in record["mistakes"])
    observed = dict.fromkeys(f"{each['mark']}: {each['sentence']}" for record in own for each in record["observed"])
    failed = dict.fromkeys(
        f"{check['title']}: {check['message']}" for record in own for check in record["checks"] if not check["passed"]
    )
    problem = dict.fromkeys(record["problem"] for record in own if record["problem"])
    return {
        "kind": one.kind,
        "chapter": str(one.number),
        "exercise": one.exercise,
        "name": one.name,
        "what": one.what,
        "earned": " ".join(f"{record['earned']:g}" for record in own),
        "of": f"{chapter(one.number).exercises[one.exercise].points:g}",
        "others": " ".join(sorted(others)),
        "named": "\n".join([*named, *problem]),
        "observed": "\n".join(observed),
        "checks": "\n".join(failed),
        "verdict": judged.get(one.place, ""),
    }


def _verdicts(path: Path | None) -> dict[str, str]:
    if path is None:
        return {}
    with path.open(newline="", encoding="utf-8") as file:
        return {
            f"{row['kind']}/{int(row['chapter']):02d}/{row['exercise']}/{row['name']}": row["verdict"]
            for row in csv.DictReader(file)
        }


def _has_all(row: dict[str, str]) -> list[bool]:
    return [float(earned) == float(row["of"]) for earned in row["earned"].split()]


def _failures(rows: Sequence[dict[str, str]]) -> Iterator[dict[str, str]]:
    """Wrong solutions that keep all points in some run, right ones that lose some, and what costs other exercises."""
    for row in rows:
        kept = _has_all(row)
        if (not all(kept) if row["kind"] == _RIGHT else any(kept)) or row["others"]:
            yield row


def _table(rows: Sequence[dict[str, str]]) -> Table:
    table = Table(title="Solutions by people who have not seen the checks")
    columns = ("kind", "solutions", "lose points", "cost others", "named", "observed", "right", "vague", "misleading")
    for column in columns:
        table.add_column(column)
    for kind in dict.fromkeys(row["kind"] for row in rows):
        of_kind = [row for row in rows if row["kind"] == kind]
        counts = [
            len(of_kind),
            sum(not any(_has_all(row)) for row in of_kind),
            sum(bool(row["others"]) for row in of_kind),
            sum(bool(row["named"]) for row in of_kind),
            sum(not row["named"] and bool(row["observed"]) for row in of_kind),
            *(sum(row["verdict"] == verdict for row in of_kind) for verdict in ("right", "vague", "misleading")),
        ]
        table.add_row(kind, *map(str, counts))
    return table


if __name__ == "__main__":
    typer.run(main)
