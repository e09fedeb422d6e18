"""The stored results of the recipe: numbers that follow from the predictions, and neighbouring words."""

import csv
import gzip
import json
import os
from pathlib import Path

import keras
import pytest
import typer
from typer.testing import CliRunner

from course.data.text.vocabulary import Vocabulary
from course.encoder import BertEncoder
from course.errors import CourseError
from course.tokenization import SPECIAL_TOKENS
from recipes import ag_news, ag_news_results, baselines, own_classes, published
from recipes.ag_news import stages
from recipes.paths import PAGE, RESULTS, Paths

LABELS = ["World", "Sports", "Sports", "Business", "World"]
ANSWERS = {
    "pretrained": {
        "seed-1/classifier.keras": ["World", "Sports", "Sports", "Business", "Sports"],  # 4 of 5
        "seed-2/classifier.keras": ["World", "Sports", "Sports", "Business", "World"],  # 5 of 5
    },
    "fresh": {
        "seed-1/classifier.keras": ["World", "World", "Sports", "Business", "Sports"],  # 3 of 5
        "seed-2/classifier.keras": ["World", "Sports", "World", "World", "World"],  # 3 of 5
    },
}
BASELINE = ["World", "Sports", "World", "Business", "Sports"]  # 3 of 5


@pytest.fixture
def paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    """A finished run, small enough to count by hand."""
    for name in ("RESULTS", "PAGE", "PRETRAINING_FILE", "FINE_TUNING_FILE"):
        monkeypatch.setattr(ag_news_results, name, tmp_path / "kept" / name)
    paths = Paths(tmp_path / "run")
    for start, answers in ANSWERS.items():
        write_evaluation(paths.folder / start / "evaluation", answers)
        seeds = {"seeds": {"1": [{"epoch": 1, "held_out_accuracy": 0.71234567}]}}
        (paths.folder / start / "results.json").write_text(json.dumps(seeds))
    paths.corpus.mkdir()
    (paths.corpus / "corpus.json").write_text(json.dumps({"documents": 37}))
    paths.encoder.mkdir()
    write_rows(paths.encoder / "history.csv", [{"step": 50, "masked_lm_loss": 7.1234567, "tokens_per_second": 9.0}])
    words = ["monday", "coach", "oil", "microsoft", "iraq", "won", "friday", "##day", "x"]
    vocabulary = Vocabulary([*SPECIAL_TOKENS, *words])
    vocabulary.save(paths.encoder / "vocabulary.txt")
    encoder = BertEncoder(
        len(vocabulary), num_layers=1, num_heads=2, hidden_dim=4, intermediate_dim=6, max_length=8, name="encoder"
    )
    encoder.build((None, None))
    embeddings = encoder.embedding.token_embeddings
    rows = keras.ops.convert_to_numpy(embeddings).copy()
    rows[vocabulary["friday"]] = 2.0 * rows[vocabulary["monday"]]  # the same direction
    rows[vocabulary["##day"]] = rows[vocabulary["x"]] = rows[vocabulary["monday"]]  # no words
    embeddings.assign(rows)
    encoder.save(paths.encoder / "encoder.keras")
    return paths


def write_evaluation(folder: Path, answers: dict[str, list[str]]) -> None:
    folder.mkdir(parents=True)
    rows = [
        {"row": row, "label": label, "baseline": BASELINE[row], **{name: said[row] for name, said in answers.items()}}
        for row, label in enumerate(LABELS)
    ]
    write_rows(folder / "predictions.csv", rows)
    accuracies = [sum(map(str.__eq__, answer, LABELS)) / len(LABELS) for answer in answers.values()]
    each = {
        name: {"accuracy": accuracy, "macro_f1": 0.5 + number / 4, "calibration_error": number / 8}
        for number, (name, accuracy) in enumerate(zip(answers, accuracies, strict=True))
    }
    mean = {"mean": sum(accuracies) / 2, "deviation": 0.125, "interval": [0.25, 0.75]}
    measured = {"interval": [0.375, 0.875], "macro_f1": 0.5, "calibration_error": 0.25}
    baseline = {"kind": "a", "accuracy": 0.6, **measured, "seconds": 61.4}
    gain = {"difference": 0.2, "interval": [-0.125, 0.5]}
    together = {"seeds together": {"accuracy": 0.8, **measured, "gain": gain}}
    results = {"classifiers": each, "mean_accuracy": mean, "baseline": baseline, "together": together}
    (folder / "results.json").write_text(json.dumps(results))


