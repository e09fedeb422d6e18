"""`translate` on the command line: a translator is trained once and used again; errors in one line."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path

import pytest
from typer.main import get_command

from course.applications.translation.toy_language import TARGET_WORDS
from course.cli import app
from course.errors import CourseError
from tests.course.commands.running import run as run_command

run = partial(run_command, "translate")


@pytest.fixture(scope="module")
def translator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("translate") / "translator.keras"
    done = run("the grey dog sees a tree", "--translator", path, "--steps", 20, "--model", "rnn")
    assert done.exit_code == 0
    assert "Training" in done.stderr
    assert set(done.stdout.split()) <= set(TARGET_WORDS)
    return path


def test_an_existing_translator_is_not_trained_again_and_reads_files(translator):
    before = translator.read_bytes()
    typed = "The grey dog, sees a tree!\n\nthe cat loves the red lamp\n"
    done = run("--translator", translator, "--beams", 3, typed=typed)
    assert done.exit_code == 0
    assert [bool(line) for line in done.stdout.splitlines()] == [True, False, True]  # line by line as in the file
    assert "Training" not in done.stderr
    assert translator.read_bytes() == before


@pytest.mark.parametrize(
    ("sentence", "message"),
    [("the unicorn sees a tree", "not known: unicorn. Known words: the, a"), (".", "no word in '.'")],
)
def test_untranslatable_sentences_are_refused(translator, sentence, message):
    done = run(sentence, "--translator", translator)
    assert isinstance(done.exception, CourseError)
    assert message in str(done.exception)


def test_a_missing_sentence_or_translator_is_reported(translator, tmp_path):
    assert "there is no sentence" in str(run("--translator", translator, typed="\n").exception)
    assert "must end with .keras" in str(run("a", "--translator", tmp_path / "x.h5").exception)
    broken = tmp_path / "broken.keras"
    broken.write_text("no model")
    assert "broken.keras is not a translator" in str(run("a", "--translator", broken).exception)


def test_a_folder_that_cannot_be_written_is_reported_before_training(tmp_path):
    (tmp_path / "file").touch()
    done = run("the grey dog sees a tree", "--translator", tmp_path / "file" / "translator.keras")
    assert f"cannot write into {tmp_path / 'file'}" in str(done.exception)
    assert "Training" not in done.stderr


def test_an_untranslatable_line_is_named_by_its_number(translator):
    done = run("--translator", translator, typed="the dog sees a tree\n\nthe dgo sees a tree\nthe cat sees a dog\n")
    assert str(done.exception).startswith("line 3: these words are not known: dgo")
    assert len(done.stdout.splitlines()) == 2  # the lines before it are translated


def test_useless_training_options_are_refused(translator, tmp_path):
    done = run("the dog sees a tree", "--translator", translator, "--steps", 30, "--seed", 2)
    assert "trained already, so --steps, --seed would change nothing" in str(done.exception)
    done = run("the dog sees a tree", "--translator", tmp_path / "new.keras", "--model", "rnn", "--positions", "none")
    assert "an RNN has no positions" in str(done.exception)
    assert not (tmp_path / "new.keras").exists()


class Terminal(io.StringIO):
    """A standard input that says it is a keyboard."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("end", ["\n", "", KeyboardInterrupt], ids=["an empty line", "the end", "Ctrl+C"])
def test_after_a_mistyped_word_it_asks_again(translator, monkeypatch, capsys, end):
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
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 1
    assert "one sentence a line" in printed.err
    assert "not known: dgo" in printed.err
    assert "no word in '!'" in printed.err
