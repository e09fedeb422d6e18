"""A bundle installs by its own README's commands in a new environment of another Python, and runs to its last cell."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grading.storage.project import PROJECT
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


def test_a_bundle_installs_by_its_own_readme_and_runs_to_its_last_cell(tmp_path: Path) -> None:
    python = find_python(NEWEST)
    if python is None:
        pytest.skip(f"Python {NEWEST} is not here")
    bundle = tmp_path / "bundle"
    release = [sys.executable, "-m", "grading", "release", str(CHAPTER), "--to", str(bundle)]
    subprocess.run(release, cwd=PROJECT, check=True, timeout=60 * MINUTES)
    make, *others = commands((bundle / "README.md").read_text(encoding="utf-8"), "Linux and macOS")
    type_in(reference(CHAPTER), points(CHAPTER), bundle)  # and a last cell, which fails without full points

    script = [make.replace("python3", python, 1), *others]
    script[-1] = script[-1].replace("jupyter lab", "jupyter execute")
    done = subprocess.run(
        ["bash", "-ec", "\n".join(script)],
        cwd=bundle,
        env={name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "KERAS", "MY_BERT"))},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60 * MINUTES,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-10_000:]
    assert (bundle / ".venv" / "lib" / f"python{NEWEST}").is_dir()
    assert (bundle / "my_bert" / "attention.py").is_file()
