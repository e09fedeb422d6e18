"""`index` and `search` on the command line: files and tables, output as text and as JSON, and errors."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from course.applications.search import indexing
from course.applications.search.index import Index
from course.errors import CourseError, Stopped
from tests.course.commands.running import run as run_command

_PROJECT = Path(__file__).resolve().parents[3]
TABLE = 'name,said,day\nWings,"They lift, slowly.",1\n,,2\nHeat,"Heat <b>flows</b> [red]through[/red] walls.",3\n'


run = partial(run_command, columns=90)


@pytest.fixture
def index(tmp_path: Path) -> Path:
    (tmp_path / "texts.csv").write_text(TABLE)
    done = run("index", tmp_path / "texts.csv", "--text", "said", "--title", "name", "--to", tmp_path / "index")
    assert done.exit_code == 0, done.exception
    assert done.stdout == f"{tmp_path / 'index'}: 3 documents in 1 part\nDocuments without a word: 1.\n"
    return tmp_path / "index"


def test_results_are_shown_as_a_table(index: Path) -> None:
    done = run("search", index, "FLOWS through nowhere")
    assert done.exit_code == 0
    assert done.stderr == "No document has: nowhere.\n"
    for part in ("FLOWS through nowhere", "Heat <b>flows</b> [red]through[/red] walls.", "texts.csv, 3"):
        assert part in done.stdout
    assert "Wings" not in done.stdout


def test_the_index_remembers_its_language_and_whether_endings_count(index: Path) -> None:
    arguments = ("index", index.parent / "texts.csv", "--text", "said", "--title", "name", "--to", index)
    assert "Wings" in run("search", index, "a lifting wing").stdout
    assert run(*arguments, "--exact-words").exit_code == 0
    assert "No document has: lifting, wing." in run("search", index, "lifting wing").stderr
    assert "1 part, 1 of them kept" in run(*arguments).stdout  # without an option, the words stay as they stand
    assert Index(index).language is None
    for language in ("en", "de"):
        run(*arguments, "--language", language)
        assert "1 part, 1 of them kept" in run(*arguments).stdout
        assert Index(index).language == language
    (index / "index.json").write_text("damaged")
    assert "its language is unknown" in run(*arguments).stderr
    assert Index(index).language == "en"
    assert "Leave out one" in str(run(*arguments, "--exact-words", "--language", "de").exception)
    assert "There is no stemmer for zh" in run(*arguments, "--language", "zh").stderr
    assert "must be an ISO 639 code" in str(run(*arguments, "--language", "English!").exception)


def test_queries_of_a_file_become_lines_of_json(index: Path) -> None:
    done = run("search", index, "--json", "--top", 1, typed="heat wings\n\n[bold]\nlift\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["query"] for answer in answers] == ["heat wings", "[bold]", "lift"]
    assert [len(answer["results"]) for answer in answers] == [1, 0, 1]
    (result,) = answers[2]["results"]
    assert result.pop("score") > 0
    assert result == {"document": 0, "name": "texts.csv, 1", "title": "Wings", "text": "They lift, slowly."}


def test_control_characters_do_not_reach_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "texts.txt").write_text("Heat\xa0flows \x1b[2J\x9b1mthrough\twalls.")
    run("index", tmp_path / "texts.txt", "--to", tmp_path / "index")
    shown = run("search", tmp_path / "index", "heat").stdout
    assert "flows \ufffd[2J\ufffd1mthrough" in shown
    assert not {"\x1b", "\x9b"} & {*shown}


def test_invalid_text_is_refused_or_becomes_a_question_mark(index: Path) -> None:
    done = run("search", index, typed="café\n".encode("latin-1"))
    assert isinstance(done.exception, CourseError)
    assert "not text in utf-8" in str(done.exception)
    argument = b"lift caf\xe9".decode("utf-8", "surrogateescape")  # as Python passes it on
    assert json.loads(run("search", index, argument, "--json").stdout)["query"] == "lift caf?"


def test_a_single_document_is_one(tmp_path: Path) -> None:
    (tmp_path / "texts.txt").write_text("Heat flows through walls.")
    done = run("index", tmp_path / "texts.txt", "--to", tmp_path / "index")
    assert done.stdout == f"{tmp_path / 'index'}: 1 document in 1 part\n"


@pytest.mark.parametrize("query", [" ... ", "nowhere", "[/bold]"])
def test_it_says_that_nothing_was_found(query: str, index: Path) -> None:
    done = run("search", index, query)
    assert done.exit_code == 0
    assert done.stdout == ""
    assert repr(query) in done.stderr


def test_the_same_command_brings_it_up_to_date(index: Path) -> None:
    table = index.parent / "texts.csv"
    arguments = ("index", table, "--text", "said", "--title", "name", "--to", index)
    assert "1 part, 1 of them kept" in run(*arguments).stdout
    table.write_text(TABLE + "New,Something new.,4\n")
    assert "4 documents in 1 part\n" in run(*arguments).stdout
    assert "Something new." in run("search", index, "new").stdout


def test_skipped_files_are_named_and_an_interruption_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = tmp_path / "texts [old] :cat:"
    texts.mkdir()
    (texts / "a.txt").write_text("One.\n\nTwo.")
    (texts / "b.png").write_bytes(b"png")
    done = run("index", texts, "--to", tmp_path / "index")
    assert f"not read: 1 (1 .png), such as {texts / 'b.png'}." in done.stderr
    assert "Indexing texts [old] :cat:" in done.stderr

    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(indexing, "_name", interrupted)
    done = run("index", texts, "--to", tmp_path / "index")
    assert isinstance(done.exception, Stopped)
    assert "The same command resumes it" in str(done.exception)


def test_other_texts_of_the_same_name_are_refused(tmp_path: Path) -> None:
    for project in ("a", "b"):
        (tmp_path / project / "docs").mkdir(parents=True)
        (tmp_path / project / "docs" / "a.txt").write_text(f"Of {project}.")
    first, second = tmp_path / "a" / "docs", tmp_path / "b" / "docs"
    to = ("--to", tmp_path / "made")
    assert run("index", first, *to).exit_code == run("index", first / ".." / "docs", *to).exit_code == 0
    done = run("index", second, *to)
    assert isinstance(done.exception, CourseError)
    assert f"has an index of {first}, not of {second}. Name another folder" in str(done.exception)
    shutil.rmtree(second)
    first.rename(second)  # the same texts, moved
    assert run("index", second, *to).exit_code == 0


def test_errors_name_the_cause(index: Path, tmp_path: Path) -> None:
    for arguments, message in (
        (("search", tmp_path / "nowhere", "wing"), "has no index"),
        (("search", index), "there is no query"),
        (("search", index, "wing", "--serve"), "you type queries in the browser"),
        (("search", index, "wing", "--exact"), "--exact is for a ranker"),
        (("search", index, "wing", "--fuse"), "--fuse is for a ranker"),
        (("search", index, "--serve", "--rerank", 5), "--rerank is for a ranker"),
        (("index", tmp_path / "texts.csv", "--to", tmp_path / "other"), "--text NAME"),
        (("index", tmp_path / "texts.csv", "--text", "body", "--to", tmp_path / "other"), "body"),
    ):
        done = run(*arguments, typed="\n")
        assert isinstance(done.exception, CourseError)
        assert message in str(done.exception)


def test_it_imports_neither_keras_nor_pandas(index: Path) -> None:
    run_it = "from course.cli import app; app(standalone_mode=False)"
    program = f"import sys; {run_it}; print({{'keras', 'pandas'}} & {{*sys.modules}})"
    arguments = ["search", str(index), "lift", "--json"]
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=_PROJECT, capture_output=True, text=True, check=True
    )
    answer, imported = done.stdout.splitlines()
    assert json.loads(answer)["results"]
    assert imported == "set()"


def test_two_dask_workers_search_the_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(indexing, "PART_DOCUMENTS", 4)
    (tmp_path / "texts.txt").write_text("\n\n".join(f"Wing {number % 3} of {number % 5}." for number in range(22)))
    assert run("index", tmp_path / "texts.txt", "--to", tmp_path / "index").exit_code == 0
    queries = ("wing 2", "of 4 0 1")
    with distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None) as workers:
        there = run("search", tmp_path / "index", *queries, "--json", "--scheduler", workers.scheduler_address)
    assert there.exit_code == 0, there.exception
    here = run("search", tmp_path / "index", *queries, "--json")
    assert there.stdout == here.stdout
    assert all(len(json.loads(line)["results"]) == 10 for line in here.stdout.splitlines())


def test_without_dask_the_error_says_how_to_install_it(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = run("search", index, "heat", "--scheduler", "tcp://127.0.0.1:9")
    assert isinstance(done.exception, CourseError)
    assert str(done.exception).endswith("-m pip install -c requirements.lock -e '.[cluster]'")
