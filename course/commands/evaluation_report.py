"""Measure classifiers on articles that they have not seen, and write the results to a folder."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from course.classification import TextClassifier, confusion_matrix
from course.errors import CourseError
from course.evaluation.attention_maps import cls_attention
from course.evaluation.baseline import choose_baseline, points, verdict, why_left_out
from course.evaluation.measures import (
    calibration,
    deviation,
    macro_f1,
    paired_difference,
    probabilities,
    wilson_interval,
)
from course.plots import Picture, plot_attention, plot_confusion, plot_reliability
from course.storage.outputs import write_json, write_picture, write_table, write_text
from course.training.articles import Articles, whole_texts
from course.training.classifier_file import Reader, load_classifier
from course.training.logits import predict_logits

_ATTENTION_PICTURES = 3
_TOKENS_IN_A_PICTURE = 24
_TOKENS_IN_A_TABLE = 8
SEEDS, WITH_BASELINE = "seeds together", "together with the baseline"
_OWN_COLUMNS = ("row", "label", "predicted", "confidence", "cls_attends_to")  # of errors.csv, before the texts


@dataclass(frozen=True)
class Answers:
    """A classifier's predictions for the test articles.

    Attributes:
        shares: (articles, num_classes), the probability of each class.
        labels: (articles,), the true ones.
    """

    shares: np.ndarray
    labels: np.ndarray

    @property
    def predicted(self) -> np.ndarray:
        return self.shares.argmax(axis=1)

    @property
    def right(self) -> np.ndarray:
        return self.predicted == self.labels

    @property
    def matrix(self) -> np.ndarray:
        return confusion_matrix(self.labels, self.predicted, self.shares.shape[1])

    def numbers(self) -> dict[str, Any]:
        """Return accuracy with its 95% confidence interval, macro F1, and calibration error."""
        return {
            **share_right(self.right),
            "macro_f1": macro_f1(self.matrix),
            "calibration_error": calibration(self.labels, self.shares).error,
        }


@dataclass(frozen=True)
class BaselineAnswers(Answers):
    """The baseline's predictions for the test articles.

    Attributes:
        kind: what it is, in words.
        seconds: how long its choice, its training and its predictions took.
    """

    kind: str
    seconds: float

    def numbers(self) -> dict[str, Any]:
        """Return what it is, the numbers of a classifier, and its seconds."""
        return {"kind": self.kind, **super().numbers(), "seconds": round(self.seconds, 1)}


def share_right(right: np.ndarray) -> dict[str, Any]:
    """Return the accuracy and its 95% confidence interval."""
    accuracy = float(right.mean())
    return {"accuracy": accuracy, "interval": wilson_interval(accuracy, len(right))}


def evaluate(
    files: Sequence[Path], articles: Articles, folder: Path, baseline: BaselineAnswers | None = None, where: str = ""
) -> dict[str, Any]:
    """Measure each classifier on the test articles, beside a baseline that learned from the same training articles.

    Args:
        files: from `save_classifier`. Several files should differ in their seed alone; figures, probabilities and
            errors.csv are those of the first one.
        articles: the test articles.
        folder: gets results.json, report.md, predictions.csv, errors.csv, and confusion.png, reliability.png and
            attention-1.png, ... each with a .txt that says what it shows.
        baseline: from `measure_baseline`. None: it is left out.
        where: which texts they are, as in " of reviews.csv"; "" for those set apart when the classifier was trained.

    Returns:
        The content of results.json.

    Raises:
        CourseError: a file cannot be read or written.
    """
    answers = []
    for file in files:
        answers.append(_answers(*_load(file, articles), articles.test))
    results = _results(files, answers, baseline)
    model, reader = _load(files[0], articles)
    first = answers[0]
    wrong = np.flatnonzero(~first.right)
    wrong = wrong[np.argsort(-first.shares[wrong].max(axis=1), kind="stable")]  # the most confident first
    # The numbers come first: what comes after them may run out of memory.
    write_json(folder / "results.json", results)
    write_table(folder / "predictions.csv", _predictions(files, answers, baseline, reader))
    write_table(folder / "errors.csv", _errors(model, reader, articles.test, first, wrong))
    pictures = {
        "confusion": plot_confusion(first.matrix, reader.class_names, title="True and predicted classes"),
        "reliability": _reliability(first),
        **_attention_pictures(model, reader, articles.test, first, wrong[:_ATTENTION_PICTURES]),
    }
    for name, picture in pictures.items():
        write_picture(folder / f"{name}.png", picture)
    write_text(folder / "report.md", _report(results, pictures, where))
    return results


def _load(file: Path, articles: Articles) -> tuple[TextClassifier, Reader]:
    """Load a classifier, and let its reader take the text columns of `articles`."""
    model, reader = load_classifier(file)
    if reader.class_names != articles.class_names or len(reader.text_columns) != len(articles.text_columns):
        wanted, given = (
            f"{len(side.text_columns)} texts in a row, of the classes {', '.join(side.class_names[:8])}"
            for side in (reader, articles)
        )
        raise CourseError(f"{file} reads {wanted}. Given: {given}. Name texts like those that it was trained on.")
    return model, replace(reader, text_columns=articles.text_columns)


def measure_baseline(articles: Articles) -> BaselineAnswers:
    """Choose the baseline on the held-out articles, let it learn from these and the training articles, and test it."""
    began = time.perf_counter()
    parts = (articles.training, articles.held_out, articles.test)
    training, held_out, test = (whole_texts(part, articles.text_columns) for part in parts)
    labels, held_out_labels = (part["label"].tolist() for part in parts[:2])
    chosen = choose_baseline(training, labels, held_out, held_out_labels)
    known, known_labels = [*training, *held_out], [*labels, *held_out_labels]
    shares = chosen.probabilities(known, known_labels, test, len(articles.class_names))
    return BaselineAnswers(shares, articles.test["label"].to_numpy(), chosen.kind, time.perf_counter() - began)


def why_no_baseline(articles: Articles) -> str | None:
    """Return why the baseline is left out, or why it takes long; None if it is quick."""
    if not len(articles.training) or not len(articles.held_out):
        return "there are no training texts"
    return why_left_out(whole_texts(articles.training, articles.text_columns), articles.training["label"].tolist())


def _answers(model: TextClassifier, reader: Reader, test: pd.DataFrame) -> Answers:
    inputs = reader.read_frame(test)
    return Answers(probabilities(predict_logits(model, inputs)), test["label"].to_numpy())


def _results(files: Sequence[Path], answers: Sequence[Answers], baseline: BaselineAnswers | None) -> dict[str, Any]:
    numbers = {_name(file): answer.numbers() for file, answer in zip(files, answers, strict=True)}
    accuracies = [float(answer.right.mean()) for answer in answers]
    labels = answers[0].labels
    return {
        "articles": len(labels),
        "classifiers": numbers,
        "mean_accuracy": {
            "mean": float(np.mean(accuracies)),
            "deviation": deviation(accuracies),
            "interval": wilson_interval(float(np.mean(accuracies)), len(labels)),
        },
        **({} if baseline is None else _beside_baseline(answers, baseline)),
        "together": {
            name: {**answer.numbers(), **({} if baseline is None else {"gain": _gain(answer.right, baseline)})}
            for name, answer in together(answers, baseline).items()
        },
        "confusion": answers[0].matrix.tolist(),
    }


def together(answers: Sequence[Answers], baseline: BaselineAnswers | None) -> dict[str, Answers]:
    """Let classifiers that differ in their seeds vote, and then the baseline with them.

    Returns:
        SEEDS: the mean of their probabilities, if there are several. WITH_BASELINE: the geometric mean of that and of
        the baseline's, so that whichever is sure decides.

    Reference: Hinton, "Training Products of Experts by Minimizing Contrastive Divergence", 2002,
    https://doi.org/10.1162/089976602760128018, section 1.
    """
    votes: dict[str, Answers] = {}
    labels, shares = answers[0].labels, np.mean([answer.shares for answer in answers], axis=0)
    if len(answers) > 1:
        votes[SEEDS] = Answers(shares, labels)
    if baseline:
        product = np.sqrt(shares * baseline.shares)
        votes[WITH_BASELINE] = Answers(product / product.sum(axis=1, keepdims=True), labels)
    return votes


def _beside_baseline(answers: Sequence[Answers], baseline: BaselineAnswers) -> dict[str, Any]:
    mean_right = np.mean([answer.right for answer in answers], axis=0)  # of the seeds, article by article
    return {"baseline": baseline.numbers(), "mean_less_baseline": _gain(mean_right, baseline)}


def _gain(right: np.ndarray, baseline: BaselineAnswers) -> dict[str, Any]:
    difference, lowest, highest = paired_difference(right, baseline.right)
    return {"difference": difference, "interval": (lowest, highest)}


def _reliability(answers: Answers) -> Picture:
    bins = calibration(answers.labels, answers.shares)
    return plot_reliability(bins.confidence, bins.accuracy, bins.counts, title="Confidence and accuracy")


def _attention_pictures(
    model: TextClassifier, reader: Reader, test: pd.DataFrame, answers: Answers, rows: np.ndarray
) -> dict[str, Picture]:
    pictures = {}
    for number, row in enumerate(rows, start=1):
        weights, tokens = _attended(model, reader, test.iloc[[row]])
        attended = np.sort(np.argsort(-weights[0].mean(axis=0)[: len(tokens[0])])[:_TOKENS_IN_A_PICTURE])
        true, predicted = (reader.class_names[label] for label in (answers.labels[row], answers.predicted[row]))
        pictures[f"attention-{number}"] = plot_attention(
            weights[0][:, attended],
            [f"[CLS], head {head}" for head in range(weights.shape[1])],
            [tokens[0][place] for place in attended],
            title=f"{true}, taken for {predicted} (row {row}): the tokens that [CLS] attends to most",
        )
    return pictures


def _attended(model: TextClassifier, reader: Reader, articles: pd.DataFrame) -> tuple[np.ndarray, list[list[str]]]:
    """Return the attention of [CLS] in each article, (articles, heads, length), and the article's tokens."""
    inputs = reader.read_frame(articles)
    length = inputs["padding_mask"].sum(axis=1).max()
    inputs = {name: array[:, :length] for name, array in inputs.items()}
    tokens = [
        reader.vocabulary.pieces_of(ids[mask])
        for ids, mask in zip(inputs["token_ids"], inputs["padding_mask"], strict=True)
    ]
    return cls_attention(model.encoder, inputs), tokens


