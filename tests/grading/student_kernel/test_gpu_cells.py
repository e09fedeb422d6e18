"""The cells that wait for a GPU: neither the builder nor nbval runs them, so here they do, on little text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import huggingface_hub
import keras
import nbformat
import pandas as pd
import pytest
import tensorflow as tf
import transformers

import course.data.datasets
from course.data.datasets import load_sample
from course.data.text.vocabulary import Vocabulary, train_vocabulary
from course.data.text.wordpiece import WordPieceTokenizer
from course.evaluation.fill_mask import fill_mask
from course.presets import PRESETS
from course.weights import load_masked_lm
from grading.lessons.notebook import GPU_TAG
from tests.course.weights.published_bert import HIDDEN_DIM, config

pytestmark = pytest.mark.long

SOLVED = Path(__file__).parents[3] / "notebooks" / "solved"
SIZES = {"num_layers": 1, "num_heads": 2, "hidden_dim": 12, "intermediate_dim": 20}


def cell_and_names(name: str) -> tuple[str, dict[str, Any]]:
    """The GPU cell of a chapter, and what is imported and defined above it; nothing is computed for that."""
    cells = [cell for cell in nbformat.read(SOLVED / f"{name}.ipynb", as_version=4).cells if cell.cell_type == "code"]
    number = next(n for n, cell in enumerate(cells) if GPU_TAG in cell.metadata.get("tags", []))
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in cells[:number]:
        body = [node for node in ast.parse(cell.source).body if defines(node)]
        exec(compile(ast.Module(body, []), cell.id, "exec"), names)
    return cells[number].source, names


def defines(node: ast.stmt) -> bool:
    """Whether it is an import, a function, a class or a CONSTANT."""
    if isinstance(node, ast.Assign):
        return all(isinstance(target, ast.Name) and target.id.isupper() for target in node.targets)
    return isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef)


def smaller(source: str, sizes: dict[str, str]) -> str:
    """The same cell with other numbers. Each must stand in it."""
    for large, small in sizes.items():
        assert large in source
        source = source.replace(large, small)
    return source


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A cell writes where it runs, and says with how many digits all computes."""
    monkeypatch.chdir(tmp_path)
    policy = keras.mixed_precision.dtype_policy()
    yield
    keras.mixed_precision.set_dtype_policy(policy)


@pytest.fixture
def disconnects(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The machine is gone after the first epoch, once. Gives the epochs that were begun."""
    begun: list[int] = []
    end_of_epoch = keras.callbacks.CSVLogger.on_epoch_end

    def ends(logger: keras.callbacks.CSVLogger, epoch: int, logs: Any = None) -> None:
        end_of_epoch(logger, epoch, logs)
        begun.append(epoch)
        if begun == [0]:
            raise KeyboardInterrupt

    monkeypatch.setattr(keras.callbacks.CSVLogger, "on_epoch_end", ends)
    return begun


@pytest.mark.parametrize(
    ("capability", "policy"), [((7, 5), "mixed_float16"), ((8, 0), "mixed_bfloat16")], ids=["T4", "A100"]
)
def test_chapter_7_pretrains_on_the_card_that_is_there_and_goes_on(
    capability: tuple[int, int], policy: str, disconnects: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PRESETS, "mini", SIZES)
    monkeypatch.setattr(course.data.datasets, "load_ag_news", lambda: {"train": load_sample()[:60]})
    cell, names = cell_and_names("07_pretraining")
    sizes = {"size=8000": "size=600", "batch(256": "batch(16", "(5e-4, 1_000, 20_000)": "(5e-2, 1, 6)"}
    cell = smaller(cell, sizes | {"epoch=500": "epoch=3", "epochs=40": "epochs=2"})
    found = {"device_name": "a card", "compute_capability": capability}
    cards = SimpleNamespace(
        list_physical_devices=lambda kind: [kind], experimental=SimpleNamespace(get_device_details=lambda _: found)
    )
    names["tf"] = SimpleNamespace(config=cards, data=names["tf"].data)
    with pytest.raises(KeyboardInterrupt):
        exec(cell, names)
    exec(cell, names)
    assert disconnects == [0, 1]
    assert names["encoder"].dtype_policy.name == policy
    assert keras.mixed_precision.dtype_policy().name == "float32"
    optimizer = names["model"].optimizer
    assert isinstance(optimizer, keras.optimizers.LossScaleOptimizer) == (policy == "mixed_float16")
    assert int(getattr(optimizer, "inner_optimizer", optimizer).iterations) == 6
    first, last = pd.read_csv("pretraining/history.csv")["masked_lm_loss"]
    assert last < first
    encoder, head = load_masked_lm("pretraining/encoder")
    vocabulary = Vocabulary.load("pretraining/encoder/vocab.txt")
    assert len(vocabulary) == 600
    assert len(fill_mask("[MASK].", encoder, head, WordPieceTokenizer(vocabulary))) == 5


@pytest.mark.parametrize("name", ["07_pretraining", "08_classification"])
def test_nothing_is_trained_without_a_card(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tf.config, "list_physical_devices", lambda kind: [])
    cell, names = cell_and_names(name)
    with pytest.raises(RuntimeError, match="TensorFlow sees no GPU"):
        exec(cell, names)


def test_chapter_8_compares_published_weights_with_fresh_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    articles = load_sample()
    vocabulary = train_vocabulary(articles["description"][:300], size=600)
    vocabulary.save(tmp_path / "vocab.txt")
    published = config(vocab_size=len(vocabulary), num_hidden_layers=2, max_position_embeddings=24)
    transformers.BertForPreTraining(published).save_pretrained(tmp_path)
    asked = []
    monkeypatch.setattr(tf.config, "list_physical_devices", lambda kind=None: [kind] if kind else [])
    monkeypatch.setattr(huggingface_hub, "snapshot_download", lambda *name, **_: asked.append(name) or str(tmp_path))
    monkeypatch.setattr(course.data.datasets, "load_ag_news", lambda: {"train": articles[:60], "test": articles[60:90]})
    cell, names = cell_and_names("08_classification")
    exec(smaller(cell, {"4000": "24", "5000": "40", "max_length=128": "max_length=24"}), names)
    assert asked == [("google-bert/bert-base-uncased",)]
    said = capsys.readouterr().out.splitlines()
    assert [re.split(r"[:,] ", line)[0] for line in said[-4:-2]] == ["pretrained", "not pretrained"]
    assert [line.split(": ")[0] for line in said[-2:]] == [
        "TF-IDF, the same 4,000",
        "TF-IDF, all 120,000",
    ]
    assert all(0 <= float(line.split(": ")[1]) <= 1 for line in said[-4:])
    assert names["kept"].encoder.hidden_dim == HIDDEN_DIM
    assert "not pretrained, at the best of 3 rates" in said[-3]
