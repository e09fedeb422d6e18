"""The recipe for two tables: its commands, and that numbers and page follow from the predictions."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from recipes import own_classes, own_classes_results
from recipes.paths import PAGE

LABELS = {"films": ["0", "0", "3", "2", "3"], "questions": ["same", "same", "different", "different", "same"]}
SAID = {
    "films": {
        "baseline": ["0", "2", "2", "0", "0"],  # 1 of 5
        "pretrained": [["0", "0", "3", "2", "0"], ["0", "0", "0", "0", "0"]],  # 4 and 2 of 5
        "fresh": [["0", "0", "0", "0", "0"], ["3", "3", "3", "3", "3"]],  # 2 and 2 of 5
    },
    "questions": {
        "baseline": ["different"] * 5,  # 2 of 5
        "pretrained": [["same"] * 5, ["same", "different", "different", "different", "different"]],  # 3 and 3 of 5
        "fresh": [["different"] * 5, ["same", "same", "same", "different", "different"]],  # 2 and 3 of 5
    },
}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A finished run, small enough to count by hand."""
    monkeypatch.setattr(own_classes_results, "RESULTS", tmp_path / "kept.json")
    monkeypatch.setattr(own_classes_results, "PAGE", tmp_path / "page.md")
    settings = {"epochs": 4, "learning_rate": 0.0003, "layer_decay": 0.8, "max_length": 128, "articles": {"rows": 23}}
    for name, labels in LABELS.items():
        folder = tmp_path / "run" / name
        for start in ("pretrained", "fresh"):
            (folder / start / "evaluation").mkdir(parents=True)
            seeds = {f"seed-{seed}/x.keras": said for seed, said in enumerate(SAID[name][start], start=1)}
            rows = pd.DataFrame({"row": range(5), "label": labels, "baseline": SAID[name]["baseline"], **seeds})
            rows.to_csv(folder / start / "evaluation" / "predictions.csv", index=False)
            (folder / start / "results.json").write_text(json.dumps({"settings": settings}))
            baseline = {"baseline": {"kind": "a", "seconds": 3.2}}
            (folder / start / "evaluation" / "results.json").write_text(json.dumps(baseline))
        pd.DataFrame({"label": [labels[0], *labels[:2]]}).to_csv(folder / "train.csv", index=False)
    return tmp_path / "run"


def test_results_follow_from_the_predictions(run: Path) -> None:
    own_classes_results.keep(run)
    result = json.loads(own_classes_results.RESULTS.read_text())
    films, questions = result["films"], result["questions"]
    assert films["rows"] == {"training": 23, "test": 5}
    assert films["always the commonest"] == 0.4
    assert films["pretrained"]["accuracies"] == [0.8, 0.4]
    assert films["pretrained"]["accuracy"]["mean"] == pytest.approx(0.6)
    assert films["baseline"]["accuracies"] == [0.2]
    assert films["gain_over"]["fresh"][0] == pytest.approx(0.2)
    assert films["gain_over"]["baseline"][0] == pytest.approx(0.4)
    assert "f1" not in films["pretrained"]
    assert questions["pretrained"]["f1"]["each"] == pytest.approx([2 * 3 / 8, 2 * 1 / 4])
    assert questions["pretrained"]["f1"]["all"]["value"] == pytest.approx(2 * 4 / (6 + 6))
    assert questions["fresh"]["f1"]["each"] == pytest.approx([0, 2 * 2 / 6])
    assert questions["baseline"]["f1"]["all"] == {"value": 0, "low": 0, "high": 0}


def test_the_page_shows_the_results(run: Path) -> None:
    own_classes_results.PAGE.write_text("# Recipes\n\n## Another\n\nstays\n")
    for _ in range(2):
        own_classes_results.keep(run)
    page = own_classes_results.PAGE.read_text()
    assert page.startswith("# Recipes\n\n## Another\n\nstays\n\n## Two tables")
    assert page.count("## ") == 2
    assert "23 training rows, a tenth of them for early stopping, and 5 test rows" in page
    assert "| the course's small encoder | 80.00%, 40.00% | 60.00% ± 28.28% |" in page
    assert "| baseline: a |  | 40.00% |" in page
    assert "Over the baseline it gains +40.00 points" in page


def test_the_page_matches_the_stored_results() -> None:
    assert own_classes_results.section_of(own_classes_results.RESULTS) in PAGE.read_text(encoding="utf-8")
    stored = json.loads(own_classes_results.RESULTS.read_text())
    for name in own_classes.TEXTS:
        for start in own_classes_results.STARTS:
            assert len(stored[name][start]["accuracies"]) == own_classes.SEEDS


def test_twins_differ_only_in_the_pretraining() -> None:
    result = own_classes.stages(Path("to"))
    for name in own_classes.TEXTS:
        one, other = result[f"{name}, pretrained"], result[f"{name}, fresh"]
        assert [word for word in other if word not in one] == [
            "--fresh",
            "--no-baseline",
            str(Path("to") / name / "fresh"),
        ]
        assert [word for word in one if word not in other] == [str(Path("to") / name / "pretrained")]


def test_no_question_is_in_both_training_and_test(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = pd.DataFrame(
        {
            "question1": [f"what is {number}?" for number in range(40)],
            "question2": [f"what is {number + number % 3}?" for number in range(40)],
            "is_duplicate": [number % 3 == 1 for number in range(40)],
        }
    )
    films = {part: pd.DataFrame({"sentence": [part], "label": [2]}) for part in ("train", "dev", "test")}
    monkeypatch.setattr(own_classes, "load_quora_pairs", lambda: pairs)
    monkeypatch.setattr(own_classes, "load_sst", lambda: films)
    result = own_classes.tables()
    asked = [set(result["questions"][part][["question1", "question2"]].stack()) for part in ("train", "test")]
    assert all(asked)
    assert not asked[0] & asked[1]
    labels = pd.concat(result["questions"].values()).sort_index()
    assert (labels["label"] == "same").tolist() == labels["is_duplicate"].tolist()
    assert result["films"]["test"]["sentence"].tolist() == ["test"]
