"""Makes the two notebooks of a lesson: the student's, and the solved one.

The same sources give the same bytes: cell ids come from names, positions and content, and nothing is dated.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode, v4

from grading.errors import GradingError
from grading.exercises.registry import chapter as registered_chapter
from grading.exercises.registry import find
from grading.judging.exercise import Exercise
from grading.languages import ENGLISH
from grading.lessons.answers import Answer, Teaching, find_answers
from grading.lessons.lesson import Lesson, LessonCell, Task, find_lessons
from grading.lessons.library import Definition
from grading.lessons.pictures import with_pictures
from grading.lessons.translating import IN_ENGLISH, MARK, Translation
from grading.lessons.unfolding import unfolding
from grading.storage.project import PROJECT
from grading.student_kernel.my_bert.fallback import PACKAGE
from grading.submission.cell_ids import check_cell_id, exercise_cell_id, slug

GPU_TAG = "gpu"
# Marks a cell with an interactive output of megabytes: the builder runs it and drops the output.
REMOVE_OUTPUT_TAG = "remove-output"
# In the first cell and in each check's cell, so that `check` can say what is missing even if the first was not run.
_CHECK_IMPORT = "from grading.student_kernel.check import check"
_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {
        "codemirror_mode": {"name": "ipython", "version": 3},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
    },
}


def make_notebooks(
    lesson: Lesson, library: Path = PROJECT, language: str = ENGLISH
) -> tuple[NotebookNode, NotebookNode]:
    """The student's notebook, and the solved one, not yet executed.

    Args:
        library: the folder that contains `course` and `locale`.
        language: of prose, docstrings and words in figures; other code, and ids of cells, are the same in all.

    Raises:
        GradingError: the lesson does not fit the library or the registered exercises, or a catalogue is damaged.
    """
    teaching, exercises = find_answers(lesson, library), _exercises(lesson)
    student, solved = (
        _notebook(teaching, exercises, text, Translation(language, lesson.slug, root=library))
        for text in (_student_text, _solved_text)
    )
    return student, solved


def make_nbgrader_source(lesson: Lesson) -> NotebookNode:
    """The solved notebook with nbgrader's marks around each answer. Without the marked code, it is the student's.

    Raises:
        GradingError: the lesson does not fit the library or the registered exercises.
    """
    return _notebook(find_answers(lesson), _exercises(lesson), _marked_text, IN_ENGLISH)


def notebook_text(notebook: NotebookNode) -> str:
    """The text of a notebook's file."""
    return nbformat.writes(notebook, version=4).rstrip("\n") + "\n"


def _exercises(lesson: Lesson) -> dict[str, Exercise]:
    """The lesson's exercises by name. They must be exactly those that its chapter checks."""
    exercises = {task.name: _registered(lesson, task) for task in lesson.tasks}
    _require_complete(lesson)
    return exercises


def _registered(lesson: Lesson, task: Task) -> Exercise:
    try:
        chapter, exercise = find(task.name)
    except GradingError as error:
        raise lesson.error(task.line, f"{task.name} has no checks: {error}") from error
    if not exercise.checks:
        raise lesson.error(task.line, f"{task.name} has no checks; register some in its chapter's checks.py")
    if (chapter.number, chapter.module_name) != (lesson.chapter, lesson.module):
        raise lesson.error(
            task.line,
            f"the checks of {task.name} are for chapter {chapter.number}, {chapter.module_name}; "
            f"this lesson is chapter {lesson.chapter}, {lesson.module}",
        )
    return exercise


def _require_complete(lesson: Lesson) -> None:
    chapter = registered_chapter(lesson.chapter)
    if lesson.slug != chapter.slug:
        raise lesson.error(1, f"the file is called {lesson.path.name}; wanted {chapter.slug}.md")
    left_out = chapter.exercises.keys() - {task.name for task in lesson.tasks}
    if left_out:
        raise lesson.error(1, f"chapter {chapter.number} also checks {', '.join(sorted(left_out))}; name them here")


def _student_text(teaching: Teaching, answer: Answer, translation: Translation) -> str:
    blanks = teaching.blanks(answer, lambda name: f"Write {name}, then run the check below.")
    return translation.code(teaching.module.text(answer.definition, blanks))


def _solved_text(teaching: Teaching, answer: Answer, translation: Translation) -> str:
    definition = translation.code(teaching.module.text(answer.definition))
    return "\n\n\n".join([*map(teaching.module.text, answer.helpers), definition])