def _predictions(
    files: Sequence[Path], answers: Sequence[Answers], baseline: BaselineAnswers | None, reader: Reader
) -> list[dict[str, Any]]:
    """Make a row for each article: its label, all predictions, and the first classifier's probabilities."""
    names = reader.class_names
    everyone: dict[str, Answers] = {} if baseline is None else {"baseline": baseline}
    everyone |= {_name(file): answer for file, answer in zip(files, answers, strict=True)}
    everyone |= together(answers, baseline)
    classes_of = {"label": answers[0].labels} | {name: answer.predicted for name, answer in everyone.items()}
    return [
        {
            "row": row,
            **{column: names[classes[row]] for column, classes in classes_of.items()},
            **{f"P({name})": f"{share:.4f}" for name, share in zip(names, shares, strict=True)},
        }
        for row, shares in enumerate(answers[0].shares)
    ]


def _name(classifier: Path) -> str:
    """Return a classifier's name in tables: the folder of its seed, and its file."""
    return f"{classifier.parent.name}/{classifier.name}"


def _errors(
    model: TextClassifier, reader: Reader, test: pd.DataFrame, answers: Answers, wrong: np.ndarray, batch: int = 64
) -> list[dict[str, Any]]:
    """List the misclassified articles, the most confident first, with the tokens that [CLS] attends to most."""
    errors = []
    for start in range(0, len(wrong), batch):
        rows = wrong[start : start + batch]
        weights, tokens = _attended(model, reader, test.iloc[rows])
        for row, mean_weights, pieces in zip(rows, weights.mean(axis=1), tokens, strict=True):
            parts = test[list(reader.text_columns)].iloc[row]
            attended = np.argsort(-mean_weights[: len(pieces)])[:_TOKENS_IN_A_TABLE]
            errors.append(
                {
                    "row": row,
                    "label": reader.class_names[answers.labels[row]],
                    "predicted": reader.class_names[answers.predicted[row]],
                    "confidence": f"{answers.shares[row].max():.4f}",
                    "cls_attends_to": " ".join(f"{pieces[place]}:{mean_weights[place]:.2f}" for place in attended),
                    **{
                        f"{column} (text)" if column in _OWN_COLUMNS else column: text for column, text in parts.items()
                    },
                }
            )
    return errors


