"""Answers: the classes of articles, beside Hugging Face's pipeline with the same weights.

BERT-mini with 8,000 pieces and four classes; its weights are random, and the same in all. It reads AG News, or without
AG_NEWS_DIR the sample, whose articles are more than twice as long; half of them are cut at 128 tokens. The time runs
from pairs of strings, a title and the text below it, to probabilities, and includes the tokenization. Ours is
`python -m course predict`: it sorts the articles by their lengths, and pads each batch of 64 to one of eight lengths.
The pipeline gets batches of 64 in the order of the articles, then sorted by length beforehand, and then, as is its
default, each article alone. Before it reports a ratio, the benchmark compares the probabilities of all: they may differ
by 1e-4.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.articles import articles, lines
from benchmarks.turns import Goal, Work, goal_rows, take_turns
from course.environment import prepare_tensorflow
from grading.storage.project import PROJECT

FOLDER = PROJECT / "build" / "inference"
CLASSIFIER, PUBLISHED = FOLDER / "classifier.keras", FOLDER / "published"
ARTICLES, LENGTH, BATCH = 256, 128, 64
TURNS, TOLERANCE = 5, 1e-4

GOALS: list[Goal] = [
    ("ours", "pipeline", 2.0),
    ("ours", "pipeline_by_length", 2.0),
    ("ours", "pipeline_one_by_one", 2.0),
]


def measure() -> list[dict[str, Any]]:
    """A row for each goal."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    make_classifier()
    rows = goal_rows(take_turns("benchmarks.inference", GOALS, TURNS), GOALS, "articles/s")
    expected = np.load(FOLDER / "ours.npy")
    for path in FOLDER.glob("pipeline*.npy"):
        difference = float(np.abs(np.load(path) - expected).max())
        if not difference <= TOLERANCE:
            raise SystemExit(f"the probabilities of {path.stem} differ from ours by up to {difference:.2g}")
    return rows


def make_classifier() -> None:
    """Writes the same weights for all contenders: as `finetune` stores them, and as `export` writes them for theirs."""
    import keras

    from course.classification import TextClassifier
    from course.data.text.vocabulary import train_vocabulary
    from course.encoder import BertEncoder
    from course.export import export
    from course.presets import sizes_of
    from course.training.classifier_file import Reader, save_classifier

    keras.utils.set_random_seed(0)
    vocabulary = train_vocabulary(lines()[:20_000], 8000)
    encoder = BertEncoder(len(vocabulary), max_length=LENGTH, padding_id=vocabulary.padding_id, **sizes_of("mini"))
    model = TextClassifier(encoder, 4)
    model.build({"token_ids": (None, None)})
    model.logits_dense.kernel.assign(keras.random.normal((encoder.hidden_dim, 4), seed=0))  # answers that differ
    FOLDER.mkdir(parents=True)
    save_classifier(CLASSIFIER, model, Reader(tuple(vocabulary), ("World", "Sports", "Business", "Sci/Tech"), LENGTH))
    export(CLASSIFIER, "huggingface", PUBLISHED)


def ours() -> Work:
    from course.evaluation.measures import probabilities
    from course.training.classifier_file import load_classifier
    from course.training.logits import predict_logits

    prepare_tensorflow()
    model, reader = load_classifier(CLASSIFIER)
    titles, descriptions = texts()

    def answers() -> np.ndarray:
        return probabilities(predict_logits(model, reader.read(titles, descriptions)))

    return _counted("ours", answers)


def pipeline() -> Work:
    return _pipeline("pipeline", batch_size=BATCH)


def pipeline_by_length() -> Work:
    return _pipeline("pipeline_by_length", batch_size=BATCH, by_length=True)


def pipeline_one_by_one() -> Work:
    return _pipeline("pipeline_one_by_one", batch_size=1)


def texts() -> tuple[list[str], list[str]]:
    """The titles and the texts below them."""
    frame = articles().head(ARTICLES)
    return frame["title"].tolist(), frame["description"].tolist()


def _pipeline(name: str, batch_size: int, by_length: bool = False) -> Work:
    import transformers

    pipe = transformers.pipeline("text-classification", str(PUBLISHED), batch_size=batch_size, top_k=None, device="cpu")
    labels = list(pipe.model.config.id2label.values())
    pairs = [{"text": title, "text_pair": description} for title, description in zip(*texts(), strict=True)]
    lengths = [len(pair["text"]) + len(pair["text_pair"]) for pair in pairs]
    order = np.argsort(lengths, kind="stable") if by_length else np.arange(len(pairs))

    def answers() -> np.ndarray:
        results = pipe([pairs[place] for place in order], truncation=True, max_length=LENGTH)
        scores = [{answer["label"]: answer["score"] for answer in text_answers} for text_answers in results]
        table = np.array([[text_scores[label] for label in labels] for text_scores in scores])
        return table[np.argsort(order)]

    return _counted(name, answers)


def _counted(name: str, answers: Any) -> Work:
    """Saves the answers once, and returns work that counts articles."""
    np.save(Path(FOLDER, f"{name}.npy"), answers())

    def work() -> float:
        return len(answers())

    return work
