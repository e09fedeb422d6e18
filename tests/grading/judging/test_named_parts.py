"""The names under which later cells look for weights: the checks ask for those that published weights go to."""

from __future__ import annotations

from pathlib import Path

import pytest

from course.encoder import BertEncoder, FeedForward
from course.weights.names import MASKED_LM_HEAD
from course.weights.parameters import parameter_paths
from grading.exercises.registry import find
from grading.judging.named_parts import missing_parts
from grading.judging.probing import run_probe
from grading.judging.proxies import Proxy
from grading.sandbox.interpreter import Interpreter


def asked_for(name: str, check: str, scratch: Path) -> set[str]:
    _, exercise = find(name)
    found = next(one for one in exercise.checks if one.key == check)
    session = Interpreter(scratch, {name: exercise.reference})
    return set(run_probe(exercise, found, session, b"public").value)


def test_a_check_asks_for_every_weight_of_the_encoder_that_published_ones_go_to(tmp_path: Path) -> None:
    paths = asked_for("BertEncoder", "parts_of_encoder", tmp_path)
    assert paths == {*parameter_paths(2), "embedding.token_embeddings"}
    block = asked_for("EncoderBlock", "parts_of_block", tmp_path)
    assert block == {path.removeprefix("blocks.1.") for path in paths if path.startswith("blocks.1.")}
    feed_forward = asked_for("FeedForward", "parts_of_feed_forward", tmp_path)
    assert feed_forward == {path.partition(".")[2] for path in block if path.startswith("feed_forward.")}


def test_a_check_asks_for_every_weight_of_the_head_that_published_ones_go_to(tmp_path: Path) -> None:
    assert asked_for("MaskedLMHead", "named_parts", tmp_path) == set(MASKED_LM_HEAD)


def test_the_layers_that_are_kept_have_every_weight_of_theirs(tmp_path: Path) -> None:
    for name, prefix in (("MultiHeadAttention", "blocks.0.attention."), ("BertEmbedding", "embedding.")):
        _, exercise = find(name)
        assert exercise.named_weights is not None
        found = exercise.named_weights(Proxy(Interpreter(tmp_path, {name: exercise.reference}), name))
        wanted = {path.removeprefix(prefix) for path in parameter_paths(1) if path.startswith(prefix)}
        assert set(found) - {"token_embeddings"} == wanted
        assert all(found.values())


@pytest.mark.parametrize("path", ["output_dense.kernels", "no_dense.kernel", "output_dense.0", "hidden_dim.0", "name"])
def test_a_path_that_leads_to_no_weight_of_that_shape_leads_nowhere(path: str, tmp_path: Path) -> None:
    session = Interpreter(tmp_path, {"FeedForward": FeedForward})
    made = Proxy(session, "FeedForward")(3, 5)
    shapes = {"output_dense.kernel": (5, 3), "output_dense.bias": (5,), path: (3,)}
    assert made.has_weights_at(shapes, (2, 3)) == {"output_dense.kernel": True, "output_dense.bias": False, path: False}


def test_blocks_are_found_by_their_number(tmp_path: Path) -> None:
    made = Proxy(Interpreter(tmp_path, {"BertEncoder": BertEncoder}), "BertEncoder")(7, 2, 1, 4, 6, max_length=5)
    found = made.has_weights_at({f"blocks.{number}.attention_norm.beta": (4,) for number in range(3)}, (None, None))
    assert list(found.values()) == [True, True, False]


def test_what_is_missing_is_named_by_the_parts_in_their_order() -> None:
    assert missing_parts({"dense.kernel": True, "bias": True}) is None
    assert missing_parts({"dense.kernel": True, "dense.bias": False, "norm.beta": True}) == (
        "has not all of `dense` and `norm`, with the weights that belong there, when `build` is done"
    )
    assert missing_parts({"dense.kernel": False}) == missing_parts({"dense.kernel": False, "dense.bias": True})