def rows_of(results: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the numbers of each classifier, of the baseline, and of all together, by their names in tables."""
    baseline = results.get("baseline")
    beside = {f"baseline: {baseline['kind']}": baseline} if baseline else {}
    return {**results["classifiers"], **beside, **results["together"]}


def verdicts(results: dict[str, Any]) -> list[str]:
    """Say whether the classifiers, and all together, are better than the baseline."""
    if "baseline" not in results:
        return []
    gap = results["mean_less_baseline"]
    with_baseline = results["together"][WITH_BASELINE]["gain"]
    by = points(with_baseline["difference"], *with_baseline["interval"])
    return [verdict(gap["difference"], *gap["interval"]), f"Together with it, the gain over it is {by}."]


def _report(results: dict[str, Any], pictures: dict[str, Picture], where: str) -> str:
    whose = f"{where}. Texts that it has learned from would flatter it" if where else " that it has not seen"
    lines = [
        "# How good the classifier is",
        "",
        f"Measured on {results['articles']:,} texts{whose}. In brackets: 95% confidence intervals.",
        "",
        "| classifier | accuracy | macro F1 | calibration error |",
        "|---|---|---|---|",
    ]
    for name, numbers in rows_of(results).items():
        lines.append(
            f"| {name} | {_percent(numbers)} | {numbers['macro_f1']:.4f} | {numbers['calibration_error']:.4f} |"
        )
    mean = results["mean_accuracy"]
    lines.append("")
    if mean["deviation"] is not None:
        lines += [f"Mean accuracy {mean['mean']:.2%}, standard deviation {mean['deviation']:.2%} between seeds.", ""]
    if "baseline" in results:
        seconds = results["baseline"]["seconds"]
        lines += [f"The baseline learned from the same texts, in {seconds:.0f} seconds.", *verdicts(results), ""]
    for name, picture in pictures.items():
        alt = picture.alt.replace("[", "\\[").replace("]", "\\]")
        lines += [f"![{alt}]({name}.png)", ""]
    lines.append("All predictions are in predictions.csv, and the misclassified texts in errors.csv.")
    return "\n".join(lines) + "\n"


def _percent(numbers: dict[str, Any]) -> str:
    low, high = numbers["interval"]
    return f"{numbers['accuracy']:.2%} ({low:.2%} to {high:.2%})"
