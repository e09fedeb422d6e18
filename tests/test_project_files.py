"""Files that other programs read - CI, pre-commit, dev containers, citations - are valid and match the project."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

PROJECT = Path(__file__).parents[1]
WORKFLOWS = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
CITATION = PROJECT / "CITATION.cff"
_FORMS = PROJECT / ".github" / "ISSUE_TEMPLATE"
FORMS = sorted(set(_FORMS.glob("*.yml")) - {_FORMS / "config.yml"})
SCHEMAS = {"github-workflows": WORKFLOWS, "citation-file-format": [CITATION]}
SCHEMAS |= {"github-issue-forms": FORMS, "github-issue-config": [_FORMS / "config.yml"]}
MAKEFILE = (PROJECT / "Makefile").read_text()
# The types of pre-commit's `identify`, as far as its configuration names them.
ENDINGS = {"python": "py", "yaml": "yml", "toml": "toml", "css": "css", "javascript": "js", "html": "html"}
ENDINGS |= {"markdown": "md", "text": "*"}
# Folders that `make` and the tools create in the project's folder.
NOT_OURS = {".git", ".venv", "build", "node_modules"} | {f".{tool}_cache" for tool in ("mypy", "pytest", "ruff")}
TEXTS = {".cff", ".html", ".ipynb", ".jinja", ".js", ".md", ".mjs", ".py", ".toml", ".yaml", ".yml"}
TEXTS |= {"Dockerfile", "Makefile", "run"}
# A command that installs by our name, which anybody could register on a package index.
BY_NAME = re.compile(r"\binstall\s+(?:\S+\s+){0,6}?['\"]?bert[-_.]from[-_.]nothing\b", re.IGNORECASE)


def validate(schema: str, *paths: Path) -> subprocess.CompletedProcess[str]:
    """Compare files with a published schema that comes with check-jsonschema."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def texts() -> Iterator[tuple[Path, str]]:
    """Yield the project's own text files, each with its content."""
    for entry in PROJECT.iterdir():
        if entry.name not in NOT_OURS:
            for path in [entry] if entry.is_file() else entry.rglob("*"):
                if TEXTS & {path.suffix, path.name} and path.is_file() and not NOT_OURS.intersection(path.parts):
                    yield path, path.read_text(encoding="utf-8")


def project() -> dict[str, Any]:
    """Return the [project] table of pyproject.toml."""
    return tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]


def steps(path: Path) -> list[str]:
    """The commands of a workflow."""
    jobs = yaml.safe_load(path.read_text())["jobs"].values()
    return [step["run"] for job in jobs for step in job["steps"] if "run" in step]


def without_comments(text: str) -> Any:
    """Parse JSON with comment lines."""
    return json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE))


def targets(command: str) -> list[str]:
    """The targets of a `make` command."""
    words = command.split()
    return words[1:] if words[0] == "make" else []


def is_made(target: str) -> bool:
    """Whether the Makefile has a rule for a target."""
    return re.search(rf"^{re.escape(target)}:", MAKEFILE, re.MULTILINE) is not None


@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_are_valid_by_their_published_schema(schema: str) -> None:
    done = validate(schema, *SCHEMAS[schema])
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("schema", "needed"),
    [("github-workflows", "runs-on"), ("citation-file-format", "authors"), ("github-issue-forms", "description")],
)
def test_the_schema_refuses_a_file_without_what_it_needs(schema: str, needed: str, tmp_path: Path) -> None:
    path = SCHEMAS[schema][0]
    broken = tmp_path / path.name
    broken.write_text(re.sub(rf"^( *){needed}:.*\n(\1 +.*\n)*", "", path.read_text(), flags=re.MULTILINE))
    assert needed in validate(schema, broken).stdout


def test_no_two_issue_forms_share_a_name_and_each_asks_for_something() -> None:
    forms = [yaml.safe_load(path.read_text()) for path in FORMS]
    assert len({form["name"] for form in forms}) == len(forms) > 3
    for form in forms:
        fields = [field for field in form["body"] if field["type"] != "markdown"]
        assert len({field["id"] for field in fields}) == len(fields)
        assert any(field.get("validations", {}).get("required") for field in fields)


