"""python -m recipes.compression: what accuracy a classifier keeps when it is compressed, and what that saves.

From three seeds, the recipe fine-tunes a teacher on 200 articles of the sample. Students with one of its four blocks,
and students of two blocks of half its width, learn from the labels alone, from the teacher, and from 3,700 articles
that the teacher labels. All are tested on the last 1,000 articles, in floats and in 8 bits. The recipe also measures
the latency of a BERT of the published size, in floats and with PyTorch's int8. It takes a quarter of an hour on one
core. If the command is killed, run it again to resume.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import keras
import numpy as np
import typer
from rich.console import Console

from course.applications.distillation.int8 import megabytes, with_int8_products
from course.applications.distillation.recorded_results import COMPRESSION_FILE
from course.applications.distillation.training import distil
from course.classification import Examples, TextClassifier, accuracy, fine_tune, predict
from course.compression import pseudo_labels, select_layers
from course.data.datasets import load_sample
from course.data.datasets.sample_encoder import SAMPLE_ENCODER
from course.data.text.vocabulary import Vocabulary
from course.data.text.wordpiece import WordPieceTokenizer
from course.encoder import BertEncoder
from course.storage.atomic import atomic_file
from course.storage.outputs import write_json
from course.storage.packed import write_packed
from course.weights import load_hugging_face

RESULTS = Path(__file__).with_suffix(".json")
KEPT = "results.json"  # the results so far, in the folder of a run
SEEDS = (1, 2, 3)
LENGTH, LABELLED, WATCHED, KNOWN = 48, 200, 300, 4000
TEACHER: dict[str, Any] = {"learning_rate": 1e-3, "batch_size": 20, "epochs": 8, "patience": 2}
FEW: dict[str, Any] = {"learning_rate": 1e-3, "batch_size": 20, "epochs": 8}
MANY: dict[str, Any] = {"learning_rate": 1e-3, "batch_size": 32, "epochs": 2}
MODELS = (
    "teacher",
    *(f"{shape}, {way}" for shape in ("one block", "narrow") for way in ("labels", "teacher", "pseudo-labels")),
)
NARROW = {"num_layers": 2, "hidden_dim": 64, "intermediate_dim": 128}

Row = dict[str, Any]


def read() -> dict[str, Examples]:
    """The parts of the sample, as inputs and labels."""
    articles, tokenizer = load_sample(), WordPieceTokenizer(Vocabulary.load(SAMPLE_ENCODER / "vocab.txt"))
    parts = {
        "training": articles[:LABELLED],
        "held out": articles[LABELLED:WATCHED],
        "unlabelled": articles[WATCHED:KNOWN],
        "test": articles[KNOWN:],
    }
    return {
        name: (tokenizer(part["title"], part["description"], max_length=LENGTH), part["label"].to_numpy())
        for name, part in parts.items()
    }


def one_block(teacher: TextClassifier) -> TextClassifier:
    """A student with the teacher's first block, embeddings, pooler and head."""
    student = TextClassifier(select_layers(teacher.encoder, 1), teacher.num_classes)
    student.build({"token_ids": (None, None)})
    student.logits_dense.set_weights(teacher.logits_dense.get_weights())
    return student


def narrow(teacher: TextClassifier) -> TextClassifier:
    """A student of two blocks of half the width, with random weights."""
    config = {**teacher.encoder.get_config(), **NARROW}
    student = TextClassifier(BertEncoder.from_config(config), teacher.num_classes)
    student.build({"token_ids": (None, None)})
    return student


def students(teacher: TextClassifier, parts: dict[str, Examples], seed: int) -> dict[str, Callable[[], TextClassifier]]:
    """For the name of each student a function that trains it."""
    inputs, labels = parts["training"]
    unlabelled, teacher_logits = parts["unlabelled"][0], predict(teacher, parts["training"][0])
    chosen, probabilities = pseudo_labels(teacher, unlabelled, exclude=parts["test"][0])
    texts = {name: array[chosen] for name, array in unlabelled.items()}
    # Log probabilities are logits up to one constant per text, which a softmax ignores.
    logits = np.log(np.maximum(probabilities, 1e-7))

    def taught(student: TextClassifier, alpha: float) -> TextClassifier:
        distil(student, inputs, teacher_logits, labels, alpha=alpha, seed=seed, **FEW)
        return student

    def with_more_texts(student: TextClassifier) -> TextClassifier:
        distil(student, texts, logits, seed=seed, **MANY)
        return student

    return {
        "one block, labels": lambda: taught(one_block(teacher), 0.0),
        "one block, teacher": lambda: taught(one_block(teacher), 0.7),
        "one block, pseudo-labels": lambda: with_more_texts(one_block(teacher)),
        "narrow, labels": lambda: taught(narrow(teacher), 0.0),
        "narrow, teacher": lambda: taught(narrow(teacher), 0.7),
        "narrow, pseudo-labels": lambda: with_more_texts(narrow(teacher)),
    }


