"""The baseline without a network, beside which `finetune` and `evaluate` put every classifier."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from course.commands.terminal import errors, output
from course.storage.outputs import write_json

if TYPE_CHECKING:
    from course.evaluation.baseline import Chosen
    from course.training.articles import Articles

BASELINE = "baseline.json"


def wanted(asked: bool | None, problem: str | None) -> bool:
    """Return whether to measure the baseline, and say why if not.

    Args:
        asked: what the user chose; None for no choice.
        problem: why it cannot be measured, or takes long.
    """
    if asked is False or problem is None:
        return asked is not False
    if asked and problem.startswith("it would take"):
        return True
    advice = "; --baseline measures it anyway" if problem.startswith("it would take") else ""
    errors.print(f"The baseline is left out: {problem}{advice}.")
    return False


def choose_before_training(articles: Articles, asked: bool | None) -> Chosen | None:
    """Choose the baseline on the held-out texts and print its accuracy; None if it is left out."""
    from course.evaluation.baseline import choose_baseline, why_left_out
    from course.training.articles import whole_texts

    parts = (articles.training, articles.held_out)
    training, held_out = (whole_texts(part, articles.text_columns) for part in parts)
    labels, held_out_labels = (part["label"].tolist() for part in parts)
    if not wanted(asked, why_left_out(training, labels)):
        return None
    with errors.status("Measuring the baseline"):
        chosen = choose_baseline(training, labels, held_out, held_out_labels)
    output.print(
        f"Baseline without a network: {chosen.held_out_accuracy:.2%} of the held-out texts "
        f"({chosen.kind}, {chosen.seconds:.0f} seconds)"
    )
    return chosen


def compare_after_training(folder: Path, articles: Articles, chosen: Chosen) -> dict[str, Any]:
    """Compare the classifiers of a folder with the baseline on the held-out texts, and write baseline.json there.

    Args:
        folder: what `finetune` wrote.
        articles: what the classifiers have learned from.
        chosen: the baseline for these articles.

    Returns:
        The content of baseline.json.

    Raises:
        CourseError: a file cannot be read or written.
    """
    import numpy as np

    from course.evaluation.measures import paired_difference
    from course.training.classifier_file import load_classifier
    from course.training.finetuning import classifiers
    from course.training.logits import predict_logits

    labels = articles.held_out["label"].to_numpy()
    right = []
    for file in classifiers(folder):
        model, reader = load_classifier(file)
        right.append(predict_logits(model, reader.read_frame(articles.held_out)).argmax(axis=1) == labels)
    difference, low, high = paired_difference(np.mean(right, axis=0), chosen.held_out == labels)
    results = {
        "kind": chosen.kind,
        "held_out_accuracy": chosen.held_out_accuracy,
        "held_out_accuracies": chosen.held_out_accuracies,
        "seconds": round(chosen.seconds, 1),
        "classifiers": len(right),
        "mean_less_baseline": {"difference": difference, "interval": (low, high)},
    }
    write_json(folder / BASELINE, results)
    return results
