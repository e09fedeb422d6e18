"""A translator as a person asks it: trained once, then used again; and what it cannot do, in one line."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner, Result

from course.applications.translation.toy_language import TARGET_WORDS
from course.cli import app
from course.errors import CourseError


def run(*arguments: object, typed: str | None = None) -> Result:
    return CliRunner().invoke(app, ["translate", *map(str, arguments)], input=typed, env={"COLUMNS": "200"})


@pytest.fixture(scope="module")
def translator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("translate") / "translator.keras"
    done = run("the grey dog sees a tree", "--translator", path, "--steps", 20, "--model", "rnn")
    assert done.exit_code == 0
    assert "Training" in done.stderr
    assert set(done.stdout.split()) <= set(TARGET_WORDS)
    return path


def test_what_is_there_is_not_trained_again_and_files_go_in(translator):
    before = translator.read_bytes()
    typed = "The grey dog, sees a tree!\n\nthe cat loves the red lamp\n"
    done = run("--translator", translator, "--beams", 3, typed=typed)
    assert done.exit_code == 0
    assert [bool(line) for line in done.stdout.splitlines()] == [True, False, True]  # side by side with the file
    assert "Training" not in done.stderr
    assert translator.read_bytes() == before


@pytest.mark.parametrize(
    ("sentence", "said"),
    [("the unicorn sees a tree", "not known: unicorn. Known are: the, a"), (".", "no word in '.'")],
)
def test_what_it_cannot_read_is_said(translator, sentence, said):
    done = run(sentence, "--translator", translator)
    assert isinstance(done.exception, CourseError)
    assert said in str(done.exception)


def test_without_a_sentence_and_without_a_translator_it_says_so(translator, tmp_path):
    assert "there is no sentence" in str(run("--translator", translator, typed="\n").exception)
    assert "ends with .keras" in str(run("a", "--translator", tmp_path / "x.h5").exception)
    broken = tmp_path / "broken.keras"
    broken.write_text("no model")
    assert "broken.keras is no translator" in str(run("a", "--translator", broken).exception)


def test_a_line_that_it_cannot_read_is_named_by_its_number(translator):
    done = run("--translator", translator, typed="the dog sees a tree\n\nthe dgo sees a tree\nthe cat sees a dog\n")
    assert str(done.exception).startswith("line 3: these words are not known: dgo")
    assert len(done.stdout.splitlines()) == 2  # what came before it is there


def test_options_for_training_are_not_ignored_in_silence(translator, tmp_path):
    done = run("the dog sees a tree", "--translator", translator, "--steps", 30, "--seed", 2)
    assert "trained already, and --steps, --seed would change nothing" in str(done.exception)
    done = run("the dog sees a tree", "--translator", tmp_path / "new.keras", "--model", "rnn", "--positions", "none")
    assert "an RNN has no positions" in str(done.exception)
    assert not (tmp_path / "new.keras").exists()


class Terminal(io.StringIO):
    """What a person types, at a keyboard."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("end", ["\n", "", KeyboardInterrupt], ids=["an empty line", "the end", "Ctrl+C"])
def test_who_mistypes_a_word_is_asked_again(translator, monkeypatch, capsys, end):
    lines = iter(["the dgo sees a tree", "!", "the dog sees a tree"])

    def answer(prompt: str) -> str:
        line = next(lines, None)
        if line is None and end == "\n":
            return ""
        if line is None:
            raise end or EOFError
        return line

    monkeypatch.setattr("builtins.input", answer)
    monkeypatch.setattr("sys.stdin", Terminal())
    command = get_command(app).commands["translate"]
    command.main(["--translator", str(translator)], standalone_mode=False)
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 1
    assert "A sentence a line" in said.err
    assert "not known: dgo" in said.err
    assert "no word in '!'" in said.err
