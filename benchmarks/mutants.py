"""Small changes of every right answer, fed to the checks: mutants, which measure them.

A changed answer should fail a check. A change that makes no difference is listed with its reason in
`equivalent_mutants.toml`, beside the chapter's checks. Any other survivor is a gap in the checks. All mutants run in
the sandbox, as submissions do. Results are kept in `build/mutants`, so an interrupted run resumes, and only what has
changed is tried again. `python -m benchmarks.mutants CHAPTER EXERCISE` counts those of one exercise, and leaves the
rows of the others as they are.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from grading.exercises import registry
from grading.exercises.registry import chapters
from grading.judging.exercise import Chapter
from grading.mutants.survey import Survey, survey
from grading.storage.files import read_text, write_file

Rows = list[dict[str, Any]]
RESULTS = Path(__file__).parent / "results" / "mutants.json"


def measure() -> Rows:
    """A row for each exercise, and their sums."""
    return with_sums(
        [
            row_of(chapter, result)
            for chapter in chapters().values()
            for result in survey(chapter, list(chapter.exercises), b"mutants")
        ]
    )


def row_of(chapter: Chapter, result: Survey) -> dict[str, Any]:
    return {
        "exercise": result.exercise,
        "chapter": chapter.number,
        "mutants": result.tried,
        "killed": result.seen,
        "equal": result.equal,
        "survived": len(result.survivors),
    }


def with_sums(rows: Rows) -> Rows:
    sums: dict[str, Any] = {column: sum(row[column] for row in rows) for column in list(rows[0])[2:]}
    return [*rows, {"exercise": f"all {len(rows)}", "chapter": "", **sums}]


def with_row(rows: Rows, row: dict[str, Any]) -> Rows:
    """The rows and their sums with one replaced, or added to its chapter's; rows of exercises that are gone go."""
    there = {(chapter.number, name) for chapter in chapters().values() for name in chapter.exercises}
    kept = [one for one in rows if (one["chapter"], one["exercise"]) in there]
    names = [one["exercise"] for one in kept]
    if row["exercise"] in names:
        kept[names.index(row["exercise"])] = row
    else:
        kept.insert(sum(one["chapter"] <= row["chapter"] for one in kept), row)
    return with_sums(kept)


def main(
    chapter: Annotated[int, typer.Argument(help="The chapter's number.")],
    exercise: Annotated[str, typer.Argument(help="The exercise whose mutants to count.")],
) -> None:
    """Counts the mutants of one exercise for the tables; `make tables` then writes them."""
    of = registry.chapter(chapter)
    of.require([exercise])
    (result,) = survey(of, [exercise], b"mutants")
    if result.survivors or result.wrongly_equal or result.unknown:
        command = f"python -m grading mutants {chapter} {exercise}"
        raise SystemExit(f"Nothing is counted. First settle what this lists: {command}")
    stored = json.loads(read_text(RESULTS))
    rows = with_row(stored["rows"], row_of(of, result))
    if rows == stored["rows"]:
        print(f"{exercise}: counted already")
        return
    others = [part for part in stored["machine"]["date"].split(", ") if not part.startswith(f"{exercise} ")]
    stored["machine"]["date"] = ", ".join([*others, f"{exercise} {datetime.now(UTC).date().isoformat()}"])
    write_file(RESULTS, json.dumps({**stored, "rows": rows}, indent=2) + "\n")
    print(f"{exercise}: {result.tried} mutants counted. Now run `make tables`.")


if __name__ == "__main__":
    typer.run(main)
