"""Each export is read by the library that it is for, and gives the model's answers."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import get_args

import keras
import numpy as np
import pytest
from typer.testing import CliRunner

from course.classification import Inputs, TextClassifier
from course.cli import app
from course.commands.export import Format
from course.data.text.vocabulary import Vocabulary
from course.encoder import BertEncoder
from course.errors import CourseError
from course.evaluation.measures import probabilities
from course.export import FORMATS, export, serving
from course.training.checkpoint import save_encoder
from course.training.classifier_file import Reader, load_classifier, save_classifier
from course.training.logits import predict_logits
from course.training.mean_pooling import AveragingClassifier
from tests.closeness import assert_close
from tests.course.training.tiny_classifier import LENGTH, NUM_LAYERS, PIECES

pytestmark = pytest.mark.skipif(keras.backend.backend() != "tensorflow", reason="only TensorFlow writes these formats")

NAMES = ("war & peace", "sports", "money, money")
READER = Reader(PIECES, NAMES, LENGTH)
TITLES = ["War", "goal in town", "", "A long day"]
DESCRIPTIONS = ["the bank was long", "moon", "a day in town was long a day in town was long", "a goal"]


def kept(
    folder: Path, kind: type[TextClassifier] = TextClassifier, reader: Reader = READER, num_segments: int = 2
) -> Path:
    """Saves a classifier whose answers depend on the whole text, and returns its path."""
    keras.utils.set_random_seed(11)
    sizes = {"num_layers": NUM_LAYERS, "num_heads": 2, "hidden_dim": 12, "intermediate_dim": 20, "max_length": LENGTH}
    encoder = BertEncoder(len(PIECES), num_segments=num_segments, dropout=0.4, **sizes)
    model = kind(encoder, len(NAMES), dropout=0.4)
    model.build({"token_ids": (None, None)})
    for weight in model.weights:
        weight.assign(weight + 0.5 * keras.random.normal(weight.shape))
    path = folder / "classifier.keras"
    save_classifier(path, model, reader)
    return path


def answered(path: Path) -> tuple[np.ndarray, Inputs]:
    """The probabilities of `predict`, (texts, classes), and its inputs; no two of the texts have the same answer."""
    model, reader = load_classifier(path)
    inputs = reader.read(TITLES, DESCRIPTIONS)
    answers = probabilities(predict_logits(model, inputs))
    assert np.ptp(answers, axis=0).min() > 0.01
    return answers, {name: inputs[name] for name in serving.INPUTS}


def assert_tokenizer_goes_along(folder: Path) -> None:
    assert list(Vocabulary.load(folder / "vocab.txt")) == list(PIECES)
    assert json.loads((folder / "labels.json").read_text()) == list(NAMES)
    assert json.loads((folder / "tokenizer_config.json").read_text())["do_lower_case"] is True


@pytest.mark.parametrize("kind", [TextClassifier, AveragingClassifier])
def test_onnx_runtime_reads_batches_of_all_sizes(tmp_path: Path, kind: type[TextClassifier]) -> None:
    import onnxruntime

    path = kept(tmp_path, kind)
    expected, inputs = answered(path)
    done = export(path, "onnx", tmp_path / "written")
    assert done.check is not None
    assert done.check.difference < 1e-5
    session = onnxruntime.InferenceSession(str(done.model))
    assert_close(session.run(["probabilities"], inputs)[0], expected)
    shorter = {name: array[1:2, :7] for name, array in inputs.items()}  # without padding
    assert_close(session.run(["probabilities"], shorter)[0], expected[1:2])
    assert_tokenizer_goes_along(tmp_path / "written")


def test_litert_reads_one_text_at_a_time_and_the_command_prints_difference_and_latency(tmp_path: Path) -> None:
    import tensorflow as tf

    path = kept(tmp_path)
    expected, inputs = answered(path)
    done = CliRunner().invoke(app, ["export", str(path), "--to", "litert", "--folder", str(tmp_path / "written")])
    assert done.exit_code == 0, done.output
    assert re.search(r"largest difference [\d.e-]+; [\d.]+ ms a text", " ".join(done.output.split()))
    interpreter = tf.lite.Interpreter(str(tmp_path / "written" / "model.tflite"))
    run = interpreter.get_signature_runner("serving_default")
    for row, answer in enumerate(expected):
        output = run(**{name: array[row : row + 1] for name, array in inputs.items()})["probabilities"]
        assert_close(output, answer[None])
    operations = {operation["op_name"] for operation in interpreter._get_ops_details()}
    assert not any(name.startswith("Flex") for name in operations)  # the runtime on a phone lacks these operations
    assert_tokenizer_goes_along(tmp_path / "written")


@pytest.mark.parametrize("lowercase", [True, False])
def test_transformers_reads_strings(tmp_path: Path, lowercase: bool) -> None:
    import torch
    import transformers

    path = kept(tmp_path, reader=replace(READER, lowercase=lowercase))
    expected, inputs = answered(path)
    folder = tmp_path / "written"
    export(path, "huggingface", folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder)
    assert list(model.config.id2label.values()) == list(NAMES)
    read = tokenizer(
        TITLES, DESCRIPTIONS, padding="max_length", max_length=LENGTH, truncation=True, return_tensors="pt"
    )
    np.testing.assert_array_equal(read["input_ids"].numpy(), inputs["token_ids"])
    with torch.no_grad():
        output = model(**read).logits.softmax(-1).numpy()
    assert_close(output, expected)


def test_transformers_reads_an_encoder(tmp_path: Path) -> None:
    import torch
    import transformers

    model, _ = load_classifier(kept(tmp_path))
    source = tmp_path / "pretrained"
    source.mkdir()
    save_encoder(model.encoder, source / "encoder.keras")
    Vocabulary(PIECES).save(source / "vocabulary.txt")
    _, inputs = answered(tmp_path / "classifier.keras")
    export(source, "huggingface", tmp_path / "written")
    assert json.loads((tmp_path / "written" / "tokenizer_config.json").read_text())["do_lower_case"] is True
    theirs = transformers.BertModel.from_pretrained(tmp_path / "written")
    ids, segments = (torch.from_numpy(inputs[name]).long() for name in serving.INPUTS)
    with torch.no_grad():
        output = theirs(ids, attention_mask=(ids != 0).long(), token_type_ids=segments)
    ours = model.encoder(inputs["token_ids"], inputs["segment_ids"])
    for name, array in (("sequence_output", output.last_hidden_state), ("pooled_output", output.pooler_output)):
        is_text = (inputs["token_ids"] != 0) if name == "sequence_output" else slice(None)
        assert_close(array.numpy()[is_text], keras.ops.convert_to_numpy(ours[name])[is_text])
    with pytest.raises(CourseError, match=r"is an encoder, and onnx is for classifiers: a classifier\.keras"):
        export(source, "onnx", tmp_path / "other")


@pytest.mark.parametrize("kind", FORMATS)
def test_an_encoder_with_one_segment_is_exported(tmp_path: Path, kind: str) -> None:
    done = export(kept(tmp_path, num_segments=1), kind, tmp_path / "written")
    assert done.model.parent == tmp_path / "written"
    assert done.model.is_file()
    assert done.check is None or done.check.difference < 1e-5


def test_each_format_has_its_name_on_the_command_line() -> None:
    assert get_args(Format) == FORMATS


class TestErrors:
    def test_an_averaging_classifier_cannot_go_to_hugging_face(self, tmp_path: Path) -> None:
        with pytest.raises(CourseError, match=r"reads \[CLS\] only.* Use --to onnx or --to litert"):
            export(kept(tmp_path, AveragingClassifier), "huggingface", tmp_path / "written")
        assert not (tmp_path / "written").exists()

    def test_a_missing_package_is_named(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "tf2onnx", None)
        with pytest.raises(CourseError, match=r"tf2onnx.* -m pip install -c requirements\.lock -e '\.\[export\]'$"):
            export(kept(tmp_path), "onnx", tmp_path / "written")

    def test_a_file_with_other_answers_is_deleted(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        module = sys.modules["course.export.onnx"]
        path = kept(tmp_path)
        check = module.check
        monkeypatch.setattr(module, "check", lambda model, *rest: check(_changed(model), *rest))
        with pytest.raises(CourseError, match="probabilities differ from the model's by up to"):
            export(path, "onnx", tmp_path / "written")
        assert [file.name for file in tmp_path.iterdir()] == ["classifier.keras"]

    def test_a_failed_export_leaves_no_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(*arguments: object) -> None:
            raise CourseError("the disk is full")

        path = kept(tmp_path)
        monkeypatch.setattr("course.export.exporting.write_json", full)
        for kind in FORMATS:
            with pytest.raises(CourseError, match="the disk is full"):
                export(path, kind, tmp_path / "written")
        assert [file.name for file in tmp_path.iterdir()] == ["classifier.keras"]

    def test_an_existing_folder_is_not_overwritten(self, tmp_path: Path) -> None:
        (tmp_path / "written").mkdir()
        with pytest.raises(CourseError, match=r"written is there already\. Name a new folder by --folder"):
            export(kept(tmp_path), "onnx", tmp_path / "written")


def _changed(model: TextClassifier) -> TextClassifier:
    model.logits_dense.bias.assign(model.logits_dense.bias + np.array([0.0, 0.1, 0.0], "float32"))
    return model
