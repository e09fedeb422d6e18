"""python -m grading defence: three questions to ask a student in person."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from grading.commands.options import GradedChapter, GradedResults
from grading.errors import GradingError
from grading.terminal import output


def defence(
    results: GradedResults,
    student: Annotated[str, typer.Argument(help="The student: a name, an id, a login or an e-mail address.")],
    chapter: GradedChapter = None,
) -> None:
    """Shows three questions about a student's own code, to be asked in person. The same code gives the same ones."""
    from grading.classroom.results import Results, graded_chapter
    from grading.gradebook.policy import names_of
    from grading.mutants.defence import questions

    records = Results(results, graded_chapter(results, chapter)).all()
    found = [record for record in records if student in names_of(record)]
    if len(found) != 1:
        import difflib

        known = {name for record in records for name in names_of(record)}
        like = difflib.get_close_matches(student, known, 1)
        hint = f"; did you mean {like[0]}?" if like else ""
        raise GradingError(f"{len(found) or 'no'} students in {results} are called {student}{hint}")
    asked = questions(found[0])
    if not asked:
        raise GradingError(f"there is no code of {student} to ask about; the submission may be empty or unreadable")
    output.print(Text(f"{found[0]['student']}, chapter {found[0]['chapter']}"), style="bold")
    for number, question in enumerate(asked, 1):
        output.print(Text(f"\n{number}. {question.text()}"), soft_wrap=True)
