"""A lesson and a library's module become a student notebook and a solved one; what is wrong is said with its line."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import sqlite3
import sys
from pathlib import Path

import nbformat
import pytest
from nbgrader.apps import NbGraderAPI
from nbgrader.nbgraderformat import MetadataValidator
from traitlets.config import Config

from grading import cli
from grading.errors import GradingError
from grading.lessons.build import build
from grading.lessons.lesson import Lesson, find_lessons, read_lesson
from grading.lessons.library import LibraryModule
from grading.lessons.notebook import make_notebooks, notebook_text
from grading.lessons.verify import verify
from grading.storage import files
from grading.storage.project import PROJECT
from grading.submission.cell_ids import exercise_cell_id
from tests.grading.lessons import tiny_course


@pytest.fixture
def lesson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("grading.exercises.registry.chapters", lambda: {2: tiny_course.registered_chapter()})
    return tiny_course.write_course(tmp_path)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose notebooks have been built and executed once."""
    root = tmp_path_factory.mktemp("built")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("grading.exercises.registry.chapters", lambda: {2: tiny_course.registered_chapter()})
        build(tiny_course.write_course(root), root / "notebooks", library=root)
    return root


def cells(notebook: nbformat.NotebookNode) -> dict[str, nbformat.NotebookNode]:
    return {cell.id: cell for cell in notebook.cells}


def notebooks(lesson: Path) -> tuple[dict, dict]:
    student, solved = make_notebooks(read_lesson(lesson), lesson.parents[2])
    return cells(student), cells(solved)


# What the notebooks hold


def test_cells_keep_the_lessons_order_and_have_readable_ids(lesson: Path) -> None:
    student, solved = notebooks(lesson)
    ids = [re.sub(r"-[0-9a-f]{4}$", "", cell_id) for cell_id in student]
    assert ids == [
        "text-1", "setup", "code-2",
        "about-given-mean", "given-mean", "task-centered", "exercise-centered", "check-centered",
        "code-4", "code-5",
        "about-given-epsilon", "given-epsilon", "task-scaler", "exercise-scaler", "check-scaler",
        "text-7",
    ]  # fmt: skip
    assert list(solved) == list(student)
    assert exercise_cell_id("MultiHeadAttention") == "exercise-multi-head-attention"
    assert exercise_cell_id("scaled_dot_product") == "exercise-scaled-dot-product"


def test_a_function_keeps_signature_docstring_and_nothing_of_its_answer(lesson: Path) -> None:
    student, solved = notebooks(lesson)
    start = tiny_course.MODULE.index("def centered")
    secret = tiny_course.MODULE.index("    # The secret")
    end = tiny_course.MODULE.index("\n\n\n@staticmethod")
    kept = tiny_course.MODULE[start:secret]
    assert student["exercise-centered"].source == (
        kept + '    raise NotImplementedError("Write centered, then run the check below.")'
    )
    assert solved["exercise-centered"].source == tiny_course.MODULE[start:end]


def test_of_a_class_only_the_named_methods_are_blanked(lesson: Path) -> None:
    student, solved = notebooks(lesson)
    text = student["exercise-scaler"].source
    assert '"""Learns the spread."""\n        raise NotImplementedError("Write Scaler.fit, then' in text
    assert "self.shift = shift" in text and 'f"shifts by' in text
    assert "_spread" not in text and "max(" not in text
    assert solved["exercise-scaler"].source.startswith("def _spread(")
    assert solved["exercise-scaler"].source.endswith('return f"shifts by {self.shift}"')


def test_given_code_comes_before_the_first_exercise_that_needs_it(lesson: Path) -> None:
    student, _ = notebooks(lesson)
    assert student["given-mean"].source.startswith("def _mean(")
    assert student["given-epsilon"].source == "# Below this, two numbers are the same.\n_EPSILON = 1e-9"
    everything = "".join(cell.source for cell in student.values())
    assert "_squares" not in everything and "_unused" not in everything


def test_given_code_is_introduced(lesson: Path) -> None:
    student, _ = notebooks(lesson)
    assert student["about-given-mean"].source == (
        "**Given** for `centered`. Run it and go on; read it when you want to know how.\n\n- `_mean`: The sum over the "
        "count."
    )
    assert student["about-given-epsilon"].source.endswith("\n\n- `_EPSILON`: Below this, two numbers are the same.")


