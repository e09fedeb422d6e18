"""`tag` on the command line: a tagger is trained once and used again; three output formats; errors in one line."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import html5lib
import pytest

from course.applications.tagging.texts import SAMPLE_KINDS, tag_names
from course.errors import CourseError
from tests.course.commands.running import run as run_command

TEXT = "The coach of Fenfield Harriers, Zeno Novak, left on Tuesday."


run = partial(run_command, "tag")


@pytest.fixture(scope="module")
def tagger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tag") / "tagger"
    done = run(TEXT, "--tagger", path, "--articles", 24, "--epochs", 3)
    assert done.exit_code == 0
    assert "Training" in done.stderr
    plain = done.stdout.replace("[", "")
    for kind in SAMPLE_KINDS:
        plain = plain.replace(f" {kind}]", "")
    assert plain == f"{TEXT}\n"
    return path


def test_an_existing_tagger_is_not_trained_again_and_reads_files(tagger: Path) -> None:
    done = run("--tagger", tagger, "--as", "conll", typed=f"{TEXT}\n\nNo name here.\n")
    assert done.exit_code == 0
    assert "Training" not in done.stderr
    first, second, rest = done.stdout.split("\n\n")
    words, tags = zip(*(line.split("\t") for line in first.splitlines()), strict=True)
    assert " ".join(words) == "The coach of Fenfield Harriers , Zeno Novak , left on Tuesday ."
    assert set(tags) <= set(tag_names(SAMPLE_KINDS))
    assert len(second.splitlines()) == 4
    assert rest == ""


def test_a_page_is_written(tagger: Path, tmp_path: Path) -> None:
    done = run(TEXT, "<script>", "--tagger", tagger, "--as", "html", "--to", tmp_path / "names.html")
    assert done.exit_code == 0
    assert "names in 2 texts" in done.stderr
    page = (tmp_path / "names.html").read_text(encoding="utf-8")
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    assert not list(tree.iter("script"))


def test_a_missing_text_or_tagger_is_reported(tagger: Path, tmp_path: Path) -> None:
    assert "there is no text" in str(run("--tagger", tagger, typed="\n \n").exception)
    done = run(TEXT, "--tagger", tagger, "--seed", 2, "--from", tmp_path, "--any-order")
    assert "tagger is trained already, so --from, --seed would change nothing" in str(done.exception)
    (tmp_path / "empty").mkdir()
    done = run(TEXT, "--tagger", tmp_path / "empty", "--seed", 2)
    assert isinstance(done.exception, CourseError)
    assert "empty has no tagger" in str(done.exception)
    done = run(TEXT, "--tagger", tmp_path / "new", "--from", tmp_path / "empty")
    assert isinstance(done.exception, CourseError)
    assert "has no encoder" in str(done.exception)
    assert not (tmp_path / "new").exists()


def test_a_training_whose_tagger_could_not_be_kept_or_used_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = run(TEXT, "--tagger", tmp_path / "file" / "tagger")
    assert isinstance(done.exception, CourseError)
    assert "Training" not in done.stderr
    done = run(TEXT, "--tagger", tmp_path / "nan", "--articles", 8, "--epochs", 2, "--learning-rate", 1e30)
    assert isinstance(done.exception, CourseError)
    assert "Try a smaller --learning-rate" in str(done.exception)
    assert not (tmp_path / "nan").exists()
