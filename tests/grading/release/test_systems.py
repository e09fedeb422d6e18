"""One table says where students work. The files that other programs read say the same, and so does every bundle.

The table is in `grading/release/templates/systems.md.jinja`. Where a test fails, edit the table, or the file that
the test reads.
"""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from grading.release import bundle
from grading.storage.project import PROJECT
from tests.grading.release.readme import commands

WORKFLOWS = PROJECT / ".github" / "workflows"
PYPROJECT = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
PLATFORMS = {"linux": ("Linux", "posix"), "darwin": ("Darwin", "posix"), "win32": ("Windows", "nt")}

ENVIRONMENT = jinja2.Environment(loader=jinja2.FileSystemLoader(PROJECT / "grading" / "release" / "templates"))
ENVIRONMENT.globals["say"] = str
TABLE: Any = ENVIRONMENT.get_template("systems.md.jinja").module
PYTHONS: list[str] = TABLE.pythons
SYSTEMS: list[dict[str, Any]] = TABLE.systems
LOCAL = [system for system in SYSTEMS if "pip" in system["routes"]]


@cache
def readme() -> str:
    """The README of a bundle."""
    return bundle.written_files(3)["README.md"].decode()


def job(workflow: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((WORKFLOWS / workflow).read_text())["jobs"][name]
    return found


# What other programs read


def test_pip_takes_the_pythons_of_the_table() -> None:
    following = f"3.{int(PYTHONS[-1].partition('.')[2]) + 1}"
    assert PYPROJECT["project"]["requires-python"] == f">={PYTHONS[0]},<{following}"
    assert PYPROJECT["project"]["classifiers"] == [f"Programming Language :: Python :: {one}" for one in PYTHONS]


def test_linters_read_the_code_as_the_oldest_python_does() -> None:
    assert PYPROJECT["tool"]["ruff"]["target-version"] == f"py{PYTHONS[0].replace('.', '')}"
    assert PYPROJECT["tool"]["mypy"]["python_version"] == PYTHONS[0]


def test_a_dependency_has_a_marker_exactly_where_a_system_lacks_it() -> None:
    lacking = {name: system["platform"] for system in LOCAL for name in system["lacks"]}
    marked = {
        requirement.name: str(requirement.marker)
        for requirement in map(Requirement, PYPROJECT["project"]["dependencies"])
        if requirement.marker
    }
    assert marked == {name: f'sys_platform != "{platform}"' for name, platform in lacking.items()}


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("system", LOCAL, ids=lambda system: system["name"])
def test_the_lock_has_one_version_of_each_dependency_for_every_system_and_python(
    system: dict[str, Any], python: str
) -> None:
    name, family = PLATFORMS[system["platform"]]
    environment = {"sys_platform": system["platform"], "platform_system": name, "os_name": family}
    environment |= {"python_version": python, "python_full_version": f"{python}.9", "platform_machine": "x86_64"}

    def applies(requirement: Requirement) -> bool:
        return requirement.marker is None or requirement.marker.evaluate(environment)

    lines = (PROJECT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pinned: dict[str, list[str]] = {}
    for pin in filter(applies, (Requirement(line) for line in lines if re.match(r"\w", line))):
        (version,) = pin.specifier
        pinned.setdefault(canonicalize_name(pin.name), []).append(version.version)
    assert {name: versions for name, versions in pinned.items() if len(versions) > 1} == {}
    for wanted in filter(applies, map(Requirement, PYPROJECT["project"]["dependencies"])):
        (found,) = pinned[canonicalize_name(wanted.name)]
        assert wanted.specifier.contains(found)


def test_conda_and_the_container_have_a_python_of_the_table() -> None:
    (python,) = re.findall(r"- python=(.+)", (PROJECT / "environment.yml").read_text())
    assert python in PYTHONS
    (image,) = re.findall(r"FROM python:([\d.]+)-", (PROJECT / ".devcontainer" / "Dockerfile").read_text())
    assert image in PYTHONS


def test_ci_tests_with_every_python_of_the_table() -> None:
    tests = job("test.yml", "test")
    assert tests["strategy"]["matrix"] == {"python-version": PYTHONS}
    assert tests["env"]["PYTHON"] == "python${{ matrix.python-version }}"  # which `make` would choose itself
    for path in sorted(WORKFLOWS.glob("*.yml")):
        assert set(re.findall(r'python-version: "([\d.]+)"', path.read_text())) <= set(PYTHONS)


def test_ci_does_what_a_student_does_on_every_system_that_it_has() -> None:
    student = job("students.yml", "student")
    runners = [system["runner"] for system in LOCAL]
    assert student["strategy"]["matrix"] == {"os": runners, "python-version": PYTHONS}
    posix, windows = (step["run"].splitlines() for step in student["steps"] if "run" in step)
    assert posix == [line.replace("jupyter lab", "jupyter execute") for line in commands(readme(), "Linux and macOS")]
    assert windows == [line.replace("jupyter lab", "jupyter execute") for line in commands(readme(), "Windows")]


# What people read


def test_the_readme_of_a_bundle_has_the_table() -> None:
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \| .*\|$", readme(), re.MULTILINE)
    assert rows[1:] == [
        (system["name"], ", ".join(system["pythons"]) or "none", " or ".join(system["routes"])) for system in SYSTEMS
    ]


def test_the_first_cell_on_colab_leaves_alone_what_colab_has_imported() -> None:
    """That is NumPy and Pillow. What the cell names are dependencies that Colab has too old, or does not have."""
    (pattern,) = re.findall(r'grep -E "(.+)" requirements.lock', readme())
    lines = (PROJECT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    taken = [Requirement(line).name for line in lines if re.match(pattern, line)]
    assert taken == ["keras", "keras-hub", "protobuf", "sentencex", "tensorflow", "tensorflow-text"]
    assert pattern in (PROJECT / "docs" / "students.md").read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="Colab's machines run Linux")
@pytest.mark.parametrize("text", ["README.md", "students.md"])
def test_what_a_student_keeps_on_colab_moves_to_the_drive(text: str, tmp_path: Path) -> None:
    if text == "students.md":
        page = (PROJECT / "docs" / text).read_text(encoding="utf-8")
    else:
        page = bundle.written_files(7)[text].decode()
    drive = tmp_path / "drive"
    here = tmp_path / "here"
    for path in ("drive/my_bert/embeddings.py", "here/my_bert/attention.py", "here/my_model/run/log.txt"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    (drive / "my_bert" / "attention.py").write_text("older")
    lines = [line.strip()[1:] for line in page.splitlines() if line.startswith("    !") and "MyDrive" in line]
    script = "\n".join(lines).replace("/content/drive/MyDrive", str(drive))
    for _ in range(2):  # again after a restart
        subprocess.run(["sh", "-e", "-c", script], cwd=here, check=True)
    assert {path.name for path in (drive / "my_bert").iterdir()} == {
        "attention.py",
        "attention.py.~1~",
        "embeddings.py",
    }
    assert (here / "my_bert").readlink() == drive / "my_bert"
    assert (here / "my_model").readlink() == drive / "my_model"
    assert (drive / "my_model" / "run" / "log.txt").exists()


def test_the_readme_says_how_tensorflow_gets_a_gpu_with_the_versions_of_the_lock() -> None:
    assert 'python -m pip install -c requirements.lock "tensorflow[and-cuda]"' in readme()
    lines = (PROJECT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    locked = {one.name: one for line in lines if re.match(r"[a-z]", line) for one in [Requirement(line)]}
    for wanted in map(Requirement, importlib.metadata.requires("tensorflow") or []):
        if wanted.marker and wanted.marker.evaluate({"extra": "and-cuda"}) and wanted.name in locked:
            (pin,) = locked[wanted.name].specifier
            assert wanted.specifier.contains(pin.version), wanted


def test_the_project_names_the_pythons() -> None:
    named = f"Python {', '.join(PYTHONS[:-1])} (?:or|and) {PYTHONS[-1]}"
    texts = (PROJECT / "README.md", PROJECT / "docs" / "students.md")
    text = " ".join(path.read_text(encoding="utf-8") for path in texts).replace("\n", " ")
    assert len(re.findall(named, text)) == len(re.findall(r"Python 3", text)) == 3


# make


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with the Makefile, and in `bin` one program that says to be Python of a version that it is given."""
    shutil.copy(PROJECT / "Makefile", tmp_path)
    (tmp_path / "bin").mkdir()
    return tmp_path


def add_python(clone: Path, name: str, version: str, works: bool = True) -> str:
    """A program that answers a question with its version, and makes of `-m venv` a folder."""
    path = clone / "bin" / name
    path.write_text(
        f'#!/bin/sh\n[ "$1" = -m ] && mkdir -p .venv\n[ -n "$2" ] && echo {version}\nexit {0 if works else 1}\n'
    )
    path.chmod(0o755)
    return str(path)


def make(clone: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": f"{clone / 'bin'}:/usr/bin:/bin"}
    command = ["make", *words, ".venv/bin/python"]
    return subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True, timeout=60, check=False)


def test_make_knows_the_pythons_of_the_table() -> None:
    (known,) = re.findall(r"^PYTHONS := (.+)$", (PROJECT / "Makefile").read_text(), re.MULTILINE)
    assert known.split() == PYTHONS


@pytest.mark.parametrize("version", PYTHONS)
def test_make_takes_the_python_that_is_named(clone: Path, version: str) -> None:
    done = make(clone, f"PYTHON={add_python(clone, 'python', version)}")
    assert (done.returncode, done.stderr) == (0, "")
    assert (clone / ".venv").is_dir()


@pytest.mark.parametrize("version", ["3.10", "3.14", "2.7"])
def test_make_refuses_any_other_python_in_one_line_and_makes_nothing(clone: Path, version: str) -> None:
    done = make(clone, f"PYTHON={add_python(clone, 'python', version)}")
    said, of_make = done.stderr.splitlines()
    assert said == (
        f"The course needs one of Python {' '.join(PYTHONS)}. Found: {version}. Name another: make PYTHON=python3.12"
    )
    assert of_make.startswith("make: ***")
    assert not (clone / ".venv").exists()


def test_make_says_so_where_the_named_python_is_not_there(clone: Path) -> None:
    done = make(clone, "PYTHON=python9")
    assert "Found: none." in done.stderr.splitlines()[0]


def test_make_chooses_the_first_python_that_runs(clone: Path) -> None:
    """pyenv puts programs on the PATH that only say that another version is active."""
    add_python(clone, "python3.11", "3.11", works=False)
    add_python(clone, "python3.12", "3.12")
    add_python(clone, "python3.13", "3.13")
    done = make(clone)
    assert (done.returncode, done.stderr) == (0, "")
    assert "python3.12 -m venv .venv" in done.stdout
