"""What frameworks say in an error is recognised, whichever operation says it, and told once in a sentence of ours."""

from __future__ import annotations

import math
import operator
import re
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf
from keras import ops

import course.tokenization
from grading.exercises.registry import chapter
from grading.feedback.card import Card
from grading.feedback.record import record
from grading.judging.error_meanings import (
    MADE_IN_CALL,
    NO_AXIS,
    NO_METHOD,
    NO_PART,
    NO_ROW,
    NO_VALUES,
    OTHER_COUNT,
    OTHER_SIZES,
    OTHER_TYPE,
    OTHER_WIDTH,
    READ_ONLY,
    UNKNOWN_SIZE,
    Meaning,
    meaning_of,
)
from grading.judging.expectations import LiveExpectations
from grading.judging.probing import Failure
from grading.judging.verdict import judge_exercise
from grading.sandbox.errors import StudentError
from grading.sandbox.interpreter import Interpreter
from grading.untrusted import shown

X = np.ones((2, 7, 20), "float32")

# Each is right where all sizes and numbers are known, and takes a tensor whose batch and length are not.
UNKNOWN_SIZES = {
    "unpacked and reshaped": lambda x: ops.reshape(x, (x.shape[0], x.shape[1], 4, x.shape[2] // 4)),
    "a list of sizes": lambda x: ops.reshape(x, [-1, x.shape[1], 4, 5]),
    "TensorFlow's own reshape": lambda x: tf.reshape(x, (x.shape[0], x.shape[1], 4, 5)),
    "zeros": lambda x: ops.zeros((x.shape[1], 3)),
    "ones like the whole shape": lambda x: ops.ones(x.shape),
    "a range": lambda x: ops.arange(x.shape[1]),
    "a product": lambda x: ops.reshape(x, (-1, x.shape[0] * x.shape[1])),
    "divided by the length": lambda x: x / x.shape[1],
    "a root of the length": lambda x: x / math.sqrt(x.shape[1]),
    "one less": lambda x: x[:, : x.shape[1] - 1],
    "a loop over the length": lambda x: [x[:, place] for place in range(x.shape[1])],
    "compared": lambda x: x if x.shape[1] > 3 else -x,
    "broadcast": lambda x: ops.broadcast_to(x[:1], x.shape),
    "a square": lambda x: ops.eye(x.shape[1]),
    "NumPy's zeros": lambda x: np.zeros(x.shape),
}
NO_NUMBERS = {
    "NumPy's mean": np.mean,
    "NumPy's root": np.sqrt,
    "NumPy's array": np.array,
    "a number of Python": lambda x: float(x[0, 0, 0]),
    "a whole number": lambda x: range(int(ops.shape(x)[0])),
    "a size for NumPy": lambda x: np.arange(ops.shape(x)[1]),
    "an if": lambda x: x if ops.sum(x) > 0 else -x,
    "a loop over rows": list,
    "its numbers": lambda x: x.numpy(),
}
ANYWHERE = {
    "whole numbers times fractions": (OTHER_TYPE, lambda x: tf.constant(2) * x),
    "a product of matrices": (OTHER_SIZES, lambda x: ops.matmul(x, x)),
    "a sum": (OTHER_SIZES, lambda x: x + ops.ones((2, 7, 19))),
    "side by side": (OTHER_SIZES, lambda x: ops.concatenate([x, ops.ones((3, 3))], axis=0)),
    "a reshape": (OTHER_COUNT, lambda x: ops.reshape(x, (2, 3, 5))),
    "a method of NumPy": (NO_METHOD, lambda x: x.reshape(2, 7, 4, 5)),
}


def only_read() -> np.ndarray:
    array = np.ones(3)
    array.flags.writeable = False
    return array


# Where nothing is compiled.
EAGERLY = {
    "NumPy's sum": (OTHER_SIZES, lambda x: np.ones((2, 3)) + np.ones((2, 4))),
    "NumPy's product": (OTHER_SIZES, lambda x: np.ones((2, 3)) @ np.ones((2, 4))),
    "NumPy side by side": (OTHER_SIZES, lambda x: np.concatenate([np.ones((2, 3)), np.ones((2, 4))])),
    "NumPy's reshape": (OTHER_COUNT, lambda x: np.ones((2, 3)).reshape(4, 5)),
    "a sum over no axis": (NO_AXIS, lambda x: ops.sum(x, axis=3)),
    "NumPy's sum over no axis": (NO_AXIS, lambda x: np.ones((2, 3)).sum(axis=2)),
    "too few axes": (NO_AXIS, lambda x: ops.transpose(x, (0, 1))),
    "a row that is not there": (NO_ROW, lambda x: tf.gather(tf.ones((5, 2)), [[1, 5]])),
    "added in place": (READ_ONLY, lambda x: operator.iadd(only_read(), 1)),
    "put in place": (READ_ONLY, lambda x: operator.setitem(only_read(), 0, 2)),
    "sorted in place": (READ_ONLY, lambda x: only_read().sort()),
}


def failure(function: Any, scratch: Path, graph: bool) -> Failure:
    session = Interpreter(scratch, {"function": function})
    with pytest.raises(StudentError) as error:
        session.perform({"op": "call", "target": "function", "args": [X], "kwargs": {}, "graph": graph})
    return Failure.of(error.value)


@pytest.mark.parametrize("function", UNKNOWN_SIZES.values(), ids=UNKNOWN_SIZES)
def test_a_size_that_is_none_has_a_name(function: Any, tmp_path: Path) -> None:
    function(ops.convert_to_tensor(X))
    assert failure(function, tmp_path, graph=True).meaning is UNKNOWN_SIZE


@pytest.mark.parametrize("function", NO_NUMBERS.values(), ids=NO_NUMBERS)
def test_numbers_that_are_not_there_have_a_name(function: Any, tmp_path: Path) -> None:
    function(ops.convert_to_tensor(X))
    assert failure(function, tmp_path, graph=True).meaning is NO_VALUES


def test_a_long_error_keeps_its_meaning_where_it_is_shown_to_people(tmp_path: Path) -> None:
    """Of what the sandbox hands on, the end is cut off."""
    session = Interpreter(tmp_path, {"function": lambda x: ops.stack([2 * row for row in x])})
    with pytest.raises(StudentError) as raised:
        session.perform({"op": "call", "target": "function", "args": [X], "kwargs": {}, "graph": True})
    assert len(raised.value.message) > 400
    assert meaning_of(raised.value.kind, shown(raised.value.message)) is NO_VALUES


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize(("meaning", "function"), ANYWHERE.values(), ids=ANYWHERE)
def test_tensors_that_do_not_fit_have_a_name(meaning: Meaning, function: Any, graph: bool, tmp_path: Path) -> None:
    assert failure(function, tmp_path, graph).meaning is meaning


@pytest.mark.parametrize(("meaning", "function"), EAGERLY.values(), ids=EAGERLY)
def test_what_does_not_fit_has_a_name_without_compiling(meaning: Meaning, function: Any, tmp_path: Path) -> None:
    assert failure(function, tmp_path, graph=False).meaning is meaning


class OtherWidth(keras.Layer):
    def build(self, x_shape: tuple) -> None:
        self.dense = keras.layers.Dense(3)
        self.dense.build((None, 19))

    def call(self, x: Any) -> Any:
        return self.dense(x)


class MadeInCall(keras.Layer):
    def build(self, x_shape: tuple) -> None:
        self.built = True

    def call(self, x: Any) -> Any:
        self.dense = keras.layers.Dense(3)
        return self.dense(x)


class NoPart(keras.Layer):
    def call(self, x: Any) -> Any:
        return self.output_dense(x)


@pytest.mark.parametrize(
    ("meaning", "layer"), [(OTHER_WIDTH, OtherWidth), (MADE_IN_CALL, MadeInCall), (NO_PART, NoPart)]
)
def test_what_layers_are_made_of_has_a_name(meaning: Meaning, layer: type, tmp_path: Path) -> None:
    assert failure(layer(), tmp_path, graph=False).meaning is meaning


def test_none_means_something_else_where_all_sizes_are_known(tmp_path: Path) -> None:
    said = failure(lambda x: x * None, tmp_path, graph=False)
    assert said.meaning is None
    assert said.sentence().startswith(f"{said.kind}: ")


def test_a_layer_that_keras_has_wrapped_is_understood(tmp_path: Path) -> None:
    class Layer(keras.Layer):
        def call(self, x: Any) -> Any:
            return ops.reshape(x, (x.shape[0], x.shape[1], 4, 5))

    assert failure(Layer(), tmp_path, graph=True).meaning is UNKNOWN_SIZE


def split_heads(x: Any, num_heads: int) -> Any:
    batch, length, hidden_dim = x.shape
    parts = ops.reshape(x, (batch, length, num_heads, hidden_dim // num_heads))
    return ops.transpose(parts, (0, 2, 1, 3))


def test_a_card_names_it_once_with_a_hint(tmp_path: Path) -> None:
    exercise = chapter(3).exercises["split_heads"]
    result = judge_exercise(exercise, Interpreter(tmp_path, {"split_heads": split_heads}), LiveExpectations(chapter(3)))
    shown = record(result)
    assert [mistake["sentence"] for mistake in shown["mistakes"]] == [UNKNOWN_SIZE.mistake.sentence]
    said = [check["message"] for check in shown["checks"] if not check["passed"]]
    assert said == [UNKNOWN_SIZE.short]


def test_an_error_that_fails_several_checks_is_said_once(tmp_path: Path) -> None:
    def scaled_dot_product_attention(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
        return ops.matmul(query, key)

    exercise = chapter(3).exercises["scaled_dot_product_attention"]
    name = exercise.name
    result = judge_exercise(
        exercise, Interpreter(tmp_path, {name: scaled_dot_product_attention}), LiveExpectations(chapter(3))
    )
    shown = record(result)
    (message,) = {check["message"] for check in shown["checks"]}  # for systems that show each check by itself
    assert message.startswith(OTHER_SIZES.short)
    card = Card(shown).text()
    assert card.count(message) == 1
    assert card.count("as above") == len(shown["checks"]) - 1 > 1
    assert [mistake.sentence for mistake in result.meanings] == [OTHER_SIZES.mistake.sentence]


def test_what_another_exercise_lacks_is_said_with_its_name(tmp_path: Path) -> None:
    def merge_heads(x: Any) -> Any:
        raise NotImplementedError("Write split_heads, then run the check below.")

    exercise = chapter(3).exercises["merge_heads"]
    result = judge_exercise(exercise, Interpreter(tmp_path, {"merge_heads": merge_heads}), LiveExpectations(chapter(3)))
    assert result.problem == "It needs `split_heads`, which is not written yet. Write that first, and run its check."


def test_what_changes_a_list_in_place_is_told_with_its_name(tmp_path: Path) -> None:
    def pack_pair(first: list[int], second: list[int] | None, max_length: int, **ids: int) -> Any:
        while len(first) + len(second or []) > max_length - 2 - bool(second):
            (first if len(first) > len(second or []) else second).pop()
        return course.tokenization.pack_pair(first, second, max_length, **ids)

    exercise = chapter(1).exercises["pack_pair"]
    result = judge_exercise(exercise, Interpreter(tmp_path, {"pack_pair": pack_pair}), LiveExpectations(chapter(1)))
    (shown, *_) = record(result)["mistakes"]
    assert shown["sentence"].startswith("The list `first` is changed in place")


def test_an_argument_without_a_name_is_not_quoted() -> None:
    said = "changed the list that it was given as one of its arguments; wanted it left as it was, for its owner"
    meaning = meaning_of("bad answer", said)
    assert meaning is not None
    assert meaning.mistake.sentence == (
        "The list that is given as one of its arguments is changed in place, and the caller finds it changed."
    )


@pytest.mark.parametrize("message", ["'padding_mask'", r'"Exception in call().\n\n\x1b[1mpadding_mask\x1b[0m\n"'])
def test_a_missing_entry_of_a_dictionary_is_named(message: str) -> None:
    """As Python says it, and as Keras does within its own words."""
    meaning = meaning_of("KeyError", message)
    assert meaning
    assert meaning.short == "asks a dictionary for 'padding_mask', which it does not have"
    assert meaning_of("KeyError", "3") is None


@pytest.mark.parametrize("name", ["astype", "T", "tolist", "data"])
def test_what_arrays_have_and_tensors_have_not_is_not_promised_under_the_same_name(name: str, tmp_path: Path) -> None:
    found = failure(lambda x: getattr(x, name), tmp_path, graph=False).meaning
    assert found is NO_METHOD
    assert not hasattr(ops, name)
    assert "perhaps under another name" in found.mistake.hint
    assert all(hasattr(ops, function) for function in re.findall(r"`ops\.(\w+)", found.mistake.hint))


TWO_FUNCTIONS = """
def merge_heads(x):
    batch, heads, length, size = x.shape
    return x

def attend(x):
    attended = (x, x)
    return merge_heads(attended)

class Attention:
    def merged(self, x):
        return merge_heads(x)

    def call(self, x):
        return self.merged((x, x))
"""


@pytest.mark.parametrize(
    ("target", "where"),
    [
        ("merge_heads", "at `batch, heads, length, size = x.shape`"),
        ("attend", "at `return merge_heads(attended)`, which leads to `batch, heads, length, size = x.shape` in `{}`"),
        ("Attention", "at `return merge_heads(x)`, which leads to `batch, heads, length, size = x.shape` in `{}`"),
    ],
)
def test_an_error_in_another_definition_quotes_the_line_that_leads_there(
    target: str, where: str, tmp_path: Path
) -> None:
    session = Interpreter(tmp_path)
    session.perform({"op": "define", "source": TWO_FUNCTIONS, "origin": "cell 1"})
    called: Any = target
    if target == "Attention":
        made = session.perform({"op": "call", "target": target, "args": [], "kwargs": {}})
        called = session.perform({"op": "method", "target": made, "name": "call"})
    with pytest.raises(StudentError) as error:
        session.perform({"op": "call", "target": called, "args": [X], "kwargs": {}})
    assert Failure.of(error.value).sentence().endswith(where.format("merge_heads"))
