"""Checks a whole notebook in this process, for its owner, before submission.

A bundle has no commands. Where one is to check by itself, this module is added and run:

    python -m grading.student_kernel.self_check NOTEBOOK [RESULTS.json]
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from grading.errors import GradingError
from grading.exercises.registry import chapter, exercise_names
from grading.extraction import ExerciseSource, extract
from grading.feedback.card import Card
from grading.feedback.record import ExerciseRecord, record, record_refused, record_unchecked, with_waiting
from grading.judging.exercise import Exercise
from grading.judging.expectations import Expectations, expectations_for
from grading.judging.probing import Failure
from grading.judging.verdict import judge_exercise
from grading.messages import Message
from grading.messages.translator import translator
from grading.sandbox.errors import SubmissionError
from grading.sandbox.interpreter import Interpreter
from grading.storage.files import write_file
from grading.student_kernel.my_bert import fall_back_to_course
from grading.submission import SubmissionFile, read_notebooks
from grading.submission.cell_ids import exercise_cell_id
from grading.submission.modules import MOST_MODULES
from grading.submission.selection import chapter_of


def check_notebook(path: Path) -> list[Card]:
    """Check every exercise of a notebook separately, and return a card for each.

    Raises:
        GradingError: the notebook cannot be read, or belongs to no known chapter.
    """
    modules = tuple(sorted(path.parent.glob("*.py"))[:MOST_MODULES])
    notebook = read_notebooks(SubmissionFile(path.stem, path, (path,), modules=modules))[0]
    number = chapter_of(notebook, exercise_names())
    if number is None:
        raise GradingError(f"{path} defines no known exercise")
    fall_back_to_course()
    exercises = chapter(number).exercises
    extraction = extract(notebook, {name: exercise_cell_id(name) for name in exercises})
    expectations = expectations_for(chapter(number))
    records: dict[str, ExerciseRecord] = {}
    for name, exercise in exercises.items():
        found = extraction.exercises[name]
        records[name] = _check(exercise, found, expectations)
        if not records[name]["problem"] and not records[name]["passed"]:
            unfinished = [other for other in found.builds_on if not records[other]["passed"]]
            records[name] = with_waiting(records[name], unfinished, is_wrong=bool(unfinished))
    said = translator(notebook.language, chapter(number).slug)
    return [Card(record, translator=said) for record in records.values()]


def _check(exercise: Exercise, found: ExerciseSource, expectations: Expectations) -> ExerciseRecord:
    if found.problem:
        return record_unchecked(exercise, found.problem)
    if refused := record_refused(exercise, found.source):
        return refused
    with tempfile.TemporaryDirectory() as scratch:
        session = Interpreter(Path(scratch))
        definition = {"source": found.source, "origin": found.name, "ready_made": list(exercise.ready_made)}
        try:
            session.perform({"op": "define", **definition})
        except SubmissionError as error:
            why = Failure.of(error).sentence()
            return record_unchecked(exercise, Message("the definition could not be run: {why}", why=why))
        return record(judge_exercise(exercise, session, expectations), found.source)


def main(notebook: str, results: str = "") -> None:
    """Print the cards of a notebook and, if asked, write their results. The exit code is 0 if every exercise passes."""
    try:
        cards = check_notebook(Path(notebook))
    except GradingError as error:
        sys.exit(f"Error: {error}")
    for card in cards:
        print(card.text())
    if results:
        write_file(Path(results), json.dumps([card.result for card in cards]))
    sys.exit(0 if all(card.result["passed"] for card in cards) else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
