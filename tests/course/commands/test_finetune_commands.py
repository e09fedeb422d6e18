"""`finetune`, `evaluate` and `predict` on the command line, and the files that they read and write."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import softmax
from typer.testing import Result

from course.commands.evaluation_report import Answers, _errors, measure_baseline
from course.data.datasets import TOPICS, load_sample
from course.data.text.vocabulary import Vocabulary
from course.errors import CourseError
from course.presets import PRESETS
from course.training.articles import Choice
from course.training.classifier_file import Reader, load_classifier, save_classifier
from course.training.encoder_source import from_folder
from course.training.finetuning import choice_of
from course.training.mean_pooling import AveragingClassifier
from tests.closeness import assert_close
from tests.course.arrays import array
from tests.course.commands.running import run
from tests.course.training.tiny_classifier import LENGTH, PIECES, classifier, texts, uncompiled

READER = Reader(PIECES, TOPICS, LENGTH)
MAX_LENGTH, ROWS, TEST_ARTICLES = 16, 35, 64


def finetune(folder: Path, *options: object) -> Result:
    small = ("--preset", "tiny", "--rows", ROWS, "--max-length", MAX_LENGTH, "--epochs", 1)
    others = ("--dropout", 0.3, "--word-dropout", 0.2, "--average")
    return run("finetune", folder.parent, "--to", folder, *small, *others, *options)


def write_articles(path: Path, articles: pd.DataFrame) -> None:
    """Write articles in the form of AG News."""
    table = articles[["label", "title", "description"]].assign(label=articles["label"] + 1)
    table.to_csv(path, header=False, index=False, quoting=csv.QUOTE_ALL)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class TestRun:
    """One run of all three commands; each test looks at a part of its results."""

    @pytest.fixture(scope="class")
    def folder(self, tmp_path_factory: pytest.TempPathFactory) -> Path:
        folder = tmp_path_factory.mktemp("run") / "classifier"
        articles = load_sample()
        write_articles(folder.parent / "train.csv", articles[: ROWS + 5])
        write_articles(folder.parent / "test.csv", articles[-TEST_ARTICLES:])
        with uncompiled(), pytest.MonkeyPatch.context() as patch:
            patch.setitem(PRESETS, "tiny", {"num_layers": 1, "num_heads": 2, "hidden_dim": 8, "intermediate_dim": 12})
            assert finetune(folder).exit_code == 0
            first = (folder / "seed-1" / "classifier.keras").read_bytes()
            result = finetune(folder, "--seeds", 2)
            assert result.exit_code == 0, result.output
            assert "Baseline without a network: " in result.output
            assert "On the held-out texts: The " in result.output
            assert (folder / "seed-1" / "classifier.keras").read_bytes() == first
            (folder / "seed-1" / "classifier.keras").unlink()
            assert finetune(folder, "--seeds", 2).exit_code == 0
            assert (folder / "seed-1" / "classifier.keras").is_file()
            assert list(json.loads((folder / "results.json").read_text())["seeds"]) == ["1", "2"]
            other = finetune(folder, "--learning-rate", 0.001)
            assert "other settings: learning_rate 0.0003 and not 0.001. Name another" in str(other.exception)
            result = run("evaluate", folder)
            assert result.exit_code == 0, result.output
        return folder

    def test_seeds_have_a_mean_and_a_deviation(self, folder: Path) -> None:
        results = json.loads((folder / "results.json").read_text())
        accuracies = [rows[0]["held_out_accuracy"] for rows in results["seeds"].values()]
        assert results["seeds"].keys() == {"1", "2"}
        assert results["held_out_accuracy"]["mean"] == pytest.approx(np.mean(accuracies))
        assert results["held_out_accuracy"]["deviation"] == pytest.approx(np.std(accuracies, ddof=1))
        assert results["settings"]["articles"] == {"source": str(folder.parent), "held_out": 0.1, "rows": ROWS}
        assert rows_of(folder / "seed-2" / "history.csv")[0].keys() == results["seeds"]["2"][0].keys()
        assert not [path for path in folder.rglob("*") if path.name.startswith(".")]

    def test_has_the_given_settings(self, folder: Path) -> None:
        settings = json.loads((folder / "results.json").read_text())["settings"]
        model, _ = load_classifier(folder / "seed-1" / "classifier.keras")
        assert (settings["word_dropout"], settings["dropout"], settings["sizes"]["dropout"]) == (0.2, 0.3, 0.3)
        assert (model.dropout, model.encoder.dropout) == (0.3, 0.3)
        assert (type(model), settings["average"]) == (AveragingClassifier, True)

    def test_the_baseline_is_compared_on_the_held_out_texts(self, folder: Path) -> None:
        results = json.loads((folder / "results.json").read_text())
        baseline = json.loads((folder / "baseline.json").read_text())
        assert baseline["classifiers"] == 2
        assert baseline["held_out_accuracy"] == max(baseline["held_out_accuracies"].values())
        assert baseline["mean_less_baseline"]["difference"] == pytest.approx(
            results["held_out_accuracy"]["mean"] - baseline["held_out_accuracy"]
        )

    def test_its_training_texts_are_asked_for_again(self, folder: Path) -> None:
        choice = choice_of(folder / "seed-1" / "classifier.keras")
        assert isinstance(choice, Choice)
        assert choice.count == len(choice.read().training)

    def test_a_report_does_not_replace_the_results_of_the_training(self, folder: Path) -> None:
        before = (folder / "results.json").read_bytes()
        assert "holds classifiers, whose results.json would be lost" in str(
            run("evaluate", folder, "--to", folder).exception
        )
        assert (folder / "results.json").read_bytes() == before

    def test_the_baseline_can_be_left_out(self, folder: Path) -> None:
        result = run("evaluate", folder, "--no-baseline", "--to", folder.parent / "without")
        assert result.exit_code == 0, result.output
        assert "baseline" not in result.output
        assert "baseline" not in json.loads((folder.parent / "without" / "results.json").read_text())

    def test_measures_agree_with_the_predictions(self, folder: Path) -> None:
        results = json.loads((folder / "evaluation" / "results.json").read_text())
        table = rows_of(folder / "evaluation" / "predictions.csv")
        assert len(table) == results["articles"] == TEST_ARTICLES
        for name, numbers in results["classifiers"].items():
            assert numbers["accuracy"] == np.mean([row["label"] == row[name] for row in table])
        first = results["classifiers"]["seed-1/classifier.keras"]
        assert results["baseline"]["accuracy"] == np.mean([row["label"] == row["baseline"] for row in table])
        assert results["mean_less_baseline"]["difference"] == pytest.approx(
            results["mean_accuracy"]["mean"] - results["baseline"]["accuracy"]
        )
        for row in table[:20]:
            assert row["seed-1/classifier.keras"] == max(TOPICS, key=lambda topic, row=row: float(row[f"P({topic})"]))
        assert np.trace(results["confusion"]) == first["accuracy"] * TEST_ARTICLES
        accuracies = [numbers["accuracy"] for numbers in results["classifiers"].values()]
        assert results["mean_accuracy"]["mean"] == pytest.approx(np.mean(accuracies))
        assert len(accuracies) == 2

    def test_classifiers_and_the_baseline_vote(self, folder: Path) -> None:
        results = json.loads((folder / "evaluation" / "results.json").read_text())
        table = rows_of(folder / "evaluation" / "predictions.csv")
        parts = Choice(str(folder.parent), 0.1, ROWS).read()
        shares = []
        for seed in (1, 2):
            model, reader = load_classifier(folder / f"seed-{seed}" / "classifier.keras")
            shares.append(softmax(array(model(reader.read_frame(parts.test))).astype("float64"), axis=1))
        mean = np.mean(shares, axis=0)
        baseline = measure_baseline(parts)
        labels = parts.test["label"].to_numpy()
        for name, votes in (("seeds together", mean), ("together with the baseline", mean * baseline.shares)):
            assert [row[name] for row in table] == [TOPICS[place] for place in votes.argmax(axis=1)]
            numbers = results["together"][name]
            assert numbers["accuracy"] == np.mean(votes.argmax(axis=1) == labels)
            assert numbers["gain"]["difference"] == pytest.approx(numbers["accuracy"] - np.mean(baseline.right))
        report = (folder / "evaluation" / "report.md").read_text()
        assert "| seeds together |" in report
        assert "Together with it, the gain over it is " in report

    def test_errors_are_listed_with_their_attention(self, folder: Path) -> None:
        table, wrong = (rows_of(folder / "evaluation" / f"{name}.csv") for name in ("predictions", "errors"))
        first = "seed-1/classifier.keras"
        assert {row["row"] for row in wrong} == {row["row"] for row in table if row["label"] != row[first]}
        confidences = [float(row["confidence"]) for row in wrong]
        assert confidences == sorted(confidences, reverse=True)
        test = Choice(str(folder.parent)).read().test
        for row in wrong[:5]:
            article = test.iloc[int(row["row"])]
            assert (row["title"], row["label"]) == (article["title"], TOPICS[article["label"]])
            weights = [float(token.rpartition(":")[2]) for token in row["cls_attends_to"].split(" ")]
            assert len(weights) == 8
            assert weights == sorted(weights, reverse=True)

    def test_errors_keep_the_text_of_a_column_with_a_name_of_the_table_s_own(self) -> None:
        test = pd.DataFrame({"row": ["war a day", "goal in town"]})
        answers = Answers(np.eye(4)[[1, 2]], np.array([0, 3]))
        listed = _errors(classifier(), Reader(PIECES, TOPICS, LENGTH, ("row",)), test, answers, np.array([1, 0]))
        assert [(row["row"], row["row (text)"]) for row in listed] == [(1, "goal in town"), (0, "war a day")]

    def test_every_picture_has_a_description(self, folder: Path) -> None:
        pictures = sorted(path.stem for path in (folder / "evaluation").glob("*.png"))
        assert pictures == ["attention-1", "attention-2", "attention-3", "confusion", "reliability"]
        report = (folder / "evaluation" / "report.md").read_text()
        for name in pictures:
            words = (folder / "evaluation" / f"{name}.txt").read_text()
            assert len(words.split()) > 10
            assert f"]({name}.png)" in report

    def test_predicts_typed_texts(self, folder: Path) -> None:
        file = folder / "seed-1" / "classifier.keras"
        model, reader = load_classifier(file)
        inputs = reader.read(["", "A title"], ["Shares fell.", "A text"])
        logits = array(model(inputs))
        result = run("predict", file, "--json", typed="Shares fell.\n\nA title\tA text\n")
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        assert [answer["text"] for answer in answers] == ["Shares fell.", "A title\tA text"]
        for answer, row in zip(answers, logits, strict=True):
            shares = np.exp(row) / np.exp(row).sum()
            assert answer["class"] == TOPICS[row.argmax()]
            assert list(answer["probabilities"].values()) == pytest.approx(shares, abs=1e-3)
        assert "[b] shares" in run("predict", file, "[b] shares").stdout


class TestClassifierFile:
    def test_keras_loads_it_without_the_training_modules(self, tmp_path: Path) -> None:
        inputs, _ = texts(3, seed=1)
        model = classifier(dtype="mixed_bfloat16")
        save_classifier(tmp_path / "a.keras", model, READER)
        np.savez(tmp_path / "inputs.npz", **inputs)
        program = """
