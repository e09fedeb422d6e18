"""Folders of Sentence Transformers: vectors are the mean over all tokens, and anything else is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from course.applications.retrieval.trained_ranker import load_ranker
from course.errors import CourseError
from course.training.encoder_source import from_folder
from course.weights import WeightsError
from course.weights.text_vectors import mean_pooling_length
from tests.course.weights.published_bert import MAX_LENGTH, publish

OLDER = {"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": False}
MODULES = {"Transformer": "", "Pooling": "1_Pooling", "Normalize": "2_Normalize"}


@pytest.fixture
def folder(tmp_path: Path, random: np.random.Generator) -> Path:
    """A folder as Sentence Transformers writes it, without a length of its own."""
    _, folder = publish(tmp_path / "published", random)
    write(folder, MODULES, OLDER)
    return folder


def write(folder: Path, modules: dict[str, str], pooling: dict[str, Any]) -> None:
    """Writes the files that name the modules and the way of pooling."""
    listed = [{"type": f"sentence_transformers.models.{name}", "path": path} for name, path in modules.items()]
    (folder / "modules.json").write_text(json.dumps(listed))
    (folder / "1_Pooling").mkdir(exist_ok=True)
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))


def test_the_length_comes_from_its_file_or_else_from_the_encoder(folder: Path) -> None:
    assert mean_pooling_length(folder) == MAX_LENGTH
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 7, "do_lower_case": false}')
    assert mean_pooling_length(folder) == 7
    (folder / "modules.json").unlink()
    assert mean_pooling_length(folder) is None


def test_newer_files_are_read(folder: Path) -> None:
    write(folder, MODULES, {"embedding_dimension": 12, "pooling_mode": "mean"})
    assert mean_pooling_length(folder) == MAX_LENGTH


@pytest.mark.parametrize(
    ("pooling", "given"),
    [
        ({**OLDER, "pooling_mode_cls_token": True}, r"\['cls_token', 'mean_tokens'\]"),
        ({"pooling_mode": "cls"}, "cls"),
        ({"pooling_mode": ["mean", "max"]}, r"\['mean', 'max'\]"),
        ({}, r"\[\]"),
    ],
)
def test_another_way_of_pooling_is_refused(folder: Path, pooling: dict[str, Any], given: str) -> None:
    write(folder, MODULES, pooling)
    with pytest.raises(WeightsError, match=rf"1_Pooling.config\.json must pool by the mean .* Given: {given}\.$"):
        mean_pooling_length(folder)


@pytest.mark.parametrize("content", ["{", '["Pooling"]', '[{"type": "Pooling"}]', "3"])
def test_a_damaged_list_of_modules_is_refused(folder: Path, content: str) -> None:
    (folder / "modules.json").write_text(content)
    with pytest.raises(WeightsError, match=r"modules\.json must be a list of modules, each with a type and a path"):
        mean_pooling_length(folder)


@pytest.mark.parametrize("length", ['"long"', "2", "true"])
def test_an_invalid_length_is_refused(folder: Path, length: str) -> None:
    (folder / "sentence_bert_config.json").write_text(f'{{"max_seq_length": {length}}}')
    with pytest.raises(WeightsError, match="must have a max_seq_length of 3 or more"):
        mean_pooling_length(folder)


def test_a_dense_module_is_refused_for_a_search_in_one_line(folder: Path) -> None:
    write(folder, {**MODULES, "Dense": "2_Dense"}, OLDER)
    with pytest.raises(CourseError, match=r"Given: Dense, in 2_Dense\. Wanted: .* Pooling by the mean") as raised:
        load_ranker(folder)
    assert "\n" not in str(raised.value)
    assert from_folder(folder).weights  # fine-tuning needs the encoder alone
