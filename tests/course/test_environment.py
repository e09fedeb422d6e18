"""TensorFlow starts silently and computes correctly; all other messages during its start are shown."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from course import environment

PROJECT = Path(__file__).parents[2]

# Lines that TensorFlow's libraries write, as of 2.21, and lines that only look like them.
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
    """Run a program in a process of its own, which looks for modules in a folder before all others."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("TF_CPP", "TF_ENABLE"))}
    environment |= {"PYTHONPATH": f"{folder}:{PROJECT}", **variables}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture
def talking(tmp_path: Path) -> Path:
    """A folder with a fake `tensorflow` that, on import, writes what the real one writes and then aborts if told to."""
    text = f"import os\nos.write(2, {(GREETINGS + ERRORS).encode()!r})\nif 'ABORT' in os.environ:\n    os.abort()\n"
    (tmp_path / "tensorflow.py").write_text(text)
    return tmp_path


@pytest.mark.parametrize("code", ["import course.attention", "import course, tensorflow_text", "import course, keras"])
def test_starts_silently(code: str) -> None:
    done = run(code)
    assert (done.returncode, done.stderr) == (0, "")


def test_log_level_0_shows_all_messages() -> None:
    assert "port.cc" in run("import course.attention", TF_CPP_MIN_LOG_LEVEL="0", TF_ENABLE_ONEDNN_OPTS="1").stderr


def test_errors_of_its_libraries_are_shown(talking: Path) -> None:
    done = run("import course, tensorflow", talking)
    assert (done.returncode, done.stderr) == (0, ERRORS)


def test_messages_before_an_abort_are_shown(talking: Path) -> None:
    done = run("import course, tensorflow", talking, ABORT="yes")
    assert done.returncode < 0
    assert done.stderr.startswith(ERRORS)


def test_warnings_and_errors_of_python_during_the_import_are_shown(tmp_path: Path) -> None:
    (tmp_path / "tensorflow.py").write_text("import warnings\nwarnings.warn('old')\nraise ImportError('no libcuda')\n")
    done = run("import course, tensorflow", tmp_path)
    assert "UserWarning: old" in done.stderr
    assert done.stderr.endswith("ImportError: no libcuda\n")


def test_standard_error_is_unfiltered_after_the_import(talking: Path) -> None:
    code = f"import course, os, tensorflow; os.write(2, {GREETINGS.encode()!r})"
    assert run(code, talking).stderr == ERRORS + GREETINGS


def test_import_works_without_a_standard_error(tmp_path: Path) -> None:
    (tmp_path / "tensorflow.py").touch()
    done = run("import os; os.close(2); import course, tensorflow; print('imported')", tmp_path)
    assert done.stdout == "imported\n"


def test_a_backend_that_is_not_installed_is_named() -> None:
    without = "import sys; sys.modules['jax'] = None; sys.argv[1:] = ['pretrain', 'none']"
    done = run(f"{without}; from course.cli import main; main()", KERAS_BACKEND="jax", COLUMNS="1000")
    assert done.returncode == 1
    assert done.stderr.startswith("Error: KERAS_BACKEND=jax needs jax. To install")
    assert done.stderr.endswith(" -m pip install -c requirements.lock jax\n")


EINSUM = """
import course
import numpy as np, tensorflow as tf

x, w = (np.random.default_rng(seed).normal(size=size) for seed, size in ((1, (3, 5, 12)), (2, (12, 20))))
found = tf.einsum("...d,dm->...m", tf.constant(x, "float16"), tf.constant(w, "float16"))
print(np.abs(np.array(found, "float64") - x @ w).max())
"""


def test_products_in_float16_are_as_precise_as_float16() -> None:
    """Each of the 12 products is below 16, and float16 has 11 bits: sums are off by less than 12 · 16 / 2¹¹."""
    done = run(EINSUM)
    assert float(done.stdout) < 12 * 16 / 2**11, done.stderr


@pytest.mark.parametrize(
    ("processor", "set_by_user", "expected"),
    [("avx2 avx512f avx512_fp16", None, "0"), ("avx512_fp16", "1", "1"), ("avx2 avx512f", None, None)],
)
def test_onednn_is_off_only_if_the_processor_needs_it_and_the_user_sets_nothing(
    monkeypatch: pytest.MonkeyPatch, processor: str, set_by_user: str | None, expected: str | None
) -> None:
    monkeypatch.setattr(environment, "_processor", lambda: processor)
    monkeypatch.delenv("TF_ENABLE_ONEDNN_OPTS", raising=False)
    if set_by_user:
        monkeypatch.setenv("TF_ENABLE_ONEDNN_OPTS", set_by_user)
    environment.avoid_wrong_halves()
    assert os.environ.get("TF_ENABLE_ONEDNN_OPTS") == expected