import sys, keras, numpy as np
import course.training.mean_pooling
folder = sys.argv[1]
model = keras.saving.load_model(f"{folder}/a.keras")
assert model.dtype_policy.name == "float32" and not model.compiled
np.save(f"{folder}/logits.npy", keras.ops.convert_to_numpy(model(dict(np.load(f"{folder}/inputs.npz")))))
print([name for name in sys.modules if name.startswith("course.") and "fine" in name or "layerwise" in name])
"""
        environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
        done = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, env=environment, check=False
        )
        assert done.stdout.strip() == "[]", done.stderr
        plain = classifier()
        plain.set_weights(model.get_weights())
        assert_close(np.load(tmp_path / "logits.npy"), array(plain(inputs)))

    def test_is_loaded_with_its_reader(self, tmp_path: Path) -> None:
        save_classifier(tmp_path / "a.keras", classifier(), READER)
        _, reader = load_classifier(tmp_path / "a.keras")
        assert reader == READER
        inputs = reader.read(["Goal", ""], ["a DAY in town", "moon"])
        expected = [["[CLS]", "goal", "[SEP]", "a", "day", "in", "town", "[SEP]"], ["[CLS]", "[SEP]", "moon", "[SEP]"]]
        for row, pieces in enumerate(expected):
            assert reader.vocabulary.pieces_of(inputs["token_ids"][row])[: len(pieces)] == pieces

    def test_a_vocabulary_with_capitals_keeps_case(self) -> None:
        reader = Reader((*PIECES, "Goal"), TOPICS, LENGTH)
        ids = reader.read(["Goal goal"], [""])["token_ids"][0]
        assert reader.vocabulary.pieces_of(ids)[1:3] == ["Goal", "goal"]

    @pytest.mark.parametrize("cut", [0, 300, -100])
    def test_a_file_that_is_cut_short_is_refused(self, cut: int, tmp_path: Path) -> None:
        path = tmp_path / "a.keras"
        save_classifier(path, classifier(), READER)
        path.write_bytes(path.read_bytes()[:cut])
        with pytest.raises(CourseError, match=r"a\.keras is not a whole classifier .* get it again"):
            load_classifier(path)


class TestEncoderSource:
    def test_reads_a_pretraining(self, tmp_path: Path) -> None:
        encoder = classifier().encoder
        encoder.save(tmp_path / "encoder.keras")
        Vocabulary(PIECES).save(tmp_path / "vocabulary.txt")
        source = from_folder(tmp_path)
        assert tuple(source.vocabulary) == PIECES
        assert source.max_length == LENGTH
        ids = texts(3, seed=1)[0]["token_ids"]
        expected = array(encoder(ids)["pooled_output"])
        assert_close(array(source.make("float32")(ids)["pooled_output"]), expected, 1e-6)
        assert source.make("mixed_bfloat16").compute_dtype == "bfloat16"
        fresh = source.fresh()
        assert not np.allclose(array(fresh.make("float32")(ids)["pooled_output"]), expected, atol=1e-2)
        assert (fresh.arguments, fresh.digest()) == (source.arguments, None)
        assert len(source.digest()) == 16

        Vocabulary(PIECES[:-1]).save(tmp_path / "vocabulary.txt")
        with pytest.raises(CourseError, match="has 14 pieces, and the encoder knows 15"):
            from_folder(tmp_path)
        whole = (tmp_path / "encoder.keras").read_bytes()
        (tmp_path / "encoder.keras").write_bytes(whole[: len(whole) // 2])
        with pytest.raises(CourseError, match=r"cannot be read: encoder\.keras is not a whole .* broke off"):
            from_folder(tmp_path)

    def test_reads_published_weights(self, tmp_path: Path) -> None:
        import torch
        from transformers import BertConfig, BertModel

        torch.manual_seed(1)
        sizes = {"hidden_size": 12, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 20}
        theirs = BertModel(BertConfig(vocab_size=len(PIECES), max_position_embeddings=LENGTH, **sizes)).eval()
        theirs.save_pretrained(tmp_path)
        (tmp_path / "vocab.txt").write_text("\n".join(PIECES) + "\n")
        inputs = texts(3, seed=1)[0]
        with torch.no_grad():
            expected = theirs(torch.tensor(inputs["token_ids"]), torch.tensor(inputs["padding_mask"])).pooler_output
        source = from_folder(tmp_path)
        pooled = source.make("float32")(inputs["token_ids"], None, inputs["padding_mask"])["pooled_output"]
        assert_close(array(pooled), expected.numpy())

    def test_refuses_other_folders(self, tmp_path: Path) -> None:
        (tmp_path / "notes.txt").write_text("")
        with pytest.raises(CourseError, match=r"has no encoder\. Wanted: encoder.keras .* Given: notes\.txt\."):
            from_folder(tmp_path)
        with pytest.raises(CourseError, match="Given: no such folder"):
            from_folder(tmp_path / "nowhere")


class TestArticles:
    def test_parts_share_no_article_and_are_the_same_each_time(self) -> None:
        parts = Choice("sample", held_out=0.2, rows=50).read()
        frames = (parts.training, parts.held_out, parts.test)
        assert [len(part) for part in frames] == [40, 10, 1000]
        descriptions = [set(part["description"]) for part in frames]
        assert not descriptions[0] & descriptions[1]
        assert not (descriptions[0] | descriptions[1]) & descriptions[2]
        again = Choice("sample", held_out=0.2, rows=50).read()
        assert again.training["title"].tolist() == parts.training["title"].tolist()

    def test_reads_a_folder(self, tmp_path: Path) -> None:
        lines = [f'"{number % 4 + 1}","Title {number}","Text"\n' for number in range(20)]
        for name in ("train.csv", "test.csv"):
            (tmp_path / name).write_text("".join(lines))
        parts = Choice(str(tmp_path)).read()
        assert [len(part) for part in (parts.training, parts.held_out, parts.test)] == [18, 2, 20]
        assert parts.test["label"].tolist() == [number % 4 for number in range(20)]

    @pytest.mark.parametrize(
        ("choice", "message"),
        [
            (Choice("nowhere"), "nowhere does not exist. Name sample, ag_news, or a folder"),
            (Choice("sample", rows=4001), "has 4,000 articles to train on. Given: 4,001 rows"),
            (Choice("sample", held_out=0.1, rows=4), "some articles must be held out"),
            (Choice("tests"), "train.csv and test.csv. Not found: tests/train.csv"),
            (Choice("sample", count=3599), "it leaves 3,600 articles to train on, and not 3,599. Name the same folder"),
        ],
    )
    def test_invalid_choices_are_refused(self, choice: Choice, message: str) -> None:
        with pytest.raises(CourseError, match=message):
            choice.read()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["finetune", "--fresh"], "--fresh belongs to --from FOLDER"),
        (["finetune", "--layer-decay", "1.5"], "--layer-decay must be above 0 and at most 1. Given: 1.5"),
        (["finetune", "--from", "nowhere"], "nowhere has no encoder"),
        (["finetune", "--from", "nowhere", "--preset", "base"], "--preset belongs to a new encoder"),
        (["evaluate", "nowhere"], "nowhere does not exist. Name a folder that `finetune` wrote"),
        (["evaluate", "tests"], "tests has no classifier"),
        (["predict", "nowhere.keras", "a text"], "there is no file nowhere.keras"),
        (["predict", "nowhere.keras"], "there is no text"),
    ],
)
def test_errors_say_what_to_do(arguments: list[str], message: str) -> None:
    result = run(*arguments, typed="")
    assert isinstance(result.exception, CourseError)
    assert message in str(result.exception)