def test_badges_versions_and_licence_in_the_readme_are_right() -> None:
    under_the_title = (PROJECT / "README.md").read_text(encoding="utf-8").split("\n\n")[1]
    shown = re.findall(r"\[!\[(\w+)\]\((\S+)/badge\.svg\)\]\((\S+)\)", under_the_title)
    names = {f"../../actions/workflows/{path.name}": yaml.safe_load(path.read_text())["name"] for path in WORKFLOWS}
    assert len(shown) == 2
    assert all(picture == link and names[link] == name for name, picture, link in shown)
    first, after_last = map(int, re.findall(r"3\.(\d+)", project()["requires-python"]))
    versions = [f"3.{minor}" for minor in range(first, after_last)]
    assert f"Python {', '.join(versions[:-1])} and {versions[-1]} · [Apache License 2.0](LICENSE)" in under_the_title
    assert project()["license"] == "Apache-2.0"


def test_the_citation_names_the_version_and_the_licence_of_the_project() -> None:
    citation = yaml.safe_load(CITATION.read_text())
    assert (citation["version"], citation["license"]) == (project()["version"], project()["license"])


def test_the_changelog_begins_with_the_cited_version() -> None:
    newest = re.search(r"^## (\S+) - (\S+)$", (PROJECT / "CHANGELOG.md").read_text(), re.MULTILINE)
    citation = yaml.safe_load(CITATION.read_text())
    assert newest
    assert newest.groups() == (citation["version"], citation["date-released"])


def test_ci_runs_the_commands_of_the_readme() -> None:
    """One workflow each for the whole suite, the notebooks, the site, and the student's side."""
    assert {path.name: [target for step in steps(path) for target in targets(step)] for path in WORKFLOWS} == {
        "notebooks.yml": ["notebooks"],
        "site.yml": ["site"],
        "students.yml": [".venv/course-installed"],
        "test.yml": ["test-all"],
    }
    assert is_made("notebooks") and is_made("site") and is_made("test-all")


def test_the_container_sets_up_with_make_and_opens_the_notebooks(tmp_path: Path) -> None:
    container = without_comments((PROJECT / ".devcontainer" / "devcontainer.json").read_text())
    folder = PROJECT / ".devcontainer"
    assert (folder / container["build"]["dockerfile"]).is_file()
    assert f"useradd --create-home --shell /bin/bash {container['remoteUser']}" in (folder / "Dockerfile").read_text()
    before, _, command = container["postCreateCommand"].rpartition("; ")
    (target,) = targets(command)
    assert is_made(target)
    environment = tmp_path / ".venv" / "bin"
    environment.mkdir(parents=True)
    (environment / "python").symlink_to("/nowhere/python")  # as the host's, in here
    subprocess.run(before, shell=True, cwd=tmp_path, timeout=60, check=True)
    assert not (tmp_path / ".venv").exists()
    program, _, notebooks, *_ = container["postAttachCommand"].split()
    assert (Path(program).name, (PROJECT / notebooks).is_dir()) == ("jupyter", True)
    assert [str(port) for port in container["forwardPorts"]] == list(container["portsAttributes"])


