"""The cells that wait for a GPU: neither the builder nor nbval runs them, so here they do, on little text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import huggingface_hub
import keras
import nbformat
import pytest
import transformers

import course.datasets
from course.datasets import load_sample
from course.presets import PRESETS
from course.text.vocabulary import train_vocabulary
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


def test_chapter_7_pretrains_from_a_text_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PRESETS, "mini", SIZES)
    stories = [story.split(". ") for story in load_sample()["description"][:60]]
    (tmp_path / "corpus.txt").write_text("\n\n".join("\n".join(story) for story in stories))
    cell, names = cell_and_names("07_pretraining")
    steps = {"(5e-4, 2_000": "(5e-2, 1", "epoch=500": "epoch=3", "epochs=100": "epochs=2"}
    exec(smaller(cell, {"8000": "600", "batch(256": "batch(16", **steps}), names)
    first, last = names["history"].history["masked_lm_loss"]
    assert last < first
    assert keras.saving.load_model("encoder.keras").hidden_dim == 12
    assert len((tmp_path / "vocab.txt").read_text().splitlines()) == 600


def test_chapter_8_compares_published_weights_with_fresh_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    articles = load_sample()
    vocabulary = train_vocabulary(articles["description"][:300], size=600)
    vocabulary.save(tmp_path / "vocab.txt")
    published = config(vocab_size=len(vocabulary), num_hidden_layers=2, max_position_embeddings=24)
    transformers.BertForPreTraining(published).save_pretrained(tmp_path)
    asked = []
    monkeypatch.setattr(huggingface_hub, "snapshot_download", lambda *name, **_: asked.append(name) or str(tmp_path))
    monkeypatch.setattr(course.datasets, "load_ag_news", lambda: {"train": articles[:90], "test": articles[90:130]})
    cell, names = cell_and_names("08_classification")
    exec(smaller(cell, {"4000": "60", "5000": "90", "max_length=128": "max_length=24"}), names)
    assert asked == [("google-bert/bert-base-uncased",)]
    said = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[0] for line in said[-4:]] == [
        "pretrained",
        "not pretrained",
        "TF-IDF, the same 4,000",
        "TF-IDF, all 120,000",
    ]
    assert all(0 <= float(line.split(": ")[1]) <= 1 for line in said[-4:])
    assert {encoder.hidden_dim for encoder in names["encoders"].values()} == {HIDDEN_DIM}
