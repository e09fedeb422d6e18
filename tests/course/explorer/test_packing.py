"""Packing an encoder for the browser keeps every weight, or fails with a clear message. See also tests/website."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import numpy as np
import pytest

from course.data.text.vocabulary import Vocabulary
from course.data.text.wordpiece import WordPieceTokenizer
from course.encoder import BertEncoder
from course.explorer import explore, packing
from course.explorer.packing import packed
from course.given.positioned_encoder import PositionedEncoder
from course.masked_lm import MaskedLMHead
from course.weights.parameters import WeightsError, parameters

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "cat", "##s"]
SIZES: dict[str, Any] = {"num_layers": 1, "num_heads": 2, "hidden_dim": 6, "intermediate_dim": 10, "max_length": 9}


@pytest.fixture
def tokenizer() -> WordPieceTokenizer:
    return WordPieceTokenizer(Vocabulary(PIECES))


def built(vocabulary_size: int = len(PIECES)) -> BertEncoder:
    encoder = BertEncoder(vocabulary_size=vocabulary_size, **SIZES)
    encoder.build((None, None))
    return encoder


def numbers(made: dict[str, Any]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(made["data"]), f"<f{made['bytes']}")


def test_every_weight_is_packed_in_its_order(tokenizer: WordPieceTokenizer) -> None:
    encoder = built()
    made = packed(encoder, tokenizer)
    tensors = parameters(encoder)
    assert [name for name, _ in made["tensors"]] == list(tensors)
    assert made["bytes"] == 4
    np.testing.assert_array_equal(numbers(made), np.concatenate([tensor.ravel() for tensor in tensors.values()]))


def test_float16_weights_take_half_the_bytes(tokenizer: WordPieceTokenizer) -> None:
    encoder = built()
    for variable in encoder.trainable_variables:
        variable.assign(np.full(variable.shape, 0.3, "float16").astype("float32"))
    made = packed(encoder, tokenizer)
    assert made["bytes"] == 2
    assert set(numbers(made).tolist()) == {float(np.float16(0.3))}
    encoder.embedding.norm.beta.assign(np.full(6, 1e6, "float32"))  # beyond the range of float16
    assert packed(encoder, tokenizer)["bytes"] == 4


def test_an_encoder_that_cannot_be_explored_is_refused(
    tokenizer: WordPieceTokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match=r"of 8 pieces. Received: one of 7"):
        explore(built(vocabulary_size=8), tokenizer, "cats")
    with pytest.raises(WeightsError, match="has no weights yet"):
        explore(BertEncoder(vocabulary_size=len(PIECES), **SIZES), tokenizer, "cats")
    with pytest.raises(TypeError, match="text must be"):
        explore(built(), tokenizer, 5)  # type: ignore[arg-type]
    rotated = PositionedEncoder(vocabulary_size=len(PIECES), positions="rope", **SIZES)
    rotated.build((None, None))
    with pytest.raises(ValueError, match="must have a position table"):
        explore(rotated, tokenizer, "cats")
    monkeypatch.setattr(packing, "MOST_PARAMETERS", 100)
    with pytest.raises(ValueError, match=r"at most 100 parameters .* Received: \d{3}"):
        explore(built(), tokenizer, "cats")


def head_of(vocabulary_size: int = len(PIECES), hidden_dim: int = 6) -> MaskedLMHead:
    head = MaskedLMHead(vocabulary_size, hidden_dim)
    head.build((None, None, hidden_dim), (vocabulary_size, hidden_dim))
    return head


def test_a_head_that_is_not_the_encoders_is_refused(tokenizer: WordPieceTokenizer) -> None:
    assert packed(built(), tokenizer, head_of())["sizes"]["head_epsilon"] is not None
    for head, given in ((head_of(9), r"\(9, 6\)"), (head_of(hidden_dim=4), r"\(7, 4\)")):
        with pytest.raises(ValueError, match=rf"of vocabulary_size and hidden_dim \(7, 6\). Received: one of {given}"):
            explore(built(), tokenizer, "cats", head)
    with pytest.raises(WeightsError, match=r"masked_lm_head\w* has no weights yet"):
        explore(built(), tokenizer, "cats", MaskedLMHead(len(PIECES), 6))


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_weights_that_are_not_finite_are_refused(value: float, tokenizer: WordPieceTokenizer) -> None:
    encoder = built()
    encoder.embedding.norm.beta.assign(np.full(6, value, "float32"))
    with pytest.raises(ValueError, match="must have finite weights"):
        explore(encoder, tokenizer, "cats")


def test_a_text_cannot_end_the_script_that_holds_it(tokenizer: WordPieceTokenizer) -> None:
    text = "</script><script>alert(1)</script>"
    page = explore(built(), tokenizer, text).page
    assert page.count("</script>") == 1
    (literal,) = re.findall(r', ("(?:[^"\\]|\\.)*")\);\n</script>', page)
    assert json.loads(literal) == text
