"""`compress` on the command line: it makes a classifier that the other commands take, or nothing and an error."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

from course.applications.distillation.int8 import megabytes, rounded_to
from course.classification import Inputs, TextClassifier, accuracy
from course.encoder import BertEncoder
from course.errors import CourseError, Stopped
from course.training.classifier_file import Reader, load_classifier, save_classifier
from course.training.custom_texts import OwnTexts
from course.training.logits import predict_logits
from course.training.mean_pooling import AveragingClassifier
from tests.course.arrays import array
from tests.course.commands.running import run
from tests.course.data.tables.files import bytes_of, write
from tests.course.training.tiny_classifier import LENGTH, PIECES, WORDS, uncompiled

NAMES, BLOCKS, COUNT = ("low", "mid", "high"), 3, 60
QUICK = ("--epochs", 1, "--batch-size", 27, "--learning-rate", 0.01)


def rows() -> list[dict[str, str]]:
    """Rows of different texts; the class of a text is that of its first word."""
    random = np.random.default_rng(4)
    texts = [" ".join(random.choice(WORDS, 6)) for _ in range(COUNT)]
    assert len(set(texts)) == COUNT
    return [{"said": text, "topic": NAMES[WORDS.index(text.split()[0]) % len(NAMES)]} for text in texts]


@pytest.fixture(scope="module", autouse=True)
def _quick() -> Iterator[None]:
    with uncompiled(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("course.applications.distillation.compressing._TIMED", 1)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A teacher whose answers depend on the whole text, and tables with all labels, without labels, and with some."""
    folder = tmp_path_factory.mktemp("compress")
    keras.utils.set_random_seed(11)
    sizes = {"num_layers": BLOCKS, "num_heads": 2, "hidden_dim": 12, "intermediate_dim": 20, "max_length": LENGTH}
    teacher = TextClassifier(BertEncoder(len(PIECES), dropout=0.1, **sizes), len(NAMES), dropout=0.2)
    teacher.build({"token_ids": (None, None)})
    for weight in teacher.weights:
        weight.assign(weight + keras.random.normal(weight.shape))
    reader = Reader(PIECES, NAMES, LENGTH, ("text",))
    logits = predict_logits(teacher, reader.read([row["said"] for row in rows()]))
    teacher.logits_dense.bias.assign(teacher.logits_dense.bias - logits.mean(axis=0))  # so that it predicts each class
    save_classifier(folder / "teacher" / "seed-1" / "classifier.keras", teacher, reader)
    write(folder / "labelled.csv", bytes_of(rows(), ".csv"))
    write(folder / "plain.jsonl", bytes_of([{"text": row["said"]} for row in [*rows(), {"said": " "}]], ".jsonl"))
    some = [{**row, "topic": row["topic"] if number % 2 else ""} for number, row in enumerate(rows())]
    write(folder / "some.tsv", bytes_of(some, ".tsv"))
    return folder


def compress(folder: Path, table: str | Path, to: str, *options: object) -> dict[str, Any]:
    """Run the command, which must succeed, and return its results."""
    done = run("compress", folder / "teacher", folder / table, "--to", folder / to, *QUICK, *options)
    assert done.exit_code == 0, (done.output, done.exception)
    results = json.loads((folder / to / "results.json").read_text())
    return {**results, "output": done.output, "models": {row["name"]: row for row in results["models"]}}


def test_a_small_classifier_is_taken_by_the_other_commands(folder: Path) -> None:
    table = folder / "labelled.csv"
    before = (folder / "teacher" / "seed-1" / "classifier.keras").read_bytes()
    results = compress(folder, table.name, "small", "--text", "said", "--label", "topic", "--layers", 1, "--epochs", 4)
    assert results["losses"][-1] < results["losses"][0]
    file = folder / "small" / "seed-1" / "classifier.keras"
    student, reader = load_classifier(file)
    assert (student.encoder.num_layers, student.dropout, reader.text_columns) == (1, 0.2, ("said",))
    assert before == (folder / "teacher" / "seed-1" / "classifier.keras").read_bytes()

    error = run("evaluate", folder / "small", folder / "small" / ".." / table.name, "--label", "topic").exception
    assert str(error).endswith(f"{table.name}. Name a table of other texts.")
    other = write(folder / "other_texts.csv", table.read_bytes())
    assert run("evaluate", folder / "small", other, "--label", "topic").exit_code == 0
    evaluated = json.loads((folder / "small" / "evaluation-other_texts" / "results.json").read_text())
    labels = np.array([NAMES.index(row["topic"]) for row in rows()])
    logits = predict_logits(student, reader.read([row["said"] for row in rows()]))
    assert evaluated["mean_accuracy"]["mean"] == accuracy(labels, logits)
    assert run("predict", file, "--file", table, "--to", folder / "said.csv").exit_code == 0
    assert run("export", file.parents[1], "--to", "huggingface", "--folder", folder / "exported").exit_code == 0
    assert "are not known. Name the articles" in str(run("evaluate", folder / "small").exception)