def _marked_text(teaching: Teaching, answer: Answer, translation: Translation) -> str:
    return teaching.module.text(answer.definition, teaching.marked(answer))


def _notebook(
    teaching: Teaching,
    exercises: dict[str, Exercise],
    text: Callable[[Teaching, Answer, Translation], str],
    translation: Translation,
) -> NotebookNode:
    """A lesson's notebook; `text` makes the source of each exercise's cell."""
    lesson = teaching.lesson
    answers = {answer.task.name: answer for answer in teaching.answers}
    cells: list[NotebookNode] = []
    shown: set[tuple[str, ...]] = set()
    for number, cell in enumerate(lesson.cells, 1):
        if cell.is_code and not any(earlier.id == "setup" for earlier in cells):
            cells.append(_setup(teaching))
        if cell.task is None:
            cells.append(_plain(cell, number, lesson, translation))
            continue
        answer = answers[cell.task.name]
        given = [definition for definition in teaching.given(answer) if definition.names not in shown]
        shown.update(definition.names for definition in given)
        cells += _given(teaching, answer, given, translation)
        exercise, written = exercises[cell.task.name], text(teaching, answer, translation)
        notes = [_what_is_checked(exercise, translation)]
        notes += [_about_compiling(translation)] if any("compiled" in check.title for check in exercise.checks) else []
        notes += [_about_errors(translation)] if "Raises:" in teaching.module.text(answer.definition) else []
        new = [note for note in notes if not any(note in earlier.source for earlier in cells)]
        cells += _exercise(answer.task, exercise, written, new, translation)
    course: dict[str, Any] = {"chapter": lesson.chapter}
    if translation.language != ENGLISH:
        course["language"] = translation.language
        cells[0].source += _about_marks(translation)
    notebook = v4.new_notebook(cells=cells, metadata=_METADATA | {"course": course})
    nbformat.validate(notebook)
    return notebook


def _setup(teaching: Teaching) -> NotebookNode:
    """The cell with the imports of the library's module, so that students need not type them."""
    lines = _from_my_bert(teaching).splitlines()
    future = [line for line in lines if line.startswith("from __future__")]
    others = "\n".join(line for line in lines if line not in future).strip()
    # The check comes first: its import silences TensorFlow's start and makes `my_bert` importable.
    source = "\n\n".join(filter(None, [*future, _CHECK_IMPORT, others]))
    return _code("setup", source, _locked("setup"))


def _from_my_bert(teaching: Teaching) -> str:
    """The module's imports, with the modules of earlier chapters imported from the student's `my_bert`."""
    lesson, imports = teaching.lesson, teaching.module.imports
    for other in find_lessons(lesson.path.parent):
        if other.chapter < lesson.chapter:
            own = other.module.replace("course.", f"{PACKAGE}.", 1)
            imports = re.sub(rf"^from {re.escape(other.module)} import", f"from {own} import", imports, flags=re.M)
    return imports


def _with_duration(text: str, lesson: Lesson, translation: Translation) -> str:
    """The lesson's first text, with its chapter and duration below the heading."""
    heading, _, rest = text.partition("\n")
    about = translation.say(
        "Chapter {chapter}. About {minutes} minutes, {writing} of them for the exercises.",
        chapter=lesson.chapter,
        minutes=lesson.minutes,
        writing=lesson.writing_minutes,
    )
    return f"{heading}\n\n*{about}*\n{rest}"


def _about_marks(translation: Translation) -> str:
    """A paragraph on the mark of texts that are not translated; nothing where there is none."""
    if not translation.missing:
        return ""
    about = translation.say(
        "Of this chapter's {all} texts, {missing} are not translated yet. They are in English and end with {mark}.",
        all=translation.shown,
        missing=translation.missing,
        mark=MARK,
    )
    return f"\n\n*{about}*"