def test_make_leaves_no_environment_without_pip(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(MAKEFILE)
    python = tmp_path / "python"  # as Debian's without python3-venv: it fails after it has made .venv/bin/python
    python.write_text(
        '#!/bin/sh\n[ "$1" = -c ] && echo 3.12 && exit\nmkdir -p .venv/bin; touch .venv/bin/python; exit 1\n'
    )
    python.chmod(0o755)
    command = ["make", ".venv/bin/python", f"PYTHON={python}"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=False).returncode
    assert not (tmp_path / ".venv").exists()


def hooks() -> list[dict[str, Any]]:
    (repository,) = yaml.safe_load((PROJECT / ".pre-commit-config.yaml").read_text())["repos"]
    assert repository["repo"] == "local"
    return repository["hooks"]


def matches(hook: dict[str, Any], text: str) -> bool:
    """Whether pre-commit's search finds a match in the whole text, or in one of its lines."""
    whole = "--multiline" in hook.get("args", ())
    return re.search(hook["entry"], text, re.NOFLAG if whole else re.MULTILINE) is not None


def test_pre_commit_runs_the_commands_of_make_lint() -> None:
    recipe = MAKEFILE.partition("\nlint:")[2].partition("\n\n")[0].replace("$(BIN)", ".venv/bin")
    entries = [hook["entry"].replace(" --force-exclude", "") for hook in hooks() if hook["language"] == "system"]
    for command in re.findall(r"^\t(.*?)(?: \.)?$", recipe, re.MULTILINE):
        assert command in entries
    assert ".venv/bin/python -m grading build --verify" in entries


@pytest.mark.parametrize(
    "hook", [item for item in hooks() if item["language"] == "pygrep"], ids=lambda hook: hook["id"]
)
def test_no_file_matches_a_forbidden_pattern(hook: dict[str, Any]) -> None:
    endings = {ENDINGS[kind] for kind in hook.get("types_or", hook.get("types"))} - {"*"} or set(ENDINGS.values())
    folders = ("course", "grading", "tests", "docs", ".github", "benchmarks", "recipes", "datasets", "notebooks/source")
    paths = [*PROJECT.glob("*.*"), *(path for folder in folders for path in (PROJECT / folder).rglob("*"))]
    files = [path for path in paths if path.suffix[1:] in endings and "node_modules" not in path.parts]
    assert len(files) > 10
    bad = [path for path in files if path.stat().st_size and matches(hook, path.read_text())]
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
def test_a_forbidden_pattern_would_be_found(hook: str, text: str) -> None:
    (configured,) = [candidate for candidate in hooks() if candidate["id"] == hook]
    assert matches(configured, text)
    assert not matches(configured, "a = 1\nb = 2\n")


def test_no_file_installs_the_project_by_its_name() -> None:
    files = list(texts())
    assert len(files) > 500
    assert [path for path, text in files if BY_NAME.search(text)] == []


@pytest.mark.parametrize(
    ("text", "by_name"),
    [
        ("Run `pip install 'NAME[search]'`.", True),
        ("python -m pip install -q -U NAME", True),
        ("In a terminal, `pip install\n    -c requirements.lock NAME`", True),
        ("pip install -e '.[search]'", False),
        ("pip install -e git/NAME", False),
    ],
)
def test_an_installation_by_name_would_be_found(text: str, by_name: bool) -> None:
    assert (BY_NAME.search(text.replace("NAME", project()["name"])) is not None) is by_name


def packages_in_conda() -> dict[str, str]:
    """The packages that environment.yml names, each with what it is for."""
    line = r"^ +- ([a-z-]+)(?:;.*?)?  # (.+)$"
    return dict(re.findall(line, (PROJECT / "environment.yml").read_text(), re.MULTILINE))


@pytest.mark.parametrize("package", ["course", "grading"])
def test_an_installation_contains_every_file_of_a_package(package: str) -> None:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    patterns = settings["package-data"][package]
    folder = PROJECT / package
    packaged = {path for pattern in patterns for path in folder.glob(pattern)}
    ours = {path for path in folder.rglob("*.*") if path.suffix in TEXTS - {".py"}}
    assert ours and sorted(ours - packaged) == []
    assert [pattern for pattern in patterns if not any(folder.glob(pattern))] == []


def test_conda_says_what_each_package_is_for() -> None:
    *_, last = yaml.safe_load((PROJECT / "environment.yml").read_text())["dependencies"]
    of_pip = {Requirement(entry).name for entry in last["pip"] if not entry.startswith("--")}
    assert of_pip == packages_in_conda().keys()
    assert len(of_pip) == 5


@pytest.mark.parametrize("name", packages_in_conda())
def test_a_package_that_conda_names_is_installed_by_make_too_and_in_the_readme(name: str) -> None:
    wanted = project()["dependencies"] + project()["optional-dependencies"]["test"]
    assert [one.name for one in map(Requirement, wanted) if one.name == name and one.specifier] == [name]
    assert re.search(rf"^{name}==", (PROJECT / "requirements.lock").read_text(), re.MULTILINE)
    assert f"`{name}`" in (PROJECT / "README.md").read_text(encoding="utf-8")


def test_keras_nlp_hands_on_to_keras_hub() -> None:
    import keras_hub
    import keras_nlp

    assert keras_nlp.__version__ == keras_hub.__version__
    assert keras_nlp.layers.TransformerEncoder is keras_hub.layers.TransformerEncoder


def test_an_error_names_an_extra_that_the_project_has() -> None:
    named = [extra for path, text in texts() for extra in re.findall(r"how_to_install\('(\w+)'\)", text)]
    assert len(named) >= 5
    assert set(named) <= set(project()["optional-dependencies"])
