"""TensorFlow starts without a word; whatever else is said while it starts is heard."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]

# What TensorFlow's libraries really write, as of 2.21, and lines that only look like it.
GREETINGS = """\
WARNING: All log messages before absl::InitializeLog() is called are written to STDERR
I0000 00:00:1795373090.031471   18548 port.cc:153] oneDNN custom operations are on. You may see slightly different \
numerical results due to floating-point round-off errors from different computation orders. To turn them off, set \
the environment variable `TF_ENABLE_ONEDNN_OPTS=0`.
I0000 00:00:1795373090.031831   18548 cudart_stub.cc:31] Could not find cuda drivers on your machine, GPU will \
not be used.
"""
ERRORS = """\
E0000 00:00:1795373090.031902   18548 port.cc:161] oneDNN cannot be used
F0000 00:00:1795373090.031902   18548 cpu_feature_guard.cc:67] The TensorFlow library was compiled to use AVX512F \
instructions, but these aren't available on your machine.
Could not find cuda drivers
half a line without an end"""


def run(code: str, folder: Path = PROJECT, **variables: str) -> subprocess.CompletedProcess[str]:
    """A program in a process of its own, which finds modules in a folder before all others."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TF_CPP")}
    environment |= {"PYTHONPATH": f"{folder}:{PROJECT}", **variables}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture
def talking(tmp_path: Path) -> Path:
    """A folder with a `tensorflow` that says on loading what the real one says, and then fails in several ways."""
    text = f"import os\nos.write(2, {(GREETINGS + ERRORS).encode()!r})\nif 'ABORT' in os.environ:\n    os.abort()\n"
    (tmp_path / "tensorflow.py").write_text(text)
    return tmp_path


@pytest.mark.parametrize("code", ["import course.attention", "import course, tensorflow_text", "import course, keras"])
def test_it_starts_without_a_word(code: str) -> None:
    done = run(code)
    assert (done.returncode, done.stderr) == (0, "")


def test_whoever_asks_for_all_its_words_hears_them() -> None:
    assert "port.cc" in run("import course.attention", TF_CPP_MIN_LOG_LEVEL="0").stderr


def test_errors_of_its_libraries_are_heard(talking: Path) -> None:
    done = run("import course, tensorflow", talking)
    assert (done.returncode, done.stderr) == (0, ERRORS)


def test_the_last_words_of_a_program_that_it_ends_are_heard(talking: Path) -> None:
    done = run("import course, tensorflow", talking, ABORT="yes")
    assert done.returncode < 0
    assert done.stderr.startswith(ERRORS)


def test_what_python_raises_and_warns_of_meanwhile_is_heard(tmp_path: Path) -> None:
    (tmp_path / "tensorflow.py").write_text("import warnings\nwarnings.warn('old')\nraise ImportError('no libcuda')\n")
    done = run("import course, tensorflow", tmp_path)
    assert "UserWarning: old" in done.stderr
    assert done.stderr.endswith("ImportError: no libcuda\n")


def test_the_stream_is_its_own_again_after_the_import(talking: Path) -> None:
    code = f"import course, os, tensorflow; os.write(2, {GREETINGS.encode()!r})"
    assert run(code, talking).stderr == ERRORS + GREETINGS


def test_a_program_without_a_standard_error_imports_it_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "tensorflow.py").touch()
    done = run("import os; os.close(2); import course, tensorflow; print('imported')", tmp_path)
    assert done.stdout == "imported\n"
