"""Exports a trained model to a folder that other programs read: the model, and the files that its tokenizer needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from course.classification import TextClassifier
from course.errors import CourseError, how_to_install
from course.export.litert import write_litert
from course.export.onnx import write_onnx
from course.export.serving import Check
from course.masked_lm import MaskedLMHead
from course.storage.atomic import atomic_file, atomic_folder
from course.storage.outputs import write_json
from course.training.classifier_file import Reader, load_classifier
from course.training.encoder_source import EncoderSource, from_folder
from course.validation.values import require_choice
from course.weights import WeightsError, assign, save_hugging_face, save_hugging_face_classifier
from course.weights.files import TOKENIZER_CONFIG

_WRITERS: dict[str, tuple[str, Callable[[TextClassifier, int, Path], Check]]] = {
    "litert": ("model.tflite", write_litert),
    "onnx": ("model.onnx", write_onnx),
}
HUGGING_FACE = "huggingface"
FORMATS = (*_WRITERS, HUGGING_FACE)


@dataclass(frozen=True)
class Exported:
    """The result of an export.

    Attributes:
        model: the file of the model.
        check: the comparison of the file with the model; None for Hugging Face's format, which is not run.
    """

    model: Path
    check: Check | None = None


def export(source: Path, kind: str, folder: Path) -> Exported:
    """Writes a model in a format that other programs read.

    Args:
        source: a classifier.keras that `finetune` wrote; or, for Hugging Face's library only, the folder of an encoder.
        kind: one of `FORMATS`.
        folder: a new folder, written atomically. It gets the model, vocab.txt, tokenizer_config.json and, if no
            config.json lists the classes, labels.json, a list in the order of the probabilities.

    Raises:
        CourseError: the source cannot be read, or cannot be written in this format; the folder exists or cannot be
            written; or a package is missing.
        ValueError: an unknown format.
    """
    require_choice("kind", kind, FORMATS)
    if folder.exists():
        raise CourseError(f"{folder} is there already. Name a new folder by --folder, or delete it.")
    with atomic_folder(folder) as draft:
        if source.is_dir():
            done = _export_encoder(from_folder(source), kind, draft)
        elif kind == HUGGING_FACE:
            done = _export_classifier(*load_classifier(source), draft)
        else:
            done = _export_for_runtime(*load_classifier(source), kind, draft)
    return replace(done, model=folder / done.model.name)


def _export_for_runtime(model: TextClassifier, reader: Reader, kind: str, folder: Path) -> Exported:
    name, write = _WRITERS[kind]
    try:
        checked = write(model, reader.max_length, folder / name)
    except ImportError as error:
        raise CourseError(
            f"{kind} needs packages that are not installed ({error}). {how_to_install('export')}"
        ) from error
    with atomic_file(folder / "vocab.txt") as draft:
        reader.vocabulary.save(draft)
    write_json(folder / "labels.json", list(reader.class_names))
    _write_tokenizer_config(folder, reader.reads_lowercase, reader.max_length)
    return Exported(folder / name, checked)


def _export_classifier(model: TextClassifier, reader: Reader, folder: Path) -> Exported:
    if type(model) is not TextClassifier:
        raise CourseError(
            "Hugging Face's BertForSequenceClassification reads [CLS] only, and this classifier, trained with "
            "--average, reads all tokens. Use --to onnx or --to litert, or train one without --average."
        )
    try:
        save_hugging_face_classifier(model, folder, reader.vocabulary, reader.class_names)
    except WeightsError as error:
        raise CourseError(str(error)) from error
    _write_tokenizer_config(folder, reader.reads_lowercase, reader.max_length)
    return Exported(folder / "model.safetensors")


def _export_encoder(source: EncoderSource, kind: str, folder: Path) -> Exported:
    if kind != HUGGING_FACE:
        raise CourseError(
            f"{source.said} is an encoder, and {kind} is for classifiers: a classifier.keras that `finetune` wrote. "
            "Use --to huggingface for an encoder."
        )
    encoder, head = source.make("float32"), None
    if weights := source.heads.get("masked_lm_head"):
        head = MaskedLMHead(encoder.vocabulary_size, encoder.hidden_dim, encoder.epsilon)
        head.build((None, None, encoder.hidden_dim), (encoder.vocabulary_size, encoder.hidden_dim))
        assign(head, weights)
    try:
        save_hugging_face(encoder, folder, source.vocabulary, head)
    except WeightsError as error:
        raise CourseError(str(error)) from error
    _write_tokenizer_config(folder, source.vocabulary.drops_case(source.lowercase), source.max_length)
    return Exported(folder / "model.safetensors")


def _write_tokenizer_config(folder: Path, drops_case: bool, max_length: int) -> None:
    config = {"tokenizer_class": "BertTokenizer", "model_max_length": max_length, "do_lower_case": drops_case}
    write_json(folder / TOKENIZER_CONFIG, config)
