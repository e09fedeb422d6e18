"""Publishes the results of a graded class: its pages, its marks as a table, and a summary in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.text import Text

from grading.classroom.earlier import pairs_of_class
from grading.classroom.enrolment import sentences
from grading.classroom.pseudonyms import keep_key, pseudonym
from grading.classroom.reasons import Reason, reasons_of_class
from grading.classroom.records import Records, outline
from grading.classroom.results import Results
from grading.classroom.submission_record import SubmissionRecord
from grading.commands.counting import policy_in_course
from grading.errors import GradingError
from grading.exercises import registry
from grading.gradebook import counted_record, marks, plain_csv
from grading.judging.exercise import Chapter
from grading.report.pages import write_pages
from grading.report.table import class_table, look_lines
from grading.storage.files import write_file
from grading.terminal import output


def reasons_to_look(of: Chapter, records: Iterable[SubmissionRecord], results: Path) -> dict[str, list[Reason]]:
    """The reasons why an instructor should look at a submission, by student.

    Raises:
        GradingError: a record cannot be read.
    """
    outlines = [outline(record) for record in records]
    return reasons_of_class(outlines, pairs_of_class(of, outlines, results))


def publish(
    results: Results,
    records: Records,
    anonymous: bool = False,
    compare: Sequence[Path] = (),
    language: str | None = None,
) -> None:
    """Writes a class's pages and grades.csv, and shows the table.

    In a course, grades.csv and the pages about one student show the points that count under the course's decisions. The
    class's page and the table show the points after overrides, with all exercises and without late days.

    Args:
        anonymous: use pseudonyms, and write to the folder `anonymous` in the results.
        compare: folders of other results, with whose solutions to compare.
        language: of the students' pages; by default, each has that of the student's notebook.

    Raises:
        GradingError: a record cannot be read, a file cannot be written, or pages with pseudonyms would name students of
            other results.
    """
    if anonymous and compare:
        raise GradingError("--compare names students of other results; leave out --anonymous")
    of = registry.chapter(results.chapter)
    folder = results.folder
    if anonymous:
        keep_key(folder, results.secret, results.all().students)
        folder, records = folder / "anonymous", records.anonymous(results.secret)
    outlines = [outline(record) for record in records]
    secret = results.secret if anonymous else b""
    names = {row.id: pseudonym(secret, row.student) if anonymous else row.student for row in records.rows}
    policy = policy_in_course(results, names)
    write_file(folder / "grades.csv", plain_csv(of, marks(of, outlines, policy), anonymous))
    pairs = pairs_of_class(of, outlines, results.folder, compare)

    def counted(record: SubmissionRecord) -> SubmissionRecord:
        (mark,) = marks(of, [record], policy)
        return counted_record(mark)

    index = write_pages(folder, of, records, pairs, language, counted)
    reasons = reasons_of_class(outlines, pairs)
    output.print(class_table(of, outlines, reasons, output.width))
    for line in [*look_lines(reasons), *sentences(outlines)]:
        output.print(Text(line))
    output.print(f"{index}: open it in a browser", style="green")