def test_given_code_without_an_explanation_is_refused(lesson: Path) -> None:
    module = lesson.parents[2] / "course" / "scaling.py"
    text = module.read_text()
    module.write_text(text.replace('    """The sum over the count. Nobody has to write it."""\n', ""))
    assert module.read_text() != text
    with pytest.raises(GradingError, match="students get `_mean` without an explanation: write a docstring"):
        make_notebooks(read_lesson(lesson), lesson.parents[2])


def test_the_setup_cell_imports_what_the_module_imports(lesson: Path) -> None:
    student, _ = notebooks(lesson)
    assert student["setup"].source == (
        "from __future__ import annotations\n\n"
        "from grading.student_kernel.check import check\n\n"
        "import math\nfrom collections.abc import Sequence\n\n"
        "from course.rounding import half_up"
    )


def test_the_first_text_says_how_long_the_chapter_takes(lesson: Path) -> None:
    def duration() -> str:
        student, _ = notebooks(lesson)
        return next(iter(student.values())).source.splitlines()[2]

    assert duration() == "*Chapter 2. About 15 minutes, 12 of them for the exercises.*"
    text = lesson.read_text(encoding="utf-8")
    lesson.write_text(
        text.replace("Well done.", "word " * 1_000 + "\n\n```python\n" + "1\n" * 40 + "```"), encoding="utf-8"
    )
    assert duration() == "*Chapter 2. About 20 minutes, 12 of them for the exercises.*"  # 12 + 5 + 2
    question = "\n\n## Find the bug\n\nWhere?\n\n??? answer\nThere.\n???\n"
    lesson.write_text(lesson.read_text(encoding="utf-8") + question, encoding="utf-8")
    assert duration() == "*Chapter 2. About 25 minutes, 12 of them for the exercises.*"  # and 2 for the question


def test_a_task_says_points_difficulty_and_minutes_and_what_is_checked(lesson: Path) -> None:
    student, _ = notebooks(lesson)
    assert student["task-centered"].source == (
        "**Exercise** `centered` · 2.5 points · difficulty 1/5 · about 5 minutes\n\n"
        "<details>\n<summary>What is checked: your code …</summary>\n\n- returns zeros (2.5 points)\n\n</details>"
    )
    assert student["check-centered"].source.splitlines()[-1] == "check(centered)"


def test_that_sizes_are_unknown_while_a_model_is_compiled_is_said_below_the_first_exercise_that_is(
    lesson: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compiled(implementation: object, random: object) -> None: ...

    chapter = tiny_course.registered_chapter()
    for exercise in chapter.exercises.values():
        exercise.check("runs in a compiled model", points=1)(compiled)
    monkeypatch.setattr("grading.exercises.registry.chapters", lambda: {2: chapter})
    for notebook in notebooks(lesson):
        told = [cell_id for cell_id, cell in notebook.items() if "`ops.shape(x)`" in cell.source]
        assert told == ["task-centered"]


def test_that_no_check_asks_for_errors_is_said_once_and_where_some_are_listed(lesson: Path) -> None:
    module = lesson.parents[2] / "course" / "scaling.py"
    raises = "\n\n    Raises:\n        ValueError: no number."
    module.write_text(module.read_text().replace("become -1 and 1.", f"become -1 and 1.{raises}"))
    student, solved = notebooks(lesson)
    for notebook in (student, solved):
        told = [cell_id for cell_id, cell in notebook.items() if "No check asks for them." in cell.source]
        assert told == ["task-centered"]


def test_metadata_names_kernel_and_chapter_and_text_has_no_outputs(lesson: Path) -> None:
    student, _ = make_notebooks(read_lesson(lesson), lesson.parents[2])
    nbformat.validate(student)
    assert student.metadata.kernelspec.name == "python3"
    assert student.metadata.course == {"chapter": 2}
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in student.cells)


