"""Several fine-tunings that differ in their seed alone, in one folder. A killed run resumes where it stopped."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import keras
import numpy as np

from course.classification import Examples, TextClassifier
from course.data.corpus.epoch_pairs import SPECIAL_TOKENS_IN_A_ROW
from course.errors import CourseError
from course.evaluation.measures import deviation
from course.storage.atomic import require_writable
from course.storage.outputs import write_json, write_table
from course.training.articles import Articles, Choice
from course.training.classifier_file import Reader, save_classifier
from course.training.classifier_training import Recipe, Row, Watcher, train_classifier
from course.training.curves import draw_curves
from course.training.custom_texts import OwnTexts
from course.training.encoder_source import EncoderSource
from course.training.epoch_checkpoint import EpochKeeper
from course.training.mean_pooling import AveragingClassifier
from course.training.word_dropout import WordDropout
from course.validation.values import require_instance, require_seed, require_shares, require_sizes

CLASSIFIER, CHECKPOINT, RESULTS = "classifier.keras", "checkpoint.safetensors", "results.json"


@dataclass(frozen=True)
class Task:
    """Everything that the classifiers of a folder depend on, except their seeds.

    Attributes:
        source: where their encoders come from.
        choice: which articles they learn from, or which of your own texts.
        articles: what `choice` reads.
        recipe: how they are trained.
        max_length: the longest article, in tokens; longer ones are cut.
        dtype: "float32", "mixed_bfloat16" or "mixed_float16".
        word_dropout: the share of the words to hide in each training step.
        average: whether the classifiers use the mean over all tokens, too, or [CLS] alone.

    Raises:
        ValueError: a number is not a valid length or share.
    """

    source: EncoderSource
    choice: Choice | OwnTexts
    articles: Articles
    recipe: Recipe
    max_length: int
    dtype: str
    word_dropout: float = 0.0
    average: bool = False

    def __post_init__(self) -> None:
        require_sizes(max_length=self.max_length)
        require_shares(word_dropout=self.word_dropout)

    def settings(self) -> dict[str, Any]:
        """Return the settings that all seeds of a folder must share."""
        return {
            "encoder": self.source.said,
            "weights": self.source.digest(),
            "sizes": self.source.arguments,
            "articles": self.choice.settings(),
            **({"texts": self.articles.digest} if self.articles.digest else {}),
            "articles_to_train_on": len(self.articles.training),
            "max_length": self.max_length,
            "dtype": self.dtype,
            "word_dropout": self.word_dropout,
            "average": self.average,
            "backend": keras.backend.backend(),
            **asdict(self.recipe),
        }


def finetune(
    task: Task, seeds: Sequence[int], folder: Path, watcher: Watcher, stop: Callable[[], bool] = lambda: False
) -> dict[str, Any]:
    """Train a classifier for each seed. Seeds whose classifier the folder has, with these settings, are skipped.

    Args:
        task: what to train.
        seeds: of the head, the dropout and the order of the articles.
        folder: where everything goes: results.json, curves.png, and for each seed a folder seed-1, seed-2, ... with
            classifier.keras and history.csv.
        watcher: receives the progress.
        stop: called after each epoch; returns whether to stop there.

    Returns:
        The content of results.json: the settings, the rows of each seed, and the mean and standard deviation of the
        best epochs' held-out accuracy.

    Raises:
        Stopped: `stop` returned True.
        CourseError: the folder holds runs with other settings, or cannot be written; texts are longer than the
            encoder reads or have no room for a word; or a loss is no longer finite.
        TypeError: `task` is not a `Task`, or `folder` not a path.
        ValueError: there are no seeds, or one is not valid.
    """
    require_instance(task, "task", Task)
    require_instance(folder, "folder", Path)
    _require_seeds(seeds)
    _require_length(task)
    require_writable(folder)
    done = _done_before(folder, task.settings())
    articles = task.articles
    reader = Reader(
        tuple(task.source.vocabulary),
        articles.class_names,
        task.max_length,
        articles.text_columns,
        task.source.lowercase,
    )
    training, held_out = (
        (reader.read_frame(part), part["label"].to_numpy()) for part in (articles.training, articles.held_out)
    )
    for seed in seeds:
        if seed not in done or not (folder / f"seed-{seed}" / CLASSIFIER).is_file():
            done[seed] = _train(task, training, held_out, seed, folder / f"seed-{seed}", reader, watcher, stop)
            write_json(folder / RESULTS, _summary(task.settings(), done))
        EpochKeeper(folder / f"seed-{seed}" / CHECKPOINT, {}).clear()  # not before the results are written
    _draw(done, folder)
    return _summary(task.settings(), done)


def require_same_settings(task: Task, folder: Path) -> None:
    """Raise a CourseError if `folder` holds runs with other settings than the task's, or is damaged."""
    _done_before(folder, task.settings())


def choice_of(classifier: Path) -> Choice | OwnTexts | None:
    """Return which articles a classifier of `finetune` has learned from; None if unknown."""
    try:
        settings = _settings(classifier)
        articles = settings["articles"]
        if "label" not in articles:
            return Choice(**articles, count=settings["articles_to_train_on"])
        test = None if articles["test"] is None else Path(articles["test"])
        choice = OwnTexts(
            **{**articles, "source": Path(articles["source"]), "text": tuple(articles["text"]), "test": test}
        )
        return replace(choice, digest=settings["texts"])
    except (OSError, ValueError, KeyError, TypeError, IndexError, CourseError):
        return None


