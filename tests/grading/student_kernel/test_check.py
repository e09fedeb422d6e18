"""`check` shows a card for any argument, the same in the project and in a release, and never raises."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import keras
import numpy as np
import pytest
from keras import ops
from tensorflow.python.eager import context

import course.attention as library
from grading.errors import GradingError
from grading.exercises.registry import chapter
from grading.exercises.solutions import SOLUTIONS
from grading.feedback.card import Card
from grading.feedback.record import record
from grading.judging.expectations import LiveExpectations
from grading.judging.frozen import FrozenExpectations, unpacked
from grading.judging.probing import REPLAYS, Outcome, agree
from grading.judging.verdict import judge_exercise
from grading.sandbox.interpreter import Interpreter
from grading.student_kernel import check as checking
from grading.student_kernel.builds_on import builds_on
from grading.student_kernel.check import check


@pytest.fixture(autouse=True)
def fresh_kernel(monkeypatch: pytest.MonkeyPatch, live: LiveExpectations) -> None:
    monkeypatch.setattr(checking, "_expectations", {3: live}.__getitem__)
    monkeypatch.setattr(checking, "_earned", {})
    monkeypatch.setattr(checking, "_beside", {})


@pytest.fixture(scope="module")
def live() -> LiveExpectations:
    return LiveExpectations(chapter(3))


@pytest.fixture(scope="module")
def expected(released: Callable[[int], Path]) -> Path:
    return released(3) / "grading" / "exercises" / "attention" / "expected.gz"


def split_heads(x, num_heads):
    batch, length, hidden_dim = ops.shape(x)
    return ops.reshape(x, (batch, num_heads, length, hidden_dim // num_heads))


def test_a_right_definition_gets_its_points_and_the_chapter_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert check(library.split_heads) is None
    first = capsys.readouterr().out
    assert first.startswith("✓ split_heads: 2 of 2 points\n")
    assert first.endswith("Chapter 3, Attention: 1 of 6 exercises done, 2 of 23 points\n")
    check(library.merge_heads)
    assert "2 of 6 exercises done, 4 of 23 points" in capsys.readouterr().out


def test_a_mistake_is_named_with_a_hint_and_what_differs(capsys: pytest.CaptureFixture[str]) -> None:
    check(split_heads)
    said = capsys.readouterr().out
    assert said.startswith("✗ split_heads: 0 of 2 points\n  The features are cut by reshape alone")
    assert "Hint: Reshape never moves numbers." in said
    assert "the result differs in" in said


def test_nbgrader_reads_the_points_from_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert check(library.split_heads) == 2
    assert check(split_heads) == 0
    assert check(3) == 0  # nbgrader would take a cell without a number for right


def test_an_exercise_that_builds_on_a_mistake_is_not_blamed_for_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    whole = next(one for one in SOLUTIONS["MultiHeadAttention"] if one.style == "functions_of_the_chapter")
    notebook: dict[str, object] = {}
    cell = whole.source.replace("query / math.sqrt(query.shape[-1])", "query")
    exec(cell, notebook)
    monkeypatch.setattr(checking, "_history", lambda: [cell])
    assert check(notebook["scaled_dot_product_attention"]) == 0
    assert check(notebook["MultiHeadAttention"]) == 10
    monkeypatch.setattr(checking, "_is_released", lambda chapter: True)
    assert check(notebook["split_heads"]) == check(notebook["merge_heads"]) == 2
    capsys.readouterr()
    assert check(notebook["MultiHeadAttention"]) == 0  # with a bundle alone nobody can tell
    said = capsys.readouterr().out
    assert "It builds on `scaled_dot_product_attention`, which has not passed" in said
    assert "not divided by √d_k" not in said


HEADS = """
class MultiHeadAttention(library.MultiHeadAttention):
    def call(self, inputs, context=None, attention_mask=None, training=None, return_weights=False):
        return in_heads(self.query_dense(inputs))


def in_heads(x):
    return split_heads(x, 3)
