"""`python -m course prepare` on the command line, and the same work on a Dask cluster of separate processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from course.cli import app
from course.data.corpus import preparation
from course.data.corpus.token_arrays import TokenArrays
from course.data.text.vocabulary import Vocabulary
from course.errors import CourseError

_PROJECT = Path(__file__).resolve().parents[3]
_START_SECONDS = 60


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    for number in range(3):
        articles = [f"Article {number} {part}. It was seen.\nAnd then, again!\n\n" for part in range(40)]
        (folder / f"{number}.txt").write_text("".join(articles), encoding="utf-8")
    return folder


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    """The address of a scheduler with a worker."""
    file = tmp_path / "scheduler.json"
    environment = os.environ | {"PYTHONPATH": str(_PROJECT)}

    def start(*command: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *command, "--scheduler-file", str(file), "--host", "127.0.0.1"],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    processes = [start("scheduler", "--port", "0", "--no-dashboard")]
    ends = time.monotonic() + _START_SECONDS
    while not file.exists():
        assert time.monotonic() < ends, "the scheduler does not start"
        time.sleep(0.05)
    processes += [start("worker", "--no-dashboard", "--no-nanny", "--nthreads", "2")]
    yield json.loads(file.read_text())["address"]
    for process in processes:
        process.kill()
        process.wait()


def arrays(folder: Path) -> list[np.ndarray]:
    shard = TokenArrays(folder).shard(0)
    return [shard.pieces, shard.sentence_starts, shard.document_starts]


def test_a_cluster_makes_the_same_arrays(
    corpus: Path, scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparation, "_CHUNK", 500)  # so that there is work for all threads
    command = ["prepare", str(corpus), "--vocabulary-size", "300", "--to"]
    for name, options in (("here", []), ("there", ["--scheduler", scheduler])):
        result = CliRunner().invoke(app, [*command, str(tmp_path / name), *options], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        assert "120 documents, 360 sentences" in result.output
    for here, there in zip(arrays(tmp_path / "here"), arrays(tmp_path / "there"), strict=True):
        np.testing.assert_array_equal(here, there)


def test_your_own_vocabulary_is_used(corpus: Path, tmp_path: Path) -> None:
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "article", "Article", "again"]
    Vocabulary(pieces).save(tmp_path / "vocab.txt")
    command = [
        "prepare",
        str(corpus),
        "--vocabulary",
        str(tmp_path / "vocab.txt"),
        "--cased",
        "--to",
        str(tmp_path / "a"),
    ]
    assert CliRunner().invoke(app, command, catch_exceptions=False).exit_code == 0
    arrays_with_it = TokenArrays(tmp_path / "a")
    counts = dict(zip(pieces, arrays_with_it.counts, strict=True))
    assert (counts["Article"], counts["article"], counts["again"]) == (120, 0, 120)
    assert arrays_with_it.description["lowercase"] is False


@pytest.mark.parametrize("given", ["", "vocab.txt"])
@pytest.mark.parametrize(("said", "lowercase"), [(None, False), (False, False), (True, True)])
def test_a_vocabulary_with_capitals_keeps_case_unless_its_folder_says_otherwise(
    given: str, said: bool | None, lowercase: bool, corpus: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "published"
    folder.mkdir()
    Vocabulary(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "article", "Article", "again"]).save(folder / "vocab.txt")
    if said is not None:
        (folder / "tokenizer_config.json").write_text(json.dumps({"do_lower_case": said}))
    command = ["prepare", str(corpus), "--vocabulary", str(folder / given), "--to", str(tmp_path / "a")]
    done = CliRunner().invoke(app, command, catch_exceptions=False)
    assert TokenArrays(tmp_path / "a").description["lowercase"] is lowercase
    assert ("Case is kept, because" in done.stdout) == (said is None and not lowercase)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--scheduler", "nowhere"], "no Dask scheduler answers at nowhere"),
        (["--vocabulary", "missing.txt"], r"missing\.txt"),
        (["--vocabulary", "missing.txt", "--vocabulary-size", "8000"], r"--vocabulary-size is for a vocabulary"),
        (["--scheduler", "nowhere", "--jobs", "1"], r"--jobs is for this machine"),
        (["--column", "body"], r"has no table, so no column body\. Leave out --column"),
    ],
)
def test_errors_name_the_cause(options: list[str], message: str, corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=message):
        CliRunner().invoke(app, ["prepare", str(corpus), "--to", str(tmp_path / "a"), *options], catch_exceptions=False)