@pytest.mark.parametrize(
    ("source", "blanked"),
    [
        ("def f(x): return x", "def f(x):\n    raise NotImplementedError('m')"),
        ('def f(x): "doc"; return x', "def f(x):\n    raise NotImplementedError('m')"),
        (
            "def f(\n    x={1: 2},\n):\n    # no\n    return x",
            "def f(\n    x={1: 2},\n):\n    raise NotImplementedError('m')",
        ),
        ('def f(x):\n    "√"  # ü\n\n    return x', "def f(x):\n    \"√\"  # ü\n    raise NotImplementedError('m')"),
        ('def f(x):\n    "√ü"; return x', "def f(x):\n    \"√ü\"\n    raise NotImplementedError('m')"),
        (
            "@d\nasync def f(x) -> int:  # why\n    if x:\n        return x\n\n    # no\n\n    return 1\n    # no",
            "@d\nasync def f(x) -> int:  # why\n    raise NotImplementedError('m')",
        ),
    ],
)
def test_a_body_is_taken_out_however_it_is_written(source: str, blanked: str) -> None:
    module = LibraryModule(Path("module.py"), "module", source)
    definition = module.definitions[0]
    assert isinstance(definition.node, ast.FunctionDef | ast.AsyncFunctionDef)
    given = module.text(definition, [module.blank(definition.node, "m")])
    assert given.replace('"m"', "'m'") == blanked


# nbgrader


def test_cells_carry_nbgraders_marks(lesson: Path) -> None:
    student, _ = notebooks(lesson)
    marks = {cell_id: cell.metadata.get("nbgrader", {}) for cell_id, cell in student.items()}
    kinds = {name: (m["grade"], m["solution"], m["locked"], m.get("points")) for name, m in marks.items() if m}
    exercise, check, locked = (False, True, False, None), (True, False, True, 2.5), (False, False, True, None)
    assert kinds == {
        "setup": locked, "given-mean": locked, "given-epsilon": locked,
        "exercise-centered": exercise, "exercise-scaler": exercise,
        "check-centered": check, "check-scaler": check,
    }  # fmt: skip