def _plain(cell: LessonCell, number: int, lesson: Lesson, translation: Translation) -> NotebookNode:
    def said(text: str, translation: Translation) -> str:
        return _with_duration(text, lesson, translation) if number == 1 and not cell.is_code else text

    digest = hashlib.sha256(said(cell.source, IN_ENGLISH).encode()).hexdigest()[:4]
    if not cell.is_code:
        text = said(translation.prose(cell.source), translation)
        text = with_pictures(unfolding(text, partial(_answer, translation)), lesson.path, translation.text)
        return _markdown(f"text-{number}-{digest}", text, cell.metadata)
    metadata = dict(cell.metadata)
    if cell.needs_gpu:  # neither the builder nor nbval runs it
        metadata["tags"] = [*metadata.get("tags", []), GPU_TAG, "nbval-skip"]
    return _code(f"code-{number}-{digest}", translation.figures(cell.source), metadata)


def _answer(translation: Translation, number: str) -> str:
    """The title of a folded answer."""
    return translation.say("Answer {number}", number=number) if number else translation.say("Answer")


def _exercise(
    task: Task, exercise: Exercise, text: str, notes: list[str], translation: Translation
) -> list[NotebookNode]:
    about = translation.say(
        "**Exercise** `{name}` · {points} · difficulty {difficulty} · about {minutes} minutes",
        name=task.name,
        points=translation.points(exercise.points),
        difficulty=task.difficulty,
        minutes=task.minutes,
    )
    written, checked = exercise_cell_id(task.name), check_cell_id(task.name)
    points = _whole(exercise.points)
    return [
        _markdown(f"task-{slug(task.name)}", "\n\n".join([about, *notes])),
        _code(written, text, _nbgrader(written, solution=True)),
        _code(checked, f"{_CHECK_IMPORT}\n\ncheck({task.name})", _nbgrader(checked, locked=True, points=points)),
    ]


def _what_is_checked(exercise: Exercise, translation: Translation) -> str:
    """The titles of the checks, folded, so that students know for what they can lose points."""
    title = translation.say("What is checked: your code …")
    asked = "\n".join(
        f"- {translation.text(check.title)} ({translation.points(check.points)})" for check in exercise.checks
    )
    return f"<details>\n<summary>{title}</summary>\n\n{asked}\n\n</details>"


def _about_errors(translation: Translation) -> str:
    """Below the first exercise whose docstring lists errors."""
    return translation.say("The errors under *Raises* are there for those who use the library. No check asks for them.")


def _about_compiling(translation: Translation) -> str:
    """Below the first exercise that is compiled."""
    return translation.say(
        "Before a compiled model or step runs, it knows neither how many texts come nor how long they are: take sizes "
        "from `ops.shape(x)`, and loop over none of them (chapter 2, *What a compiled model knows*)."
    )


def _given(teaching: Teaching, answer: Answer, given: list[Definition], translation: Translation) -> list[NotebookNode]:
    """The cells with the given definitions that an exercise needs, after a list with a sentence on each."""
    if not given:
        return []
    names = [f"given-{slug(definition.names[0])}" for definition in given]
    texts = [teaching.module.text(definition) for definition in given]
    lines = [f"- {_names(one)}: {translation.text(teaching.summary(one))}" for one in given]
    about = translation.say(
        "**Given** for `{name}`. Run it and go on; read it when you want to know how.", name=answer.task.name
    )
    code = [_code(name, text, _locked(name)) for name, text in zip(names, texts, strict=True)]
    return [_markdown(f"about-{names[0]}", "\n".join([about, "", *lines])), *code]


def _names(definition: Definition) -> str:
    return ", ".join(f"`{name}`" for name in definition.names)


def _locked(grade_id: str) -> dict[str, Any]:
    return _nbgrader(grade_id, locked=True)


def _nbgrader(
    grade_id: str, *, solution: bool = False, locked: bool = False, points: float | None = None
) -> dict[str, Any]:
    """nbgrader's metadata for a cell; a cell with points is graded."""
    grade = points is not None
    marks = {"points": points} if grade else {}
    kinds = {"grade": grade, "solution": solution, "locked": locked, "task": False}
    return {"nbgrader": {"schema_version": 3, "grade_id": grade_id, **kinds, **marks}}


def _code(cell_id: str, source: str, metadata: dict[str, Any]) -> NotebookNode:
    return v4.new_code_cell(source, id=cell_id, metadata=metadata)


def _markdown(cell_id: str, source: str, metadata: Any = ()) -> NotebookNode:
    return v4.new_markdown_cell(source, id=cell_id, metadata=dict(metadata))


def _whole(points: float) -> float:
    """Points as a whole number if possible, as nbgrader writes them in metadata: 2.0 becomes 2."""
    return int(points) if points == int(points) else points
