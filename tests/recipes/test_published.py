"""The recipe for published weights: its commands, and that numbers and page follow from the predictions."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from recipes import own_classes, published, published_results
from recipes.paths import PAGE

LABELS = ["same", "same", "different", "different", "same"]
SAID = {
    "pretrained": ["same", "same", "different", "different", "different"],  # 4 of 5
    "fresh": ["same"] * 5,  # 3 of 5
}
BASELINE = ["different"] * 5  # 2 of 5


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The results of one set with a twin, and of one without, each from a run that is small enough to count by hand."""
    monkeypatch.setattr(published_results, "RESULTS", tmp_path / "kept.json")
    monkeypatch.setattr(published_results, "PAGE", tmp_path / "page.md")
    for name, starts in {"questions": ["pretrained"], "articles": ["pretrained", "fresh"]}.items():
        for start in starts:
            folder = tmp_path / name / start
            (folder / "evaluation").mkdir(parents=True)
            rows = pd.DataFrame({"label": LABELS, "baseline": BASELINE, "seed-1/x.keras": SAID[start]})
            rows.to_csv(folder / "evaluation" / "predictions.csv", index=False)
            (folder / "results.json").write_text('{"settings": {"articles": {"rows": 23}}}')
            (folder / "evaluation" / "results.json").write_text('{"baseline": {"kind": "a", "seconds": 3.2}}')
        published_results.keep(name, tmp_path / name, "the-weights", {"fine-tune": 90.0, "evaluate": 30.0})
    return tmp_path


def test_results_follow_from_the_predictions(kept: Path) -> None:
    results = json.loads((kept / "kept.json").read_text())
    assert [*results] == ["articles", "questions"]
    assert results["articles"]["accuracy"] == {"pretrained": 0.8, "fresh": 0.6, "baseline": 0.4}
    assert results["articles"]["rows"] == {"training": 23, "test": 5}
    assert results["articles"]["gain_over"]["fresh"][0] == pytest.approx(0.2)
    assert results["questions"]["accuracy"] == {"pretrained": 0.8, "baseline": 0.4}
    assert results["questions"]["gain_over"].keys() == {"baseline"}


def test_the_page_shows_the_results(kept: Path) -> None:
    page = (kept / "page.md").read_text()
    assert page.count("## ") == 1
    assert "`python -m recipes.published the-weights`" in page
    assert "| AG News, 4,000 articles twice | 23 | 5 | 80.00% (" in page
    assert "| 60.00% | 40.00% | +40.00 (" in page
    own = json.loads(published_results.OWN_CLASSES.read_text())["questions"]["fresh"]["accuracy"]["mean"]
    assert f"| {own:.2%} | 40.00% | +40.00 (" in page
    assert "articles 2, questions 2." in page


def test_the_page_matches_the_stored_results() -> None:
    assert published_results.section_of(published_results.RESULTS) in PAGE.read_text(encoding="utf-8")
    stored = json.loads(published_results.RESULTS.read_text())
    assert [*stored] == [*published_results.SETS]


def test_all_sets_have_the_same_settings_and_one_a_twin() -> None:
    stages = {name: published.stages(name, Path("weights"), Path("to")) for name in published_results.SETS}
    for of_set in stages.values():
        command = " ".join(of_set["fine-tune"])
        assert "--max-length 64 --average --learning-rate 1e-4 --layer-decay 0.9 --from weights" in command
    assert [name for name, of_set in stages.items() if "fine-tune the twin" in of_set] == ["articles"]
    twin = stages["articles"]["fine-tune the twin"]
    assert [word for word in twin if word not in stages["articles"]["fine-tune"]] == [
        "--fresh",
        "--no-baseline",
        str(Path("to") / "fresh"),
    ]
    for name in own_classes.TEXTS:
        assert f"--rows {own_classes.MOST_ROWS}" in " ".join(stages[name]["fine-tune"])