def test_both_are_measured_on_the_texts_that_finetune_sets_apart(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    two_bits = partial(rounded_to, bits=2)  # with 8 bits, the answers to a few texts are those of float32
    monkeypatch.setattr("course.applications.distillation.compressing.rounded_to", two_bits)
    results = compress(folder, "labelled.csv", "measured", "--text", "said", "--label", "topic", "--seed", 3)
    held_out = OwnTexts(folder / "labelled.csv", ("said",), "topic").read().test
    assert f"On {len(held_out)} held-out texts" in results["output"]
    labels = held_out["label"].map(lambda number: NAMES.index(sorted(NAMES)[number])).to_numpy()
    for name, path in (("teacher", "teacher/seed-1"), ("student", "measured/seed-3")):
        model, reader = load_classifier(folder / path / "classifier.keras")
        for kind, rounded in (("float32", model), ("int8", two_bits(model))):
            row = results["models"][f"{name} in {kind}"]
            assert row["accuracy"] == accuracy(labels, predict_logits(rounded, reader.read(held_out["said"].tolist())))
            assert row["megabytes"] == megabytes(model, int8=kind == "int8")
            assert (row["milliseconds"] is None) == (kind == "int8")
    agreements = [results["models"][f"teacher in {kind}"]["agreement"] for kind in ("float32", "int8")]
    assert 1.0 == agreements[0] > agreements[1]


Taught = dict[str, Any]


@pytest.fixture
def taught(monkeypatch: pytest.MonkeyPatch) -> Taught:
    """The arguments of `distil`, which is replaced here: it takes long and is tested elsewhere."""
    seen: Taught = {}

    def distil(student: TextClassifier, inputs: Inputs, logits: np.ndarray, labels: Any, **options: Any) -> list[float]:
        seen.update(student=student, inputs=inputs, logits=logits, labels=labels, **options)
        return []

    monkeypatch.setattr("course.applications.distillation.compressing.distil", distil)
    return seen


def test_texts_without_labels_are_taught_by_the_teacher(folder: Path, taught: Taught) -> None:
    results = compress(folder, "plain.jsonl", "unlabelled", "--temperature", 3, "--alpha", 0.25)
    assert "Rows without a text, left out: 1." in results["output"]
    assert {row["accuracy"] for row in results["models"].values()} == {None}
    teacher, reader = load_classifier(folder / "teacher" / "seed-1" / "classifier.keras")
    without_dropout = array(teacher(taught["inputs"]))
    np.testing.assert_allclose(taught["logits"], without_dropout, rtol=1e-4, atol=1e-4)
    assert taught["labels"] is None
    assert [taught[name] for name in ("temperature", "alpha", "epochs", "seed")] == [3, 0.25, 1, 1]
    all_ids = reader.read([row["said"] for row in rows()])["token_ids"]
    assert len(taught["inputs"]["token_ids"]) == len(all_ids) - 6
    assert {tuple(row) for row in taught["inputs"]["token_ids"]} < {tuple(row) for row in all_ids}


def test_a_student_begins_as_half_of_its_teacher(folder: Path, tmp_path: Path, taught: Taught) -> None:
    plain, reader = load_classifier(folder / "teacher" / "seed-1" / "classifier.keras")
    teacher = AveragingClassifier(plain.encoder, len(NAMES), dropout=0.3)
    teacher.build({"token_ids": (None, None)})
    save_classifier(tmp_path / "teacher" / "seed-1" / "classifier.keras", teacher, reader)
    results = compress(tmp_path, folder / "plain.jsonl", "half")
    student = taught["student"]
    assert (type(student), student.dropout) == (AveragingClassifier, 0.3)
    assert results["settings"]["layers"] == len(student.encoder.blocks) == 2  # of 3
    parts = [(student.logits_dense, teacher.logits_dense), (student.encoder.pooler, teacher.encoder.pooler)]
    parts += [(student.encoder.blocks[number], teacher.encoder.blocks[2 * number]) for number in range(2)]
    for student_layer, teacher_layer in parts:
        for weight, expected in zip(student_layer.weights, teacher_layer.weights, strict=True):
            np.testing.assert_array_equal(array(weight), array(expected))


def test_a_text_without_a_label_has_the_teachers_class(folder: Path, taught: Taught) -> None:
    results = compress(folder, "some.tsv", "some", "--text", "said", "--label", "topic")
    _, reader = load_classifier(folder / "teacher" / "seed-1" / "classifier.keras")
    ids = reader.read([row["said"] for row in rows()])["token_ids"]
    labels = {
        tuple(row): NAMES.index(row_of_table["topic"])
        for row, row_of_table in list(zip(ids, rows(), strict=True))[1::2]
    }
    of_teacher = taught["logits"].argmax(axis=1)
    texts = [tuple(row) for row in taught["inputs"]["token_ids"]]
    expected = [labels.get(text, own) for text, own in zip(texts, of_teacher, strict=True)]
    assert taught["labels"].tolist() == expected != of_teacher.tolist()
    labelled = len(labels) - sum(text in labels for text in texts)  # of the held-out ones
    shares = [row["accuracy"] * labelled for row in results["models"].values()]
    assert 0 < labelled < COUNT - len(texts)
    assert shares == pytest.approx([round(share) for share in shares])


def test_int8_weights_are_stored(folder: Path) -> None:
    options = ("--text", "said", "--label", "topic", "--layers", 1)
    results = compress(folder, "labelled.csv", "int8", *options, "--int8")
    compress(folder, "labelled.csv", "float32", *options)
    small, _ = load_classifier(folder / "int8" / "seed-1" / "classifier.keras")
    whole, _ = load_classifier(folder / "float32" / "seed-1" / "classifier.keras")
    for stored, rounded in zip(small.weights, rounded_to(whole).weights, strict=True):
        np.testing.assert_array_equal(array(stored), array(rounded))
    sizes = [(folder / name / "seed-1" / "classifier.keras").stat().st_size for name in ("int8", "float32")]
    assert sizes[0] < sizes[1]
    assert results["settings"]["int8"] is True


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing", "labelled.csv"], "does not exist. Name a folder that `finetune` wrote"),
        (["labelled.csv", "labelled.csv"], "is not a whole classifier"),
        (["teacher", "nothing.csv", "--text", "said"], "there is no file"),
        (["teacher", "labelled.csv"], "has no column text"),
        (["teacher", "empty.csv"], "has too few texts"),
        (
            ["teacher", "labelled.csv", "--text", "said", "--text", "topic"],
            "reads 1 texts in a row, text. Given: said, t",
        ),
        (["teacher", "labelled.csv", "--text", "said", "--label", "said"], "their class in another one"),
        (["teacher", "other.csv", "--label", "topic"], "has classes that the training texts do not have: huge"),
        (["teacher", "plain.jsonl", "--layers", "4"], "at most as many blocks as its teacher, 3. Received: layers=4"),
        (["teacher", "nothing.csv", "--temperature", "0"], "above 0; .*Received: temperature=0.0"),
        (["teacher", "plain.jsonl", "--learning-rate", "nan"], "learning_rate=nan"),
        (["teacher", "plain.jsonl", "--learning-rate", "1e30"], "the loss is nan. Try a smaller --learning-rate"),
        (["teacher", "plain.jsonl", "--to", "teacher"], "exists already. Name a new folder"),
        (["teachers", "plain.jsonl"], "has 2 classifiers. Name one of them, such as .*seed-1"),
    ],
)
def test_errors_are_one_line_and_nothing_is_written(
    arguments: list[str], message: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    write(folder / "empty.csv", b"text,topic\n ,low\n,mid\n")
    write(folder / "other.csv", b"text,topic\na day,low\nthe moon,huge\n")
    for seed in (1, 2):
        place = folder / "teachers" / f"seed-{seed}" / "classifier.keras"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(b"")
    before = sorted(folder.iterdir())
    to = () if "--to" in arguments else ("--to", "new")
    done = run("compress", *arguments, *to, "--epochs", 2)
    assert isinstance(done.exception, CourseError), done.output
    assert len(str(done.exception).splitlines()) == 1
    with pytest.raises(CourseError, match=message):
        raise done.exception
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    "where", ["course.classification.TextClassifier.train_on_batch", "course.commands.compress.write_json"]
)
def test_an_interrupted_run_leaves_nothing(where: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    before = sorted(folder.iterdir())
    monkeypatch.setattr(where, interrupted)
    done = run("compress", folder / "teacher", folder / "plain.jsonl", "--to", folder / "new", *QUICK)
    assert isinstance(done.exception, Stopped)
    assert "nothing was written. The same command starts over" in str(done.exception)
    assert sorted(folder.iterdir()) == before
