"""`make check` runs only the tests of changed files."""

from __future__ import annotations

import pytest

from tests.touched import touched


@pytest.mark.parametrize(
    ("file", "wanted", "exercises"),
    [
        ("course/attention.py", "tests/course/test_attention.py", "scaled_dot_product_attention or padding_mask"),
        ("course/attention.py", "tests/grading/judging/test_exercises.py", "MultiHeadAttention"),
        (
            "grading/exercises/attention/mistakes/causal_mask.py",
            "tests/grading/judging/test_exercises.py",
            "causal_mask",
        ),
        ("tests/course/test_encoder.py", "tests/course/test_encoder.py", ""),
        ("grading/judging/changes.py", "tests/grading/judging/test_changes.py", ""),
        ("docs/grader.md", "tests/benchmarks/test_tables.py", ""),
        ("benchmarks/results/mutants.json", "tests/benchmarks/test_tables.py", ""),
        ("CONTRIBUTING.md", "tests/grading/test_contributing.py", ""),
    ],
)
def test_a_changed_file_touches_its_tests(file: str, wanted: str, exercises: str) -> None:
    arguments = touched([file])
    assert wanted in arguments
    assert exercises in arguments[-1]
    assert len(arguments) < 60
    assert ("-k" in arguments) == bool(exercises)


def test_a_file_of_one_exercise_selects_only_that_exercise() -> None:
    *_, expression = touched(["grading/exercises/attention/solutions/causal_mask/tril.py"])
    assert expression == "not test_exercises or causal_mask"


def test_each_exercise_is_named_once_however_many_files_changed() -> None:
    folder = "grading/exercises/attention"
    *_, expression = touched([f"{folder}/solutions/causal_mask/tril.py", f"{folder}/mistakes/causal_mask.py"])
    assert expression == "not test_exercises or causal_mask"


@pytest.mark.parametrize("file", ["LICENSE", "grading/exercises/attention/students.py"])
def test_a_file_that_no_quick_test_reads_selects_none(file: str) -> None:
    assert touched([file]) == []