def table_of(classifier: Path) -> Path | None:
    """Return the table that a classifier of `finetune` or `compress` has learned from; None if unknown, or no table."""
    choice = choice_of(classifier)
    if choice is not None:
        return choice.source if isinstance(choice, OwnTexts) and isinstance(choice.source, Path) else None
    try:  # `compress` stores its table under this name
        return Path(_settings(classifier)["texts"])
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return None


def classifiers(path: Path) -> list[Path]:
    """Return the classifiers of a folder that `finetune` made, in the order of their seeds; or the named file.

    Raises:
        CourseError: there is no classifier.
        TypeError: `path` is not a path.
    """
    require_instance(path, "path", Path)
    if path.is_dir():
        seeds = {file.parent.name.removeprefix("seed-"): file for file in path.glob(f"seed-*/{CLASSIFIER}")}
        file_of_seed = {int(seed): file for seed, file in seeds.items() if seed.isdecimal()}  # skips renamed copies
        if file_of_seed:
            return [file_of_seed[seed] for seed in sorted(file_of_seed)]
        raise CourseError(f"{path} has no classifier. Name a folder that `finetune` wrote, or a .keras file in it.")
    if not path.is_file():
        raise CourseError(f"{path} does not exist. Name a folder that `finetune` wrote, or a .keras file in it.")
    return [path]


def only_classifier(path: Path) -> Path:
    """Return the one classifier of a folder that `finetune` made; or the named file.

    Raises:
        CourseError: there is no classifier, or there are several.
        TypeError: `path` is not a path.
    """
    files = classifiers(path)
    if len(files) > 1:
        raise CourseError(f"{path} has {len(files)} classifiers. Name one of them, such as {files[0]}.")
    return files[0]


def _settings(classifier: Path) -> Any:
    return json.loads((classifier.parents[1] / RESULTS).read_text(encoding="utf-8"))["settings"]


def _train(
    task: Task,
    training: Examples,
    held_out: Examples,
    seed: int,
    folder: Path,
    reader: Reader,
    watcher: Watcher,
    stop: Callable[[], bool],
) -> list[Row]:
    keras.utils.set_random_seed(seed)
    kind = AveragingClassifier if task.average else TextClassifier
    model = kind(task.source.make(task.dtype), len(task.articles.class_names), task.recipe.dropout, dtype=task.dtype)
    model.build({"token_ids": (None, None)})
    word_dropout = WordDropout(task.word_dropout, task.source.vocabulary) if task.word_dropout else None
    keeper = EpochKeeper(folder / CHECKPOINT, json.loads(json.dumps(task.settings())), stop)
    rows = train_classifier(model, training, held_out, task.recipe, seed, watcher, word_dropout, keeper)
    write_table(folder / "history.csv", rows)
    save_classifier(folder / CLASSIFIER, model, reader)
    return rows


def _summary(settings: dict[str, Any], done: dict[int, list[Row]]) -> dict[str, Any]:
    accuracies = [max(row["held_out_accuracy"] for row in rows) for rows in done.values()]
    return {
        "settings": settings,
        "seeds": {str(seed): rows for seed, rows in done.items()},
        "held_out_accuracy": {"mean": float(np.mean(accuracies)), "deviation": deviation(accuracies)},
    }


def _done_before(folder: Path, settings: dict[str, Any]) -> dict[int, list[Row]]:
    path = folder / RESULTS
    if not path.exists():
        return {}
    try:
        results = json.loads(path.read_text(encoding="utf-8"))
        saved, seeds = results["settings"], {int(seed): rows for seed, rows in results["seeds"].items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CourseError(f"{path} is damaged ({error}). Delete {folder}, or name another folder.") from error
    different = [name for name in settings if saved.get(name) != settings[name]]
    if different:
        differences = ", ".join(f"{name} {saved.get(name)} and not {settings[name]}" for name in different)
        raise CourseError(
            f"{folder} holds fine-tunings with other settings: {differences}. Name another folder, or delete this one."
        )
    return seeds


def _require_seeds(seeds: Sequence[int]) -> None:
    if not isinstance(seeds, Sequence) or not seeds:
        raise ValueError(f"seeds must be one or more, such as range(1, 4). Received: {seeds!r}")
    for seed in seeds:
        require_seed(seed)


def _require_length(task: Task) -> None:
    if task.max_length <= SPECIAL_TOKENS_IN_A_ROW:
        raise CourseError(
            f"articles must have room for a word besides {SPECIAL_TOKENS_IN_A_ROW} special tokens. Given: --max-length "
            f"{task.max_length}; ask for more."
        )
    if task.max_length > task.source.max_length:
        raise CourseError(
            f"the encoder reads texts of at most {task.source.max_length} tokens. Given: --max-length "
            f"{task.max_length}; ask for fewer."
        )


def _draw(done: dict[int, list[Row]], folder: Path) -> None:
    draw_curves(
        folder,
        {f"seed {seed}": [row["held_out_accuracy"] for row in rows] for seed, rows in done.items()},
        title="Fine-tuning",
        y_label="accuracy on held-out articles",
    )
