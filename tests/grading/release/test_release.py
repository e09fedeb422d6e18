"""A release works on its own, holds no answer, is the same every time, and never overwrites somebody's work."""

from __future__ import annotations

import ast
import gzip
import json
import os
import re
import subprocess
import sys
import textwrap
import time
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from grading.errors import GradingError
from grading.exercises.registry import chapter
from grading.exercises.solutions import SOLUTIONS
from grading.judging.frozen import unpacked
from grading.lessons.answers import Teaching, find_answers
from grading.lessons.lesson import find_lessons, read_lesson
from grading.release import blanked_library, bundle, publishing, workers
from grading.release.bundle import bundle_contents
from grading.release.library import blank_answers, released_modules
from grading.storage import cache as kept_files
from grading.storage.project import PROJECT
from tests.grading.lessons import tiny_course

pytestmark = pytest.mark.long

LESSON = PROJECT / "notebooks" / "source" / "03_attention.md"
LESSONS = find_lessons(PROJECT / "notebooks" / "source")
NUMBERS = [lesson.chapter for lesson in LESSONS]
SMALLEST_STATEMENT = 14  # nodes of a syntax tree; smaller ones, such as `return x`, are anybody's
SHORTEST_LINE = 30  # characters; shorter ones, likewise


@cache
def written_files(number: int) -> dict[str, bytes]:
    return bundle.written_files(number)


@pytest.fixture(scope="module")
def attention(released: Callable[[int], Path]) -> Path:
    """The bundle of chapter 3."""
    return released(3)


# No answer is in it