"""


def test_a_card_says_what_it_waits_for_through_a_helper_too(capsys: pytest.CaptureFixture[str]) -> None:
    notebook = {"library": library, "split_heads": split_heads}
    exec(HEADS, notebook)
    waits = "It builds on `split_heads`, which has not passed here yet. Begin there"
    check(notebook["MultiHeadAttention"])
    assert waits in capsys.readouterr().out
    notebook["split_heads"] = library.split_heads
    check(library.split_heads)
    check(notebook["MultiHeadAttention"])
    assert waits not in capsys.readouterr().out


def test_an_attribute_with_the_name_of_an_exercise_is_not_what_a_definition_builds_on() -> None:
    def merge_heads(x):
        return [x.split_heads for _ in keras.activations.causal_mask(x)]

    assert builds_on(merge_heads, ["split_heads", "causal_mask"]) == []


def test_checks_compute_as_grading_does_whatever_the_notebook_has_set(capsys: pytest.CaptureFixture[str]) -> None:
    before = keras.config.dtype_policy()
    keras.config.set_dtype_policy("mixed_bfloat16")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check(library.MultiHeadAttention)
            assert warnings.filters[0][0] == "error"
        assert keras.config.dtype_policy().name == "mixed_bfloat16"
    finally:
        keras.config.set_dtype_policy(before)
    assert capsys.readouterr().out.startswith("✓ MultiHeadAttention: 10 of 10 points")


def test_another_backend_is_said_and_not_blamed_on_the_student(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(keras.backend, "backend", lambda: "jax")
    check(library.split_heads)
    assert (
        "checks run Keras on TensorFlow, as grading does, and this notebook runs it on jax" in capsys.readouterr().out
    )


def test_checks_compute_on_the_cpu_as_grading_does() -> None:
    computed_on = set()

    def merge_heads(x):
        computed_on.add(context.context().device_name)
        return library.merge_heads(x)

    checking.examine(merge_heads, chapter(3), chapter(3).exercises["merge_heads"])
    assert {str(name)[-5:] for name in computed_on} == {"CPU:0"}


@pytest.mark.parametrize("given", [3, None, "split_heads", library.split_heads.__doc__, print, keras.layers.Dense])
def test_a_check_never_raises(given: object, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(given) is None
    assert capsys.readouterr().out.startswith("✗ Cannot check this: ")


def test_a_ready_made_function_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    def scaled_dot_product_attention(query, key, value, mask=None):
        return keras.ops.dot_product_attention(query, key, value), None

    check(scaled_dot_product_attention)
    assert "`keras.ops.dot_product_attention` is what this exercise asks you to write" in capsys.readouterr().out


class _Tags(HTMLParser):
    """Collects the tags of a page, and fails if one is closed that was not open."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.text: dict[str, str] = {}
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)
        if tag not in ("br", "meta"):
            self.open.append(tag)

    def handle_data(self, data: str) -> None:
        for tag in self.open:
            self.text[tag] = self.text.get(tag, "") + data

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)


def test_the_card_as_html_has_the_hint_the_picture_and_its_description(tmp_path: Path, live: LiveExpectations) -> None:
    exercise = chapter(3).exercises["split_heads"]
    result = judge_exercise(exercise, Interpreter(tmp_path, {"split_heads": split_heads}), live)
    html = Card(record(result)).html()
    tags = _Tags(html)
    assert tags.open == []
    assert {"details", "summary", "table", "figcaption"} <= tags.seen
    assert html.count('role="img"') == 3
    assert re.search(r'aria-label="Yours \[\d, \d\]: 5 rows, 4 columns, from -?\d', html)
    # Where a notebook is not trusted, all but a table's own elements is taken away, and the text in them stays.
    assert not tags.text.get("table", "").strip()
    assert html.count("<td title=") == 3 * 5 * 4


def test_nothing_that_a_student_wrote_becomes_markup(tmp_path: Path, live: LiveExpectations) -> None:
    def merge_heads(x):
        raise ValueError("<script>alert(1)</script>")

    exercise = chapter(3).exercises["merge_heads"]
    result = judge_exercise(exercise, Interpreter(tmp_path, {"merge_heads": merge_heads}), live)
    html = Card(record(result)).html()
    assert "<script>" not in html
    assert "ValueError: &lt;script&gt;" in html


@pytest.mark.long
def test_a_release_stores_what_a_mistake_gives_where_it_shows_and_nowhere_else(expected: Path) -> None:
    stored = unpacked(expected.read_bytes())
    for name, exercise in chapter(3).exercises.items():
        checks = {check.key: check for check in exercise.checks}
        for mistake in stored[name]["mistakes"]:
            assert mistake["outcomes"]
            for key, outcome in mistake["outcomes"].items():
                right = Outcome(stored[name]["reference"][key][0]["value"])
                assert "mark" in outcome or not agree(checks[key], Outcome(outcome["value"]), right), (name, key)


@pytest.mark.long
def test_a_release_observes_what_the_project_does(expected: Path, tmp_path: Path, live: LiveExpectations) -> None:
    """Of the reference under other inputs it knows where the answer moves, and no number of it."""

    def heads_in_reverse(x, num_heads):
        return library.split_heads(x, num_heads)[:, ::-1]

    frozen = FrozenExpectations(expected)
    exercise = chapter(3).exercises["split_heads"]
    session = Interpreter(tmp_path, {"split_heads": heads_in_reverse})
    here, released = (record(judge_exercise(exercise, session, expectations)) for expectations in (live, frozen))
    assert here["observed"] == released["observed"] != []
    assert here["observed"][0]["sentence"] in Card(released).text()
    assert Card(released).html().count("Observed:") == len(released["observed"])
    replayed = [(one, REPLAYS) for one in exercise.checks if frozen.moves(exercise, one)]
    assert replayed
    for one, replay in [*((one, 0) for one in exercise.checks), *replayed]:
        stored = frozen.moves(exercise, one, replay)
        assert {part.dtype for moved in stored.values() for part in moved} <= {np.dtype(bool)}
        assert all(
            np.array_equal(*both)
            for change in stored
            for both in zip(stored[change], live.moves(exercise, one, replay)[change], strict=True)
        )


@pytest.mark.long
def test_a_damaged_release_is_said_to_be_damaged(expected: Path, tmp_path: Path) -> None:
    path = tmp_path / "expected.gz"
    path.write_bytes(expected.read_bytes()[:-100])
    with pytest.raises(GradingError, match="unpack the released bundle again"):
        FrozenExpectations(path)