def test_nbgrader_generates_an_assignment_from_the_solved_notebook(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # nbgrader looks for its database tool on the path.
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    solved = built / "notebooks" / "solved" / "02_scaling.ipynb"
    MetadataValidator().validate_nb(nbformat.read(solved, as_version=4))
    source = tmp_path / "source" / "tiny"
    source.mkdir(parents=True)
    shutil.copy(solved, source)

    config = Config()
    config.CourseDirectory.root = str(tmp_path)
    config.CourseDirectory.course_id = "tiny"
    outcome = NbGraderAPI(config=config).generate_assignment("tiny")

    assert outcome["success"], outcome["log"]
    released = nbformat.read(tmp_path / "release" / "tiny" / "02_scaling.ipynb", as_version=4)
    assert cells(released)["check-centered"].metadata.editable is False
    assert "_mean(values)" not in cells(released)["exercise-centered"].source
    with sqlite3.connect(tmp_path / "gradebook.db") as gradebook:
        rows = gradebook.execute(
            "SELECT base_cell.name, max_score FROM grade_cells JOIN base_cell ON base_cell.id = grade_cells.id"
        )
        assert dict(rows) == {"check-centered": 2.5, "check-scaler": 2.5}


# Building


def test_the_solved_notebook_is_executed_and_a_gpu_cell_is_not(built: Path) -> None:
    solved = nbformat.read(built / "notebooks" / "solved" / "02_scaling.ipynb", as_version=4)
    outputs = {
        cell.id: [output.get("text") for output in cell.outputs]
        for cell in solved.cells
        if cell.cell_type == "code" and cell.outputs
    }
    assert [text for key, text in outputs.items() if key.startswith("code-4")] == [["[-1.0, 1.0]\n"]]
    assert outputs["check-scaler"] == ["checking Scaler\n"]
    counts = [cell.execution_count for cell in solved.cells if cell.cell_type == "code"]
    assert [count for count in counts if count] == list(range(1, len(counts)))
    gpu = next(cell for cell in solved.cells if "gpu" in cell.metadata.get("tags", []))
    assert gpu.execution_count is None and "nbval-skip" in gpu.metadata.tags
    assert "version" not in solved.metadata.language_info
    assert not any("execution" in cell.metadata for cell in solved.cells)


def test_building_twice_gives_the_same_bytes(built: Path, lesson: Path) -> None:
    root = lesson.parents[2]
    build(lesson, root / "notebooks", library=root)
    for name in ("02_scaling.ipynb", "solved/02_scaling.ipynb"):
        assert (root / "notebooks" / name).read_bytes() == (built / "notebooks" / name).read_bytes()


def test_log_outputs_are_not_kept_and_what_is_printed_around_them_is_one_output(lesson: Path) -> None:
    root = lesson.parents[2]
    noisy = (
        "import sys\nprint('kept', flush=True)\nprint('12:03:04 noise', file=sys.stderr, flush=True)\nprint('in one')"
    )
    lesson.write_text(tiny_course.LESSON.replace("numbers = [1.0, 3.0]", f"numbers = [1.0, 3.0]\n{noisy}"))
    build(lesson, root / "notebooks", library=root)
    solved = nbformat.read(root / "notebooks" / "solved" / "02_scaling.ipynb", as_version=4)
    (cell,) = (cell for cell in solved.cells if "noise" in cell.source)
    assert [(output.name, output.text) for output in cell.outputs] == [("stdout", "kept\nin one\n")]


def test_interactive_outputs_are_run_and_not_kept(lesson: Path) -> None:
    root = lesson.parents[2]
    text = tiny_course.LESSON.replace("```python\nprint(", '```python tags=["remove-output"]\nprint(')
    assert text != tiny_course.LESSON
    lesson.write_text(text)
    build(lesson, root / "notebooks", library=root)
    solved = nbformat.read(root / "notebooks" / "solved" / "02_scaling.ipynb", as_version=4)
    (cell,) = (cell for cell in solved.cells if "remove-output" in cell.metadata.get("tags", []))
    assert cell.execution_count and cell.outputs == []
    assert cells(solved)["check-scaler"].outputs


def test_outputs_stay_without_a_run_as_long_as_only_text_has_changed(project: Path) -> None:
    lesson = project / "notebooks" / "source" / "02_scaling.md"
    before = nbformat.read(project / "notebooks" / "solved" / "02_scaling.ipynb", as_version=4)

    def rebuilt(text: str) -> nbformat.NotebookNode:
        lesson.write_text(text)
        build(lesson, project / "notebooks", execute=False, library=project)
        return nbformat.read(project / "notebooks" / "solved" / "02_scaling.ipynb", as_version=4)

    retold = rebuilt(tiny_course.LESSON.replace("# Tiny", "# Tiny, and told again"))
    assert "told again" in retold.cells[0].source
    assert [cell.get("outputs") for cell in retold.cells] == [cell.get("outputs") for cell in before.cells]
    assert verify(lesson.parent, project / "notebooks", project) == []
    module = project / "course" / "scaling.py"
    module.write_text(module.read_text().replace("Brings numbers to", "Moves and scales numbers to"))
    explained = rebuilt(tiny_course.LESSON)
    assert any("Moves and scales" in cell.source for cell in explained.cells)
    assert [cell.get("outputs") for cell in explained.cells] == [cell.get("outputs") for cell in before.cells]
    changed = rebuilt(tiny_course.LESSON.replace("[1.0, 3.0]", "[1.0, 5.0]"))
    assert not any(cell.get("outputs") for cell in changed.cells)


def test_a_failing_cell_is_named_and_nothing_is_written(lesson: Path) -> None:
    root = lesson.parents[2]
    lesson.write_text(tiny_course.LESSON.replace("print(centered(numbers))", "print(1 / 0)"))
    with pytest.raises(GradingError) as error:
        build(lesson, root / "notebooks", library=root)
    assert re.search(r"02_scaling\.md: cell 'code-4-[0-9a-f]{4}' of the solved notebook fails", str(error.value))
    assert "ZeroDivisionError" in str(error.value) and "\x1b" not in str(error.value)
    assert not list((root / "notebooks").rglob("*.ipynb"))


def test_a_dead_kernel_is_reported(lesson: Path) -> None:
    root = lesson.parents[2]
    lesson.write_text(tiny_course.LESSON.replace("print(centered(numbers))", "import os; os._exit(3)"))
    with pytest.raises(GradingError, match=r"cell 'code-4-[0-9a-f]{4}' of the solved notebook fails"):
        build(lesson, root / "notebooks", library=root)


# Verifying


@pytest.fixture
def project(built: Path, lesson: Path) -> Path:
    """A project of a test's own, built."""
    root = lesson.parents[2]
    shutil.copytree(built / "notebooks", root / "notebooks", dirs_exist_ok=True)
    return root


def findings(project: Path) -> dict[str, str]:
    found = verify(project / "notebooks" / "source", project / "notebooks", project)
    return {str(finding.path.relative_to(project / "notebooks")): finding.reason for finding in found}


def test_unchanged_notebooks_give_no_findings(project: Path) -> None:
    assert findings(project) == {}


def test_a_changed_docstring_is_found_in_both_notebooks_with_a_short_diff(project: Path) -> None:
    module = project / "course" / "scaling.py"
    module.write_text(module.read_text().replace("mean is 0", "mean is nil"), encoding="utf-8")
    found = verify(project / "notebooks" / "source", project / "notebooks", project)
    assert len(found) == 2
    for finding in found:
        assert finding.reason == "does not match its sources"
        assert any(line.startswith("+") and "mean is nil" in line for line in finding.diff)
        assert len(finding.diff) <= 13


def test_a_changed_answer_is_found_in_the_solved_notebook_alone(project: Path) -> None:
    module = project / "course" / "scaling.py"
    module.write_text(module.read_text().replace("middle", "center"), encoding="utf-8")
    assert findings(project) == {"solved/02_scaling.ipynb": "does not match its sources"}


@pytest.mark.parametrize(
    ("key", "change", "reason"),
    [
        ("check-centered", {"execution_count": None}, "cell 'check-centered' has not been executed"),
        ("setup", {"execution_count": 7}, "cell 'setup' was executed out of order, as number 7 instead of 1"),
        (
            "check-scaler",
            {"outputs": [{"output_type": "error", "ename": "E", "evalue": "", "traceback": []}]},
            "cell 'check-scaler' has failed",
        ),
    ],
)
def test_a_solved_notebook_that_did_not_run_through_is_found(
    project: Path, key: str, change: dict, reason: str
) -> None:
    path = project / "notebooks" / "solved" / "02_scaling.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    next(cell for cell in notebook["cells"] if cell["id"] == key).update(change)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    assert findings(project) == {"solved/02_scaling.ipynb": reason}


def test_missing_damaged_and_left_over_notebooks_are_found(project: Path) -> None:
    (project / "notebooks" / "02_scaling.ipynb").unlink()
    (project / "notebooks" / "solved" / "02_scaling.ipynb").write_text('{"cells": [')
    (project / "notebooks" / "01_old.ipynb").write_text("{}")
    found = findings(project)
    assert found["02_scaling.ipynb"] == "is missing"
    assert found["solved/02_scaling.ipynb"].startswith("is not a notebook")
    assert found["01_old.ipynb"] == "has no lesson"


# What is said where a lesson is wrong


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("scaling.centered", "scaling.centred", "line 14: course.scaling defines no centred; it defines _EPSILON"),
        ('methods="fit"', 'methods="fit transform"', "line 25: Scaler has no method transform; it has __init__"),
        (' methods="fit"', "", "line 25: Scaler is a class; name the methods that students write"),
        ('helpers="_spread', 'helpers="_spred', "line 25: course.scaling defines no _spred"),
        ('centered" diff', 'centered" methods="fit" diff', "line 14: centered is a function; only a class has methods"),
        ("scaling.centered", "scaling._EPSILON", "line 14: _EPSILON is neither a function nor a class"),
        ("scaling.centered", "scale.centered", "line 25: Scaler is from course.scaling; the lesson teaches"),
        ("course.scaling", "course.scale", "line 14: there is no module course.scale; wanted"),
        ("minutes=5", 'minutes="5"', "line 14: minutes is '5'; wanted a whole number"),
        (" minutes=5", "", "line 14: the exercise does not say its minutes"),
        ("minutes=5", "minutes=5 method=1", "line 14: an exercise has no option 'method'; wanted of exercise"),
        ('"1/5"', '"hard"', "line 14: difficulty is 'hard'; wanted 1/5 to 5/5"),
        ("minutes=5\n", "minutes=5\ndef centered(): ...\n", "line 14: the fence of centered must be empty"),
        ("chapter: 2", "chapter: two", "line 1: the front matter must have title, chapter; chapter is"),
        ("chapter: 2", "chapter: 4", "line 14: the checks of centered are for chapter 2"),
        (
            'Scaler" methods="fit" helpers="_spread _squares _floored"',
            'centered"',
            "line 25: centered is an exercise twice",
        ),
        ('exercise="course.scaling.centered"', "exercise=course.scaling.centered", 'line 14: cannot read'),
    ],
)  # fmt: skip
def test_errors_name_the_line_and_the_expected_value(lesson: Path, old: str, new: str, message: str) -> None:
    assert old in tiny_course.LESSON
    lesson.write_text(tiny_course.LESSON.replace(old, new), encoding="utf-8")
    with pytest.raises(GradingError) as error:
        make_notebooks(read_lesson(lesson), lesson.parents[2])
    assert str(error.value).startswith(f"{lesson}, {message}")


