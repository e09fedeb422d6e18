"""By its README a bundle installs with another Python and runs to its last cell; or pip says in one line why not."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from grading.release.bundle import written_files
from grading.storage.files import write_file
from tests.grading.release.readme import commands
from tests.grading.release.type_in import points, reference, type_in

pytestmark = pytest.mark.long

CHAPTER = 3
NEWEST = "3.13"
MINUTES = 60  # TensorFlow is a download of a gigabyte


def find_python(version: str) -> str | None:
    """Return an interpreter of that version, on the PATH or among those of pyenv; None if there is none."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    for found in (shutil.which(f"python{version}"), *map(str, sorted(pyenv.glob(f"{version}.*/bin/python")))):
        # pyenv's own programs on the PATH say only that another version is active.
        if found and subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0:
            return found
    return None


def python_or_skip(version: str) -> str:
    python = find_python(version)
    if python is None:
        pytest.skip(f"Python {version} is not here")
    return python


def set_up(bundle: Path, python: str) -> subprocess.CompletedProcess[str]:
    """Do what the bundle's README says, with that interpreter, and run the notebook where a student opens it."""
    make, *others = commands((bundle / "README.md").read_text(encoding="utf-8"), "Linux and macOS")
    script = [make.replace("python3", python, 1), *others]
    script[-1] = script[-1].replace("jupyter lab", "jupyter execute")
    return subprocess.run(
        ["bash", "-ec", "\n".join(script)],
        cwd=bundle,
        env={name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "KERAS", "MY_BERT"))},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60 * MINUTES,
        check=False,
    )


def test_a_bundle_installs_by_its_own_readme_and_runs_to_its_last_cell(
    released: Callable[[int], Path], tmp_path: Path
) -> None:
    python = python_or_skip(NEWEST)
    bundle = tmp_path / "bundle"
    shutil.copytree(released(CHAPTER), bundle)
    type_in(reference(CHAPTER), points(CHAPTER), bundle)  # and a last cell, which fails without full points
    done = set_up(bundle, python)
    assert done.returncode == 0, done.stdout[-10_000:]
    assert (bundle / ".venv" / "lib" / f"python{NEWEST}").is_dir()
    assert (bundle / "my_bert" / "attention.py").is_file()


@pytest.mark.parametrize("version", ["3.10", "3.14"])
def test_pip_refuses_another_python_in_one_clear_line(version: str, tmp_path: Path) -> None:
    python = python_or_skip(version)
    for path, data in written_files(CHAPTER).items():
        write_file(tmp_path / path, data)
    done = set_up(tmp_path, python)
    assert done.returncode
    *_, last = done.stdout.splitlines()
    assert re.fullmatch(
        rf"ERROR: Package 'bert-from-nothing' requires a different Python: {version}.\d+ not in '.+'", last
    ), done.stdout
