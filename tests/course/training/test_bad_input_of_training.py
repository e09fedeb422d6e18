"""Errors of corpora, pretrainings and fine-tunings say what was given and what was wanted."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
from typer.testing import CliRunner

from course import presets
from course.classification import Examples, TextClassifier
from course.cli import app
from course.data.corpus import (
    epoch_pairs,
    epochs,
    held_out,
    length_buckets,
    preparation,
    sources,
    text_rows,
    token_arrays,
)
from course.data.datasets import TOPICS
from course.data.text import sentences
from course.data.text.vocabulary import Vocabulary
from course.errors import CourseError
from course.tokenization import SPECIAL_TOKENS
from course.training import (
    articles,
    checkpoint,
    classifier_file,
    classifier_training,
    curves,
    devices,
    encoder_source,
    finetuning,
    history,
    keras_file,
    layerwise_decay,
    length_batches,
    logits,
    pretrainers,
    pretraining,
    pretraining_data,
    pretraining_settings,
    short_training,
    word_dropout,
)
from course.training.pretraining_data import batches_to_measure, rows_to_learn
from course.training.pretraining_settings import Settings
from tests.course.bad_input import Row, parameters, public_names
from tests.course.data.corpus.small_corpus import VOCABULARY, random_shard, small_corpus
from tests.course.training.tiny_classifier import LENGTH, NUM_LAYERS, PIECES, classifier, texts

MODULES = (
    articles,
    checkpoint,
    classifier_file,
    classifier_training,
    curves,
    devices,
    encoder_source,
    epoch_pairs,
    epochs,
    finetuning,
    held_out,
    history,
    keras_file,
    layerwise_decay,
    length_buckets,
    length_batches,
    logits,
    preparation,
    presets,
    pretrainers,
    pretraining,
    pretraining_data,
    pretraining_settings,
    sentences,
    short_training,
    sources,
    text_rows,
    token_arrays,
    word_dropout,
)
# Records, what a caller writes, and what is only given what another function here has checked: `Epochs` and
# `Settings` for batches and pretrainings, `prepare` for token arrays, `Choice` for articles, `train_classifier`,
# `predict_logits` and `LayerwiseAdamW` for trainings. `choice_of` and `table_of` say by None that nothing is known.
WITHOUT = (
    {"Articles", "Batch", "Corpus", "Pairs", "Shard", "Texts", "Watcher", "choice_of", "share_of_loss", "table_of"}
    | {"batches_of", "bucket_lengths", "cut_into_texts", "draw_pairs", "rows_in_a_batch", "tokenize", "write_rest"}
    | {"threads"}  # takes nothing
    | {"FastPretrainer", "MaskedWordPretrainer", "MeasuredElectra", "MeasuredPretrainer", "SpanHiding", "pretrainer_of"}
    | {"drawing", "for_fit", "for_measuring", "value_of"}
    | {"batches_in", "mean_cross_entropy", "rate_share", "whole_texts"}
)

NAN = float("nan")
READER = classifier_file.Reader(PIECES, TOPICS, LENGTH)
EXAMPLES = texts(8, seed=1)
SIZES = {"vocabulary_size": len(PIECES), "max_length": LENGTH, **presets.PRESETS["tiny"]}
ENCODER = encoder_source.EncoderSource("tiny", Vocabulary(PIECES), SIZES, None)


class Watcher:
    """Looks away."""

    def begin(self, *numbers: int) -> None: ...

    def step(self, number: float) -> None: ...

    def row(self, row: dict[str, float]) -> None: ...


def file_of(folder: Path, content: str, name: str = "file") -> Path:
    (folder / name).write_text(content, encoding="utf-8")
    return folder / name


def damaged(folder: Path) -> Path:
    path = folder / "a.keras"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("config.json", "{}")
    path.write_bytes(path.read_bytes().replace(b"{}", b"[]"))
    return path


def prepared(folder: Path) -> token_arrays.TokenArrays:
    return small_corpus(folder / "corpus", [random_shard(np.random.default_rng(1), documents=30)])


def empty(folder: Path) -> token_arrays.TokenArrays:
    return prepared(folder).only(lambda shard: np.zeros(len(shard.document_starts) - 1, bool))


def described(folder: Path, description: Any) -> token_arrays.TokenArrays:
    """A prepared corpus that says something else of itself."""
    return token_arrays.TokenArrays(
        file_of(prepared(folder).folder, json.dumps(description), name="corpus.json").parent
    )


def with_other_vocabulary(folder: Path) -> token_arrays.TokenArrays:
    there = prepared(folder).folder
    Vocabulary(PIECES).save(there / "vocabulary.txt")
    return token_arrays.TokenArrays(there)


def of(*documents: sources.Document) -> sources.Corpus:
    return sources.Corpus("mine", sum(map(len, documents)), "digest", lambda: iter(documents))


def prepare(folder: Any, corpus: Any, executor: Any = None, **options: Any) -> Any:
    with preparation.threads() as threads:
        return preparation.prepare(corpus, folder, executor or threads, **{"vocabulary_size": 400, **options})


def batches(folder: Path, **change: int) -> epochs.Epochs:
    sizes = {"max_length": 24, "batch_tokens": 100, "num_buckets": 2, "multiple": 1, "seed": 1}
    return epochs.Epochs(prepared(folder), **{**sizes, **change})


def pretrain(folder: Path, save_every: int = 1, **change: Any) -> Any:
    small = {"preset": "tiny", "epochs": 0.1, "max_length": 16, "batch_tokens": 64}
    settings = Settings(**{**small, **change})
    return pretraining.pretrain(prepared(folder), folder / "run", settings, Watcher(), save_every)


def train(training: Any = EXAMPLES, held_out: Any = EXAMPLES, model: Any = None, seed: Any = 1) -> Any:
    recipe = classifier_training.Recipe()
    return classifier_training.train_classifier(model or classifier(), training, held_out, recipe, seed, Watcher())


def changed(name: str, array: Any) -> Examples:
    """The examples with other inputs, or with other labels."""
    inputs, labels = EXAMPLES
    return (inputs, array) if name == "labels" else ({**inputs, name: array}, labels)


def task(**change: Any) -> finetuning.Task:
    choice, recipe = articles.Choice("sample", rows=20), classifier_training.Recipe()
    made = {"source": ENCODER, "choice": choice, "articles": choice.read(), "recipe": recipe, "max_length": 9}
    return finetuning.Task(**{**made, "dtype": "float32", **change})


def finetune(folder: Any, seeds: Any = (1,), **change: Any) -> Any:
    return finetuning.finetune(task(**change), seeds, folder, Watcher())


def compiled() -> TextClassifier:
    model = classifier()
    model.compile("sgd")
    model.optimizer.build(model.trainable_variables)
    return model


def logits_of(count: int | None = None, batch_size: int = 4, **change: Any) -> np.ndarray:
    inputs = {name: array[:count] for name, array in {**EXAMPLES[0], **change}.items()}
    return logits.predict_logits(classifier(), inputs, batch_size)


def on_texts(batch_size: int = 4, epochs: int = 1, learning_rate: float = 0.1, seed: int = 0, **change: Any) -> Any:
    options = {"batch_size": batch_size, "epochs": epochs, "learning_rate": learning_rate, "seed": seed}
    return short_training.train_on_texts(classifier(), {**EXAMPLES[0], **change}, EXAMPLES[1], "mse", **options)


def layerwise_optimizer(model: Any = None, num_layers: Any = NUM_LAYERS, **options: Any) -> Any:
    return layerwise_decay.LayerwiseAdamW(model or classifier(), num_layers, 0.1, **{"layer_decay": 0.5, **options})


def on_devices(number: int) -> AbstractContextManager[None]:
    entered: AbstractContextManager[None] = devices.on_devices(number)
    entered.__enter__()
    return entered


def of_likes(inputs: Any, batch_size: Any = 4) -> Iterator[Any]:
    return next(length_batches.batches_of_like_lengths(inputs, batch_size))


# What is called, in an empty folder.
ROWS: list[Row] = [
    # course.presets
    ("sizes_of", lambda _: presets.sizes_of("huge"), "one of tiny, mini, .*preset='huge'"),
    # course.data.corpus.sources
    ("open_corpus", lambda _: sources.open_corpus(""), "no corpus is named. Name ag_news, sample"),
    ("open_corpus", lambda folder: sources.open_corpus(str(folder / "a")), "does not exist. Name ag_news, sample"),
    (
        "open_corpus",
        lambda folder: sources.open_corpus(str(file_of(folder, "", "a.txt"))),
        "Given: 1 such files, all empty",
    ),
    (
        "open_corpus",
        lambda folder: sources.open_corpus(str(file_of(folder, "a", "a.pdf"))),
        "has no text that can be read. Wanted: .txt, .*Given: a.pdf",
    ),
    ("open_corpus", lambda _: sources.open_corpus("sample", ["text"]), "sample has no columns.*Given: text"),
    ("open_corpus", lambda folder: sources.open_corpus(str(folder), "text"), "columns must be several texts"),
    ("open_corpus", lambda _: sources.open_corpus("sample", (), "latin"), "ISO 639 code.*Received: 'latin'"),
    ("split_sentences", lambda _: sentences.split_sentences(None), "text must be a string.*NoneType"),
    ("split_sentences", lambda _: sentences.split_sentences(b"A. B."), "text must be a string.*bytes"),
    ("split_sentences", lambda _: sentences.split_sentences("A. B.", ""), "ISO 639 code.*Received: ''"),
    # course.data.corpus.preparation
    ("prepare", lambda folder: prepare(folder / "a", "sample"), "corpus must be a Corpus. Received: str"),
    ("prepare", lambda folder: prepare(str(folder / "a"), of(["a b"])), "folder must be a Path. Received: str"),
    ("prepare", lambda folder: prepare(folder / "a", of(["a b"]), 2), "must be an Executor. Received: int"),
    ("prepare", lambda folder: prepare(folder / "a", of(["a b"]), vocabulary=["a"]), "a Vocabulary. Received: list"),
    (
        "prepare",
        lambda folder: prepare(folder / "a", of(["a b"]), vocabulary=Vocabulary([*SPECIAL_TOKENS, "c"])),
        r"no word of mine is in the vocabulary of 6 pieces",
    ),
    ("prepare", lambda folder: prepare(folder / "a", of(["a b"]), vocabulary_size=0), "at least 1. Received: size=0"),
    ("prepare", lambda folder: prepare(folder / "a", of()), "mine has no document of two words"),
    ("prepare", lambda folder: prepare(file_of(folder, ""), of(["a b"])), "exists already, and is not mine"),
    # course.data.corpus.token_arrays
    ("TokenArrays", lambda folder: token_arrays.TokenArrays(str(folder)), "folder must be a Path. Received: str"),
    ("TokenArrays", token_arrays.TokenArrays, "holds no prepared corpus. `python"),
    ("TokenArrays", lambda folder: token_arrays.TokenArrays(file_of(folder, "")), "holds no prepared corpus"),
    ("TokenArrays", lambda folder: described(folder, {"version": 1, "key": ""}), "does not say pieces, shards"),
    ("TokenArrays", with_other_vocabulary, "counts.npy counts 65 pieces, vocabulary.txt has others"),
    ("read_description", lambda folder: described(folder, []), "corpus.json must hold an object, not a list"),
    # course.data.corpus.epochs
    ("Epochs", lambda _: epochs.Epochs("corpus", 24, 100, 2, 1, 1), "corpus must be a TokenArrays. Received: str"),
    ("Epochs", lambda folder: batches(folder, max_length=0), "at least 1. Received: max_length=0"),
    ("Epochs", lambda folder: batches(folder, max_length=4), "at least 5.*Received: max_length=4"),
    ("Epochs", lambda folder: batches(folder, batch_tokens=0), "batch_tokens=0"),
    ("Epochs", lambda folder: batches(folder, batch_tokens=20), "batch of 20 tokens has no room.*1 of 23 tokens"),
    ("Epochs", lambda folder: batches(folder, batch_tokens=9000), "smaller than a batch: .* a batch of 9000 tokens"),
    ("Epochs", lambda folder: batches(folder, num_buckets=0), "num_buckets=0"),
    ("Epochs", lambda folder: batches(folder, multiple=0), "multiple=0"),
    ("Epochs", lambda folder: batches(folder, seed=-1), "from 0 to 4294967295. Received: seed=-1"),
    # course.training.articles
    ("Choice", lambda _: articles.Choice("").read(), "'' is no folder. Name sample"),
    ("Choice", lambda folder: articles.Choice(str(folder / "a")).read(), "a does not exist. Name sample"),
    ("Choice", lambda folder: articles.Choice(str(file_of(folder, ""))).read(), "file is no folder. Name sample"),
    ("Choice", lambda _: articles.Choice("sample", held_out=NAN), "less than 1. Received: held_out=nan"),
    ("Choice", lambda _: articles.Choice("sample", held_out=0).read(), "some articles must be held out.*Given: 4,000"),
    ("Choice", lambda _: articles.Choice("sample", rows=-3), "at least 1. Received: rows=-3"),
    ("Choice", lambda _: articles.Choice("sample", rows=9999).read(), "has 4,000 articles.*Given: 9,999 rows"),
    # course.training.checkpoint
    ("save_checkpoint", lambda folder: checkpoint.save_checkpoint(file_of(folder, "") / "a", compiled(), {}), "write"),
    ("read_note", lambda folder: checkpoint.read_note(file_of(folder, "no")), "is not a checkpoint of a training"),
    ("read_note", checkpoint.read_note, "cannot be read .* Try again when the disk"),
    ("load_arrays", lambda folder: checkpoint.load_arrays(file_of(folder, "no")), "is not a.*Delete it to start over"),
    ("load_arrays", checkpoint.load_arrays, "cannot be read .* Try again when the disk"),
    (
        "save_encoder",
        lambda folder: checkpoint.save_encoder(classifier().encoder, file_of(folder, "") / "a.keras"),
        "cannot write",
    ),
    ("load_checkpoint", lambda folder: checkpoint.load_checkpoint(file_of(folder, "no"), compiled()), "is not a check"),
    # course.training.classifier_file
    ("Reader", lambda _: classifier_file.Reader(PIECES, TOPICS, 2).read(["a"], ["b"]), "at least 3.*max_length=2"),
    ("Reader", lambda _: READER.read("a", "b"), "several texts. Received: one string"),
    (
        "save_classifier",
        lambda folder: classifier_file.save_classifier(folder / "a.keras", classifier().encoder, READER),
        "model must be a TextClassifier. Received: BertEncoder",
    ),
    (
        "save_classifier",
        lambda folder: classifier_file.save_classifier(
            folder / "a.keras", classifier(), replace(READER, class_names=("one", "two"))
        ),
        "model's 4 classes, .*at most 15 pieces and a max_length of at most 11. Received: 2 classes, 15 pieces",
    ),
    ("load_classifier", lambda _: classifier_file.load_classifier("a.keras"), "path must be a Path. Received: str"),
    ("load_classifier", classifier_file.load_classifier, "there is no file"),
    ("load_classifier", lambda folder: classifier_file.load_classifier(file_of(folder, "")), "is not a whole class"),
    # course.training.classifier_training
    *(
        ("Recipe", lambda _, name=name, value=value: classifier_training.Recipe(**{name: value}), f"{name}={value}")
        for name, value in {
            "learning_rate": NAN,
            "batch_size": 0,
            "epochs": -1,
            "warmup": 1.0,
            "patience": 0,
            "dropout": 1.5,
        }.items()
    ),
    ("train_classifier", lambda _: train(model="model"), "model must be a TextClassifier. Received: str"),
    ("train_classifier", lambda _: train(changed("labels", EXAMPLES[1] + 1)), "labels must be 0 to 3.*Received: "),
    ("train_classifier", lambda _: train(changed("labels", EXAMPLES[1] / 2)), "labels must be integers.*float64"),
    ("train_classifier", lambda _: train(held_out=changed("labels", EXAMPLES[1][:3])), "8 texts and 3 labels"),
    ("train_classifier", lambda _: train(changed("token_ids", EXAMPLES[0]["token_ids"] + 50)), "token_ids must be"),
    ("train_classifier", lambda _: train(({"token_ids": EXAMPLES[0]["token_ids"]}, EXAMPLES[1])), "have padding_mask"),
    ("train_classifier", lambda _: train(seed=-1), "from 0 to 4294967295. Received: seed=-1"),
    # course.training.devices
    (
        "bert_optimizer_on_devices",
        lambda _: devices.bert_optimizer_on_devices("model", 1e-3, 0.01, 1.0, 1),
        "model must be a Model. Received: str",
    ),
    ("on_devices", lambda _: on_devices(99), "--devices (99 is more than there are|needs JAX or TensorFlow)"),
    # course.training.encoder_source
    ("EncoderSource", lambda _: ENCODER.with_dropout(NAN).make("float32"), "dropout=nan"),
    ("EncoderSource", lambda _: ENCODER.make("float23"), "'float23'.*Valid policies include 'mixed_float16'"),
    ("from_preset", lambda _: encoder_source.from_preset("huge", ["a"], 9), "preset must be one of tiny.*'huge'"),
    ("from_preset", lambda _: encoder_source.from_preset("tiny", ["a"], 0), "max_length=0"),
    ("from_preset", lambda _: encoder_source.from_preset("tiny", "a", 9), "texts must be several texts"),
    ("from_preset", lambda _: encoder_source.from_preset("tiny", ["a"], 9, 10), "size must be at least 109.*size=10"),
    ("from_folder", lambda folder: encoder_source.from_folder(str(folder)), "folder must be a Path. Received: str"),
    ("from_folder", encoder_source.from_folder, "Wanted: encoder.keras.*Given: an empty fol"),
    ("from_folder", lambda folder: encoder_source.from_folder(file_of(folder, "")), "Given: a file, not its folder"),
    # course.training.keras_file
    ("copy_of", lambda _: keras_file.copy_of("a.keras"), "model must be a Model. Received: str"),
    ("load_keras_file", lambda folder: keras_file.load_keras_file(file_of(folder, "PK")), "not a whole .keras file"),
    (
        "load_keras_file",
        lambda folder: keras_file.load_keras_file(damaged(folder)),
        "a.keras cannot be read as a model .*Bad CRC-32",
    ),
    # course.training.finetuning
    ("Task", lambda _: task(max_length=9.5), "max_length=9.5"),
    ("Task", lambda _: task(word_dropout=NAN), "word_dropout=nan"),
    ("finetune", lambda folder: finetuning.finetune({}, [1], folder, Watcher()), "task must be a Task. Received: dict"),
    ("finetune", lambda folder: finetune(str(folder)), "folder must be a Path. Received: str"),
    ("finetune", lambda folder: finetune(folder, max_length=3), "room for a word.*--max-length 3"),
    ("finetune", lambda folder: finetune(folder, max_length=12), "at most 11 tokens.*--max-length 12"),
    ("finetune", lambda folder: finetune(folder, seeds=3), r"one or more, such as range\(1, 4\). Received: 3"),
    ("finetune", lambda folder: finetune(folder, seeds=[]), r"one or more.*Received: \[\]"),
    ("finetune", lambda folder: finetune(folder, seeds=[2**32]), "seed=4294967296"),
    ("finetune", lambda folder: finetune(file_of(folder, "{", "results.json").parent), "results.json is damaged"),
    ("finetune", lambda folder: finetune(file_of(folder, "", "taken")), "cannot write into .*taken.*Name another"),
    ("classifiers", lambda folder: finetuning.classifiers(str(folder)), "path must be a Path. Received: str"),
    ("classifiers", finetuning.classifiers, "has no classifier. Name a folder"),
    ("only_classifier", finetuning.only_classifier, "has no classifier. Name a folder"),
    # course.training.curves
    ("draw_curves", lambda folder: curves.draw_curves(folder, {}), r"needs a value. Received: \{\}"),
    (
        "draw_curves",
        lambda folder: curves.draw_curves(file_of(folder, ""), {"loss": [1.0]}),
        r"cannot write .*curves\.png",
    ),
    # course.training.history
    (
        "History",
        lambda folder: history.History(file_of(folder, "a\n1\n", "history.csv").parent, 9),
        "not a history.*'step'",
    ),
    (
        "History",
        lambda folder: history.History(file_of(folder, "step,a\n1,x", "history.csv").parent, 9),
        "is not a history.*float: 'x'",
    ),
    # course.training.layerwise_decay
    ("LayerwiseAdamW", lambda _: layerwise_optimizer("model"), "model must be a Model. Received: str"),
    ("LayerwiseAdamW", lambda _: layerwise_optimizer(keras.Sequential([keras.layers.Dense(1)])), "must be built"),
    ("LayerwiseAdamW", lambda _: layerwise_optimizer(num_layers=12), "number of blocks, 1.*num_layers=12"),
    ("LayerwiseAdamW", lambda _: layerwise_optimizer(layer_decay=1.5), "layer_decay=1.5"),
    ("LayerwiseAdamW", lambda _: layerwise_optimizer(weight_decay=NAN), "weight_decay=nan"),
    ("LayerwiseAdamW", lambda _: layerwise_optimizer(clip_norm=-1.0), "clip_norm=-1.0"),
    # course.training.length_batches
    ("batches_of_like_lengths", lambda _: of_likes(EXAMPLES[0], -1), "at least 1. Received: batch_size=-1"),
    ("batches_of_like_lengths", lambda _: of_likes({"token_ids": EXAMPLES[0]["token_ids"]}), "have padding_mask"),
    ("batches_of_like_lengths", lambda _: of_likes({**EXAMPLES[0], "padding_mask": [[1]]}), "an array. Received: list"),
    # course.training.logits
    ("predict_logits", lambda _: logits_of(0), "at least one text. Received: none"),
    ("predict_logits", lambda _: logits_of(token_ids=EXAMPLES[0]["token_ids"] + 50), "token_ids must be from 0 to 14"),
    ("predict_logits", lambda _: logits_of(batch_size=0), "batch_size=0"),
    # course.training.short_training
    ("compile_for", lambda _: short_training.compile_for(classifier(), "mse", 0.1, 0), "total_steps=0"),
    ("train_on_texts", lambda _: on_texts(batch_size=0), "batch_size=0"),
    ("train_on_texts", lambda _: on_texts(epochs=0), "epochs=0"),
    ("train_on_texts", lambda _: on_texts(learning_rate=NAN), "learning_rate=nan"),
    ("train_on_texts", lambda _: on_texts(seed=-1), "seed=-1"),
    ("train_on_texts", lambda _: on_texts(token_ids=EXAMPLES[0]["token_ids"] + 50), "token_ids must be from 0 to 14"),
    # course.training.pretraining_settings
    *(
        ("Settings", lambda _, name=name, value=value: Settings(**{name: value}), f"{given}={value!r}")
        for name, given, value in (
            ("epochs", "epochs", 0),
            ("layers", "layers", 0),
            ("epochs", "epochs", NAN),
            ("accumulate", "accumulate", -2),
            ("learning_rate", "learning_rate", -1.0),
            ("warmup", "warmup", NAN),
            ("weight_decay", "weight_decay", NAN),
            ("dropout", "dropout", NAN),
            ("attention_dropout", "attention_dropout", 1.0),
            ("mask_rate", "rate", 0),
            ("held_out", "held_out", -0.1),
            ("log_every", "log_every", -3),
            ("devices", "devices", 0),
            ("objective", "objective", "nsp"),
        )
    ),
    ("Settings", lambda _: Settings(packed=True), "another objective than mlm.nsp.*packed=True"),
    # course.training.pretraining_data, course.data.corpus.held_out
    ("rows_to_learn", lambda _: rows_to_learn("a", Settings(objective="span")), "a TokenArrays"),
    ("rows_to_learn", lambda folder: rows_to_learn(empty(folder), Settings()), "no text of two pieces"),
    ("batches_to_measure", lambda _: batches_to_measure("a", Settings(held_out=0.5)), "a TokenArrays"),
    (
        "batches_to_measure",
        lambda folder: batches_to_measure(prepared(folder), Settings("tiny", held_out=0.001)),
        r"--held-out 0\.001 holds out too few documents to measure on",
    ),
    ("held_out_documents", lambda folder: held_out.held_out_documents(prepared(folder).shard(0), 1.0), "share=1.0"),
    ("TextRows", lambda _: text_rows.TextRows("a", 16, 96, 2, 1, 3), "a TokenArrays"),
    ("PackedRows", lambda _: text_rows.PackedRows("a", 16, 96, 2, 1, 3), "a TokenArrays"),
    ("PackedRows", lambda folder: text_rows.PackedRows(prepared(folder), 4, 96, 2, 1, 3), "at least 5.*max_length=4"),
    (
        "PackedRows",
        lambda folder: text_rows.PackedRows(prepared(folder), 200, 96, 2, 1, 3),
        "has no room for the longest rows: 1 of 200 tokens",
    ),
    ("pretrain", lambda folder: pretraining.pretrain("a", folder, Settings(), Watcher()), "a TokenArrays"),
    ("pretrain", lambda _: pretraining.pretrain("a", "b", Settings(), Watcher()), "folder must be a Path"),
    ("pretrain", lambda folder: pretraining.pretrain("a", folder, {}, Watcher()), "must be a Settings. Received: dict"),
    ("pretrain", lambda folder: pretrain(folder, save_every=0), "save_every=0"),
    ("pretrain", lambda folder: pretrain(folder, max_length=2), "at least 5.*max_length=2"),
    ("pretrain", lambda folder: pretrain(folder, accumulate=999), "--accumulate 999 is more than the run has.*20"),
    ("pretrain", lambda folder: pretrain(folder, preset="huge"), "preset must be one of tiny.*'huge'"),
    ("pretrain", lambda folder: pretrain(folder, dtype="float23"), "'float23'.*Valid policies include"),
    (
        "make_pretrainer",
        lambda _: pretraining.make_pretrainer(VOCABULARY, np.ones(3), Settings("tiny"), 9),
        "one for each word of the encoder, 65. Received: 3",
    ),
    # course.training.word_dropout
    ("WordDropout", lambda _: word_dropout.WordDropout(NAN, VOCABULARY), "share=nan"),
    ("WordDropout", lambda _: word_dropout.WordDropout(1.5, VOCABULARY), "at most 1. Received: share=1.5"),
    (
        "WordDropout",
        lambda _: word_dropout.WordDropout(0.1, PIECES),
        "vocabulary must be a Vocabulary. Received: tuple",
    ),
]


@pytest.mark.parametrize(("call", "words"), parameters(ROWS))
def test_says_what_was_given_and_what_was_wanted(call: Callable[[Path], Any], words: str, tmp_path: Path) -> None:
    with pytest.raises((ValueError, TypeError, CourseError), match=f"(?s){words}"):
        call(tmp_path)


def test_every_public_function_has_a_row() -> None:
    assert public_names(MODULES) - WITHOUT == {name for name, *_ in ROWS}


def test_a_copy_of_a_classifier_is_ignored(tmp_path: Path) -> None:
    for name in ("seed-2", "seed-10", "seed-2-copy"):
        (tmp_path / name).mkdir()
        file_of(tmp_path / name, "", finetuning.CLASSIFIER)
    assert [path.parent.name for path in finetuning.classifiers(tmp_path)] == ["seed-2", "seed-10"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["prepare", "sample", "--column", "text"], "sample has no columns to choose"),
        (["pretrain", "--epochs", "-1"], "epochs must be a finite number, 0 or more. Received: epochs=-1.0"),
        (["pretrain", "--learning-rate", "nan"], "learning_rate must be a finite number, 0 or more"),
        (["finetune", "--rows", "20", "--learning-rate", "nan"], "learning_rate=nan"),
        (["finetune", "--held-out", "nan"], "held_out=nan"),
    ],
)
def test_errors_of_commands_are_one_line(arguments: list[str], words: str) -> None:
    result = CliRunner().invoke(app, arguments)
    assert isinstance(result.exception, CourseError)
    assert words in str(result.exception)