def test_a_private_method_of_the_answer_is_in_the_solved_notebook_alone(lesson: Path) -> None:
    student, solved = make_notebooks(read_lesson(lesson), lesson.parents[2])
    written, given = (next(cell for cell in made.cells if cell.id == "exercise-scaler") for made in (solved, student))
    assert "    def _floored(self, spread: float) -> float:\n        return max(spread, _EPSILON)\n" in written.source
    assert "_floored" not in given.source
    assert "    def describe(self)" in given.source


def test_an_exercise_without_checks_is_refused(lesson: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "grading.exercises.registry.chapters", lambda: {2: tiny_course.registered_chapter(("centered",))}
    )
    with pytest.raises(GradingError, match="line 25: Scaler has no checks"):
        notebooks(lesson)
    chapter = tiny_course.registered_chapter()
    chapter.exercises["centered"].checks.clear()
    monkeypatch.setattr("grading.exercises.registry.chapters", lambda: {2: chapter})
    with pytest.raises(GradingError, match="line 14: centered has no checks"):
        notebooks(lesson)


def test_an_exercise_with_checks_that_the_lesson_forgets_is_refused(
    lesson: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chapter = tiny_course.registered_chapter(("centered", "Scaler", "ranks"))
    monkeypatch.setattr("grading.exercises.registry.chapters", lambda: {2: chapter})
    with pytest.raises(GradingError, match="chapter 2 also checks ranks"):
        notebooks(lesson)


def test_two_lessons_of_one_chapter_and_no_lesson_are_refused(lesson: Path, tmp_path: Path) -> None:
    shutil.copy(lesson, lesson.with_name("02_again.md"))
    with pytest.raises(GradingError, match=r"02_.*\.md and 02_.*\.md both say that they are chapter 2"):
        find_lessons(lesson.parent)
    with pytest.raises(GradingError, match="there is no lesson in"):
        find_lessons(tmp_path / "course")


def test_a_lesson_that_is_not_text_is_refused(lesson: Path) -> None:
    lesson.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(GradingError, match="is not UTF-8 text"):
        read_lesson(lesson)
    with pytest.raises(GradingError, match="No such file"):
        read_lesson(lesson.with_name("gone.md"))


# The cells of the course's own lessons

LESSONS = {lesson.chapter: lesson for lesson in find_lessons(PROJECT / "notebooks" / "source")}


def code_cells(lesson: Lesson) -> list[str]:
    return [cell.source for cell in lesson.cells if cell.is_code and cell.task is None]


def names_in(*nodes: ast.AST) -> set[str]:
    return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}


