"""The files by which other programs know this project: CI, pre-commit, dev containers. Each says what is so."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

PROJECT = Path(__file__).parents[1]
WORKFLOWS = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (PROJECT / "Makefile").read_text()
# The types of pre-commit's `identify`, as far as its configuration names them.
ENDINGS = {"python": "py", "yaml": "yml", "toml": "toml", "css": "css", "javascript": "js", "html": "html"}
ENDINGS |= {"markdown": "md", "text": "*"}


def validate(path: Path) -> subprocess.CompletedProcess[str]:
    """Holds a workflow against GitHub's schema."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", str(path)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def steps(path: Path) -> list[str]:
    """The commands of a workflow."""
    jobs = yaml.safe_load(path.read_text())["jobs"].values()
    return [step["run"] for job in jobs for step in job["steps"] if "run" in step]


def without_comments(text: str) -> Any:
    """JSON in which lines may be comments."""
    return json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE))


def targets(command: str) -> list[str]:
    """What a command has `make` do."""
    words = command.split()
    return words[1:] if words[0] == "make" else []


def is_made(target: str) -> bool:
    """Whether the Makefile has a rule for a target."""
    return re.search(rf"^{re.escape(target)}:", MAKEFILE, re.MULTILINE) is not None


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_is_valid_by_githubs_own_schema(path: Path) -> None:
    done = validate(path)
    assert done.returncode == 0, done.stdout


def test_the_schema_refuses_a_workflow_that_runs_nowhere(tmp_path: Path) -> None:
    broken = tmp_path / "test.yml"
    broken.write_text(re.sub(r" *runs-on:.*\n", "", WORKFLOWS[0].read_text()))
    assert "runs-on" in validate(broken).stdout


def test_ci_runs_the_commands_of_the_readme() -> None:
    """The whole suite in one workflow, the notebooks apart from it, the site, and the student's side."""
    assert {path.name: [target for step in steps(path) for target in targets(step)] for path in WORKFLOWS} == {
        "notebooks.yml": ["notebooks"],
        "site.yml": ["site"],
        "students.yml": [".venv/course-installed"],
        "test.yml": ["test"],
    }
    assert is_made("notebooks") and is_made("site") and is_made("test")


def test_the_container_sets_up_with_make_and_opens_the_notebooks() -> None:
    container = without_comments((PROJECT / ".devcontainer" / "devcontainer.json").read_text())
    folder = PROJECT / ".devcontainer"
    assert (folder / container["build"]["dockerfile"]).is_file()
    assert f"useradd --create-home --shell /bin/bash {container['remoteUser']}" in (folder / "Dockerfile").read_text()
    (target,) = targets(container["postCreateCommand"])
    assert is_made(target)
    program, _, notebooks, *_ = container["postAttachCommand"].split()
    assert (Path(program).name, (PROJECT / notebooks).is_dir()) == ("jupyter", True)
    assert [str(port) for port in container["forwardPorts"]] == list(container["portsAttributes"])


def hooks() -> list[dict[str, Any]]:
    (repository,) = yaml.safe_load((PROJECT / ".pre-commit-config.yaml").read_text())["repos"]
    assert repository["repo"] == "local"
    return repository["hooks"]


def matches(hook: dict[str, Any], text: str) -> bool:
    """Whether pre-commit's search finds something: in the whole text, or in one of its lines."""
    whole = "--multiline" in hook.get("args", ())
    return re.search(hook["entry"], text, re.NOFLAG if whole else re.MULTILINE) is not None


def test_commits_are_judged_by_what_make_lint_runs() -> None:
    recipe = MAKEFILE.partition("\nlint:")[2].partition("\n\n")[0].replace("$(BIN)", ".venv/bin")
    entries = [hook["entry"].replace(" --force-exclude", "") for hook in hooks() if hook["language"] == "system"]
    for command in re.findall(r"^\t(.*?)(?: \.)?$", recipe, re.MULTILINE):
        assert command in entries
    assert ".venv/bin/python -m grading build --verify" in entries


@pytest.mark.parametrize("hook", [one for one in hooks() if one["language"] == "pygrep"], ids=lambda hook: hook["id"])
def test_what_commits_must_not_hold_is_not_there(hook: dict[str, Any]) -> None:
    endings = {ENDINGS[kind] for kind in hook.get("types_or", hook.get("types"))} - {"*"} or set(ENDINGS.values())
    folders = ("course", "grading", "tests", "docs", ".github", "benchmarks", "recipes", "datasets", "notebooks/source")
    paths = [*PROJECT.glob("*.*"), *(path for folder in folders for path in (PROJECT / folder).rglob("*"))]
    found = [path for path in paths if path.suffix[1:] in endings and "node_modules" not in path.parts]
    assert len(found) > 10
    bad = [path for path in found if path.stat().st_size and matches(hook, path.read_text())]
    assert bad == []


@pytest.mark.parametrize(
    ("hook", "text"),
    [
        ("spaces-at-the-end-of-a-line", "a = 1 \nb = 2\n"),
        ("one-line-feed-at-the-end", "a = 1"),
        ("one-line-feed-at-the-end", "a = 1\n\n"),
        ("marks-of-a-merge", "a\n<<<<<<< HEAD\nb\n"),
    ],
)
def test_what_commits_must_not_hold_would_be_found(hook: str, text: str) -> None:
    (known,) = [one for one in hooks() if one["id"] == hook]
    assert matches(known, text)
    assert not matches(known, "a = 1\nb = 2\n")
