"""What is released for a system does there what that system documents."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import jsonschema
import nbformat
import pytest
import yaml
from typer.testing import CliRunner

from grading.cli import app
from grading.errors import GradingError
from grading.release import release_for
from grading.release.bundle import written_files
from grading.storage.project import PROJECT
from grading.submission.cell_ids import exercise_cell_id
from tests.grading.gradebook.test_gradebook import GRADESCOPE, PRAIRIELEARN
from tests.grading.release.test_pythons import MINUTES, python_or_skip

CHAPTER, NOTEBOOK = 3, "03_attention.ipynb"


@pytest.fixture(scope="module")
def autograder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gradescope's autograder, as a folder."""
    to = tmp_path_factory.mktemp("gradescope") / "autograder"
    released("gradescope", to, "after_due_date")
    return to


@pytest.fixture(scope="module")
def question(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """PrairieLearn's question and image, as a folder."""
    to = tmp_path_factory.mktemp("prairielearn") / "question"
    released("prairielearn", to)
    return to


def released(system: str, to: Path, shown: str = "visible") -> dict[str, bytes]:
    """The files of the zip file, by path."""
    release_for(system, CHAPTER, to, shown, lambda: written_files(CHAPTER))
    with zipfile.ZipFile(to.with_suffix(".zip")) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    assert files == {path.relative_to(to).as_posix(): path.read_bytes() for path in to.rglob("*") if path.is_file()}
    return files


def test_gradescopes_scripts_are_at_the_top_and_can_be_run(autograder: Path) -> None:
    script = (autograder / "run_autograder").read_text()
    assert "--chapter 3 --as gradescope" in script and "--shown after_due_date" in script
    with zipfile.ZipFile(autograder.with_suffix(".zip")) as archive:
        for name in ("setup.sh", "run_autograder"):
            assert archive.getinfo(name).external_attr >> 16 == 0o755
            subprocess.run(["bash", "-n", autograder / name], check=True)


def test_the_grader_has_what_it_installs_and_nothing_that_was_built(autograder: Path) -> None:
    files = {path.relative_to(autograder).as_posix() for path in autograder.rglob("*")}
    assert {"pyproject.toml", "requirements.lock", "README.md", "notebooks/source/03_attention.md"} <= files
    assert not [name for name in files if name.endswith((".pyc", ".ipynb")) or "build/" in name or "/." in name]
    for name in ("course/attention.py", "grading/sandbox/allowed.toml", "grading/exercises/attention/checks.py"):
        assert (autograder / name).read_bytes() == (PROJECT / name).read_bytes()


def test_a_newer_release_replaces_an_older_one_but_no_work(tmp_path: Path) -> None:
    for _ in range(2):
        released("github", tmp_path / "bundle")
    (tmp_path / "bundle" / ".github" / "workflows" / "check.yml").write_text("mine")
    with pytest.raises(GradingError, match=r"check\.yml in .* was changed"):
        released("github", tmp_path / "bundle")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["release", "3", "--for", "github", "--to", "x", "--shown", "after_due_date"], "only Gradescope"),
        (["grade-one", "x.ipynb", "--chapter", "3", "--as", "gradescope"], "--as and --to together"),
        (["grade-one", "x.ipynb", "--chapter", "3", "--to", "x"], "--as and --to together"),
        (["grade-one", "nowhere.ipynb", "--chapter", "3", "--without-isolation"], "nowhere.ipynb does not exist"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(words: list[str], complaint: str) -> None:
    with pytest.raises(GradingError, match=complaint):
        CliRunner().invoke(app, words, catch_exceptions=False)


# From PrairieLearn's documentation of info.json.
QUESTION = {
    "type": "object",
    "required": ["uuid", "title", "topic", "type"],
    "additionalProperties": False,
    "properties": {
        "uuid": {"type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"},
        "title": {"type": "string"},
        "topic": {"type": "string"},
        "type": {"const": "v3"},
        "singleVariant": {"type": "boolean"},
        "gradingMethod": {"const": "External"},
        "externalGradingOptions": {
            "type": "object",
            "required": ["image"],
            "additionalProperties": False,
            "properties": {
                "enabled": {"const": True},
                "image": {"type": "string"},
                "entrypoint": {"type": "array", "items": {"type": "string"}},
                "timeout": {"type": "integer", "minimum": 1, "maximum": 600},
            },
        },
    },
}


def entrypoint_of(question: Path) -> list[str]:
    info = json.loads((question / "questions" / "03_attention" / "info.json").read_text())
    jsonschema.validate(info, QUESTION)
    entrypoint: list[str] = info["externalGradingOptions"]["entrypoint"]
    return entrypoint


def test_prairielearns_question_asks_for_the_notebook_and_runs_the_image(question: Path) -> None:
    entrypoint, image = entrypoint_of(question), question / "image"
    assert f'file-names="{NOTEBOOK}"' in (question / "questions" / "03_attention" / "question.html").read_text()
    steps = dict(re.findall(r"^(COPY|RUN|ENTRYPOINT) (.+)$", (image / "Dockerfile").read_text(), re.MULTILINE))
    assert steps["COPY"] == ". /autograder/source" and steps["RUN"] == "bash /autograder/source/setup.sh"
    assert entrypoint[:4] == ast.literal_eval(steps["ENTRYPOINT"])
    assert (image / "setup.sh").is_file() and (image / "grading" / "__main__.py").is_file()


@pytest.mark.parametrize("system", ["github", "classroom50"])
def test_what_students_can_read_holds_no_answer(system: str, tmp_path: Path) -> None:
    files = released(system, tmp_path / "bundle")
    bundle = written_files(CHAPTER)
    assert {name: files[name] for name in bundle} == bundle
    added = set(files) - set(bundle) - {"release.json"}
    checks = {"student_kernel/self_check.py", "submission/cell_ids.py", "submission/selection.py"}
    own = {"github": {".github/workflows/check.yml"}, "classroom50": {"autograder.py", "runtime.json"}}
    assert added == own[system] | {f"grading/{name}" for name in checks}


def test_the_workflow_follows_githubs_schema(tmp_path: Path) -> None:
    released("github", tmp_path / "bundle")
    workflow = tmp_path / "bundle" / ".github" / "workflows" / "check.yml"
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", str(workflow)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


# From Classroom 50's documentation of result.json, and the variables that its runner sets.
RESULT = {
    "type": "object",
    "required": ["schema", "classroom", "assignment", "submission", "commit", "release", "review", "datetime", "tests"],
    "properties": {
        "schema": {"const": "classroom50/result/v1"},
        "score": {"type": "integer"},
        "max-score": {"type": "integer"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["test-name", "passed", "score", "max-score"],
                "additionalProperties": False,
                "properties": {
                    "test-name": {"type": "string"},
                    "passed": {"type": "boolean"},
                    "score": {"type": "integer"},
                    "max-score": {"type": "integer"},
                },
            },
        },
    },
}
RUNNER = {
    "CLASSROOM": "bert",
    "ASSIGNMENT": "attention",
    "SUBMISSION_TAG": "submit/2026-11-26T12-00-00Z-a1b2c3d",
    "COMMIT_URL": "https://github.example/commit",
    "RELEASE_URL": "https://github.example/release",
}