@pytest.mark.parametrize("chapter", [8, 11, 12, 13, 14, 15])
def test_what_runs_on_the_learners_model_has_no_id_of_the_samples_vocabulary(chapter: int) -> None:
    sources = code_cells(LESSONS[chapter])
    statements = [node for source in sources for node in ast.parse(source).body]
    functions = {node.name: node for node in statements if isinstance(node, ast.FunctionDef)}
    of_vocabulary = {
        name
        for node in statements
        if isinstance(node, ast.Assign) and re.search("vocabulary|tokenizer", ast.unparse(node.value), re.IGNORECASE)
        for name in names_in(*node.targets)
    }
    (learners,) = [ast.parse(source) for source in sources if "my_model.load(" in source]
    calls = [
        (node, functions[node.func.id])
        for node in ast.walk(learners)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions
    ]
    assert calls
    for call, function in calls:
        parameters = [parameter.arg for parameter in function.args.args]
        defaults = function.args.defaults
        defaulted = dict(zip(parameters[len(parameters) - len(defaults) :], defaults, strict=True))
        given = {*parameters[: len(call.args)], *(keyword.arg for keyword in call.keywords)}
        left = [default for name, default in defaulted.items() if name not in given]
        used = (names_in(*function.body) - set(parameters)) | names_in(*left)
        assert not used & of_vocabulary, f"{function.name} uses {used & of_vocabulary}"


