"""Publishes the results of a graded class: its pages, its marks as a table, and a summary in the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from grading.classroom.enrolment import sentences
from grading.classroom.pseudonyms import keep_key
from grading.classroom.reasons import Reason, reasons_of_class
from grading.classroom.records import Records, outline
from grading.classroom.results import Results
from grading.classroom.similarity import Pair, similar_pairs, starter_fingerprints
from grading.classroom.submission_record import SubmissionRecord
from grading.exercises import registry
from grading.gradebook import marks, plain_csv
from grading.judging.exercise import Chapter
from grading.report.pages import write_pages
from grading.report.table import class_table, look_lines
from grading.storage.files import write_file
from grading.terminal import output


def reasons_to_look(of: Chapter, records: Iterable[SubmissionRecord]) -> dict[str, list[Reason]]:
    """The reasons why an instructor should look at a submission, by student.

    Raises:
        GradingError: a record cannot be read.
    """
    outlines = [outline(record) for record in records]
    return reasons_of_class(outlines, _alike(of, outlines))


def _alike(of: Chapter, outlines: Iterable[SubmissionRecord]) -> list[Pair]:
    solutions = {record["student"]: record["fingerprints"] for record in outlines}
    return similar_pairs(solutions, starter_fingerprints(of))


def publish(results: Results, records: Records, anonymous: bool = False) -> None:
    """Writes a class's pages and grades.csv, and shows the table.

    Args:
        anonymous: use pseudonyms, and write to the folder `anonymous` in the results.

    Raises:
        GradingError: a record cannot be read, or a file cannot be written.
    """
    of = registry.chapter(results.chapter)
    folder = results.folder
    if anonymous:
        keep_key(folder, results.secret, results.all().students)
        folder, records = folder / "anonymous", records.anonymous(results.secret)
    outlines = [outline(record) for record in records]
    write_file(folder / "grades.csv", plain_csv(of, marks(of, outlines)))
    pairs = _alike(of, outlines)
    index = write_pages(folder, of, records, pairs)
    reasons = reasons_of_class(outlines, pairs)
    output.print(class_table(of, outlines, reasons, output.width))
    for line in [*look_lines(reasons), *sentences(outlines)]:
        output.print(Text(line))
    output.print(f"{index}: open it in a browser", style="green")