def rows_of(name: str, seed: int, model: TextClassifier, test: Examples) -> list[Row]:
    """A classifier's accuracy and size on disk, in floats and in 8 bits."""
    return [
        {
            "model": name,
            "int8": is_int8,
            "seed": seed,
            "accuracy": accuracy(test[1], predict(variant, test[0])),
            "megabytes": megabytes(model, is_int8),
        }
        for is_int8, variant in ((False, model), (True, with_int8_products(model)))
    ]


def teacher_of(parts: dict[str, Examples], seed: int, folder: Path) -> TextClassifier:
    """The teacher of a seed, loaded if an earlier run trained it, else trained and saved."""
    path = folder / f"teacher_{seed}.npz"
    keras.utils.set_random_seed(seed)
    teacher = TextClassifier(load_hugging_face(SAMPLE_ENCODER), 4)
    teacher.build({"token_ids": (None, None)})
    if path.exists():
        with np.load(path) as arrays:
            teacher.set_weights(list(arrays.values()))
    else:
        fine_tune(teacher, parts["training"], parts["held out"], seed=seed, **TEACHER)
        with atomic_file(path) as draft:
            np.savez(draft, *teacher.get_weights())
    return teacher


def of_seed(parts: dict[str, Examples], seed: int, folder: Path, results: dict[str, Any]) -> None:
    """Adds the missing rows of a seed to the results, and writes the results after each model."""
    known = {row["model"] for row in results["runs"] if row["seed"] == seed}
    if len(known) == len(MODELS):
        return
    teacher = teacher_of(parts, seed, folder)
    makers: dict[str, Callable[[], TextClassifier]] = {"teacher": lambda: teacher, **students(teacher, parts, seed)}
    for name in (name for name in MODELS if name not in known):
        began = time.perf_counter()
        keras.utils.set_random_seed(seed)
        rows = rows_of(name, seed, makers[name](), parts["test"])
        results["runs"] += rows
        write_json(folder / KEPT, results)
        Console().print(f"seed {seed}, {name}: {rows[0]['accuracy']:.1%}, {time.perf_counter() - began:.0f} s")


def seconds_of(call: Callable[[], Any]) -> float:
    """The median time of 15 calls, after two warm-up calls."""
    seconds = []
    for _ in range(17):
        began = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - began)
    return median(seconds[2:])


def speed_of_published_size() -> dict[str, Any]:
    """A published-size BERT's latency for one text on one thread, in ms: floats, and PyTorch's dynamic int8."""
    import torch
    from transformers import BertConfig, BertModel

    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = BertModel(BertConfig()).eval()
    in_int8 = torch.ao.quantization.quantize_dynamic(model, {torch.nn.Linear}, dtype=torch.qint8)
    milliseconds = {}
    for length in (16, 128):
        ids = torch.randint(1000, 30000, (1, length))
        with torch.inference_mode():
            seconds = [seconds_of(partial(variant, ids)) for variant in (model, in_int8)]
        milliseconds[str(length)] = {
            "float32": 1000 * seconds[0],
            "int8": 1000 * seconds[1],
            "times as fast": seconds[0] / seconds[1],
        }
    return {"engine": torch.backends.quantized.engine, "vnni": _has_vnni(), "milliseconds": milliseconds}


def _has_vnni() -> bool:
    """Whether the processor has instructions for products of int8."""
    flags = Path("/proc/cpuinfo")
    return flags.exists() and "vnni" in flags.read_text(encoding="utf-8")


def main(folder: Path = Path("build/compression")) -> None:
    """Trains and tests all models, measures the latency, and writes the results."""
    file = folder / KEPT
    results = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"runs": []}
    if "speed" not in results:
        results["speed"] = speed_of_published_size()
        write_json(file, results)
    parts = read()
    for seed in SEEDS:
        of_seed(parts, seed, folder, results)
    keep(results)


def keep(results: dict[str, Any]) -> None:
    """Writes the results of all runs, and a copy for the lesson."""
    write_json(RESULTS, results)
    write_packed(COMPRESSION_FILE, results)


if __name__ == "__main__":
    typer.run(main)