def test_all_rankers_of_chapter_14_have_a_quality_and_a_time() -> None:
    code = "\n".join(code_cells(LESSONS[14]))
    quality, times = (set(re.findall(rf'\b{table}\["(.+?)"\]', code)) for table in ("quality", "milliseconds"))
    assert quality == times
    assert "MaxSim of your model" in quality


# Files and commands


def test_a_file_is_written_whole_or_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "new" / "file.txt"
    files.write_file(path, "√1\n")
    assert path.read_bytes() == "√1\n".encode()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(GradingError, match=r"cannot write .*file\.txt: No space left on device"):
        files.write_file(path, b"other")
    assert path.read_text(encoding="utf-8") == "√1\n"
    assert list(path.parent.iterdir()) == [path]


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr("sys.argv", ["grading", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0)


def test_commands_build_what_is_not_up_to_date_and_verify(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = ("--project", project)
    assert run(monkeypatch, "build", *place) == 0
    assert capsys.readouterr().out == "02_scaling: up to date\n"
    assert run(monkeypatch, "build", "--verify", *place) == 0

    lesson = project / "notebooks" / "source" / "02_scaling.md"
    lesson.write_text(lesson.read_text(encoding="utf-8").replace("Well done", "Very well"), encoding="utf-8")
    assert run(monkeypatch, "build", "--verify", *place) == 1
    assert "Very well" in capsys.readouterr().err
    assert run(monkeypatch, "build", "--no-execute", *place) == 0
    assert capsys.readouterr().out == "02_scaling: built\n"
    assert run(monkeypatch, "build", "--verify", *place) == 0

    lesson.write_text(lesson.read_text(encoding="utf-8").replace("[1.0, 3.0]", "[1.0, 5.0]"), encoding="utf-8")
    assert run(monkeypatch, "build", "--no-execute", *place) == 0
    capsys.readouterr()
    assert run(monkeypatch, "build", "--verify", *place) == 1
    assert "'setup' has not been executed" in capsys.readouterr().err


def test_a_student_notebook_in_which_someone_works_stays(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = ("--project", project, "--no-execute")
    path = project / "notebooks" / "02_scaling.ipynb"
    built = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(built, as_version=4)
    cell = next(cell for cell in notebook.cells if cell.cell_type == "code")
    cell.source, cell.execution_count = "my_work = 1", 7
    written = built.replace("raise NotImplementedError", "return 2  # and no longer: raise NotImplementedError")
    for there in (nbformat.writes(notebook), written, built[:-9]):  # run, written, damaged
        path.write_text(there, encoding="utf-8")
        assert run(monkeypatch, "build", *place) == 0
        said = capsys.readouterr()
        assert "02_scaling.ipynb has your work and stays" in said.err.replace("\n", "")
        assert said.out == "02_scaling: up to date\n" and path.read_text(encoding="utf-8") == there
        solved = project / "notebooks" / "solved" / "02_scaling.ipynb"
        solved.rename(tmp_path / "solved.ipynb")
        assert run(monkeypatch, "build", *place) == 0 and solved.exists()  # the solved one is built all the same
        capsys.readouterr()
        (tmp_path / "solved.ipynb").replace(solved)
        assert path.read_text(encoding="utf-8") == there
    assert run(monkeypatch, "build", "--force", *place) == 0
    assert path.read_text(encoding="utf-8") == built


def test_an_error_is_one_line_and_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "build", "--project", tmp_path) == 1
    shown = capsys.readouterr()
    assert (
        shown.err
        == f"Error: there is no lesson in {tmp_path}/notebooks/source; lessons are files such as 03_attention.md\n"
    )
    assert shown.out == ""
    assert run(monkeypatch, "build", "--nonsense") == 2


def test_the_text_of_a_notebook_ends_in_a_line_feed(lesson: Path) -> None:
    student, _ = make_notebooks(read_lesson(lesson), lesson.parents[2])
    assert notebook_text(student).endswith("}\n")
