"""python -m recipes.baselines: the baseline alone, for the recipes whose trainings take long.

It measures the baseline of AG News, of films and of questions on the same rows as `recipes.ag_news` and
`recipes.own_classes`, and writes it beside their stored results, in three minutes instead of four hours. Nothing is
trained again, and the predictions of the stored trainings were not kept. So their gains over the new baseline are not
paired by row, and their intervals are wider than those of a new run.

The folders that AG_NEWS_DIR and QUORA_PAIRS_DIR name must have the rows of the stored trainings: a part of each set.
Another number of rows, such as that of a download, is refused.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd
import typer
from rich.console import Console

from course.commands.evaluation_report import BaselineAnswers, measure_baseline
from course.data.datasets import ag_news, quora_pairs, sst
from course.data.datasets.download import PublicFiles
from course.errors import CourseError, as_course_errors
from course.storage.outputs import write_json
from course.storage.packed import read_packed, write_packed
from course.training.articles import AG_NEWS, Articles, Choice
from course.training.custom_texts import OwnTexts
from course.training.recorded_run import FINE_TUNING_FILE
from recipes import ag_news_results, own_classes, own_classes_results
from recipes.page import keep_section, unpaired_difference
from recipes.paths import PAGE, RESULTS

_DATA = {"films": sst.SST, "questions": quora_pairs.QUORA_PAIRS}


def beside_ag_news(results: dict[str, Any], articles: Articles, measured: BaselineAnswers) -> dict[str, Any]:
    """The results of `recipes.ag_news` with this baseline; what was decided together with the old one is left out."""
    baseline = measured.numbers()
    gain = unpaired_difference(results["mean_accuracy"]["pretrained"]["mean"], baseline["accuracy"], len(articles.test))
    gains = {"fresh": results["gain_over"]["fresh"], "baseline": gain}
    kept = {name: value for name, value in results.items() if name not in ("baseline", "together", "gain_over")}
    return {**kept, "baseline": baseline, "gain_over": gains}


def beside_own_classes(of_set: dict[str, Any], articles: Articles, measured: BaselineAnswers) -> dict[str, Any]:
    """The results of one set of `recipes.own_classes` with this baseline."""
    names = articles.class_names
    rows = [
        {"label": names[label], "baseline": names[predicted]}
        for label, predicted in zip(articles.test["label"], measured.predicted, strict=True)
    ]
    numbers = own_classes_results.numbers_of(rows, ["baseline"])
    gain = unpaired_difference(of_set["pretrained"]["accuracy"]["mean"], numbers["accuracies"][0], len(rows))
    kept = {name: value for name, value in of_set.items() if name not in ("tfidf", "baseline", "gain_over")}
    return {
        **kept,
        "baseline": {**numbers, "kind": measured.kind, "seconds": round(measured.seconds, 1)},
        "gain_over": {"fresh": of_set["gain_over"]["fresh"], "baseline": gain},
    }


def own_texts(name: str, parts: dict[str, pd.DataFrame], folder: Path) -> Articles:
    """The rows of a set, read and split as `python -m course finetune` does."""
    for part, rows in parts.items():
        rows[[*own_classes.TEXTS[name], "label"]].to_csv(folder / f"{part}.csv", index=False)
    choice = OwnTexts(
        folder / "train.csv",
        own_classes.TEXTS[name],
        "label",
        folder / "test.csv",
        0.1,  # held out, as by the command's default
        own_classes.MOST_ROWS,
    )
    return choice.read()


def require_rows(data: PublicFiles, part: str, stored: int, read: int) -> None:
    """Raises a CourseError if part of a data set, such as "test", has not as many rows as in the stored results."""
    if read != stored:
        raise CourseError(
            f"the stored results of {data.title} are for {stored:,} {part} rows, and these are {read:,}. Let "
            f"{data.variable} name a folder with the same rows."
        )


def main() -> None:
    """Measures the baselines, and writes them to the results, to README.md and to the numbers that lesson 8 shows."""
    console = Console()
    news = json.loads(RESULTS.read_text(encoding="utf-8"))
    file = own_classes_results.RESULTS
    results = json.loads(file.read_text(encoding="utf-8"))
    with as_course_errors():
        articles = Choice(AG_NEWS, 0.05).read()  # as in `recipes.ag_news`
        require_rows(ag_news.AG_NEWS, "training", news["articles"], len(articles.training) + len(articles.held_out))
        sets = {}
        for name, parts in own_classes.tables().items():
            with tempfile.TemporaryDirectory() as folder:
                sets[name] = own_texts(name, parts, Path(folder))
            require_rows(_DATA[name], "test", results[name]["rows"]["test"], len(sets[name].test))
    write_json(RESULTS, beside_ag_news(news, articles, measure_baseline(articles)))
    keep_section(PAGE, ag_news_results.section_of(RESULTS))
    accuracy = json.loads(RESULTS.read_text(encoding="utf-8"))["baseline"]["accuracy"]
    lesson = read_packed(FINE_TUNING_FILE)
    trained = [row for row in lesson["test"] if row["start"] not in ("tfidf", "baseline")]
    write_packed(
        FINE_TUNING_FILE, {**lesson, "test": [*trained, {"start": "baseline", "seed": 0, "accuracy": accuracy}]}
    )
    console.print(f"AG News: {accuracy:.2%}")

    for name, texts in sets.items():
        results[name] = beside_own_classes(results[name], texts, measure_baseline(texts))
        console.print(f"{name}: {results[name]['baseline']['accuracies'][0]:.2%}")
    write_json(file, results)
    keep_section(PAGE, own_classes_results.section_of(file))


if __name__ == "__main__":
    typer.run(main)