def write_rows(path: Path, rows: list[dict]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


class TestKeep:
    def test_gains_are_means_over_articles_and_seeds(self, paths: Paths) -> None:
        ag_news_results.keep(paths, {"prepare": 90.0, "pretrain": 600.0}, cores=3)
        stored = json.loads(ag_news_results.RESULTS.read_text())
        assert stored["accuracies"] == {"pretrained": [0.8, 1.0], "fresh": [0.6, 0.6]}
        # Article by article: 1, 1, 1, 1, ½ against 1, ½, ½, ½, ½: the gaps are 0, ½, ½, ½, 0.
        gain, low, high = stored["gain_over"]["fresh"]
        assert gain == pytest.approx(0.3)
        # With ½ more text in each of the four cells, the sum of the gaps is the same, and that of their squares 1 more.
        assert (low + high) / 2 == pytest.approx(1.5 / 7)
        assert (high - low) / 2 == pytest.approx(1.959964 * ((0.75 + 1) / 7 - (1.5 / 7) ** 2) ** 0.5 / 7**0.5)
        # Against 1, 1, 0, 1, 0: the gaps are 0, 0, 1, 0, ½.
        assert stored["gain_over"]["baseline"][0] == pytest.approx(0.3)
        assert stored["macro_f1"]["pretrained"] == 0.625
        assert stored["articles"] == 37
        assert stored["test_articles"] == 5

    def test_the_page_shows_the_results(self, paths: Paths) -> None:
        ag_news_results.keep(paths, {"prepare": 90.0, "pretrain": 600.0}, cores=3)
        page = ag_news_results.PAGE.read_text()
        assert "fine-tunes on 37\narticles, and on no other text" in page
        assert "| pretrained on the same articles | 80.00%, 100.00% | 90.00% ± 12.50% | 25.00% to 75.00% |" in page
        assert "Pretraining gains +30.00 points" in page
        assert "| baseline: a | | 60.00% | 37.50% to 87.50% |" in page
        assert "| seeds together | | 80.00% | 37.50% to 87.50% | 0.5000 | 0.2500 |" in page
        assert "Seeds together, they gain +20.00 points (-12.50 to +50.00) over the baseline." in page
        assert "Over the baseline it gains +30.00 points" in page
        assert "The baseline takes 61 seconds" in page
        assert "| prepare | 1.5 |" in page
        assert "| in all | 11.5 |" in page
        assert "On 3 cores" in page

    def test_lessons_get_the_curves_and_the_neighbours(self, paths: Paths) -> None:
        ag_news_results.keep(paths, {"prepare": 90.0}, cores=3)
        packed = ag_news_results.PRETRAINING_FILE.read_bytes()
        stored = json.loads(gzip.decompress(packed))
        assert stored["history"] == [{"step": 50.0, "masked_lm_loss": 7.1235}]
        assert stored["neighbours"]["monday"][0] == "friday"
        assert not {"##day", "x", "monday"} & set(stored["neighbours"]["monday"])
        stored = json.loads(gzip.decompress(ag_news_results.FINE_TUNING_FILE.read_bytes()))
        assert stored["history"] == [
            {"start": start, "seed": 1, "epoch": 1.0, "held_out_accuracy": 0.71235} for start in ("pretrained", "fresh")
        ]
        assert [(row["start"], row["seed"], row["accuracy"]) for row in stored["test"]] == [
            ("pretrained", 1, 0.8),
            ("pretrained", 2, 1.0),
            ("fresh", 1, 0.6),
            ("fresh", 2, 0.6),
            ("baseline", 0, 0.6),
        ]
        ag_news_results.keep(paths, {"prepare": 90.0}, cores=3)
        assert ag_news_results.PRETRAINING_FILE.read_bytes() == packed

    def test_the_page_says_that_the_articles_are_a_part(self, paths: Paths) -> None:
        part = "These articles are a part of AG News's 120,000, in a folder that `AG_NEWS_DIR` names."
        ag_news_results.keep(paths, {}, cores=3)
        assert part in ag_news_results.PAGE.read_text()
        (paths.corpus / "corpus.json").write_text(json.dumps({"documents": 120_000}))
        ag_news_results.keep(paths, {}, cores=3)
        assert "fine-tunes on 120,000\narticles" in ag_news_results.PAGE.read_text()
        assert part not in ag_news_results.PAGE.read_text()


def test_the_page_matches_the_stored_results() -> None:
    assert ag_news_results.section_of(RESULTS) in PAGE.read_text(encoding="utf-8")


def test_the_baseline_alone_needs_the_articles_of_the_stored_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for part in ("train", "test"):
        (tmp_path / f"{part}.csv").write_text('"1","A title","A text"\n"2","Another","More"\n' * 10)
    monkeypatch.setenv("AG_NEWS_DIR", str(tmp_path))
    for name in ("measure_baseline", "write_json", "write_packed", "keep_section"):
        monkeypatch.setattr(baselines, name, lambda *_: pytest.fail("the stored results would change"))
    with pytest.raises(CourseError, match="AG News are for 26,954 training rows, and these are 20"):
        baselines.main()


class TestStages:
    def test_the_baseline_is_measured_however_long_it_takes(self) -> None:
        of_published = published.stages("films", Path("weights"), Path("to"))["evaluate"]
        of_own_classes = own_classes.stages(Path("to"))["films, pretrained, evaluate"]
        for evaluate in (stages(Paths(Path("to")))["evaluate"], of_published, of_own_classes):
            assert "--baseline" in evaluate

    def test_twins_differ_only_in_the_pretraining(self) -> None:
        stored = stages(Paths(Path("to")))
        one, other = stored["fine-tune"], stored["fine-tune the twin"]
        assert [word for word in other if word not in one] == ["--fresh", "--no-baseline", str(Path("to/fresh"))]
        assert [word for word in one if word not in other] == [str(Path("to/pretrained"))]

    def test_a_folder_of_articles_reaches_every_command(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        stored = {}

        def run(of: dict[str, list[str]], times: Path) -> dict[str, float]:
            stored.update(folder=os.environ["AG_NEWS_DIR"], read=[of["prepare"][1], of["fine-tune"][1]])
            return {}

        monkeypatch.setattr(ag_news, "run_stages", run)
        monkeypatch.setattr(ag_news, "keep", lambda *_: None)
        command = typer.Typer()
        command.command()(ag_news.main)
        done = CliRunner().invoke(command, [str(tmp_path), "--to", str(tmp_path / "to")])
        assert done.exit_code == 0, done.output
        # The commands know AG News by its name; they would take a path for the user's own file.
        assert stored == {"folder": str(tmp_path), "read": ["ag_news", "ag_news"]}
