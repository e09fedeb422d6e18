"""The learner's own model: where it is found, what is said of a bad one, and its card."""

from __future__ import annotations

import json
import os
import resource
import subprocess
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import keras
import pytest

from course import my_model
from course.data.datasets.sample_encoder import SAMPLE_ENCODER
from course.data.text.vocabulary import Vocabulary
from course.encoder import BertEncoder
from course.errors import CourseError
from course.masked_lm import MaskedLMHead
from course.my_model.folder import FAILED, FINISHED, STOPPED, TRAINS, Progress, digest_of, read_progress
from course.my_model.running import _apart
from course.my_model.training import run_alone
from course.storage.alone import alone, is_running
from course.weights import save_hugging_face

PIECES = Vocabulary(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "bank", "fell"])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """`my_model`, not made yet, beside a notebook."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MY_MODEL", raising=False)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    return Path("my_model")


def trained(folder: Path, max_length: int = 128, **progress: object) -> Path:
    """Write a model of one block into a folder."""
    keras.utils.set_random_seed(1)
    encoder = BertEncoder(len(PIECES), 1, 2, 8, 16, max_length=max_length)
    encoder.build((None, None))
    head = MaskedLMHead(len(PIECES), 8)
    head.build((None, None, 8), (len(PIECES), 8))
    save_hugging_face(encoder, folder, PIECES, head)
    values = {"state": FINISHED, "step": 4, "total": 4, "epochs": 1.0, "seconds": 60.0} | progress
    Progress(**{"vocabulary": digest_of(PIECES), **values}).write(folder)  # type: ignore[arg-type]
    return folder


def test_yours_is_loaded_where_there_is_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trained(folder)
    loaded = my_model.load()
    assert (loaded.name, loaded.folder, loaded.is_yours) == ("yours", folder, True)
    assert loaded.tokenizer.vocabulary == PIECES
    said = capsys.readouterr().out
    assert said.startswith("yours: my_model, 4 of 4 steps, 1 minutes")
    assert "1 layers of 8 features, not 4 of 128" in said  # of other sizes


def test_yours_is_read_in_the_case_that_its_files_say(folder: Path) -> None:
    trained(folder)
    assert my_model.load().tokenizer.lowercase
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": false}')
    assert not my_model.load().tokenizer.lowercase


def test_without_one_the_courses_is_loaded_and_one_line_says_so(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loaded = my_model.load()
    assert (loaded.folder, loaded.is_yours) == (SAMPLE_ENCODER, False)
    assert capsys.readouterr().out == "the course's: there is no model in my_model/ (chapter 7 trains one).\n"


def spoil_vocabulary(folder: Path) -> None:
    Vocabulary([*PIECES, "more"]).save(folder / "vocab.txt")


def swap_vocabulary(folder: Path) -> None:
    Vocabulary([*list(PIECES)[:-1], "rose"]).save(folder / "vocab.txt")


def cut_weights(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes()[:-100])


def give_other_weights(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "hidden_size": 16}))


def make_newer(folder: Path) -> None:
    values = json.loads((folder / "progress.json").read_text())
    (folder / "progress.json").write_text(json.dumps({**values, "version": 2}))


@pytest.mark.parametrize(
    "spoil, said",
    [
        (spoil_vocabulary, "more pieces than"),
        (swap_vocabulary, "not the vocabulary that the model was trained with; copy the whole folder again"),
        (cut_weights, "cannot be read"),
        (lambda folder: (folder / "model.safetensors").unlink(), "has no model.safetensors"),
        (give_other_weights, "Wanted"),
        (make_newer, "another version of the course made my_model. Rename that folder"),
        (lambda folder: (folder / "progress.json").write_text("{"), "cannot be read"),
        (lambda folder: trained(folder, max_length=64), "reads 64 tokens, and the lessons let it read 128"),
    ],
)
def test_a_spoiled_one_is_left_alone_and_one_line_says_why(
    folder: Path, capsys: pytest.CaptureFixture[str], spoil: object, said: str
) -> None:
    trained(folder)
    spoil(folder)  # type: ignore[operator]
    assert not my_model.load().is_yours
    printed = capsys.readouterr().out
    assert printed.startswith("the course's: ") and printed.count("\n") == 1
    assert said in printed


@pytest.mark.parametrize("variable, value", [("MY_MODEL", ""), ("NBGRADER_EXECUTION", "autograde")])
def test_nothing_happens_where_notebooks_are_only_executed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], variable: str, value: str
) -> None:
    trained(folder)
    monkeypatch.setenv(variable, value)
    my_model.start()
    my_model.stop()
    assert my_model.look() is None
    assert capsys.readouterr().out.count("No model is trained here") == 3
    assert not my_model.load().is_yours
    assert not (folder / "run").exists()


@pytest.mark.parametrize(
    "there, said",
    [(None, "There is no model in my_model/ yet"), ("run", "my_model/ has no progress.json, so the state of its run")],
)
def test_a_look_without_progress_says_what_is_there(
    folder: Path, capsys: pytest.CaptureFixture[str], there: str | None, said: str
) -> None:
    folder.mkdir()
    if there:
        (folder / there).mkdir()
    assert my_model.look() is None
    assert capsys.readouterr().out.startswith(said)


def test_on_windows_a_run_opens_no_console_window(monkeypatch: pytest.MonkeyPatch) -> None:
    flags = {"CREATE_NO_WINDOW": 1, "CREATE_NEW_PROCESS_GROUP": 2, "BELOW_NORMAL_PRIORITY_CLASS": 4}
    for name, value in (flags | {"DETACHED_PROCESS": 8}).items():
        monkeypatch.setattr(subprocess, name, value, raising=False)
    monkeypatch.setattr(os, "name", "nt")
    assert _apart() == {"creationflags": 1 | 2 | 4}


@pytest.mark.parametrize("system, is_read", [("nt", True), ("posix", False)])
def test_on_windows_a_file_that_is_open_elsewhere_is_waited_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch, system: str, is_read: bool
) -> None:
    refused = {"replace": 2, "read_text": 2}

    def refuses(name: str) -> Callable[..., Any]:
        real = getattr(Path, name)

        def method(path: Path, *args: Any, **kwargs: Any) -> Any:
            refused[name] -= 1
            if refused[name] >= 0:
                raise PermissionError(13, "The process cannot access the file")
            return real(path, *args, **kwargs)

        return method

    folder.mkdir()
    for name in refused:
        monkeypatch.setattr(Path, name, refuses(name))
    monkeypatch.setattr(os, "name", system)
    with nullcontext() if is_read else pytest.raises(CourseError, match="cannot write"):
        Progress(TRAINS, step=3).write(folder)
    with nullcontext() if is_read else pytest.raises(CourseError, match="cannot be read"):
        progress = read_progress(folder)
        assert progress is not None and progress.step == 3


def test_a_second_start_only_says_that_it_is_running(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trained(folder, state=TRAINS, step=2, seconds=90.0)
    with alone(folder) as locked:
        assert locked and is_running(folder)
        my_model.start()
        run_alone(folder, None)  # and a second process does nothing
        assert my_model.look() is None
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith(
        "It is running already. Your model is at step 2 of 4, after 2 minutes; about 2 minutes are"
    )
    assert said[1] == said[0].removeprefix("It is running already. ")
    assert not (folder / "run").exists()
    assert not is_running(folder)


@pytest.mark.parametrize(
    "progress, said",
    [
        (
            {"state": FINISHED},
            "has read its text 1 times: 4 steps in 1 minutes. To train another one, rename",
        ),
        ({"state": STOPPED, "step": 2}, "holds a model without its run, which a new run would replace"),
    ],
)
def test_a_start_does_not_replace_a_model(
    folder: Path, capsys: pytest.CaptureFixture[str], progress: dict[str, object], said: str
) -> None:
    trained(folder, **progress)
    before = (folder / "model.safetensors").read_bytes()
    my_model.start()
    assert said in capsys.readouterr().out
    assert not is_running(folder)
    assert (folder / "model.safetensors").read_bytes() == before


@pytest.mark.parametrize(
    "progress, said",
    [
        (
            {"state": TRAINS},
            "has ended unasked, for example with the machine, at step 2 of 4, after 1 minutes.",
        ),
        ({"state": STOPPED}, "The training was stopped, at step 2 of 4"),
        (
            {"state": FAILED, "message": "disk full."},
            "has failed: disk full. my_model.start() tries again.",
        ),
    ],
)
def test_a_look_says_how_a_run_has_ended(
    folder: Path, capsys: pytest.CaptureFixture[str], progress: dict[str, object], said: str
) -> None:
    trained(folder, step=2, **progress)
    my_model.look()
    assert said in capsys.readouterr().out


def test_a_look_says_why_definitions_are_left_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trained(folder, left_out="no gelu")
    my_model.look()
    assert capsys.readouterr().out.endswith("\nLeft out: no gelu\n")


def test_without_a_known_time_none_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trained(folder, state=TRAINS, step=2, seconds=None)
    with alone(folder):
        my_model.look()
    assert capsys.readouterr().out == "Your model is at step 2 of 4, after an unknown time.\n"


def test_a_full_disk_is_reported_by_start(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        my_model.start()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert capsys.readouterr().out.startswith("It does not start: cannot write my_model/run/trial: File too large")
    assert [file.name for file in folder.rglob("*")] == ["run"]


class TestCard:
    def test_a_note_replaces_the_line_of_the_same_ability(self, folder: Path) -> None:
        trained(folder)
        my_model.note(12, "names", yours=0.5)
        my_model.note(8, "topics", yours=0.25, course=1, baseline="none|known")
        my_model.note(12, "names", yours=0.75, course=0.5)
        lines = (folder / "README.md").read_text().splitlines()
        assert lines[-2:] == ["| 8 | topics | 0.250 | 1 | none/known |", "| 12 | names | 0.750 | 0.500 |  |"]
        assert my_model.card()._repr_markdown_() == "\n".join(lines) + "\n"

    def test_without_a_model_nothing_is_noted(self, folder: Path) -> None:
        assert "there is no model" in my_model.note(8, "topics", yours=0.5).text
        assert not folder.exists()
        trained(folder)
        assert "there is no model" in my_model.note(8, "topics", course=0.5).text
        assert not (folder / "notes.json").exists()
        assert my_model.card().text.startswith("# My model")

    def test_damaged_notes_are_reported_and_stay(self, folder: Path) -> None:
        trained(folder)
        (folder / "notes.json").write_text('[{"chapter": 8}]')
        for card in (my_model.note(8, "topics", yours=0.5), my_model.card()):
            assert "notes.json cannot be read" in card.text and "Delete it" in card.text
        assert (folder / "notes.json").read_text() == '[{"chapter": 8}]'

    def test_the_run_is_described(self, folder: Path) -> None:
        trained(folder, step=2, epochs=16, pieces=1000, own=("mask_tokens",), left_out="no gelu")
        text = my_model.card().text
        assert "1,000 pieces, 8.0 times" in text and "2 of 4 steps, 1 minutes" in text
        assert "`mask_tokens`. Left out: no gelu" in text

    @pytest.mark.parametrize(
        "chapter, ability, error", [(0, "topics", ValueError), (8, 3, TypeError), (1.5, "topics", ValueError)]
    )
    def test_bad_input(self, folder: Path, chapter: int, ability: str, error: type[Exception]) -> None:
        with pytest.raises(error, match=r"chapter|ability"):
            my_model.note(chapter, ability, yours=0.5)


def test_the_progress_is_read_as_it_was_written(folder: Path) -> None:
    assert read_progress(folder) is None
    progress = Progress(TRAINS, 3, 9, 16, 100, 5.5, "", ("mask_tokens",), "", "abc")
    progress.write(folder)
    assert read_progress(folder) == progress


def test_every_account_can_open_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = os.umask(0o077)
    try:
        with alone(tmp_path / "busy"):
            [lock] = tmp_path.iterdir()
            assert os.name == "nt" or lock.stat().st_mode & 0o777 == 0o666
    finally:
        os.umask(before)
    lock.unlink()
    lock.mkdir()
    with pytest.raises(CourseError, match=rf"{lock.name} cannot be opened"), alone(tmp_path / "busy"):
        pass