@cache
def answer_sources(number: int) -> dict[str, str]:
    """What must not be in a chapter's bundle: the mistakes that it knows, and the answers from that chapter on."""
    answers = {
        name: textwrap.dedent(ast.get_source_segment(teaching.module.source, body, padded=True) or "")
        for teaching in teachings(number)
        for answer in teaching.answers
        for name, body in answer.bodies.items()
    }
    exercises = PROJECT / "grading" / "exercises"
    for path in (*(exercises / chapter(number).package / "mistakes").glob("*.py"), *exercises.glob("*mistakes.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "mistake":
                wrong = [keyword.value for keyword in call.keywords if keyword.arg in ("change", "instead")]
                texts = [part for value in wrong for part in (value.values if isinstance(value, ast.Dict) else [value])]
                constants = [node.value for text in texts for node in ast.walk(text) if isinstance(node, ast.Constant)]
                answers[f"{path.stem}, the mistake in line {call.lineno}"] = "\n".join(map(str, constants))
    return answers


@cache
def teachings(number: int) -> list[Teaching]:
    """The chapters from that number on, each with its answers."""
    return [find_answers(lesson) for lesson in LESSONS if lesson.chapter >= number]


def statements(source: str) -> Iterator[str]:
    """The statements in functions' bodies, as syntax trees without places; docstrings are left out."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    for statement in (child for function in functions for child in ast.walk(function) if child is not function):
        if isinstance(statement, ast.stmt) and sum(1 for _ in ast.walk(statement)) >= SMALLEST_STATEMENT:
            yield ast.dump(statement)


def lines(source: str) -> Iterator[str]:
    for line in source.splitlines():
        bare = re.sub(r"\s+", "", line.partition("  #")[0])
        if len(bare) >= SHORTEST_LINE:
            yield bare


def texts_of(path: str, data: bytes) -> list[str]:
    """Everything in a file that can be read as text, cell by cell in a notebook."""
    if path.endswith("expected.gz"):
        return list(strings_in(unpacked(data)))
    if path.endswith(".safetensors"):
        return []  # numbers
    if path.endswith(".gz"):
        return [gzip.decompress(data).decode()]
    if path.endswith(".ipynb"):
        return ["".join(cell["source"]) for cell in json.loads(data)["cells"]]
    return [data.decode()]


def strings_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from (key, *strings_in(inner))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings_in(inner)


@cache
def parts_of(text: str) -> frozenset[str]:
    """The statements of a text that is Python, and its lines."""
    try:
        return frozenset([*statements(text), *lines(text)])
    except SyntaxError:  # prose
        return frozenset(lines(text))


def leaks(files: dict[str, bytes], number: int) -> set[str]:
    """The answers of that chapter, or a later one, of which a part is in some file.

    What stands in the blanked modules, in the chapters before and in what is given, is no secret.
    """
    public = "".join(blank_answers(teaching) for teaching in teachings(number))
    public += "".join(find_answers(lesson).module.source for lesson in LESSONS if lesson.chapter < number)
    # A mistake may quote what is given.
    public += "".join(path.read_text(encoding="utf-8") for path in (PROJECT / "course" / "given").glob("*.py"))
    secrets = {name: parts_of(source) - parts_of(public) for name, source in answer_sources(number).items()}
    # A lesson may show how something is done that a later one leaves to the student.
    later = {name for teaching in teachings(number)[1:] for answer in teaching.answers for name in answer.bodies}
    return {
        f"{name} in {path}"
        for path, data in files.items()
        for parts in map(parts_of, texts_of(path, data))
        for name, secret in secrets.items()
        if not (path.endswith(".ipynb") and name in later) and not secret.isdisjoint(parts)
    }


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.parametrize("number", NUMBERS)
def test_no_answer_no_mistake_and_no_other_check_is_in_the_bundle(number: int, released: Callable[[int], Path]) -> None:
    files = files_of(released(number))
    assert leaks(files, number) == set()
    packages = {Path(path).parts[2] for path in files if path.startswith("grading/exercises/") and path.count("/") > 2}
    assert packages == {chapter(number).package}
    secret = {"mistakes", "solutions", "solutions.py", "answers", "students.py"}
    assert [path for path in files if not secret.isdisjoint(Path(path).parts)] == []


@pytest.mark.parametrize("number", NUMBERS)
def test_no_solution_in_another_style_is_in_the_bundle(number: int) -> None:
    texts = [text for path, data in written_files(number).items() for text in texts_of(path, data)]
    solutions = [solution for name in chapter(number).exercises for solution in SOLUTIONS[name]]
    assert len(solutions) >= 3 * len(chapter(number).exercises)
    assert [one for one in solutions if any(one.source.strip() in text for text in texts)] == []


@pytest.mark.parametrize("number", NUMBERS)
def test_the_search_finds_every_answer_where_there_is_one(number: int) -> None:
    whole = {"course.py": teachings(number)[0].module.source.encode()}
    found = {leak.partition(" in ")[0] for leak in leaks(whole, number)}
    assert found >= {name for answer in teachings(number)[0].answers for name in answer.bodies}


@pytest.mark.parametrize("number", NUMBERS)
def test_a_bundle_holds_the_sample_where_its_notebook_loads_it(number: int) -> None:
    files = written_files(number)
    loads_it = b"load_sample()" in files[f"{chapter(number).slug}.ipynb"]
    assert ("datasets/sample.jsonl.gz" in files) == loads_it
    if loads_it:
        assert files["datasets/sample.jsonl.gz"] == (PROJECT / "datasets" / "sample.jsonl.gz").read_bytes()


@pytest.mark.parametrize("number", NUMBERS)
def test_a_bundle_holds_the_pretrained_encoder_where_its_notebook_loads_it(number: int) -> None:
    files = written_files(number)
    folder = PROJECT / "datasets" / "sample_encoder"
    held = {path: data for path, data in files.items() if path.startswith("datasets/sample_encoder/")}
    loads_it = b"SAMPLE_ENCODER" in files[f"{chapter(number).slug}.ipynb"]
    assert held == (
        {f"datasets/sample_encoder/{path}": data for path, data in files_of(folder).items()} if loads_it else {}
    )
    assert loads_it == (number in (5, 7, 8, 9, 11, 12, 13, 14, 15))


@pytest.mark.parametrize("number", NUMBERS)
def test_a_bundle_holds_the_page_to_touch_where_its_notebook_shows_it(number: int) -> None:
    files = written_files(number)
    pages = PROJECT / "course" / "explorer" / "templates"
    held = {path for path in files if path.startswith("course/explorer/templates/")}
    shows_it = b"import explore" in files[f"{chapter(number).slug}.ipynb"]
    assert held == ({f"course/explorer/templates/{path.name}" for path in pages.iterdir()} if shows_it else set())
    assert shows_it == (number == 7)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_bundle_holds_every_file_that_its_notebook_sends_to(number: int) -> None:
    files = written_files(number)
    named = re.findall(rb"`((?:recipes|docs|datasets)/[^`]+)`", files[f"{chapter(number).slug}.ipynb"])
    assert {name.decode() for name in named} <= files.keys()
    assert (number == 8) == any(path.startswith("recipes/") for path in files)


def test_the_zip_file_holds_the_same_files_with_the_date_of_the_newest(attention: Path) -> None:
    sources = [PROJECT / path for path in files_of(attention)]
    *date, second = time.gmtime(max(path.stat().st_mtime for path in sources if path.is_file()))[:6]
    with zipfile.ZipFile(publishing.zip_path(attention)) as archive:
        packed = {entry.filename: archive.read(entry) for entry in archive.infolist()}
        assert {entry.date_time for entry in archive.infolist()} == {(*date, second // 2 * 2)}  # zip counts every other
        assert archive.namelist() == sorted(archive.namelist())
    assert packed == {f"03_attention/{path}": data for path, data in files_of(attention).items()}


@pytest.mark.parametrize("number", NUMBERS)
def test_the_readme_lists_the_exercises_in_the_notebooks_order_and_says_what_this_chapter_needs(number: int) -> None:
    files = written_files(number)
    readme, notebook = files["README.md"].decode(), json.loads(files[f"{chapter(number).slug}.ipynb"])
    tasks = [cell for cell in notebook["cells"] if cell["id"].startswith("task-")]
    asked = re.findall(r"\*\*Exercise\*\* `(\w+)`", "".join("".join(cell["source"]) for cell in tasks))
    assert re.findall(r"^- `(\w+)`", readme, re.MULTILINE) == asked
    assert ("Change runtime type" in readme) == any(
        "gpu" in cell["metadata"].get("tags", []) for cell in notebook["cells"]
    )
    assert ("Copy their folder `my_bert`" in readme) == (number > 1)
    assert ("copy its folder `my_model`" in readme) == (number > 7)
    assert ("MyDrive/my_model my_model" in readme) == (number >= 7)


def test_the_same_sources_give_the_same_bytes(
    released: Callable[[int], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_files, "FOLDER", tmp_path)  # nothing is kept there yet
    with workers() as executor:
        assert bundle_contents(2, executor) == files_of(released(2))


# It works


def run_in(folder: Path, code: str) -> str:
    """Runs code as a notebook's kernel in that folder would."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    outcome = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert outcome.returncode == 0, outcome.stderr
    return outcome.stdout


def test_in_a_bundle_right_code_passes_wrong_code_fails_and_unwritten_code_says_so(attention: Path) -> None:
    answers = {answer.task.name: answer for answer in find_answers(read_lesson(LESSON)).answers}
    module = find_answers(read_lesson(LESSON)).module
    right = module.text(answers["causal_mask"].definition)
    wrong = "def padding_mask(token_ids, padding_id=0):\n    return token_ids == padding_id"
    shown = run_in(
        attention,
        f"{module.imports}\nimport grading\nfrom grading.student_kernel.check import check\nprint(grading.__file__)\n"
        f"{right}\n{wrong}\n"
        "from course.attention import split_heads\n"
        "for one in (causal_mask, padding_mask, split_heads): print('==', one.__name__); check(one)",
    )
    assert shown.startswith(str(attention))
    _, causal, padding, split = shown.split("== ")
    points = chapter(3).exercises["causal_mask"].points
    assert f"{points:g} of {points:g}" in causal
    assert f"0 of {chapter(3).exercises['padding_mask'].points:g}" in padding
    assert "split_heads is an exercise of chapter 3: write it in the notebook." in split


def test_a_bundle_needs_nothing_that_is_not_in_it(attention: Path) -> None:
    names = [path.with_suffix("").as_posix().replace("/", ".") for path in sorted(
        path.relative_to(attention) for path in attention.glob("**/*.py") if path.name != "__init__.py"
    )]  # fmt: skip
    assert not any("mistakes" in name for name in names)
    imports = "\n".join(f"import {name}" for name in names)
    modules = "[m.__file__ for n, m in sys.modules.items() if n.partition('.')[0] in ('course', 'grading')]"
    shown = run_in(attention, f"import json, sys\n{imports}\nprint(json.dumps({modules}))")
    assert all(Path(file).is_relative_to(attention) for file in json.loads(shown))


def test_the_readme_says_how_to_set_up_and_hand_in(attention: Path) -> None:
    text = (attention / "README.md").read_text(encoding="utf-8")
    for wanted in ("Linux", "macOS", "Windows", "Colab", "pip install -c requirements.lock -e .", "Hand in"):
        assert wanted in text
    for name in chapter(3).exercises:
        assert f"- `{name}` (" in text
    assert "{{" not in text and "{%" not in text


# The library without its answers


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Chapters 1, 2 and 3 of a tiny course; chapter 2 is `scaling`."""
    tiny_course.write_course(tmp_path)
    source = tmp_path / "notebooks" / "source"
    for number, name in ((1, "first"), (3, "last")):
        module = f'def {name}(x):\n    """Doubles."""\n    return x * 2 + _odd(x)\n\n\ndef _odd(x):\n    return x % 2\n'
        (tmp_path / "course" / f"{name}s.py").write_text(module)
        (source / f"0{number}_{name}s.md").write_text(
            f"---\ntitle: T\nchapter: {number}\n---\n\n"
            f'```python exercise="course.{name}s.{name}" difficulty="1/5" minutes=5\n```\n'
        )
    return tmp_path


def test_chapters_before_are_whole_this_one_is_blanked_and_later_ones_are_absent(project: Path) -> None:
    to = project / "released"
    blanked_library(2, to, project)
    modules = ("__init__", "firsts", "rounding", "scaling")
    assert files_of(to).keys() == {f"{package}/{name}.py" for package in ("course", "my_bert") for name in modules}
    assert (to / "my_bert" / "firsts.py").read_text() == "from course.firsts import *\n"
    assert (to / "course" / "firsts.py").read_text() == (project / "course" / "firsts.py").read_text()
    scaling = (to / "course" / "scaling.py").read_text(encoding="utf-8")
    assert "Scaler.fit is an exercise of chapter 2: write it in the notebook." in scaling


def test_code_that_only_answers_use_is_removed_and_the_module_still_works(project: Path) -> None:
    blanked_library(2, project / "released", project)
    text = (project / "released" / "course" / "scaling.py").read_text(encoding="utf-8")
    for secret in ("_mean", "_spread", "_squares", "_EPSILON", "Below this", "The secret", "that was it"):
        assert secret not in text
    assert "def _unused" in text and "self.shift = shift" in text
    shown = run_in(
        project / "released",
        "import course.scaling as s; print(s.Scaler(2.0).describe())\n"
        "try: s.Scaler().fit([1.0])\nexcept NotImplementedError as error: print(error)",
    )
    assert shown == ("shifts by 2.0\nScaler.fit is an exercise of chapter 2: write it in the notebook.\n")


def test_a_late_import_of_a_later_chapter_stays_behind(project: Path) -> None:
    (project / "course" / "helps.py").write_text("")
    (project / "course" / "shown.py").write_text(
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from course.lasts import last\n\n\n"
        "def shown(x):\n    from course import helps, lasts\n"
    )
    scaling = project / "course" / "scaling.py"
    scaling.write_text(f"import course.shown\n\n{scaling.read_text(encoding='utf-8')}", encoding="utf-8")
    assert released_modules(2, project).keys() >= {"course.shown", "course.helps"}
    assert "course.lasts" not in released_modules(2, project)


def test_a_bundle_that_needs_a_later_chapter_is_refused(project: Path) -> None:
    scaling = project / "course" / "scaling.py"
    scaling.write_text(f"class Shown:\n    import course.lasts\n\n{scaling.read_text(encoding='utf-8')}", "utf-8")
    with pytest.raises(GradingError, match=r"chapter 2 needs course\.lasts, which chapter 3 teaches"):
        released_modules(2, project)


@pytest.mark.parametrize("number", NUMBERS)
def test_no_bundle_holds_a_module_of_a_later_chapter(number: int) -> None:
    held = {Path(path).stem for path in written_files(number) if path.startswith("course/") and path.count("/") == 1}
    assert held >= {chapter(earlier).package for earlier in NUMBERS if earlier <= number}
    assert held.isdisjoint(chapter(later).package for later in NUMBERS if later > number)


def test_a_helper_that_others_use_stays_but_its_answer_goes(project: Path) -> None:
    module = project / "course" / "scaling.py"
    module.write_text(module.read_text(encoding="utf-8") + "\n\nPUBLIC = _squares\n", encoding="utf-8")
    text = blank_answers(find_answers(read_lesson(project / "notebooks/source/02_scaling.md"), project))
    assert "def _squares(values: Sequence[float]) -> float:\n    raise NotImplementedError" in text
    assert "value * value" not in text and "_spread" not in text


def test_only_imported_modules_are_released(project: Path) -> None:
    room = project / "grading" / "student_kernel"
    (room / "check.py").write_text("def check(x):\n    from . import card\n    import course.unrelated\n")
    (room / "card.py").write_text("import numpy, grading.errors as errors\n")
    (room / "secret.py").write_text("")
    (project / "grading" / "errors.py").write_text("")
    assert {name for name in released_modules(2, project) if "." in name and "exercises" not in name} == {
        "grading.student_kernel", "grading.student_kernel.check", "grading.student_kernel.card", "grading.errors",
        "course.firsts", "course.scaling", "course.rounding", "course.unrelated",
    }  # fmt: skip


def test_a_check_that_imports_mistakes_solutions_or_what_is_not_there_is_refused(project: Path) -> None:
    checks = project / "grading" / "exercises" / "scaling" / "checks.py"
    checks.write_text("from grading.exercises.scaling import mistakes\n")
    with pytest.raises(GradingError, match=r"grading\.exercises\.scaling\.mistakes, which must not be released"):
        released_modules(2, project)
    (project / "grading" / "exercises" / "scale_mistakes.py").write_text("")
    checks.write_text("from grading.exercises.scale_mistakes import halved\n")
    with pytest.raises(GradingError, match=r"grading\.exercises\.scale_mistakes, which must not be released"):
        released_modules(2, project)
    checks.write_text("from grading.exercises.solutions import SOLUTIONS\n")
    (project / "grading" / "exercises" / "solutions.py").write_text("")
    with pytest.raises(GradingError, match=r"grading\.exercises\.solutions, which must not be released"):
        released_modules(2, project)
    checks.write_text("import course.gone\n")
    with pytest.raises(GradingError, match=r"scaling/checks\.py imports course\.gone, which does not exist"):
        released_modules(2, project)


def test_a_missing_chapter_and_an_existing_library_are_refused(project: Path) -> None:
    with pytest.raises(GradingError, match=r"there is no chapter 7; there is 1 \(T\), 2 \(Tiny\), 3 \(T\)"):
        blanked_library(7, project / "released", project)
    with pytest.raises(GradingError, match="already exists"):
        blanked_library(2, project, project)


# Nobody's work is overwritten

FILES = {"notebook.ipynb": b"{}", "course/a.py": b"a = 1\n"}
MANIFEST = json.dumps({"files": {path: publishing.digest(data) for path, data in FILES.items()}}).encode()
BUNDLE = {**FILES, publishing.MANIFEST: MANIFEST}


def publish(to: Path) -> None:
    publishing.require_free(to)
    publishing.publish(BUNDLE, bundle.pack(BUNDLE, "chapter", changed=1_700_000_000), to)


def test_an_untouched_bundle_is_replaced(tmp_path: Path) -> None:
    to = tmp_path / "new" / "bundle"
    publish(to)
    publish(to)
    assert files_of(to) == BUNDLE
    assert {path.name for path in to.parent.iterdir()} == {"bundle", "bundle.zip"}


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("bundle/notebook.ipynb", "notebook.ipynb in .* was changed, added or removed"),
        ("bundle/notes.txt", "notes.txt in .* was changed, added or removed"),
        ("bundle/release.json", "release.json in .* was changed, added or removed"),
        ("bundle.zip", "bundle.zip is in the way"),
    ],
)
def test_a_bundle_that_somebody_worked_in_is_kept(tmp_path: Path, path: str, message: str) -> None:
    publish(tmp_path / "bundle")
    (tmp_path / path).write_bytes(b"mine")
    with pytest.raises(GradingError, match=message):
        publish(tmp_path / "bundle")
    assert (tmp_path / path).read_bytes() == b"mine"


def test_another_folder_or_file_is_kept(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("mine")
    with pytest.raises(GradingError, match="is not empty, and is not a released bundle"):
        publish(tmp_path / "thesis")
    with pytest.raises(GradingError, match="is a file"):
        publish(tmp_path / "thesis" / "chapter.txt")
    (tmp_path / "empty").mkdir()
    publish(tmp_path / "empty")
    assert files_of(tmp_path / "empty") == BUNDLE


def test_a_full_disk_leaves_the_old_bundle_and_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path / "bundle")
    written = 0

    def full(path: Path, content: bytes) -> None:
        nonlocal written
        written += 1
        if written == len(BUNDLE):
            raise GradingError(f"cannot write {path}: No space left on device")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"half")

    monkeypatch.setattr(publishing, "write_file", full)
    with pytest.raises(GradingError, match="No space left"):
        publish(tmp_path / "bundle")
    assert files_of(tmp_path / "bundle") == BUNDLE
    assert {path.name for path in tmp_path.iterdir()} == {"bundle", "bundle.zip"}
