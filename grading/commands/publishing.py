"""What comes of a graded class: its pages, its marks as a table, and the same in the terminal."""

from __future__ import annotations

from rich.text import Text

from grading.classroom.enrolment import sentences
from grading.classroom.records import Records, outline
from grading.classroom.results import Results
from grading.classroom.similarity import alike, starter_fingerprints
from grading.exercises import registry
from grading.gradebook import marks, plain_csv
from grading.report.pages import write_pages
from grading.report.table import class_table
from grading.storage.files import write_file
from grading.terminal import output


def publish(results: Results, records: Records) -> None:
    """Writes a class's pages and its table, and shows the table.

    Raises:
        GradingError: a record cannot be read, or a file cannot be written.
    """
    of = registry.chapter(results.chapter)
    outlines = [outline(record) for record in records]
    write_file(results.folder / "grades.csv", plain_csv(of, marks(of, outlines)))
    solutions = {record["student"]: record["fingerprints"] for record in outlines}
    index = write_pages(results.folder, of, records, alike(solutions, starter_fingerprints(of)))
    output.print(class_table(of, outlines))
    for line in sentences(outlines):
        output.print(Text(line))
    output.print(f"{index}: open it in a browser", style="green")