def submit(folder: Path) -> None:
    """Puts a notebook there in which one exercise is wrong and a comment holds markup, and all else is right."""
    folder.mkdir(parents=True)
    notebook = nbformat.read(PROJECT / "notebooks" / "solved" / NOTEBOOK, as_version=4)
    (cell,) = (cell for cell in notebook.cells if cell["id"] == exercise_cell_id("causal_mask"))
    cell["source"] = "def causal_mask(length):\n    raise ValueError('<script>alert(1)</script>')"
    nbformat.write(notebook, folder / NOTEBOOK)


def without_python(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "KERAS", "MY_BERT"))}
    return {**kept, **more}


def run_in(folder: Path, command: list[str], **environment: str) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env=without_python(**environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60 * MINUTES,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-10_000:]
    return done.stdout


@pytest.fixture(scope="module")
def container(autograder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that looks as /autograder does after Gradescope has built its image."""
    python_or_skip("3.11")
    root = tmp_path_factory.mktemp("container") / "autograder"
    (root / "results").mkdir(parents=True)
    submit(root / "submission")
    with zipfile.ZipFile(autograder.with_suffix(".zip")) as archive:
        archive.extractall(root / "source")
    shutil.copy(root / "source" / "run_autograder", root)
    run_in(root, ["bash", str(root / "source" / "setup.sh")])
    return root


@pytest.mark.long
@pytest.mark.parametrize("privileged", [True, False])
def test_gradescopes_zip_grades_where_gradescope_would_run_it(container: Path, privileged: bool) -> None:
    around = [] if privileged else [sys.executable, "-m", "tests.grading.sandbox.plain_container"]
    if around and (os.geteuid() != 0 or not shutil.which("setpriv")):
        pytest.skip("only root can make such a container")
    output = run_in(PROJECT, [*around, "bash", str(container / "run_autograder")])
    result = json.loads((container / "results" / "results.json").read_text())
    jsonschema.validate(result, GRADESCOPE)
    assert (result["score"], output.splitlines()[-2]) == (22, "22 of 23 points")
    assert output.splitlines()[-1].startswith("Isolation: " + ("namespaces" if privileged else "seccomp and Landlock"))
    cards = {test["name"]: test["output"] for test in result["tests"]}
    assert "&lt;script&gt;" in cards["causal_mask"] and "<script" not in "".join(cards.values())
    assert sum(test["score"] for test in result["tests"]) == 22


@pytest.mark.long
def test_prairielearns_entrypoint_grades_in_its_folders(container: Path, question: Path, tmp_path: Path) -> None:
    submit(tmp_path / "grade" / "student")
    places = {"/autograder": str(container), "/grade": str(tmp_path / "grade")}
    command = [
        re.sub(r"^/(autograder|grade)\b", lambda found: places[found[0]], word) for word in entrypoint_of(question)
    ]
    run_in(tmp_path, command)
    result = json.loads((tmp_path / "grade" / "results" / "results.json").read_text())
    jsonschema.validate(result, PRAIRIELEARN)
    assert result["score"] == pytest.approx(22 / 23, abs=1e-4)


def release_by_command(system: str, to: Path) -> None:
    words = ["release", str(CHAPTER), "--for", system, "--to", str(to)]
    assert CliRunner().invoke(app, words, catch_exceptions=False).exit_code == 0


@pytest.mark.long
def test_classroom50s_autograder_writes_its_result_in_the_checkout(tmp_path: Path) -> None:
    python = python_or_skip("3.12")
    release_by_command("classroom50", tmp_path / "bundle")
    submit(tmp_path / "checkout")
    (tmp_path / "checkout" / "grading").mkdir()  # a student's own, which counts for nothing
    (tmp_path / "checkout" / "grading" / "__init__.py").write_text("raise SystemExit(0)")
    run_in(tmp_path / "checkout", [python, str(tmp_path / "bundle" / "autograder.py")], **RUNNER)
    result = json.loads((tmp_path / "checkout" / "result.json").read_text())
    jsonschema.validate(result, RESULT)
    assert (result["score"], result["max-score"]) == (44, 46)  # half points
    assert [test["test-name"] for test in result["tests"] if not test["passed"]] == ["causal_mask"]


@pytest.mark.long
def test_the_workflow_fails_where_an_exercise_does(tmp_path: Path) -> None:
    release_by_command("github", tmp_path / "repository")
    submit(tmp_path / "work")
    shutil.copy(tmp_path / "work" / NOTEBOOK, tmp_path / "repository")
    workflow = yaml.safe_load((tmp_path / "repository" / ".github" / "workflows" / "check.yml").read_text())
    program, *words = workflow["jobs"]["check"]["steps"][-1]["run"].split()
    assert program == "python"
    done = subprocess.run(
        [sys.executable, *words],
        cwd=tmp_path / "repository",
        env=without_python(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and "✗ causal_mask: 0 of 1 point" in done.stdout, done.stderr


@pytest.mark.long
def test_the_image_is_built_and_grades(question: Path, tmp_path: Path) -> None:
    if subprocess.run(["docker", "info"], capture_output=True, check=False).returncode:
        pytest.skip("no Docker is here")
    run_in(tmp_path, ["docker", "build", "--tag", "bert-from-nothing", str(question / "image")])
    submit(tmp_path / "work")
    grade = ["grade-one", f"/work/{NOTEBOOK}", "--chapter", str(CHAPTER)]
    output = run_in(tmp_path, ["docker", "run", "--rm", "-v", f"{tmp_path}/work:/work:ro", "bert-from-nothing", *grade])
    assert "22 of 23 points" in output
