"""`finetune`, `evaluate` and `predict` with your own classes on the command line, for single texts and for pairs."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from course.commands import evaluation_report
from course.errors import CourseError
from course.presets import PRESETS
from course.storage.alone import alone
from course.training.classifier_file import load_classifier
from tests.course.commands.running import run
from tests.course.data.tables.files import bytes_of, write
from tests.course.training.tiny_classifier import uncompiled

TINY = {"num_layers": 1, "num_heads": 2, "hidden_dim": 8, "intermediate_dim": 12}
LANGUAGES = {"german": "Das ist die Nummer", "english": "This is the number", "latin, old": "Numerus hic est"}
ROWS = [
    {"id": str(number), "sentence": f"{start} {number}.", "answer": f"{number}?", "language": name}
    for number in range(14)
    for name, start in LANGUAGES.items()
]


def finetune(table: Path, folder: Path, *options: object) -> Result:
    small = ("--preset", "tiny", "--max-length", 16, "--epochs", 1, "--label", "language")
    with uncompiled(), pytest.MonkeyPatch.context() as patch:
        patch.setitem(PRESETS, "tiny", TINY)
        result = run("finetune", table, "--to", folder, *small, *options)
    assert result.exit_code == 0, result.output
    return result


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ","))


class TestTexts:
    @pytest.fixture(scope="class")
    def folder(self, tmp_path_factory: pytest.TempPathFactory) -> Path:
        folder = tmp_path_factory.mktemp("own")
        table = write(folder / "data.csv.gz", bytes_of([*ROWS, {**ROWS[0], "language": ""}], ".csv"))
        result = finetune(table, folder / "classifier", "--text", "sentence")
        assert "Classes: english, german, latin, old" in result.output
        assert "Rows without a text or without a label, left out: 1." in result.output
        return folder

    def test_keep_their_classes_in_the_model(self, folder: Path) -> None:
        model, reader = load_classifier(folder / "classifier" / "seed-1" / "classifier.keras")
        assert reader.class_names == ("english", "german", "latin, old")
        assert (model.num_classes, reader.text_columns) == (3, ("sentence",))
        tokens = reader.vocabulary.pieces_of(reader.read(["das"])["token_ids"][0])
        assert (tokens[0], tokens.count("[SEP]")) == ("[CLS]", 1)

    def test_are_measured_on_the_test_rows(self, folder: Path) -> None:
        result = run("evaluate", folder / "classifier")
        assert result.exit_code == 0, result.output
        table = rows_of(folder / "classifier" / "evaluation" / "predictions.csv")
        assert {row["label"] for row in table} == set(LANGUAGES)
        assert len(table) == 3 * round(0.1 * 14)
        assert {"P(english)", "P(german)", "P(latin, old)", "baseline"} < table[0].keys()
        errors = rows_of(folder / "classifier" / "evaluation" / "errors.csv")
        assert {row["sentence"] for row in errors} <= {row["sentence"] for row in ROWS}
        assert errors or all(row["label"] == row["seed-1/classifier.keras"] for row in table)

    def test_are_measured_on_another_table(self, folder: Path) -> None:
        other = write(
            folder / "other.2023.jsonl", bytes_of([{"said": row["sentence"], **row} for row in ROWS[:7]], ".jsonl")
        )
        result = run("evaluate", folder / "classifier", other, "--text", "said")
        assert result.exit_code == 0, result.output
        results = json.loads((folder / "classifier" / "evaluation-other.2023" / "results.json").read_text())
        assert results["articles"] == 7
        assert "baseline" not in results
        assert "baseline" not in (folder / "classifier" / "evaluation-other.2023" / "report.md").read_text()
        assert [
            row["label"] for row in rows_of(folder / "classifier" / "evaluation-other.2023" / "predictions.csv")
        ] == [row["language"] for row in ROWS[:7]]

    def test_numbers_are_kept_where_pictures_cannot_be_drawn(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def plot_confusion(*arguments: Any, **options: Any) -> None:
            raise MemoryError

        monkeypatch.setattr(evaluation_report, "plot_confusion", plot_confusion)
        result = run("evaluate", folder / "classifier", "--no-baseline", "--to", folder / "undrawn")
        assert isinstance(result.exception, MemoryError)
        assert {path.name for path in (folder / "undrawn").iterdir()} == {
            "results.json",
            "predictions.csv",
            "errors.csv",
        }

    def test_are_not_measured_on_the_table_of_the_training(self, folder: Path) -> None:
        error = run("evaluate", folder / "classifier", folder / "data.csv.gz", "--text", "sentence").exception
        assert "the classifier has learned from" in str(error)
        error = run("evaluate", folder / "classifier", "tset.csv", "--text", "a", "--label", "b").exception
        assert "there is no file tset.csv" in str(error)
        report = (folder / "classifier" / "evaluation-other.2023" / "report.md").read_text()
        assert f"Measured on 7 texts of {folder / 'other.2023.jsonl'}. Texts that it has learned from would" in report

    def test_keep_the_other_fields_of_their_json(self, folder: Path) -> None:
        file = folder / "classifier" / "seed-1" / "classifier.keras"
        given = {"day": 3, "sentence": 7, "tags": ["a", {"b": None}], "new": True, "none": None, "half": "\ud83d"}
        texts = folder / "fields.jsonl"
        texts.write_text(json.dumps(given) + '\n{"day": 4}\n')
        for name in ("said.jsonl", "said.csv"):
            result = run("predict", file, "--file", texts, "--to", folder / name)
            assert result.exit_code == 0, result.exception
        first, second = (json.loads(line) for line in (folder / "said.jsonl").open(encoding="utf-8"))
        assert list(first)[: len(given)] == list(given)
        assert {name: first[name] for name in given} == {**given, "half": "?"}
        assert sum(first[f"P({name})"] for name in LANGUAGES) == pytest.approx(1, abs=2e-4)
        assert (second["day"], second["sentence"]) == (4, "")
        written = rows_of(folder / "said.csv")[0]
        assert {name: written[name] for name in given} == {
            "day": "3",
            "sentence": "7",
            "tags": '["a", {"b": null}]',
            "new": "true",
            "none": "",
            "half": "?",
        }
        assert all(len(written[f"P({name})"]) == len("0.1234") for name in LANGUAGES)

    def test_are_not_lost_in_a_table_of_predictions(self, folder: Path) -> None:
        file = folder / "classifier" / "seed-1" / "classifier.keras"
        rows = [ROWS[0], {**ROWS[1], "more": "kept"}, {**ROWS[2], "predicted": "mine"}]
        for count, kind, message in (
            (2, ".csv", "a row has more, which the first row has not"),
            (3, ".jsonl", "the table has a column predicted already"),
        ):
            texts = write(folder / f"{count}.jsonl", bytes_of(rows[:count], ".jsonl"))
            error = run("predict", file, "--file", texts, "--to", folder / f"lost{kind}").exception
            assert message in str(error)
            assert not (folder / f"lost{kind}").exists()

    def test_two_trainings_in_one_folder_are_refused(self, folder: Path) -> None:
        with alone(folder / "busy") as locked:
            assert locked
            other = write(folder / "again.csv", bytes_of(ROWS, ".csv"))
            arguments = ("--text", "sentence", "--label", "language", "--preset", "tiny", "--max-length", 16)
            error = run("finetune", other, "--to", folder / "busy", *arguments).exception
        assert f"another process works in {folder / 'busy'}" in str(error)

    @pytest.mark.parametrize("kind", [".csv", ".tsv", ".jsonl"])
    def test_are_classified_from_file_to_file(self, kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("course.training.classified_table._ROWS_AT_ONCE", 5)
        file = folder / "classifier" / "seed-1" / "classifier.keras"
        texts = write(folder / "texts.parquet", bytes_of(ROWS[:12], ".parquet"))
        to = folder / f"said{kind}"
        result = run("predict", file, "--file", texts, "--to", to)
        assert result.exit_code == 0, result.output
        rows = [json.loads(line) for line in to.open(encoding="utf-8")] if kind == ".jsonl" else rows_of(to)
        assert [{name: row[name] for name in ROWS[0]} for row in rows] == ROWS[:12]
        typed = "".join(f"{row['sentence']}\n" for row in ROWS[:12])
        answers = [json.loads(line) for line in run("predict", file, "--json", typed=typed).stdout.splitlines()]
        for row, answer in zip(rows, answers, strict=True):
            assert row["predicted"] == answer["class"]
            shares = [float(row[f"P({name})"]) for name in ("english", "german", "latin, old")]
            assert shares == pytest.approx(list(answer["probabilities"].values()), abs=2e-3)

    def test_changed_texts_are_refused(self, folder: Path) -> None:
        other = write(folder / "data.csv.gz", bytes_of(ROWS[:-3], ".csv"))
        arguments = ("--text", "sentence", "--label", "language", "--preset", "tiny", "--max-length", 16)
        result = run("finetune", other, "--to", folder / "classifier", *arguments, "--epochs", 1)
        assert "holds fine-tunings with other settings" in str(result.exception)
        assert ", texts " in str(result.exception)
        result = run("evaluate", folder / "classifier")
        assert "is not what the classifier has learned from" in str(result.exception)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--file", "a.csv"], "give both --file DATA.csv (to read) and --to FILE.csv (to write)"),
            (["--file", "a.csv", "--to", "b.txt"], "b.txt cannot be written as a table. Wanted: a name with .csv"),
            (
                ["--file", "a.csv", "--to", "b.csv", "--text", "a", "--text", "b"],
                "reads 1 texts in a row, sentence. Given",
            ),
            (["--file", "a.csv", "--to", "b.csv"], "there is no file a.csv"),
            (["--file", "a.csv", "--to", "b.csv", "--json"], "--json is for texts in the terminal"),
        ],
    )
    def test_incomplete_file_options_are_refused(self, arguments: list[str], message: str, folder: Path) -> None:
        result = run("predict", folder / "classifier" / "seed-1" / "classifier.keras", *arguments)
        assert message in str(result.exception)
        assert not Path("b.csv").exists()


class TestPairs:
    def test_are_read_as_two_segments(self, tmp_path: Path) -> None:
        table = write(tmp_path / "data.tsv", bytes_of(ROWS, ".tsv"))
        other = write(tmp_path / "test.csv", bytes_of(ROWS[::5], ".csv"))
        finetune(table, tmp_path / "pairs", "--text", "sentence", "--text", "answer", "--test", other)
        assert run("evaluate", tmp_path / "pairs").exit_code == 0
        assert len(rows_of(tmp_path / "pairs" / "evaluation" / "predictions.csv")) == len(ROWS[::5])
        file = tmp_path / "pairs" / "seed-1" / "classifier.keras"
        _, reader = load_classifier(file)
        inputs = reader.read(["das"], ["1?"])
        assert inputs["segment_ids"].max() == 1
        assert reader.text_columns == ("sentence", "answer")
        result = run("predict", file, "--json", typed="Das ist\t1?\n")
        assert json.loads(result.stdout)["class"] in LANGUAGES


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            (),
            "which columns of data.csv hold the texts and their classes? Name both",
        ),
        (("--text", "sentence"), "--label COLUMN. It seems to have id, sentence, answer, language."),
        (("--text", "sentence", "--label", "id"), "has 42 labels for"),
    ],
)
def test_missing_columns_are_asked_for(
    options: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [{**row, "id": str(number)} for number, row in enumerate(ROWS)]
    write(Path("data.csv"), bytes_of(rows, ".csv"))
    result = run("finetune", "data.csv", *options)
    assert isinstance(result.exception, CourseError)
    assert message in str(result.exception)
    assert "needs both --text COLUMN and --label COLUMN" in str(run("finetune", "sample", "--label", "a").exception)
    assert "which column of data.csv holds the classes" in str(_evaluated_without_a_label(tmp_path))


def _evaluated_without_a_label(folder: Path) -> BaseException | None:
    (folder / "a.keras").write_bytes(b"")
    return run("evaluate", folder / "a.keras", "data.csv").exception
